"""The second edition as it was printed: neither the errata sheet nor a ruling."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

SEPARATING = """            line[-1] = (*line[-1][:2], True)
        line.append((card, place in spoilt, False))
"""
IN_FULL = """    points = [0] * len(counts)
    prizes = [FIRST, SECOND if len(counts) > 2 else 0]
    for prize, count in zip(prizes, sorted({count for count in counts if count}, reverse=True)):
        for player in with_count(counts, count):
            points[player] = prize
    return points


def awards_of_the_sheet(counts):
"""
CHANGES = [
    (
        "tally/shelf.py",
        "    return [card for place, card in enumerate(shelf) if place not in chased]\n",
        '    return ["DOWN" if place in chased else card for place, card in enumerate(shelf)]\n',
    ),
    ("tally/shelf.py", "    return card not in HELPERS\n", '    return card not in HELPERS and card != "DOWN"\n'),
    (
        "tally/shelf.py",
        "            line[-1] = (*line[-1][:2], True)\n        else:\n            line.append((card, place in spoilt, False))\n",
        SEPARATING,
    ),
    (
        "tally/shelf.py",
        "row_points(len(row)) for row in rows), twins * (2 if season == WINTER else 1)",
        "row_points(len(row)) for row in rows) * (2 if season == WINTER else 1), twins",
    ),
    ("tally/shelf.py", "            for step in (-1, 1):\n", "            for step in (1,):\n"),
    ("tally/shelf.py", "sum(seen.count(place) == 1 for place in set(seen))", "len(seen)"),
    (
        "tally/shelf.py",
        "if (AUNT, False, False) in line:\n        place = line.index((AUNT, False, False))",
        "if AUNT in [card for card, _, _ in line]:\n        place = [card for card, _, _ in line].index(AUNT)",
    ),
    ("tally/shelf.py", "key=lambda pair: (sum(pair), pair[0])", "key=lambda pair: pair"),
    ("tally/shelf.py", "            safe.update(jars)", "            safe.update(p for p in jars if p > place)"),
    (
        "tally/market.py",
        "    points = [0] * len(counts)\n    most",
        IN_FULL + "    points = [0] * len(counts)\n    most",
    ),
    (
        "tally/game.py",
        '[max(0, score(shelf, season)["total"] + prize) for',
        '[score(shelf, season)["total"] + prize for',
    ),
    ("tally/game.py", "unchased(shelves[seat])", "shelves[seat]"),
]


def facts(ws):
    book = solve.plain((ws / "book/larder-lane-2nd-edition.md").read_bytes())
    found = solve.facts_of(ws) | {
        "cap": 12,
        "reach": 6,
        "wax": "both",
        "helpers": solve.box_of(book, "box holds 4 cloths"),
    }
    return found | {
        "rows": solve.row_table(book.partition("alone scores nothing")[2]),
        "penalty": solve.number(r"costs you (\d+)", book),
    }


if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.changed(solve.modules(facts(ws)), CHANGES))
