"""All figures and rulings, and a shelf whose cards stay where they lie: nothing closes up, cloths separate."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (
        "tally/shelf.py",
        "    return [card for place, card in enumerate(shelf) if place not in chased]\n",
        '    return ["WAX" if place in chased else card for place, card in enumerate(shelf)]\n',
    ),
    ("tally/shelf.py", '        if card == "WAX":\n', '        if card == "WAX" and cards is not None:\n'),
    (
        "tally/shelf.py",
        "            line[-1] = (*line[-1][:2], True)\n        else:\n            line.append((card, place in spoilt, False))\n",
        "            line[-1] = (*line[-1][:2], True)\n        line.append((card, place in spoilt, False))\n",
    ),
]
facts = solve.facts_of


if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.changed(solve.modules(facts(ws)), CHANGES))
