"""Goes by the table of dishes without what the chef wrote about two of them."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.corrected = lambda ws, table: table
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
