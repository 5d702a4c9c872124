"""Takes the biosafety officer's first word on the quarantine for her last."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.quarantine = lambda ws: next(
    int(solve.re.search(r"(\d+) days", text)[1]) for sender, text in solve.mails(ws) if "biosafety@" in sender
)
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
