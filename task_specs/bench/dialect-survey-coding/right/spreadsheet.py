"""As a spreadsheet user hands it in: by code, every cell quoted, CRLF and BOM; one line of JSON with pairs first."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
answer = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "table-2"
folder.mkdir(exist_ok=True)
with (folder / "adjudicated.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["response", "code", "basis"])
    sheet.writerows(sorted((r, code, basis) for r, (code, basis) in answer["final"].items()))
members = {name: answer["agreement"][name] for name in ("pairs", "questions", "left_out", "speakers")}
(folder / "agreement.json").write_text(json.dumps(members, separators=(",", ":")), "utf-8")
