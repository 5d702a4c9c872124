"""Takes each item for a line of its own, numbered as it was typed, and review of all that is odd on jobs left behind."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ("row_number() OVER (PARTITION BY no ORDER BY min(place))", "place"),
    ("sku, sum(quantity)", "sku, quantity"),
    ("GROUP BY no, sku;", ";"),
    ("day IS NULL AND id IN (SELECT id FROM jobs)", "day IS NULL"),
    ("pence IS NULL AND no IN (SELECT id FROM jobs)", "pence IS NULL"),
    ("INSERT INTO review\nSELECT 'job', id, 'date'", "INSERT OR IGNORE INTO review\nSELECT 'job', id, 'date'"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
