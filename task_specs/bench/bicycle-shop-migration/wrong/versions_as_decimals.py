"""Compares versions as decimal numbers, so that 2.10 comes before 2.9."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (
        "CAST(substr(ver, 1, instr(ver, '.') - 1) AS INTEGER) * 1000 + CAST(substr(ver, instr(ver, '.') + 1) AS INTEGER) >= 2009",
        "CAST(ver AS REAL) >= 2.9",
    ),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
