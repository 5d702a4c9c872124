"""Takes the first change to pounds for the one that lasted."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (">= 2009 AS late", ">= 2004 AS late"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
