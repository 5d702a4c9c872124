"""As from a spreadsheet and a JSON library: quoted cells, CRLF, BOM, bookings of a slot sorted; flow style YAML."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
answer = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "press-week"
folder.mkdir(exist_ok=True)
with (folder / "board.tsv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["slot", "leader", "helper", "bookings", "kg"])
    for slot, leader, helper, load, kg in answer["board"]:
        sheet.writerow([slot, leader, helper, ";".join(sorted(load, reverse=True)), kg])
named = lambda names, rows: [dict(zip(names, row)) for row in rows]
week = {
    "totals": dict(zip(("kg", "fees", "allowances"), answer["totals"])),
    "crew": named(("person", "led", "helped", "allowance"), answer["crew"]),
    "growers": named(("grower", "kg", "fee"), answer["growers"]),
    "unplaced": named(("booking", "reason"), answer["unplaced"]),
}
(folder / "week.yaml").write_text(json.dumps(week, indent=1) + "\n", "utf-8")
