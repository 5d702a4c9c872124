"""Another hand: rows backwards, blanks after commas, no final line break; cards by name, bold allergens, a closing line."""

import re
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
a = solve["derive"](ws)
folder = ws / "stall-13-nov"
folder.mkdir(exist_ok=True)
rows = [
    ", ".join([product, *(solve["cell"](allergen, *found) for allergen in solve["ALLERGENS"])])
    for product, found in sorted(a.items(), reverse=True)
]
(folder / "matrix.csv").write_text("\n".join([",".join(["product", *solve["ALLERGENS"]]), *rows]), "utf-8")
bold = lambda text: re.sub("|".join(solve["ALLERGENS"]), r"**\g<0>**", text)
cards = "\n".join(f"- {product}: {bold(solve['wording'](*found))}" for product, found in sorted(a.items()))
(folder / "cards.md").write_text(f"{cards}\n\nPlease ask us if you are in doubt.\n", "utf-8")
