"""As a spreadsheet user would hand it in: by payment day, every cell quoted, CRLF and BOM; JSON in one line, totals first."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer, pounds = solve["derive"](ws), solve["pounds"]
folder = ws / "reconciliation"
folder.mkdir(exist_ok=True)
with (folder / "payouts.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow("terminal pay_date gross fee due received status".split())
    for row in sorted(answer["payouts"], key=lambda row: (row[1], row[0])):
        sheet.writerow([*row[:2], *map(pounds, row[2:6]), row[6]])
tree = {name: {k: pence / 100 for k, pence in group.items()} for name, group in reversed(answer["differences"].items())}
(folder / "differences.json").write_text(json.dumps(tree, separators=(",", ":")), "utf-8")
lines = [
    (account, document, pence) for document, entry in answer["journal"].items() for account, pence in entry.items()
]
with (folder / "journal.tsv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["document", "account", "amount"])
    sheet.writerows((document, account, pounds(pence)) for account, document, pence in sorted(lines))
