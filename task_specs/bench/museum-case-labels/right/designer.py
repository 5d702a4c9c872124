"""As another program writes it: block YAML with CRLF and blank towns, materials the other way round, another text."""

import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
folder = ws / "case-4"
folder.mkdir(exist_ok=True)
lines = [f"{name}: {value}" for name, value in answer["card"].items()] + ["labels:"]
for label in answer["labels"]:
    lines += [f"- place: {label['place']}", f"  number: '{label['number']}'", f"  height_cm: {label['height_cm']}"]
    lines += [f"  title: {solve['quoted'](label['title'])}", f"  date: '{label['date']}'"]
    lines += [f"  town:{' ' + label['town'] if label['town'] else ''}", f"  credit: {solve['quoted'](label['credit'])}"]
    lines += ["  materials:", *(f"  - {word}" for word in reversed(label["materials"]))]
(folder / "labels.yaml").write_text("\r\n".join(lines) + "\r\n", "utf-8")

PANEL = (
    "It gets dark, you touch the wall, and you go on reading. This case is about everybody who could not. "
    "For them light was a job for the evening, done with hands that were cold and things that were hot. "
    "Come close and see what the job did to the things."
)
TEXT = "Find the spot that is more worn than the rest of it. That is where it was used, night after night, by people who had to be careful with fire and with money."
bullets = [f"- {label['place']}: {label['title']}, {label['date']}. {TEXT}" for label in answer["labels"]]
(folder / "texts.md").write_text("\n".join([PANEL, "", *bullets]), "utf-8")
