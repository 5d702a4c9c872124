"""Reads each set of minutes alone, without the corrections of the next."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
solve.correct_minutes = lambda minutes: minutes
solve.correct_register = lambda entries, minutes: None
read_orders = solve.read_orders
solve.read_orders = lambda ws, named: {o: n for o, n in read_orders(ws, named).items() if n.startswith("A-")}
add_spent = solve.add_spent


def add_known(ws, entries, orders):
    """The inserted action is unknown, and its order belongs to none."""
    entries["none"] = {}
    add_spent(ws, entries, {"QC-1136": "none"} | orders)
    del entries["none"]


solve.add_spent = add_known
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
