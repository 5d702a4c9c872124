"""From an office program: tabs and escaped characters with CRLF; quoted cells and a BOM; a title above another text."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
a = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
with (ws / "app/i18n/en.json").open("w", encoding="utf-8", newline="\r\n") as file:
    json.dump(a["strings"], file, indent="\t")
with (ws / "review/answers-en-5.2.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL)
    sheet.writerow(["comment", "outcome"])
    sheet.writerows(sorted(a["answers"], key=lambda row: row[1]))
TEXT = (
    "Missed it by a door's width? The app tells you which connection that was and when you can be on your way again. "
    "If you rely on lifts, it says which are standing still before you start. Day passes now cost you one tap (and "
    "the fare). Hop tickets have come up from the basement of the menu. We owe two of these to passengers: keep writing!"
)
day = a["day"]
note = f"# New in 5.2\n\n{TEXT}\n\n* From: {day.day} {day:%B} {day.year}\n"
(ws / "store/new-in-5.2-en.md").write_text(note, "utf-8")
