"""Another hand: heaviest rows first, no final line break; JSON by member, numbers as text, seconds in the take-offs."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
a = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "flying-day"
folder.mkdir(exist_ok=True)
rows = sorted(a["loads"], key=lambda row: -row[3])
(folder / "loads.csv").write_text(
    "\n".join(["rotation,no,pieces,kg", *(f"{at}, {no}, {n}, {kg}" for at, no, n, kg in rows)]), "utf-8"
)
body = {
    "rotations": [flight | {"takeoff": f"{flight['takeoff']}:00"} for flight in reversed(a["rotations"])],
    "left": [row | {"no": str(row["no"])} for row in reversed(a["left"])],
    "flown_kg": a["flown_kg"],
    "left_kg": a["left_kg"],
}
(folder / "flight.json").write_text(json.dumps(body, indent=4, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
