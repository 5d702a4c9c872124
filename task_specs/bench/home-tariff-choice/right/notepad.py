"""A third: widely indented JSON with CRLF and two decimals as they come; a short letter with an ISO date."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
a = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "table"
folder.mkdir(exist_ok=True)
body = {name: value for name, value in a.items() if name not in ("by", "leave")}
body["tariffs"] = sorted(a["tariffs"], key=lambda row: row["total"])
(folder / "comparison.json").write_bytes(json.dumps(body, indent=4, sort_keys=True).replace("\n", "\r\n").encode())
(folder / "letter.md").write_text(
    f"""Good morning, Marit.

Take {a["best"]}, please, and sleep. With the car drinking at night, as ours does, no other offer that wants us came out lower.

Your first question: it pays if we go on exactly as we are, because that is what I counted. Your second: we are not stuck. Going
before the year is over costs {a["leave"]} pounds once. What the winter will cost I do not know from two months of spring.

- Saves: {a["saves"]:.2f}
- Take: the tariff is called {a["best"]}
- Ring by: {a["by"].isoformat()}
- Owed: {a["owed"]:.2f}
""",
    "utf-8",
)
