"""Another hand: steps by instrument from the last to the first, no last newline; YAML written as JSON, with remarks."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
answer = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "schedule"
folder.mkdir(exist_ok=True)
rows = [",".join(map(str, row)) for row in sorted(answer["steps"], reverse=True)]
(folder / "steps.csv").write_text("\n".join(["step,begins,ends,engineer", *rows]), "utf-8")
body = {
    "engineers": [{"days": days, "engineer": name} for name, days in answer["engineers"][::-1]],
    "instruments": [
        {"promise": promise, "down": down, "back": back.isoformat(), "instrument": letter}
        for letter, back, down, promise in sorted(answer["instruments"], key=lambda row: row[1])
    ],
    "chain": sorted(answer["chain"]),
    "finished": answer["finished"].isoformat(),
}
(folder / "summary.yaml").write_text("# by SOP-14, version 3\n" + json.dumps(body, indent=2) + "\n", "utf-8")
