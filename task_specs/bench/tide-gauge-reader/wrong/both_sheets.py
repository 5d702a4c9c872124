"""Applies sheet 1 as well: a damaged R line stands for the groups that are left of it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (
        '            values = [(None, "D")] * LINE\n',
        '            values = [(None, "D")] * (len("".join(fields)) // 4)\n',
    ),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.tool(CHANGES))
