"""Another hand: rows by basis from the bottom up, no last newline; lists reversed, members sorted, floats for counts."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
answer = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "table-2"
folder.mkdir(exist_ok=True)
rows = sorted(answer["final"].items(), key=lambda row: (row[1][1], row[0]), reverse=True)
lines = ["response,code,basis", *(f"{response},{float(code)},{basis}" for response, (code, basis) in rows)]
(folder / "adjudicated.csv").write_text("\n".join(lines), "utf-8")
table = answer["agreement"]
table["questions"].reverse()
table["pairs"].sort(key=lambda row: (row["pair"], row["question"]))
table["left_out"] = float(table["left_out"])
(folder / "agreement.json").write_text(json.dumps(table, indent=4, sort_keys=True) + "\n", "utf-8")
