"""All rules, but step by step as they stand: the aunt takes the longest row, prizes of the next printing, short games from spring."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ("tally/shelf.py", "key=lambda pair: (sum(pair), pair[0])", "key=lambda pair: pair"),
    (
        "tally/market.py",
        "            points = [sum(pair) for pair in zip(points, awards(counts))]\n",
        "            factor = 2 if season == WINTER else 1\n            points = [sum(pair) for pair in zip(points, [factor * award for award in awards(counts)])]\n",
    ),
    ("tally/game.py", '    first = WINTER + 1 - len(game["seasons"])\n', "    first = 1\n"),
]
facts = solve.facts_of


if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.changed(solve.modules(facts(ws)), CHANGES))
