"""Writes a crewing clerk's desk: rosters, swap board, mails, works agreement, timetables, certificates and leave."""

import json
import quopri
import random
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from email.header import Header
from functools import cache
from pathlib import Path

SLUG = "ferry-crew-swaps"
START, FIRST, LAST = date(2027, 10, 11), date(2027, 11, 1), date(2027, 11, 30)
ISSUE_2 = datetime(2027, 10, 20, 9)
CLOSING = datetime(2027, 10, 28, 16)
POSTS = {"H": ("master", "mate", "engineer", "deck"), "B": ("master", "engineer", "deck")}
FIRST_NAMES = (
    "Aud Birger Comfort Dorthe Eilif Frøya Gunn Hallvard Inga Jostein Kirsty Lowrie Magni Nessie Ola Peerie Ragna "
    "Sibbie Thorfinn Ursel Vigdis Wick Ysolde Åse Bjarki Cait Drew Erlend Fenella Gil Hjalmar Isa"
).split()
LAST_NAMES = (
    "Aarvold Breckin Corlett Dunnage Eddleston Fjelde Grimsay Hestnes Inkpen Jarlshavn Kvalvik Lunde Mouatt Nesting "
    "Ostrem Peterkin Quoyle Rusk Sandwick Tulloch Umphray Velzian Wethers Yorston Øverbø Crannoch Drever Fiskaa "
    "Garth Halcrow Isbuster Leaske"
).split()
HOSTS = ("tidemail.example", "post.example", "northwire.example")


class Unlucky(Exception):
    """This draw has no roster or no request of a kind that the story needs."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The rules as they are, or with one thing overlooked."""

    sign_on_hallgerd: int
    winter: date
    late_rest: bool = True
    max_run: int = 6
    hv: bool = True
    holiday: bool = True
    october: bool = True
    training: bool = True
    leave: tuple = ("approved",)
    claim: bool = False
    renewal: bool = True
    shares: bool = True


@dataclass
class Person:
    """A member of the crew."""

    code: str
    first: str
    last: str
    login: str
    address: str
    share: int = 100
    certificates: dict = field(default_factory=dict)
    weight: float = 1.0

    @property
    def name(self):
        return f"{self.first} {self.last}"


@dataclass
class Swap:
    """A request: `gives` and `takes` are (day, turn); a cover takes nothing."""

    asker: str
    partner: str
    gives: tuple
    takes: tuple | None
    role: str = ""
    complete: datetime | None = None
    posted: datetime | None = None
    number: int = 0

    def turns(self):
        return [turn for turn in (self.gives, self.takes) if turn]


def days_between(first, last):
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def slots_of(day):
    """(turn, post) of one day, those for which few are fit first."""
    turns = ["H1", "H2", "B1"] + (["B2"] if day.weekday() in (4, 5) else [])
    slots = [(turn, post) for turn in turns for post in POSTS[turn[0]]]
    order = ("master", "deck", "engineer", "mate")
    return sorted(slots, key=lambda slot: (order.index(slot[1]), slot[0]))


def streak(days, day):
    """How many days in a row around `day` are in `days`."""
    length = 1
    for step in (-1, 1):
        other = day + timedelta(days=step)
        while other in days:
            length, other = length + 1, other + timedelta(days=step)
    return length


class World:
    """Crew, timetables and a roster that keeps all rules, then the requests and what becomes of them."""

    def __init__(self, rng):
        self.rng = rng
        self.limit = rng.choice((16, 17))
        self.draw_times()
        self.enlist()
        self.plan_absences()
        self.assign()
        self.issued = {code: dict(turns) for code, turns in self.turns.items()}
        self.reissue()
        self.ask()
        self.time_requests()
        self.measure()

    # timetables

    def draw_times(self):
        """First departure and last arrival by (period, kind of day, turn), until the tight spots are where they should be."""
        rng = self.rng
        self.holiday = date(2027, 11, rng.choice((9, 10, 11)))
        self.sign_on = {"printed": 35, "H": rng.choice((50, 55, 60)), "B": 35}
        self.sign_off = rng.choice((15, 20, 25))
        self.true = Reading(self.sign_on["H"], date(2027, 11, 22))
        while True:
            shift = lambda base: 5 * round((base + rng.randrange(-12, 13)) / 5)
            self.span = {
                (period, kind, turn): (shift(first), shift(last))
                for (period, kind, turn), (first, last) in SPANS.items()
            }
            self.times = cache(self.work_out)
            if self.tight():
                return

    def work_out(self, day, turn, reading):
        """Begin and end of a turn in minutes since `START`."""
        sunday = day.weekday() == 6 or (reading.holiday and day == self.holiday)
        period = "winter" if day >= reading.winter else "autumn"
        first, last = self.span[period, "sunday" if sunday else "week", turn]
        on = reading.sign_on_hallgerd if turn[0] == "H" else self.sign_on["B"]
        base = (day - START).days * 1440
        return base + first - on, base + last + self.sign_off

    def gap(self, day, turn, later, reading=None):
        reading = reading or self.true
        following = day + timedelta(days=1)
        return self.times(following, later, reading)[0] - self.times(day, turn, reading)[1]

    def tight(self):
        sunday, saturday, weekday = date(2027, 11, 7), date(2027, 11, 6), date(2027, 11, 2)
        winter, eve = date(2027, 11, 24), self.holiday - timedelta(days=1)
        printed = replace(self.true, sign_on_hallgerd=self.sign_on["printed"])
        return (
            self.gap(sunday, "B1", "H1") < 655
            and self.gap(sunday, "B1", "H1", printed) > 661
            and 665 < self.gap(saturday, "B2", "B1") < 710
            and 665 < self.gap(date(2027, 11, 27), "B2", "B1") < 715
            and self.gap(weekday, "H2", "B1") < 650
            and 665 < self.gap(winter, "H2", "B1") < 720
            and self.gap(eve, "H2", "B1") > 725
            and 665 < self.gap(weekday, "B1", "H1") < 720
            and self.times(saturday, "H2", self.true)[1] % 1440 < 1315
        )

    # crew

    def enlist(self):
        rng = self.rng
        firsts, lasts = rng.sample(FIRST_NAMES, 25), rng.sample(LAST_NAMES, 25)
        logins = rng.sample(range(110, 290), 25)
        self.people = {}
        for first, last, login in zip(firsts, lasts, logins, strict=True):
            code = last[:3].upper()
            address = f"{plain(first)[0]}.{plain(last)}@{rng.choice(HOSTS)}"
            self.people[code] = Person(code, first, last, f"u{login}", address, weight=rng.uniform(0.85, 1.15))
        self.groups = {}
        codes, kinds = [*self.people], ["CM"] * 5 + ["OW"] * 3 + ["BM"] * 3 + ["EC"] * 7 + ["AB"] * 7
        for code, kind in zip(codes, kinds, strict=True):
            group = {"EC": "engineers", "AB": "deck"}.get(kind, "officers")
            self.groups.setdefault(group, []).append(code)
            self.certify(code, *{"BM": ("BM", "OW")}.get(kind, (kind,)), "ME")
        self.certify_more()
        for code in (rng.choice(codes[5:8]), rng.choice(codes[19:21])):
            self.people[code].share, self.people[code].weight = 60, 1.55

    def certify(self, code, *names):
        for name in names:
            last = date(self.rng.randrange(2028, 2032), self.rng.randrange(1, 13), self.rng.randrange(1, 29))
            self.people[code].certificates[name] = last

    def certify_more(self):
        """High voltage for Brinny's engineers, rescue boats for Hallgerd's deck; one lapses, one is renewed."""
        rng = self.rng
        for code in self.groups["engineers"][:4]:
            self.certify(code, "HV")
        for code in self.groups["deck"][:6]:
            self.certify(code, "RB")
        self.lapsing, self.lapse = self.groups["deck"][5], date(2027, 11, rng.choice((8, 9, 10)))
        self.people[self.lapsing].certificates["RB"] = self.lapse
        self.renewed = rng.choice(self.groups["officers"][:5])
        self.old_medical = date(2027, 11, rng.choice((11, 12, 13)))

    def plan_absences(self):
        rng, codes = self.rng, [*self.people]
        self.leave = []
        for code in rng.sample(codes, 13):
            first = FIRST + timedelta(days=rng.randrange(1, 26))
            last = min(first + timedelta(days=rng.choice((1, 2, 3, 4, 6))), LAST)
            self.leave.append([code, first, last, "approved"])
        for row in rng.sample(self.leave, 3):
            row[3] = "cancelled"
        self.trainings, self.off_days = [], cache(self.absent)
        for title, group in (
            ("Fire team refresher", "deck"),
            ("Bridge team day", "officers"),
            ("Hot work", "engineers"),
        ):
            day = date(2027, 11, rng.choice((4, 8, 12, 15, 16, 18, 23)))
            self.trainings.append((title, day, sorted(rng.sample(self.groups[group], 3))))

    def absent(self, code, reading):
        """Days of leave and of training."""
        leave = {
            day
            for who, first, last, state in self.leave
            if who == code and state in reading.leave
            for day in days_between(first, last)
        }
        return leave, {day for _, day, people in self.trainings if code in people and reading.training}

    def fit(self, code, turn, post, reading):
        """Whether the person has what the post asks for on the day of the turn."""
        (day, name), held = turn, self.people[code].certificates
        medical = held["ME"] if reading.renewal or code != self.renewed else self.old_medical
        has = {c for c, last in (held | {"ME": medical}).items() if last >= day or (reading.claim and c == "RB")}
        hallgerd = name[0] == "H"
        asked = {
            "master": "CM" in has or (not hallgerd and "BM" in has),
            "mate": bool(has & {"CM", "OW"}),
            "engineer": "EC" in has and (hallgerd or not reading.hv or "HV" in has),
            "deck": "AB" in has and (not hallgerd or "RB" in has),
        }
        return asked[post] and "ME" in has

    def cap(self, code, reading):
        return self.limit * (self.people[code].share if reading.shares else 100) // 100

    # roster

    def assign(self):
        """Day by day, whoever is fit, rested and has had least; runs stay at five days."""
        self.turns = {code: {} for code in self.people}
        for day in days_between(START, LAST):
            for turn, post in slots_of(day):
                free = [code for code in self.people if self.may(code, (day, turn), post)]
                if not free:
                    raise Unlucky
                chosen = min(free, key=lambda code: self.load(code, day, turn) + 1.4 * self.rng.random())
                self.turns[chosen][day, turn] = post

    def load(self, code, day, turn):
        had = sum(1 for other, _ in self.turns[code] if (other >= FIRST) == (day >= FIRST))
        same = (day - timedelta(days=1), turn) in self.turns[code]
        return had * self.people[code].weight - (0.8 if same else 0)

    def may(self, code, turn, post):
        (day, _), mine = turn, self.turns[code]
        leave, training = self.off_days(code, self.true)
        worked = {other for other, _ in mine}
        if day in worked or day in leave or day in training or not self.fit(code, turn, post, self.true):
            return False
        if day >= FIRST and sum(other >= FIRST for other in worked) >= self.cap(code, self.true):
            return False
        return streak(worked | training, day) <= 5 and self.rested(mine | {turn: post}, {turn}, self.true)

    def rested(self, mine, taken, reading):
        """Whether there is enough rest before and after the turns taken."""
        near = {day + timedelta(days=n) for day, _ in taken for n in (-1, 0, 1)}
        near = {turn for turn in mine if turn[0] in near and (reading.october or turn[0] >= FIRST)}
        line = sorted((*self.times(*turn, reading), turn) for turn in near)
        for (_, end, one), (begin, _, other) in zip(line, line[1:]):
            needed = 720 if reading.late_rest and end % 1440 > 1320 else 660
            if begin - end < needed and {one, other} & taken:
                return False
        return True

    def reissue(self):
        """Issue 1, in which a few turns stood with other people."""
        rng, self.first_issue = self.rng, {code: dict(turns) for code, turns in self.turns.items()}
        self.moved = []
        while len(self.moved) < 4:
            swap = self.propose(self.first_issue)
            if swap and swap.takes and not {swap.gives, swap.takes} & {turn for _, turn in self.moved}:
                carry_out(swap, self.first_issue)
                self.moved += [(swap.partner, swap.gives), (swap.asker, swap.takes)]
        rng.shuffle(self.moved)

    # requests

    def propose(self, turns, asker=None, gives=None, focus=None):
        """A draw of two people of one group, with turns that they have."""
        rng = self.rng
        group = rng.choice([g for g in self.groups.values() if not (asker or focus) or {asker, focus} & {*g}])
        partner = focus if focus and rng.random() < 0.7 else rng.choice(group)
        asker = asker or (rng.choice(group) if partner == focus else focus or rng.choice(group))
        if asker == partner:
            return None
        mine, theirs = ([t for t in turns[code] if t[0] >= FIRST] for code in (asker, partner))
        gives = gives or rng.choice(mine)
        takes = rng.choice(theirs) if rng.random() < 0.75 else None
        if gives in turns[partner] or takes in turns[asker] or gives == takes:
            return None
        return Swap(asker, partner, gives, takes)

    def verdict(self, swap, turns, reading=None):
        """`granted`, or the agreement's word, leaving aside who agreed when."""
        reading = reading or self.true
        if swap.gives not in turns[swap.asker] or (swap.takes and swap.takes not in turns[swap.partner]):
            return "gone"
        taken = {swap.partner: (swap.gives, turns[swap.asker][swap.gives])}
        if swap.takes:
            taken[swap.asker] = (swap.takes, turns[swap.partner][swap.takes])
        after = {code: dict(turns[code]) for code in (swap.asker, swap.partner)}
        carry_out(swap, after)
        for word, fault in (
            ("unfit", lambda code, turn, post: not self.fit(code, turn, post, reading)),
            ("away", lambda code, turn, post: any(turn[0] in days for days in self.off_days(code, reading))),
            ("rest", lambda code, turn, post: not self.rested(after[code], {turn}, reading)),
            ("run", lambda code, turn, post: self.too_long(code, after[code], turn, reading)),
            ("full", lambda code, turn, post: not swap.takes and november(after[code]) > self.cap(code, reading)),
        ):
            if any(fault(code, turn, post) for code, (turn, post) in taken.items()):
                return word
        return "granted"

    def too_long(self, code, mine, turn, reading):
        days = {day for day, _ in mine if reading.october or day >= FIRST} | self.off_days(code, reading)[1]
        return streak(days, turn[0]) > reading.max_run

    def find(self, role, wanted, test=lambda swap: True, other=None, tries=4000, **drawn):
        """A request with the wanted verdict, which `other` (a reading and its verdict) sees otherwise."""
        for _ in range(tries):
            swap = self.propose(self.turns, **drawn)
            if not swap or not test(swap) or self.known(swap) or self.verdict(swap, self.turns) not in wanted:
                continue
            if other is None or self.verdict(swap, self.turns, other[0]) == other[1]:
                swap.role = role
                return swap
        raise Unlucky

    def known(self, swap):
        return any(
            {swap.asker, swap.partner} == {old.asker, old.partner} and {*swap.turns()} & {*old.turns()}
            for old in self.swaps
        )

    def settle(self, swap):
        self.swaps.append(swap)
        if swap.role in GRANTED:
            carry_out(swap, self.turns)

    def ask(self):
        """All requests in the order in which they are decided; the roster changes as they are."""
        rng, self.swaps = self.rng, []
        middle = [*MIDDLE, *rng.sample(EXTRA, rng.randrange(len(EXTRA) + 1))]
        rng.shuffle(middle)
        self.settle(self.find("chain-1", ["granted"]))
        link = self.swaps[0]
        for number, role in enumerate(middle):
            if number == len(middle) // 2:
                self.settle(self.find("chain-2", ["granted"], asker=link.partner, gives=link.gives))
            self.add(role)
        self.add_after()
        first = lambda swap: min(swap.turns())[0] == FIRST and min(swap.turns())[1] in ("B1", "H2")
        self.settle(self.find("late-hour", ["granted"], first))
        self.settle(self.find("late", ["granted"], first))

    def add(self, role):
        if role == "race":
            first = self.find("race-1", ["granted"])
            second = self.find(
                "race-2", ["granted"], lambda s: s.partner != first.partner, asker=first.asker, gives=first.gives
            )
            self.settle(first)
            self.settle(second)
        elif role == "issue":
            self.settle(self.outdated())
        else:
            wanted, other, focus = self.roles()[role]
            self.settle(self.find(role, [wanted], other=other, focus=focus))

    def roles(self):
        """By role: the verdict, a reading with the verdict that it would give, and somebody who must be in it."""
        true, rng = self.true, self.rng
        gone = [row[0] for row in self.leave if row[3] == "cancelled"]
        part = [p.code for p in self.people.values() if p.share < 100]
        plain = {role: ("granted", None, None) for role in (*PLAIN, *EXTRA)}
        return plain | {
            "hv": ("unfit", (replace(true, hv=False), "granted"), None),
            "lapsed": ("unfit", (replace(true, claim=True), "granted"), self.lapsing),
            "renewed": ("granted", (replace(true, renewal=False), "unfit"), self.renewed),
            "leave": ("away", (replace(true, leave=()), "granted"), None),
            "cancelled": ("granted", (replace(true, leave=("approved", "cancelled")), "away"), rng.choice(gone)),
            "training": ("away", (replace(true, training=False), "granted"), None),
            "sign-on": ("rest", (replace(true, sign_on_hallgerd=self.sign_on["printed"]), "granted"), None),
            "late-rest": ("rest", (replace(true, late_rest=False), "granted"), None),
            "winter": ("rest", (replace(true, winter=date(2027, 11, 15)), "granted"), None),
            "holiday": ("granted", (replace(true, holiday=False), "rest"), None),
            "october": ("rest", (replace(true, october=False), "granted"), None),
            "run": ("run", (replace(true, max_run=7), "granted"), None),
            "full": ("full", (replace(true, shares=False), "granted"), rng.choice(part)),
        }

    def outdated(self):
        """A request made by issue 1 for a turn that issue 2 gave to somebody else."""
        for asker, gives in self.moved:
            for _ in range(200):
                if gives in self.turns[asker] or gives not in self.first_issue[asker]:
                    break
                swap = self.propose(self.first_issue, asker=asker, gives=gives)
                if swap and self.verdict(swap, self.turns) == "gone":
                    swap.role = "issue"
                    return swap
        raise Unlucky

    def add_after(self):
        """One that only fails because of what was granted before it."""
        before = {code: dict(turns) for code, turns in self.issued.items()}
        unlike = lambda swap: self.verdict(swap, before) == "granted"
        self.settle(self.find("after", ["rest", "run"], unlike, tries=12000))

    # when

    def time_requests(self):
        rng = self.rng
        hours = [datetime(2027, 10, day, hour) for day in range(21, 28) for hour in range(6, 23)]
        middle = [swap for swap in self.swaps if swap.role not in ("late", "late-hour")]
        times = sorted(rng.sample(hours, len(middle)))
        for swap, hour in zip(middle, times, strict=True):
            swap.complete = hour + timedelta(minutes=rng.randrange(2, 20))
        by_role = {swap.role: swap for swap in self.swaps}
        by_role["race-2"].complete = by_role["race-1"].complete + timedelta(minutes=rng.randrange(24, 34))
        for role, low, high in (("late-hour", 5, 56), ("late", 75, 110)):
            swap = by_role[role]
            deadline = self.begin(min(swap.turns())) - timedelta(hours=96)
            swap.complete = deadline + timedelta(minutes=rng.randrange(low, high))
        for swap in self.swaps:
            latest = ISSUE_2 - timedelta(hours=3) if swap.role == "issue" else swap.complete - timedelta(hours=3)
            swap.posted = max(latest - timedelta(minutes=rng.randrange(9000)), datetime(2027, 10, 18, 8)) + timedelta(
                minutes=rng.randrange(50)
            )
        one, two = by_role["race-1"], by_role["race-2"]
        one.posted, two.posted = max(one.posted, two.posted), min(one.posted, two.posted)
        number = rng.randrange(2110, 2140)
        for swap in sorted(self.swaps, key=lambda swap: swap.posted):
            number += rng.choice((1, 1, 2, 3))
            swap.number = number

    def begin(self, turn):
        return datetime.combine(START, datetime.min.time()) + timedelta(minutes=self.times(*turn, self.true)[0])

    def measure(self):
        """Refuses worlds in which a figure of the note would not be one."""
        rests = []
        changed = {}
        for code, mine in self.turns.items():
            taken = {turn for turn in mine if self.issued[code].get(turn) != mine[turn]}
            changed |= dict.fromkeys(((turn, mine[turn]) for turn in taken), code)
            line = sorted((*self.times(*turn, self.true), turn) for turn in mine)
            rests += [(b - e, code) for (_, e, one), (b, _, two) in zip(line, line[1:]) if {one, two} & taken]
        shortest = sorted(rests)[:2]
        last = max(turn[0] for turn, _ in changed)
        dated = {day for row in self.leave for day in row[1:3]} | {day for _, day, _ in self.trainings}
        if shortest[0][0] == shortest[1][0] or last in dated:
            raise Unlucky
        if len({swap.complete for swap in self.swaps}) < len(self.swaps) or self.by_number() == self.turns:
            raise Unlucky

    def by_number(self):
        """The roster if requests were decided in the order in which they were posted."""
        turns = {code: dict(mine) for code, mine in self.issued.items()}
        for swap in sorted(self.swaps, key=lambda swap: swap.number):
            off = swap.role in (*UNAGREED, "mailed-off", "clicked-off", "late")
            if not off and self.verdict(swap, turns) == "granted":
                carry_out(swap, turns)
        return turns


PLAIN = (
    "plain-1",
    "plain-2",
    "abroad",
    "then",
    "phone",
    "own-click",
    "spouse",
    "condition",
    "phone-self",
    "mailed-off",
)
EXTRA = ("plain-3", "plain-4", "plain-5", "clicked-off")
MIDDLE = (*PLAIN, "race", "issue", "hv", "lapsed", "renewed", "leave", "cancelled", "training", "sign-on", "late-rest", "winter", "holiday", "october", "run", "full")  # fmt: skip
GRANTED = {"chain-1", "chain-2", "plain-1", "plain-2", "plain-3", "plain-4", "plain-5", "abroad", "then", "phone", "race-1", "renewed", "cancelled", "holiday", "late-hour"}  # fmt: skip
UNAGREED = ("own-click", "spouse", "condition", "phone-self")
BY_MAIL = ("plain-2", "abroad", "then", "race-1", "renewed")
SPANS = {
    ("autumn", "week", "H1"): (370, 820),
    ("autumn", "week", "H2"): (860, 1280),
    ("autumn", "week", "B1"): (535, 1035),
    ("autumn", "week", "B2"): (1110, 1400),
    ("autumn", "sunday", "H1"): (450, 860),
    ("autumn", "sunday", "H2"): (900, 1280),
    ("autumn", "sunday", "B1"): (685, 1090),
    ("winter", "week", "H1"): (400, 810),
    ("winter", "week", "H2"): (840, 1230),
    ("winter", "week", "B1"): (540, 1000),
    ("winter", "week", "B2"): (1080, 1390),
    ("winter", "sunday", "H1"): (490, 840),
    ("winter", "sunday", "H2"): (870, 1250),
    ("winter", "sunday", "B1"): (690, 1050),
}


def november(turns):
    return sum(day >= FIRST for day, _ in turns)


def carry_out(swap, turns):
    post = turns[swap.asker].pop(swap.gives)
    if swap.takes:
        turns[swap.asker][swap.takes] = turns[swap.partner].pop(swap.takes)
    turns[swap.partner][swap.gives] = post


def plain(name):
    return name.lower().translate(str.maketrans("øåæé", "oaae"))


def make_world(seed):
    rng = random.Random(f"{SLUG}:{seed}")
    while True:
        try:
            return World(rng)
        except Unlucky:
            continue


# files


def roster_text(turns, days, title, rng):
    holder = {(turn, post): code for code, mine in turns.items() for turn, post in mine.items()}
    remarks = ["", "", "", "", "", "", "", "fire drill", "bunkers", "stores", "school party", "fresh water"]
    lines = [
        f"# SKERROW SOUND FERRIES   {title}",
        "# H1, H2: Hallgerd, early and late turn. B1, B2: Brinny, day and (Fri, Sat) evening turn.",
        "# Codes as in the crew list. The screens on board read this file by columns.",
        "#",
        "# day        turn    master  mate    engin.  deck    remarks",
    ]
    for day in days:
        if day.weekday() == 0:
            lines.append(f"# week {day.isocalendar().week}")
        for name in ("H1", "H2", "B1", "B2"):
            if ((day, name), "master") in holder:
                codes = [holder.get(((day, name), post), "---") for post in POSTS["H"]]
                line = f"{day:%a %d %b}   {name}      " + "     ".join(codes) + f"     {rng.choice(remarks)}"
                lines.append(line.rstrip())
    return "\r\n".join([*lines, ""])


def rosters(world):
    rng = random.Random(world.limit)
    november_days, october = days_between(FIRST, LAST), days_between(date(2027, 10, 16), FIRST - timedelta(days=1))
    return {
        "roster/november-2027.txt": roster_text(
            world.issued, november_days, "Crew roster November 2027, issue 2 of 20 October (replaces issue 1)", rng
        ),
        "roster/october-2027-second-half.txt": roster_text(
            world.issued, october, "Crew roster October 2027, 16 to 31, as sailed or to be sailed", rng
        ),
        "roster/old/november-2027-issue-1.txt": roster_text(
            world.first_issue, november_days, "Crew roster November 2027, issue 1 of 15 October", rng
        ),
    }


def board_time(local):
    return f"{local - timedelta(hours=1):%Y-%m-%dT%H:%M}:00Z"


def board_entry(world, swap, until):
    """What the swap board shows of a request at a moment (local time)."""
    login = lambda code: world.people[code].login
    turn = lambda t: t and {"day": t[0].day, "turn": t[1]}
    log = []
    if swap.role == "own-click":
        log.append((swap.complete, login(swap.asker), "agree"))
    elif swap.role not in (*UNAGREED, *BY_MAIL, "phone"):
        log.append((swap.complete, login(swap.partner), "agree"))
    if swap.role == "clicked-off":
        log.append((swap.complete + timedelta(hours=9), login(swap.partner), "withdraw"))
    log = [row for row in log if row[0] < until]
    state = {"agree": "agreed", "withdraw": "withdrawn"}[log[-1][2]] if log else "open"
    return {
        "number": swap.number,
        "posted": board_time(swap.posted),
        "by": login(swap.asker),
        "gives": turn(swap.gives),
        "to": login(swap.partner),
        "takes": turn(swap.takes),
        "state": state,
        "log": [{"at": board_time(at), "login": who, "did": did} for at, who, did in log],
    }


def board(world):
    files = {}
    for name, until in (("2027-10-22", datetime(2027, 10, 22, 12)), ("2027-10-28", CLOSING)):
        known = sorted((s for s in world.swaps if s.posted < until), key=lambda s: s.number)
        body = {
            "board": "swaps",
            "month": "2027-11",
            "exported": board_time(until),
            "requests": [board_entry(world, swap, until) for swap in known],
        }
        files[f"board/swaps-{name}.json"] = json.dumps(body, indent=2) + "\n"
    return files


def crew_files(world):
    rows = ["code;first;last;login;mail;share"]
    rows += [f"{p.code};{p.first};{p.last};{p.login};{p.address};{p.share} %" for p in world.people.values()]
    papers = []
    for person in sorted(world.people.values(), key=lambda p: p.code):
        for name, last in sorted(person.certificates.items()):
            last = world.old_medical if (person.code, name) == (world.renewed, "ME") else last
            papers.append(f"{person.code}\t{name}\t{last.day}.{last.month}.{last.year}")
    leave = ["code,first day,last day,state"]
    leave += [f"{code},{first},{last},{state}" for code, first, last, state in sorted(world.leave)]
    return {
        "crew/crew-list.csv": "\r\n".join([*rows, ""]).encode("cp1252"),
        "crew/certificates.tsv": "\n".join(["code\tpaper\tvalid to", *papers, ""]),
        "crew/leave-2027-11.csv": "\n".join([*leave, ""]),
        "crew/training.ics": calendar(world),
    }


def calendar(world):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Skerrow Sound Ferries//training//EN"]
    spare = sorted(world.rng.sample(world.groups["officers"], 3))
    events = [(*training, "CONFIRMED") for training in world.trainings]
    events.append(("Tank entry, for want of a tank", date(2027, 11, 17), spare, "CANCELLED"))
    for number, (title, day, people, state) in enumerate(events, 1):
        lines += [
            "BEGIN:VEVENT",
            f"UID:training-{number}@skerrow.example",
            f"DTSTART:{day:%Y%m%d}T090000",
            f"DTEND:{day:%Y%m%d}T160000",
            f"SUMMARY:{title}",
            f"STATUS:{state}",
            "DESCRIPTION:In the shed at the north pier\\, bring boots. Taking part:\r\n  " + "\\, ".join(people),
            "END:VEVENT",
        ]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def clock(minutes):
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def sailings(turn, first, last):
    """Crossings between first departure and last arrival: (departure, from, arrival, to)."""
    crossing, number = (35, 8) if turn[0] == "H" else (50, 6)
    number -= 2 * (turn == "B2")
    ends = ("Skerrow", "Mainland") if turn[0] == "H" else ("Skerrow", "Oyce")
    step = (last - first - crossing) // (number - 1) // 5 * 5
    leaves = [first + n * step for n in range(number - 1)] + [last - crossing]
    return [(at, ends[n % 2], at + crossing, ends[(n + 1) % 2]) for n, at in enumerate(leaves)]


def timetable(world, period, head):
    days = {"week": "Mon-Sat", "sunday": "Sun"}
    rows = [
        (
            kind == "sunday",
            at,
            f"{'Fri,Sat' if turn == 'B2' else days[kind]};{origin};{clock(at)};{to};{clock(arr)};{turn}",
        )
        for (when, kind, turn), span in world.span.items()
        if when == period
        for at, origin, arr, to in sailings(turn, *span)
    ]
    return "\n".join([head, "days;from;dep;to;arr;turn", *(row for *_, row in sorted(rows)), ""])


def timetables(world):
    day = world.holiday
    return {
        "timetable/autumn-2027.csv": timetable(
            world,
            "autumn",
            "# Autumn timetable, 20 September to 14 November 2027. All times are local: UTC+1 until the clocks go back on "
            f"Sunday 31 October at 02:00, UTC after that.\n# Founders' Day, {day:%A} {day.day} November: sailings as on Sundays.",
        ),
        "timetable/winter-2027-28.csv": timetable(
            world, "winter", "# Winter timetable, 15 November 2027 to 27 February 2028. Local times (UTC)."
        ),
    }


AGREEMENT = """# Works agreement between Skerrow Sound Ferries and its crews

*1 March 2023. Changed by amendments, which hold from their day in force once both sides have signed.*

Parts 1 to 4 (pay, uniforms, the kettle) are kept at the head office.

## Part 5: Exchange of turns

**5.1** A request names two people. The one who makes it gives one of their turns, and takes one of the other's turns in return (an exchange) or none (a cover). Whoever takes a turn takes the post that goes with it.

**5.2** It needs the other one's agreement: on the swap board under the other one's own login, or by mail from the other one's own address in the crew list. Nobody can agree for somebody else, and an agreement to which a condition is tied is none.

**5.3** A request becomes complete at the moment at which the other one agrees.

**5.4** Until the office decides, each of the two can withdraw it, in the same ways in which one agrees. Nobody else can.

**5.5** The office decides all requests for a month together. It takes those that are complete one by one, in the order in which they became complete, and judges each by the roster as it then stands, that is, with everything granted before it. It grants a request, unless one of these is true; then it answers with the word of the first that is.

- `withdrawn`: one of the two has withdrawn it.
- `unagreed`: it has not become complete.
- `late`: it became complete less than 96 hours before the first of its turns begins.
- `gone`: one of its turns is not, or no longer, a turn of the person who is to give it.
- `unfit`: one of the two would take a turn on a day on which they lack a paper that Annex A asks for.
- `away`: one of the two would take a turn on a day of their approved leave or of their training.
- `rest`: one of the two would have less rest before or after the turn they take than Annex B asks for.
- `run`: the turn they take would lie in a longer row of days than Annex B allows.
- `full`: in a cover, the one who takes the turn would come to more turns in the month than Annex B allows.

**5.6** Reasons, length of service and the wishes of others count neither for nor against a request.

**5.7** Hours are hours that pass. When the clocks are changed, the night has one more or one fewer.
"""

ANNEX_A = """# Annex A: papers

Everybody needs a medical (ME). Besides, for the post:

| post | Hallgerd | Brinny |
|---|---|---|
| master | CM | CM or BM |
| mate | CM or OW | (sails without) |
| engineer | EC | EC |
| deck | AB and RB | AB |

What is valid until when is in the certificate list of the personnel office, or in what that office has written since. A paper is valid on its last day, too. What people say about papers that are on their way counts once the personnel office has them.
"""

ANNEX_B = """# Annex B: hours

**B.1** A turn begins 35 minutes before its first departure and ends {off} minutes after its last arrival, by the timetable that runs on that day.

**B.2** Between the end of a turn and the beginning of the same person's next one lie at least 11 hours.

**B.3** Nobody has turns on more than seven days in a row. A day of training counts as a day with a turn here, though not in B.2 and B.4.

**B.4** By a cover nobody comes to more than {limit} turns in a calendar month. For somebody who works part of the time it is that share of {limit}, rounded down.

**B.5** In B.2 and B.3 the month before counts as well.
"""

AMENDMENT_1 = """# Amendment 1

*In force from 1 July 2024. Signed for the company: R. Torvald. Signed for the crews: I. Leaske-Moar.*

To 5.2 and 5.4: One can also agree to a request, or withdraw it, by telephone to the night watch. It counts from the time that the watch book gives, if the book names the caller and the request, and if the watch was not kept by one of the two.
"""

AMENDMENT_2 = """# Amendment 2

*In force from 1 October 2027. Signed for the company: R. Torvald. Signed for the crews: I. Leaske-Moar.*

1. Annex A: now that Brinny sails on batteries, her engineer needs HV beside EC.
2. Annex B.1: because of the new ramp, a turn on Hallgerd begins {on} minutes before its first departure. Brinny stays as she is.
3. Annex B.2: after a turn that ends later than 22:00 it is 12 hours.
4. Annex B.3: six days instead of seven.
"""

AMENDMENT_3 = """# Amendment 3 (DRAFT for the talks on 9 December)

*In force from ......... Signed for the company: ......... Signed for the crews: .........*

1. 5.3: the order is that in which requests were posted.
2. 5.5: 48 hours instead of 96.
3. Annex B.2: 10 hours, whatever the turn before.
4. Annex B.4: {more} instead of {limit}.
"""


def agreement(world):
    return {
        "agreement/works-agreement-2023.md": AGREEMENT,
        "agreement/annex-a-papers.md": ANNEX_A,
        "agreement/annex-b-hours.md": ANNEX_B.format(off=world.sign_off, limit=world.limit),
        "agreement/amendment-1.md": AMENDMENT_1,
        "agreement/amendment-2.md": AMENDMENT_2.format(on=world.sign_on["H"]),
        "agreement/amendment-3.md": AMENDMENT_3.format(limit=world.limit, more=world.limit + 2),
    }


def watch_book(world):
    phone, own = (next(s for s in world.swaps if s.role == role) for role in ("phone", "phone-self"))
    people = world.people
    entries = [
        (
            phone.complete,
            "Torfinn",
            f"{people[phone.partner].name} rings: agrees to {phone.number}. Told to keep warm.",
        ),
        (own.complete, people[own.asker].name, f"{people[own.partner].name} rings, agrees to {own.number}."),
        (datetime(2027, 10, 23, 22, 40), "Torfinn", "Seal on the slip again. Left it alone."),
        (datetime(2027, 10, 25, 6, 15), "Torfinn", "Lamp at the north pier out. Bulb changed 6.50."),
    ]
    text = "".join(f"{at:%a %d %b  %H:%M}  (watch: {who})\n    {what}\n" for at, who, what in sorted(entries))
    return f"WATCH BOOK, north pier hut, October 2027\n\n{text}"


@dataclass
class Mail:
    """A message in the crewing office's box; `zone` is the writer's distance from UTC in hours."""

    sender: str
    address: str
    at: datetime
    subject: str
    text: str
    zone: int = 1

    def render(self):
        name = self.sender if self.sender.isascii() else Header(self.sender, "utf-8").encode()
        local = self.at + timedelta(hours=self.zone - 1)
        return (
            f"From: {name} <{self.address}>\nTo: crewing@skerrow.example\n"
            f"Date: {local:%a, %d %b %Y %H:%M}:00 {self.zone:+03d}00\nSubject: {self.subject}\n"
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
            f"{quopri.encodestring(self.text.encode()).decode()}\n"
        )


def spoken(turn):
    day = turn[0].day
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
    return f"{turn[0]:%A} the {day}{ending}"


def request_mails(world):
    """What the crews write about their requests."""
    by_role, people = {s.role: s for s in world.swaps}, world.people
    mails = []

    def say(role, who, text, subject="swap", shift=timedelta(0), zone=1, sender=None, address=None):
        swap = by_role[role]
        person = people[getattr(swap, who)]
        words = text.format(
            n=swap.number, day=spoken(swap.gives), asker=people[swap.asker].first, partner=people[swap.partner].first
        )
        at = swap.complete + shift
        mails.append(Mail(sender or person.name, address or person.address, at, subject, words, zone))

    hours = lambda n: timedelta(hours=n)
    say("plain-2", "partner", "Number {n} on the board: yes, I agree. The board would not let me in again.")
    say(
        "abroad",
        "partner",
        "Writing from my sister's, where every clock is wrong. I agree to {n}, tell {asker} to sleep well.",
        zone=-4,
    )
    say("then", "partner", "{n}: gladly, provided that {asker} feeds my dog that week.", shift=hours(-5))
    say("then", "partner", "The dog goes to my mother. I agree to {n} as it stands.", "the dog")
    say("race-1", "partner", "I agree to {n}, {day} is as good as any other day to be wet.")
    say("renewed", "partner", "I agree to {n}.", "board")
    spouse = by_role["spouse"]
    home = people[spouse.partner]
    say(
        "spouse",
        "partner",
        "{partner} is on the water without a signal and asked me before breakfast to tell you that {n} is agreed. So there you have it.",
        "for " + home.first,
        sender="Merrin " + home.last,
        address=f"merrin.{plain(home.last)}@{home.address.split('@')[1]}",
    )
    say("condition", "partner", "I agree to {n} if I get the Saturday after it off, otherwise not.", "that Saturday")
    say(
        "mailed-off",
        "asker",
        "Please take {n} down again, I withdraw it: the wedding is off. Ask me no more.",
        "wedding",
        hours(7),
    )
    wished = by_role["plain-1"]
    master = next(people[c] for c in world.groups["officers"][:5] if c not in (wished.asker, wished.partner))
    say(
        "plain-1",
        "asker",
        "What those two have cooked up in {n} does not suit me at all, I want my usual crew that day. Please strike it.",
        "a word",
        hours(11),
        sender=master.name,
        address=master.address,
    )
    lapsed = people[world.lapsing]
    say(
        "lapsed",
        "asker",
        "I have done the rescue boat course again last Friday, the paper is in the post. So nothing stands against {n}.",
        "my RB",
        hours(-1),
        sender=lapsed.name,
        address=lapsed.address,
    )
    return mails


def office_mails(world):
    renewed = world.people[world.renewed]
    noon = lambda day, hour, minute=0: datetime(2027, 10, day, hour, minute)
    return [
        Mail(
            "Operations",
            "operations@skerrow.example",
            noon(25, 11, 20),
            "Winter timetable a week later",
            "To all desks. The linkspan at Oyce will not be ready in time, so the autumn timetable runs for one more week. "
            "The winter timetable starts on Monday 22 November. The printed one cannot be changed any more.",
        ),
        Mail(
            "Personnel",
            "personnel@skerrow.example",
            noon(26, 9, 5),
            "medicals",
            f"For your list: the medical (ME) of {renewed.name} ({renewed.code}) has been renewed and is valid until "
            "31 August 2029. Nothing else has come in this week.",
        ),
        Mail(
            "Ishbel Leaske-Moar",
            "council@skerrow.example",
            noon(22, 15, 40),
            "Amendment 3",
            "The draft is in your folder. We hope to sign in December. I would be glad if the office treated it as good "
            "practice before that, but of course I cannot ask you to.",
        ),
        Mail(
            "Hallgerd, galley",
            "hallgerd@skerrow.example",
            noon(24, 13, 13),
            "lost",
            "One thermos, green, number 2117 scratched into the lid. Reward: half a cake.",
        ),
    ]


def mail_files(world):
    """As the mail program keeps them: one file each, named by the second of arrival."""
    epoch, files = datetime(1970, 1, 1), {}
    mails = sorted([*request_mails(world), *office_mails(world)], key=lambda mail: mail.at)
    for n, mail in enumerate(mails, 1):
        seconds = int((mail.at - timedelta(hours=1) - epoch).total_seconds()) + 7 + n
        files[f"mail/cur/{seconds}.M{n:02d}.crewing"] = mail.render()
    return files


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    world = make_world(seed)
    files = rosters(world) | board(world) | crew_files(world) | timetables(world) | agreement(world) | mail_files(world)
    files["notes/watch-book.txt"] = watch_book(world)
    files["notes/desk.txt"] = (
        "Roster to both ships by six.\nSpare reading glasses are in the drawer with the whistles.\n"
    )
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    import sys

    generate(int(sys.argv[1]), sys.argv[2])
