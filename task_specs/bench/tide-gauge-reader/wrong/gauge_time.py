"""Takes the gauge clock for UTC."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ("            ahead = timedelta(hours=int(fields[0]))\n", "            pass\n"),
    ("    ahead, count = timedelta(hours=int(hours)), 0\n", "    ahead, count = timedelta(), 0\n"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.tool(CHANGES))
