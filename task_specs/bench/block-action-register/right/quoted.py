"""Quoted and flow values in another order, null written out, a letter with bold labels and an ISO date."""

import importlib.util
import re
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
plain = solve.edited
NULLED = re.compile(r"(?m)^    (closed|limit):$")


def edited(ws, entries):
    """The old part with the changed values quoted, the new entries as flow mappings."""
    old = (ws / "register/actions.yaml").read_text("utf-8").splitlines()
    made = plain(ws, entries).splitlines()
    lines = [
        b if a == b else re.sub(r"(    (?:owner|status|closed|due)): (.+)", r'\1: "\2"', b) for a, b in zip(old, made)
    ]
    for number in [n for n in entries if n >= "A-057"]:
        entry = entries[number]
        pairs = ", ".join(f"{name}: {value(name, entry[name])}" for name in reversed(solve.FIELDS))
        lines.append(f"  {number}: {{{pairs}}}")
    return "\n".join(lines) + "\n"


def value(name, text):
    """Numbers bare, null where there is nothing, all else quoted."""
    return text if name in ("limit", "spent") and text else f"'{text}'" if text else "null"


def summary(f):
    """A letter; the figures the other way round."""
    return f"""Dear neighbours,

Several of you asked a year ago what happens to the jobs that are promised at our meetings. Here is an honest answer.

Finished since then: a new entry panel at the rear door, firm gratings in the car park, the yearly service of the dry riser, a handrail for the garden steps, tested anchors on the roof, timers that work on two of the stairs, a gate that shuts, a second salt bin, and a talk with the brewery about its extractor.

Not finished, and late: water still finds its way into the bin store. Some emergency lights are missing. A meter cupboard still does not lock properly, more than half a year after it should have. The lift's telephone line has not been moved. Nobody has compared prices for the stair carpet yet, and the report on the crack above the garage has not been accepted.

Come to the annual meeting in St Osyth's hall, on the fourth of November at seven in the evening, and ask.

- **Annual meeting**: {f["meeting"]}
- **Over limit**: {" and ".join(f["over"])}
- **Spent**: {f["spent"]} pounds
- **Longest overdue**: {f["days"]} days ({f["longest"]})
- **Overdue**: {f["overdue"]}
- **Open**: {f["open"]}
- **Done**: {f["done"]}
"""


solve.edited, solve.summary = edited, summary
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
