"""Takes what each printer's display showed for depot time, as if its clock were right."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
found = solve.clock_errors
solve.clock_errors = lambda ws: {printer: error * 0 for printer, error in found(ws).items()}
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
