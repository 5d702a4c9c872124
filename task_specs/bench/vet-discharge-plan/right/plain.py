"""Another hand: the schedule from the last giving to the first, JSON sorted by name, a short letter that goes by questions."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
a = solve["derive"](ws)
folder = ws / "discharge"
folder.mkdir(exist_ok=True)
rows = [f"{slot:%Y-%m-%d},{slot:%H:%M},{drug},{float(amount)}" for slot, drug, amount in reversed(a["schedule"])]
(folder / "schedule.csv").write_text("\n".join(["date,time,drug,quantity", *rows]), "utf-8")
drugs = [{key: value if key == "drug" else solve["plain"](value) for key, value in row.items()} for row in a["drugs"]]
body = {"patient": a["patient"], "weight_kg": float(a["weight"]), "drugs": drugs}
body["left_out"] = [{"drug": drug, "reason": reason} for drug, reason in a["left_out"]]
(folder / "doses.json").write_text(json.dumps(body, indent=4, sort_keys=True), "utf-8")

title, name = a["owner"].split()
today = ", ".join({drug: None for slot, drug, _ in a["schedule"] if slot.date() == solve["TODAY"]})
last, check = a["schedule"][-1][0], a["check_up"]
(folder / "letter.md").write_text(
    f"""Dear {title} {name},

what has to be done for {a["dog"]}, and when, is all on the schedule. Here is the rest, by question.

How do I get a tablet in? In a bit of food.

I forgot one! Less than half of the time gone to the next: give it. More: skip it. Never give two.

It came up again! Within the hour: do not repeat it, go on with the next. If it happens a second time, ring us.

What about the collar? On, day and night, until we have seen the wound. And walks? On the lead, ten minutes.

What is normal? A little swelling and a quiet dog, for two days. What is not? A wound that opens, smells or bleeds; no food for a
whole day; black stools. Then ring 0555 0144, day or night; at night you get the nurse on duty. A swollen face cannot wait for a minute: ring at once.

What do I bring to the wound check? The dog, and the schedule with your ticks.

- Ends: {last:%B} {last.day}, {last.year}
- Doses: {len(a["schedule"])} doses
- Today: {today}
- Wound check: {check.isoformat()}
""",
    "utf-8",
)
