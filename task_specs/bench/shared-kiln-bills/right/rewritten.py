"""Another hand: five modules written anew in another style; the corrections in reverse order, quoted, with CRLF and a BOM."""

import runpy
import sys
from pathlib import Path

BOOK = '''
def shelves(text):
    """The number of shelves that stands behind somebody's initials; nothing there means one shelf."""
    found = re.fullmatch(r"(\\d*(?:[.,]\\d+)?)(?:\\s*([¼½¾])|\\s+(\\d+)/(\\d+))?|(\\d+)/(\\d+)", text)
    if not found:
        raise ValueError(f"shelves {text!r}")
    if not text:
        return Fraction(1)
    whole, sign, above, below, alone, under = found.groups()
    number = Fraction((whole or "0").replace(",", "."))
    if sign:
        number += Fraction(" ¼½¾".index(sign), 4)
    if above:
        number += Fraction(int(above), int(below))
    if alone:
        number = Fraction(int(alone), int(under))
    return number
'''
METER = '''"""The sub-meter in the kiln room. It has five digits and a tenth; everything here is in tenths of a kWh."""

ROUND = 10**6
"""Tenths after which the meter begins again."""


def reading(text):
    """A reading in tenths; the tenth may be left away when it is nought."""
    text = text.strip()
    tenth = "0"
    if text[-2:-1] in (".", ","):
        text, tenth = text[:-2], text[-1]
    for mark in (" ", ".", ","):
        text = text.replace(mark, "")
    if not (text + tenth).isdecimal() or not text:
        raise ValueError(f"meter {text!r}")
    return 10 * int(text) + int(tenth)


def used(before, after):
    """What was used between two readings, in tenths."""
    if after < before:
        after += ROUND
    return after - before
'''
CLOCK = '''"""From the clock on the kiln-room wall to the clock of the meter, and how much of a firing is night."""

import calendar
from datetime import datetime, timedelta
from fractions import Fraction


def last_sunday(year, month):
    sundays = [week[calendar.SUNDAY] for week in calendar.monthcalendar(year, month)]
    return max(sundays)


def to_meter(wall):
    """What the meter's clock shows when the one on the wall shows `wall`."""
    for_summer = datetime(wall.year, 3, last_sunday(wall.year, 3), 2)
    for_winter = datetime(wall.year, 10, last_sunday(wall.year, 10), 2)
    if wall < for_summer or wall >= for_winter:
        return wall
    return wall - timedelta(hours=1)


def night_share(start, end, window):
    """The share of a firing's minutes that lies in the night, counted minute by minute."""
    moment, end = to_meter(start), to_meter(end)
    minutes = dark = 0
    while moment < end:
        since_midnight = timedelta(hours=moment.hour, minutes=moment.minute)
        dark += window[0] <= since_midnight < window[1]
        minutes += 1
        moment += timedelta(minutes=1)
    return Fraction(dark, minutes)
'''
SHARES = '''"""How the cost of a firing is shared."""


def split(pence, pots):
    """The whole pence of everyone on the line, by shelves; one penny after another to the one who lost most."""
    shelves = dict(pots)
    exact = {who: pence * amount / sum(shelves.values()) for who, amount in shelves.items()}
    shares = {who: share.__floor__() for who, share in exact.items()}
    for _ in range(pence - sum(shares.values())):
        loser = max(shares, key=lambda who: exact[who] - shares[who])
        shares[loser] += 1
    return shares
'''
IN_FORCE = '''
def day_of(heading):
    return date(*(int(part) for part in heading.split("-")))


def in_force(prices, day):
    """The prices in force on `day`: those of the latest change."""
    for heading in sorted(prices, key=day_of, reverse=True):
        if day_of(heading) <= day:
            return prices[heading]
    raise LookupError(f"no prices for {day}")
'''


def replace_function(path, name, text):
    """Puts `text` in the place of the top-level function `name`."""
    before, _, rest = path.read_text("utf-8").partition(f"\ndef {name}(")
    _, _, after = rest.partition("\n\n\n")
    path.write_bytes(f"{before}{text}\n\n{after}".encode())


ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
oracle = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
code = ws / "kilnshare"
replace_function(code / "book.py", "shelves", BOOK)
replace_function(code / "tariff.py", "in_force", IN_FORCE)
tariff = (code / "tariff.py").read_text("utf-8").replace("import timedelta", "import date, timedelta")
for name, text in (("meter", METER), ("clock", CLOCK), ("shares", SHARES), ("tariff", tariff)):
    (code / f"{name}.py").write_bytes(text.encode())
rows = [["member", "sent", "due", "difference"], *oracle["derive"](ws)[::-1]]
table = "".join(",".join(f'"{cell}"' for cell in row) + "\r\n" for row in rows)
(ws / oracle["REPORT"]).write_bytes(table.encode("utf-8-sig"))
