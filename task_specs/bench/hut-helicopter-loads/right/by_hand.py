"""As typed into a spreadsheet: by number, from the bottom, quoted, CRLF and BOM; compact JSON, numbers with decimals."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
a = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "flying-day"
folder.mkdir(exist_ok=True)
with (folder / "loads.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["rotation", "no", "pieces", "kg"])
    sheet.writerows(sorted(a["loads"], key=lambda row: (row[1], row[0]), reverse=True))
body = {
    "left_kg": float(a["left_kg"]),
    "flown_kg": float(a["flown_kg"]),
    "left": sorted(a["left"], key=lambda row: row["reason"]),
    "rotations": [dict(reversed(flight.items())) | {"load": float(flight["load"])} for flight in a["rotations"]],
}
(folder / "flight.json").write_text(json.dumps(body, separators=(",", ":")), "utf-8")
