"""Writes another February for the same claim: other people, figures and mishaps, pure in the seed."""

import json
import quopri
import random
import re
import sys
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

SLUG = "cold-chain-claims"
DAY, HOME = 1440, 60  # minutes; Corvanne and Rotterdam are an hour ahead of UTC in winter
LIMITS = {"F": 60, "B": 70, "P": 90}  # tenths of a degree
ZONES = {"London": 0, "Porto": 0, "Hamburg": 60, "Aarhus": 60, "Antwerp": 60, "Turin": 60, "Graz": 60}
ZONES |= {"Vilnius": 120, "Tallinn": 120}
HOLIDAYS = {("Vilnius", 46), ("Tallinn", 54)}  # place and day of the year from 0
FEBRUARY, MARCH = 31, 59
OURS = "Sidonie Aumont <sidonie@corvanne.example>"
CLAIMS = "claims@frostveen.example"
PLANNING = "planning@frostveen.example"
SLIPS = (
    "printed", "first amendment only", "second for all", "uncorrected", "misprint", "older certificate", "clock",
    "small clock", "pallet list", "expired", "doors unseen", "all doors", "gap", "every gap", "custody", "home time",
    "on the limit", "at grace", "rate of collection", "no cap", "all credits", "no credits", "planners", "hour",
    "holiday", "box 18", "all delivered",
)  # fmt: skip


@dataclass
class Logger:
    """An instrument as it measured: true minute and true tenths of a degree, None where it measured nothing."""

    serial: str
    interval: int
    times: list
    temps: list
    correction: int = 0
    older: int | None = None
    misprinted: bool = False
    expired: bool = False
    fast: int = 0


@dataclass
class Pallet:
    number: str
    klass: str
    net: int
    gross: int
    price: int
    logger: Logger
    listed: Logger | None = None
    short: int = 0
    goodwill: int = 0


@dataclass
class Leg:
    """A consignment; minutes are in UTC from the first of January 2027."""

    role: str
    waybill: str
    place: str
    trailer: str
    collected: int
    delivered: int
    recorder: Logger
    box18: str = "none"
    pallets: list = field(default_factory=list)
    doors: list = field(default_factory=list)
    notices: list = field(default_factory=list)


@dataclass
class Terms:
    grace: int
    settle: int
    percents: dict
    excess: int
    units: int


@dataclass
class World:
    printed: Terms
    first: Terms
    second: Terms
    draft: tuple
    legs: list
    rates: dict
    extra: dict


# --- drawing ---------------------------------------------------------------------------------------------------------


def quiet(rng, count, limit):
    """Tenths of a degree that stay well below the limit."""
    values, value = [], limit - rng.randint(16, 26)
    for _ in range(count):
        value = min(limit - 8, max(limit - 34, value + rng.randint(-2, 2)))
        values.append(value)
    return values


def new_logger(rng, serial, interval, leg, klass):
    start = leg.collected - rng.randint(200, 330)
    count = (leg.delivered + rng.randint(190, 300) - start) // interval
    times = [start + n * interval for n in range(count)]
    return Logger(serial, interval, times, quiet(rng, count, LIMITS[klass]), rng.choice((-4, -3, -2, 2, 3, 4)))


def index_at(logger, minute):
    return next(n for n, time in enumerate(logger.times) if time >= minute)


def warm(rng, logger, minute, count, low, high):
    """So many readings from that minute on between two values; the ones around them are below."""
    first = index_at(logger, minute)
    for n in range(first, first + count):
        logger.temps[n] = rng.randint(low, high)
    return first


def middle(rng, leg, part):
    """A minute in that tenth of the journey."""
    return leg.collected + (leg.delivered - leg.collected) * part // 10 + rng.randint(-40, 40)


def hot(rng, leg, pallet, part, count):
    limit = LIMITS[pallet.klass]
    return warm(rng, pallet.logger, middle(rng, leg, part), count, limit + 5, limit + 24)


def around_door(rng, leg, pallet, reason, part, opened_for, count):
    """A door event and a run that begins just after the doors open."""
    opened = middle(rng, leg, part)
    leg.doors.append((opened, opened + opened_for, reason))
    limit = LIMITS[pallet.klass]
    warm(rng, pallet.logger, opened + 1, count, limit + 5, limit + 24)


def slightly_slow(rng, leg, logger):
    """A clock that is out by less than counts, and a run that ends within that of the delivery."""
    logger.fast = -rng.randint(3, 5)
    last = index_at(logger, leg.delivered)
    moved = leg.delivered - 1 - logger.fast - logger.times[last]
    logger.times = [time + moved for time in logger.times]
    warm(rng, logger, logger.times[last - 5], 6, 66, 83)


def fill_january(rng, leg):
    soft, pressed, blue = leg.pallets
    hot(rng, leg, soft, 3, 4)
    hot(rng, leg, soft, 7, rng.randint(9, 11))
    warm(rng, pressed.logger, leg.collected - 170, 11, 96, 118)
    pressed.logger.correction = 0
    warm(rng, pressed.logger, middle(rng, leg, 5), 7, 90, 90)
    around_door(rng, leg, blue, "drop", 3, 36, 5)
    hot(rng, leg, blue, 7, rng.randint(14, 26))
    soft.goodwill = rng.randint(180, 420) * 100
    slightly_slow(rng, leg, soft.logger)


def fill_clock(rng, leg):
    soft, blue, pressed = leg.pallets
    soft.logger.fast = rng.choice((1, -1)) * rng.randint(62, 118)
    count = rng.randint(5, 7)
    run = (count + 1) * 15
    if soft.logger.fast > 0:  # shown after the delivery, though it was before
        warm(rng, soft.logger, leg.delivered - run - rng.randint(2, 10), count, 68, 84)
    else:  # shown before the delivery, though it was after
        hot(rng, leg, soft, 4, count)
        warm(rng, soft.logger, leg.delivered + rng.randint(3, 12), 5, 68, 84)
    first = hot(rng, leg, blue, 3, 7)
    blue.logger.temps[first + 2 : first + 5] = [None] * 3
    first = hot(rng, leg, blue, 6, 5)
    blue.logger.temps[first + 2] = None
    warm(rng, pressed.logger, leg.delivered - 70, 5, 96, 118)


def fill_swap(rng, leg):
    soft, pressed = leg.pallets
    warm(rng, soft.logger, middle(rng, leg, 4), rng.randint(13, 24), 66, 81)
    warm(rng, pressed.logger, middle(rng, leg, 5), rng.randint(33, 40), 66, 81)
    soft.listed, pressed.listed = pressed.logger, soft.logger
    for logger in (soft.logger, pressed.logger):
        logger.temps = [value if value > 62 else min(value, 54) for value in logger.temps]


def fill_holiday(rng, leg):
    soft, blue, pressed = leg.pallets
    around_door(rng, leg, soft, "check", 4, 20, rng.randint(9, 12))
    around_door(rng, leg, blue, "customs", 7, 44, 4)
    hot(rng, leg, pressed, 3, 2)
    warm(rng, pressed.logger, leg.delivered + 8, 4, 96, 118)
    soft.short = rng.randint(70, 160) * 10


def fill_reserved(rng, leg):
    soft, blue, pressed = leg.pallets
    hot(rng, leg, soft, 4, rng.randint(22, 30))
    blue.logger.expired = True
    hot(rng, leg, blue, 4, rng.choice((3, 24)))
    warm(rng, leg.recorder, middle(rng, leg, 4), rng.randint(5, 9), 77, 86)
    warm(rng, pressed.logger, leg.delivered + rng.randint(20, 40), 6, 96, 118)
    warm(rng, pressed.logger, leg.collected - 120, 5, 96, 118)


def fill_planner(rng, leg):
    soft, blue = leg.pallets
    soft.logger.correction, soft.logger.misprinted = rng.choice(((-6, True), (6, True)))
    hot(rng, leg, soft, 3, rng.randint(7, 9))
    level = 61 if soft.logger.correction > 0 else 52  # above by the right sign, below by the other; or the other way
    warm(rng, soft.logger, middle(rng, leg, 7), rng.randint(8, 14), level, level + 5)
    blue.logger.correction, blue.logger.older = -2, 7
    warm(rng, blue.logger, middle(rng, leg, 5), rng.randint(9, 16), 64, 68)


def fill_small(rng, leg):
    first, second = leg.pallets
    hot(rng, leg, first, 5, rng.choice((2, 4, 5, 5)))
    second.logger.correction = 0
    warm(rng, second.logger, middle(rng, leg, 4), 6, 90, 90)


FILLERS = {
    "january": fill_january, "clock": fill_clock, "swap": fill_swap, "holiday": fill_holiday,
    "reserved": fill_reserved, "planner": fill_planner, "small": fill_small,
}  # fmt: skip
CLASSES = {
    "january": "FPB", "clock": "FBP", "swap": "FP", "holiday": "FBP", "reserved": "FBP", "planner": "FB",
    "small": "PP", "march": "FB", "rival": "F",
}  # fmt: skip
SABEL = ("january", "swap", "planner", "rival")
CUSTOMERS = {
    "London": ("Pellworth Provisions", "Agnes Thurlow", "pellworth.example"),
    "Porto": ("Mercearia Sequeira", "Rui Sequeira", "sequeira.example"),
    "Hamburg": ("Brabeck Feinkost", "Jonas Brabeck", "brabeck.example"),
    "Aarhus": ("Holm & Faber", "Birte Holm", "holmfaber.example"),
    "Antwerp": ("Zwaan en Zonen", "Pim Zwaan", "zwaan.example"),
    "Turin": ("Bottega Sarna", "Ilaria Sarna", "sarna.example"),
    "Graz": ("Weidinger am Markt", "Dora Weidinger", "weidinger.example"),
    "Vilnius": ("Medeinos", "Egle Vaitkute", "medeinos.example"),
    "Tallinn": ("Kaarli Foods", "Maarika Tamm", "kaarli.example"),
}


def draw_terms(rng):
    soft = rng.choice(((15, 40, 80), (10, 35, 75), (15, 35, 85)))
    softer = rng.choice(((20, 50, 100), (25, 55, 100), (25, 45, 100)))
    others = {"B": rng.choice(((15, 35, 70), (10, 30, 75))), "P": rng.choice(((10, 25, 60), (10, 20, 55)))}
    excess, units = rng.choice((100, 110, 120)), rng.choice((875, 900, 925))
    return (
        Terms(45, 25, {"F": soft, **others}, excess, 833),
        Terms(45, 20, {"F": soft, **others}, excess, units),
        Terms(30, 20, {"F": softer, **others}, rng.choice((150, 160, 175)), units),
    )


def journeys(rng):
    """By role the place, the day of collection and the day of delivery (days of the year from 0)."""
    east, east_day = rng.choice((("Vilnius", 41), ("Tallinn", 49)))
    west, other_west = rng.sample(("London", "Porto"), 2)
    near = rng.sample(("Hamburg", "Aarhus", "Antwerp", "Turin", "Graz"), 4)
    saturday, thursday = rng.choice((36, 43, 50)), rng.choice((34, 41, 48))
    week = rng.choice((39, 46, 53))
    return {
        "january": (near[0], 29, 31),
        "clock": (west, week - 2, week),
        "swap": (near[1], thursday - 2, thursday),
        "holiday": (east, east_day - 2, east_day),
        "reserved": (other_west, saturday - 2, saturday),
        "planner": (near[2], 47, 48),
        "small": (near[3], thursday - 1, thursday + 1),
        "march": (rng.choice(near), 57, 59),
        "rival": (rng.choice(near), 42, 43),
    }


def draw_legs(rng):
    waybill, pallet = rng.randint(70100, 70700), rng.randint(2100, 5900)
    sabel, brine, recorder = rng.randint(40100, 40800), rng.randint(7100, 7800), rng.randint(5100, 5800)
    trailers = rng.sample(range(310, 399), 9)
    plan = journeys(rng)
    legs = []
    for role in sorted(plan, key=lambda role: plan[role][1:]):
        place, out, day = plan[role]
        waybill += rng.randint(3, 29)
        collected = out * DAY - HOME + rng.randint(540, 900)
        delivered = day * DAY - ZONES[place] + rng.randint(370, 590)
        first = (collected - 300) // 30 * 30
        count = (delivered - first) // 30 + 6
        recorder += rng.randint(3, 31)
        air = Logger(f"R-{recorder}", 30, [first + 30 * n for n in range(count)], quiet(rng, count, 70))
        name = f"FW-{waybill}" if role != "rival" else f"BR-{waybill - 60000}"
        leg = Leg(role, name, place, f"FV-{trailers.pop()}", collected, delivered, air)
        for klass in CLASSES[role]:
            pallet += 1
            sabel, brine = sabel + rng.randint(2, 19), brine + rng.randint(2, 19)
            serial, interval = (f"SB-{sabel}", 10) if role in SABEL else (f"BH-{brine}", 15)
            net = rng.randint(3300, 6100) if role != "small" else rng.randint(700, 950)
            price = rng.randint(*{"F": (1550, 2190), "B": (1610, 2380), "P": (1120, 1480)}[klass])
            logger = new_logger(rng, serial, interval, leg, klass)
            leg.pallets.append(Pallet(f"CV-{pallet}", klass, net, net + rng.randint(260, 470), price, logger))
        legs.append(leg)
    return legs


def workday(day, place, slips=()):
    return (day + 4) % 7 < 5 and ("holiday" in slips or (place, day) not in HOLIDAYS)


def add_workdays(day, count, place, slips=()):
    while count:
        day += 1
        count -= workday(day, place, slips)
    return day


def local_day(minute, zone=HOME):
    return (minute + zone) // DAY


def give_notice(rng, world):
    """Mails as (UTC minute, recipient, by the consignee?)."""
    legs = {leg.role: leg for leg in world.legs}
    for role, leg in legs.items():
        day, place = local_day(leg.delivered, ZONES[leg.place]), leg.place
        morning = rng.randint(8 * 60, 15 * 60) - HOME
        if role == "january":
            leg.notices.append((add_workdays(day, 2, place) * DAY + morning, CLAIMS, False))
        if role == "clock":
            late = rng.choice((2, 3))
            leg.notices.append(
                (add_workdays(day, late, place) * DAY + rng.randint(16 * 60 + 8, 16 * 60 + 52), CLAIMS, True)
            )
            leg.box18 = f"corner board of {leg.pallets[2].number} crushed"
        if role == "holiday":
            leg.notices.append((add_workdays(day, 3, place) * DAY + morning, CLAIMS, False))
        if role == "planner":
            leg.notices.append((add_workdays(day, 1, place) * DAY + morning, PLANNING, False))
            leg.notices.append((add_workdays(day, rng.choice((4, 5)), place) * DAY + morning, CLAIMS, False))
        if role == "reserved":
            leg.box18 = "temperature: probe between the boxes 11 C on arrival"
    day = max(local_day(legs[role].delivered) for role in ("swap", "small"))
    saturday = next(d for d in range(day + 1, day + 8) if (d + 4) % 7 == 5)
    when = rng.choice(
        ((saturday - 1) * DAY + 17 * 60 + rng.randint(9, 50) - HOME, saturday * DAY + rng.randint(500, 700))
    )
    for role in ("swap", "small"):
        legs[role].notices.append((when, CLAIMS, False))


def draw_rates(rng):
    rate, rates = rng.randint(11950, 12450), {}
    for day in range(20, 69):
        rate += rng.choice((-31, -22, -13, 12, 23, 34))
        if (day + 4) % 7 < 5:
            rates[day] = rate
    return rates


def draw_world(rng):
    printed, first, second = draw_terms(rng)
    world = World(printed, first, second, (60, 5), draw_legs(rng), draw_rates(rng), {})
    for leg in world.legs:
        for pallet in leg.pallets:
            pallet.listed = pallet.logger
        if leg.role in FILLERS:
            FILLERS[leg.role](rng, leg)
        else:
            hot(rng, leg, leg.pallets[0], 5, 14)
        leg.doors.append((leg.collected - 55, leg.collected - 4, "loading"))
        leg.doors.append((leg.delivered + 2, leg.delivered + 41, "drop"))
    give_notice(rng, world)
    return world


# --- the model: what the answer is, and what each slip would make of it ----------------------------------------------


def terms_of(world, leg, slips):
    if "printed" in slips:
        return world.printed
    if "first amendment only" in slips:
        return world.first
    new = local_day(leg.collected) >= FEBRUARY
    return world.second if new or "second for all" in slips else world.first


def readings(leg, pallet, slips):
    logger = pallet.listed if "pallet list" in slips else pallet.logger
    if logger.expired and "expired" not in slips:
        return leg.recorder, list(zip(leg.recorder.times, leg.recorder.temps))
    used = logger.correction
    if "uncorrected" in slips:
        used = 0
    if "misprint" in slips and logger.misprinted:
        used = -used
    if "older certificate" in slips and logger.older is not None:
        used = logger.older
    shift = logger.fast if "clock" in slips else 0
    if abs(logger.fast) <= 5:
        shift = 0 if "small clock" in slips else logger.fast
    made = [
        (time + shift, temp - logger.correction + used)
        for time, temp in zip(logger.times, logger.temps)
        if temp is not None
    ]
    return logger, made


def warm_minutes(world, leg, pallet, slips):
    terms, (logger, made) = terms_of(world, leg, slips), readings(leg, pallet, slips)
    end = leg.delivered + (ZONES[leg.place] - HOME if "home time" in slips else 0)
    if "custody" not in slips:
        made = [(time, temp) for time, temp in made if leg.collected <= time <= end]
    kinds = ("drop", "customs", "check") if "all doors" in slips else ("drop", "customs")
    doors = [] if "doors unseen" in slips else [(a, b + terms.settle) for a, b, reason in leg.doors if reason in kinds]
    limit = LIMITS[pallet.klass] - ("on the limit" in slips)
    paused = {"gap": 10_000, "every gap": logger.interval}
    longest = next((paused[s] for s in slips if s in paused), 2 * logger.interval)
    total, begun, last = 0, None, None
    for time, temp in [*made, (10**9, 0)]:
        if begun is not None and time - last > longest:
            total += counted(last - begun, terms, slips)
            begun = None
        if temp > limit and not any(a <= time <= b for a, b in doors):
            begun, last = (time if begun is None else begun), time
        elif begun is not None:
            total += counted(time - begun, terms, slips)
            begun = None
    return logger.serial, total


def counted(length, terms, slips):
    return length if length > terms.grace or ("at grace" in slips and length == terms.grace) else 0


def unit_rate(world, day):
    return world.rates[max(d for d in world.rates if d <= day)]


def loss_of(world, leg, pallet, percent, slips):
    """Exact loss in cents."""
    credit = (0 if "no credits" in slips else pallet.short) + (pallet.goodwill if "all credits" in slips else 0)
    value = Fraction(pallet.net * pallet.price, 10) - credit
    day = local_day(leg.collected if "rate of collection" in slips else leg.delivered, ZONES[leg.place])
    cap = Fraction(terms_of(world, leg, slips).units * pallet.gross * unit_rate(world, day), 10**5)
    return value * percent / 100 if "no cap" in slips else min(value * percent / 100, cap)


def cents(exact):
    return int(exact + Fraction(1, 2))


def notice_day(leg, slips):
    days = []
    for sent, to, _ in leg.notices:
        day = local_day(sent)
        late = (sent + HOME) % DAY > 17 * 60 and "hour" not in slips
        if to == CLAIMS or "planners" in slips:
            fine = workday(day, leg.place, slips) and not late
            days.append(day if fine else add_workdays(day, 1, leg.place, slips))
    if "temperature" in leg.box18 and "box 18" not in slips:
        days.append(local_day(leg.delivered, ZONES[leg.place]))
    return min(days, default=None)


def assess(world, slips=()):
    """The rows of both files, with the exact losses for the guards."""
    pallets, legs = {}, {}
    for leg in world.legs:
        day = local_day(leg.delivered, ZONES[leg.place])
        if leg.role == "rival" or not (FEBRUARY <= day < MARCH or "all delivered" in slips):
            continue
        total = 0
        for pallet in leg.pallets:
            serial, minutes = warm_minutes(world, leg, pallet, slips)
            band = (minutes > 120) + (minutes > 300)
            percent = terms_of(world, leg, slips).percents[pallet.klass][band] if minutes else 0
            exact = loss_of(world, leg, pallet, percent, slips)
            pallets[pallet.number] = (serial, minutes, percent, exact)
            total += cents(exact)
        given, excess = notice_day(leg, slips), terms_of(world, leg, slips).excess * 100
        limit = add_workdays(day, 3, leg.place, slips)
        status = "claim" if total > excess else "below"
        if given is None or given > limit:
            status = "late"
        legs[leg.waybill] = (given, status if total else "none", total - excess if status == "claim" and total else 0)
    return pallets, legs


def float_safe(world):
    """Whether a program that adds floats sees the same readings above their limit."""
    for leg in world.legs:
        for pallet in leg.pallets:
            for logger, limit in ((pallet.logger, LIMITS[pallet.klass]), (pallet.listed, LIMITS[pallet.klass])):
                for temp in filter(None, logger.temps):
                    raw = temp - logger.correction
                    if (raw / 10 + logger.correction / 10 > limit / 10) != (temp > limit):
                        return False
    return True


def sound(world):
    """No half cents, no amount near the excess, every slip changes the answer."""
    pallets, legs = assess(world)
    exact = [row[3] for row in pallets.values()]
    if any(Fraction(48, 100) < value % 1 < Fraction(52, 100) for value in exact) or not float_safe(world):
        return False
    by_role = {leg.role: legs.get(leg.waybill) for leg in world.legs}
    wanted = {"january": "claim", "swap": "claim", "holiday": "claim", "reserved": "claim", "planner": "late"}
    if any(by_role[role][1] != status for role, status in wanted.items()) or by_role["small"][1] == "claim":
        return False
    return all(assess(world, (slip,)) != (pallets, legs) for slip in SLIPS)


# --- writing ---------------------------------------------------------------------------------------------------------


def moment(minute):
    return datetime(2027, 1, 1) + timedelta(minutes=minute)


MONTHS = ("Jan", "Feb", "Mar")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def short_date(when):
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def mail(sender, to, minute, zone, subject, text):
    when = moment(minute + zone)
    head = f"{WEEKDAYS[when.weekday()]}, {when.day:02d} {MONTHS[when.month - 1]} {when.year} {when:%H:%M}:00"
    lines = [f"From: {sender}", f"To: {to}", f"Date: {head} +{zone // 60:02d}00", f"Subject: {subject}"]
    lines += ["MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"]
    lines += ["Content-Transfer-Encoding: quoted-printable", ""]
    return "\n".join(lines).encode() + b"\n" + quopri.encodestring(text.encode())


def tenths(value):
    return f"{'-' if value < 0 else ''}{abs(value) // 10}.{abs(value) % 10}"


def money(value):
    return f"{value // 100}.{value % 100:02d}"


def sabel_file(logger):
    lines = [f"SABEL mini;{logger.serial}", f"Intervalle;{logger.interval} min", "Horloge;UTC", "Unité;°C", ""]
    lines.append("Date;Heure;Température")
    for time, temp in zip(logger.times, logger.temps):
        if temp is not None:
            when = moment(time + logger.fast)
            lines.append(f"{when:%d/%m/%Y};{when:%H:%M};{tenths(temp - logger.correction).replace('.', ',')}")
    return ("\r\n".join(lines) + "\r\n").encode("cp1252")


def fahrenheit(celsius):
    """Tenths of a degree Fahrenheit that come back to the same tenth of a degree Celsius."""
    return round(Fraction(celsius * 9, 5)) + 320


def hub_file(leg):
    loggers = [
        {
            "serial": logger.serial,
            "first": f"{moment(logger.times[0] + logger.fast + HOME):%Y-%m-%dT%H:%M}+01:00",
            "every_min": logger.interval,
            "readings": [t if t is None else fahrenheit(t - logger.correction) / 10 for t in logger.temps],
        }
        for logger in (pallet.logger for pallet in leg.pallets)
    ]
    return json.dumps({"hub": "Brine Hub 4", "unit": "F", "loggers": loggers}).encode() + b"\n"


def waybills(rng, world):
    pages = []
    for leg in rng.sample(world.legs, len(world.legs)):
        out, back = moment(leg.collected + HOME), moment(leg.delivered + ZONES[leg.place])
        carrier = f"Frostveen Koelvervoer, trailer {leg.trailer}" if leg.role != "rival" else "Transports Brunoy"
        numbers = " ".join(pallet.number for pallet in leg.pallets)
        pages.append(
            f"                 WAYBILL {leg.waybill}\n\n"
            f" 1 Shipper       Corvanne Affinage, Corvanne\n"
            f" 2 Consignee     {CUSTOMERS[leg.place][0]}, {leg.place}\n"
            f" 6 Goods         {len(leg.pallets)} pallet{'s' * (len(leg.pallets) > 1)} cheese: {numbers}\n"
            f"16 Carrier       {carrier}\n"
            f"17 Collected     Corvanne, {short_date(out)}, {out:%H:%M}\n"
            f"18 Reservations  {leg.box18}\n"
            f"24 Received      {leg.place}, {short_date(back)}, {back:%H:%M}\n"
        )
    return "\f".join(pages).encode()


def pallet_list(world):
    lines = ["pallet,waybill,class,net_kg,gross_kg,logger"]
    for leg in world.legs:
        for p in leg.pallets:
            lines.append(f"{p.number},{leg.waybill},{p.klass},{tenths(p.net)},{tenths(p.gross)},{p.listed.serial}")
    return ("\n".join(lines) + "\n").encode()


def invoices(rng, world):
    lines, number = ["Facture;Palette;kg net;EUR/kg"], rng.randint(1200, 1700)
    for leg in world.legs:
        number += rng.randint(1, 6)
        for p in leg.pallets:
            lines.append(f"{number};{p.number};{tenths(p.net).replace('.', ',')};{money(p.price).replace('.', ',')}")
    return ("\r\n".join(lines) + "\r\n").encode("utf-8-sig")


def credit_notes(rng, world):
    lines, number = ["credit_note,date,pallet,eur,reason"], rng.randint(310, 390)
    for leg in world.legs:
        day = moment(leg.delivered + 6 * DAY)
        for p in leg.pallets:
            for amount, reason in ((p.short, "short weight"), (p.goodwill, "warm on arrival, goodwill")):
                if amount:
                    number += rng.randint(1, 5)
                    lines.append(f"{number},{day:%Y-%m-%d},{p.number},{money(amount)},{reason}")
    return ("\n".join(lines) + "\n").encode()


def register(rng, world):
    """The laboratory's register of certificates; an expired logger has one too old and one too young."""
    number, rows = rng.randint(2100, 2400), []
    for leg in world.legs:
        for logger in (pallet.logger for pallet in leg.pallets):
            right = -logger.correction if logger.misprinted else logger.correction
            issued = rng.randint(-200, -20)
            if logger.expired:
                out = local_day(leg.collected)
                rows.append((logger.serial, out - 368, out - rng.randint(2, 3), right))
                rows.append((logger.serial, out + rng.randint(5, 9), out + 373, right + 1))
            elif logger.older is not None:
                rows.append((logger.serial, issued - 150, issued + 215, logger.older))
                rows.append((logger.serial, issued, issued + 365, right))
            else:
                rows.append((logger.serial, issued, issued + 365, right))
                if rng.random() < 0.3:
                    rows.append((logger.serial, issued - 380, issued - 15, right + rng.choice((-2, 1, 2))))
    lines = ["Certificat;Appareil;Établi le;Valable jusqu'au;Correction °C"]
    numbers = {}
    for serial, issued, until, value in sorted(rows, key=lambda row: row[1]):
        number += rng.randint(1, 9)
        numbers[serial] = number
        sign = "+" if value > 0 else ""
        days = (f"{moment(day * DAY):%d/%m/%Y}" for day in (issued, until))
        lines.append(f"{number};{serial};{';'.join(days)};{sign}{tenths(value).replace('.', ',')}")
    return ("\r\n".join(lines) + "\r\n").encode("cp1252"), numbers


def clock_checks(rng, world):
    lines = ["logger,checked_on,logger_showed,radio_clock"]
    for leg in world.legs:
        for logger in (pallet.logger for pallet in leg.pallets):
            true = rng.randint(9 * 60, 16 * 60)
            shown = true + (logger.fast or rng.choice((-2, -1, 0, 0, 1, 2) if logger.interval == 15 else (0,)))
            day = moment((local_day(leg.delivered) + rng.randint(4, 8)) * DAY)
            lines.append(f"{logger.serial},{day:%Y-%m-%d},{moment(shown):%H:%M},{moment(true):%H:%M}")
    return ("\n".join([lines[0], *sorted(lines[1:])]) + "\n").encode()


def door_file(world):
    rows = []
    for leg in world.legs:
        if leg.role != "rival":
            for opened, closed, reason in leg.doors:
                a, b = moment(opened + HOME), moment(closed + HOME)
                rows.append((opened, f"{leg.trailer},{a:%Y-%m-%d %H:%M},{b:%Y-%m-%d %H:%M},{reason}"))
    text = "\n".join(["# Rotterdam time", "trailer,opened,closed,reason", *(row for _, row in sorted(rows))])
    return (text + "\n").encode()


def recorder_file(leg):
    air = leg.recorder
    lines = [f"# Recorder {air.serial}, trailer {leg.trailer}, air at the pallets, degC, Rotterdam time"]
    lines += [f"{moment(t + HOME):%Y-%m-%d %H:%M},{tenths(v)}" for t, v in zip(air.times, air.temps)]
    return ("\n".join(lines) + "\n").encode()


def rate_file(world):
    lines = ["day,eur_per_unit", *(f"{moment(d * DAY):%Y-%m-%d},{r / 10000:.4f}" for d, r in world.rates.items())]
    return ("\n".join(lines) + "\n").encode()


def percent_table(percents, classes):
    lines = ["| class | up to 120 minutes | more than 120, up to 300 | more than 300 |", "| --- | --- | --- | --- |"]
    lines += [f"| {klass} | {' | '.join(f'{p} %' for p in percents[klass])} |" for klass in classes]
    return "\n".join(lines)


def framework(world):
    return FRAMEWORK.format(excess=world.printed.excess).encode()


def annex(world):
    terms = world.printed
    return ANNEX.format(grace=terms.grace, settle=terms.settle, table=percent_table(terms.percents, "FBP")).encode()


def amendments(world):
    old, first, second = world.printed, world.first, world.second
    one = FIRST.format(units=money(first.units), settle=first.settle, old=old.settle)
    table = percent_table(second.percents, "F")
    two = SECOND.format(grace=second.grace, old=first.grace, table=table, excess=second.excess, before=first.excess)
    return one.encode(), two.encode()


def writer(leg):
    _, person, domain = CUSTOMERS[leg.place]
    return f"{person} <{person.split()[0].lower()}@{domain}>"


def mails(rng, world, certificates):
    legs = {leg.role: leg for leg in world.legs}
    for role, leg in legs.items():
        for n, (sent, to, consignee) in enumerate(leg.notices, 1):
            if role == "small":
                continue
            sender, zone = OURS, HOME
            if consignee:
                sender, zone = writer(leg), ZONES[leg.place]
                to = f"{to}, sidonie@corvanne.example"
            day = moment(sent + HOME)
            name = f"mail/{day:%m-%d}-{leg.waybill.lower()}-{n}.eml"
            other = legs["small"] if role == "swap" else None
            yield (
                name,
                mail(sender, to, sent, zone, f"Waybill {leg.waybill}", notice_text(rng, leg, other, to, consignee)),
            )
    swap, planner, reserved = legs["swap"], legs["planner"], legs["reserved"]
    soft, pressed = swap.pallets
    sent = swap.collected + rng.randint(60, 150)
    yield f"mail/{moment(sent + HOME):%m-%d}-store.eml", mail(
        "=?utf-8?q?Th=C3=A9o_Marchant?= <store@corvanne.example>", OURS, sent, HOME, "labels",
        STORE.format(waybill=swap.waybill, one=soft.number, a=soft.logger.serial, two=pressed.number, b=pressed.logger.serial),
    )  # fmt: skip
    logger = planner.pallets[0].logger
    right = f"{'+' if logger.correction > 0 else ''}{tenths(logger.correction)}"
    wrong = f"{'+' if logger.correction < 0 else ''}{tenths(-logger.correction)}"
    yield "mail/03-04-metrolac.eml", mail(
        "Metrolac, bureau <bureau@metrolac.example>", OURS, 62 * DAY + rng.randint(500, 900), HOME, "An erratum",
        LAB.format(number=certificates[logger.serial], serial=logger.serial, right=right, wrong=wrong),
    )  # fmt: skip
    grace, days = world.draft
    yield "mail/02-23-frostveen-draft.eml", mail(
        "Lieke Brandsma <lieke@frostveen.example>", OURS, 53 * DAY + 700, HOME, "Amendment 3, draft for discussion",
        DRAFT.format(grace=grace, days=days),
    )  # fmt: skip
    sent = reserved.delivered + rng.randint(90, 200)
    yield f"mail/{moment(sent + HOME):%m-%d}-{reserved.place.lower()}.eml", mail(
        writer(reserved), OURS, sent, ZONES[reserved.place], "warm!",
        WARM.format(waybill=reserved.waybill, person=CUSTOMERS[reserved.place][1].split()[0]),
    )  # fmt: skip
    yield (
        "mail/03-09-fair.eml",
        mail("Salon des Affineurs <stands@salon-affineurs.example>", OURS, 67 * DAY + 540, HOME, "Your stand", FAIR),
    )


def notice_text(rng, leg, other, to, consignee):
    signed = CUSTOMERS[leg.place][1] if consignee else "Sidonie Aumont, Corvanne Affinage"
    if to == PLANNING:
        return f"Dear planners,\n\n{CUSTOMERS[leg.place][0]} tell me that waybill {leg.waybill} came in warm. We shall claim. Which trailer was that?\n\n{signed}\n"
    named = f"waybill {leg.waybill}" + (f" and for waybill {other.waybill}" if other else "")
    body = rng.choice(
        (
            f"hereby we give notice of a claim for temperature under {named}. The loggers are on their way back to us; figures will follow.",
            f"the goods arrived warmer than agreed. Please take this as our notice under the contract, for {named}. Details later.",
        )
    )
    return f"Dear claims desk,\n\n{body}\n\n{signed}\n"


def files_of(rng, world):
    legs = {leg.role: leg for leg in world.legs}
    files = {
        "contract/framework-2024.md": framework(world),
        "contract/annex-t-temperature.md": annex(world),
        "contract/annex-h-holidays-2027.csv": ANNEX_H.encode(),
        "shipping/waybills-scanned.txt": waybills(rng, world),
        "shipping/pallets-2027-q1.csv": pallet_list(world),
        "shipping/invoices-2027-q1.csv": invoices(rng, world),
        "shipping/credit-notes.csv": credit_notes(rng, world),
        "lab/clock-checks.csv": clock_checks(rng, world),
        "frostveen/doors-2027-q1.csv": door_file(world),
        "finance/unit-of-account.csv": rate_file(world),
        "loggers/how-to-read-out.txt": READ_OUT.encode(),
    }
    files["contract/amendment-1-2025.md"], files["contract/amendment-2-2027.md"] = amendments(world)
    files["lab/register-metrolac.csv"], certificates = register(rng, world)
    for role in ("reserved", "holiday"):
        files[f"frostveen/recorder-{legs[role].trailer}.csv"] = recorder_file(legs[role])
    for leg in world.legs:
        if leg.role in SABEL:
            files |= {f"loggers/{pallet.logger.serial}.csv": sabel_file(pallet.logger) for pallet in leg.pallets}
        else:
            files[f"loggers/hub-{leg.waybill}.json"] = hub_file(leg)
    return files | dict(mails(rng, world, certificates))


def leaks(world, files):
    """Whether a total of the answer happens to stand in a file."""
    pallets, legs = assess(world)
    late = [leg for leg in world.legs if legs.get(leg.waybill, ("", ""))[1] == "late"]
    totals = [sum(row[2] for row in legs.values())]
    totals.append(sum(cents(pallets[pallet.number][3]) for leg in late for pallet in leg.pallets))
    text = "\n".join(quopri.decodestring(content).decode("cp1252", "replace") for content in files.values())
    return any(re.search(rf"(?<![\w.,]){re.escape(money(total))}(?!\d)", text) for total in totals)


def generate(seed: int, out_dir: Path) -> None:
    """Write the workspace of that seed."""
    rng = random.Random(f"{SLUG}:{seed}")
    while True:
        world = draw_world(rng)
        if not sound(world):
            continue
        files = files_of(rng, world)
        if not leaks(world, files):
            break
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


FRAMEWORK = """# Framework contract for chilled transport by road

between Corvanne Affinage, Corvanne ("the shipper")
and Frostveen Koelvervoer B.V., Rotterdam ("the carrier").
Signed by both on 18 March 2024.

**Article 1, scope.** Cheese on pallets, from the shipper's store at Corvanne to its customers. Each consignment travels under a waybill of its own, in one trailer.

**Article 2, orders.** Orders reach the carrier's planners by noon of the day before.

**Article 3, waybill.** Times on a waybill are local time at the place where they are entered. The goods are in the carrier's custody from the collection in box 17 to the receipt in box 24.

**Article 4, freight.** By the carrier's list, thirty days net, with the diesel clause of the season.

**Article 5, notice.** A claim for temperature requires notice, with the number of the waybill, within three working days after the day of delivery. Notice is given by the shipper or the consignee, either as a reservation about temperature in box 18, which counts on the day of delivery, or by mail to claims@frostveen.example. A word to drivers or planners, by whatever means, is no notice. A mail counts on the day on which it is sent; one that is sent after 17:00 at Rotterdam, or on a day that is no working day, counts on the next working day. Working days are Monday to Friday without the public holidays at the place of delivery, which are those of Annex H.

**Article 6, temperature.** What counts as too warm, and what that is worth, is laid down in Annex T.

**Article 7, excess.** Of the losses under one waybill, taken together, the shipper bears the first EUR {excess}. If they come to no more than that, nothing is owed.

**Article 8, limit.** For no pallet does the carrier owe more than 8.33 units of account for each kilogram of its gross weight. The unit is taken at the rate published for the day of delivery or, if none is published for that day, at the last one before it.

**Article 9, changes.** Contract and annexes are changed only by amendments which both parties have signed. Each says for which goods it holds. What it does not mention stays as it was.
"""

ANNEX = """# Annex T, temperature

Part of the framework contract of 18 March 2024.

**T1, limits.** By the class in the shipper's list of pallets: F (fresh and soft) 6.0, B (blue) 7.0, P (pressed) 9.0 degrees Celsius. A reading is above the limit only if it is higher than that, not if it is on it.

**T2, instrument.** A pallet is judged by the logger that travelled on it. The list of pallets says which one that was, unless the shipper's store has reported otherwise in writing on the day of collection. A logger needs a certificate of Metrolac whose time, first and last day included, takes in the day of collection. If it has none, the pallet is judged by the recorder of the trailer instead. Recorders are taken as they stand: T3 is about loggers only.

**T3, degrees and minutes.** Degrees Fahrenheit are turned into degrees Celsius and rounded to one decimal. Then the correction from the certificate is added; among several certificates that take in the day of collection, the one issued last holds. What Metrolac itself puts right in writing afterwards holds as if it had stood there from the start. When loggers come back, Metrolac reads their clock beside a radio clock that is set to the same time zone. A clock that is more than five minutes out was out by the same all the way, and every time of that logger is put right by the whole difference. Any smaller difference, and one of just five minutes, is left alone.

**T4, custody.** Only readings in the carrier's custody count, those at the very minute of collection or delivery included.

**T5, runs.** A run begins with a reading above the limit, goes on as long as every further reading is above it, and ends with the first that is not. If for more than twice the instrument's interval there is no reading (because it paused, or because custody is over), the run ends with its last reading above the limit. Runs of up to {grace} minutes are tolerated and do not count. Longer ones count with their whole length, and all that count are added up.

**T6, doors.** A reading from the opening of the doors until {settle} minutes after they were closed, both included, does not stand for the goods and is taken as one that is not above the limit, if the doors were opened for a drop or for customs. What the carrier opens them for besides is his own affair and changes nothing.

**T7, rate of loss.** By the minutes that T5 adds up:

{table}

**T8, loss.** The loss on a pallet is that percentage of its invoice value (kilograms invoiced times price, less what was credited for short weight; other credits do not touch it), and not more than Article 8 allows. It is rounded once, to the cent, half a cent upwards.
"""

ANNEX_H = """place,public_holiday,name
Antwerp,2027-01-01,New Year
Graz,2027-01-06,Epiphany
Turin,2027-01-06,Epiphany
Vilnius,2027-02-16,Restoration of the State
Tallinn,2027-02-24,Independence Day
Vilnius,2027-03-11,Restoration of Independence
Hamburg,2027-03-26,Good Friday
London,2027-03-26,Good Friday
Porto,2027-03-26,Good Friday
Aarhus,2027-03-25,Maundy Thursday
"""

FIRST = """# Amendment 1

to the framework contract of 18 March 2024. It holds for goods collected on or after 1 July 2025.

1. Article 4: the diesel clause is reckoned by the month.
2. Article 8: {units} units of account take the place of 8.33.
3. Annex T, T6: {settle} minutes take the place of {old}.

For the shipper: B. Corvanne-Lebrun, 9 June 2025
For the carrier: H. Frostveen, 11 June 2025
"""

SECOND = """# Amendment 2

to the framework contract of 18 March 2024. It holds for goods collected on or after 1 February 2027.

1. Article 7: EUR {excess} take the place of EUR {before}.
2. Annex T, T5: {grace} minutes take the place of {old}.
3. Annex T, T7, for class F only:

{table}

For the shipper: B. Corvanne-Lebrun, 14 January 2027
For the carrier: H. Frostveen, 19 January 2027
"""

DRAFT = """Dear Sidonie,

as promised on the telephone, what our side would like to see from March on, still without signatures:

1. Article 5: {days} working days instead of three.
2. T5: {grace} minutes.
3. T6: the doors may be opened for a check by the driver, too.

Would it not be simplest to settle February by this already?

Lieke Brandsma
"""

STORE = """Sidonie,

the label printer jammed when we did {waybill} today. {one} went out with {a} on it, and {two} with {b}. I have not touched the list, it is locked for me.

Théo
"""

LAB = """Madame,

in our certificate {number} for your logger {serial} the sign is wrong. The correction is {right} and not {wrong}. We apologise. The register cannot be changed after the fact, so please keep this letter beside it.

Metrolac
"""

WARM = """Sidonie, the goods of {waybill} have just come in and they are WARM. I rang the driver's office at once and told them so, a gentleman promised to pass it on. What now?

{person}
"""

FAIR = """Dear exhibitor,

your stand is number 41 in hall 2. Setting up begins on 22 March at 7 o'clock. Cooling counters: 4 degrees, no exceptions.
"""

READ_OUT = """Reading out

Sabel: cradle, green light, export as CSV. One file each.
Brine: the hub takes all loggers of a waybill at once. It was bought in Ohio and thinks so too.
Start them before packing, stop them when the mail bag comes back from the customer. Nobody minds the extra hours.
Then to Metrolac for the clock.
"""

if __name__ == "__main__":
    generate(int(sys.argv[1]), Path(sys.argv[2]))
