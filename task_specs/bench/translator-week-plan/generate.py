"""Writes a workspace for this task: the same week in May, other clients, jobs, figures and clashes."""

import quopri
import random
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path

SLUG = "translator-week-plan"
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
DAY, HOUR = 24 * 60, 60
RUSH_DAYS = (0, 1)
HOLIDAY, BANK_DAY = 3, 4  # Ascension Day and the day after it
AHEAD = {"Copenhagen": 0, "London": 1, "Helsinki": -1}  # hours by which Asta's clock is ahead
HERS = ("Danish into English", "Norwegian into English")
OTHERS = ("English into Danish", "Swedish into English", "German into Danish")
MATCHES = ("Repetitions", "100%", "85-99%", "75-84%", "New")
AGENCIES = {
    "Copenhagen": (
        ("kornelund", "Kornelund Sprog", "KS"),
        ("vandfald", "Vandfald Text", "VT"),
        ("blaabog", "Blaabog Language Office", "BL"),
    ),
    "London": (
        ("tarnwick", "Tarnwick Language Services", "TW"),
        ("mossgate", "Mossgate Translations", "MG"),
        ("pellbright", "Pellbright & Daughters", "PD"),
    ),
    "Helsinki": (("pihlakieli", "Pihlakieli Oy", "PK"), ("tuulisana", "Tuulisana Oy", "TS")),
}
DIRECT = {
    "Copenhagen": (
        ("havremark", "Havremark Mill", "HM"),
        ("skagboats", "Skagboats Yard", "SB"),
        ("lindoglass", "Lindo Glassworks", "LG"),
        ("ravnebakken", "Ravnebakken Folk Museum", "RF"),
    ),
    "London": (("brightholm", "Brightholm Windows", "BW"), ("oakandsalt", "Oak and Salt Cookware", "OS")),
}
PEOPLE = (
    "Agnes Tolberg",
    "Rupert Calloway-Finn",
    "Mette Sandholt",
    "Priya Larkspur",
    "Eero Vanhatalo",
    "Sanna Ketomies",
    "Villads Bruun-Hey",
    "Gwendolen Stroud",
    "Oskar Nymark",
    "Beate Fuglsang",
    "Tobias Wren",
    "Hanne Morild",
)
TOPICS = (
    "a handbook for harbour pilots",
    "a catalogue of oak furniture",
    "the annual report of a dairy",
    "a leaflet on reed roofs",
    "a contract about a wind farm",
    "the captions for a fishing museum",
    "a manual for a hay loader",
    "a brochure on cold-water swimming",
    "a study of eelgrass",
    "the rules of a rowing club",
    "a report on stable ventilation",
    "the audio guide of a lighthouse",
)


@dataclass(frozen=True)
class Client:
    slug: str
    name: str
    code: str
    person: str
    clock: str
    rate: int  # hundredths of a krone
    minimum: int
    grid: tuple | None  # per cent by match; None for a direct client
    april: int | None = None  # a new rate, by letter, from 1 April
    july: int | None = None


@dataclass(frozen=True)
class Job:
    role: str
    ref: str
    client: Client
    topic: str
    pair: str
    words: tuple  # by match, or all in one
    due: int  # minutes from Monday 0:00 by the client's clock
    first_words: tuple | None = None  # what the first mail said, where a later one changed it
    first_due: int | None = None


@dataclass(frozen=True)
class Event:
    form: str
    title: str
    start: int  # minutes from Monday 0:00 by Asta's clock
    end: int


@dataclass(frozen=True)
class World:
    jobs: tuple
    events: tuple
    pace: tuple  # as in the mail to Jorunn, as in the notebook
    stop: tuple
    floor: tuple
    rush: tuple  # as in the mail, as in a note that the mail has overtaken


# What a hurried reader may miss; each of these changes the answer on every seed.
BLIND = (
    "minimum old-note rush floor july updates april utc clock pace stop withdrawn promise books pair grid "
    "holiday banks repeats exceptions status birthday"
).split()


def told(pair, seen):
    return pair[1] if seen else pair[0]


def blocks(event, blind):
    """Whether the event takes time away, as the reader sees it."""
    passing = {"skipped": "exceptions", "fortnight": "exceptions", "ended": "exceptions"}
    passing |= {"tentative": "status", "cancelled": "status", "free": "birthday"}
    if event.form in passing:
        return passing[event.form] in blind
    return not (event.form == "weekly" and "repeats" in blind)


def open_slots(world, blind):
    shift = 2 * HOUR if "utc" in blind else 0
    taken = [
        (e.start - shift * (e.form == "utc"), e.end - shift * (e.form == "utc"))
        for e in world.events
        if blocks(e, blind)
    ]
    stop = told(world.stop, "stop" not in blind)
    off = ({HOLIDAY} if "holiday" not in blind else set()) | ({BANK_DAY} if "banks" in blind else set())
    minutes = [*range(9 * HOUR, 12 * HOUR, 30), *range(13 * HOUR, stop, 30)]
    slots = [day * DAY + minute for day in range(5) if day not in off for minute in minutes]
    return [slot for slot in slots if not any(start < slot + 30 and end > slot for start, end in taken)]


def due_of(job, blind):
    return job.first_due if job.first_due is not None and "updates" in blind else job.due


def weighted(job, blind):
    """Hundredths of weighted words."""
    words = job.first_words if job.first_words and "updates" in blind else job.words
    grid = job.client.grid if job.client.grid and "grid" not in blind else (100,) * len(words)
    return sum(count * share for count, share in zip(words, grid))


def rate_of(client, blind):
    rate = client.april if client.april and "april" not in blind else client.rate
    return client.july if client.july and "july" in blind else rate


def exact_fee(job, world, blind):
    """Millionths of a krone, before rounding."""
    rush = told(world.rush, "old-note" in blind) if "rush" not in blind else 0
    surcharge = 100 + (rush if due_of(job, blind) // DAY in RUSH_DAYS else 0)
    least = 0 if "minimum" in blind else job.client.minimum * 1_000_000
    return max(least, weighted(job, blind) * rate_of(job.client, blind) * surcharge)


def half_hours(job, world, blind):
    return -(-weighted(job, blind) * 2 // (100 * told(world.pace, "pace" not in blind)))


def refusal(job, world, blind):
    if job.role == "promised" and "promise" not in blind:
        return None
    if job.pair not in HERS and "pair" not in blind:
        return "pair"
    if job.role == "unpaid" and "books" not in blind:
        return "unpaid"
    return "low" if hourly(job, world, blind) < told(world.floor, "floor" not in blind) else None


def fee(job, world, blind):
    return (exact_fee(job, world, blind) + 500_000) // 1_000_000


def hourly(job, world, blind):
    return 2 * fee(job, world, blind) / half_hours(job, world, blind)


def plan(world, blind=frozenset()):
    """Half hours by accepted job, reasons by declined job, half hours left, fees by accepted job."""
    free, offers = open_slots(world, blind), [j for j in world.jobs if j.role != "withdrawn" or "withdrawn" in blind]
    declined = {job.ref: reason for job in offers if (reason := refusal(job, world, blind))}
    first = lambda job: job.role == "promised" and "promise" not in blind
    accepted, fees = {}, {}
    for job in sorted(offers, key=lambda j: (not first(j), -hourly(j, world, blind))):
        if job.ref in declined:
            continue
        slots = free[: half_hours(job, world, blind)]
        ahead = 0 if "clock" in blind else AHEAD[job.client.clock] * HOUR
        if len(slots) < half_hours(job, world, blind) or slots[-1] + 30 > due_of(job, blind) + ahead:
            declined[job.ref] = "full"
        else:
            free = free[len(slots) :]
            accepted[job.ref], fees[job.ref] = slots, fee(job, world, blind)
    return accepted, declined, len(free), fees


def clear_cut(world):
    """No rounding and no comparison hangs on a hair."""
    real = [job for job in world.jobs if job.role not in ("withdrawn",)]
    rates = sorted(hourly(job, world, ()) for job in real)
    fractions = [exact_fee(job, world, ()) % 1_000_000 for job in real]
    rests = [weighted(job, ()) * 2 % (100 * world.pace[1]) for job in real]
    return (
        all(b - a > 1 for a, b in zip(rates, rates[1:]))
        and all(abs(rate - floor) > 4 for rate in rates for floor in world.floor)
        and all(abs(fraction - 500_000) > 5_000 for fraction in fractions)
        and all(200 < rest < 100 * world.pace[1] - 200 for rest in rests)
    )


def sound(world):
    if not clear_cut(world):
        return False
    accepted, declined, left, _ = truth = plan(world)
    promised = next(job for job in world.jobs if job.role == "promised")
    return (
        5 <= len(accepted) <= 7
        and promised.ref in accepted
        and hourly(promised, world, ()) < world.floor[1]
        and set(declined.values()) == {"pair", "unpaid", "low", "full"}
        and 1 <= left <= 10
        and all(plan(world, {miss}) != truth for miss in BLIND)
    )


def draw_clients(rng):
    names, people = {}, iter(rng.sample(PEOPLE, 8))
    for kind, pool in (("agency", AGENCIES), ("direct", DIRECT)):
        names |= {(kind, clock): iter(rng.sample(firms, len(firms))) for clock, firms in pool.items()}

    def client(kind, clock, rates, minimum, **letters):
        slug, name, code = next(names[kind, clock])
        grid = (*(rng.choice(shares) for shares in ((10, 20, 25), (20, 25, 30), (40, 50, 60), (65, 70, 75))), 100)
        rate = rng.randint(*rates)
        letters = {month: rate + rng.randint(*more) for month, more in letters.items()}
        least = rng.randrange(*minimum, 10)
        return Client(slug, name, code, next(people), clock, rate, least, grid if kind == "agency" else None, **letters)

    return {
        "steady": client("agency", "London", (122, 132), (240, 320)),
        "renewed": client("agency", "Copenhagen", (138, 150), (250, 350), april=(14, 24)),
        "north": client("agency", "Helsinki", (150, 172), (250, 350), july=(14, 24)),
        "small": client("direct", "Copenhagen", (180, 205), (560, 720)),
        "island": client("direct", "London", (170, 195), (400, 500)),
        "cheap": client("agency", rng.choice(("Copenhagen", "London")), (128, 138), (200, 260)),
        "debtor": client("direct", "Copenhagen", (165, 190), (400, 500)),
        "wide": client("direct", rng.choice(("Copenhagen", "London")), (155, 180), (250, 350)),
    }


def draw_words(rng, client, hours, pace):
    """Word counts that come to about that many hours."""
    if not client.grid:
        return (round(hours * pace),)
    parts = [share * rng.uniform(0.6, 1.4) for share in (0.16, 0.1, 0.14, 0.14, 0.46)]
    whole = hours * pace * 100 / sum(part * share for part, share in zip(parts, client.grid))
    return tuple(round(whole * part) for part in parts)


RECIPE = (  # role, client, hours, days on which it may be due
    ("promised", "steady", (2.1, 3.9), (2,)),
    ("rush", "steady", (2.1, 3.4), (1,)),
    ("recount", "renewed", (3.1, 4.9), (2, 4)),
    ("plain", "renewed", (2.1, 3.9), (2, 3, 4)),
    ("north", "north", (2.1, 3.9), (2, 4)),
    ("minimum", "small", (0.3, 0.9), (0, 1)),
    ("moved", "island", (2.1, 4.4), (2, 3, 4)),
    ("low", "cheap", (1.6, 3.4), (2, 4)),
    ("unpaid", "debtor", (1.6, 3.9), (2, 4)),
    ("pair", "wide", (2.1, 3.9), (3, 4)),
    ("withdrawn", "wide", (2.6, 3.9), (2, 4)),
)


def draw_jobs(rng, pace):
    clients, topics, numbers = (
        draw_clients(rng),
        iter(rng.sample(TOPICS, len(RECIPE))),
        rng.sample(range(1100, 4900), len(RECIPE)),
    )
    for (role, place, hours, days), number in zip(RECIPE, numbers):
        client = clients[place]
        words = draw_words(rng, client, rng.uniform(*hours), pace)
        due = rng.choice(days) * DAY + rng.randrange(11 * HOUR, 17 * HOUR + 1, 30)
        pair = rng.choice(OTHERS if role == "pair" else HERS)
        job = Job(role, f"{client.code}-{number}", client, next(topics), pair, words, due)
        if role == "recount":
            job = replace(job, first_words=tuple(round(count * rng.uniform(0.55, 0.75)) for count in words))
        if role == "moved":
            job = replace(job, first_due=rng.choice((1, 4)) * DAY + rng.randrange(11 * HOUR, 17 * HOUR + 1, 30))
        yield job


TITLES = {
    "local": ("Dentist", "Optician", "Chimney sweep"),
    "utc": ("Call with Jorunn", "Call about the tax return", "Call with the printer"),
    "weekly": ("Physiotherapy, wrist", "Reading at the school"),
    "skipped": ("Hand exercises, group", "Finnish lesson"),
    "fortnight": ("Book club lunch", "Window cleaner, must be at home"),
    "ended": ("Bookkeeping course", "Course: theatre texts"),
    "tentative": ("Publisher, perhaps coffee", "Maybe swimming with Karen"),
    "cancelled": ("Car inspection", "Lunch with the association"),
}


def draw_events(rng):
    """One timed event in each half of the four working days, and a birthday."""
    halves = [day * DAY + hour * HOUR for day in (0, 1, 2, 4) for hour in (9, 13)]
    for form, start in zip(TITLES, rng.sample(halves, len(halves))):
        start += rng.randrange(0, 91, 15)
        yield Event(form, rng.choice(TITLES[form]), start, start + rng.choice((45, 60, 75)))
    day = rng.choice((0, 1, 2, 4)) * DAY
    yield Event("free", f"{rng.choice(('Karen', 'Aksel', 'Mother', 'Ulla'))}'s birthday", day, day + DAY)


def tightened(rng, world):
    """The world with one deadline abroad that lies within an hour of the end of the work, or None where it cannot."""
    role, late = rng.choice((("north", 30), ("moved", 0)))
    job = next(job for job in world.jobs if job.role == role)
    at_leisure = replace(job, due=4 * DAY + 23 * HOUR)
    slots = plan(replace(world, jobs=tuple(at_leisure if j is job else j for j in world.jobs)))[0].get(job.ref)
    if not slots or slots[-1] < 2 * DAY:
        return None
    due = slots[-1] + 30 - late - AHEAD[job.client.clock] * HOUR
    return replace(world, jobs=tuple(replace(job, due=due) if j is job else j for j in world.jobs))


def draw_world(rng):
    pace = (rng.randrange(380, 421, 10), rng.randrange(300, 341, 10))
    return World(
        jobs=tuple(draw_jobs(rng, pace[1])),
        events=tuple(draw_events(rng)),
        pace=pace,
        stop=(17 * HOUR, rng.choice((15 * HOUR + 30, 16 * HOUR))),
        floor=(rng.randrange(370, 386, 5), rng.randrange(430, 446, 5)),
        rush=(rng.choice((20, 25, 30)), rng.choice((40, 45, 50))),
    )


def clock(minute):
    return f"{minute // 60:02d}:{minute % 60:02d}"


def spoken(moment):
    day = moment // DAY
    return f"{DAYS[day]} {3 + day} May, {clock(moment % DAY)}"


def crowns(hundredths):
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def mail(sender, recipient, stamp, subject, body):
    head = f"From: {sender}\nTo: {recipient}\nDate: {stamp}\nSubject: {subject}\n"
    head += (
        'MIME-Version: 1.0\nContent-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n\n'
    )
    return head.encode() + quopri.encodestring(body.encode())


ASTA = "Asta Fjeldholt <asta@fjeldholt.example>"


def address(client):
    return f"{client.person} <{client.person.split()[0].lower()}@{client.slug}.example>"


ZONES = {"Copenhagen": "+0200", "London": "+0100", "Helsinki": "+0300"}
WEEKDAYS = {26: "Mon", 27: "Tue", 28: "Wed", 29: "Thu", 30: "Fri"}


def stamp(client, day, minute):
    """A date header of April by the client's clock."""
    return f"{WEEKDAYS[day]}, {day:02d} Apr 2027 {clock(minute)}:00 {ZONES[client.clock]}"


AGENCY_OFFERS = (
    "Dear Asta,\n\nwould you have time for {topic}? It is {pair}, due on {due}. The count is attached.\n",
    "Hi Asta,\n\nthis one has your name on it: {topic}, {pair}. We need it back by {due}. Please see the attached count.\n",
    "Hello Asta,\n\nare you free for {topic}, {pair}? The client expects it on {due} at the latest. I attach the count.\n",
)
DIRECT_OFFERS = (
    "Dear Asta Fjeldholt,\n\nwe would like you to translate {topic}, {pair}. It has {words} words. Could we have it by {due}?\n",
    "Dear Ms Fjeldholt,\n\nit is that time of year again: {topic}, {pair}, {words} words in all. We need it by {due}.\n",
)


def attached(name):
    return f"\n[Attachment saved as counts/{name}]\n"


def offer_body(rng, job):
    words, due = job.first_words or job.words, job.first_due if job.first_due is not None else job.due
    template = rng.choice(AGENCY_OFFERS if job.client.grid else DIRECT_OFFERS)
    body = template.format(topic=job.topic, pair=job.pair, due=spoken(due), words=f"{sum(words):,}")
    body += f"\nBest wishes\n{job.client.person}\n{job.client.name}\n"
    return body + (attached(f"{job.ref}.csv") if job.client.grid else "")


def second_body(job):
    """What a later mail about the same job says."""
    greeting, ending = "Dear Asta,\n\n", f"\n{job.client.person}\n"
    if job.role == "recount":
        text = "the client has added to the text after all. The new count replaces the first one, the rest is as I wrote.\n"
        return greeting + text + ending + attached(f"{job.ref}-new.csv")
    if job.role == "moved":
        return f"{greeting}a change of plan on our side: we now need it by {spoken(job.due)}. The rest is as I wrote.\n{ending}"
    if job.role == "withdrawn":
        return f"{greeting}the whole thing has been called off over here, so I have to take this offer back. Another time!\n{ending}"
    return f"{greeting}just making sure that you have seen this. Nothing has changed.\n{ending}"


SUBJECTS = ("New job", "Are you free?", "Offer", "For you?")
SECOND_SUBJECTS = {"recount": "more text", "moved": "new date", "withdrawn": "sorry", "plain": "did this reach you?"}


def inbox(rng, world):
    order = rng.sample(world.jobs, len(world.jobs))
    for number, job in enumerate(order):
        day, minute = 26 + number * 3 // len(order), rng.randrange(8 * HOUR, 17 * HOUR)
        name = f"mail/inbox/04-{day}-{job.ref}.eml"
        subject = f"[{job.ref}] {rng.choice(SUBJECTS)}"
        yield name, mail(address(job.client), ASTA, stamp(job.client, day, minute), subject, offer_body(rng, job))
        if job.role in SECOND_SUBJECTS:
            day, minute = rng.choice((29, 30)), rng.randrange(8 * HOUR, 15 * HOUR)
            name = f"mail/inbox/04-{day}-{job.ref}-2.eml"
            subject = f"[{job.ref}] {SECOND_SUBJECTS[job.role]}"
            yield name, mail(address(job.client), ASTA, stamp(job.client, day, minute), subject, second_body(job))
    yield (
        "mail/inbox/04-28-association.eml",
        mail(
            "Nordic Word Workers <news@wordworkers.example>",
            ASTA,
            "Wed, 28 Apr 2027 06:00:00 +0200",
            "April letter",
            ASSOCIATION,
        ),
    )


ASSOCIATION = """Dear members,

our survey says that you ask 1.71 kroner a word on average and 45 % more for work in a hurry. Is that you?
The summer meeting is on 12 June on Samsø. Bring a poem in a language that nobody else there can read.
"""


def sent(world):
    by_role = {job.role: job for job in world.jobs}
    promised, north, renewed = by_role["promised"], by_role["north"], by_role["plain"].client
    yield (
        "mail/sent/2026-06-26-jorunn.eml",
        mail(
            ASTA,
            "Jorunn Vikesdal <jorunn@vikesdal.example>",
            "Fri, 26 Jun 2026 17:20:00 +0200",
            "Standing in for me",
            letter(world),
        ),
    )
    yield (
        f"mail/sent/2027-02-19-{renewed.slug}.eml",
        mail(
            ASTA,
            address(renewed),
            "Fri, 19 Feb 2027 10:05:00 +0100",
            "My rate",
            new_rate(renewed, "1 April 2027", renewed.april),
        ),
    )
    yield (
        f"mail/sent/2027-04-12-{north.client.slug}.eml",
        mail(
            ASTA,
            address(north.client),
            "Mon, 12 Apr 2027 10:40:00 +0200",
            "My rate",
            new_rate(north.client, "1 July 2027", north.client.july),
        ),
    )
    yield (
        f"mail/sent/2027-04-29-{promised.ref}.eml",
        mail(
            ASTA,
            address(promised.client),
            "Thu, 29 Apr 2027 18:31:00 +0200",
            f"Re: [{promised.ref}]",
            f"Dear {promised.client.person.split()[0]},\n\nyes, with pleasure. You will have it in time.\n\nAsta\n",
        ),
    )
    yield (
        f"mail/sent/2027-04-29-{north.ref}.eml",
        mail(
            ASTA,
            address(north.client),
            "Thu, 29 Apr 2027 18:44:00 +0200",
            f"Re: [{north.ref}]",
            f"Dear {north.client.person.split()[0]},\n\nthat sounds lovely. I plan my week on Friday and will tell you then.\n\nAsta\n",
        ),
    )


def new_rate(client, day, rate):
    return (
        f"Dear {client.person.split()[0]},\n\nfrom {day} I charge {crowns(rate)} kroner a word instead of {crowns(client.rate)}. "
        "Grid and minimum stay as they are. I hope we go on as happily as before.\n\nAsta\n"
    )


def letter(world):
    return f"""Dear Jorunn,

thank you for minding the shop while I am on Anholt. You wanted it in writing, so here is how I choose, price and plan.

THE OFFERS. A job goes by the reference in square brackets in the subject. When a client writes again about the same job, the later mail changes what it mentions and leaves the rest. If they take the offer back, forget it: no answer, no hours.

THE HOURS. I work Monday to Friday, 9:00 to 12:00 and 13:00 to {clock(world.stop[0])}, and I plan in half hours that begin on the hour or at half past. My own calendar (desk/calendar.ics) takes away every half hour that one of its entries touches. Entries that are cancelled, tentative or marked as free take away nothing. My phone writes some of them in UTC, which in summer is two hours behind my kitchen clock. On the public holidays in desk/denmark-2027.ics I do not work. The bank closing days and flag days in the same file are days like any other.

THE WORDS. Agencies send a count by match, which I save in counts/. A word counts for as many per cent as the client's sheet (clients/) says for its match. Direct clients have no such grid; they tell me how many words there are, and all of them count in full. That makes the weighted words, which are not rounded. I do {world.pace[0]} weighted words an hour, and a job takes its hours rounded up to the next half hour.

THE FEE. Weighted words times the client's rate, in kroner. Whatever is due on a Monday or Tuesday costs {world.rush[0]} % more. The fee is never less than the client's minimum, and the minimum itself gets no surcharge. Round once, at the end, to whole kroner, 50 øre upwards. The rate is the one in the client's sheet, unless I have written to them that it changes; a new rate holds for offers that came in on the day it starts or later.

PROMISES. If I have already said yes to a client by mail, the job is mine, whatever it pays, and it is planned before all others.

SAYING NO. Try these in turn. The first that is true is the reason:
  pair     it is not from Danish or Norwegian into English
  unpaid   the client has an invoice that is still open and was due more than 30 days before the day I answer (books/invoices.csv)
  low      the fee divided by the hours it takes is under {world.floor[0]} kroner
  full     it cannot be ready in time

PLANNING. What is left gets its turn by fee divided by hours, highest first. A job takes the earliest half hours that are still free next week, as many as it needs; it may be cut up. If its last one would end after the deadline, or there are not enough of them, the job is "full", it takes nothing, and the next one has its turn. Ready on the dot is in time. A deadline is by the client's clock, and the sheet says where that hangs.

If any of this changes, it will be in my notebook on the desk.

Asta
"""


def notebook(rng, world):
    january, february, march = rng.randint(5, 28), rng.randint(3, 26), rng.randint(2, 29)
    lines = (
        "NOTEBOOK",
        "",
        f"4 May 2026    {world.rush[1]} % more for the rush job, and nobody blinked. {world.rush[1]} % from now on, then.",
        "25 June 2026  On second thoughts no. I will write to Jorunn what it really costs, and how I do everything else.",
        "14 Sep 2026   Desk lamp: the warm bulb, E14, not the white one.",
        f"{january} Jan 2027   The wrist again. From now on I plan with {world.pace[1]} weighted words an hour.",
        f"{february} Feb 2027   Evening class. My working day ends at {clock(world.stop[1])} from now on, all days.",
        f"{march} March 2027  Under {world.floor[1]} kroner an hour I say no from now on. Should have done it years ago.",
        "22 April 2027 I would like to have Fridays off. Not before the autumn, though.",
        "25 April 2027 Ask Jorunn what she does about the wrist.",
    )
    return "\r\n".join(lines).encode() + b"\r\n"


def sheet(rng, client):
    lines = [f"name: {client.name}", f"contact: {client.person}", f"mail: '@{client.slug}.example'"]
    lines += [
        f"kind: {'agency' if client.grid else 'direct'}",
        f"since: {rng.randint(2011, 2024)}",
        f"clock: {client.clock}",
    ]
    lines += [f"rate: {crowns(client.rate)}  # kroner a word", f"minimum: {client.minimum}"]
    if client.grid:
        lines += ["grid:  # per cent"] + [f"  {match}: {share}" for match, share in zip(MATCHES, client.grid)]
    return ("\n".join(lines) + "\n").encode()


def count_file(client, words):
    """A count as the client's program writes it; the programs of two houses differ."""
    segments = [max(1, count // 11) for count in words]
    if client.clock == "Copenhagen":
        rows = [("Match", "Segments", "Words"), *zip(MATCHES, segments, words), ("Total", sum(segments), sum(words))]
        return "".join(";".join(f"{c:,}" if isinstance(c, int) else c for c in row) + "\r\n" for row in rows).encode(
            "cp1252"
        )
    rows = [("Type", "Words", "Segments"), *zip(MATCHES, words, segments), ("Total", sum(words), sum(segments))]
    return "".join(",".join(str(cell) for cell in row) + "\n" for row in rows).encode("utf-8-sig")


def counts(world):
    for job in world.jobs:
        if job.client.grid and job.first_words:
            yield f"counts/{job.ref}.csv", count_file(job.client, job.first_words)
            yield f"counts/{job.ref}-new.csv", count_file(job.client, job.words)
        elif job.client.grid:
            yield f"counts/{job.ref}.csv", count_file(job.client, job.words)


def invoices(rng, world):
    """One client is far behind; others were late, or are a little late, or have only an old date of issue."""
    client = {job.role: job.client for job in world.jobs}
    rows = [  # client, sent, due, paid
        (client["plain"], "08-01-2027", "07-02-2027", "19-03-2027"),
        (client["unpaid"], "02-02-2027", "04-03-2027", f"{rng.randint(10, 28)}-03-2027"),
        (client["unpaid"], f"{rng.randint(10, 19)}-02-2027", f"{rng.randint(12, 21)}-03-2027", ""),
        (client["promised"], "01-03-2027", "31-03-2027", "07-04-2027"),
        (client["moved"], f"{rng.randint(3, 9):02d}-03-2027", f"{rng.randint(10, 20):02d}-04-2027", ""),
        (client["north"], "29-03-2027", "28-05-2027", ""),
        (client["recount"], "26-04-2027", "26-05-2027", ""),
    ]
    lines = ["No.;Client;Sent;Due;Kroner;Paid;Remark"]
    for number, (who, day, due, paid) in enumerate(rows, 2701):
        amount = f"{rng.randint(1, 6)}.{rng.randint(100, 999)},{rng.choice(('00', '50'))}"
        lines.append(
            f"{number};{who.name};{day};{due};{amount};{paid};{rng.choice(('', '', 'pr. e-mail', 'påmindet'))}"
        )
    return ("\r\n".join(lines) + "\r\n").encode("cp1252")


def utc(moment, days=0):
    moment -= 2 * HOUR
    return f"202705{3 + moment // DAY + days:02d}T{clock(moment % DAY).replace(':', '')}00Z"


def local(moment, date=None):
    return f"{date or f'202705{3 + moment // DAY:02d}'}T{clock(moment % DAY).replace(':', '')}00"


def weeks_before(moment, weeks):
    """The same weekday so many weeks earlier, as YYYYMMDD; from 3 to 17 weeks."""
    day = 123 + moment // DAY - 7 * weeks  # the 123rd day of 2027 is Monday 3 May
    for month, length in enumerate((31, 28, 31, 30), 1):
        if day <= length:
            return f"2027{month:02d}{day:02d}"
        day -= length
    raise ValueError(f"{weeks} weeks before {moment} is not before May")


def event_lines(number, event):
    zone = ";TZID=Europe/Copenhagen:"
    begin, end, extra = zone + local(event.start), zone + local(event.end), []
    if event.form == "utc":
        begin, end = ":" + utc(event.start), ":" + utc(event.end)
    if event.form in ("weekly", "skipped", "fortnight", "ended"):
        first = weeks_before(event.start, 5 if event.form == "fortnight" else 11)
        begin, end = zone + local(event.start, first), zone + local(event.end, first)
        rule = {"fortnight": ";INTERVAL=2", "ended": f";UNTIL={weeks_before(event.start, 3)}T215959Z"}.get(
            event.form, ""
        )
        extra = [f"RRULE:FREQ=WEEKLY{rule}"]
    if event.form == "skipped":
        extra.append(f"EXDATE{zone}{local(event.start)}")
    if event.form == "free":
        begin, end = f";VALUE=DATE:{local(event.start)[:8]}", f";VALUE=DATE:{local(event.end)[:8]}"
        extra = ["TRANSP:TRANSPARENT"]
    status = {"tentative": "TENTATIVE", "cancelled": "CANCELLED"}.get(event.form, "CONFIRMED")
    lines = ["BEGIN:VEVENT", f"UID:{number}@fjeldholt.example", f"SUMMARY:{event.title}".replace(",", "\\,")]
    return [*lines, f"DTSTART{begin}", f"DTEND{end}", *extra, f"STATUS:{status}", "END:VEVENT"]


def calendar(rng, world):
    entries = [event_lines(number, event) for number, event in enumerate(world.events, 1)]
    entries += [
        elsewhere(71, "Haircut", "20270429T103000", "20270429T111500"),
        elsewhere(72, "Summer meeting", "20270612T100000", "20270612T170000"),
        elsewhere(73, "Ferry\\, cabin 7114", "20270430T211500", "20270501T070000"),
    ]
    rng.shuffle(entries)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Asta//Desk//EN", *sum(entries, []), "END:VCALENDAR"]
    return "".join(f"{line}\r\n" for line in lines).encode()


def elsewhere(number, title, begin, end):
    zone = ";TZID=Europe/Copenhagen:"
    head = ["BEGIN:VEVENT", f"UID:{number}@fjeldholt.example", f"SUMMARY:{title}"]
    return [*head, f"DTSTART{zone}{begin}", f"DTEND{zone}{end}", "STATUS:CONFIRMED", "END:VEVENT"]


PUBLIC = (
    ("20270326", "Good Friday", "Public holiday"),
    ("20270329", "Easter Monday", "Public holiday"),
    ("20270409", "Anniversary of the occupation", "Flag day"),
    ("20270501", "Labour Day", "Bank closing day"),
    ("20270505", "Liberation Day", "Flag day"),
    ("20270506", "Ascension Day", "Public holiday"),
    ("20270507", "Day after Ascension Day", "Bank closing day"),
    ("20270517", "Whit Monday", "Public holiday"),
    ("20270605", "Constitution Day", "Bank closing day"),
)


def public_calendar():
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Days of Denmark//2027//EN"]
    for day, name, kind in PUBLIC:
        lines += ["BEGIN:VEVENT", f"UID:dk-{day}", f"DTSTART;VALUE=DATE:{day}", f"SUMMARY:{name}"]
        lines += [
            f"DESCRIPTION:{kind}. Taken from the list of days for Denmark without Green",
            " land and the Faroe Islands.",
        ]
        lines += [f"CATEGORIES:{kind}", "TRANSP:TRANSPARENT", "END:VEVENT"]
    return ("\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n").encode()


def files_of(rng, world):
    files = dict(inbox(rng, world)) | dict(sent(world)) | dict(counts(world))
    for client in {job.client.slug: job.client for job in world.jobs}.values():
        files[f"clients/{client.slug}.yaml"] = sheet(rng, client)
    files["books/invoices.csv"] = invoices(rng, world)
    files["desk/notebook.txt"] = notebook(rng, world)
    files["desk/calendar.ics"] = calendar(rng, world)
    files["desk/denmark-2027.ics"] = public_calendar()
    return files


def leaks(world, files):
    """Whether a total of the answer happens to stand in a file."""
    slots, _, _, fees = plan(world)
    total = sum(fees.values())
    forms = {str(total), f"{total:,}", str(sum(map(len, slots.values())) / 2)}
    text = "\n".join(quopri.decodestring(content).decode("cp1252", "replace") for content in files.values())
    return any(re.search(rf"(?<![\w.,]){re.escape(form)}(?![\w]|[.,]\d)", text) for form in forms)


def generate(seed: int, out_dir: Path) -> None:
    """Write the workspace of that seed."""
    rng = random.Random(f"{SLUG}:{seed}")
    while True:
        world = tightened(rng, draw_world(rng))
        if world is None or not sound(world):
            continue
        files = files_of(rng, world)
        if not leaks(world, files):
            break
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    generate(int(sys.argv[1]), Path(sys.argv[2]))
