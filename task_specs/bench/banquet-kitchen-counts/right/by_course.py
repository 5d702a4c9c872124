"""Another hand: rows from the bottom up without a last newline; JSON by course, plates as floats, members sorted."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
served = solve["derive"](ws)
counts = solve["counts"](served)
folder = ws / "pass"
folder.mkdir(exist_ok=True)
lines = [("guest", "table", *solve["COURSES"]), *reversed(served)]
(folder / "table-plan.csv").write_text("\n".join(",".join(map(str, line)) for line in lines), "utf-8")
plates = sorted(counts["plates"], key=lambda item: (item["course"], item["dish"], item["table"]))
totals = sorted(counts["totals"], key=lambda item: -item["plates"])
body = {
    "guests": len(served),
    "plates": [item | {"plates": float(item["plates"])} for item in plates],
    "totals": [item | {"plates": float(item["plates"])} for item in totals],
}
(folder / "counts.json").write_text(json.dumps(body, indent=4, sort_keys=True), "utf-8")
