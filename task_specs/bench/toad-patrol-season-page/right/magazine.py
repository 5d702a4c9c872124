"""Another hand: last night first, cells quoted, CRLF and BOM; another text, bold labels in another order, ISO dates."""

import csv
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
a = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "page-2026"
folder.mkdir(exist_ok=True)
with (folder / "nights.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["night", "crossings", "toads", "after_ten", "lost"])
    sheet.writerows(reversed(a["rows"]))
gone_up = a["carried"] > a["last_year"]
(folder / "page.md").write_text(
    f"""# Buckets in the rain

If you have driven through the village on a wet March evening, you may have met us: people in yellow vests, bent double, with a bucket and a torch. We are the toad patrol. Every spring the toads come down from the woods to breed in the pond, and every spring the roads are in their way. We pick them up and set them down on the far side.

It was a {"better" if gone_up else "thinner"} year than the last one: the number of toads we carried {"rose" if gone_up else "fell"}. Please don't read too much into that. A dry fortnight or a few empty places on the rota will move the count by as much, and the toads may be doing better or worse than it says.

There is one thing we would like to ask of you. After ten o'clock we are too few, and the worst place to be too few is {a["worst"]}. Would you take a turn there, between ten and half past midnight, next spring? Then come to the hall on {a["briefing"].isoformat()} at seven in the evening. We will tell you everything, and lend you a vest and a torch.

- **Briefing:** {a["briefing"].isoformat()}
- **Carried:** {a["carried"]} toads
- **Last year:** {a["last_year"]} toads
- **Nights:** {a["nights"]}
- **Busiest night:** {a["busiest"].isoformat()}
- **After ten:** {a["after_ten"]}
- **Lost:** {a["lost"]}
- **Worst crossing:** {a["rate"]} per cent at {a["worst"]}
- **Most nights:** {a["most_nights"]} nights, {a["most"]}
- **Thanks:** {"; ".join(sorted(a["thanks"], key=lambda name: name.split()[-1]))}
""",
    "utf-8",
)
