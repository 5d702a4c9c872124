"""Of several for a day takes the highest counter, complete or not, and lets it replace what is there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ('return lines[-1:] == ["EOF" if name.startswith("leaf") else "#END"]', "return lines != []"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
