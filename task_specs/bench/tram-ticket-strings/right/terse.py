"""Another translator: members sorted by name, no indentation; answers from the last to the first; another text, the day in bold."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
a = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
(ws / "app/i18n/en.json").write_text(json.dumps(a["strings"], sort_keys=True, ensure_ascii=False), "utf-8")
rows = "".join(f"{comment},{outcome}\n" for comment, outcome in reversed(a["answers"]))
(ws / "review/answers-en-5.2.csv").write_text("comment,outcome\n" + rows, "utf-8")
TEXT = (
    "Your tram was quicker than you? You can now see which connection has gone, and what goes next. Anyone who needs a "
    "lift is told before leaving home if one is stuck. One tap buys you a day pass. And the hop ticket is no longer "
    "hiding three menus down: it is right at the front. Two passengers thought of two of these. Write to us, it works."
)
day = a["day"]
(ws / "store/new-in-5.2-en.md").write_text(f"{TEXT}\n\n- **From:** {day.day} {day:%B} {day.year}\n", "utf-8")
