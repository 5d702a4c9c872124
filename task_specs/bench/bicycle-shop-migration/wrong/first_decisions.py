"""Goes by D-05 and D-07, which later entries overrule: merges by phone alone, keeps orphans as Unknown's."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (
        "WHERE other.phone = people.phone AND lower(other.name) = lower(people.name) AND",
        "WHERE other.phone = people.phone AND",
    ),
    (
        "INSERT INTO review\nSELECT 'bike', id, 'customer'",
        "INSERT INTO customers VALUES (0, 'Unknown', NULL, NULL, NULL);\nSELECT 'bike', id, 'customer'",
    ),
    ("SELECT bike.id, customer, nullif", "SELECT bike.id, ifnull(customer, 0) AS customer, nullif"),
    ("FROM bike JOIN became ON", "FROM bike LEFT JOIN became ON"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
