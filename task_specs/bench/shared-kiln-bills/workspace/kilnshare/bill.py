"""What is printed: firings, shares and the bill of a quarter."""

import csv
from pathlib import Path

from kilnshare.meter import used
from kilnshare.shares import split
from kilnshare.tariff import cost, half_up, in_force, night_units


def quarter_of(moment):
    return f"{moment.year}-Q{(moment.month + 2) // 3}"


def of_quarter(firings, quarter):
    """The firings that ended in `quarter`, in the order in which they began."""
    return sorted((f for f in firings if quarter_of(f.end) == quarter), key=lambda f: f.start)


def students(path):
    """The initials of the members who are students; the list comes out of a spreadsheet."""
    rows = csv.DictReader(Path(path).read_text("cp1252").splitlines(), delimiter=";")
    return {row["initials"] for row in rows if row["kind"] == "student"}


def pounds(pence):
    return f"{pence // 100}.{pence % 100:02d}"


def kwh(tenths):
    return f"{tenths // 10}.{tenths % 10}"


def priced(firings, prices):
    for firing in firings:
        rates = in_force(prices, firing.start.date())
        yield firing, rates, cost(firing, rates)


def firing_lines(firings, prices):
    for firing, rates, pence in priced(firings, prices):
        units = kwh(used(firing.before, firing.after))
        night = kwh(half_up(night_units(firing, rates)))
        yield f"{firing.start:%Y-%m-%d %H:%M} {firing.programme}: {units} kWh, {night} by night, {pounds(pence)}"


def share_lines(firings, prices):
    for firing, _, pence in priced(firings, prices):
        parts = " + ".join(f"{who} {pounds(share)}" for who, share in split(pence, firing.pots).items())
        yield f"{firing.start:%Y-%m-%d %H:%M} {pounds(pence)} = {parts}"


def bill_lines(firings, prices, reduced):
    owed, count = {}, {}
    for firing, _, pence in priced(firings, prices):
        for who, share in split(pence, firing.pots).items():
            owed[who] = owed.get(who, 0) + share
            count[who] = count.get(who, 0) + 1
    charged = {who: sum_ * 3 // 4 if who in reduced else sum_ for who, sum_ in owed.items()}
    yield "member,firings,amount"
    for who in sorted(charged):
        yield f"{who},{count[who]},{pounds(charged[who])}"
    yield f"total,{len(firings)},{pounds(sum(charged.values()))}"
