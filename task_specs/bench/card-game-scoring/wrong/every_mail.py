"""Takes every numbered mail for a rule, whatever the register says has become of it; of two the first one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (
        "tally/shelf.py",
        "    return stung - waxed(cards)\n",
        '    return stung - waxed(cards)\n\n\ndef stings(cards):\n    twice = [p for place, card in enumerate(cards) if card == "WASP" for p in nearby(cards, place)]\n    return sum(p in spoilt_places(cards) for p in twice)\n',
    ),
    ("tally/shelf.py", "-sum(spoilt for _, spoilt, _ in line)", "-stings(unchased(shelf))"),
    ("tally/shelf.py", "before[1] < face[1]", "before[1] <= face[1]"),
    (
        "tally/market.py",
        "            points = [sum(pair) for pair in zip(points, awards(counts))]\n",
        "            factor = 2 if season == WINTER else 1\n            points = [sum(pair) for pair in zip(points, [factor * award for award in awards(counts)])]\n",
    ),
]


def facts(ws):
    solve.in_force = lambda status: True
    found = solve.facts_of(ws)
    texts = solve.ruled(ws)
    reaches = [solve.NUMBERS.index(word) for word in solve.re.findall(r"(\w+) (?:jars each way|on each side)", texts)]
    first_wax = max((texts.rfind(words), kind) for words, kind in (("ONE jar", "one"), ("looks to both sides", "both")))
    return found | {"reach": reaches[-1], "wax": first_wax[1]}


if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.changed(solve.modules(facts(ws)), CHANGES))
