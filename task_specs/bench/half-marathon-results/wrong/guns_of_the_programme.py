"""Starts the waves when bulletin 1 said they would, not when the starter fired."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.read_guns = lambda ws: {"1": solve.tenths("9.30.00"), "2": solve.tenths("9.35.00"), "3": solve.tenths("9.40.00")}
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
