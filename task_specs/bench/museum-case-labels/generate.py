"""Writes a workspace for this task: the same case and label guide, other objects in other places, other slips and reports."""

import quopri
import random
import re
import sys
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

SLUG = "museum-case-labels"
PLACES = "ABCDEFG"


@dataclass(frozen=True)
class Kind:
    name: str
    materials: tuple
    notice: str
    why: str
    size: int  # about how many centimetres it is high
    mistaken: str = ""  # a name that the register may give it wrongly


KINDS = (
    Kind(
        "Rushlight holder",
        ("wrought iron", "ash"),
        "Wear on the left jaw only, burnished by a thumb that opened it again and again.",
        "A rush dipped in mutton fat cost next to nothing, but somebody had to move it up every few minutes.",
        24,
        "Pliers on a block",
    ),
    Kind(
        "Candle mould",
        ("tinned sheet iron",),
        "Six tubes soldered to one tray, each with a pin-hole at the tip for drawing the wick through.",
        "Tallow went in at the top, and the candles came out upside down the next morning.",
        27,
    ),
    Kind(
        "Grisset",
        ("cast iron",),
        "A boat-shaped pan on short feet, pointed at either end so that a rush lies flat in the melted fat.",
        "Children did the dipping; one evening made light for a week.",
        9,
        "Frying pan",
    ),
    Kind(
        "Tinderbox",
        ("sheet iron", "steel", "flint", "flax"),
        "Charred linen is still adhering to the underside of the damper.",
        "One good spark on burnt cloth was the only way to make fire, and in damp weather it took a patient quarter of an hour.",
        8,
    ),
    Kind(
        "Horn lantern",
        ("sheet iron", "cow horn"),
        "The panes are horn, pressed and scraped until translucent; one has delaminated in layers like an onion.",
        "Glass broke in the stable and cost money. Horn bent, and let through enough to milk by.",
        33,
    ),
    Kind(
        "Save-all",
        ("latten",),
        "Three prongs on a disc, with wax in the angle between them.",
        "The last inch of a candle was stuck on here and burned to the very end, in kitchens where every inch was counted.",
        7,
        "Thimble stand",
    ),
    Kind(
        "Chamber stick",
        ("latten", "steel"),
        "A thumb-piece on the rim, thinner than the rest, and a pan that is far too wide for the candle.",
        "It went up the stairs in one hand, and the wide pan kept hot drips off the other.",
        11,
    ),
    Kind(
        "Cruse lamp",
        ("wrought iron",),
        "Two pans, one hung below the other, the upper one discoloured along its spout.",
        "Fish oil dripped from the wick into the lower pan and was poured back. It smelled, and nobody threw it away.",
        21,
        "Sauce ladle",
    ),
    Kind(
        "Lacemaker's globe",
        ("blown glass", "oak"),
        "Hold your eye level with the globe: the label behind it appears larger and inverted.",
        "Filled with water it threw one candle's light in a bright spot on the lace, so that four women could share it.",
        29,
        "Fish bowl",
    ),
    Kind(
        "Spill vase",
        ("lead-glazed earthenware",),
        "Scorching inside the rim, where spills were put back before they were quite out.",
        "Twists of paper carried fire from the hearth to the lamp. Matches were for people who had money to burn.",
        13,
        "Pencil pot",
    ),
    Kind(
        "Wick trimmer",
        ("steel", "latten"),
        "A small box on one blade, in which the cut wick was caught.",
        "Before plaited wicks every candle smoked unless its wick was cut, several times an hour, without putting it out.",
        8,
    ),
    Kind(
        "Candle sconce",
        ("latten", "pine"),
        "The back plate is dished and still bright in the centre, although the rim has tarnished.",
        "Somebody polished only the part that mattered: it threw the light back into the room and doubled a single flame.",
        30,
    ),
    Kind(
        "Miner's spike",
        ("wrought iron",),
        "A hook for the hat and a point for the timber, on one piece of bent bar.",
        "It held a candle wherever the work was. The miner bought the candles himself, and counted his day by them.",
        15,
    ),
    Kind(
        "Match holder",
        ("salt-glazed stoneware",),
        "Ribs round the foot, worn smooth on the side that faced the room.",
        "Every stroke of a match left a little of itself there. In a few years a new habit had rubbed the clay flat.",
        8,
        "Egg cup",
    ),
)
PLAIN = (
    ("latten", "brass"),
    ("wrought iron", "iron"),
    ("cast iron", "iron"),
    ("sheet iron", "iron"),
    ("tinned sheet iron", "tin plate"),
    ("cow horn", "horn"),
    ("ash", "wood"),
    ("oak", "wood"),
    ("pine", "wood"),
    ("beech", "wood"),
    ("flax", "linen"),
    ("blown glass", "glass"),
    ("lead-glazed earthenware", "pottery"),
    ("salt-glazed stoneware", "pottery"),
    ("tanned hide", "leather"),
)
MORE_MATERIALS = ("beech", "pewter", "tanned hide", "copper", "oak", "latten", "sheet iron", "lead")
TOWNS = ("Brackwater", "Oldermouth", "Quarrington Fell", "Saltby", "Thornley Cross", "Upper Wend", "Cobbold Gate")
WOMEN = "Edith Clara Winifred Zoë Harriet Beatrix Lavinia Dinah Mabel Isolde".split()
MEN = "Amos Josiah Percy Silas Noël Ambrose Rufus Edwin Gilbert Matthias".split()
LAST = (
    "Tulliver-Shaw Fennimore Ockley Wraxton Penhallow Dunstable-Reed Marchbanks Garroway Ibbotson Lisle Rookhope "
    "Sedgwick-Orr Vyner Whitlow Yarborough Cheverell"
).split()
OWNERS = (
    "Lent by the Chandlers' Guild of Brackwater",
    "Lent by the parish of St Osmund, Saltby",
    "On loan from the Wend Valley Mining Institute",
    "Lent by the Lace School at Oldermouth",
)


@dataclass
class Thing:
    number: str
    kind: Kind
    role: str
    date: str
    town: str
    height: int
    acquired: str
    maker: str = ""
    where: str = "store 2"
    registered: dict = field(default_factory=dict)  # what the register says instead
    reports: list = field(default_factory=list)


def century_date(rng):
    century = rng.choice((18, 19))
    if rng.random() < 0.5:
        return f"{rng.choice(('1st', '2nd'))} half {century}th century"
    return f"{rng.choice(('1st', '2nd', '3rd', '4th'))} quarter {century}th century"


def draw_date(rng, form):
    year = rng.randrange(1701, 1879)
    forms = {
        "exact": f"{year}",
        "circa": f"c. {round(year, -1)}",
        "range": f"{year - 1}-{year + rng.randint(8, 29)}",
        "before": f"before {round(year, -1)}",
        "after": f"after {year}",
    }
    return forms.get(form) or century_date(rng)


ROLES = "retitled restored redated reported lent nameless replacement unfit away unwell other other other other".split()
FORMS = "circa exact century circa range before century exact range after exact circa century range".split()


def draw_things(rng):
    kinds = rng.sample([k for k in KINDS if k.mistaken], 1)
    kinds += rng.sample([k for k in KINDS if k not in kinds], len(KINDS) - 1)
    people = [(("Mrs", "Miss", "Dr"), name) for name in WOMEN] + [(("Mr", "Dr", "Rev."), name) for name in MEN]
    donors = [
        f"{rng.choice(styles)} {one} {two}" for (styles, one), two in zip(rng.sample(people, 14), rng.sample(LAST, 14))
    ]
    years = rng.sample(range(1899, 1996), 14)
    for role, kind, form, donor, year in zip(ROLES, kinds, FORMS, donors, years):
        way = "gift" if role == "nameless" else rng.choice(("gift", "gift", "bequest", "bought"))
        acquired = f"{way}, {year}" if way == "bought" else f"{way} of {donor}, {year}"
        number = f"{year}/{rng.randint(2, 48)}"
        if role == "lent":
            number, acquired = f"L2026/{rng.randint(2, 9)}", "loan"
        height = rng.randint(kind.size - 1, kind.size + 3) * 10 + rng.choice((1, 2, 3, 6, 7, 8))
        thing = Thing(number, kind, role, draw_date(rng, form), rng.choice((*TOWNS, "")), height, acquired)
        thing.where = "lent to Oldermouth until 2028" if role == "away" else f"store {rng.randint(1, 4)}"
        yield thing


def other(rng, old, draw):
    """Another value than the old one."""
    return next(new for new in iter(lambda: draw(rng), None) if new != old)


@dataclass
class Report:
    thing: Thing
    day: date
    lines: dict


def limits(rng, light, low, high, weeks):
    """How a report words its limits, a little above what binds the case."""
    return {"Light": f"{light} lux at most", "Humidity": f"{low} to {high} %", "Display": f"{weeks} weeks at most"}


@dataclass
class World:
    things: list
    opening: date
    first_opening: date
    places: dict  # place -> thing in the end
    planned: dict  # place -> thing in version 3
    swapped: tuple
    older: dict  # place -> thing in version 2
    reserve: list
    reports: list
    loan_weeks: int
    owner: str
    slips: tuple
    mailed: dict


def draw_world(rng):
    things = list(draw_things(rng))
    by_role = {thing.role: thing for thing in things if thing.role != "other"}
    shown = [by_role[role] for role in ROLES[:7]]
    planned = dict(zip(PLACES, rng.sample([*shown[:6], by_role["unfit"]], 7)))
    swapped = tuple(sorted(rng.sample(PLACES, 2)))
    turn = dict(zip(swapped, swapped[::-1]))
    places = {place: planned[turn.get(place, place)] for place in PLACES}
    places = {place: by_role["replacement"] if thing.role == "unfit" else thing for place, thing in places.items()}
    others = [thing for thing in things if thing.role == "other"]
    older = dict(zip(PLACES, rng.sample([*shown[:4], *others[:2], by_role["unfit"]], 7)))
    reserve = [by_role["away"], by_role["unwell"]]
    rng.shuffle(reserve)
    first = date(2027, 3, 6)
    world = World(
        things, first + timedelta(days=7 * rng.randint(1, 3)), first, places, planned, swapped, older,
        [*reserve, by_role["replacement"]], [], rng.randint(13, 22), rng.choice(OWNERS), (), {},
    )  # fmt: skip
    world.slips = tuple(draw_slips(rng, by_role))
    world.reports = list(draw_reports(rng, by_role, others))
    return world


def draw_slips(rng, by_role):
    """The lines of Hesper's two lists; the register keeps what they correct."""
    retitled, restored, redated, nameless = (by_role[r] for r in ("retitled", "restored", "redated", "nameless"))
    retitled.registered["name"] = retitled.kind.mistaken
    wrong = other(rng, restored.date, lambda r: draw_date(r, "circa"))
    redated.registered["date"] = other(rng, redated.date, lambda r: draw_date(r, "exact"))
    between = draw_date(rng, "range")
    nameless.registered["town"] = nameless.town or rng.choice(TOWNS)
    nameless.town = other(rng, nameless.registered["town"], lambda r: r.choice(TOWNS))
    reported = by_role["reported"]
    reported.maker = f"{rng.choice(MEN)} {rng.choice(('Orrin', 'Blaydes', 'Tasker'))}"
    titled = f"is not a {retitled.kind.mistaken.lower()}, whoever wrote that. It is called: {retitled.kind.name}"
    yield [
        (retitled, titled),
        (restored, f"date: {wrong}"),
        (redated, f"date: {between}"),
        (nameless, f"made: {nameless.town}"),
        (
            reported,
            f"the register names {reported.maker} as the maker. There is no ground for it: keep the name out of label and text",
        ),
    ]
    yield [
        (restored, "forget my slip of January, the register was right after all"),
        (redated, f"date: {redated.date}"),
    ]


def draw_reports(rng, by_role, others):
    """Reports in no particular order: the later of two on one object counts for what it states."""
    early = lambda: date(2024, 1, 8) + timedelta(days=rng.randrange(600))
    late = lambda: date(2026, 10, 5) + timedelta(days=rng.randrange(90))
    binding = rng.choice(("retitled", "redated", "replacement"))
    for role in ROLES[:7]:
        thing = by_role[role]
        light = rng.choice((42, 45, 48, 50, 52)) if role == binding else rng.choice((60, 80, 90))
        first = limits(rng, light, rng.choice((30, 35, 38)), rng.choice((60, 62, 65)), rng.randrange(26, 53, 2))
        lines = {"Materials": material_line(rng, thing), **first, "Fit for display": "yes"}
        if role in ("retitled", "lent", "reported"):
            thing.registered["height"] = thing.height + rng.choice((-30, -20, 20, 30, 50))
            if role != "reported":
                lines["Height"] = f"{thing.height} mm"
        if role in ("restored", "nameless"):
            del lines["Materials"]  # the register fills the gap
        if role == "reported":
            lines["Height"] = f"{other(rng, thing.height, lambda r: thing.height + r.choice((-20, 10, 20)))} mm"
        yield Report(thing, early() if role in ("reported", "restored") else late(), lines)
    weeks = rng.randint(10, 16)
    changed = {
        "Height": f"{by_role['reported'].height} mm",
        "Display": f"{weeks} weeks at most",
        "Light": "58 lux at most",
    }
    yield Report(by_role["reported"], late(), changed)
    yield Report(
        by_role["restored"],
        late(),
        {"Humidity": f"{rng.choice((42, 44))} to {rng.choice((54, 56))} %", "Fit for display": "yes"},
    )
    yield Report(by_role["unfit"], early(), {**limits(rng, 40, 46, 52, 8), "Fit for display": "yes"})
    yield Report(
        by_role["unfit"],
        date(2027, 2, rng.randint(3, 8)),
        {"Condition": "corrosion is active", "Fit for display": "no"},
    )
    yield Report(by_role["away"], early(), {**limits(rng, 60, 35, 60, 30), "Fit for display": "yes"})
    yield Report(by_role["unwell"], late(), {**limits(rng, 30, 47, 50, 6), "Fit for display": "no"})
    yield Report(others[0], late(), {**limits(rng, 40, 46, 52, 9), "Fit for display": "yes"})


def material_line(rng, thing):
    """The object's materials as the conservator found them, which the register has not heard of."""
    found = list(thing.kind.materials)
    if thing.role in ("reported", "redated", "replacement"):
        thing.registered["materials"] = thing.kind.materials
        found.append(
            next(
                m for m in rng.sample(MORE_MATERIALS, len(MORE_MATERIALS)) if dict(PLAIN).get(m, m) not in plain(found)
            )
        )
    rng.shuffle(found)
    thing.registered.setdefault("found", tuple(found))
    return ", ".join(found)


def plain(materials):
    return {dict(PLAIN).get(material, material) for material in materials}


REGISTER = "number;name;date;made;materials;size (mm, h x w x d);acquired;maker;where\r\n"


def register_row(rng, thing, **old):
    said = (
        {"name": thing.kind.name, "date": thing.date, "town": thing.town, "height": thing.height}
        | thing.registered
        | old
    )
    materials = ", ".join(thing.registered.get("materials", thing.kind.materials))
    size = f"{said['height']} x {rng.randint(40, 190)} x {rng.randint(40, 150)}"
    cells = (
        thing.number,
        said["name"],
        said["date"],
        said["town"],
        materials,
        size,
        thing.acquired,
        thing.maker,
        thing.where,
    )
    return ";".join(cells) + "\r\n"


def registers(rng, world):
    order = sorted(world.things, key=lambda thing: thing.number)
    rows = [register_row(rng, thing) for thing in order]
    yield "register/export-2027-02-01.csv", (REGISTER + "".join(rows)).encode("cp1252")
    changed = rng.sample(order, 6)
    old = [
        register_row(
            rng, thing, **({"date": draw_date(rng, "exact"), "town": rng.choice(TOWNS)} if thing in changed else {})
        )
        for thing in order
    ]
    yield "register/export-2025-11-17.csv", (REGISTER + "".join(old[:-1])).encode("cp1252")


CONDITIONS = ("sound", "sound, surface dust removed", "stable, old scratches", "stable, a little loss at the foot")
EXTRA = (
    "Residue: tallow in the socket",
    "Repair: soft solder, 20th century",
    "Residue: soot",
    "Mount: acrylic, ours",
    "",
)


def report_text(rng, number, report):
    by = rng.choice(("Tobin Ashlee", "Nadia Ferreby"))
    head = {"Object": report.thing.number, "Date": f"{report.day.day} {report.day:%B %Y}", "By": by}
    lines = [f"CONSERVATION REPORT R-{number}", ""]
    lines += [
        f"{name}: {value}" for name, value in (head | {"Condition": rng.choice(CONDITIONS)} | report.lines).items()
    ]
    extra = rng.choice(EXTRA) if "Materials" in report.lines else ""
    return "\n".join([*lines, extra, ""]) if extra else "\n".join([*lines, ""])


def reports(rng, world):
    numbers = rng.sample(range(210, 480), len(world.reports))
    for number, report in zip(numbers, world.reports):
        text = report_text(rng, number, report)
        ending = "\r\n" if number % 2 else "\n"
        yield f"conservation/R-{number}.txt", text.replace("\n", ending).encode()


def plan_text(version, day, opening, places, reserve):
    lines = [
        "CASE 4: LIGHT BEFORE THE SWITCH",
        f"Plan, version {version}, {day}",
        "",
        f"Opens on {opening.day} {opening:%B %Y}",
        "",
    ]
    lines += [f"{place}  {thing.number}" for place, thing in places.items()]
    lines += ["", "Reserve, in this order: " + ", ".join(thing.number for thing in reserve)]
    lines += [
        "If something in the plan turns out not to be fit for display, its place goes to the first",
        "of the reserve that is fit and in the house.",
    ]
    return ("\n".join(lines) + "\n").encode()


def slip_text(day, slips, first):
    lines = [f"Slips for the register, {day}", "Hesper", ""]
    width = max(len(thing.number) for thing, _ in slips) + 2
    lines += [f"{thing.number:<{width}}{text}" for thing, text in slips]
    if first:
        lines += ["", "Otto, please type these in when you have a quiet day."]
    return ("\r\n".join(lines) + "\r\n").encode("utf-8-sig")


def notice_text(rng, world):
    lines = [
        "# What I would like people to notice",
        "",
        "For the texts of case 4. My words, so please find better ones. Where I say nothing, we know nothing: who owned or made these things is not recorded, and I would rather not have a guess on the wall.",
        "",
    ]
    for thing in sorted(world.things, key=lambda thing: thing.number):
        if thing.role != "other":
            lines += [f"**{thing.number}** {thing.kind.notice} {thing.kind.why}", ""]
    return ("\n".join([*lines, "Hesper"]) + "\n").encode()


def loan_text(thing, world):
    return f"""LOAN AGREEMENT {thing.number}

Object: {thing.number}
Purpose: case 4, "Light before the switch"
On display for at most: {world.loan_weeks} weeks
Credit, to be given word for word: {world.owner}
Insurance: nail to nail, as usual
""".encode()


def mail(sender, to, stamp, subject, body):
    head = f"From: {sender}\nTo: {to}\nDate: {stamp}\nSubject: {subject}\nMIME-Version: 1.0\n"
    head += 'Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n\n'
    return head.encode() + quopri.encodestring(body.encode())


TEAM = "Interpretation <interpretation@cobboldgate.example>"
INES = "Ines Barrowclough <ines@cobboldgate.example>"


def mails(world):
    donor = next(thing for thing in world.things if thing.role == "nameless")
    name, place = donor.acquired.removeprefix("gift of ").split(",")[0], world.swapped
    new = f"{world.opening.day} {world.opening:%B}"
    yield (
        "mail/01-14-ines.eml",
        mail(INES, TEAM, "Thu, 14 Jan 2027 09:20:00 +0000", "Label guide: two small things", INES_FIRST),
    )
    yield "mail/02-02-ines.eml", mail(INES, TEAM, "Tue, 02 Feb 2027 16:05:00 +0000", "Label guide again", INES_SECOND)
    yield (
        "mail/02-04-family.eml",
        mail(
            f"The family of {name} <family@postbox.example>",
            "Otto Pell <otto@cobboldgate.example>",
            "Thu, 04 Feb 2027 20:11:00 +0000",
            "our name",
            f"Dear Mr Pell,\n\nthank you for telling us that {donor.number} is to be shown again. {name} never wanted to be named "
            "in public, and we would ask you to keep to that, on the label and everywhere else.\n\nWith kind regards from all of us\n",
        ),
    )
    yield (
        "mail/02-08-shop.eml",
        mail(
            "Giles, shop and marketing <giles@cobboldgate.example>",
            TEAM,
            "Mon, 08 Feb 2027 11:30:00 +0000",
            "case 4!!!",
            GILES,
        ),
    )
    yield (
        "mail/02-09-lowri.eml",
        mail(
            "Lowri Tench <lowri@cobboldgate.example>",
            TEAM,
            "Tue, 09 Feb 2027 13:47:00 +0000",
            "case 4, glare",
            f"Hello,\n\nthe window throws a stripe across the left of the case at eleven, so {place[0]} and {place[1]} of version 3 change places. "
            f"And the joiner is ill: we open on {new} instead. I am not drawing a version 4 for that.\n\nLowri\n",
        ),
    )
    yield (
        "mail/02-10-printer.eml",
        mail(
            "Perrin Print <jobs@perrinprint.example>",
            TEAM,
            "Wed, 10 Feb 2027 08:02:00 +0000",
            "Your slot on Friday",
            PRINTER,
        ),
    )


INES_FIRST = """Dear all,

two changes to the label guide. A date that the register gives as "c. 1790" becomes "around 1790" on the label; nobody under forty reads the c. And a text may have 55 words if the object needs them.

Ines
"""
INES_SECOND = """Dear all,

I tried the labels on a school class yesterday. "Around" they took for a place (around the house, around 1790), so please write "about 1790". And 55 words are far too many: nobody got to the end. From now on 45 at most. All else in edition 3 stays.

Ines
"""
GILES = """Hi team,

can every label say iconic, stunning or unique somewhere? And maybe end on "Can YOU imagine life without your phone?". The shop has rush-light soap.

Giles
"""
PRINTER = """Good morning,

your slot is Friday, nine o'clock. Foam board 5 mm, matt. Our machine adds the museum's crest by itself.

Perrin
"""

GUIDE_3 = """# Label guide, edition 3

In force since 1 September 2026; edition 2 is for the shelf. Ines changes this guide by mail to the team. Of two mails on the same point her later one is right.

## 1. Where the facts come from

The latest export of the register. Hesper's slips (`curator/`) change in it what they mention, and a later slip beats an earlier one. What a thing is made of and how high it is, however, are as in the conservation reports (`conservation/`), where they say so; the register fills the gaps. If there are two reports on one object, the later one is right in whatever it states, and the earlier one stands in the rest.

## 2. The label

- **Title**: the name in the register, as corrected.
- **Date**: in words and years, thus: `1823`; `1790 to 1810`; `before 1750`; `after 1862`; `c. 1790` as it stands. Parts of a century are turned into years: the 1st quarter of the 19th century is `1800 to 1825`, the 2nd half of the 18th is `1750 to 1800`.
- **Place**: the town in which it was made. Nothing if the register has none.
- **Materials**: in everyday words, see `style/plain-words.csv`. A word that is not in that list stays. Each word once. Residues, repairs and mounts are not materials.
- **Height**: in whole centimetres, 5 mm upwards. No other size.
- **Credit**: `Given by NAME, YEAR`, `Bequeathed by NAME, YEAR` or `Bought, YEAR`, the name without Mr, Mrs, Miss, Dr or Rev. If donor or family do not wish to be named it is `Given anonymously, YEAR`, and the name appears nowhere. For loans the words of the agreement (`loans/`).

## 3. The text

25 to 60 words for each object. It begins with title and date just as on the label, a comma between them and a full stop after them, and these count as words: `Carriage lamp, 1790 to 1810.` The panel that opens the case has 40 to 70 words. No makers, owners or stories that Hesper does not give us.

## 4. The case card

Counts everything that stands in the case. Light: the lowest of the limits. Humidity: the band that suits all, from the highest of the lower limits to the lowest of the upper ones. Out by: the first day on which something has to come out. Weeks of display, whether in a report or in an agreement, count from the day of opening: two weeks from Saturday 6 March end on Saturday 20 March.
"""
GUIDE_2 = """# Label guide, edition 2 (2019)

1. Facts are taken from the register.
2. Title in capitals. Date as in the register. Materials as in the register.
3. All three measurements, in millimetres.
4. Credit: `Gift of Mrs NAME`, without the year.
5. Up to 90 words of text. Begin with the materials and the technique.
"""
OLD_LABELS = """# case 4 as it was until 2026 ("From Flint to Filament")
- {number: 1962/8, title: GAS MANTLE, date: c.1895, text: "Fabric mantle impregnated with thorium. Mint in box."}
- {number: 1977/31, title: CARBON FILAMENT LAMP, date: 1903, text: "Pip top. Please do not tap the glass."}
"""
ROTA = """Gallery rota, week of 8 February
Mon closed | Tue Wren, Idris | Wed Wren | Thu Idris, school class at ten | Fri Wren, printer collects at nine
Bulbs for the stairs: the long ones. The plug in case 2 is still loose.
"""


def files_of(rng, world):
    lent = next(thing for thing in world.things if thing.role == "lent")
    words = "museum word,everyday word\n" + "".join(f"{one},{two}\n" for one, two in rng.sample(PLAIN, len(PLAIN)))
    files = dict(registers(rng, world)) | dict(reports(rng, world)) | dict(mails(world))
    return files | {
        "case/case-4-plan-v2.txt": plan_text(2, "December 2026", world.first_opening, world.older, world.reserve[:2]),
        "case/case-4-plan-v3.txt": plan_text(
            3, "agreed on 1 February 2027", world.first_opening, world.planned, world.reserve
        ),
        "curator/slips-2027-01-21.txt": slip_text("21 January 2027", world.slips[0], True),
        "curator/slips-2027-02-05.txt": slip_text("5 February 2027", world.slips[1], False),
        "curator/what-to-notice.md": notice_text(rng, world),
        f"loans/{lent.number.replace('/', '-')}.txt": loan_text(lent, world),
        "style/label-guide-ed2.md": GUIDE_2.encode(),
        "style/label-guide-ed3.md": GUIDE_3.encode(),
        "style/plain-words.csv": words.encode(),
        "old/case-4-labels-2019.yaml": OLD_LABELS.encode(),
        "notes/rota.txt": ROTA.encode("cp1252"),
    }


def deciding(world):
    """Whether numbers are distinct, and the shortest stay and what else counts lie where they should."""
    shortest = min(int(r.lines["Display"].split()[0]) for r in world.reports if r.thing.role == "reported")
    numbers = [thing.number for thing in world.things]
    return (
        len(set(numbers)) == len(numbers)
        and world.loan_weeks != shortest
        and {thing.role for thing in world.planned.values()} != {thing.role for thing in world.older.values()}
        and not any(world.planned[place].role == "unfit" for place in world.swapped)
        and sum(1 for thing in world.places.values() if thing.town) >= 4
    )


def leaks(world, files):
    """Whether the day on which the first object comes out stands somewhere already."""
    weeks = min(
        world.loan_weeks, *(int(r.lines["Display"].split()[0]) for r in world.reports if r.thing.role == "reported")
    )
    day = world.opening + timedelta(weeks=weeks)
    text = b"\n".join(files.values()).decode("cp1252", "replace")
    return re.search(rf"\b{day.day} {day:%B}", text) is not None


def generate(seed: int, out_dir: Path) -> None:
    """Write the workspace of that seed."""
    rng = random.Random(f"{SLUG}:{seed}")
    while True:
        world = draw_world(rng)
        files = files_of(rng, world)
        if deciding(world) and not leaks(world, files):
            break
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    generate(int(sys.argv[1]), Path(sys.argv[2]))
