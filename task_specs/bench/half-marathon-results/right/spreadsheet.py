"""As a spreadsheet user hands it in: by place, every cell quoted, CRLF and BOM, times with two digits for the hour."""

import csv
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
folder = ws / "final"
folder.mkdir(exist_ok=True)
by_place = sorted(answer["results"], key=lambda row: (row[3] or 999, row[0]))
results = [(bib, status, time and f"0{time}", *rest) for bib, status, time, *rest in by_place]
protests = sorted(answer["protests"], key=lambda row: row[1])
for name, head, body, delimiter in (
    ("results.csv", solve["RESULTS"], results, ","),
    ("protests.tsv", solve["PROTESTS"], protests, "\t"),
):
    with (folder / name).open("w", encoding="utf-8-sig", newline="") as file:
        sheet = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
        sheet.writerows([head, *body])
