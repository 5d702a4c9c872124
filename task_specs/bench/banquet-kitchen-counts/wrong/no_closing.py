"""Lets everything count, whenever it came in."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)

solve.in_time = lambda reply: True
plan = solve.plan
solve.plan = lambda ws: {
    **dict.fromkeys(solve.people(ws), solve.rows(ws, "seating/plan-9-june.csv")[0]["table"]),
    **plan(ws),
}
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
