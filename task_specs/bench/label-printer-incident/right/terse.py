"""As a program writes it: JSON on one line, sorted by name; star bullets without units; another report."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
(ws / "conf/labelq.toml").write_bytes(answer["config"].encode())

folder = ws / "incident"
folder.mkdir(exist_ok=True)
timeline = {name: sorted(found, key=lambda row: str(sorted(row.items()))) for name, found in answer["timeline"].items()}
(folder / "timeline.json").write_text(json.dumps(timeline, sort_keys=True, separators=(",", ":")), "utf-8")
PROSE = """Yesterday the belts ran as always, and the labels did not. They were missing at nearly every lane at one time or another, and whoever asked for one again could not know whether it would come.

The reasons lie in the settings that came with the new version. They are one mistake of ours as a house: we try out a print, we do not try out a day.

As of this morning they are as they should be. Please tell us at once if a carton comes down bare, and write down which."""
text = solve["report"](answer, PROSE).replace("- ", "* ").replace(" seconds", "")
(folder / "report.md").write_text(text, "utf-8")
