"""Takes -99.9 for a temperature, and the temperature for the second column."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ('cell != "-99.9" and float(cell) < 0', "float(cell) < 0"),
    ("column = names.index(heading)", "column = 1"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
