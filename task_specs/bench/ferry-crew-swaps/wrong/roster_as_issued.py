"""Judges each request by the roster as issued, not as changed by those granted before."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)

decide = solve.Office.decide


def alone(self, request, complete):
    now = self.roster
    self.issued = getattr(self, "issued", None) or {turn: dict(posts) for turn, posts in now.items()}
    self.roster = {turn: dict(posts) for turn, posts in self.issued.items()}
    word = decide(self, request, complete)
    moved = [(turn, post) for turn, posts in self.issued.items() for post in posts]
    changes = {(turn, post): self.roster[turn][post] for turn, post in moved}
    self.roster = now
    for (turn, post), code in changes.items():
        if code != self.issued[turn][post]:
            now[turn][post] = code
    return word


solve.Office.decide = alone
solve.Office.rests = lambda self, code, turn, rests=solve.Office.rests: (
    rests(self, code, turn) if turn in self.turns(code) else [(1440, solve.dt.datetime.min)]
)
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
