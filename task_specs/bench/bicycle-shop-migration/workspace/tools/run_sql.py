"""Runs a script on a database: `python3 tools/run_sql.py DATABASE SCRIPT`. The branches get this, too.

It does nothing but hand the script to SQLite. BEGIN and COMMIT may stand in it or not.
"""

import sqlite3
import sys


def main(database, script):
    connection = sqlite3.connect(database)
    with open(script, encoding="utf-8") as file:
        connection.executescript(file.read())
    connection.commit()
    connection.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
