"""Writes a workspace for this task: the same program and rules, another quarter of firings, people, prices and mail.

The program with its faults, the rules and the old papers are the same for every seed: `PAPERS`, at the end.
"""

import datetime as dt
import hashlib
import random
import subprocess
import sys
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

FIRST = (
    "Agnès Bronagh Cledwyn Dorte Eluned Françoise Gwillym Hèlia Ivo Jorun Keziah Lowri Magnús Nerys Oonagh Petroc "
    "Quilla Rhodri Sigrún Tegwen Ursel Vaughan Wilhelmina Yestin Zélie"
).split()
LAST = (
    "Abernathy Brâncle Crabtree Dahlgren Eskdale Fothergill Gurney Hösl Imrie Jessop Kvist Lanyon Mostyn Nørby Ogilvie "
    "Penhallow Quennell Rosewarne Søby Thackray Upjohn Verrall Wainwright Yorath Zeller"
).split()
UNITS = {"bisque": (480, 620), "glaze": (650, 840), "stoneware": (880, 1090)}  # tenths of a kWh
REMARKS = ("", "", "", "door seal fine", "cone 6 down flat", "one bowl stuck", "very even", "lid propped a minute late")
SPELT = {1: ("", "1"), 2: ("2",), 4: ("4",), 3: ("3",), 0.5: ("1/2", "½", "0.5", "0,5"), 0.25: ("1/4", "¼")}


class World:
    """One spring: who fired when, at which prices, with every fault of the program showing itself."""

    def __init__(self, seed):
        self.rng = random.Random(hashlib.sha256(f"shared-kiln-bills:{seed}".encode()).digest())
        self._people()
        self._prices()
        self._dates()
        self._firings()

    def _people(self):
        firsts, lasts = self.rng.sample(FIRST, 14), self.rng.sample(LAST, 14)
        names = {f"{first[0]}{last[0]}": f"{first} {last}" for first, last in zip(firsts, lasts)}
        self.names = dict(sorted(names.items()))
        people = list(names)
        self.alone, self.unlisted, self.mixed, self.hand, self.guest, self.keen = people[:6]
        self.regular = [who for who in people if who not in (self.alone, self.unlisted)]
        self.students = set(people[6:9])
        self.student = people[6]

    def _prices(self):
        rng = self.rng
        day, night, element = rng.randrange(2480, 2790), rng.randrange(1120, 1390), rng.randrange(31, 46)
        hours = rng.choice(["00:30-07:30", "01:00-08:00", "00:45-07:45"])
        dearer, elements = rng.randrange(180, 340), rng.randrange(9, 21)
        table = {
            "2025-10-1": (day, night, element),
            "2026-4-1": (day + dearer, night + dearer // 2, element),
            "2026-6-1": (day + dearer, night + dearer // 2, element + elements),
            "2026-10-01": (day + dearer - 95, night + dearer // 2 - 40, element + elements),
        }
        self.hours = hours
        self.april = table["2026-4-1"]
        order = list(table)
        rng.shuffle(order)
        self.tariff = "; pence for a kWh, VAT in per cent, night hours as in the supplier's letter\n" + "".join(
            f"\n[{head}]\nday = {table[head][0] / 100:.2f}\nnight = {table[head][1] / 100:.2f}\n"
            f"element = {table[head][2] / 10:.1f}\nvat = 5\nhours = {hours}\n"
            for head in order
        )

    def _dates(self):
        """The days on which the kiln is lit; four of them are there for the story's sake."""
        rng, day = self.rng, dt.date(2026, 3, 13)
        fixed = [dt.date(2026, 3, 31), dt.date(2026, 5, 31), dt.date(2026, 6, 30)]
        days = set(fixed)
        while day < dt.date(2026, 7, 7):
            day += dt.timedelta(days=rng.randrange(3, 6))
            if all(abs((day - other).days) > 1 for other in fixed):
                days.add(day)
        self.days = sorted(days)
        spring = [n for n, day in enumerate(self.days) if dt.date(2026, 4, 2) < day < dt.date(2026, 5, 28)]
        self.round_at, self.unread_at, self.whole_at, self.shelf_at = rng.sample(spring, 4)
        self.also_whole_at = next(n for n in reversed(range(len(self.days))) if self.days[n] < dt.date(2026, 6, 28))

    def _pots(self, number):
        rng = self.rng
        if self.days[number] == dt.date(2026, 3, 31):
            return f"{self.alone} 3"
        who = rng.sample(self.regular, rng.randrange(3, 6))
        if number in (self.unread_at, self.shelf_at):
            who = [name for name in who if name not in (self.mixed, self.hand)]
        if number in (self.round_at, self.whole_at) and self.keen not in who:
            who[-1] = self.keen
        entries = [f"{name} {rng.choice(SPELT[rng.choice(list(SPELT))])}".strip() for name in who]
        if number == self.unread_at:
            entries.insert(1, f"{self.unlisted} 1 1/2")
        elif number == self.shelf_at:
            entries.insert(rng.randrange(2), f"{self.mixed} 1½")
            entries.append(f"{self.hand} 2")
        elif rng.random() < 0.3 and self.days[number] != dt.date(2026, 6, 30):
            entries.append(f"{who[0].lower()} {rng.choice(['½', '1 ½', '2¼', '1½'])}")
        return " + ".join(entries)

    def _reading(self, tenths, whole):
        units, tenth = divmod(tenths % 1_000_000, 10)
        style = self.rng.randrange(4)
        if whole:
            return f"{units // 1000} {units % 1000:03d}" if style < 2 and units >= 1000 else f"{units}"
        if style == 0 and units >= 1000:
            return f"{units // 1000} {units % 1000:03d},{tenth}"
        return f"{units:05d}.{tenth}" if style < 3 else f"{units},{tenth}"

    def _firings(self):
        rng = self.rng
        programmes = [rng.choice(list(UNITS)) for _ in self.days]
        units = [rng.randrange(*UNITS[programme]) for programme in programmes]
        meter = 1_000_000 - sum(units[: self.round_at]) - rng.randrange(60, 400)
        self.book, self.programme, self.on_line = [], {}, []
        for number, day in enumerate(self.days):
            whole = number in (self.whole_at, self.also_whole_at)
            after = meter + units[number]
            if whole or after % 10 == 0:
                after += -after % 10 if whole else 1
            start, end = self._times(number)
            pots = self._pots(number)
            self.on_line.append({entry.split()[0].upper() for entry in pots.split("+")})
            fields = [
                f"{day} {start} - {end}",
                programmes[number],
                f"{self._reading(meter, False)} - {self._reading(after, whole)}",
                pots,
                rng.choice(REMARKS),
            ]
            self.programme[day] = programmes[number]
            self.book.append(" | ".join(field for field in fields if field))
            meter = after
        late = self.book.pop(self.shelf_at + 1 if self.shelf_at + 1 != self.round_at else self.shelf_at)
        self.book += ["# found on the back of the page:", late]

    def _times(self, number):
        day, rng = self.days[number], self.rng
        if day == dt.date(2026, 3, 31):
            return "13:40", "00:15"
        lit = dt.datetime.combine(day, dt.time(17)) + dt.timedelta(minutes=5 * rng.randrange(72))
        out = lit + dt.timedelta(minutes=5 * rng.randrange(100, 136))
        if day in (dt.date(2026, 5, 31), dt.date(2026, 6, 30)):
            out = dt.datetime.combine(day, dt.time(6, 5)) + dt.timedelta(days=1)
        return f"{lit:%H:%M}", f"{out:%H:%M}"


def mail(world, who, day, hour, subject, body):
    message = EmailMessage(policy=SMTP)
    stamp = dt.datetime(2026, 7, day, hour, 7 * hour % 60)
    fergus = "Fergus Ballantyne"
    name = world.names.get(who, fergus)
    box = who.lower() if who in world.names else "fergus"
    message["From"] = f'"{name}" <{box}@hoblane.example>'
    message["To"] = "kiln@hoblane.example"
    message["Date"] = f"{stamp:%a, %d %b %Y %H:%M}:00 +0100"
    message["Subject"] = subject
    message.set_content(body, charset="utf-8", cte="quoted-printable")
    opening = f"From {box}@hoblane.example {stamp:%a %b %d %H:%M}:00 2026\n"
    return opening.encode() + message.as_bytes().replace(b"\r\n", b"\n") + b"\n"


def mailbox(world):
    on = lambda number: f"{world.days[number].day} {world.days[number]:%B}"
    what = lambda number: world.programme[world.days[number]]
    rng, names = world.rng, world.names
    others = [who for who in world.regular if who not in (world.mixed, world.hand, world.guest, world.keen)]
    eve = world.days.index(dt.date(2026, 6, 30))
    lost = rng.choice(sorted(world.on_line[eve] - {world.student}))
    nights, split, price = rng.sample([who for who in others if who not in (world.student, lost)], 3)
    by_hand = f"{rng.randrange(62, 86)}.{rng.randrange(3, 19) * 5:02d}"
    first_name = lambda who: names[who].split()[0]
    letters = [
        mail(
            world,
            "Fergus",
            3,
            16,
            "Q2 bills are out",
            f"Bills are in the pigeonholes, straight out of the program, file in bills/ as usual. One exception: what it made of "
            f"{names[world.hand]} ({world.hand}) looked silly to me, so on that slip I crossed the amount out and wrote £{by_hand} by hand before "
            "I posted it. The file I left as it was.\n\nI ran it on the new studio computer. It worked first time, so I didn't look much further.\n\nFergus\n",
        ),
        mail(
            world,
            world.mixed,
            4,
            9,
            "Did I fill the kiln?",
            f"On {on(world.shelf_at)} I had one shelf and a half in the {what(world.shelf_at)}, it says so in the book. My bill looks as though I had packed the "
            f"thing to the lid, and the others on that line pay next to nothing.\n\n{first_name(world.mixed)}\n",
        ),
        mail(
            world,
            world.unlisted,
            4,
            20,
            "No bill?",
            f"Nothing in my pigeonhole. I was in one firing only, on {on(world.unread_at)}, a shelf and a half, but I was in it. Come to think of it, nobody I asked "
            f"seems to pay for that firing.\n\n{first_name(world.unlisted)}\n",
        ),
        mail(
            world,
            nights,
            5,
            11,
            "night units",
            "I like to compare the program's night units with the sub-meter's own night counter. Last summer they agreed. This whole quarter the "
            f"program finds more night than the counter in most firings, by about what the kiln draws in an hour.\n\n{first_name(nights)}\n\nPS Is it true that the night begins an hour "
            "later by the wall in summer? README says otherwise, so perhaps it's the counter that is wrong.\n",
        ),
        mail(
            world,
            world.keen,
            6,
            8,
            "Free firings",
            f"Not that I mind, but two firings I had a pot in cost nothing at all: 0.0 kWh for the {what(world.round_at)} of {on(world.round_at)} and 0.0 kWh "
            f"for the {what(world.whole_at)} of {on(world.whole_at)}, or so the program says. I opened the lid both times. It had been hot. I believe there are "
            f"more.\n\n{first_name(world.keen)}\n",
        ),
        mail(
            world,
            split,
            6,
            18,
            "pennies",
            "The shares of some firings come to a penny more than the firing, of others to a penny less. Denholm always gave the odd pennies to the "
            f"last on the line, as README says. Wouldn't that be the simplest?\n\n{first_name(split)}\n",
        ),
        mail(
            world,
            world.student,
            7,
            21,
            "student bill",
            "Three quarters of my shares hardly ever come to whole pennies. README says to the nearest penny, but I am always asked for the penny below. I'd "
            f"rather be honest about it: shouldn't it be rounded?\n\n{first_name(world.student)}\n",
        ),
        mail(
            world,
            price,
            8,
            10,
            "new prices",
            "The supplier put the prices up on 1 April, and Fergus typed the new ones into tariff.ini back in March, I stood beside him. The bills still look like the "
            "old ones to me. And one more thing: the kiln that was lit on 31 May was unloaded on 1 June, so it ought to pay the dearer "
            f"elements.\n\n{first_name(price)}\n",
        ),
        mail(
            world,
            lost,
            9,
            13,
            "30 June",
            "The kiln of 30 June is missing from the second quarter. We lit it in June, all of it. README has it the way I remember. Could you "
            f"please add it, so that I'm done with it?\n\n{first_name(lost)}\n\nPS Has anyone seen my fan brush?\n",
        ),
        mail(world, "Fergus", 10, 19, "Re: 30 June", "Fan brush is in the slip bucket. Was.\n\nFergus\n"),
    ]
    return b"".join(letters)


def letter(world):
    begins, ends = world.hours.split("-")
    day, night, _ = world.april
    return f"""Fellside Light & Power
Hob Lane Potters, The Old Dairy, Hob Lane                                              2 February 2026

Your off-peak supply, sub-meter in the kiln room

From 1 April 2026 a unit costs {day / 100:.2f}p by day and {night / 100:.2f}p by night, to which VAT at 5% is added.

The night runs from {begins} to {ends}. Your meter is switched by a clock of its own inside the sealed case. It keeps
Greenwich Mean Time all the year round and is not put forward in summer; the hours above are hours of that clock. Please do not
ask our fitters to change it. There is a call-out charge of £85.

Yours faithfully
R. Hartwhistle, Domestic & Small Trades
"""


def members(world):
    lines = ["initials;name;kind;since"]
    for who, name in world.names.items():
        if who != world.guest:
            kind = "student" if who in world.students else "full"
            lines.append(f"{who};{name};{kind};{world.rng.randrange(2016, 2026)}")
    return "\r\n".join([*lines, ""]).encode("cp1252")


def papers():
    """The files that every seed shares, by path."""
    return dict(part.split("\n", 1) for part in PAPERS.split("@@ ")[1:])


def sent_bill(out_dir):
    """What the program with its faults makes of the quarter: the file that Fergus printed."""
    command = [sys.executable, "-B", "-m", "kilnshare", "bill", "2026-Q2"]
    return subprocess.run(command, cwd=out_dir, capture_output=True, check=True).stdout.replace(b"\r\n", b"\n")


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    world = World(seed)
    heading = (
        "# Kiln book 2026, from the red ledger, typed up by Fergus. Relined in February; first firing 14 March or so.\n"
    )
    files = {
        **papers(),
        "data/book.txt": heading + "".join(line + "\n" for line in world.book),
        "data/tariff.ini": world.tariff,
        "data/members.csv": members(world),
        "docs/supply-letter.txt": letter(world).replace("\n", "\r\n").encode("cp1252"),
        "mail/kiln.mbox": mailbox(world),
    }
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (Path(out_dir) / "bills").mkdir(exist_ok=True)
    (Path(out_dir) / "bills/2026-q2.csv").write_bytes(sent_bill(out_dir))


PAPERS = r'''@@ kilnshare/__init__.py
"""Who pays what for the shared kiln."""

__version__ = "1.4.2"
@@ kilnshare/__main__.py
"""The command line: python3 -m kilnshare COMMAND [QUARTER] [options]."""

import argparse
import sys
from pathlib import Path

from kilnshare import __version__, bill, tariff
from kilnshare.book import read_book


def arguments(argv):
    parser = argparse.ArgumentParser(prog="kilnshare", description="Who pays what for the shared kiln.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (
        ("firings", "each firing with its units and its cost"),
        ("shares", "each firing's cost and who bears it"),
        ("bill", "what each person pays for the quarter, as CSV"),
        ("check", "the lines of the book that cannot be read"),
    ):
        command = commands.add_parser(name, help=about)
        if name != "check":
            command.add_argument("quarter", help="such as 2026-Q2")
        command.add_argument("--book", default="data/book.txt", help="the kiln book, - for standard input")
        command.add_argument("--tariff", default="data/tariff.ini")
        command.add_argument("--members", default="data/members.csv")
    return parser.parse_args(argv)


def text_of(name):
    raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return raw.decode("utf-8-sig")


def main(argv=None):
    options = arguments(argv)
    firings, unreadable = read_book(text_of(options.book))
    complaints = [f"line {number}: cannot read {line!r}" for number, line in unreadable]
    if options.command == "check":
        print("\n".join(complaints) if complaints else f"{len(firings)} firings, all readable")
        return 1 if complaints else 0
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    chosen = bill.of_quarter(firings, options.quarter)
    prices = tariff.load(options.tariff)
    if options.command == "firings":
        lines = bill.firing_lines(chosen, prices)
    elif options.command == "shares":
        lines = bill.share_lines(chosen, prices)
    else:
        lines = bill.bill_lines(chosen, prices, bill.students(options.members))
    for line in lines:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
@@ kilnshare/bill.py
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
@@ kilnshare/book.py
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
@@ kilnshare/clock.py
"""From the clock on the kiln-room wall to the clock of the meter, and how much of a firing is night."""

from datetime import datetime, timedelta
from fractions import Fraction

MINUTE = timedelta(minutes=1)


def summer(year):
    """Beginning and end of summer time in `year`, as the clock on the wall shows them."""
    dates = {
        2022: ("03-27", "10-30"),
        2023: ("03-26", "10-29"),
        2024: ("03-31", "10-27"),
        2025: ("03-30", "10-26"),
    }
    begins, ends = dates.get(year, ("01-01", "01-01"))
    return tuple(datetime.fromisoformat(f"{year}-{day} 02:00") for day in (begins, ends))


def to_meter(wall):
    """What the meter's clock shows when the one on the wall shows `wall`."""
    begins, ends = summer(wall.year)
    return wall - timedelta(hours=1) if begins <= wall < ends else wall


def night_share(start, end, window):
    """The share of a firing's minutes that lies in the night.

    `start` and `end` are by the wall, `window` is two distances from midnight by the meter.
    """
    start, end = to_meter(start), to_meter(end)
    night = timedelta()
    midnight = datetime(start.year, start.month, start.day)
    while midnight < end:
        inside = min(end, midnight + window[1]) - max(start, midnight + window[0])
        night += max(timedelta(), inside)
        midnight += timedelta(days=1)
    return Fraction(night // MINUTE, (end - start) // MINUTE)
@@ kilnshare/meter.py
"""The sub-meter in the kiln room. It has five digits and a tenth; everything here is in tenths of a kWh."""

import re


def reading(text):
    """A reading in tenths: 7208.4, 07208.4, 7 208,4 and 7,208.4 are all 72084."""
    digits = re.sub(r"[ .,]", "", text)
    if not digits.isdecimal():
        raise ValueError(f"meter {text!r}")
    return int(digits)


def used(before, after):
    """What was used between two readings, in tenths."""
    return max(0, after - before)
@@ kilnshare/shares.py
"""How the cost of a firing is shared."""


def split(pence, pots):
    """The whole pence of everyone on the line, by shelves.

    `pots` are pairs of initials and shelves in the order of the line; so is what comes back.
    """
    total = sum(amount for _, amount in pots)
    return {who: round(pence * amount / total) for who, amount in pots}
@@ kilnshare/tariff.py
"""Prices: tariff.ini has a section for each day on which they changed."""

from configparser import ConfigParser
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from kilnshare.clock import night_share
from kilnshare.meter import used


@dataclass(frozen=True)
class Prices:
    """Pence for a kWh, VAT in per cent, and the night as two distances from midnight."""

    day: Fraction
    night: Fraction
    element: Fraction
    vat: Fraction
    window: tuple


def distance(clock):
    hours, minutes = clock.split(":")
    return timedelta(hours=int(hours), minutes=int(minutes))


def load(path):
    """The prices by the heading of their section."""
    parser = ConfigParser()
    parser.read(path, encoding="utf-8")
    prices = {}
    for heading in parser.sections():
        section = parser[heading]
        figures = [Fraction(section[name]) for name in ("day", "night", "element", "vat")]
        window = tuple(distance(clock.strip()) for clock in section["hours"].split("-"))
        prices[heading] = Prices(*figures, window)
    return prices


def in_force(prices, day):
    """The prices in force on `day`: those of the latest change."""
    changes = [heading for heading in prices if heading <= day.isoformat()]
    return prices[max(changes)]


def half_up(amount):
    return int(amount + Fraction(1, 2))


def night_units(firing, prices):
    """The units of a firing that fall into the night, in tenths of a kWh."""
    return used(firing.before, firing.after) * night_share(firing.start, firing.end, prices.window)


def cost(firing, prices):
    """The whole pence of a firing: VAT falls on the electricity, not on the wear of the elements."""
    units = Fraction(used(firing.before, firing.after), 10)
    by_night = night_units(firing, prices) / 10
    electricity = (units - by_night) * prices.day + by_night * prices.night
    return half_up(electricity * (1 + prices.vat / 100) + units * prices.element)
@@ README.md
# kilnshare

Shares the electricity of the big kiln among those whose pots were in it. Plain Python 3, nothing to install.

    python3 -m kilnshare firings 2026-Q2     each firing, its units and its cost
    python3 -m kilnshare shares 2026-Q2      each firing's cost and who bears it
    python3 -m kilnshare bill 2026-Q2        the bill of the quarter, as CSV
    python3 -m kilnshare check               lines of the book that it cannot read

`--book FILE` (or `-`), `--tariff FILE` and `--members FILE` take other files than those in `data/`.
Run it from this folder. Bills go into `bills/`, one file a quarter.

## How it reckons

- A firing belongs to the quarter in which it was begun.
- Night is whatever the wall clock in the kiln room says is night.
- Prices are those of the day on which the kiln was unloaded. Keep the sections of `tariff.ini` in order.
- Everybody's share is rounded to the penny. If that leaves a few pennies over or under, they fall on the last one on the
  line, who is usually the one that unloaded.
- Students pay three quarters, rounded to the nearest penny.
- Initials without a number mean one shelf.

## Tests

    python3 -m unittest discover tests

Denholm, for version 1.1

*Since version 1.3 the reckoning is what the members agreed in `docs/kiln-rules.md`. I have not got round to this page or
to all of the tests. D.*
@@ CHANGELOG.md
# Changes

## 1.4.2, 14 December 2025
- `check` says how many firings it read.

## 1.4.1, 2 December 2025
- A firing across the end of a quarter now goes to the quarter in which it ended (rules, 8). The old test still wants it
  the other way round.

## 1.4, 23 November 2025
- Meter time. Summer time for the years we have had this kiln.
- A meter that ran backwards gave people money back. Not any more.

## 1.3, 16 November 2025
- Reckons by the members' rules of 11 November instead of by my README.
- Students' bills are cut down to the penny (rules, 9).

## 1.2, 8 March 2025
- Fractions in the book: 1/2, and the little signs as well.
- Prices that change: one section a change in `tariff.ini`.

## 1.1, 19 January 2025
- First version that anybody but me has used.
@@ docs/kiln-rules.md
# Kiln rules

Agreed by the members on 11 November 2025. They say what the kiln program has to do. Where anything else in this folder says
otherwise, be it README, tests, an older version, a mail or somebody's memory, these rules count. Only on the meter's clock
does the supplier's letter stand above them.

1. **The book** has one firing a line, with fields between upright strokes: when, programme, the meter before and after, whose
   pots, and perhaps a remark. Empty lines and lines that begin with # are passed over. A line that cannot be read is left out of
   every reckoning and named by `check`.
2. **When** is a date, the beginning and the end, by the clock on the kiln-room wall. An end that is not later than the beginning
   is on the next day.
3. **The meter** counts kWh with five digits and a tenth. People write 7208.4, 07208.4, 7 208,4 or 7,208.4, and when the tenth
   is nought they often leave it away: 7208 or 7,208. A point or comma before the one last digit marks the tenth; any other
   point, comma or space only groups the digits. After 99999.9 the meter begins again at 00000.0. That is no reason to give
   units away: what was used is what it counted from the first reading to the second. No firing uses anything like 100,000 kWh.
4. **Night.** A firing is taken to draw evenly from its beginning to its end, so its night units are its units times its night
   minutes over all its minutes. The meter goes from day to night by its own clock; which clock that is stands in the supplier's
   letter. The clock on the wall is an hour ahead of winter time (which is GMT), every year, from the last Sunday in March at
   02:00 until the last Sunday in October at 02:00, as the wall shows it: at 02:00 in March it is ahead already, at 02:00 in
   October no longer. The hour before that is shown twice in October, and a time in it counts as the first of the two,
   summer time. The studio's computer has no table of time zones, and nobody is going to type in dates every year.
5. **Prices** stand in `tariff.ini`, with a section for each day on which they changed. Its heading is that day as people write
   it, 2026-4-1 or 2026-04-01, and the sections stand in any order. A firing pays all through by the prices in force on the day it
   began, by the wall: those of the latest change on or before that day.
6. **Cost.** Day units at the day price and night units at the night price, and VAT on that; for the wear of the elements so
   much a kWh on all units, without VAT. It is rounded once, at the very end, to the whole penny, half a penny upwards.
7. **Shares** go by shelves. Shelves are written as a whole number or a decimal (2, 0.5, 0,5), as a fraction (1/2, or a sign:
   ¼ ½ ¾), or as a whole number with a fraction, with or without a space before a sign (1½, 1 ½, 1 1/2). Initials
   without a number mean one shelf. Who stands twice on a line has the shelves of both, at the place where they stand first.
   Everyone's share is cut down to the whole penny; the pennies then left over go one each to those who lost most by the
   cutting, and among those who lost the same to whoever stands first on the line. So the shares always make up the cost.
8. **Quarter.** A firing belongs to the quarter in which it ended, by the wall.
9. **The bill** is the sum of a person's shares in the quarter. Students (see the members' list) pay three quarters of that sum,
   cut down to the whole penny. Somebody who is not on the list is a guest and pays in full.
@@ docs/cones.txt
Cones we keep       C      F
   06              998   1828
   04             1060   1940
    6             1222   2232
    8             1263   2305
Bisque to 04. Nobody fires to 10 in this kiln again. (You know who.)
@@ notes/rota.txt
Kiln-room rota, July
  6 - 12   sweep, batts scraped
 13 - 19   kiln wash: two bags left, order more
 20 - 26   extractor filter
 27 -      CLOSED, floor being painted
The clock on the wall now sets itself by radio. Please stop "correcting" it.
@@ old/kilnshare_1_1.py
"""kilnshare 1.1, the one-file version. Kept because I am sentimental. D."""

import sys
from datetime import datetime, timedelta

DAY, NIGHT = 0.2710, 0.1240  # pounds for a kWh, VAT included


def split(pence, pots):
    total = sum(pots.values())
    shares = {who: round(pence * shelves / total) for who, shelves in pots.items()}
    last = list(pots)[-1]
    shares[last] += pence - sum(shares.values())
    return shares


def night_hours(start, end):
    minutes = 0
    while start < end:
        minutes += "00:30" <= f"{start:%H:%M}" < "07:30"
        start += timedelta(minutes=1)
    return minutes / 60


for line in sys.stdin:
    when, hours, units, who = line.split(";")
    start = datetime.strptime(when, "%Y-%m-%d %H:%M")
    end = start + timedelta(hours=float(hours))
    night = float(units) * night_hours(start, end) / float(hours)
    pence = round(100 * (night * NIGHT + (float(units) - night) * DAY))
    pots = {entry.split()[0]: float(entry.split()[1]) for entry in who.split("+")}
    print(when, split(pence, pots))
@@ tests/test_book.py
import unittest
from fractions import Fraction

from kilnshare.book import firing, pots, read_book


class Book(unittest.TestCase):
    def test_shelves(self):
        self.assertEqual(pots("MB 2 + tk 1/2 + JO"), (("MB", 2), ("TK", Fraction(1, 2)), ("JO", 1)))
        self.assertEqual(pots("MB ½ + TK 0,25"), (("MB", Fraction(1, 2)), ("TK", Fraction(1, 4))))

    def test_twice_on_a_line(self):
        self.assertEqual(pots("MB 2 + TK 1 + MB ½"), (("MB", Fraction(5, 2)), ("TK", 1)))

    def test_over_midnight(self):
        found = firing("2025-11-29 21:40 - 06:10 | bisque | 7208.4 - 7 261,0 | MB | door seal")
        self.assertEqual(f"{found.end:%Y-%m-%d %H:%M}", "2025-11-30 06:10")
        self.assertEqual((found.before, found.after), (72084, 72610))

    def test_unreadable(self):
        firings, unreadable = read_book("# title\n\n2025-11-29 21:40 | bisque\n")
        self.assertEqual((firings, unreadable), ([], [(3, "2025-11-29 21:40 | bisque")]))
@@ tests/test_clock.py
import unittest
from datetime import datetime, timedelta
from fractions import Fraction

from kilnshare.clock import night_share, to_meter

WINDOW = (timedelta(minutes=30), timedelta(minutes=450))


class Clock(unittest.TestCase):
    def test_winter(self):
        self.assertEqual(to_meter(datetime(2025, 1, 5, 3, 0)), datetime(2025, 1, 5, 3, 0))

    def test_summer(self):
        self.assertEqual(to_meter(datetime(2025, 7, 5, 3, 0)), datetime(2025, 7, 5, 2, 0))

    def test_this_summer(self):
        self.assertEqual(to_meter(datetime(2026, 7, 5, 3, 0)), datetime(2026, 7, 5, 2, 0))

    def test_night(self):
        start, end = datetime(2025, 1, 4, 20, 30), datetime(2025, 1, 5, 4, 30)
        self.assertEqual(night_share(start, end, WINDOW), Fraction(1, 2))
@@ tests/test_money.py
import unittest
from datetime import date, datetime

from kilnshare.bill import of_quarter
from kilnshare.book import Firing
from kilnshare.meter import used
from kilnshare.tariff import in_force


class Money(unittest.TestCase):
    def test_used(self):
        self.assertEqual(used(72084, 72610), 526)

    def test_used_past_the_last_reading(self):
        self.assertEqual(used(999990, 12), 22)

    def test_prices(self):
        prices = {"2025-01-01": "old", "2025-10-01": "new"}
        self.assertEqual(in_force(prices, date(2025, 9, 30)), "old")
        self.assertEqual(in_force(prices, date(2025, 10, 1)), "new")

    def test_quarter_is_that_of_the_beginning(self):
        eve = Firing(datetime(2025, 3, 31, 22, 0), datetime(2025, 4, 1, 6, 0), "glaze", 0, 500, (("MB", 1),))
        self.assertEqual(of_quarter([eve], "2025-Q1"), [eve])
@@ tests/test_shares.py
import unittest

from kilnshare.shares import split


class Shares(unittest.TestCase):
    def test_even(self):
        self.assertEqual(split(100, (("MB", 1), ("TK", 3))), {"MB": 25, "TK": 75})

    def test_pennies_left_over_fall_on_the_last(self):
        self.assertEqual(split(100, (("MB", 1), ("TK", 1), ("JO", 1))), {"MB": 33, "TK": 33, "JO": 34})
'''

if __name__ == "__main__":
    generate(int(sys.argv[1]), sys.argv[2])
