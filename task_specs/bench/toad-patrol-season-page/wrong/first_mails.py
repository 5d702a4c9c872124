"""Stops at the recorder's first mail on each matter: the season of the handbook, the misread pairs."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def before_the_second_thoughts(ws):
    return [(sender, text) for sender, text in mails(ws) if "my mistake" not in text]


mails = solve.mails
solve.mails = before_the_second_thoughts
solve.closing_night = lambda ws: solve.dt.date(2026, 4, 30)
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
