"""As a spreadsheet user would hand it in: by first day, quoted cells, CRLF and BOM; YAML in one-line form, quoted dates."""

import csv
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
answer = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "schedule"
folder.mkdir(exist_ok=True)
with (folder / "steps.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["step", "begins", "ends", "engineer"])
    sheet.writerows(sorted(answer["steps"], key=lambda row: row[1]))
back = [f'{{instrument: {i}, back: "{b}", down: {d}, promise: {p}}}' for i, b, d, p in answer["instruments"]]
busy = [f'{{engineer: "{name}", days: {days}}}' for name, days in answer["engineers"]]
(folder / "summary.yaml").write_text(
    f'finished: "{answer["finished"]}"\n'
    f"chain: [{', '.join(answer['chain'][::-1])}]\n"
    f"instruments: [{', '.join(back[::-1])}]\n"
    f"engineers: [{', '.join(busy[::-1])}]\n",
    "utf-8",
)
