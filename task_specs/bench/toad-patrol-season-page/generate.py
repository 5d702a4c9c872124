"""Writes a workspace for this task: the same season's end, with other people, trips, corrections and dates."""

import datetime as dt
import hashlib
import json
import math
import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

FIRST = (
    "Otmar Pruella Hebe Jarvis Lettice Corin Maudlin Tavish Wenna Isolt Barnaby Odile Rufus Sunniva Elkan Drusilla "
    "Gethin Marit Philo Ysolde Cuthwin Anthea"
).split()
LAST = (
    "Crakehall Benbow Tarrant Ollerenshaw Pimblett Haddock Quillfeather Sprackling Mudge Thripp Larkrise Bodfish "
    "Nunnely Yaxter Gomershall Pettigrue Vellacott Rushmere"
).split()
TAILS = ("", "", " (late bucket)", " T.P.", " at no. 9", "bird", " new phone")
CROSSINGS = {"S": "Sluice Lane", "T": "Tannery Bridge", "C": "Chapel Dip"}
OPENS, CLOCKS_CHANGE = dt.date(2026, 2, 1), dt.datetime(2026, 3, 29, 2, 0)
DAY = dt.timedelta(days=1)
ORDINAL = {7: "seven", 8: "eight", 9: "nine", 10: "ten"}


@dataclass
class Trip:
    """One trip as it really was, and what the sheet says differently."""

    crossing: str
    start: dt.datetime
    crew: tuple
    m: int = 0
    f: int = 0
    pr: int = 0
    u: int = 0
    frogs: int = 0
    dead: int = 0
    chalked: int = 0
    back: bool = False
    void: bool = False
    slip: str = ""
    on_sheet: dict | None = field(default_factory=dict)

    @property
    def night(self):
        return (self.start - dt.timedelta(hours=12)).date()

    @property
    def carried(self):
        return 0 if self.back or self.void else self.m + self.f + 2 * self.pr + self.u

    @property
    def late(self):
        return self.start >= dt.datetime.combine(self.night, dt.time(22, 0))

    def written(self, name):
        return self.on_sheet.get(name, getattr(self, name))


class Season:
    """One season with every trap of the task present; `faults` says why an attempt cannot be used."""

    def __init__(self, seed, attempt):
        key = f"toad-patrol-season-page:{seed}:{attempt}"
        self.rng = random.Random(hashlib.sha256(key.encode()).digest())
        self.closing = dt.date(2026, 5, self.rng.choice([2, 3, 4]))
        self.threshold = self.rng.choice([7, 8, 9, 10])
        self._people()
        self._trips()
        self._number()
        self._paper_trail()
        self._last_year()
        self.blocked = self.rng.choice([1, 2])

    def _people(self):
        rng = self.rng
        firsts, lasts = rng.sample(FIRST, 13), rng.sample(LAST, 13)
        self.people = {}
        for first, last in zip(firsts, lasts):
            sign = first[0] + last[0]
            if sign in self.people:
                sign = first[0] + last[:2]
            chat = first + rng.choice(TAILS)
            self.people[sign] = {"name": f"{first} {last}", "chat": chat, "print": "yes"}
            self.people[sign]["email"] = f"{first}.{last}@aldermarsh.example".lower()
        order = rng.sample(sorted(self.people), 13)
        names = ("star", "second", "turned", "vouched", "wavers", "refuses")
        self.role = dict(zip(names, order))
        for name in ("turned", "refuses"):
            self.people[self.role[name]]["print"] = "no"
        self.people[self.role["vouched"]]["print"] = ""
        weights = [9, 7, 4, 4, 4, 2, 4, 3, 3, 2, 2, 1, 1]
        self.weight = dict(zip(order, weights))

    def _crew(self, size, taken):
        crew = []
        while len(crew) < size:
            free = [s for s in self.weight if s not in taken and s not in crew]
            crew.append(self.rng.choices(free, [self.weight[s] for s in free])[0])
        return tuple(crew)

    def _evening(self, night, first, last):
        """A start between two times, in minutes after noon, on the clock of the place."""
        minutes = self.rng.randrange(first, last, 5)
        return dt.datetime.combine(night, dt.time(12, 0)) + dt.timedelta(minutes=minutes)

    def _counts(self, trip, level, harm):
        rng = self.rng
        if rng.random() < 0.1:
            return
        found = int(level * rng.uniform(0.5, 1.5)) + 1
        trip.pr = sum(rng.random() < 0.14 for _ in range(found))
        trip.f = sum(rng.random() < 0.2 for _ in range(found - trip.pr))
        trip.u = sum(rng.random() < 0.07 for _ in range(found - trip.pr - trip.f))
        trip.m = found - trip.pr - trip.f - trip.u
        trip.frogs = rng.choice([0, 0, 0, 1, 2, 5])
        trip.dead = sum(rng.random() < harm for _ in range(found // 3 + 2))
        if trip.late:
            trip.chalked = rng.randint(0, trip.dead)
        trip.back = rng.random() < (0.3 if trip.night > dt.date(2026, 4, 8) else 0.04)

    def _trips(self):
        rng = self.rng
        span = lambda a, b: [a + DAY * n for n in range((b - a).days + 1)]
        may = dt.date(2026, 5, 1)
        nights = rng.sample(span(dt.date(2026, 1, 21), dt.date(2026, 1, 31)), 2)
        nights += rng.sample(span(dt.date(2026, 2, 17), dt.date(2026, 4, 30)), rng.randrange(28, 36))
        nights += rng.sample(span(may, self.closing), 2) + rng.sample(span(self.closing + DAY, dt.date(2026, 5, 8)), 2)
        self.trips, peak = [], dt.date(2026, 3, rng.randrange(12, 27))
        harm = dict(zip(rng.sample("STC", 3), (0.62, 0.4, 0.3)))
        empty = rng.sample([n for n in nights if OPENS <= n < may], 2)  # nobody got as far as the road
        self.void_nights = dict(zip(("void_chat", "void_sheet"), empty))
        for night in sorted(nights):
            if night in empty:
                letter = rng.choice("ST")
                self.trips.append(Trip(letter, self._evening(night, 420, 540), self._crew(2, ()), void=True))
                continue
            level = 3 + 17 * math.exp(-(((night - peak).days / 11) ** 2))
            taken = []
            for letter in rng.sample("STC", rng.choice([1, 2, 2, 3, 3])):
                crew = self._crew(rng.choice([1, 2, 2]), taken)
                taken += crew
                starts = [self._evening(night, 430, 585)]
                if rng.random() < 0.62:
                    starts.append(self._evening(night, 600, 770))
                for start in starts:
                    trip = Trip(letter, start, crew)
                    self._counts(trip, level, harm[letter])
                    self.trips.append(trip)

    def _number(self):
        self.trips.sort(key=lambda trip: (trip.start, trip.crossing))
        for letter in CROSSINGS:
            number = 0
            for trip in self.trips:
                if trip.crossing == letter:
                    number += 1
                    trip.slip = f"{letter}-{number:03d}"

    def _pick(self, fits):
        found = [t for t in self.trips if t.slip not in self.used and OPENS <= t.night <= self.closing and fits(t)]
        trip = self.rng.choice(found)
        self.used.add(trip.slip)
        return trip

    def _paper_trail(self):
        """Chooses the trips whose sheet is wrong, missing or astray."""
        full = lambda t: t.m >= 5 and not t.back and not t.void
        self.used = {t.slip for t in self.trips if t.void}
        self.case = case = {}
        for name, night in self.void_nights.items():
            case[name] = next(t for t in self.trips if t.night == night)
        case["void_chat"].on_sheet["void"] = False
        case["lost"] = [self._pick(lambda t, c=letter: full(t) and t.crossing == c) for letter in "CCT"]
        case["lost"].append(self._pick(lambda t: full(t) and t.crossing == "S" and t.start.hour < 6))
        for trip in case["lost"]:
            trip.on_sheet, trip.frogs = None, 0
        case["slipped"] = self._pick(lambda t: full(t) and t.crossing == "S")
        case["slipped"].on_sheet["m"] = case["slipped"].m + 10
        case["twice"] = self._pick(lambda t: full(t) and t.crossing == "C")
        case["twice"].on_sheet["m"] = case["twice"].m + 6
        case["doubted"] = self._pick(lambda t: full(t) and t.crossing == "T")
        case["backward"] = self._pick(lambda t: t.m >= 3 and not t.void)
        case["backward"].back, case["backward"].on_sheet["back"] = True, False
        case["chalk"] = self._pick(lambda t: t.dead >= 2 and t.late and not t.void)
        case["chalk"].on_sheet["chalked"], case["chalk"].chalked = 0, case["chalk"].dead
        case["echo"] = self._pick(full)
        case["astray"] = [self._pick(lambda t: full(t) and t.crossing == "S") for _ in range(2)]
        case["double"] = self._pick(lambda t: full(t) and t.crossing == "S")
        case["ten"] = self._pick(lambda t: full(t) and t.late and t.start.minute % 10 == 0 and t.crossing == "C")
        case["ten"].start = dt.datetime.combine(case["ten"].night, dt.time(22, 0))

    def _last_year(self):
        rng = self.rng
        self.pairs, self.pairs_misread = rng.randrange(92, 139), rng.randrange(141, 178)
        self.backward = rng.randrange(23, 58)
        self.restated = self.facts()["carried"] + rng.choice([-1, 1]) * rng.randrange(97, 240)
        self.printed = self.restated - self.pairs + self.backward

    def facts(self):
        """What the page must say, from the trips as they really were."""
        season = [t for t in self.trips if OPENS <= t.night <= self.closing and not t.void]
        by_night, lost, carried, out = Counter(), Counter(), Counter(), defaultdict(set)
        for trip in season:
            by_night[trip.night] += trip.carried
            carried[trip.crossing] += trip.carried
            lost[trip.crossing] += trip.dead - trip.chalked
            for sign in trip.crew:
                out[sign].add(trip.night)
        return {
            "nights": len(by_night),
            "carried": sum(carried.values()),
            "late": sum(t.carried for t in season if t.late),
            "lost": sum(lost.values()),
            "top_nights": [count for _, count in by_night.most_common(2)],
            "rates": sorted(100 * lost[c] / (carried[c] + lost[c]) for c in CROSSINGS),
            "out": {sign: len(out[sign]) for sign in self.people},
        }

    def faults(self):
        """Ties, half-way roundings and traps that do not bite; an attempt with any of them is thrown away."""
        facts, role = self.facts(), self.role
        out, rates = facts["out"], facts["rates"]
        named = [s for s in self.people if s not in (role["star"], role["vouched"], role["refuses"])]
        ranked = sorted((out[s] for s in named), reverse=True)
        below = [s for s in named if out[s] < self.threshold]
        app_late = [t for t in self.trips if t.crossing == "T" and t.start > CLOCKS_CHANGE and t.late]
        yield from (
            out[role["star"]] <= out[role["second"]],
            out[role["second"]] != ranked[0] or ranked[0] == ranked[1],
            min(out[role[name]] for name in ("turned", "vouched", "wavers")) < self.threshold,
            not 2 <= len(below) <= 5,
            self.threshold not in ranked or self.threshold - 1 not in ranked,
            facts["top_nights"][0] == facts["top_nights"][1],
            rates[2] - rates[1] < 3 or abs(rates[2] % 1 - 0.5) < 0.06,
            sum(t.carried for t in app_late if t.start.hour == 22) < 8,
            len({p["chat"] for p in self.people.values()}) < len(self.people),
            facts["late"] < 100 or facts["lost"] < 40,
        )


def table(rows, separator=","):
    return "".join(separator.join(str(cell) for cell in row) + "\n" for row in rows)


def mail(sender, date, subject, body):
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = sender, "Dilys Amphlett-Rowe <dilys@aldermarsh.example>"
    message["Date"], message["Subject"] = date, subject
    message.set_content(body, charset="utf-8", cte="quoted-printable")
    return message.as_bytes()


def sluice_row(trip):
    nought = lambda name: trip.written(name) or ""
    remark = "void, turned back" if trip.written("void") else ("drizzle, 7½ °C" if trip.m % 4 == 1 else "")
    if not remark and not any(trip.written(n) for n in ("m", "f", "pr", "u", "dead")):
        remark = "nil"
    heading = "back" if trip.written("back") else "water"
    counts = [nought(name) for name in ("m", "f", "pr", "u", "frogs", "dead", "chalked")]
    return [trip.slip, f"{trip.start:%d/%m/%y}", f"{trip.start:%H:%M}", "+".join(trip.crew), *counts, heading, remark]


def sluice_sheet(trips):
    head = "Slip;Date;Start;Who;Males;Females;Pairs;Unsexed;Frogs;Dead;of which chalked;Heading;Remarks".split(";")
    return table([head, *map(sluice_row, trips)], ";").replace("\n", "\r\n").encode("cp1252")


def app_trip(trip):
    utc = trip.start - dt.timedelta(hours=trip.start >= CLOCKS_CHANGE)
    entry = {"slip": trip.slip, "start": f"{utc:%Y%m%dT%H%MZ}", "crew": list(trip.crew)}
    for key, name in {**{n: n for n in ("m", "f", "pr", "dead", "chalked")}, "unk": "u", "frog": "frogs"}.items():
        if trip.written(name):
            entry[key] = trip.written(name)
    entry["total"] = sum(trip.written(name) for name in ("m", "f", "pr", "u"))
    entry["dir"] = -1 if trip.written("back") else 1
    if trip.written("void"):
        entry["discarded"] = True
    return entry


def app_export(trips):
    body = {"app": "BucketTally", "site": "Tannery Bridge", "trips": [app_trip(t) for t in trips]}
    return json.dumps(body, indent=1) + "\n"


def chapel_line(trip):
    counts = [f"{trip.written(n)}{n}" for n in ("m", "f", "pr", "u") if trip.written(n)]
    if trip.frogs:
        counts.append(f"{trip.frogs} frogs")
    if trip.written("dead"):
        counts.append(
            f"dead {trip.dead}" + (f" ({trip.written('chalked')} chalked)" if trip.written("chalked") else "")
        )
    if trip.written("back"):
        counts.append("BACK")
    day = f"{trip.start:%a} {trip.start.day:2} {trip.start:%b}"
    return f"{trip.slip}  {day}  {trip.start:%H:%M}  {'+'.join(trip.crew):8} {'  '.join(counts) or 'nil'}"


def chapel_sheet(trips):
    head = [
        "CHAPEL DIP 2026, typed up from paper",
        "m males  f females  pr pairs  u unsexed",
        "(n chalked) = of the dead",
        "",
    ]
    return "\r\n".join([*head, *map(chapel_line, trips), ""]).encode("utf-8-sig")


def said(trip):
    """The counts of a trip as people write them in the chat."""
    words = {"m": "male", "f": "female", "pr": "pair"}
    parts = [f"{getattr(trip, n)} {w}{'s' * (getattr(trip, n) != 1)}" for n, w in words.items() if getattr(trip, n)]
    if trip.u:
        parts.append(f"{trip.u} unsexed")
    if trip.dead:
        parts.append(f"{trip.dead} dead" + (f" ({trip.chalked} of them chalked)" if trip.chalked else ""))
    return ", ".join(parts)


LOST_BECAUSE = (
    "the paper went into the ditch",
    "I was out of slips and wrote it on my hand",
    "my phone died before it was sent",
    "Dilys had the spreadsheet open",
)


def chat_messages(season):
    """Messages as (time, author, text), in no order."""
    rng, case, people = season.rng, season.case, season.people
    morning = lambda trip, days=1: dt.datetime.combine(
        trip.night + DAY * days, dt.time(rng.randrange(7, 12), rng.randrange(60), rng.randrange(60))
    )
    by = lambda trip: people[rng.choice(trip.crew)]["chat"]
    outsider = lambda trip: people[rng.choice([s for s in sorted(people) if s not in trip.crew])]["chat"]
    found = []
    for trip, reason in zip(case["lost"], LOST_BECAUSE):
        writer = rng.choice(trip.crew)
        other = [s for s in trip.crew if s != writer]
        company = f"with {other[0]}" if other else "on my own"
        day = f"{trip.start:%A} {trip.start.day} {trip.start:%B}, {trip.start:%H:%M}"
        text = f"{trip.slip} is on no sheet, {reason}. {day}, {company}: {said(trip)}. All heading for the water."
        found.append((morning(trip), people[writer]["chat"], text))
    slipped, twice, doubted = case["slipped"], case["twice"], case["doubted"]
    echo, chalk, backward, void = case["echo"], case["chalk"], case["backward"], case["void_chat"]
    found += [
        (morning(slipped), by(slipped), f"{slipped.slip} should read {slipped.m} males, Dilys, my pen slipped."),
        (
            morning(twice),
            by(twice),
            f"{twice.slip} should read {twice.m + 3} males, I left out the last bucket or so I think.",
        ),
        (
            morning(twice, 3),
            by(twice),
            f"{twice.slip} again, sorry: {twice.m} males. Found the tally card in my boot, that settles it.",
        ),
        (
            morning(doubted),
            outsider(doubted),
            f"Are we sure about {doubted.slip}? I drove past and would say {doubted.m + 17} males at least.",
        ),
        (morning(echo), by(echo), f"{echo.slip} for those who asked: {said(echo)}. On the sheet as well."),
        (morning(chalk, 2), by(chalk), f"{chalk.slip}: the dead were chalked already, all of them. I forgot the box."),
        (morning(backward, 2), by(backward), f"{backward.slip}: those were heading back, every one. Wrong box."),
        (morning(void), by(void), f"{void.slip} is void, we turned back at the stile. Ice."),
    ]
    return found + small_talk(season, morning)


def small_talk(season, morning):
    rng, people = season.rng, season.people
    signs = rng.sample(sorted(people), 8)
    trips = rng.sample([t for t in season.trips if t.night < dt.date(2026, 4, 20)], 8)
    texts = [
        "About sixty last night by the bridge, pure magic!! Didn't count properly.",
        "The grey van again, flat out through the puddle. We all know whose it is.",
        "Oh do leave him alone, he has a bakery to open at four.",
        "If you defend him once more I hand in my bucket.\nI mean it.",
        "\u200e<Media omitted>",
        "Who has the spare vest? And whose is the flask (tartan, dented)?",
        "Two hedgehogs on Chapel Dip. Not on the form, I know.",
        "Cold and dry tonight, I'd stay in.",
    ]
    return [(morning(trip), people[sign]["chat"], text) for trip, sign, text in zip(trips, signs, texts)]


def chat_export(season):
    lines = ["[17/01/26, 18:02:11] Toad patrol Aldermarsh: \u200eDilys created this group"]
    for time, author, text in sorted(chat_messages(season)):
        lines.append(f"[{time:%d/%m/%y, %H:%M:%S}] {author}: {text}")
    return "\n".join(lines) + "\n"


def recorder_mails(season):
    vane = "Sorrel Vane <recorder@countyamphibians.example>"
    closing = f"{season.closing.day} {season.closing:%B}"
    return {
        "mail/2026-01-12-county.eml": mail(
            vane,
            "Mon, 12 Jan 2026 09:20:00 +0000",
            "Handbook, sixth edition",
            "Dear Dilys,\n\nthe sixth edition of the handbook is still with the printer. Until you hear from me, count by the fifth.\n\nSorrel\n",
        ),
        "mail/2026-02-06-county.eml": mail(
            vane,
            "Fri, 06 Feb 2026 16:41:00 +0000",
            "Re: Handbook, sixth edition",
            "Dear Dilys,\n\nhere it is. The sixth edition applies to the whole of 2026, trips before today included, so please go by it and forget what I "
            "wrote in January.\n\nSorrel\n",
        ),
        "mail/2026-03-09-county.eml": mail(
            vane,
            "Mon, 09 Mar 2026 11:05:00 +0000",
            "Your 2025 figure",
            f"Dear Dilys,\n\nso that the two years can be compared, please restate the number of toads carried that you printed for 2025. It was counted by "
            f"the fifth edition, with each pair as one; your slips of 2025 show {season.pairs_misread} pairs, and one toad is missing for each of them. And it "
            f"includes {season.backward} toads that were heading back, which we no longer count.\n\nSorrel\n",
        ),
        "mail/2026-03-18-county.eml": mail(
            vane,
            "Wed, 18 Mar 2026 08:55:00 +0000",
            "Re: Your 2025 figure",
            f"Dear Dilys,\n\nmy mistake: I had slips of 2024 in the pile. The pairs of 2025 are {season.pairs}. The other number that I gave you stands.\n\nSorrel\n",
        ),
        "mail/2026-04-27-county.eml": mail(
            vane,
            "Mon, 27 Apr 2026 17:30:00 +0100",
            "Late spring, and edition seven",
            f"Dear all,\n\nafter the cold April the season in our district closes later than section 7 says: {closing} is its last night this year. I also "
            "enclose a draft of the seventh edition. It is for your comments and not for this year's count.\n\nSorrel\n",
        ),
    }


def name_mails(season):
    people, role = season.people, season.role
    sender = lambda name: f"{people[role[name]]['name']} <{people[role[name]]['email']}>"
    first = lambda name: people[role[name]]["name"].split()[0]
    helper = next(s for s in sorted(people) if s not in role.values())
    speaks = f"{people[helper]['name']} <{people[helper]['email']}>"
    letters = [
        ("03-02", "Mon, 02 Mar 2026 20:10:00 +0000", sender("wavers"), "the page", "Dilys, please leave my name off the page this time, work is being difficult about publicity."),
        ("03-30", "Mon, 30 Mar 2026 07:44:00 +0100", sender("turned"), "names", "Hello Dilys,\n\nI ticked no in January, but you may print my name after all. My granddaughter collects the magazine."),
        ("04-14", "Tue, 14 Apr 2026 12:31:00 +0100", speaks, "names again", f"Dilys, do put {people[role['vouched']]['name']} on the page as well. {first('vouched')} would never ask, but has earned it twice over."),
        ("04-19", "Sun, 19 Apr 2026 21:02:00 +0100", sender("wavers"), "Re: the page", "Dilys, I have changed jobs, so all is well: you may print my name."),
        ("05-04", "Mon, 04 May 2026 18:15:00 +0100", sender("star"), "a favour", "Dear Dilys,\n\nI loved every night of it, but please leave my name off the page. I would rather be a rumour."),
    ]  # fmt: skip
    return {
        f"mail/2026-{day}-{address.split()[0].lower()}.eml": mail(
            address, date, subject, f"{text}\n\n{address.split()[0]}\n"
        )
        for day, date, address, subject, text in letters
    }


def hall_diary(season):
    """Wednesdays in February 2027: the first `blocked` of them are let in the evening, the next one only seems to be."""
    rng = season.rng
    wednesdays = [dt.date(2027, 2, 3) + DAY * 7 * n for n in range(4)]
    clashes = [("Bell ringers' supper", "1800", "2000"), ("Whist drive", "2030", "2300")]
    rng.shuffle(clashes)
    events = [(day, *clash, "CONFIRMED") for day, clash in zip(wednesdays[: season.blocked], clashes)]
    free = wednesdays[season.blocked]
    events += [
        (free, "Lace circle", "1430", "1900", "CONFIRMED"),
        (free, "Quiz night", "1930", "2200", "CANCELLED"),
        (free + DAY, "Parish council", "1900", "2130", "CONFIRMED"),
        (dt.date(2027, 1, 27), "Burns supper", "1830", "2300", "CONFIRMED"),
        (wednesdays[3], "Blood donors", "1300", "2000", "CONFIRMED"),
    ]
    rng.shuffle(events)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Aldermarsh hall//diary//EN"]
    for number, (day, title, begin, end, status) in enumerate(events):
        lines += ["BEGIN:VEVENT", f"UID:{number}@hall.example", f"DTSTART:{day:%Y%m%d}T{begin}00"]
        lines += [
            f"DTEND:{day:%Y%m%d}T{end}00",
            f"SUMMARY:{title}",
            "DESCRIPTION:Keys from the shop\\, back through the",
            "  letter box.",
        ]
        lines += [f"STATUS:{status}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def old_page(year, carried, nights):
    return f"""# The toads of {year}

In early spring our toads walk to the mill pond, as their grandparents did, and three roads lie in their way. On wet evenings we stand there with buckets and carry them over. We carried {carried:,} toads this time, on {nights} nights.

If you meet us in the dark, please slow down and wave.

- Carried: {carried:,}
- Nights: {nights}
"""


def sheets(season):
    case = season.case
    on = {c: [t for t in season.trips if t.crossing == c and t.on_sheet is not None] for c in CROSSINGS}
    astray, double = case["astray"], case["double"]
    sluice = [t for t in on["S"] if t is not astray[0]]
    at = sluice.index(double)
    sluice.insert(min(at + 3, len(sluice)), double)
    chapel = sorted([*on["C"], *astray], key=lambda t: t.start)
    return {
        "sheets/sluice-lane.csv": sluice_sheet(sluice),
        "sheets/tannery-bridge.json": app_export(on["T"]),
        "sheets/chapel-dip.txt": chapel_sheet(chapel),
        "sheets/app-export-notes.txt": APP_NOTES,
        "sheets/old/sluice-lane (copy 28 March).csv": sluice_sheet(
            [t for t in on["S"] if t.night < dt.date(2026, 3, 28)]
        ),
    }


def people_list(season):
    rows = [(s, p["name"], p["chat"], p["email"], p["print"]) for s, p in sorted(season.people.items())]
    return table([("sign", "name", "chat_name", "email", "name_in_print"), *rows])


def contents(season):
    rng = season.rng
    return {
        "START-HERE.txt": START_HERE.format(threshold=ORDINAL[season.threshold]),
        **sheets(season),
        "chat/toad-patrol-chat.txt": chat_export(season),
        "county/handbook-edition-5.txt": HANDBOOK_5,
        "county/handbook-edition-6.txt": HANDBOOK_6,
        "county/handbook-edition-7-DRAFT.txt": HANDBOOK_7,
        **recorder_mails(season),
        **name_mails(season),
        "people/patrollers-january.csv": people_list(season),
        "last-years/page-2024.md": old_page(2024, season.printed + rng.randrange(60, 150), rng.randrange(22, 27)),
        "last-years/page-2025.md": old_page(2025, season.printed, rng.randrange(22, 27)),
        "hall/diary-2027.ics": hall_diary(season),
        "shed.txt": f"Buckets {rng.randrange(11, 16)}, lids {rng.randrange(5, 10)}. Vests 9, one of them child's. Chalk: buy some.\nHigh shelf: bunting, not ours.\n",
    }


def gives_away(season, files):
    """Whether a figure of the page stands somewhere in the folder."""
    facts = season.facts()
    figures = (facts["carried"], season.restated, facts["late"], facts["lost"])
    plain = [f.decode("cp1252", "replace") if isinstance(f, bytes) else f for f in files.values()]
    return any(str(n) in text or f"{n:,}" in text for n in figures if n > 99 for text in plain)


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    for attempt in range(10_000):
        try:
            season = Season(seed, attempt)
        except IndexError:  # no trip left that suits a trap
            continue
        if any(season.faults()):
            continue
        files = contents(season)
        if not gives_away(season, files):
            break
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


START_HERE = """START HERE                                          Dilys, Monday 11 May

Dictated to my sister. I broke my wrist on Chapel Dip (wet leaves, no toad was hurt).

THE RECORDS. sheets/ has a file for each crossing. Every trip has a slip number: S is Sluice Lane, T is Tannery Bridge, C is Chapel Dip. The letter tells the crossing, whatever file a slip has strayed into, and one slip is one trip however often it was written down. Sluice Lane is my spreadsheet, Tannery Bridge comes out of the telephone app (read the notes beside it), Chapel Dip is typed up from paper. Chapel Dip's dates are those on the clock, as everywhere: half past midnight is the new day's date. sheets/old/ is a backup.

THE CHAT counts as well. When somebody who was on a trip names its slip there, what they say about it replaces what the sheet says on that point; the rest of the sheet's line stands. A slip that is on no sheet counts as told in the chat. If the same point comes up again, the later message wins. What people say about trips they were not on is talk.

WHAT IS COUNTED, AND HOW. By the county handbook (county/). Which edition applies to 2026, and what is different this year, is in the county recorder's mails, Sorrel Vane's. Where she contradicts herself the later mail wins.

LAST YEAR. What we printed is in last-years/. Sorrel wants it restated, see her mails. Quote the restated figure only.

NAMES. No name on the page unless its owner has said yes. The list in people/ is from January (no tick is no yes). Some have written since: each person's own last word counts, and nobody speaks for anybody else. Somebody was "out" on a night when they were on at least one trip of that night, at whichever crossing, in the season. We thank, by name, everyone who was out on {threshold} nights or more and may be named. Whichever of them was out most is thanked along with the rest.

THE BRIEFING is on the first Wednesday in February, from seven to nine in the evening, in the hall. If the hall is let for any of that time we take the next Wednesday on which it is free. The hall's diary for 2027 is in hall/. A booking that was cancelled is no booking, and one that ends at seven does not bother us.

WHAT I WANT TO ASK FOR. One thing only, not money, not buckets. We need people for the second shift, from ten till half past midnight, because that is when we are thin on the road, and above all at the crossing with the highest loss rate. No experience needed, we lend vest and torch. Whoever is willing comes to the briefing, that is all, no signing up beforehand.
"""

APP_NOTES = """BucketTally, what the export contains

start      when the trip began, in UTC (the app knows no summer time; ours began on 29 March)
crew       signs of those on the trip
m f pr unk males, females, pairs, unsexed. Left out where there were none
total      m + f + pr + unk. The app takes a pair for one, do not use
frog       frogs
dead       dead toads seen; chalked: how many of those carried chalk already
dir        1 heading for the water, -1 heading back
discarded  true: the trip was marked void
"""

HANDBOOK_6 = """COUNTING TOADS ON ROADS, sixth edition

1. Night. A night runs from noon to noon and bears the date of its evening.
2. Trip. One walk along a crossing, with one slip. A trip on which nothing was found is a trip. A void trip (the crew turned back before the crossing) is none; leave it out of everything. Somebody was out at a crossing on a night if there was a trip there.
3. Toads carried. Live toads on their way to the water. A pair, the male riding on the female, is two toads. Those that could not be sexed count. Toads heading back from the water are helped across as well, but not counted as carried. Frogs and newts are not toads.
4. Toads lost. Dead toads on the road, whichever way they were heading. Chalk each one. A dead toad that carries chalk has been counted by an earlier trip and is not counted again.
5. After ten. What was carried on trips that began at 22:00 or later in the night, by the clock on the church. After midnight is after ten.
6. Loss rate of a crossing. The toads lost there in the season as a share of toads carried and lost there together, in whole per cent, half a per cent upwards. The worst crossing is the one with the highest.
7. Season. The nights from 1 February to 30 April, both included. What lies outside is not reported.
"""

HANDBOOK_5 = """COUNTING TOADS ON ROADS, fifth edition

1. Night. Each trip is entered under the date on which it began, midnight to midnight.
2. Trip. Every slip is a trip.
3. Toads carried. Live toads helped across the road in either direction. A pair is one.
4. Toads lost. Dead toads seen.
5. Late toads. Trips that began at 21:00 or later.
6. Loss rate. Toads lost as a share of toads carried.
7. Season. The nights from 15 January to 15 May.
"""

HANDBOOK_7 = """COUNTING TOADS ON ROADS, seventh edition - DRAFT FOR COMMENT

3. Toads carried. As in the sixth edition; females count separately.
5. After ten is replaced by: After eleven.
7. Season. To be fixed by temperature.
"""

if __name__ == "__main__":
    import sys

    generate(int(sys.argv[1]), sys.argv[2])
