"""As a spreadsheet would hand it in: by job, quoted cells, BOM and CRLF, seconds in the times, fees as decimals, dearest first."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
folder = ws / "week-18"
folder.mkdir(exist_ok=True)
with (folder / "plan.tsv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["day", "start", "end", "job"])
    sheet.writerows(sorted(solve["stretches"](answer["accepted"]), key=lambda row: row[3]))
found = solve["replies"](answer)
for row in found["accepted"]:
    row["fee"] = float(row["fee"])
    row["ready"] += ":00"
found["accepted"].sort(key=lambda row: -row["fee"])
found["declined"].sort(key=lambda row: row["reason"])
(folder / "replies.json").write_text(json.dumps(found, indent=4, sort_keys=True), "utf-8")
