"""Stops at the firm's first confirmation and misses the mail that moved a visit."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.mails, mails = lambda ws: [m for m in mails(ws) if "was to begin on" not in m[1]], solve.mails
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
