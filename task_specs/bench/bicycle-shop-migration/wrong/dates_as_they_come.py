"""Believes that SQLite's date() knows which days there are."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ("date(day, '+0 days') = day", "date(day) = day"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
