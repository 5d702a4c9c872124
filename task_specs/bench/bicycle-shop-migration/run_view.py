"""Builds the database that trial.sql dumps, runs migration.sql on it as the branches do, and prints what one view of it shows."""

import json
import sqlite3
import sys
import tempfile
from pathlib import Path

VIEWS = {
    "people": {
        "customers": "SELECT id, name, phone, email, since FROM customers ORDER BY id",
        "bikes": "SELECT id, customer_id, description, frame_no FROM bikes ORDER BY id",
    },
    "jobs": {
        "jobs": "SELECT id, bike_id, received, finished, status, labour_pence, note FROM jobs ORDER BY id",
        "job_parts": "SELECT job_id, line, sku, quantity FROM job_parts ORDER BY job_id, line",
    },
    "review": {"review": "SELECT source, source_id, reason FROM review ORDER BY source, source_id, reason"},
    "shape": {
        "tables": "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
        "columns": "SELECT m.name, c.name, upper(c.type), c.\"notnull\" OR (c.pk = 1 AND upper(c.type) = 'INTEGER' AND m.name <> 'job_parts'),"
        " c.pk FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' ORDER BY m.name, c.cid",
        "references": 'SELECT m.name, f."table", f."from", coalesce(f."to", \'id\') FROM sqlite_master AS m,'
        " pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table' ORDER BY m.name, f.\"from\"",
        "broken references": "SELECT * FROM pragma_foreign_key_check",
        "version": "SELECT user_version FROM pragma_user_version",
    },
}


def run(database, script):
    connection = sqlite3.connect(database)
    connection.executescript(Path(script).read_text("utf-8-sig"))
    connection.commit()
    connection.close()


def main(view):
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/trial.db"
        run(database, "trial.sql")
        run(database, "migration.sql")
        connection = sqlite3.connect(database)
        shown = {name: connection.execute(query).fetchall() for name, query in VIEWS[view].items()}
    print(json.dumps(shown))


if __name__ == "__main__":
    main(sys.argv[1])
