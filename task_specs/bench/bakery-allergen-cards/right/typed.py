"""As typed into a spreadsheet: by name, quoted, CRLF and BOM, capitals; cards with headline, stars and bold names."""

import csv
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
a = solve["derive"](ws)
folder = ws / "stall-13-nov"
folder.mkdir(exist_ok=True)
with (folder / "matrix.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["product", *solve["ALLERGENS"]])
    for product, found in sorted(a.items()):
        sheet.writerow([product, *(solve["cell"](allergen, *found).capitalize() for allergen in solve["ALLERGENS"])])
cards = [f"* **{product}:** {solve['wording'](*found)}" for product, found in reversed(a.items())]
(folder / "cards.md").write_text("\r\n".join(["# Stall, 13 November", "", *cards, ""]), "utf-8")
