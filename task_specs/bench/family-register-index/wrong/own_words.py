"""Lets people be witnesses of their own birth."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.STATEMENTS = [(*s[:3], "themselves" if s[3] == "own word" else s[3], *s[4:]) for s in solve.STATEMENTS]
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
