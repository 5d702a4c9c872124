"""Stops at the mail of November: the window begins on 20 August, and nothing is known of the cellar's spreadsheet."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ("(8, 25) <= (day.month, day.day)", "(8, 20) <= (day.month, day.day)"),
    ("and day.year == self.today.year\n", "and False\n"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
