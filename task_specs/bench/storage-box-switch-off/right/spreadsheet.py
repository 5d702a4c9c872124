"""The record as a spreadsheet program saves it: sorted by the new value, every cell quoted, CRLF and BOM."""

import csv
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
changes = solve["derive"](ws)
solve["edit"](ws, changes)
with (ws / "changes.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["file", "setting", "old", "new"])
    sheet.writerows(sorted(solve["record_rows"](changes), key=lambda row: row[3]))
