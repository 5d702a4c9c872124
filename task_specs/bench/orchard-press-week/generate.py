"""Writes a workspace for this task: the same press week, other growers, crew, figures and clashes."""

import datetime as dt
import itertools
import json
import random
import time
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parsedate_to_datetime
from pathlib import Path

SLUG = "orchard-press-week"
MONDAY = dt.date(2026, 10, 12)
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
LONG = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
HOURS = ((510, 660), (690, 840), (870, 1020))  # minutes after midnight: slots A, B, C
LEADERS, BOTH, HELPERS = (0, 1, 2), 2, (2, 3, 4, 5)
CLASSES = {"share": 10, "friend": 11, "guest": 8}
FIRST = (
    "Ottla Berit Corin Jago Elspeth Idony Marek Tegan Anselm Ruza Piers Halla Wystan Senara Joss Merryn Lowen Ysolde "
    "Dafydd Brónagh Rémy Agnete Torquil Zdenka Hob Oriel Kestrel Fenwick Isaura Bramwell Nóra Eluned Gawen Sunniva Alard"
).split()
LAST = (
    "Varnish Thistlewood Kerslake Holm Pommeroy Dunnock Ashgrove Wrigglesworth Müllenbach Scrump Lathe Fallowdene Orme "
    "Costrel Hedgecock Bramley-Pye Nettlefold Quince Medlar-Vane Sallow Tumbrel Underhay Windfall Yarrow Zouch Pipkin"
).split()
CREW = (
    "Hanno Gillespie-Marr",
    "Petra Withycombe",
    "Lorcan Adair-Voss",
    "Bettany Clough",
    "Sjoerd Kettlewell",
    "Mabyn Trevanion",
)
FORM_FRUIT = {"apples": "Apples", "organic": "Apples, organic", "perry": "Perry pears"}
SHEET_FRUIT = {"apples": "apples", "organic": "organic apples", "perry": "perry pears"}
CHAT = (
    "",
    "",
    "",
    "Sacks are dry, promise",
    "Rather the morning, if it is all the same to you",
    'Mostly "Foxwhelp", some windfalls',
    "Will need a hand unloading",
    "Thursday would suit us best, the trailer is free then",
    "Same as last year please",
    "Can we keep the pomace?",
)
JOBS = ("pruning", "grafting – row 3", "hedge", "barn roof", "mowing", "washing bottles", "wasp traps", "picking up")


def barn(day, hour, minute):
    """A moment by the barn clock (British Summer Time throughout)."""
    return dt.datetime(2026, *day, hour, minute)


class World:
    """One press week with every trap of the task in it."""

    def __init__(self, seed):
        self.rng = random.Random(f"{SLUG}:{seed}")
        self._figures()
        self._days()
        self._availability()
        self._growers()
        self._bookings()
        self._hours()

    def _figures(self):
        rng = self.rng
        self.room = rng.choice([410, 420, 430, 440])
        self.room_july = self.room - rng.choice([60, 70, 80])
        self.sack, self.sack_now = rng.choice([(20, 17), (20, 16), (21, 18)])
        self.least, self.least_now = 40, rng.choice([50, 52, 54])
        self.pence = {"share": rng.choice([8, 9]), "friend": 13, "guest": rng.choice([21, 22, 23])}
        self.friend_now = rng.choice([15, 16, 17])
        self.fee_least = rng.choice([900, 1000, 1100])
        self.pay_lead, self.pay_help = rng.choice([(725, 475), (775, 525), (825, 550)])

    def _days(self):
        """Each day of the week carries one of the crew's traps."""
        while True:
            self.full_day, self.open_again, self.off_day, self.back_day, self.gone_day, self.overtaken = (
                self.rng.sample(range(6), 6)
            )
            if self.back_day >= 2 and self.overtaken in range(1, 5) and (self.overtaken, self.back_day) != (4, 5):
                break
        self.off_slots = self.rng.choice([(0, 1), (1, 2)])

    def _availability(self):
        rng = self.rng
        self.free = {(p, s): rng.random() < (0.5 if p < 3 else 0.6) for p in range(6) for s in range(18)}
        only = self.rng.choice((0, 1))
        for letter in range(3):
            slot = self.full_day * 3 + letter
            self._set(slot, {only}, {3, 4} if letter == 2 else {4, 5})
        for day in (self.open_again, self.off_day):
            for letter in self.off_slots:
                self._set(day * 3 + letter, {0, 1}, {4, 5} if letter == 1 else {3, 4})
        for day in (self.back_day - 2, self.back_day - 1):
            for letter in range(3):
                self.free[3, day * 3 + letter] = False
        self._set(self.back_day * 3, {0, 1}, {3})
        self._set(self.gone_day * 3 + 2, {BOTH}, {4, 5})
        self.free[BOTH, self.gone_day * 3] = self.free[BOTH, self.gone_day * 3 + 1] = False
        self._set(self.overtaken * 3, {0, 1}, set())
        self._set(self.overtaken * 3 + 1, {0, 1}, {5})
        self._repeated()
        self._mend()

    def _set(self, slot, leaders, helpers):
        for person in range(6):
            self.free[person, slot] = person in leaders | helpers

    def _repeated(self):
        """Lets the person with the repeated event come before and after the day on which that has an exception."""
        days = [day for day in range(6) if day not in (self.overtaken, self.back_day)]
        for day in (days[0], days[-1]):
            self.free[4, day * 3] = self.free[4, day * 3 + 1] = True

    def _mend(self):
        """Gives a leader and a helper to the slots of the trap days that no trap claims."""
        claimed = {self.back_day * 3, self.gone_day * 3 + 2, self.overtaken * 3, self.overtaken * 3 + 1}
        for slot in set(range(18)) - claimed - set(range(self.full_day * 3, self.full_day * 3 + 3)):
            if not (self.free[0, slot] or self.free[1, slot]):
                self.free[self.rng.choice((0, 1)), slot] = True
            if not any(self.free[p, slot] for p in (4, 5)):
                self.free[4, slot] = True

    def _growers(self):
        rng = self.rng
        count = sum(CLASSES.values())
        firsts, lasts = rng.sample(FIRST, count), [*rng.sample(LAST, len(LAST)), *rng.sample(LAST, count - len(LAST))]
        numbers = sorted(rng.sample(range(11, 90), count))
        order = rng.sample(range(count), count)
        kinds = [name for name, size in CLASSES.items() for _ in range(size)]
        self.growers = {}
        for at, kind in zip(order, kinds):
            plain = f"{firsts[at]}.{lasts[at]}".lower().translate(str.maketrans("óéü", "oeu"))
            host = rng.choice(("hedgepost", "valleymail", "moss-net"))
            self.growers[f"G{numbers[at]}"] = {
                "name": f"{firsts[at]} {lasts[at]}",
                "class": kind,
                "mail": f"{plain}@{host}.example",
                "organic_until": None,
            }
        ids = list(self.growers)
        self.shares, self.friends, self.guests = ids[:10], ids[10:21], ids[21:]

    def _bookings(self):
        """The ordinary bookings, then those that carry a trap."""
        rng, share, friend, guest = self.rng, self.shares, self.friends, self.guests
        self.bookings, self.taken = [], set()
        self.role = {
            "hail": share[0],
            "changed": share[1],
            "back": share[2],
            "abroad": share[9],
            "hearsay": friend[0],
            "neighbour": friend[1],
            "twice": friend[2],
            "nowhere": friend[3],
            "small": friend[4],
            "late": friend[5],
            "lapsed": friend[6],
            "tardy": guest[0],
            "mite": guest[1],
        }
        role = self.role
        wide = self._some_days
        self._book(role["hail"], "apples", (rng.randrange(150, 260), "kg"), wide(3), "form")
        self._book(role["hail"], "perry", (rng.randrange(9, 13), "sacks"), wide(4), "sheet")
        self.asked = rng.randrange(14, 17)
        self.wanted = self.asked - rng.randrange(6, 8)
        self._book(role["changed"], "apples", (self.asked, "sacks"), wide(3), "form")
        self._book(role["back"], "apples", (rng.randrange(190, 280), "kg"), wide(3), "sheet")
        self.asked_abroad = rng.randrange(8, 10)
        self.wanted_abroad = self.asked_abroad + rng.randrange(7, 9)
        self._book(role["abroad"], "apples", (self.asked_abroad, "sacks"), wide(4), "form")
        self._book(role["hearsay"], "apples", (rng.randrange(140, 200), "kg"), wide(4), "sheet")
        self._book(role["neighbour"], "apples", (rng.randrange(7, 12), "sacks"), wide(3), "form")
        self._twice(role["twice"])
        self._book(role["nowhere"], "perry", (rng.randrange(6, 10), "sacks"), {self.full_day, self.gone_day}, "form")
        self._book(role["small"], "apples", (rng.randrange(self.least + 2, self.least_now - 1), "kg"), wide(4), "form")
        last_hour = barn((10, 4), 18, rng.randrange(8, 52))
        self._book(role["late"], "apples", (rng.randrange(60, 120), "kg"), wide(4), "form", last_hour)
        self._book(role["lapsed"], "organic", (rng.randrange(9, 13), "sacks"), {self.overtaken}, "sheet")
        self._book(role["tardy"], "perry", (rng.randrange(5, 8), "sacks"), wide(3), "sheet", barn((10, 5), 9, 14))
        self._book(role["mite"], "apples", (2, "sacks"), wide(3), "sheet")
        self._others()
        self._number()
        self._certificates()

    def _others(self):
        """Growers without a part in any story."""
        rng, share, friend, guest = self.rng, self.shares, self.friends, self.guests
        for grower in (*share[3:5], friend[7]):
            self._book(grower, "organic", (rng.randrange(8, 15), "sacks"), self._some_days(3), "form")
        for grower in (share[5], friend[8], guest[2], guest[3]):
            self._book(grower, "perry", (rng.randrange(110, 210), "kg"), self._some_days(4), "form")
        plain = [*share[5:9], share[3], *friend[8:], *guest[4:]]
        ends = itertools.cycle((5, 4, 5, 3, 4))  # early days fill by themselves: everybody has a late day too
        for grower in plain:
            amount = (rng.randrange(8, 17), "sacks") if rng.random() < 0.6 else (rng.randrange(150, 300), "kg")
            days = {next(ends)} | self._some_days(rng.choice((1, 2, 2)))
            self._book(grower, "apples", amount, days, rng.choice(("form", "sheet")))
        edge = barn((10, 4), 17, rng.randrange(38, 58))
        self._book(guest[2], "apples", (rng.randrange(4, 7), "sacks"), set(range(6)), "sheet", edge)
        self._book(guest[4], "perry", (rng.randrange(4, 7), "sacks"), set(range(6)), "form")

    def _some_days(self, count):
        return set(self.rng.sample(range(6), count))

    def _twice(self, grower):
        """The same fruit on the sheet and, half an hour later, by the form, whose clock reads half an hour earlier."""
        day, minute = (9, self.rng.randrange(20, 28)), self.rng.randrange(2, 25)
        sheet = barn(day, 16, minute)
        self._book(grower, "apples", (self.rng.randrange(13, 17), "sacks"), self._some_days(4), "sheet", sheet)
        later = sheet + dt.timedelta(minutes=self.rng.randrange(18, 35))
        self._book(grower, "apples", (self.rng.randrange(7, 10), "sacks"), self._some_days(3), "form", later)

    def _book(self, grower, fruit, amount, days, source, received=None):
        rng = self.rng
        while received is None or received in self.taken:
            received = barn((9, rng.randrange(7, 31)), rng.randrange(8, 20), rng.randrange(60))
        self.taken.add(received)
        self.bookings.append(
            {
                "grower": grower,
                "fruit": fruit,
                "amount": f"{amount[0]} {amount[1]}",
                "days": sorted(days),
                "source": source,
                "received": received,
                "remark": rng.choice(CHAT),
            }
        )

    def _number(self):
        for source, prefix, first in (("form", "W", 301), ("sheet", "P", 21)):
            mine = sorted((b for b in self.bookings if b["source"] == source), key=lambda b: b["received"])
            number = first + self.rng.randrange(40)
            for booking in mine:
                booking["no"] = f"{prefix}{number}"
                number += self.rng.choice((1, 1, 1, 2))

    def _certificates(self):
        rng = self.rng
        for grower in sorted({b["grower"] for b in self.bookings if b["fruit"] == "organic"}):
            self.growers[grower]["organic_until"] = f"2027-0{rng.randrange(1, 9)}-{rng.randrange(10, 29)}"
        self.growers[self.role["lapsed"]]["organic_until"] = f"2026-10-{rng.randrange(13, 17)}"
        self.growers[self.guests[5]]["organic_until"] = "2027-03-31"

    def _hours(self):
        """This year's hours as a log, last year's as totals."""
        rng = self.rng
        self.log, self.last_year = [], []
        for grower, person in self.growers.items():
            self.last_year.append((grower, rng.randrange(0, 60) / 2))
            if person["class"] == "guest" and rng.random() < 0.5:
                continue
            for _ in range(rng.randrange(1, 5)):
                day = dt.date(2026, 1, 10) + dt.timedelta(days=rng.randrange(262))
                self.log.append((day, grower, rng.randrange(2, 13) / 2, rng.choice(JOBS)))
        self.log.append((dt.date(2026, 9, 30), self.friends[9], rng.randrange(8, 13) / 2, "stacking crates"))
        for grower in (*self.shares[7:9], self.role["neighbour"], *self.friends[9:11], *self.guests[5:7]):
            for _ in range(2):
                day = dt.date(2026, 10, 1) + dt.timedelta(days=rng.randrange(8))
                self.log.append((day, grower, rng.randrange(13, 19) / 2, "new shed"))
        self.log.sort(key=lambda line: line[:2])


def runs(letters):
    """Groups consecutive slots of a day: [0, 1] -> [(0, 1)], [0, 2] -> [(0, 0), (2, 2)]."""
    found = []
    for letter in sorted(letters):
        if found and found[-1][1] == letter - 1:
            found[-1] = (found[-1][0], letter)
        else:
            found.append((letter, letter))
    return found


def moment(day, minutes):
    return dt.datetime.combine(MONDAY + dt.timedelta(days=day), dt.time()) + dt.timedelta(minutes=minutes)


class Calendar:
    """Collects the events of one person and writes them as an iCalendar file."""

    def __init__(self, world, person, zone):
        self.rng, self.person, self.zone = world.rng, person, zone
        self.events = []

    def stamp(self, name, when):
        if self.zone == "UTC":
            return f"{name}:{when - dt.timedelta(hours=1):%Y%m%dT%H%M%SZ}"
        if self.zone == "Europe/Oslo":
            return f"{name};TZID=Europe/Oslo:{when + dt.timedelta(hours=1):%Y%m%dT%H%M%S}"
        if self.zone == "Europe/London":
            return f"{name};TZID=Europe/London:{when:%Y%m%dT%H%M%S}"
        return f"{name}:{when:%Y%m%dT%H%M%S}"

    def add(self, title, start, end, *extra):
        self.events.append((title, [self.stamp("DTSTART", start), self.stamp("DTEND", end), *extra]))

    def all_day(self, title, first, after, *extra):
        self.events.append((title, [f"DTSTART;VALUE=DATE:{first:%Y%m%d}", f"DTEND;VALUE=DATE:{after:%Y%m%d}", *extra]))

    def clutter(self, title):
        """Something in the weeks before and after, which matters to nobody here."""
        for day in (-6, -3, 9):
            start = moment(day, 540 + 30 * self.rng.randrange(6))
            self.add(title, start, start + dt.timedelta(hours=2))

    def render(self):
        self.rng.shuffle(self.events)
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//Pocket Diary//{self.person}//EN"]
        if self.zone.startswith("Europe/"):
            lines += time_zone(self.zone)
        for number, (title, times) in enumerate(self.events):
            note = f"DESCRIPTION:{title}. Put in on the telephone\\, so mind the spelling\\; the reminder is an hour before."
            lines += [
                "BEGIN:VEVENT",
                f"UID:{number:03d}-{self.person.lower()}@pocket.example",
                "DTSTAMP:20261008T105512Z",
            ]
            lines += [*times, f"SUMMARY:{title}", *folded(note)]
            if number % 3 == 0:
                lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT60M", "END:VALARM"]
            lines.append("END:VEVENT")
        return "\r\n".join([*lines, "END:VCALENDAR", ""])


def folded(line):
    """A content line cut after 60 characters, each further line led by a space."""
    return [line[:60], *(" " + line[at : at + 59] for at in range(60, len(line), 59))]


def time_zone(name):
    winter, summer = ("+0000", "+0100") if name == "Europe/London" else ("+0100", "+0200")
    return [
        "BEGIN:VTIMEZONE",
        f"TZID:{name}",
        "BEGIN:DAYLIGHT",
        "DTSTART:19810329T010000",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
        f"TZOFFSETFROM:{winter}",
        f"TZOFFSETTO:{summer}",
        "END:DAYLIGHT",
        "BEGIN:STANDARD",
        "DTSTART:19961027T020000",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
        f"TZOFFSETFROM:{summer}",
        f"TZOFFSETTO:{winter}",
        "END:STANDARD",
        "END:VTIMEZONE",
    ]


def free_calendar(world, person, zone):
    """Events called Press where `person` can come; some that cover only part of a slot, one cancelled, other life."""
    rng, calendar = world.rng, Calendar(world, code(person), zone)
    for day in range(6):
        letters = [n for n in range(3) if world.free[person, day * 3 + n]]
        for first, last in runs(letters):
            spare = rng.choice((0, 10, 20)), rng.choice((0, 10, 20))
            calendar.add("Press", moment(day, HOURS[first][0] - spare[0]), moment(day, HOURS[last][1] + spare[1]))
        for letter in set(range(3)) - set(letters):
            start, end = HOURS[letter]
            chance = rng.random()
            if person == BOTH and day == world.overtaken:
                calendar.add("Vet", moment(day, start - 10), moment(day, end + 10))
            elif chance < 0.25:
                calendar.add("Press", moment(day, start + 30), moment(day, end))
            elif chance < 0.45:
                calendar.add("Press", moment(day, start), moment(day, end), "STATUS:CANCELLED")
            elif chance < 0.6:
                calendar.add("Vet", moment(day, start), moment(day, end))
    calendar.clutter("Press")
    return calendar.render()


def repeated_calendar(world, person):
    """As a free calendar, but the days with both A and B are one repeated event with exceptions."""
    calendar = Calendar(world, code(person), "")
    has = lambda day, letter: world.free[person, day * 3 + letter]
    both = [day for day in range(6) if has(day, 0) and has(day, 1)]
    span = range(both[0], both[-1] + 1)
    skipped = [f"{moment(day, 500):%Y%m%dT%H%M%S}" for day in span if day not in both]
    extra = [f"RRULE:FREQ=DAILY;COUNT={len(span)}"] + (["EXDATE:" + ",".join(skipped)] if skipped else [])
    calendar.add("Press", moment(both[0], 500), moment(both[0], 850), *extra)
    for day in range(6):
        for letter in range(3):
            if has(day, letter) and (letter == 2 or day not in both):
                calendar.add("Press", moment(day, HOURS[letter][0]), moment(day, HOURS[letter][1] + 15))
    calendar.clutter("Choir")
    return calendar.render()


def busy_calendar(world, person, zone, away=None):
    """Events where `person` cannot come; some end when a slot begins, one is cancelled."""
    rng, calendar = world.rng, Calendar(world, code(person), zone)
    for day in range(6):
        if away and day in away:
            continue
        letters = [n for n in range(3) if not world.free[person, day * 3 + n]]
        for first, last in runs(letters):
            start, end = moment(day, HOURS[first][0] + 20), moment(day, HOURS[last][1] - rng.choice((15, 40)))
            calendar.add(rng.choice(("Shop", "School run", "Milking", "Feed store")), start, end)
        for letter in set(range(3)) - set(letters):
            start, end = HOURS[letter]
            chance = rng.random()
            if chance < 0.35:
                calendar.add("Telephone", moment(day, start - 30), moment(day, start))
            elif chance < 0.5:
                calendar.add("Feed store", moment(day, start), moment(day, end), "STATUS:CANCELLED")
    if away:
        first = MONDAY + dt.timedelta(days=away[0])
        calendar.all_day("Away at my sister's", first, first + dt.timedelta(days=len(away)))
    calendar.clutter("Shop")
    return calendar.render()


def code(person):
    first, last = CREW[person].split()
    return (first[0] + last[:2]).upper()


def crew_files(world):
    kinds = ("free", "busy", "free", "busy", "free", "busy")
    roles = ("lead", "lead", "lead+help", "help", "help", "help")
    rows = [("order", "code", "name", "may", "calendar", "shows", "mail")]
    for person, name in enumerate(CREW):
        first = name.split()[0].lower()
        rows.append((person + 1, code(person), name, roles[person], f"{first}.ics", kinds[person], crew_mail(person)))
    away = (world.back_day - 2, world.back_day - 1)
    calendars = (
        free_calendar(world, 0, "UTC"),
        busy_calendar(world, 1, "Europe/London"),
        free_calendar(world, 2, "Europe/Oslo"),
        busy_calendar(world, 3, "Europe/London", away),
        repeated_calendar(world, 4),
        busy_calendar(world, 5, "UTC"),
    )
    files = {f"crew/{CREW[n].split()[0].lower()}.ics": text for n, text in enumerate(calendars)}
    return files | {"crew/crew.tsv": delimited(rows, "\t")}


def crew_mail(person):
    return f"{CREW[person].split()[0].lower()}@quernside-press.example"


def delimited(rows, separator):
    """Lines of cells; a cell with a separator or quote is quoted."""

    def cell(value):
        text = str(value)
        return '"' + text.replace('"', '""') + '"' if separator in text or '"' in text else text

    return "".join(separator.join(map(cell, row)) + "\n" for row in rows)


def form_export(world):
    rows = [("Booking", "Submitted", "E-mail", "Fruit", "Amount", "Days", "Remarks")]
    for booking in sorted((b for b in world.bookings if b["source"] == "form"), key=lambda b: b["received"]):
        mail = world.growers[booking["grower"]]["mail"]
        if world.rng.random() < 0.4:
            mail = mail.split("@")[0].title() + "@" + mail.split("@")[1]
        submitted = booking["received"] - dt.timedelta(hours=1)
        days = "/".join(DAYS[day] for day in booking["days"])
        rows.append(
            (
                booking["no"],
                f"{submitted:%Y-%m-%d %H:%M}",
                mail,
                FORM_FRUIT[booking["fruit"]],
                booking["amount"],
                days,
                booking["remark"],
            )
        )
    return delimited(rows, ",").replace("\n", "\r\n").encode("utf-8-sig")


def spoken_days(days):
    """Consecutive days as a range, `Mon-Wed, Sat`."""
    return ", ".join(DAYS[a] if a == b else f"{DAYS[a]}-{DAYS[b]}" for a, b in runs(days))


def barn_sheet(world):
    text = (
        "# Typed from the sheet that hangs in the barn. Oona\n# Times by the barn clock. "
        "Mon-Wed is Monday, Tuesday and Wednesday.\n"
    )
    for booking in sorted((b for b in world.bookings if b["source"] == "sheet"), key=lambda b: b["no"][::-1]):
        text += f"- booking: {booking['no']}\n  grower: {booking['grower']}\n"
        text += f"  handed in: {booking['received']:%d %b, %H:%M}\n  fruit: {SHEET_FRUIT[booking['fruit']]}\n"
        text += f"  amount: {booking['amount']}\n  days: {spoken_days(booking['days'])}\n"
        if booking["remark"]:
            text += f"  remark: '{booking['remark']}'\n"
    return text


def hours_log(world):
    rows = [("Day", "Grower", "Hours", "Job")]
    rows += [(f"{d:%d.%m.%Y}", g, f"{h:g}".replace(".", ","), job) for d, g, h, job in world.log]
    return delimited(rows, ";").replace("\n", "\r\n").encode("cp1252")


def message(sender, address, date, subject, body):
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"] = f"{sender} <{address}>", "Ruaridh Penhallow <ruaridh@quernside-press.example>"
    mail["Date"], mail["Subject"] = date, subject
    mail.set_content(body, charset="utf-8", cte="quoted-printable")
    arrived = time.asctime(parsedate_to_datetime(date).utctimetuple())
    return f"From {address} {arrived}\n".encode() + mail.as_bytes().replace(b"\r\n", b"\n") + b"\n"


def inbox(world):
    grower = lambda name: (world.growers[world.role[name]]["name"], world.growers[world.role[name]]["mail"])
    crew = lambda person: (CREW[person], crew_mail(person))
    first = lambda name: grower(name)[0].split()[0]
    letters = (
        (
            ("The Mash Tun", "offers@mashtun.example"),
            "Tue, 15 Sep 2026 07:00:00 +0000",
            "Demijohns: 12 for the price of 10",
            "Only until the 30th – corks included.\n",
        ),
        (
            grower("changed"),
            "Fri, 02 Oct 2026 20:41:00 +0100",
            "fewer apples",
            f"Dear Ruaridh,\n\nthe badgers have been at the bottom row – could you put us down for {world.wanted} sacks instead of "
            f"{world.asked}? The days stay as they are.\n\n{first('changed')}\n",
        ),
        (
            grower("abroad"),
            f"Sun, 04 Oct 2026 13:{world.rng.randrange(12, 55)}:00 -0400",
            "more apples",
            f"Dear Ruaridh,\n\nI'm with my aunt in Nova Scotia, and my brother rings to say he has picked far more than we thought. Please make it "
            f"{world.wanted_abroad} sacks in place of {world.asked_abroad}. I hope this still reaches you in time.\n\n"
            f"{first('abroad')}\n",
        ),
        (
            crew(5),
            "Mon, 05 Oct 2026 20:15:00 +0100",
            LONG[world.overtaken],
            f"Ruaridh, {LONG[world.overtaken]} of press week is out for me, the whole day – I'm minding my niece. Sorry.\n\nMabyn\n",
        ),
        (
            grower("back"),
            "Tue, 06 Oct 2026 08:02:00 +0100",
            "not coming",
            f"Dear Ruaridh,\n\nwe shall not be coming after all – the trailer's axle is broken. Please give our place to somebody else.\n\n{first('back')}\n",
        ),
        (
            grower("neighbour"),
            "Tue, 06 Oct 2026 18:30:00 +0100",
            "from over the hedge",
            f"Dear Ruaridh,\n\nso that you know: {grower('hearsay')[0]} told me over the hedge that they are giving their apples to the pigs this year, so you "
            f"can strike them off your list. We ourselves are coming, of course.\n\n{first('neighbour')}\n",
        ),
        (
            grower("hail"),
            "Wed, 07 Oct 2026 12:20:00 +0100",
            "hail",
            f"Dear Ruaridh,\n\nyesterday's hail has had all our perry pears, so please strike those off. The apples hung on the other side of the house and "
            f"come as booked.\n\n{first('hail')}\n",
        ),
        (
            ("Hester Quaife", "hester@quernside-press.example"),
            "Wed, 07 Oct 2026 21:05:00 +0100",
            "Supper",
            "Ruaridh, supper for the crew is on Saturday at seven – 14 plates, I have 11. Hester\n",
        ),
        (
            grower("back"),
            "Thu, 08 Oct 2026 19:47:00 +0100",
            "Re: not coming",
            f"Dear Ruaridh,\n\nthe smith has mended the axle! Take no notice of what I wrote on Tuesday – we come as booked.\n\n{first('back')}\n",
        ),
        (
            crew(2),
            "Fri, 09 Oct 2026 07:55:00 +0100",
            f"{LONG[world.gone_day]} next week",
            f"Morning Ruaridh,\n\non {LONG[world.gone_day]} I must be out of the barn by four in the afternoon; the calendar still has me there "
            "for longer. Everything else in it stands.\n\nLorcan\n",
        ),
    )
    return b"".join(message(*who, date, subject, body) for who, date, subject, body in letters)


def rules(world):
    pence, money = world.pence, lambda p: f"{p / 100:.2f}"
    return f"""# Pressing rules, 2026 edition

All times are by the barn clock. Press week is Monday 12 to Saturday 17 October 2026.

1. **Slots.** Three a day: A from 08:30 to 11:00, B from 11:30 to 14:00, C from 14:30 to 17:00. They are written `Mon-A`, `Mon-B` and so on to `Sat-C`. A slot for which the press log says that the press is off does not run, and nobody is put down for it.
2. **Crew.** Go through the slots in order of time. The leader is, among those on the crew list who may lead and are free for the whole slot, the one with the fewest slots so far this week, led or helped; if equal, the one who stands higher on the list. Then the helper is found in the same way among those who may help, without the leader. If there is no leader or no helper, the slot does not run and counts for nobody.
3. **Closing.** Bookings are taken up to and including 18:00 on Sunday 4 October. Until the same moment a grower may change an amount by mail; a change that comes later is not made. A grower may withdraw a booking by mail until the board hangs, and take that back again. Only mail from the address in the register counts, for that grower's own bookings; a later mail beats an earlier one. However it is changed, a booking keeps the time at which it first came in.
4. **Twice the same.** If a grower has booked the same fruit twice, the booking that came in later replaces the other, whatever the amounts. A withdrawn or late booking replaces nothing. Apples and organic apples are two fruits here, as booked.
5. **Amounts** are in kilograms. A sack counts as {world.sack} kg. Less than {world.least} kg is too small.
6. **Fruit.** A slot takes one kind of fruit, which is settled by the first booking placed in it. Perry pears go into C slots only, as the press is scrubbed after them. Organic apples go into A slots only; apples go into any slot. Organic needs a certificate in the register that is valid to the end of press week at least; without it they are placed as apples.
7. **Placing.** All that is booked and neither withdrawn, replaced, late nor too small is placed in this order: shareholders (`share`), friends, guests; within a class by the hours worked in the year before, most first (no entry is no hours); if equal, by the time the booking came in. Each booking goes, whole, into the first slot in order of time that lies on one of its days, runs, may take its fruit and has room for it. A slot holds {world.room} kg. Nothing that has been placed is moved again, and a booking that finds no room holds up nobody behind it.
8. **Not placed.** Each booking that is not on the board gets the first of these reasons that is true of it: `withdrawn`, `replaced`, `late`, `too-small`, `no-slot` (on its days no slot runs that could take its fruit even if the whole board were still empty), `full` (all else).
9. **Fees** per kilogram placed: shareholders {pence["share"]}p, friends {pence["friend"]}p, guests {pence["guest"]}p. The fee of each booking is rounded up to a multiple of 50p, and is at least £{money(world.fee_least)}.
10. **Crew allowance.** £{money(world.pay_lead)} for a slot led, £{money(world.pay_help)} for a slot helped.
"""


def old_rules(world):
    return f"""# Pressing rules, 2024 edition

1. Four slots a day of two hours each, from 8 am.
2. A slot has a leader. Who helps is settled on the day.
3. Bookings close a week before.
4. A sack counts as {world.sack + 2} kg. There is no smallest amount.
5. First come, first served. A slot holds {world.room - 100} kg.
6. Everybody pays {world.pence["share"] + 3}p per kilogram.
"""


def committee(world):
    july = f"""Quernside Community Press - memo of the committee, 2 July 2026

To be read with the pressing rules, 2026 edition.

Section 5: from this year on, less than {world.least_now} kg is too small.
Section 7: the old belt slips. Until it is replaced a slot holds {world.room_july} kg.
Section 9: friends pay {world.friend_now}p. Shareholders and guests as printed.

Signed: Hester Quaife, chair
"""
    september = f"""Quernside Community Press - memo of the committee, 21 September 2026

To be read with the pressing rules, 2026 edition, and with our memo of 2 July.

Section 2: nobody works more than two slots on one day. Whoever has two is
passed over for the third.
Section 5: we have put forty sacks on the scales. A sack counts as {world.sack_now} kg.
Section 7: the new belt is on, so a slot holds what is printed there.
Section 7: the hours that count are this year's, worked from 1 January up to
and including 30 September, not those of the year before.

Signed: Hester Quaife, chair
"""
    draft = f"""Quernside Community Press - memo of the committee, 5 October 2026 - DRAFT

Section 7: a slot holds {world.room + 50} kg.
Section 7: friends come before shareholders if they have worked more.
Section 9: guests pay {world.pence["guest"] + 3}p.

Signed: (Hester wants to sleep on it; November at the earliest)
"""
    return {
        "committee/memo-2026-07-02.txt": july,
        "committee/memo-2026-09-21.txt": september,
        "committee/memo-2026-10-05.txt": draft,
    }


def press_log(world):
    date = lambda day: f"{DAYS[day]} {MONDAY.day + day} Oct"
    slots = " and ".join("ABC"[n] for n in world.off_slots)
    return f"""PRESS LOG (newest at the bottom)

19 Sep  new belt on, two hours' run, no slip
28 Sep  knives ground. 3 bags of rice hulls left
 1 Oct  electrician comes {date(world.open_again)}, press off in slots {slots}
 3 Oct  pump seal weeps a little, watch it
 7 Oct  electrician rang: comes {date(world.off_day)} instead, same slots. {LONG[world.open_again]} is ours again
 8 Oct  pump seal changed
"""


def last_board(world):
    """Last year's board, when other people worked the press."""
    rng = world.rng
    rows = [("slot", "leader", "helper", "growers")]
    for slot in range(18):
        if rng.random() < 0.75:
            numbers = " ".join(rng.sample(sorted(world.growers), 2))
            crew = rng.choice(("RPE", "HQU")), rng.choice(("OBL", "TSE", "WMO"))
            rows.append((f"{DAYS[slot // 3]}-{'ABC'[slot % 3]}", *crew, numbers))
    return delimited(rows, "\t")


START_HERE = """PRESS WEEK: START HERE

For whoever does it when I can't.                      Ruaridh Penhallow

RULES     rules/pressing-rules-2026.md is what we go by, as changed by the
          committee's memos. A memo is in force once Hester has signed it.
          Of two memos on the same point the later one is right; what no memo
          mentions stands as printed. The 2024 edition is for the archive.

BOOKINGS  come by the web form (bookings/form-export.csv) and on the sheet in
          the barn, which Oona types (bookings/barn-sheet.yaml). Together they
          are all there is. The form stamps its entries in UTC; Oona goes by
          the barn clock, which is an hour ahead of that until the 25th. The
          form knows a grower by the mail address, see growers/register.json.
          Remarks are conversation and bind nobody.

MAIL      mail/inbox.mbox is all I have had since September. What a grower can
          do by mail, and until when, is in section 3.

CREW      crew/crew.tsv is the crew list, in its order. Everybody keeps a
          calendar, but not in the same way (column "shows"):
            free   they can come during the events called Press; everything
                   else in it is their own business
            busy   they cannot come during anything that is in it, and can
                   come at all other times
          A cancelled event counts for nothing. A time without a zone is by
          the barn clock. I fetched the calendars on Thursday 8 October at
          noon. What one of the crew has written to me since then counts on
          top of the calendar; anything before that is overtaken by it.

PRESS     press/log.txt says when the press is off. A later line beats an
          earlier one.

HOURS     work/ has Oona's log for this year and the totals for last year.
"""


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    world = World(seed)
    register = [{"no": number, **world.growers[number]} for number in sorted(world.growers)]
    files = {
        "START-HERE.txt": START_HERE.replace("\n", "\r\n"),
        "rules/pressing-rules-2024.md": old_rules(world),
        "rules/pressing-rules-2026.md": rules(world),
        **committee(world),
        **crew_files(world),
        "bookings/form-export.csv": form_export(world),
        "bookings/barn-sheet.yaml": barn_sheet(world),
        "growers/register.json": json.dumps(register, ensure_ascii=False, indent=1) + "\n",
        "work/hours-2026.csv": hours_log(world),
        "work/hours-2025.csv": delimited([("grower", "hours"), *sorted(world.last_year)], ","),
        "mail/inbox.mbox": inbox(world),
        "press/log.txt": press_log(world),
        "archive/board-2025.tsv": last_board(world),
        "archive/labels.txt": "Labels for the bottles: 400 left, cream paper. Printer wants the order by the 20th.\n",
    }
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    import sys

    generate(int(sys.argv[1]), sys.argv[2])
