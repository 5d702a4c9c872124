"""Another hand: rows from the bottom up, no last newline, whole numbers as a data frame with blanks writes them."""

import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
folder = ws / "final"
folder.mkdir(exist_ok=True)


def floating(place):
    return None if place is None else float(place)


results = [(*row[:3], floating(row[3]), row[4], floating(row[5])) for row in reversed(answer["results"])]
protests = [(*row[:3], floating(row[3])) for row in reversed(answer["protests"])]
(folder / "results.csv").write_text(solve["as_table"](solve["RESULTS"], results, ",").rstrip("\n"), "utf-8")
(folder / "protests.tsv").write_text(solve["as_table"](solve["PROTESTS"], protests, "\t").rstrip("\n"), "utf-8")
