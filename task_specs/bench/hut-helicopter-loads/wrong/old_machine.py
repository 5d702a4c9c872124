"""Takes the new times from dispatch's last mail, but overlooks that another machine comes."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
read_all = solve.dispatch_writes
solve.dispatch_writes = lambda ws: {name: value for name, value in read_all(ws).items() if name != "machine"}
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
