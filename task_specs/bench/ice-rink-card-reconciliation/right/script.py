"""As a script prints it: rows from the bottom up, numbers without trailing zeros, JSON members sorted, no last newline."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
answer = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "reconciliation"
folder.mkdir(exist_ok=True)
short = lambda pence: f"{pence / 100:.2f}".rstrip("0").rstrip(".")
rows = [",".join([*row[:2], *map(short, row[2:6]), row[6]]) for row in reversed(answer["payouts"])]
(folder / "payouts.csv").write_text("\n".join(["terminal,pay_date,gross,fee,due,received,status", *rows]), "utf-8")
tree = {name: {k: pence / 100 for k, pence in group.items()} for name, group in answer["differences"].items()}
(folder / "differences.json").write_text(json.dumps(tree, indent=4, sort_keys=True), "utf-8")
lines = [
    f"{document}\t{account}\t{short(pence)}"
    for document, entry in reversed(answer["journal"].items())
    for account, pence in sorted(entry.items())
]
(folder / "journal.tsv").write_text("\n".join(["document\taccount\tamount", *lines]), "utf-8")
