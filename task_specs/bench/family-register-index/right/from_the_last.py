"""The people from the last to the first, members and entries in another order, compact; a letter with bold labels and other words."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def write(ws, answer):
    """Compact JSON, blanks as empty text for the parents."""
    people, entries = answer
    made = [dict(sorted(row.items())) | {"entries": row["entries"][::-1]} for row in people[::-1]]
    (ws / "slate/days.json").write_text(solve.json.dumps({"people": made}, separators=(",", ":")), "utf-8")
    (ws / "slate/letter.md").write_text(letter(solve.figures(ws, people, entries)), "utf-8")


def letter(f):
    """Longer, with another order of the figures."""
    return f"""# Three empty places

Dear all,

soon you will stand before the slate and ask why three days are missing that you have known since you were children. This is how it came about.

**William**, the mariner. The captain wrote home that he went overboard in the night of 14 November 1769. The paper printed what the captain said, his brother put it on the wall as the captain had written it, and the county book took it over. That is one man's word, handed on three times. It may well be true. A log of the Constance, or anything from the second man on deck, would let us cut it.

**Hannah** of Thirl. Her stone and her niece are a day apart, and nothing tells us which of them erred. The vicar's list of 1911 seems to help, but he copied the sexton's, since the stone was gone. A burial entry or a certificate of 1842 would do.

**Esther**, the smith's wife. There were two Esther Couplands at Thirl, baptised in 1739 and 1740. Picking the one that looks nicer would be a coin tossed in slate. A will that names a daughter Esther Tarraby would tell them apart.

Whoever passed these days on did it with care. If you find something in a drawer, write to me.

- **Cost**: {f["cost"]} pounds
- **Unplaced**: {f["unplaced"]}
- **Oldest**: {f["age"]} ({f["oldest"]})
- **Days of death**: {f["deaths"]}
- **Blank last days**: {" and ".join(f["last"])}
- **Blank first days**: {" and ".join(f["first"])}
- **Days to cut**: {f["cut"]}
"""


solve.write = write
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
