"""Believes the locksmith's mail, and the hall's first booking."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
sheets = solve.read_sheets
solve.read_sheets = lambda ws: sheets(ws) | {"QC-1093": ("2027-03-26", True)}
solve.annual_meeting = lambda ws: "2027-10-27"
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
