"""As a spreadsheet user would hand it in: by decision, every cell quoted, CRLF and BOM."""

import csv
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
manifest = solve["derive"](ws)
solve["place"](ws, manifest)
with (ws / "handover/manifest.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["source", "decision", "target"])
    sheet.writerows(sorted(manifest, key=lambda row: row[1:]))
