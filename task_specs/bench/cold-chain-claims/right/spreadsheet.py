"""As a spreadsheet user would hand it in: by instrument, quoted cells, CRLF and BOM; compact JSON, dearest first."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
folder = ws / "claim-february"
folder.mkdir(exist_ok=True)
with (folder / "pallets.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["pallet", "instrument", "minutes", "percent", "loss"])
    for row in sorted(answer["pallets"], key=lambda row: row[1]):
        sheet.writerow([*row[:4], row[4] / 100 or 0])
body = solve["as_json"](answer)
body["consignments"].sort(key=lambda row: -row["amount"])
(folder / "claim.json").write_text(json.dumps(body, separators=(",", ":")), "utf-8")
