"""Another hand: single quotes in the settings, lists the other way round, times with a space, bold labels, another report."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
settings = []
for old, new in zip(
    (ws / "conf/labelq.toml").read_text("utf-8").split("\n"), answer["config"].split("\n"), strict=True
):
    settings.append(new if old == new else new.replace('"', "'"))
(ws / "conf/labelq.toml").write_text("\n".join(settings), "utf-8")

folder = ws / "incident"
folder.mkdir(exist_ok=True)
turned = {
    name: [dict(reversed(row.items())) for row in reversed(answer["timeline"][name])]
    for name in ("ribbon", "causes", "late", "missing")
}
text = json.dumps(turned, indent=4).replace("2026-10-14T", "2026-10-14 ")
(folder / "timeline.json").write_bytes(text.replace("\n", "\r\n").encode())

(folder / "report.md").write_text(
    f"""# Wednesday's labels

On Wednesday many parcels reached the end of a belt without a label, or with an empty one. Asking again helped some of them.

Our label program had been renewed the evening before. It had its own ideas about how long to wait for a printer, what a repeat is and where each lane has its printer, and nobody is asked to look at those on that occasion. From this morning on it has ours.

- **Waiting time:** {answer["waiting"]} s
- **Seen by the gate:** {answer["gate"]} pieces
- **Worst lane:** {answer["worst_lane"][1]} on {answer["worst_lane"][0].title()}
- **Main cause:** {answer["main_cause"][1]} pieces {answer["main_cause"][0]}
- **Late:** {len(turned["late"])} pieces
- **Missing:** {len(turned["missing"])} pieces

Please go on writing carried labels into the book.
""",
    "utf-8",
)
