"""The faults repaired in other places: a line is spelt out before it is read, prices are loaded by date, a new module for money."""

import runpy
import sys
from pathlib import Path

REPAIRS = {
    "kilnshare/book.py": [
        (
            """        initials, _, amount = entry.strip().partition(" ")
""",
            """        for sign, spelt in SIGNS.items():
            entry = entry.replace(sign, f" {spelt}")
        initials, *numbers = entry.replace(",", ".").split()
""",
        ),
        (
            "+ shelves(amount.strip())\n",
            "+ (sum(map(shelves, numbers)) if numbers else 1)\n",
        ),
        (
            "return Firing(start, end, programme, reading(before), reading(after), pots(who))\n",
            """before, after = reading(before), reading(after)
    if after < before:
        after += 1_000_000
    return Firing(start, end, programme, before, after, pots(who))
""",
        ),
    ],
    "kilnshare/meter.py": [
        (
            """    digits = re.sub(r"[ .,]", "", text)
""",
            """    text = text.strip()
    if not re.search(r"[.,].$", text):
        text += ".0"
    digits = re.sub(r"[ .,]", "", text)
""",
        ),
    ],
    "kilnshare/clock.py": [
        (
            """    begins, ends = summer(wall.year)
    return wall - timedelta(hours=1) if begins <= wall < ends else wall
""",
            """    shifted = wall - timedelta(hours=2)
    month, day = shifted.month, shifted.day
    if month in (3, 10):
        sunday_to_come = day + 6 - shifted.weekday() if shifted.weekday() < 6 else day + 7
        over = sunday_to_come > 31
        ahead = over if month == 3 else not over
    else:
        ahead = 3 < month < 10
    return wall - timedelta(hours=ahead)
""",
        ),
    ],
    "kilnshare/tariff.py": [
        (
            "        prices[heading] = Prices(*figures, window)\n    return prices\n",
            """        year, month, day = heading.split("-")
        prices[f"{year}-{month:0>2}-{day:0>2}"] = Prices(*figures, window)
    return prices
""",
        ),
    ],
    "kilnshare/shares.py": [
        (
            '''"""How the cost of a firing is shared."""
''',
            '''"""How the cost of a firing is shared."""

from kilnshare.pennies import whole_pennies
''',
        ),
        (
            "    return {who: round(pence * amount / total) for who, amount in pots}\n",
            "    return whole_pennies({who: pence * amount / total for who, amount in pots})\n",
        ),
    ],
}
PENNIES = '''"""Whole pennies that add up."""

from math import floor


def whole_pennies(exact):
    """Cuts each amount down and gives what is left over to those that lost most, the first of equals first."""
    left_over = sum(exact.values()) - sum(map(floor, exact.values()))
    ranked = sorted(enumerate(exact.items()), key=lambda entry: (floor(entry[1][1]) - entry[1][1], entry[0]))
    lucky = {who for _, (who, _) in ranked[: int(left_over)]}
    return {who: floor(amount) + (who in lucky) for who, amount in exact.items()}
'''

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
oracle = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
oracle["repair"](ws, REPAIRS)
(ws / "kilnshare/pennies.py").write_bytes(PENNIES.encode())
rows = sorted(oracle["derive"](ws), key=lambda row: row[3])
lines = ["member,sent,due,difference", *(",".join(map(str, row)) for row in rows)]
(ws / oracle["REPORT"]).write_bytes("\n".join(lines).encode())
