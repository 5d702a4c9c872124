"""Goes by the third edition as printed: frost of any season for five years, harvest from 1 September, compressed as usual."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ("(8, 25) <= (day.month, day.day)", "(9, 1) <= (day.month, day.day)"),
    ("and day.year == self.today.year\n", "and False\n"),
    (
        "return not (3 <= day.month <= 5 and frost(content))",
        "return not ((self.today - day).days <= 5 * 365 and frost(content))",
    ),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
