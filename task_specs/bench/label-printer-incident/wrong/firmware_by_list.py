"""Takes the firmware from the list of September, not from what LP-4 names when it boots."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.firmware = lambda ws: {
    row["printer"]: tuple(map(int, row["firmware"].split(".")[:2]))
    for row in solve.rows(ws / "printers/inventory-2026-09.csv")
}
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
