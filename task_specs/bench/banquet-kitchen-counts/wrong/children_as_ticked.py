"""Gives children the main course that was ticked for them."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.is_child = lambda person: False
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
