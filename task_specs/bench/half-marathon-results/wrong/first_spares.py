"""Gives the spare chips out as the desk first wrote, without its note that they were swapped."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)

change_entry = solve.change_entry
solve.change_entry = lambda entries, line: None if "went off with" in line else change_entry(entries, line)
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
