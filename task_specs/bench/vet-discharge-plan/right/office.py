"""From an office program: quoted cells, CRLF and BOM, quantities with two decimals, by drug; compact JSON; another letter with bold labels."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
a = solve["derive"](ws)
folder = ws / "discharge"
folder.mkdir(exist_ok=True)
with (folder / "schedule.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL)
    sheet.writerow(["date", "time", "drug", "quantity"])
    for slot, drug, amount in sorted(a["schedule"], key=lambda row: (row[1], row[0])):
        sheet.writerow([f"{slot:%Y-%m-%d}", f"{slot:%H:%M}", drug, f"{float(amount):.2f}"])
drugs = [{key: value if key == "drug" else float(value) for key, value in row.items()} for row in a["drugs"][::-1]]
body = {"left_out": [{"reason": reason, "drug": drug} for drug, reason in a["left_out"][::-1]], "drugs": drugs}
body |= {"weight_kg": float(a["weight"]), "patient": a["patient"]}
(folder / "doses.json").write_text(json.dumps(body, separators=(",", ":")), "utf-8")

she, her = a["they"]
today = sorted({drug for slot, drug, _ in a["schedule"] if slot.date() == solve["TODAY"]}, reverse=True)
LETTER = f"""# Going home with {a["dog"]}

Dear {a["owner"]},

nobody gets this wrong who has a pencil. The sheet that comes with this letter says, line by line, when {a["dog"]} gets what. You only ever
need the next line. Tick it when it is done.

**Giving it.** Hide tablets in a mouthful of food. Late? Up to half of the way to the next dose, give it. Later than that, skip it. Two at once: never.
If it comes up again within an hour, leave it at that and carry on with the next line. If that happens twice, ring us.

**The next days.** The collar stays on day and night until we have looked at the wound. Ten minutes on the lead is a walk. {she.capitalize()} may be quiet
for two days, and the wound a little thick.

**Ring us** when the wound opens, smells or bleeds, when {she} has not eaten for a whole day, or when the stools are black. Should the face
swell, ring that minute. 0555 0144, by night the nurse on duty. Nobody minds being asked.

Please bring the ticked sheet to the wound check.
"""
day, check = a["schedule"][-1][0].date(), a["check_up"]
bullets = [
    f"* **Wound check:** {check:%A}, {solve['in_words'](check)}",
    f"* **Doses:** {len(a['schedule'])}",
    f"* **Ends:** {day.isoformat()}",
    f"* **Today:** {' and '.join(today)}",
]
(folder / "letter.md").write_text(LETTER + "\n" + "\n".join(bullets) + "\n", "utf-8")
