"""A third hand: nights sorted by toads, no last newline; a letter, a heading before the figures, star bullets."""

import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
a = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "page-2026"
folder.mkdir(exist_ok=True)
rows = sorted(a["rows"], key=lambda row: (-row[2], row[0]))
lines = ["night,crossings,toads,after_ten,lost", *(",".join(map(str, row)) for row in rows)]
(folder / "nights.csv").write_text("\n".join(lines), "utf-8")
long = lambda day: f"{day:%A}, {day:%B} {day.day}, {day.year}"
*others, last = a["thanks"]
(folder / "page.md").write_text(
    f"""Dear neighbours,

on mild wet evenings at the end of winter, toads set out from their hedges for the pond. They are slow, they are brown, and they cross our roads after dark. A few of us walk up and down there with buckets and give them a lift.

This spring we gave {"more" if a["carried"] > a["last_year"] else "fewer"} lifts than a year ago. I wish I could tell you what it means. The honest answer is that we can only count the toads we meet, and that one spring proves nothing either way.

May I ask you for one thing? The late watch, from ten until half past midnight, is short of hands, most of all at {a["worst"]}. If you could spare an evening now and then, come to our briefing, in the hall, seven o'clock in the evening, on {a["briefing"]:%B} {a["briefing"].day}, {a["briefing"].year}. You need bring nothing, know nothing and sign nothing.

## Our spring in figures

* Nights: {a["nights"]}
* Carried: {a["carried"]}
* Last year: {a["last_year"]}
* After ten: {a["after_ten"]}
* Lost: {a["lost"]}
* Busiest night: {long(a["busiest"])}
* Worst crossing: {a["worst"]} ({a["rate"]}%)
* Most nights: {a["most"]} with {a["most_nights"]}
* Thanks: {", ".join(others)} and {last}
* Briefing: {long(a["briefing"])}
""",
    "utf-8",
)
