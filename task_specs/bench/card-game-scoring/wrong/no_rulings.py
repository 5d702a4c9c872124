"""Book and errata sheet, and none of the rulings."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (
        "tally/shelf.py",
        "    cards = unchased(shelf)\n    spoilt = spoilt_places(cards)\n    line = []\n",
        "    cards = unchased(shelf)\n    line = []\n",
    ),
    (
        "tally/shelf.py",
        "            line.append((card, place in spoilt, False))\n    return line\n",
        "            line.append((card, False, False))\n    spoilt = spoilt_places([card for card, _, _ in line])\n    return [(card, place in spoilt, covered) for place, (card, _, covered) in enumerate(line)]\n",
    ),
    ("tally/shelf.py", "            for step in (-1, 1):\n", "            for step in (1,):\n"),
    ("tally/shelf.py", "            safe.update(jars)", "            safe.update(p for p in jars if p > place)"),
    ("tally/shelf.py", "key=lambda pair: (sum(pair), pair[0])", "key=lambda pair: pair"),
    ("tally/game.py", "unchased(shelves[seat])", "shelves[seat]"),
]


def facts(ws):
    return solve.facts_of(ws) | {"cap": 12, "reach": 6, "wax": "both"}


if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.changed(solve.modules(facts(ws)), CHANGES))
