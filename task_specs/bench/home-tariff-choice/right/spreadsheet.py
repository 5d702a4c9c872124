"""Another hand: compact JSON with its members the other way round; stars, bold labels and an American date in the letter."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
a = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "table"
folder.mkdir(exist_ok=True)
body = {name: a[name] for name in ("owed", "due", "saves", "best", "car_kwh", "filled_kwh", "kwh")}
body["tariffs"] = [dict(reversed(row.items())) for row in reversed(a["tariffs"])]
(folder / "comparison.json").write_text(json.dumps(body, separators=(",", ":")), "utf-8")
(folder / "letter.md").write_text(
    f"""# For Marit, before bed

My dear, I have done our sums, and the telephone is yours. We should go to {a["best"]}.

It won because most of our power goes into the car while we are asleep, and it asks little for just that. Everything else we
use costs about what it did.

Nobody needs to get up for a dishwasher: I let the sums run over our own March and April, with all our bad habits in them. And
should we move in with your mother, we can go; leaving early costs {a["leave"]} pounds, and that is all there is to it.

I have looked at two spring months and no more. Please don't hold me to a figure for the year.

* **Take**: {a["best"]}
* **Owed**: {a["owed"]:.2f} pounds
* **Saves**: {a["saves"]:.2f} pounds
* **Ring by**: {a["by"]:%A}, {a["by"]:%B} {a["by"].day}, {a["by"].year}
""",
    "utf-8",
)
