"""Takes the first answer of each guest, as revision 2 of the function sheet said."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)

all_replies = solve.all_replies
solve.all_replies = lambda ws: {number: replies[:1] for number, replies in all_replies(ws).items()}
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
