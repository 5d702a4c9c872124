"""Packs every series as one unbroken stretch, and the reading 9999 with plain digits."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (
        "even = gap and gap <= timedelta(minutes=99) and (len(part) < 2 or gap == part[1][0] - part[0][0])",
        "even = bool(part)",
    ),
    (
        'return f"{size // 10:03}{(MINUS if level.startswith(\x27-\x27) else PLUS)[size % 10]}"',
        'return f"{size // 10:03}{MINUS[size % 10] if level.startswith(\x27-\x27) else size % 10}"',
    ),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.tool(CHANGES))
