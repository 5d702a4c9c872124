"""Writes a workspace for this task: the same shop and the same ten days, other customers, seeds, parcels and grievances."""

import random
import re
import sys
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from email.header import Header
from pathlib import Path
from quopri import encodestring

SLUG = "seed-shop-inbox"
TODAY = date(2027, 3, 22)
NEW_TERMS = date(2027, 2, 1)
LOST_AFTER, REPORT_WITHIN = {"A": 10, "B": 7}, {"A": 14, "B": 21}
LABEL = 90  # the courier's code for data of a label, which is no scan
KINDS = {"tomato": 75, "bean": 75, "carrot": 65, "parsley": 65, "leek": 65, "lettuce": 75, "beet": 70, "squash": 80}
NAMES = {
    "tomato": ("Copper Lantern", "Widow Harding", "Little Stove"),
    "bean": ("Blue Ladder", "Cobbler's Pole", "Early Gossip"),
    "carrot": ("Long Thursday", "Amber Nail", "Stumpy Ned"),
    "parsley": ("Fold and Curl", "Broad Meadow", "Aunt Rhian"),
    "leek": ("Winter Sexton", "Pale Ferry", "Old Drum"),
    "lettuce": ("Sunday Cloth", "Red Verger", "Butter Lane"),
    "beet": ("Ink and Ash", "Round Tully", "Golden Till"),
    "squash": ("Porch Moon", "Grey Bolster", "Tumbledown"),
}
FIRST = "Alys Bertrand Coralie Dunstan Elfed Frieda Gwilym Hester Ivor Jessamy Kerstin Lorcan Maud Nye Olwen Percival Quilla Rosalind Silvan Tegwen".split()
LAST = "Abernant Blythefield Corrigan-Wells Dewhirst Eddowes Fallowes Garrod Hobday Inchbald Jellings Kendrew Lugg Mostyn Nettleship Orme Peverell Quested Rudd Sandiver Thrussell Upjohn Vesey Wragg".split()
TOWNS = (
    "Abercegin",
    "Brackenhythe",
    "Clunbury-on-Teme",
    "Dinmore",
    "Eastwick",
    "Fenny Marl",
    "Gorsley Heath",
    "Hollowby",
    "Inkpen Cross",
    "Llanwrthin",
)
STREETS = ("pick-up shop", "corner shop", "post counter")


@dataclass(frozen=True)
class Line:
    sku: str
    lot: str
    packets: int


@dataclass(frozen=True)
class Order:
    no: str
    day: date
    name: str
    address: str
    town: str
    lines: tuple
    discount: int = 0  # per cent
    postage: int = 0  # pence
    voucher: int = 0  # pence
    status: str = "sent"
    parcel: str = ""


@dataclass(frozen=True)
class Mail:
    at: datetime
    name: str
    address: str
    subject: str
    body: str


@dataclass(frozen=True)
class Case:
    role: str
    order: Order
    claim: str  # late, short, dead, cancel
    about: tuple  # the lines it is about
    mails: tuple


@dataclass(frozen=True)
class World:
    cases: tuple
    orders: tuple  # those of the cases and others
    archive: tuple
    prices: dict  # sku -> pence
    titles: dict  # sku -> variety
    scans: tuple  # (parcel, moment, code, remark)
    tests: dict  # lot -> ((day, per cent), ...)
    counts: dict  # sku -> (old count, new count)
    spare_mails: tuple
    settled: Case
    question: Case


# What a hurried reader may miss; each of these changes the answer on every seed.
BLIND = (
    "new_terms old_terms label weekdays first_scan old_count reserved by_number last_mail whole_order discount postage "
    "no_postage voucher first_test alias settled question cancelled"
).split()


def edition(order, blind):
    if "new_terms" in blind:
        return "B"
    return "A" if "old_terms" in blind or order.day < NEW_TERMS else "B"


def working_days(since, blind):
    days = [since + timedelta(days=n) for n in range(1, (TODAY - since).days + 1)]
    return len(days) if "weekdays" in blind else sum(day.weekday() < 5 for day in days)


def scans_of(world, order, blind):
    return sorted(
        (moment, code)
        for parcel, moment, code, _ in world.scans
        if parcel == order.parcel and (code != LABEL or "label" in blind)
    )


def free_stock(world, blind):
    free = {sku: counts[0 if "old_count" in blind else 1] for sku, counts in world.counts.items()}
    for order in world.orders:
        for line in order.lines:
            if order.status == "open" and "reserved" not in blind:
                free[line.sku] -= line.packets
    return free


def paid(world, order, line, blind):
    share = 100 if "discount" in blind else 100 - order.discount
    return (2 * line.packets * world.prices[line.sku] * share + 100) // 200


def asked(world, case, blind):
    """What the claim comes to: `give` the lines (again or money), `pay` them, or a word."""
    order = case.order
    if case.claim == "late":
        scans = scans_of(world, order, blind)
        moment, code = scans[0 if "first_scan" in blind else -1]
        if code in (34, 36):
            return "collect"
        return "give" if working_days(moment.date(), blind) >= LOST_AFTER[edition(order, blind)] else "wait"
    if case.claim == "short":
        delivered = max(moment for moment, code in scans_of(world, order, blind) if code == 31).date()
        days = (first_mail(case, blind).date() - delivered).days
        return "give" if days <= REPORT_WITHIN[edition(order, blind)] else "nothing"
    if case.claim == "dead":
        line = case.about[0]
        tests = sorted(world.tests[line.lot])
        result = tests[0 if "first_test" in blind else -1][1]
        return "pay" if result < KINDS[kind_of(line.sku)] else "nothing"
    scans = scans_of(world, order, blind)
    gone = any(moment < first_mail(case, blind) for moment, _ in scans)
    return "return" if gone and "cancelled" not in blind else "pay"


def kind_of(sku):
    return next(kind for kind in KINDS if kind[:3].upper() == sku[:3])


def first_mail(case, blind):
    return max(m.at for m in case.mails) if "last_mail" in blind else min(m.at for m in case.mails)


def answer(world, blind=frozenset()):
    """Rows of cases, of goods and of money, as a reader with blind spots makes them."""
    cases = [case for case in world.cases if not ("alias" in blind and case.role == "alias")]
    cases += [world.settled] if "settled" in blind else []
    cases += [world.question] if "question" in blind else []
    turn = (lambda c: c.order.no) if "by_number" in blind else (lambda c: first_mail(c, blind))
    free, rows, again, refunds = free_stock(world, blind), {}, {}, {}
    for case in sorted(cases, key=turn):
        order, verdict = case.order, asked(world, case, blind)
        money = list(case.about) if verdict == "pay" else []
        if verdict == "give":
            enough = all(free[line.sku] >= line.packets for line in case.about)
            for line in case.about:
                if (enough or "whole_order" not in blind) and free[line.sku] >= line.packets:
                    free[line.sku] -= line.packets
                    again[order.no, line.sku] = line.packets
                else:
                    money.append(line)
            verdict = "again" if not money else "money" if len(money) == len(case.about) else "both"
        verdict = "money" if verdict == "pay" else verdict
        rows[order.no] = (first_mail(case, blind).date(), verdict)
        if money:
            refunds[order.no] = split(world, order, money, blind)
    totals = (sum(again.values()), sum(card for card, _ in refunds.values()), sum(v for _, v in refunds.values()))
    return {"cases": rows, "again": again, "refunds": refunds, "totals": totals}


def split(world, order, lines, blind):
    """Pence to the card and onto the voucher."""
    total = sum(paid(world, order, line, blind) for line in lines)
    everything = len(lines) == len(order.lines)
    if (everything and "no_postage" not in blind) or "postage" in blind:
        total += order.postage
    if edition(order, blind) == "B" and "voucher" not in blind:
        back = min(order.voucher, total)
        return total - back, back
    bill = sum(paid(world, order, line, blind) for line in order.lines) + order.postage - order.voucher
    card = total if "voucher" in blind else min(total, bill)
    return card, total - card


def drafts(world):
    """Numbers of the three orders that get a letter."""
    result = answer(world)
    first = {case.order.no: first_mail(case, frozenset()) for case in world.cases}
    refused = [no for no, (_, verdict) in result["cases"].items() if verdict == "nothing"]
    return {
        "longest": min(first, key=first.get),
        "largest": max(result["refunds"], key=lambda no: sum(result["refunds"][no])),
        "no": min(refused, key=first.get),
    }


# ---------------------------------------------------------------- drawing a world


def moment(rng, day, hour=None):
    return datetime(day.year, day.month, day.day, rng.randint(7, 21) if hour is None else hour, rng.randint(0, 59))


def march(day):
    return date(2027, 3, day)


class Drawer:
    """Hands out what may be used once only."""

    def __init__(self, rng):
        self.rng = rng
        self.titles = {}
        for kind, names in NAMES.items():
            for number, name in zip(rng.sample(range(11, 99), 3), names):
                self.titles[f"{kind[:3].upper()}-{number}"] = f"{name} {kind}"
        self.prices = {sku: rng.randrange(185, 425, 5) for sku in self.titles}
        self.lots = {sku: f"L{rng.randint(2601, 2699)}{sku[0]}{n}" for n, sku in enumerate(self.titles, 10)}
        self.people = iter(
            zip(rng.sample(FIRST, 20) + rng.sample(FIRST, 20), rng.sample(LAST, 22) + rng.sample(LAST, 18))
        )
        skus = list(self.titles)
        rng.shuffle(skus)
        self.kept_apart, self.common = skus[:7], skus[7:]
        self.numbers = iter(sorted(rng.sample(range(4102, 4299), 40)))
        self.parcels = iter(rng.sample(range(210_000_000, 219_999_999), 40))

    def line(self, sku, packets=None):
        return Line(sku, self.lots[sku], packets or self.rng.choice((1, 1, 2, 2, 3)))

    def order(self, day, lines, **more):
        first, last = next(self.people)
        address = f"{first.lower()}.{last.split('-')[0].lower()}@{self.rng.choice(('post', 'mail', 'garden'))}.example"
        parcel = "" if more.get("status") == "open" else f"CX{next(self.parcels)}"
        return Order("", day, f"{first} {last}", address, self.rng.choice(TOWNS), tuple(lines), parcel=parcel, **more)

    def lines(self, count, *special):
        return [*special, *(self.line(sku) for sku in self.rng.sample(self.common, count))]


def journey(rng, parcel, *stops):
    """Scans of a parcel: (day, code) pairs."""
    remarks = {
        10: "taken over",
        12: f"depot {rng.choice('ABCDEF')}{rng.randint(1, 9)}",
        21: "on the van",
        31: "delivered",
    }
    remarks |= {34: f"neighbour at number {rng.randint(2, 60)}", 36: rng.choice(STREETS), LABEL: "label data changed"}
    return [(parcel, moment(rng, day), code, remarks[code]) for day, code in stops]


def orders_by_role(rng, draw):
    """One order for each role, with its claim, the lines it is about, and the stops of its parcel."""
    scarce, out, gone1, gone2, poor, good, shown = draw.kept_apart
    january = lambda: date(2027, 1, rng.randint(6, 28))
    february = lambda: date(2027, 2, rng.randint(2, 9))
    later = lambda low=15, high=24: date(2027, 2, rng.randint(low, high))
    half = rng.randint(5, 7)
    yield "late_wait", draw.order(january(), draw.lines(2)), "late", ((march(3), 10), (march(rng.choice((9, 10))), 12))
    yield (
        "late_lost",
        draw.order(later(), draw.lines(2)),
        "late",
        ((march(4), 10), (march(rng.choice((9, 10, 11))), 12)),
    )
    lost = draw.order(january(), draw.lines(2, draw.line(out, 3)), postage=295, voucher=1000)
    yield "lost_part", lost, "late", ((march(2), 10), (march(rng.choice((4, 5, 8))), 12))
    yield (
        "label_only",
        draw.order(later(), draw.lines(2)),
        "late",
        (
            (march(1), 10),
            (march(rng.randint(2, 4)), 12),
            (march(rng.randint(16, 18)), LABEL),
        ),
    )
    yield "weekend", draw.order(later(), draw.lines(3)), "late", ((march(half), 10), (march(12), 12))
    yield "pickup", draw.order(later(), draw.lines(2)), "late", ((march(4), 10), (march(8), 12), (march(9), 36))
    yield "neighbour", draw.order(january(), draw.lines(2)), "late", ((march(2), 10), (march(4), 21), (march(5), 34))
    alias = draw.order(january(), [draw.line(gone1, 2), draw.line(gone2, 3)], postage=395, discount=rng.choice((0, 10)))
    yield "alias", alias, "late", ((march(1), 10), (march(rng.choice((3, 4, 5))), 12))
    yield (
        "second",
        draw.order(later(high=18), draw.lines(2, draw.line(scarce, 1))),
        "short",
        ((march(8), 10), (march(10), 31)),
    )
    yield (
        "first",
        draw.order(later(low=19), draw.lines(1, draw.line(scarce, 2))),
        "short",
        ((march(4), 10), (march(8), 31)),
    )
    yield "wrong", draw.order(january(), draw.lines(2)), "short", ((march(2), 10), (march(rng.randint(4, 5)), 31))
    yield (
        "too_late",
        draw.order(january(), draw.lines(2)),
        "short",
        ((date(2027, 2, 23), 10), (date(2027, 2, rng.randint(24, 26)), 31)),
    )
    yield (
        "in_time",
        draw.order(february(), draw.lines(2)),
        "short",
        ((date(2027, 2, 22), 10), (date(2027, 2, rng.randint(24, 25)), 31)),
    )
    dead = draw.order(
        february(), draw.lines(1, draw.line(poor, 5)), discount=rng.choice((12, 15)), postage=295, voucher=500
    )
    yield "poor", dead, "dead", ((date(2027, 2, 11), 10), (date(2027, 2, 13), 31))
    yield "good", draw.order(january(), draw.lines(2, draw.line(good))), "dead", ((march(1), 10), (march(3), 31))
    early = draw.order(march(rng.randint(8, 9)), draw.lines(3), discount=10, postage=395, voucher=500)
    yield "cancel_early", early, "cancel", ((march(10), LABEL),)
    yield (
        "cancel_late",
        draw.order(march(rng.randint(8, 9)), draw.lines(2)),
        "cancel",
        ((march(12), 10), (march(15), 12)),
    )
    yield "settled", draw.order(later(), draw.lines(2)), "short", ((march(4), 10), (march(9), 31))
    yield "question", draw.order(later(), draw.lines(1, draw.line(shown))), "short", ((march(4), 10), (march(6), 31))


FIRST_DAY = {  # role -> days of March on which the first mail about it may have come
    "late_wait": (12, 15),
    "late_lost": (12, 15),
    "lost_part": (12, 15),
    "label_only": (12, 16),
    "weekend": (17, 19),
    "pickup": (13, 18),
    "neighbour": (12, 17),
    "alias": (13, 18),
    "second": (16, 17),
    "first": (13, 15),
    "wrong": (14, 16),
    "too_late": (15, 17),
    "in_time": (13, 16),
    "poor": (13, 18),
    "good": (13, 18),
    "cancel_early": (12, 18),
    "cancel_late": (14, 15),
    "settled": (13, 15),
    "question": (13, 18),
}


def extra_orders(rng, draw):
    """Orders that nobody complains about; the open ones need some of the stock."""
    scarce = draw.kept_apart[0]
    for n in range(11):
        day = date(2027, rng.choice((1, 2, 2)), rng.randint(5, 27))
        yield draw.order(
            day, draw.lines(rng.randint(1, 3)), discount=rng.choice((0, 0, 10)), postage=rng.choice((0, 295))
        )
    for n in range(5):
        special = [draw.line(scarce, 2)] if n == 2 else []
        yield draw.order(march(rng.randint(13, 20)), draw.lines(2, *special), status="open", postage=295)


def draw_stock(rng, draw, extra):
    """Counts of 6 and of 20 March: plenty, but for the seeds that run out."""
    scarce, out, gone1, gone2 = draw.kept_apart[:4]
    counts = {sku: (new + rng.randint(3, 15), new) for sku in draw.titles for new in [rng.randint(24, 60)]}
    counts[scarce] = (rng.randint(7, 11), 4)  # two of the four are needed for an open order
    counts[out] = (rng.randint(4, 8), rng.randint(1, 2))
    counts[gone1] = (rng.randint(3, 6), rng.randint(0, 1))
    counts[gone2] = (rng.randint(4, 6), rng.randint(0, 2))
    return counts


def draw_tests(rng, draw):
    poor, good = draw.kept_apart[4:6]
    tests = {}
    for sku, lot in draw.lots.items():
        least = KINDS[kind_of(sku)]
        autumn, spring = rng.randint(least + 3, 96), rng.randint(least + 1, 95)
        if sku == poor:
            spring = least - rng.randint(4, 11)
        if sku == good:
            autumn = least - rng.randint(2, 9)
        tests[lot] = ((date(2026, 10, rng.randint(2, 29)), autumn), (date(2027, 2, rng.randint(15, 26)), spring))
    return tests


def affected(rng, role, order):
    if role in ("first", "second", "poor", "good", "settled", "question"):
        return order.lines[:1]
    return (order.lines[-1],) if role in ("wrong", "too_late", "in_time") else order.lines


def draw_world(rng):
    draw = Drawer(rng)
    roles = list(orders_by_role(rng, draw))
    extra = list(extra_orders(rng, draw))
    everybody = sorted([order for _, order, _, _ in roles] + extra, key=lambda order: (order.day, order.parcel))
    numbers = dict(zip((order.parcel or order.name for order in everybody), draw.numbers))
    numbered = lambda order: replace(order, no=f"SB-{numbers[order.parcel or order.name]}")
    cases, scans = [], []
    for role, order, claim, stops in roles:
        order = numbered(order)
        scans += journey(rng, order.parcel, *stops)
        days = FIRST_DAY[role]
        about = affected(rng, role, order)
        mails = tuple(letters(rng, draw, role, order, about, moment(rng, march(rng.randint(*days)))))
        cases.append(Case(role, order, claim, about, mails))
    longest = rng.choice(("late_lost", "lost_part", "label_only"))
    cases = [sooner(case) if case.role == longest else case for case in cases]
    orders = [numbered(order) for order in everybody]
    for order in orders[-30:]:
        if order.status == "sent" and order.parcel not in {scan[0] for scan in scans}:
            day = order.day + timedelta(days=3)
            scans += journey(rng, order.parcel, (day, 10), (day + timedelta(days=2), 31))
    rng.shuffle(scans)
    role_of = {case.role: case for case in cases}
    return World(
        cases=tuple(case for case in cases if case.role not in ("settled", "question")),
        orders=tuple(orders),
        archive=tuple(archive(rng, draw, role_of["alias"])),
        prices=draw.prices,
        titles=draw.titles,
        scans=tuple(scans),
        tests=draw_tests(rng, draw),
        counts=draw_stock(rng, draw, extra),
        spare_mails=tuple(spare_mails(rng)),
        settled=role_of["settled"],
        question=role_of["question"],
    )


def sooner(case):
    """The same case with its first mail on 11 March."""
    first, *rest = case.mails
    return replace(case, mails=(replace(first, at=first.at.replace(day=11)), *rest))


def old_address(order):
    first, last = order.name.lower().split(" ")
    return f"{first[0]}{last.split('-')[0]}@oldmail.example"


def archive(rng, draw, alias):
    """Orders of 2026; among them one by the customer who writes from an old address."""
    old = Order(
        "SB-3377",
        date(2026, 2, 20),
        alias.order.name,
        old_address(alias.order),
        alias.order.town,
        (draw.line(draw.common[3]),),
    )
    for n in range(7):
        first, last = rng.choice(FIRST), rng.choice(LAST)
        day = date(2026, rng.randint(1, 4), rng.randint(1, 28))
        line = draw.line(rng.choice(draw.common))
        yield Order(
            f"SB-{3105 + 31 * n}", day, f"{first} {last}", f"{first.lower()}@post.example", rng.choice(TOWNS), (line,)
        )
    yield old


def sound(world):
    """Whether the world is one that the task wants: everything occurs, every blind spot shows, no figure is a tie."""
    right = answer(world)
    words = [verdict for _, verdict in right["cases"].values()]
    first = [first_mail(case, frozenset()) for case in world.cases]
    if set(words) != {"again", "money", "both", "wait", "collect", "return", "nothing"} or len(set(first)) < len(first):
        return False
    if len({order.name for order in world.orders}) < len(world.orders):
        return False
    sums = sorted(sum(pair) for pair in right["refunds"].values())
    role = {case.order.no: case.role for case in world.cases}
    letters_to = {name: role[no] for name, no in drafts(world).items()}
    if sums[-1] == sums[-2] or letters_to["largest"] not in ("alias", "poor", "cancel_early"):
        return False
    return all(answer(world, frozenset((spot,))) != right for spot in BLIND)


# ---------------------------------------------------------------- the mails

TEXTS = {
    "late": (
        "I am still waiting for my order {no}. The tracking page has said the same thing for days.",
        "nothing has arrived of my order {no} so far, and somebody has been in every day.",
        "I don't like to nag, but there is no sign of order {no}. The postman knows nothing either.",
        "order {no} has not come. I have asked next door on both sides and looked behind the bins.",
        "my order, {no}, never turned up. I see the van go by each morning and it does not even slow down.",
    ),
    "alias": (
        "the seeds that I ordered in winter have not come. I can't find the number, but the {variety} was one of them.",
        "what has become of the parcel I ordered after Christmas? Nothing has arrived. The number is lost, but I know that I took the {variety}.",
    ),
    "short": (
        "my order {no} came, thank you, but the {variety} was not in it.",
        "all there but one: the {variety} is missing from order {no}. I have turned the box upside down.",
        "I have looked twice for the {variety} in what you sent me ({no}). The rest is as it should be.",
        "lovely packets as always. Only the {variety} was not in the box, although it is ticked on the slip of order {no}.",
    ),
    "wrong": (
        "in my order {no} there was a packet of {other} instead of the {variety}. They are both nice, but still.",
        "did you run out of hands? I have {other} here instead of the {variety}, order {no}.",
    ),
    "dead": (
        "of the {variety} from order {no} next to nothing has come up, on the same sill where all the others stand like a hedge.",
        "I sowed the {variety} (order {no}) with all the care in the world, and three seeds came up out of fifty. Three!",
        "the {variety} from order {no} does not come up. I have even talked to it.",
    ),
    "cancel": (
        "please cancel my order {no}. My sister has given me everything on that list for my birthday.",
        "can I call off order {no}? We are moving house in May, and the new garden is a car park.",
        "would you cancel {no} for me, please? My husband has ordered the same from you. We should talk more.",
    ),
    "question": (
        "how deep do I sow the {variety} from order {no}, and does it want light? The packet is silent on it.",
        "a question about the {variety} that came with order {no}: can it share a pot with sweet peas?",
    ),
}
CLOSINGS = (
    "The ground is ready, so it would be good to know.",
    "I would rather be sowing than writing, as you can imagine.",
    "Otherwise I have been happy with your seeds for years.",
    "My neighbour has hers in already and says so daily.",
    "I hope you are well and that it is drier where you are.",
    "It is not the end of the world, but I should like to know where I stand.",
    "The robin and I are both getting impatient.",
    "I only garden at weekends, and there are not many of those.",
)
ASKED = {
    "late": ("Is it too late for a sowing now?", "What do we do?", "Shall I order again, or is that silly?"),
    "short": ("What happens now?", "Could you have a look?", ""),
    "dead": ("Have I done something wrong?", "Is it me or is it the seed?", "What did I do to it?"),
    "cancel": ("Do you do such a thing?", "I am sorry for the trouble.", ""),
    "question": ("There is no hurry.", ""),
}
TEXT_OF = {"poor": "dead", "good": "dead", "too_late": "short", "in_time": "short", "first": "short", "second": "short"}
TEXT_OF |= {
    "settled": "short",
    "cancel_early": "cancel",
    "cancel_late": "cancel",
    "alias": "alias",
    "wrong": "wrong",
    "question": "question",
}


def letters(rng, draw, role, order, about, at):
    """The mails about one order."""
    kind = TEXT_OF.get(role, "late")
    claim = {"alias": "late", "wrong": "short"}.get(kind, kind)
    variety = draw.titles[about[0].sku]
    other = draw.titles[rng.choice([sku for sku in draw.common if sku not in {line.sku for line in order.lines}])]
    written = order.no if rng.randrange(3) else rng.choice((f"SB {order.no[3:]}", f"no. {order.no[3:]}"))
    body = rng.choice(TEXTS[kind]).format(no=written, variety=variety, other=other)
    closing = f"{rng.choice(CLOSINGS)} {rng.choice(ASKED[claim])}".strip()
    numbered = (f"Order {order.no}", order.no, "your seeds", "a problem", "(no subject)")
    subject = {"question": "sowing", "alias": "my seeds?"}.get(role) or rng.choice(numbered)
    address = old_address(order) if role == "alias" else order.address
    sign = f"{order.name}\n{order.town}"
    if role == "late_lost":  # the first one who writes is not the one who ordered
        partner = f"{rng.choice(FIRST)} {order.name.split()[-1]}"
        yield Mail(
            at, partner, f"{partner.split()[0].lower()}@allotment.example", subject, page(body, closing, partner)
        )
    else:
        yield Mail(at, order.name, address, subject, page(body, closing, sign))
    if role in ("first", "late_lost"):
        again = moment(rng, march(rng.randint(18, 20)))
        second = f"is anybody there? About order {order.no} once more, please.\n\n> {body}"
        yield Mail(again, order.name, order.address, f"Re: {subject}", page(second, "", sign))
    if role == "settled":
        again = moment(rng, march(rng.randint(17, 20)))
        text = f"please forget my mail about order {order.no}. The {variety} had slipped into the lining of the box, and I am blushing."
        yield Mail(again, order.name, order.address, f"Re: {subject}", page(text, "", sign))


def page(body, closing, sign):
    return "\n\n".join(part for part in ("Dear Ottilie,", body, closing, sign) if part) + "\n"


def spare_mails(rng):
    yield Mail(
        moment(rng, march(12)),
        "Packwell Papers",
        "sales@packwell.example",
        "Seed packets, 10 % off",
        "Dear customer,\n\norder 5,000 kraft packets by the end of March and save 10 %.\n",
    )
    yield Mail(
        moment(rng, march(14)),
        "Borders Seed Fair",
        "stalls@seedfair.example",
        "Stall 31 confirmed",
        "Your stall is number 31, next to the tea. Please cancel by 1 April if you can't come.\n",
    )
    yield Mail(
        moment(rng, march(16)),
        "Tegwen at the Gazette",
        "tegwen@gazette.example",
        "A portrait?",
        "Hello, we would love to write about your beans. Could I come with a camera in May?\n",
    )
    yield Mail(
        moment(rng, march(19)),
        "Parcel Notice",
        "notice@parcel-notice.example",
        "Nothing has arrived? Click here",
        "Your parcel is still waiting! Pay 1.99 to release it.\n",
    )


def header(text):
    return text if text.isascii() else Header(text, "utf-8").encode()


def mbox(world):
    mails = [m for case in (*world.cases, world.settled, world.question) for m in case.mails]
    parts = []
    for number, m in enumerate(sorted([*mails, *world.spare_mails], key=lambda m: m.at), 1):
        parts += [
            f"From {m.address} {m.at:%a %b %d %H:%M:%S %Y}",
            f"From: {header(m.name)} <{m.address}>",
            "To: Ottilie's Seeds <hello@ottilies-seeds.example>",
            f"Date: {m.at:%a, %d %b %Y %H:%M:%S} +0000",
            f"Subject: {header(m.subject)}",
            f"Message-ID: <{number}.{m.at:%d%H%M}@{m.address.split('@')[1]}>",
            "MIME-Version: 1.0",
            'Content-Type: text/plain; charset="utf-8"',
            "Content-Transfer-Encoding: quoted-printable",
            "",
            encodestring(m.body.encode()).decode(),
        ]
    return "\n".join(parts)


# ---------------------------------------------------------------- the other papers


def pounds(pence):
    return f"{pence // 100}.{pence % 100:02d}"


def table(rows, separator=",", end="\n"):
    return "".join(separator.join(map(str, row)) + end for row in rows)


def order_tables(world):
    head = [("order", "date", "name", "email", "town", "discount %", "postage", "paid by voucher", "status", "parcel")]
    lines = [("order", "sku", "lot", "packets", "price each")]
    for order in world.orders:
        cells = (order.no, f"{order.day:%d/%m/%Y}", order.name, order.address, order.town, order.discount)
        head.append((*cells, pounds(order.postage), pounds(order.voucher), order.status, order.parcel))
        lines += [(order.no, line.sku, line.lot, line.packets, pounds(world.prices[line.sku])) for line in order.lines]
    return table(head, ";", "\r\n").encode("cp1252"), table(lines, ";", "\r\n").encode("cp1252")


def archive_table(world):
    rows = [("order", "date", "name", "email", "town", "variety", "packets", "state")]
    for order in sorted(world.archive, key=lambda order: order.no):
        variety = world.titles[order.lines[0].sku]
        packets = order.lines[0].packets
        rows.append(
            (order.no, f"{order.day:%d/%m/%Y}", order.name, order.address, order.town, variety, packets, "done")
        )
    return table(rows, ";", "\r\n").encode("cp1252")


def courier(world):
    rows = [("parcel", "time", "code", "remark")]
    rows += [(parcel, f"{at:%Y-%m-%d %H:%M}", code, remark) for parcel, at, code, remark in world.scans]
    return table(rows).encode("utf-8-sig")


def stock(world, which):
    rows = [
        ("sku", "variety", "packets"),
        *((sku, world.titles[sku], counts[which]) for sku, counts in sorted(world.counts.items())),
    ]
    return table(rows).encode()


def tests(world):
    rows = [(day, lot, f"{result} %") for lot, results in world.tests.items() for day, result in results]
    return table(
        [("tested", "lot", "came up"), *((f"{day:%d %b %Y}", lot, result) for day, lot, result in sorted(rows))], "\t"
    ).encode()


CODES = """CODES IN THE EXPORT

10   taken over from sender (scan)
12   depot (scan)
21   on the van (scan)
31   delivered to the address (scan)
34   left with a neighbour (scan)
36   left at a pick-up shop (scan)
90   label data: printed or changed by computer, nobody has had the parcel in hand, so it is not a scan
"""
MINIMUM = """The least that must come up in our test, by kind:

{rows}
A lot below it goes on the compost. Several tests of a lot: the latest is the one that holds.
"""
TERMS = """# How we put things right

Terms of Ottilie's Seeds, for orders from {start} {until}

1. **It has not come.** A parcel counts as lost if it has neither been delivered nor left somewhere for you, and its last scan by the courier lies {lost} working days or more back. Working days are Monday to Friday; the day of the scan does not count, today does. What is lost we send again. Until then we ask you to wait. What was left with a neighbour or at a pick-up shop has come: we tell you where it is.
2. **It was not in it, or it was something else.** Tell us within {report} days of delivery (the day after it is day 1), and we send again what you ordered and did not get. After that we can do nothing.
3. **It does not come up.** We test every lot. If yours is below our minimum, we pay the line back. If it is not, we can do nothing.
4. **You have changed your mind.** Until the courier's first scan you get back all that you paid. From then on you may return the parcel unopened, and we pay when it is here.
5. **We have run out.** A line that we should send again, but cannot send whole, is paid back instead. Each line is looked at by itself.
6. **How much.** For a line: packets times price, less the discount of your order, rounded to the nearest penny (half a penny upwards). Postage comes back only if all lines of the order are paid back.
7. **How.** If part of your order was paid by voucher, {how}.
"""
NEW_HOW = "what we pay back goes onto a voucher up to that amount, and the rest to your card"
OLD_HOW = "what we pay back goes to your card up to what you paid by card, and the rest onto a voucher"
NOTES = """DESK NOTES, for whoever sits here when I don't

A case is an order of this year about which somebody complains or which somebody wants to be rid of. All mails about an order are one case, whoever writes them. Questions about growing are no cases, I answer those in the evening. Nor is there a case left where they write later that it has settled itself.

Without a number: addresses come and go, so I go by name and town, and by the variety they name. Where the parcel as a whole has not come or is not wanted, the case is about all its lines; otherwise it is about the variety that was not in it or does not come up, and only about that.

My words for what comes of a case:
  again     all that it is about is sent again
  money     all that it is about is paid back
  both      some of it is sent again, some is paid back
  wait      they have to wait a little longer
  collect   it stands somewhere and wants to be fetched
  return    they may send it back
  nothing   we can do nothing

Stock. What the last count shows, less what the orders with status "open" still need, is what there is for cases (nothing has left the shelf since). Cases help themselves in the order in which the first mail about each came in, line by line as in the order.

The terms are in terms/, with the days from which they hold. The minimum for tests hangs in the seed room (seed-room/).
"""
LETTERS = """TWO LETTERS I AM STILL HAPPY WITH

Dear Mr Ludd,
the slug pellets are gone for good, I am afraid: we stopped selling them, and that is our doing, not yours. I can't get them elsewhere for you either. What works here is a saucer of beer and going out with a torch. Your onions have left this morning and should be with you by Thursday.
Ottilie

Dear Mrs Finch,
you are right and I was wrong, the labels were the wrong way round. Two fresh packets left today. Please keep the others, perhaps they turn out to be something good.
Ottilie
"""
GROWING = """Leeks: sow to the end of April. Parsley: five weeks are nothing, it goes to the devil and back first.
Carrots: not before the soil is warm to the wrist. Beans: not before May, whatever the neighbour says.
Tomatoes and squashes: on the sill until the middle of April is fine. Lettuce and beet: any time now.
"""


def files_of(rng, world):
    head, lines = order_tables(world)
    minimum = "".join(f"{kind:10}{least:3} %\n" for kind, least in KINDS.items())
    catalogue = [
        ("sku", "variety", "kind", "price"),
        *((s, t, kind_of(s), pounds(world.prices[s])) for s, t in sorted(world.titles.items())),
    ]
    old = TERMS.format(start="1 March 2025", until="to 31 January 2027", lost=10, report=14, how=OLD_HOW)
    new = TERMS.format(start="1 February 2027", until="until further notice", lost=7, report=21, how=NEW_HOW)
    files = {
        "inbox/march.mbox": mbox(world),
        "orders/orders-2027.csv": head,
        "orders/lines-2027.csv": lines,
        "orders/archive-2026.csv": archive_table(world),
        "courier/export-2027-03-22.csv": courier(world),
        "courier/codes.txt": CODES,
        "stock/count-2027-03-06.csv": stock(world, 0),
        "stock/count-2027-03-20.csv": stock(world, 1),
        "stock/catalogue.csv": table(catalogue),
        "seed-room/tests.tsv": tests(world),
        "seed-room/minimum.txt": MINIMUM.format(rows=minimum),
        "seed-room/growing.txt": GROWING,
        "terms/terms-2025-03.md": old,
        "terms/terms-2027-02.md": new,
        "desk/notes.txt": NOTES,
        "desk/letters.txt": LETTERS,
        "desk/shopping.txt": f"String, {rng.randint(3, 9)} balls. Tea. A new sieve, the old one has a hole.\nCard for the bride and the groom (done).\n",
    }
    return {name: text if isinstance(text, bytes) else text.encode() for name, text in files.items()}


def leaks(world, files):
    """Whether a sum of the answer that stands alone happens to stand in a file."""
    result, letter = answer(world), drafts(world)
    sums = [*result["totals"][1:], *(sum(result["refunds"].get(no, (0,))) for no in letter.values())]
    forms = {form for pence in sums if pence for form in (pounds(pence), f"{pence / 100:g}")}
    text = "\n".join(content.decode("cp1252", "replace") for content in files.values())
    return any(re.search(rf"(?<![\w.,]){re.escape(form)}(?![\w]|[.,]\d)", text) for form in forms)


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


if __name__ == "__main__":
    generate(int(sys.argv[1]), Path(sys.argv[2]))
