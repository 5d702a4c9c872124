"""Another hand: pallets from the last to the first, minutes as decimals; totals before the list, whole euros bare."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
folder = ws / "claim-february"
folder.mkdir(exist_ok=True)
lines = [
    f"{p},{name},{float(minutes)},{percent},{loss / 100:.2f}" for p, name, minutes, percent, loss in answer["pallets"]
]
(folder / "pallets.csv").write_text("\n".join(["pallet,instrument,minutes,percent,loss", *reversed(lines)]), "utf-8")
body = solve["as_json"](answer)
body["consignments"] = [{**row, "amount": row["amount"] or 0} for row in body["consignments"][::-1]]
(folder / "claim.json").write_text(json.dumps(body, indent=4, sort_keys=True), "utf-8")
