"""Writes the numbers of our box into the script."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ('self.ini.getint("keep", "days", fallback=DAYS)', "365"),
    ('self.ini.getint(f"keep {plot}", "days", fallback=days)', '730 if plot == "kellerberg" else days'),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
