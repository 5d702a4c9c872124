"""From a spreadsheet: by decision, all cells quoted, CRLF and BOM, a blank for the T; the note with title, stars and bold."""

import csv
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
a = solve["derive"](ws)
folder = ws / "outbox"
folder.mkdir(exist_ok=True)
(ws / "roster/november-2027.txt").write_bytes(solve["new_roster"](ws, a["roster"]).encode())
with (folder / "decisions.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["request", "complete", "decision"])
    by_word = sorted(a["table"], key=lambda row: (row[2], row[0]))
    sheet.writerows(
        (number, complete and complete.replace("T", " ") + ":00", word) for number, complete, word in by_word
    )
(folder / "bridge.md").write_text(
    f"""# Swaps for November

* **Shortest rest**: {a["rested"]} has {a["rest"]} minutes
* **Last**: {a["last"]:%A}, {a["last"]:%B} {a["last"].day}, {a["last"].year}
* **Brinny**: {a["ships"]["B"]} places
* **Hallgerd**: {a["ships"]["H"]} places
* **Turned down**: {a["refused"]}
* **Granted**: {a["granted"]}
""",
    "utf-8",
)
