"""As a spreadsheet user hands it in: by table, every cell quoted, CRLF and BOM; compact JSON with totals first."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
served = solve["derive"](ws)
counts = solve["counts"](served)
folder = ws / "pass"
folder.mkdir(exist_ok=True)
with (folder / "table-plan.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(("guest", "table", *solve["COURSES"]))
    sheet.writerows(sorted(served, key=lambda row: (row[1], row[3], row[0])))
body = {name: counts[name] for name in ("totals", "plates", "guests")}
(folder / "counts.json").write_text(json.dumps(body, separators=(",", ":")), "utf-8")
