"""The second derivation: the rules in whole minutes and whole numbers, and the inputs on which the program is tried."""

import csv
import hashlib
import random
from datetime import date, datetime, timedelta
from email import message_from_bytes, policy
from fractions import Fraction
from math import floor

EPOCH = datetime(1970, 1, 1)
QUARTERS = {"¼": 1, "½": 2, "¾": 3}
FLAT = "[2015-01-01]\nday = 10\nnight = 10\nelement = 0\nvat = 0\nhours = 00:30-07:30\n"


# ---------------------------------------------------------------- the rules


def amount(text):
    """Shelves by rule 7."""
    if not text:
        return Fraction(1)
    spaced = "".join(f" {QUARTERS[c]}/4" if c in QUARTERS else c for c in text)
    total = Fraction(0)
    for piece in spaced.split():
        above, _, below = piece.replace(",", ".").partition("/")
        total += Fraction(above) / Fraction(below or 1)
    return total


def tenths(text):
    """A reading by rule 3."""
    text = text.strip()
    marked = len(text) > 1 and text[-2] in ".,"
    return int("".join(c for c in text if c.isdigit()) + ("" if marked else "0"))


def minute(stamp):
    return (stamp - EPOCH) // timedelta(minutes=1)


def meter_minute(stamp):
    """Rule 4: minutes since the epoch by the meter's clock; the days of the last Sundays by Conway's way of counting."""
    year = stamp.year
    leap = year + year // 4 - year // 100 + year // 400
    ahead = (3, 31 - (leap + 5) % 7, 2) <= (stamp.month, stamp.day, stamp.hour)
    ahead = ahead and (stamp.month, stamp.day, stamp.hour) < (10, 31 - (leap + 2) % 7, 2)
    return minute(stamp) - 60 * ahead


def read(line):
    """A firing as a dict, or None where the line cannot be read (rule 1)."""
    fields = [field.strip() for field in line.split("|")]
    if len(fields) < 4:
        return None
    day, begins, _, ends = fields[0].replace("-", " - ").replace(" - ", "-", 2).split()
    start, end = (datetime.fromisoformat(f"{day} {clock:0>5}") for clock in (begins, ends))
    end += timedelta(days=end <= start)
    before, after = (tenths(part) for part in fields[2].split("-"))
    pots = {}
    for entry in fields[3].split("+"):
        initials, _, number = entry.strip().partition(" ")
        pots[initials.upper()] = pots.get(initials.upper(), 0) + amount(number.strip())
    used = after - before + (1_000_000 if after < before else 0)
    return {"start": start, "end": end, "programme": fields[1], "used": used, "pots": pots}


def read_prices(text):
    """Pairs of day and prices, latest first (rule 5)."""
    found = []
    for block in text.split("[")[1:]:
        head, _, rest = block.partition("]")
        pairs = dict(line.split(" = ") for line in rest.strip().splitlines())
        year, month, day = map(int, head.split("-"))
        found.append((date(year, month, day), pairs))
    return sorted(found, key=lambda entry: entry[0], reverse=True)


def clock_minutes(text):
    return int(text[:2]) * 60 + int(text[3:])


def priced(firing, prices):
    """Adds `night` (exact tenths) and `pence` to a firing (rules 4 to 6)."""
    rates = next(pairs for day, pairs in prices if day <= firing["start"].date())
    opens, closes = (clock_minutes(clock) for clock in rates["hours"].split("-"))
    span = range(meter_minute(firing["start"]), meter_minute(firing["end"]))
    dark = sum(opens <= moment % 1440 < closes for moment in span)
    night = Fraction(firing["used"] * dark, len(span))
    power = night * Fraction(rates["night"]) + (firing["used"] - night) * Fraction(rates["day"])
    exact = power * (100 + Fraction(rates["vat"])) / 100 + firing["used"] * Fraction(rates["element"])
    return {**firing, "night": night, "pence": floor(exact / 10 + Fraction(1, 2))}


def shared(firing):
    """Rule 7: repeatedly gives a penny to whoever is furthest below their exact share."""
    shelves = firing["pots"]
    exact = {who: firing["pence"] * part / sum(shelves.values()) for who, part in shelves.items()}
    given = {who: floor(share) for who, share in exact.items()}
    while sum(given.values()) < firing["pence"]:
        lacking = [exact[who] - given[who] for who in exact]
        given[list(exact)[lacking.index(max(lacking))]] += 1
    return given


def money(pence):
    return f"{pence / 100:.2f}"


def chosen(book, tariff, quarter):
    """The priced firings that ended in the quarter, by their beginning (rule 8)."""
    year, number = int(quarter[:4]), int(quarter[-1])
    prices = read_prices(tariff)
    firings = [read(line) for line in book.splitlines() if line.strip() and line[0] != "#"]
    inside = [f for f in firings if f and f["end"].year == year and (f["end"].month - 1) // 3 == number - 1]
    return [priced(f, prices) for f in sorted(inside, key=lambda f: f["start"])]


def print_firings(firings):
    lines = []
    for f in firings:
        night = floor(f["night"] + Fraction(1, 2)) / 10
        stamp = f["start"].isoformat(" ", "minutes")
        lines.append(f"{stamp} {f['programme']}: {f['used'] / 10:.1f} kWh, {night:.1f} by night, {money(f['pence'])}")
    return lines


def print_shares(firings):
    parts = [" + ".join(f"{who} {money(share)}" for who, share in shared(f).items()) for f in firings]
    return [f"{f['start'].isoformat(' ', 'minutes')} {money(f['pence'])} = {p}" for f, p in zip(firings, parts)]


def totals(firings, students):
    """Pence by initials (rule 9)."""
    each = [shared(f) for f in firings]
    people = sorted({who for shares in each for who in shares})
    sums = {who: sum(shares.get(who, 0) for shares in each) for who in people}
    return {who: sums[who] - -(-sums[who] // 4) if who in students else sums[who] for who in people}


def print_bill(firings, students):
    due = totals(firings, students)
    lines = [f"{who},{sum(who in f['pots'] for f in firings)},{money(due[who])}" for who in due]
    return ["member,firings,amount", *lines, f"total,{len(firings)},{money(sum(due.values()))}"]


# ---------------------------------------------------------------- the inputs


class Inputs:
    """Books and price lists that are drawn for one workspace."""

    def __init__(self, seed):
        self.rng = random.Random(hashlib.sha256(seed).digest())
        self.who = ["BA", "CE", "DU", "FO", "GI", "HEN", "JY", "KA"]

    def reading(self, value, whole=False):
        units, tenth = divmod(value % 1_000_000, 10)
        grouped = f"{units:,}".replace(",", self.rng.choice([" ", ","]))
        if whole:
            return self.rng.choice([f"{units}", f"{units:05d}", grouped])
        return self.rng.choice([f"{units}.{tenth}", f"{units:05d}.{tenth}", f"{grouped}.{tenth}", f"{grouped},{tenth}"])

    def line(self, when, pots, used=None, before=None, whole=(False, False)):
        before = before if before is not None else self.rng.randrange(100_001, 880_000)
        used = used or self.rng.randrange(411, 1130)
        programme = self.rng.choice(["bisque", "glaze", "stoneware"])
        meter = f"{self.reading(before, whole[0])} - {self.reading(before + used, whole[1])}"
        return f"{when} | {programme} | {meter} | {pots}" + self.rng.choice(["", "", " | even", " | lid - stiff"])

    def night_of(self, day):
        begins = 17 * 60 + 5 * self.rng.randrange(80)
        ends = 5 * self.rng.randrange(9, 110)
        return f"{day} {begins // 60:02d}:{begins % 60:02d} - {ends // 60:02d}:{ends % 60:02d}"

    def days(self, year, quarter, count):
        """Days well inside a quarter, in order."""
        first = date(year, 3 * quarter - 2, 3)
        return [first + timedelta(days=n) for n in sorted(self.rng.sample(range(80), count))]

    def prices(self, headings, hours="00:30-07:30"):
        sections = []
        for heading in headings:
            day, night, element = (self.rng.randrange(*span) for span in ((2300, 3300), (1000, 1600), (30, 70)))
            vat = self.rng.choice(["5", "5", "20"])
            sections.append(
                f"[{heading}]\nday = {day / 100:.2f}\nnight = {night / 100:.2f}\nelement = {element / 10:.1f}\n"
                f"vat = {vat}\nhours = {hours}\n"
            )
        self.rng.shuffle(sections)
        return "\n".join(sections)

    def mixed(self):
        whole, (fraction, sign) = self.rng.randrange(1, 4), self.rng.choice([("1/2", "½"), ("1/4", "¼"), ("3/4", "¾")])
        return f"{whole}{self.rng.choice([sign, ' ' + sign, ' ' + fraction])}"

    def simple(self):
        return self.rng.choice(["", "1", "2", "3", "5", "1/2", "½", "0.5", "0,25", "¾", "1/4", "2,5"])

    def pots(self, *numbers):
        """Initials with these shelves, each person once."""
        return " + ".join(f"{who} {n}".strip() for who, n in zip(self.rng.sample(self.who, len(numbers)), numbers))


def case(name, command, quarter, book, tariff, students=()):
    """A case of the `command` check, with the stdout that the rules ask for."""
    firings = chosen(book, tariff, quarter)
    if command == "firings":
        lines = print_firings(firings)
    elif command == "shares":
        lines = print_shares(firings)
    else:
        lines = print_bill(firings, students)
    members = "initials;name;kind;since\n" + "".join(f"{who};Somebody;student;2020\n" for who in students)
    options = ["--book", "-", "--tariff", "case/prices.ini", "--members", "case/list.csv"]
    return {
        "name": name,
        "args": [command, quarter, *options],
        "stdin": book,
        "files": {"case/prices.ini": tariff, "case/list.csv": members + "BA;Somebody;full;2019\n"},
        "stdout": "\n".join(lines) + "\n",
        "exit": 0,
    }


def shelf_cases(inputs):
    """Flat prices and units that every share divides, so that only the reading of shelves counts."""
    cases = []
    for number, faulty in enumerate((True, True, False)):
        lines = []
        for place, day in enumerate(inputs.days(2025, 1, 4)):
            odd = inputs.mixed() if faulty and place < 3 else inputs.simple()
            numbers = [inputs.simple(), odd, inputs.simple()]
            inputs.rng.shuffle(numbers)
            pots = inputs.pots(*numbers)
            if place == 3:
                pots += f" + {pots.split()[0].lower()} {inputs.mixed() if faulty else '½'}"
            parts = sum(amount(entry.strip().partition(" ")[2]) for entry in pots.split("+"))
            used = int(parts * 4) * inputs.rng.randrange(21, 60)
            lines.append(inputs.line(inputs.night_of(day), pots, used))
        cases.append(case(f"shelves {number}", "shares", "2025-Q1", "\n".join(lines) + "\n", FLAT))
    return cases + check_cases(inputs)


def check_cases(inputs):
    """`check` takes what rule 7 allows, and goes on naming what cannot be read."""
    days = inputs.days(2025, 4, 3)
    good = [inputs.line(inputs.night_of(day), inputs.pots(inputs.mixed())) for day in days]
    bad = [inputs.line(inputs.night_of(day), inputs.pots("2")) for day in days]
    bad[1] = "2025-11-30 21:00 | bisque | BA 1"
    told = {"good": "3 firings, all readable\n", "bad": f"line 2: cannot read '{bad[1]}'\n"}
    return [
        {
            "name": f"check {name}",
            "args": ["check", "--book", "-"],
            "stdin": "\n".join(lines),
            "stdout": told[name],
            "exit": code,
        }
        for name, lines, code in (("good", good, 0), ("bad", bad, 1))
    ]


def meter_cases(inputs):
    """Whole readings on either side, and the meter going round."""
    rng, cases = inputs.rng, []
    for number, kinds in enumerate(("whole", "whole round", "as ever")):
        lines = []
        for place, day in enumerate(inputs.days(2025, 1, 4)):
            used, before, whole = rng.randrange(411, 1130), rng.randrange(100_001, 880_000), (False, False)
            if "round" in kinds and place == 1:
                before = 1_000_000 - rng.randrange(11, used)
                used += -(before + used) % 10 if "whole" in kinds else 0
                whole = (False, "whole" in kinds)
            elif "whole" in kinds and place != 2:  # the tenth left away after the firing, before it, or both
                side = (number + place) % 3
                before += -before % 10 if side else 1
                used += -(before + used) % 10 if side != 1 else 0
                whole = (side != 0, side != 1)
            lines.append(inputs.line(inputs.night_of(day), "BA", used, before, whole))
        cases.append(case(f"meter {number}", "firings", "2025-Q1", "\n".join(lines) + "\n", FLAT))
    return cases


def last_sunday(year, month):
    day = date(year, month, 31)
    while day.isoweekday() != 7:
        day -= timedelta(days=1)
    return day


def clock_cases(inputs):
    """Years that nobody typed in, around the two Sundays and in between; 2025 is known to the program as it is."""
    rng, cases = inputs.rng, []
    for number in (0, 1, 2, 3, 5):
        year = rng.choice([2026, 2027, 2028]) if number < 2 else rng.choice([2019, 2020, 2021, *range(2144, 2592, 14)])
        year = 2025 if number > 4 else year
        hours = rng.choice(["00:30-07:30", "01:00-08:00", "23:00-23:59", "02:15-06:45"])
        tariff = inputs.prices(["2015-01-01"], hours)
        spring, autumn = last_sunday(year, 3), last_sunday(year, 10)
        if number % 2:
            shifts, base, quarter = (-25, -1, 0, rng.randrange(1, 8), 24), autumn, f"{year}-Q4"
        else:
            shifts, base, quarter = (-25, -1, 0, rng.randrange(1, 2 + (spring.day < 31)), -7), spring, f"{year}-Q1"
        days = [base + timedelta(days=shift) for shift in shifts]
        whens = [inputs.night_of(day) for day in days if ends_inside(day, quarter)]
        whens.append(f"{spring} 02:00 - 9:40" if not number % 2 else f"{autumn} 01:{rng.randrange(0, 60):02d} - 9:40")
        whens.append(f"{base - timedelta(days=1)} 19:05 - 02:00")
        lines = [inputs.line(when, "BA") for when in whens if base == autumn or " - 01:" not in when]
        cases.append(case(f"clock {number}", "firings", quarter, "\n".join(lines) + "\n", tariff))
    year = rng.choice([2031, 2140, 2640])
    lines = [inputs.line(inputs.night_of(day), "BA") for day in inputs.days(year, 3, 3)]
    tariff = inputs.prices(["2015-01-01"])
    cases.append(case("summer", "firings", f"{year}-Q3", "\n".join(lines) + "\n", tariff))
    return cases


def ends_inside(day, quarter):
    """Whether the night of `day` ends in the quarter."""
    after = day + timedelta(days=1)
    return f"{after.year}-Q{(after.month + 2) // 3}" == quarter


def price_cases(inputs):
    """Headings written in both ways, in any order; firings on, before and across the days of change."""
    rng, cases = inputs.rng, []
    for number in (0, 1, 4):
        months = rng.sample(range(1, 10), 4) + [10, 12]
        days = sorted(date(2024, month, rng.randrange(2, 28)) for month in months)
        heads = [f"{d.year}-{d.month}-{d.day}" if number < 4 and rng.random() < 0.7 else d.isoformat() for d in days]
        tariff = inputs.prices(["2023-1-1" if number < 4 else "2023-01-01", *heads])
        lines = []
        for day in days:
            for shift in rng.sample([-1, 0, 1], 2):
                lines.append(inputs.line(inputs.night_of(day + timedelta(days=shift)), "BA"))
        quarter = f"2024-Q{(rng.choice(days).month + 2) // 3}"
        cases.append(case(f"prices {number}", "firings", quarter, "\n".join(lines) + "\n", tariff))
    return cases


def share_cases(inputs):
    """Costs that the shelves do not divide, with ties among those who lost most."""
    rng, cases = inputs.rng, []
    for number in (0, 1, 4):
        lines = []
        for day in inputs.days(2025, 1, 6):
            if number > 3:
                lines.append(inputs.line(inputs.night_of(day), inputs.pots("2")))
                continue
            numbers = (
                ["1"] * rng.choice([3, 6, 7])
                if rng.random() < 0.4
                else [rng.choice("1 2 3 1/2".split()) for _ in range(5)]
            )
            lines.append(inputs.line(inputs.night_of(day), inputs.pots(*numbers)))
        tariff = inputs.prices(["2015-01-01"])
        cases.append(case(f"shares {number}", "shares", "2025-Q1", "\n".join(lines) + "\n", tariff))
    return cases


def bill_cases(inputs):
    """Everything together; the last goes by rules that the program follows already (8 and 9)."""
    rng, cases = inputs.rng, []
    for number in (0, 1, 4):
        year, quarter = rng.randrange(2026, 2045), rng.randrange(1, 5)
        if number > 3:
            year, quarter = 2025, rng.choice([1, 4])
        days = inputs.days(year, quarter, 6)
        first = date(year, 3 * quarter - 2, 1)
        days += [first - timedelta(days=1), first, first + timedelta(days=80)]
        nights = [inputs.night_of(day) for day in days]
        nights.append(f"{last_day(year, quarter)} 21:10 - 04:50")
        lines = []
        for place, when in enumerate(nights):
            if number > 3:
                lines.append(inputs.line(when, inputs.pots(rng.choice("123"))))
                continue
            pots = inputs.pots(inputs.mixed(), *(inputs.simple() for _ in range(4)))
            before, used = (
                (999_700, 555) if place == 3 else (rng.randrange(10_001, 88_000) * 10, 10 * rng.randrange(41, 110))
            )
            lines.append(inputs.line(when, pots, used, before, (place == 4, place == 5)))
        rng.shuffle(lines)
        lines[4:4] = ["", "# overleaf"]
        change = days[3]
        heads = [f"{year - 1}-1-1" if number < 4 else f"{year - 1}-01-01"]
        heads += [f"{change.year}-{change.month}-{change.day}" if number < 4 else change.isoformat()]
        students = rng.sample(inputs.who, 4)
        book = "\n".join(lines) + "\n"
        cases.append(case(f"bill {number}", "bill", f"{year}-Q{quarter}", book, inputs.prices(heads), students))
    return cases


def last_day(year, quarter):
    return date(year + quarter // 4, 3 * quarter % 12 + 1, 1) - timedelta(days=1)


# ---------------------------------------------------------------- the corrections


def by_hand(workspace):
    """Initials and amount of the slip that Fergus changed before he posted it."""
    for raw in (workspace / "mail/kiln.mbox").read_bytes().split(b"\nFrom "):
        text = message_from_bytes(raw.partition(b"\n")[2], policy=policy.default).get_content()
        if "by hand" in text:
            return text.split("(")[1].split(")")[0], text.split("£")[1].split()[0]
    raise LookupError("no slip was changed by hand")


def cents(text):
    pounds, _, pence = text.partition(".")
    return 100 * int(pounds) + int(pence)


def corrections(workspace):
    read_text = lambda name, codec="utf-8": (workspace / name).read_bytes().decode(codec)
    roll = [line.split(";") for line in read_text("data/members.csv", "cp1252").splitlines()]
    firings = chosen(read_text("data/book.txt"), read_text("data/tariff.ini"), "2026-Q2")
    due = totals(firings, {row[0] for row in roll if row[2] == "student"})
    rows = list(csv.reader(read_text("bills/2026-q2.csv").splitlines()))[1:-1]
    sent = {who: cents(asked) for who, _, asked in rows}
    who, written = by_hand(workspace)
    sent[who] = cents(written)
    out = {}
    for name in sorted({*sent, *due}):
        before, after = sent.get(name, 0), due.get(name, 0)
        if before != after:
            out[name] = {"sent": before / 100, "due": after / 100, "difference": (after - before) / 100}
    return out


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    inputs = Inputs((workspace / "data/book.txt").read_bytes())
    rows = corrections(workspace)
    return {
        "shelf_cases": shelf_cases(inputs),
        "meter_cases": meter_cases(inputs),
        "clock_cases": clock_cases(inputs),
        "price_cases": price_cases(inputs),
        "share_cases": share_cases(inputs),
        "bill_cases": bill_cases(inputs),
        "corrected": sorted(rows),
        "corrections": rows,
    }
