"""Another hand: lists from the bottom up, members the other way round, quoted text, comments, pounds without zeros."""

import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
answer = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))["derive"](ws)
folder = ws / "press-week"
folder.mkdir(exist_ok=True)
board = ["slot\tleader\thelper\tbookings\tkg"]
board += ["\t".join((*row[:3], ";".join(row[3]), str(row[4]))) for row in answer["board"]]
(folder / "board.tsv").write_text("\n".join(board), "utf-8")
kg, fees, allowances = answer["totals"]
lines = ["# Press week 2026", "---", "crew:  # in pounds"]
for person, led, helped, pounds in reversed(answer["crew"]):
    lines.append(f"- {{allowance: {pounds:g}, helped: {helped}, led: {led}, person: '{person}'}}")
lines.append("unplaced:")
for number, reason in reversed(answer["unplaced"]):
    lines += [f'- reason: "{reason}"', f"  booking: '{number}'"]
lines.append("growers:")
for number, weight, pounds in reversed(answer["growers"]):
    lines += [f"- fee: {pounds:g}", f"  kg: {weight}", f"  grower: {number}"]
lines += ["totals:", f"  allowances: {allowances:g}", f"  fees: {fees:g}", f"  kg: {kg}"]
(folder / "week.yaml").write_text("\n".join(lines) + "\n", "utf-8")
