"""Writes a workspace for this task: the same flying day, other freight, weights, times and messages."""

import random
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

SLUG = "hut-helicopter-loads"
FOOD = ("food", "fresh", "frozen")
DANGEROUS = ("gas", "fuel", "battery")
BY_PIECE = (*FOOD, "gas", "fuel")
EMPTY = {20: 19, 30: 96, 50: 131}  # tenths of a kilo of the container by its litres
DENSITY = {"diesel": 84, "petrol": 75, "beer": 102}  # hundredths of a kilo a litre
HOURS = (6, 7, 8, 9, 10)

# role, what, kind, letter, ordered by, supplier, pieces, tenths of a kilo a piece
FREIGHT = (
    ("potatoes", "potatoes, sacks", "food", "B", "cook", "Raschmühle", (10, 13), (250, 256)),
    ("", "flour, sacks", "food", "A", "cook", "Raschmühle", (6, 9), (251, 257)),
    ("", "noodles and rice", "food", "B", "cook", "Talmarkt", (9, 13), (121, 164)),
    ("", "tinned tomatoes", "food", "B", "cook", "Talmarkt", (10, 14), (132, 158)),
    ("", "coffee, sugar, cocoa", "food", "A", "cook", "Talmarkt", (3, 5), (102, 128)),
    ("lemonade", "lemonade, crates", "food", "C", "cook", "Kettenbräu", (10, 14), (151, 174)),
    ("kegs", "beer, kegs", "food", "C", "cook", "Kettenbräu", (5, 6), (0, 0)),
    ("", "jam and honey", "food", "C", "cook", "Talmarkt", (5, 8), (84, 109)),
    ("fresh", "butter and milk", "fresh", "A", "cook", "Sennerei Laub", (5, 7), (142, 171)),
    ("fresh", "cheese, wheels", "fresh", "B", "cook", "Sennerei Laub", (9, 12), (64, 78)),
    ("fresh", "yoghurt, buckets", "fresh", "C", "cook", "Sennerei Laub", (5, 8), (52, 58)),
    ("frozen", "meat, frozen", "frozen", "A", "cook", "Talmarkt", (7, 10), (131, 156)),
    ("frozen", "bread, frozen", "frozen", "B", "cook", "Talmarkt", (8, 11), (61, 84)),
    ("frozen", "vegetables, frozen", "frozen", "B", "cook", "Talmarkt", (6, 8), (103, 127)),
    ("gas", "gas, large bottles", "gas", "A", "hut", "Propan Zint", (8, 10), (232, 268)),
    ("gas2", "gas, small bottles", "gas", "C", "scouts", "Propan Zint", (3, 5), (104, 118)),
    ("diesel", "diesel, canisters 20 l", "fuel", "A", "hut", "Propan Zint", (9, 12), (0, 0)),
    ("petrol", "petrol, canisters 20 l", "fuel", "B", "hut", "Propan Zint", (3, 4), (0, 0)),
    ("battery", "lithium batteries", "battery", "A", "hut", "Elektro Laub", (4, 5), (451, 528)),
    ("battery2", "batteries for the radio", "battery", "A", "hut", "Elektro Laub", (2, 3), (162, 188)),
    ("starter", "starter for the generator", "goods", "B", "hut", "Elektro Laub", (1, 1), (312, 438)),
    ("cleaner", "dish cleaner", "cleaner", "B", "cook", "Talmarkt", (5, 7), (114, 127)),
    ("", "disinfectant", "cleaner", "B", "cook", "Talmarkt", (3, 4), (103, 118)),
    ("oven", "bread oven", "goods", "C", "cook", "Eisen Plank", (1, 1), (7180, 7460)),
    ("trays", "stones and trays for the oven", "goods", "B", "cook", "Eisen Plank", (2, 3), (181, 246)),
    ("mattress", "mattresses", "goods", "B", "hut", "Eisen Plank", (6, 8), (112, 128)),
    ("boards", "insulation boards", "goods", "C", "hut", "Holz Amrain", (12, 15), (73, 88)),
    ("frames", "solar frames", "goods", "B", "hut", "Elektro Laub", (3, 4), (321, 438)),
    ("hooks", "roof hooks and rails", "goods", "C", "hut", "Elektro Laub", (3, 4), (205, 246)),
    ("tank", "water tank", "goods", "C", "hut", "Eisen Plank", (1, 1), (684, 856)),
    ("tents", "tents of the scouts", "goods", "C", "scouts", "-", (4, 5), (163, 188)),
    ("timber", "larch beams", "goods", "B", "hut", "Holz Amrain", (9, 11), (142, 168)),
    ("", "blankets", "goods", "B", "hut", "Eisen Plank", (5, 7), (82, 94)),
    ("pans", "pans and crockery", "goods", "C", "cook", "Talmarkt", (3, 4), (212, 264)),
    ("mast", "radio mast in parts", "goods", "C", "hut", "Elektro Laub", (3, 4), (242, 288)),
    ("", "wood briquettes", "goods", "B", "hut", "Holz Amrain", (12, 15), (101, 103)),
    ("", "tools and nails", "goods", "C", "hut", "Eisen Plank", (4, 5), (172, 213)),
    ("", "mineral water, crates", "food", "C", "cook", "Kettenbräu", (10, 13), (134, 152)),
    ("", "terrace benches", "goods", "C", "hut", "Holz Amrain", (3, 4), (231, 262)),
    ("sonnleiten", "for the Sonnleiten Hut", "goods", "C", "guest", "-", (3, 4), (232, 274)),
    ("hunters", "salt for the hunters", "goods", "", "guest", "-", (4, 6), (251, 256)),
)
BULKY = ("mattress", "boards", "frames", "tank", "tents")
WEIGHED = {  # role or text -> before Kaspar set the scale to zero, or after
    "potatoes": "early",
    "kegs": "early",
    "gas": "early",
    "mattress": "late",
    "boards": "early",
    "cleaner": "late",
    "hooks": "late",
    "mast": "early",
    "frames": "late",
    "wood briquettes": "early",
}
NAMES = {
    "cook": ("Flurin Bezzola-Kern", "Marlies Tschurr", "Gebhard Ruosch", "Ladina Pfenn"),
    "chair": ("Hedwig Moosrainer", "Urs-Peter Zallinger", "Agathe Brosi", "Konrad Felderer"),
    "electrician": ("Reto Imwald", "Severin Kofler-Aust", "Mena Gritsch", "Blasius Tanner"),
    "helper": ("Ursina Lechthal", "Joschi Pramstaller", "Dorli Wachs", "Emil Steinhauer"),
    "scouts": ("Tilo Wendt", "Frauke Ohlsen", "Nando Ritsch", "Pirmin Aberle"),
    "dispatcher": ("Silke Vonbun", "Ruedi Camastral", "Toni Hagspiel", "Iris Lampert"),
}


@dataclass(frozen=True)
class Item:
    role: str
    no: int
    what: str
    kind: str
    by: str
    supplier: str
    letter: str
    listed_letter: str
    pieces: int  # as they come in the end
    listed_pieces: int
    told_pieces: int  # as the supplier told last
    each: int  # tenths of a kilo: what a piece really weighs now
    listed_each: int
    litres: int | None = None
    slip: tuple | None = None  # (early or late, pieces, gross kilos)


@dataclass(frozen=True)
class World:
    items: tuple
    names: dict
    times: dict  # source -> (first, last) take-off in minutes
    step: int
    pause: int
    lift: dict  # machine -> four limits by temperature
    bounds: tuple
    burn: dict  # machine -> kilos more for each rotation since refuelling
    nets: dict  # source -> kilos
    seat: int
    crate: int
    pallet: int
    offset: int
    temperature: dict  # (issue, place) -> by hour
    ready: dict  # passenger -> minute at which he can be at the car park
    own_weight: dict
    van: tuple  # minute as first announced, as announced last
    pack: int
    wishes: dict = field(default_factory=dict)


# What a hurried reader may miss; each of these changes the answer on every seed.
BLIND = (
    "bulky cabin pack briefing frozen cleaner electrician battery_rule behind van old_van hooks crate six order whole "
    "machine start june4 net net12 net15 forecast valley burn seat scales_of_people offset offset_all pallet slips stale "
    "told cook cancelled chair chair_again scouts hearsay rounding guests hunters old_list"
).split()


def clock(minute):
    return f"{minute // 60:02d}:{minute % 60:02d}"


def decimal(tenths):
    return f"{tenths // 10},{tenths % 10}" if tenths % 10 else str(tenths // 10)


def full_litres(item, litres):
    kind = "beer" if item.role == "kegs" else item.role
    return (litres * DENSITY[kind] * 10 + 50) // 100 + EMPTY[litres]


# ---------------------------------------------------------------- the rules, as a reader with blind spots sees them


def rotations(world, blind):
    first, last = world.times["june4" if "june4" in blind else "offer" if "start" in blind else "june8"]
    machine = "M3" if "machine" in blind else "M2"
    source = next((name for name in ("net12", "net15", "net") if name in blind), "net14")
    issue, place = ("7" if "forecast" in blind else "8"), ("valley" if "valley" in blind else "hut")
    found, minute = [], first
    while minute <= last:
        degrees = world.temperature[issue, place][minute // 60 - HOURS[0]]
        band = sum(degrees > bound for bound in world.bounds)
        burnt = 0 if "burn" in blind else world.burn[machine] * (len(found) % 3)
        limit = world.lift[machine][band] + burnt - world.nets[source]
        found.append(
            {"takeoff": minute, "limit": limit, "who": None, "load": 0, "kinds": set(), "gas": 0, "bulky": False}
        )
        minute += world.step if len(found) % 3 else world.pause
    for who in ("electrician", "helper"):
        ready = world.ready[who] + (0 if "briefing" in blind else 15)
        flight = next((f for f in found if f["takeoff"] >= ready and not f["who"]), found[-1])
        flight["who"] = who
        weight = world.own_weight[who] if "scales_of_people" in blind else world.seat
        flight["limit"] -= 0 if "seat" in blind else weight
    return found


def weight_of(item, world, blind):
    """Kilos of one piece, as a fraction of whole tenths before rounding: (numerator, denominator)."""
    if item.slip and "slips" not in blind and (item.role != "kegs" or "stale" in blind):
        when, pieces, gross = item.slip
        over = world.offset if ((when == "early" and "offset" not in blind) or "offset_all" in blind) else 0
        return gross - over - (0 if "pallet" in blind else world.pallet), pieces
    return (item.listed_each if "told" in blind else item.each), 10


def kilos_of(item, pieces, world, blind):
    over, under = weight_of(item, world, blind)
    if "rounding" in blind:
        return -(-over * pieces // under)
    return -(-over // under) * pieces


def pieces_of(item, world, blind):
    pieces = item.pieces
    if "told" in blind and item.told_pieces != item.listed_pieces:
        pieces = item.listed_pieces
    if "cook" in blind and item.role in ("potatoes", "lemonade"):
        pieces = item.listed_pieces
    if "cancelled" in blind and item.role == "lemonade":
        pieces = 0
    if "hearsay" in blind and item.role == "kegs":
        pieces = item.told_pieces - 3
    return pieces - (1 if "old_list" in blind and item.role == "" else 0)


def letter_of(item, world, blind):
    if "chair" in blind:
        return item.listed_letter if item.by != "guest" else item.letter
    if "chair_again" in blind and item.role == world.wishes["again"]:
        return "A"
    if "scouts" in blind and item.by == "scouts":
        return "A"
    if "hunters" in blind and item.role == "hunters":
        return "C"
    return "" if "guests" in blind and item.by == "guest" else item.letter


def waits_for(item, blind):
    """The role of what has to be up before, or None."""
    if item.kind == "frozen" and "frozen" not in blind:
        return "starter"
    if "hooks" not in blind:
        return {"frames": "hooks", "trays": "oven"}.get(item.role)
    return None


def turns(world, items, blind):
    def rank(item):
        weight = 0 if "order" in blind else -kilos_of(item, pieces_of(item, world, blind), world, blind)
        return letter_of(item, world, blind), weight, item.no

    done, held = [], []
    for item in sorted(items, key=rank):
        pre = waits_for(item, blind)
        if pre and "behind" not in blind and pre not in [other.role for other in done]:
            held.append(item)
            continue
        done.append(item)
        done += [other for other in held if waits_for(other, blind) == item.role]
    return done


def allowed(flight, item, pieces, world, blind, after):
    """Whether anything but the kilos stands against it."""
    kinds = flight["kinds"]
    clash = {frozenset(("gas", "fuel"))} | {frozenset(("fuel", food)) for food in FOOD}
    clash |= set() if "cleaner" in blind else {frozenset(("cleaner", food)) for food in FOOD}
    clash |= set() if "battery_rule" in blind else {frozenset(("battery", "gas")), frozenset(("battery", "fuel"))}
    if any(frozenset((item.kind, other)) in clash for other in kinds):
        return False
    if flight["who"] and item.kind in DANGEROUS and "cabin" not in blind:
        return False
    if item.kind == "gas" and flight["gas"] + pieces > 6 and "six" not in blind:
        return False
    if item.role in BULKY and flight["bulky"] and flight["bulky"] != item.no and "bulky" not in blind:
        return False
    van = world.van[0 if "old_van" in blind else 1] + (0 if "pack" in blind else world.pack)
    if item.kind == "fresh" and "van" not in blind and flight["takeoff"] < van:
        return False
    return flight["takeoff"] > after


def in_net(item, pieces, flight, world, blind):
    crate = world.crate if item.kind == "gas" and not flight["gas"] and "crate" not in blind else 0
    return kilos_of(item, pieces, world, blind) + crate


def put(flight, item, pieces, world, blind):
    flight["load"] += in_net(item, pieces, flight, world, blind)
    flight["kinds"].add(item.kind)
    flight["gas"] += pieces if item.kind == "gas" else 0
    if item.role in BULKY:
        flight["bulky"] = item.no


def reason_to_stay(item, pieces, flights, world, blind):
    kilos = kilos_of(item, pieces, world, blind)
    needed = (kilos if "bare" in blind else in_net(item, pieces, flight, world, blind) for flight in flights)
    if any(flight["load"] + kilos <= flight["limit"] for flight, kilos in zip(flights, needed)):
        return "barred"
    return "full"


def earliest(item, flights, placed, stayed, blind):
    """The take-off after which it may fly; None where what it waits for stays behind."""
    if item.role == "battery" and "electrician" not in blind:
        return next((f["takeoff"] for f in flights if f["who"] == "electrician"), -1)
    pre = waits_for(item, blind)
    if pre is None:
        return -1
    if pre in stayed:
        return None
    return max((flights[at]["takeoff"] for role, at in placed if role == pre), default=-1)


def answer(world, blind=frozenset()):
    """Rows of the plan, what stays behind with its reason, and the flights."""
    flights, rows, left, placed, stayed = rotations(world, blind), {}, [], set(), set()
    items = [item for item in world.items if pieces_of(item, world, blind)]
    for item in turns(world, items, blind):
        pieces, unit = pieces_of(item, world, blind), 1
        if item.kind not in BY_PIECE and "whole" not in blind:
            unit = pieces
        after, why, remaining = earliest(item, flights, placed, stayed, blind), None, pieces
        if not letter_of(item, world, blind):
            why = "foreign"
        elif kilos_of(item, unit, world, blind) > max(flight["limit"] for flight in flights):
            why = "heavy"
        elif after is None:
            why = "waits"
        while remaining and not why:
            at = next(
                (
                    at
                    for at, flight in enumerate(flights)
                    if allowed(flight, item, unit, world, blind, after)
                    and flight["load"] + in_net(item, unit, flight, world, blind) <= flight["limit"]
                ),
                None,
            )
            if at is None:
                why = reason_to_stay(item, unit, flights, world, blind)
                continue
            put(flights[at], item, unit, world, blind)
            rows[at + 1, item.no] = rows.get((at + 1, item.no), 0) + unit
            placed.add((item.role, at))
            remaining -= unit
        if remaining:
            left.append((item.no, remaining, why))
            stayed.add(item.role)
    kilos = {item.no: lambda n, item=item: kilos_of(item, n, world, blind) for item in items}
    table = tuple(sorted((at, no, n, kilos[no](n)) for (at, no), n in rows.items()))
    shown = tuple((clock(f["takeoff"]), f["limit"], f["who"], f["load"]) for f in flights)
    return {
        "rows": table,
        "left": tuple(sorted(left)),
        "flights": shown,
        "kg": (sum(row[3] for row in table), sum(kilos[no](n) for no, n, _ in left)),
    }


# ---------------------------------------------------------------- drawing a world


def draw_items(rng, pallet, offset):
    numbers = sorted(rng.sample(range(201, 290), len(FREIGHT)))
    rng.shuffle(numbers)
    for no, (role, what, kind, letter, by, supplier, count, tenths) in zip(numbers, FREIGHT):
        pieces, each = rng.randint(*count), rng.randint(*tenths)
        item = Item(role, no, what, kind, by, supplier, letter, letter, pieces, pieces, pieces, each, each)
        yield weighed(rng, changed(rng, item), pallet, offset)


def changed(rng, item):
    """What suppliers, the cook and the committee have changed since the list was closed."""
    if item.role in ("diesel", "petrol"):
        each = full_litres(item, 20)
        return replace(item, litres=20, each=each, listed_each=each)
    if item.role == "kegs":
        now = item.pieces + rng.randint(3, 4)
        item = replace(item, litres=50, pieces=now, told_pieces=now)
        return replace(item, each=full_litres(item, 30), listed_each=full_litres(item, 50))
    if item.role == "timber":
        return replace(item, each=item.each + rng.randint(22, 41))
    if item.role == "battery":
        now = item.pieces + 1
        return replace(item, pieces=now, told_pieces=now, each=item.each - rng.randint(18, 37))
    if item.role == "lemonade":
        return replace(item, pieces=item.pieces - rng.randint(3, 5))
    if item.role == "potatoes":
        return replace(item, pieces=item.pieces - rng.randint(2, 3))
    if item.by == "guest":
        return replace(item, listed_letter="-")
    if item.role in ("starter", "mast", "hooks"):
        return replace(item, letter={"starter": "A", "mast": "A", "hooks": "B"}[item.role])
    return item


def weighed(rng, item, pallet, offset):
    when = WEIGHED.get(item.role or item.what)
    if not when:
        return item
    really = item.listed_each if item.role == "kegs" else item.each + rng.choice((-17, -13, 14, 19, 24))
    gross = (item.listed_pieces * really + 5) // 10 + pallet + (offset if when == "early" else 0)
    return replace(item, slip=(when, item.listed_pieces, gross))


def draw_world(rng):
    pallet, offset = rng.randint(21, 27), rng.randint(5, 9)
    m2 = rng.randint(59, 62) * 10
    step = rng.randint(12, 14)
    pause = 2 * step + rng.randint(0, 2)
    cold = [rng.randint(3, 5)]
    for _ in HOURS[1:]:
        cold.append(cold[-1] + rng.randint(2, 3))
    first = 7 * 60 + rng.randint(2, 12)
    return World(
        items=tuple(draw_items(rng, pallet, offset)),
        names={role: rng.choice(names) for role, names in NAMES.items()},
        times={
            "offer": (first - 40, first + 70),
            "june4": (first - 25, first + 95),
            "june8": (first, first + 5 * step + 2 * pause + rng.randint(1, step - 2)),
        },
        step=step,
        pause=pause,
        lift={"M2": tuple(m2 - 28 * n for n in range(4)), "M3": tuple(m2 + 210 - 35 * n for n in range(4))},
        bounds=(5, 8, 11),
        burn={"M2": rng.randint(14, 18), "M3": rng.randint(21, 24)},
        nets={"net": 34, "net12": 38, "net14": 43, "net15": 52},
        seat=98,
        crate=27,
        pallet=pallet,
        offset=offset,
        temperature={
            ("8", "hut"): cold,
            ("8", "valley"): [t + rng.randint(5, 6) for t in cold],
            ("7", "hut"): [t - rng.randint(3, 4) for t in cold],
            ("7", "valley"): [t + rng.randint(2, 3) for t in cold],
        },
        ready={"electrician": first + rng.randint(34, 60), "helper": first + rng.randint(72, 90)},
        own_weight={"electrician": rng.randint(74, 88), "helper": rng.randint(58, 70)},
        van=(first - 30, first + rng.randint(30, 47)),
        pack=25,
        wishes={"again": rng.choice(("pans", "tank"))},
    )


def sound(world):
    """Whether the world is one that the task wants: every reason occurs, every blind spot shows."""
    if sum(flight["who"] is not None for flight in rotations(world, frozenset())) != 2:
        return False
    right = answer(world)
    if {why for _, _, why in right["left"]} != {"foreign", "heavy", "waits", "barred", "full"}:
        return False
    if (
        len(right["left"]) < 8 or answer(world, frozenset(("bare",))) != right
    ):  # whether a crate counts may not matter there
        return False
    return all(answer(world, frozenset((spot,))) != right for spot in BLIND)


# ---------------------------------------------------------------- the papers


def pick(world, *roles):
    return [item for role in roles for item in world.items if item.role == role]


def numbers(items):
    names = [f"No. {item.no}" for item in sorted(items, key=lambda item: item.no)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def each_in_list(item):
    return f"{item.litres} l" if item.litres else f"{decimal(item.listed_each)} kg"


def remark(world, item):
    words = ["bulky"] if item.role in BULKY else []
    if item.role in ("frames", "trays"):
        pre = pick(world, {"frames": "hooks", "trays": "oven"}[item.role])[0]
        words.append(f"after {pre.no}")
    if item.role == "battery":
        words.append(f"after {world.names['electrician'].split()[-1]}")
    words += {"pans": ["fragile"], "petrol": ["for the chainsaw"], "hunters": ["see minutes"]}.get(item.role, [])
    words += ["see minutes"] if item.role == "sonnleiten" else []
    return ", ".join(words)


def supply_list(world, old=False):
    lines = ["No;What;Pieces;Each;Kind;Letter;By;From;Remark"]
    for item in sorted(world.items, key=lambda item: item.no):
        pieces = item.listed_pieces - (1 if old and item.role == "" else 0)
        cells = (item.no, item.what, pieces, each_in_list(item), item.kind, item.listed_letter, item.by, item.supplier)
        lines.append(";".join(map(str, (*cells, remark(world, item)))))
    return ("\r\n".join(lines) + "\r\n").encode("cp1252")


def scale(rng, world):
    lines = ["CAR PARK SCALE            what            kg shown", ""]
    minute = {"early": 9 * 60 + 5, "late": 13 * 60 + 20}
    for when, day in (("early", "Sat 5 June"), ("late", "Mon 7 June")):
        for item in world.items:
            if item.slip and item.slip[0] == when:
                minute[when] += rng.randint(6, 17)
                _, pieces, gross = item.slip
                lines.append(f"{day}  {clock(minute[when])}   No. {item.no}   {pieces:2} pieces   {gross:4}")
        lines.append("")
    return "\n".join(lines)


def kaspar(world):
    return f"""Annamirl,

the slips are copied into scale.txt, one line each, always all pieces of a number at once, standing on the pallet. The pallet alone is {world.pallet} kg.

On Monday at noon I saw that the scale shows {world.offset} kg with nothing on it. I have set it to zero then. So take {world.offset} off whatever I weighed before that, and nothing off what came after.

What I have not weighed I have not weighed; my back.

Kaspar
"""


def mail(sender, day, hour, subject, body):
    return f"From: {sender}\nTo: Annamirl Tschander\nSent: {day} June 2027, {hour}\nSubject: {subject}\n\n{body}\n"


def cook_mails(world):
    cook = world.names["cook"]
    (potatoes,), (lemonade,), frozen = pick(world, "potatoes"), pick(world, "lemonade"), pick(world, "frozen")
    starter = pick(world, "starter")[0]
    fewer = potatoes.listed_pieces - potatoes.pieces
    yield (
        "06-02 kitchen",
        mail(
            f"{cook} (cook)",
            "Wed 2",
            "21:14",
            "less of two things",
            f"Annamirl, nobody drank the lemonade last year: please cancel No. {lemonade.no}. And {fewer} pieces fewer of "
            f"No. {potatoes.no}, the cellar is small. The rest I need as it is.",
        ),
    )
    yield (
        "06-06 kitchen again",
        mail(
            f"{cook} (cook)",
            "Sun 6",
            "08:40",
            "lemonade, and the freezers",
            f"The children's camp wants lemonade after all. So No. {lemonade.no} is not cancelled, but {lemonade.pieces} "
            f"pieces will do.\n\nOne more thing. The freezers run only once the generator has its new starter (No. {starter.no}), "
            f"and in the snow it all goes soggy. So {numbers(frozen)} have to fly after No. {starter.no}.",
        ),
    )


def chair_mails(world):
    chair = world.names["chair"]
    again = pick(world, world.wishes["again"])[0]
    hooks, up = pick(world, "hooks")[0], [*pick(world, "starter", "mast"), again]
    yield (
        "06-03 chair",
        mail(
            f"{chair} (chair)",
            "Thu 3",
            "19:30",
            "letters",
            f"Dear Annamirl, I have been through your list. Please give {numbers(up)} the letter A, and No. {hooks.no} the "
            "letter B. Everything else can keep its letter.",
        ),
    )
    yield (
        "06-05 chair",
        mail(
            f"{chair} (chair)",
            "Sat 5",
            "11:02",
            "Re: letters",
            f"I was too quick with No. {again.no}. It keeps the letter it has in your list. The other three stand.",
        ),
    )


def supplier_mails(world):
    (kegs,), (timber,), (battery,) = pick(world, "kegs"), pick(world, "timber"), pick(world, "battery")
    yield (
        "06-04 Elektro Laub",
        mail(
            "Elektro Laub",
            "Fri 4",
            "16:20",
            "your batteries",
            f"Dear Ms Tschander, your lithium batteries (No. {battery.no}) come in smaller cases this year. You get "
            f"{battery.pieces} pieces, and one weighs {decimal(battery.each)} kg. The power is the same.",
        ),
    )
    yield (
        "06-07 Kettenbräu",
        mail(
            "Kettenbräu brewery",
            "Mon 7",
            "18:10",
            "kegs",
            f"Servus, the big kegs that stood on your scale on Saturday have gone back to us, the seals were leaking. For "
            f"No. {kegs.no} you now get {kegs.pieces} pieces of 30 l. They are at the car park already.",
        ),
    )
    yield (
        "06-08 Holz Amrain",
        mail(
            "Holz Amrain, sawmill",
            "Tue 8",
            "09:15",
            "wet beams",
            f"The beams (No. {timber.no}) lay in the rain over Sunday. One weighs {decimal(timber.each)} kg now, we have put "
            f"one on our scale. The number stays.\n\nBy the way, the brewery's driver told me that you only get "
            f"{kegs.pieces - 3} pieces of No. {kegs.no}. So there is room for wood, ha.",
        ),
    )


def morning_mails(world):
    fresh = pick(world, "fresh")
    yield (
        "06-01 Sennerei",
        mail(
            "Sennerei Laub",
            "Tue 1",
            "10:05",
            "your order",
            f"{numbers(fresh)} come fresh on the morning of the flight. Our van is at the car park at {clock(world.van[0])}.",
        ),
    )
    yield (
        "06-08 Sennerei",
        mail(
            "Sennerei Laub",
            "Tue 8",
            "12:50",
            "later tomorrow",
            "We are one driver short, I am sorry. With everything for your hut the van is at the car park at "
            f"{clock(world.van[1])} tomorrow, not sooner.",
        ),
    )
    for role, day, hour, extra in (
        ("electrician", "Sun 6", "20:11", "my tools are up there, I bring only the meter"),
        ("helper", "Mon 7", "17:33", "I come with the early bus, and I am looking forward to the dishes"),
    ):
        yield (
            f"06-0{day[-1]} {role}",
            mail(
                world.names[role],
                day,
                hour,
                "Wednesday",
                f"I fly up with you on Wednesday, as we said; {extra}. I can be at the car park at "
                f"{clock(world.ready[role])}. I weigh {world.own_weight[role]} kg with everything, if that helps.",
            ),
        )


def firm_mails(world):
    who = f"{world.names['dispatcher']} (Dohlenflug, dispatch)"
    first, last = world.times["june4"]
    yield (
        "06-04 Dohlenflug",
        mail(
            who,
            "Fri 4",
            "14:45",
            "9 June",
            f"Another hut has cancelled, so we can give you a later slot with softer light. First take-off {clock(first)}, no "
            f"take-off after {clock(last)}. Machine and intervals as confirmed.",
        ),
    )
    first, last = world.times["june8"]
    yield (
        "06-08 Dohlenflug",
        mail(
            who,
            "Tue 8",
            "15:20",
            "9 June, machine",
            f"Our M3 is in the workshop with a gearbox warning, so the M2 comes tomorrow. It has to fetch hay first: first "
            f"take-off {clock(first)}, no take-off after {clock(last)}. Intervals and refuelling stay as confirmed.",
        ),
    )


def other_mails(world):
    tents, gas = pick(world, "tents")[0], pick(world, "gas2")[0]
    yield (
        "06-05 scouts",
        mail(
            f"{world.names['scouts']} (scouts)",
            "Sat 5",
            "22:58",
            "our things",
            f"Hi Annamirl, we sleep outside from the first night on, so No. {tents.no} and No. {gas.no} are letter A for us. "
            "Please put them there. See you at half past four!",
        ),
    )
    yield (
        "06-05 yearbook",
        mail(
            "Yearbook of the huts",
            "Sat 5",
            "07:00",
            "Your photo",
            "Dear wardens, entries for the yearbook close on 30 June. Pictures with people are preferred to pictures with clouds.",
        ),
    )


CONDITIONS = """DOHLENFLUG
Conditions for loads under the hook, 2026

1  Booking. Machine, take-offs and intervals are those of our confirmation, unless our dispatch writes otherwise later.

2  Freight is packed into nets by the customer before take-off. Pilots don't wait.

3  Return flights. What hangs under the machine on its way down is up to the pilot.

4  Lift. In kilos at the hook with full tanks, by the temperature at the upper landing place:

        up to 5    6 to 8    9 to 11    12 and more (degrees)
   M2      {m2}
   M3      {m3}

   It is the forecast that counts, of the last bulletin of Mountain Weather issued before the flying day, for the full hour in which the take-off lies (07:00 for a take-off from 07:00 to 07:59). With every rotation flown since the tanks were last filled the M2 lifts {burn2} kg more, the M3 {burn3} kg more. The tanks are full at the first take-off.

5  Net and line hang on the hook as well: 34 kg together.

6  Not together in one net: gas with fuel, fuel with food, cleaner with food. Food is food, whether it is fresh, frozen or neither.
   Gas bottles, of any size, stand in our crate. It weighs {crate} kg empty and holds six. One crate goes into a net. The machine brings it back, so that there is one for each rotation.

7  Cabin. One passenger a rotation. Each counts as {seat} kg at the hook, whatever he or she weighs. Passengers have to be at the car park 15 minutes before take-off or earlier. While somebody sits in the cabin neither gas nor fuel nor batteries hang under it.

8  Changes to these conditions come as numbered bulletins. Each says for which machines it holds.
"""
BULLETINS = {
    "12": """DOHLENFLUG   Bulletin 12   3 August 2026

Holds for: M2

The M2 has a new line. Section 5: net and line weigh 38 kg together.
""",
    "14": """DOHLENFLUG   Bulletin 14   20 May 2027

1. Holds for: M2
   Steel shackles. Section 5: net and line weigh 43 kg together. Bulletin 12 is withdrawn.

2. Holds for: all machines
   Section 6: batteries do not hang in one net with gas or with fuel any more.
""",
    "15": """DOHLENFLUG   Bulletin 15   1 June 2027

Holds for: M3

Long net. Section 5: net and line weigh 52 kg together.
""",
}
LOADING_ORDER = """LAUBTAL SECTION
Loading order for the flying day of the Hollgrat Hut
Edition 3, decided on 14 November 2025 in place of edition 2

1  The list
The warden closes the list on 31 May. From then on it is changed by mail to the warden, and only like this: whoever supplies something (column From) may change how many pieces come, what a piece weighs and when it gets to the car park. Whoever ordered it (column By) may reduce or cancel it, take that back, and say what it has to fly after. Letters are changed by the chair. A later mail beats an earlier one. Whatever else people write, or write about other people's freight, changes nothing.

2  What a piece weighs
What Kaspar has weighed at the car park counts before list and mails: divide what the pieces weigh together by the number of pieces that he weighed. If the supplier writes after the weighing that something else comes, the mail counts. Where only litres are given, a litre of diesel is 0.84 kg, of petrol 0.75 kg, of beer 1.02 kg; a canister of 20 l adds 1.9 kg, a keg of 30 l 9.6 kg, a keg of 50 l 13.1 kg. The weight of one piece is rounded up to whole kilos before anything is added up.

3  Limit
The limit of a rotation is what the machine lifts at that take-off, less net and line, less its passenger. A gas crate is part of the load in the net.

4  Turns
Letter A comes before B, B before C. Within a letter the heaviest consignment is first, all its pieces taken together as they are to come; of two that weigh the same the smaller number. But something that has to fly after a consignment whose turn is later does not go ahead of it: it gets its turn directly behind that one (if there are several, in the order they would have had).

5  Places
Food of all kinds, gas and fuel go piece by piece; everything else goes undivided, all pieces in one rotation. On its turn each piece, or each undivided consignment, goes into the first rotation that can take it. What has a place keeps it.
A rotation can take it if
  - the load stays within the limit,
  - the firm allows it together with what is in the net and with who is in the cabin,
  - it is the only consignment marked bulky in that net, if it is bulky, and
  - it is not too early for it.

6  Too early
What is brought to the car park only on the morning of the flight can go in rotations that take off 25 minutes or more after that. "After" a number, in a remark or a mail, means: in a later rotation than the last piece of that number. "After" a person: in a later rotation than the one in which that person sits.

7  Passengers
sit in the first rotation that leaves them the time the firm asks for.

8  What stays behind
The reason is the first of these words that is true:
  foreign  it is the freight of others, and the committee has not agreed to take it this year (where it has, the minutes give it a letter)
  heavy    a piece, or the whole of what goes undivided, is more than the highest limit of the day
  waits    it has to fly after something of which a piece has stayed behind; then none of it flies
  barred   on its turn one of the rotations still had the kilos for it (for one more piece), but something else stood against it
  full     none of them had
"""
EDITION_2 = """LAUBTAL SECTION
Loading order for the flying day of the Hollgrat Hut
Edition 2, decided on 9 November 2018

1  The list is closed on 31 May. The warden may change it.
2  Weights are those of the list. Litres count as kilos. Totals are rounded to whole kilos.
3  Letter A comes before B, B before C. Within a letter the order is that of the list.
4  Everything goes piece by piece into the first rotation that has room for it.
5  What stays behind is carried up by the section's youth, who are fed for it.
"""


def confirmation(world):
    first, last = world.times["offer"]
    return f"""DOHLENFLUG                                    12 May 2027

To the Laubtal Section, for the Hollgrat Hut

We confirm your flying day on Wednesday 9 June 2027, from the car park in Unterlaub to the hut.

Machine                M3
First take-off         {clock(first)}
No take-off after      {clock(last)} (a take-off at that very minute is fine)
Interval               {world.step} minutes from take-off to take-off
Refuelling             after every third rotation; from that take-off to the next it is {world.pause} minutes

Our conditions of 2026 apply, with all bulletins. There are as many rotations as these times allow.
"""


def weather(world, issue, weekday):
    rows = [
        ("Unterlaub 1,120 m", world.temperature[issue, "valley"]),
        ("Hollgrat Hut 2,486 m", world.temperature[issue, "hut"]),
    ]
    lines = [
        f"MOUNTAIN WEATHER   Hollgrat massif   issued {weekday} {issue} June 2027, 17:00",
        "",
        "Wednesday 9 June, degrees",
    ]
    lines.append(" " * 24 + "".join(f"{hour:02d}:00  " for hour in HOURS))
    lines += [f"{name:24}" + "".join(f"{degrees:5}  " for degrees in values) for name, values in rows]
    wind = {"7": "Wind weak from the north-west, snowfall line 1,900 m.", "8": "Mild and calm, first cumulus at ten."}
    return "\n".join([*lines, "", wind[issue]]) + "\n"


def minutes(year):
    if year == 2026:
        return """LAUBTAL SECTION, hut committee, 7 March 2026

3. Freight of others on the flying day. The Sonnleiten Hut is taken along with letter C. So are the hunters.
4. The roof leaks above bunk 14. Postponed.
"""
    return """LAUBTAL SECTION, hut committee, 20 February 2027

2. The roof still leaks above bunk 14. Hooks and rails for the solar frames are ordered, the roof comes with them.
5. Freight of others on the flying day, for this year. The Sonnleiten Hut: agreed, letter C. The hunters left us with the bill last summer; they can carry their salt themselves.
6. New blankets: agreed.
"""


def last_year(rng):
    rows = [
        f"{at},{rng.randint(101, 140)},{rng.randint(1, 9)},{rng.randint(20, 190)}"
        for at in range(1, 7)
        for _ in range(3)
    ]
    return "\n".join(["rotation,no,pieces,kg", *rows]) + "\n"


def files_of(rng, world):
    conditions = CONDITIONS.format(
        m2="        ".join(map(str, world.lift["M2"])),
        m3="        ".join(map(str, world.lift["M3"])),
        burn2=world.burn["M2"],
        burn3=world.burn["M3"],
        crate=world.crate,
        seat=world.seat,
    )
    sources = (cook_mails, chair_mails, supplier_mails, morning_mails, firm_mails, other_mails)
    files = {f"mail/{name}.txt": text for source in sources for name, text in source(world)}
    files |= {f"flight/bulletin-{number}.txt": text for number, text in BULLETINS.items()}
    files |= {
        "supplies/list-2027-05-31.csv": supply_list(world),
        "supplies/list-2027-05-09.csv": supply_list(world, old=True),
        "section/loading-order-ed3.txt": LOADING_ORDER,
        "section/loading-order-ed2.txt": EDITION_2,
        "section/minutes-2026-03-07.txt": minutes(2026),
        "section/minutes-2027-02-20.txt": minutes(2027),
        "flight/conditions-2026.txt": conditions,
        "flight/confirmation-2027-05-12.txt": confirmation(world),
        "weather/issued-06-07.txt": weather(world, "7", "Mon"),
        "weather/issued-06-08.txt": weather(world, "8", "Tue"),
        "car-park/scale.txt": scale(rng, world),
        "car-park/kaspar.txt": kaspar(world),
        "hut/going-down.txt": f"Empty kegs {rng.randint(5, 9)}, barrels from the drain {rng.randint(3, 6)}, one bunk (bent).\n"
        "The pilot takes what he likes on the way down.\n",
        "hut/snow.txt": f"Terrace: {rng.randint(110, 170)} cm on 3 June. Landing place is free, two flags out.\n",
        "last-year/plan-2026.csv": last_year(rng),
    }
    return {name: text if isinstance(text, bytes) else text.encode() for name, text in files.items()}


def leaks(world, files):
    """Whether a total of the answer happens to stand in a file."""
    text = "\n".join(content.decode("cp1252", "replace") for content in files.values())
    return any(re.search(rf"(?<![\w.,]){kg}(?![\w]|[.,]\d)", text) for kg in answer(world)["kg"])


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
