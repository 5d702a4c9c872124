"""Follows the log but not the mails it refers to: flag D is nothing special, a pound sign neither."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ("WHEN flag = 'D' THEN 'Erased'", "WHEN flag = '-' THEN 'Erased'"),
    ("iif(flag = 'D', NULL,", "iif(flag = '-', NULL,"),
    ("ifnull(flag, '') = 'D' AS erased", "0 AS erased"),
    ("flag IN ('T', 'D')", "flag = 'T'"),
    ("other.flag NOT IN ('T', 'D')", "other.flag <> 'T'"),
    ("text LIKE '£%' OR ifnull(late, 0) AS pounds", "ifnull(late, 0) AS pounds"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
