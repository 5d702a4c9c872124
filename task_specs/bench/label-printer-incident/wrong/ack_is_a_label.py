"""Takes an ack in labelq's log for a label that has come out."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.prints = lambda ws: {
    event["job"]: (solve.depot_time(event["t"]), event["from"])
    for event in solve.spool_events(ws)
    if event["ev"] == "ack"
}
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
