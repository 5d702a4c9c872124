"""Another hand: flow YAML from G to A with bare dates, words of its own, a heading, stars and bold letters."""

import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
folder = ws / "case-4"
folder.mkdir(exist_ok=True)
card = answer["card"]
lines = [
    f"out_by: {card['out_by']}",
    f"humidity_high: {card['humidity_high']}",
    f"humidity_low: {card['humidity_low']}",
]
lines += [f"lux: {card['lux']}", "labels:"]
for label in reversed(answer["labels"]):
    lines.append("  - {" + ", ".join(f"{name}: {solve['quoted'](value)}" for name, value in label.items()) + "}")
(folder / "labels.yaml").write_text("\n".join(lines) + "\n", "utf-8")

PANEL = (
    "Imagine your street without one lamp. When the sun had gone, people sat close round a single small flame. "
    "They had made it themselves, and it needed looking after like a small animal. "
    "What you see here did that work every evening, and each piece still shows how."
)
TEXT = (
    "Bend down a little and look for the marks of use. Nobody drew them on purpose: they come from hands, heat and soot, "
    "and they tell you how it was held and which part of it did the work."
)
bullets = [f"* **{label['place']}:** {label['title']}, {label['date']}. {TEXT}" for label in answer["labels"]]
(folder / "texts.md").write_text("\n".join(["# Light before the switch", "", PANEL, "", *bullets]) + "\n", "utf-8")
