"""The kiln book: one firing a line, as it was typed up from the red ledger."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from kilnshare.meter import reading

WHEN = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d?:\d\d) ?- ?(\d\d?:\d\d)")
SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4"}


@dataclass(frozen=True)
class Firing:
    """One line of the book."""

    start: datetime
    """By the clock on the kiln-room wall, as `end` is."""
    end: datetime
    programme: str
    before: int
    """The meter in tenths of a kWh, as `after` is."""
    after: int
    pots: tuple
    """Pairs of initials and shelves, in the order of the line."""


def shelves(text):
    """The number of shelves that stands behind somebody's initials; nothing there means one shelf."""
    for sign, spelt in SIGNS.items():
        text = text.replace(sign, spelt)
    return Fraction(text.replace(",", ".") or 1)


def pots(text):
    """`MB 2 + tk 1/2 + MB` -> MB has 3 shelves, TK half a shelf."""
    held = {}
    for entry in text.split("+"):
        initials, _, amount = entry.strip().partition(" ")
        if not re.fullmatch(r"[A-Za-z]{2,3}", initials):
            raise ValueError(f"initials {initials!r}")
        who = initials.upper()
        held[who] = held.get(who, 0) + shelves(amount.strip())
    if min(held.values()) <= 0:
        raise ValueError("no shelves")
    return tuple(held.items())


def firing(line):
    """The firing of one line.

    Raises:
        ValueError: where the line cannot be read.
    """
    when, programme, meter, who = [field.strip() for field in line.split("|")][:4]
    found = WHEN.fullmatch(when)
    if not found:
        raise ValueError(f"when {when!r}")
    start, end = (datetime.strptime(f"{found[1]} {clock}", "%Y-%m-%d %H:%M") for clock in found.group(2, 3))
    if end <= start:
        end += timedelta(days=1)
    before, after = meter.split("-")
    return Firing(start, end, programme, reading(before), reading(after), pots(who))


def read_book(text):
    """All firings of a book, and the lines that cannot be read with their numbers."""
    firings, unreadable = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            firings.append(firing(line))
        except (ValueError, ZeroDivisionError):
            unreadable.append((number, line.strip()))
    return firings, unreadable
