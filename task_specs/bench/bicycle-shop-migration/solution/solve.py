"""The oracle: puts the script in place, runs it on copies of our database and lists what is to be reviewed."""

import csv
import io
import sqlite3
import sys
from pathlib import Path

SCRIPT, DATABASE, LIST = "migration.sql", "db/harbour-street.db", "review.csv"
COLUMNS = ["source", "id", "reason", "who", "phone"]
PROBES = """
UPDATE job SET taken = '2020-01-01';
INSERT INTO bike SELECT -id, id, NULL, NULL FROM customer;
"""
"""With a good date every job follows its bike, and a bike of each customer shows who that customer is now."""


def script(changes=()):
    """The text of the script, with some passages replaced."""
    text = (Path(__file__).parent / SCRIPT).read_text("utf-8")
    for old, new in changes:
        if old not in text:
            raise LookupError(f"no place for {old!r}")
        text = text.replace(old, new)
    return text


def migrated(ws, text, before=""):
    """A copy of our database in memory, after the script."""
    original = sqlite3.connect(f"file:{ws / DATABASE}?mode=ro&immutable=1", uri=True)
    copy = sqlite3.connect(":memory:")
    original.backup(copy)
    original.close()
    copy.executescript(before + text)
    return copy


def review_rows(ws, text):
    """Rows of the list."""
    reviewed = migrated(ws, text).execute("SELECT source, source_id, reason FROM review ORDER BY 1, 2, 3").fetchall()
    probed = migrated(ws, text, PROBES)
    people = {number: row for number, *row in probed.execute("SELECT id, name, phone FROM customers")}
    bikes = dict(probed.execute("SELECT id, customer_id FROM bikes"))
    owner = {("job", job): bikes[bike] for job, bike in probed.execute("SELECT id, bike_id FROM jobs")}
    owner |= {("customer", -bike): person for bike, person in bikes.items() if bike < 0}
    return [(*row, *people.get(owner.get(row[:2]), ("", ""))) for row in reviewed]


def deliver(ws, text):
    (ws / SCRIPT).write_bytes(text.encode())
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([COLUMNS, *review_rows(ws, text)])
    (ws / LIST).write_bytes(out.getvalue().encode())


if __name__ == "__main__":
    deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), script())
