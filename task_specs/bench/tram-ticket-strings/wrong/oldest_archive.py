"""Compares the German with version 5.0, which had said some things just as 5.2 says them again."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
tree = solve.tree
solve.tree = lambda path: tree(path.with_name("de-5.0.json") if path.parent.name == "archive" else path)
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
