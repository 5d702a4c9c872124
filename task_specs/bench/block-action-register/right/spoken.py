"""Money as floats with one decimal where that is all, another text, stars, separators and a weekday."""

import importlib.util
import re
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
plain = solve.edited


def edited(ws, entries):
    """The changed amounts written shorter, blanks as a tilde in the new entries."""
    old, made = (ws / "register/actions.yaml").read_text("utf-8").splitlines(), plain(ws, entries).splitlines()
    head = [a if a == b else re.sub(r"(spent|limit): (\d+\.\d)0$", r"\1: \2", b) for a, b in zip(old, made)]
    tail = [re.sub(r"(closed|limit):$", r"\1: ~", line) for line in made[len(old) :]]
    return "\n".join([*head, "", *tail]) + "\n"


def summary(f):
    """Short sentences for the notice board."""
    return f"""# Promised, done, not done

What did we promise you, and what came of it? Since the last annual meeting many jobs have been finished. You can hold on to a rail on the garden steps. The rear door has its new panel. The car park drains have sound gratings. The roof anchors and the dry riser have been tested. Lights on two stairs stay on long enough again. There is more salt for winter, and the compost gate closes.

Not everything went well. The leak above the bin store came back. Emergency lights, a lock on a meter cupboard and the telephone line of the lift are overdue, and so are prices for new stair carpet. For these you have waited longer than you should have.

We meet on Thursday, 4 November, at seven in St Osyth's hall. Bring your questions.

* Done: {f["done"]}
* Open: {f["open"]}
* Overdue: {f["overdue"]}
* Longest overdue: {f["longest"]}, by {f["days"]} days
* Spent: £{float(f["spent"]):,.2f}
* Over limit: {"; ".join(f["over"])}
* Annual meeting: Thursday, November 4, 2027
"""


solve.edited, solve.summary = edited, summary
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
