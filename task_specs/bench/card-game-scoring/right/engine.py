"""Another hand: everything in one engine of linked objects; two modules only hand it on."""

import runpy
import sys
from pathlib import Path

ENGINE = '''"""Larder Lane as objects: cards that know their neighbours."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Facts:
    preserves: str
    helpers: dict
    most: int
    aunt: str
    rows: dict
    penalty: int
    cap: int
    reach: int
    wax: str
    first: int
    second: int
    late: str


FACTS = Facts(**{facts!r})


@dataclass(eq=False)
class Slot:
    code: str
    left: Slot | None = None
    right: Slot | None = None
    tags: set = field(default_factory=set)

    def __post_init__(self):
        match = re.fullmatch("([A-Z])([0-9]+)", self.code)
        self.kind, self.pips = (match[1], int(match[2])) if match else (None, None)

    @property
    def sound(self):
        return self.kind is not None and "spoilt" not in self.tags

    def sides(self):
        return [slot for slot in (self.left, self.right) if slot]

    def unlink(self):
        for slot, name, other in ((self.left, "right", self.right), (self.right, "left", self.left)):
            if slot:
                setattr(slot, name, other)


class Shelf:
    def __init__(self, codes):
        self.slots = [Slot(code) for code in codes]
        for a, b in zip(self.slots, self.slots[1:]):
            a.right, b.left = b, a
        self.chase()
        self.wax()
        self.sting()
        self.cover()

    def of(self, code):
        return [slot for slot in self.slots if slot.code == code]

    def drop(self, slots):
        for slot in slots:
            slot.unlink()
            self.slots.remove(slot)

    def chase(self):
        self.drop([wasp for wasp in self.of("WASP") if "CAT" in [slot.code for slot in wasp.sides()]])
        self.wasps = len(self.of("WASP"))

    def wax(self):
        for wax in self.of("WAX"):
            jars = [slot for slot in wax.sides() if slot.kind]
            if FACTS.wax == "one" and len(jars) == 2:
                jars = jars[:1] if jars[0].pips > jars[1].pips else jars[1:]
            for jar in jars:
                jar.tags.add("waxed")

    def sting(self):
        for wasp in self.of("WASP"):
            for jar in wasp.sides():
                if jar.kind and "waxed" not in jar.tags:
                    jar.tags.add("spoilt")

    def cover(self):
        used = []
        for cloth in self.of("CLOTH"):
            if cloth.left and cloth.left.kind:
                cloth.left.tags.add("covered")
                used.append(cloth)
        self.drop(used)

    def rows(self, face):
        """Maximal rows; `face` gives kind and number of a slot."""
        row = []
        for slot in self.slots:
            if row and slot.sound and face(row[-1])[0] == face(slot)[0] and face(row[-1])[1] < face(slot)[1]:
                row.append(slot)
                continue
            yield row
            row = [slot] if slot.sound else []
        yield row

    def pair_up(self, blocked):
        slot = self.slots[0] if self.slots else None
        while slot and slot.right:
            a, b = slot, slot.right
            match = a.sound and b.sound and a.pips == b.pips and not (a.tags | b.tags) & {{"covered"}}
            if match and a not in blocked and b not in blocked:
                yield a.pips
                b = b.right
            slot = b

    def points(self, face, winter):
        rows = [row for row in self.rows(face) if row]
        blocked = [slot for row in rows if len(row) > 2 for slot in row]
        twins = sum(min(FACTS.cap, pips) for pips in self.pair_up(blocked))
        return sum(map(row_value, map(len, rows))), twins * (1 + winter)

    def best(self, winter):
        def printed(slot):
            return slot.kind, slot.pips

        found = [self.points(printed, winter)]
        for aunt in self.of(FACTS.aunt):
            for kind in FACTS.preserves if aunt.sound and "covered" not in aunt.tags else "":
                for pips in range(1, 13):
                    found.append(self.points(lambda slot: (kind, pips) if slot is aunt else printed(slot), winter))
        return sorted(found, key=lambda pair: (pair[0] + pair[1], pair[0]))[-1]

    def eyes(self):
        seen = Counter()
        for cat in self.of("CAT"):
            for way in ("left", "right"):
                slot, steps = getattr(cat, way), FACTS.reach
                while slot and slot.sound and steps:
                    seen[id(slot)] += 1
                    slot, steps = getattr(slot, way), steps - 1
        return len([jar for jar, cats in seen.items() if cats == 1])

    def stock(self, kind):
        return sum(2 if "covered" in slot.tags else 1 for slot in self.slots if slot.sound and slot.kind == kind)

    def spoilt(self):
        return len([slot for slot in self.slots if "spoilt" in slot.tags])


def row_value(length):
    extra = max(0, length - 5)
    return FACTS.rows.get(length - extra, 0) + extra * FACTS.rows["more"]


def refuse_impossible(shelves):
    used = Counter(card for shelf in shelves for card in shelf)
    box = FACTS.helpers | {{f"{{kind}}{{pips}}": 1 for kind in FACTS.preserves for pips in range(1, 13)}}
    if any(count > box.get(card, 0) for card, count in used.items()) or any(len(s) > FACTS.most for s in shelves):
        raise ValueError("not from one box")


def score(shelf, season):
    refuse_impossible([shelf])
    laid = Shelf(shelf)
    rows, twins = laid.best(season == 3)
    parts = {{"rows": rows, "twins": twins, "cats": laid.eyes(), "wasps": -laid.spoilt() * (FACTS.penalty + (season == 2))}}
    return {{**parts, "total": sum(parts.values())}}


def prizes(shelves, season):
    refuse_impossible(shelves)
    laid, won = [Shelf(shelf) for shelf in shelves], Counter()
    for kind in FACTS.preserves:
        if kind == FACTS.late and season < 3:
            continue
        groups = {{}}
        for player, shelf in enumerate(laid):
            groups.setdefault(shelf.stock(kind), []).append(player)
        groups.pop(0, None)
        purse = [FACTS.first, FACTS.second if len(shelves) > 2 else 0]
        for count in sorted(groups, reverse=True)[:2]:
            if not purse:
                break
            places = len(purse) if len(groups[count]) > 1 else 1
            pot, purse = sum(purse[:places]), purse[places:]
            won.update(dict.fromkeys(groups[count], pot // len(groups[count])))
    return [won[player] for player in range(len(shelves))]


def standings(game):
    seasons = dict(zip((3, 2, 1), reversed(game["seasons"])))
    rows = [{{"player": name, "seasons": []}} for name in game["players"]]
    kept = [0] * len(rows)
    for number in sorted(seasons):
        for seat, prize in enumerate(prizes(seasons[number], number)):
            shelf = seasons[number][seat]
            rows[seat]["seasons"].append(max(score(shelf, number)["total"] + prize, 0))
            kept[seat] += Shelf(shelf).wasps
    for row in rows:
        row["total"] = sum(row["seasons"])
    order = sorted(range(len(rows)), key=lambda s: (-rows[s]["total"], kept[s], -rows[s]["seasons"][-1], s))
    for position, seat in enumerate(order):
        before = order[position - 1] if position else None
        same = before is not None and all(
            a == b
            for a, b in (
                (rows[seat]["total"], rows[before]["total"]),
                (kept[seat], kept[before]),
                (rows[seat]["seasons"][-1], rows[before]["seasons"][-1]),
            )
        )
        rows[seat]["place"] = rows[before]["place"] if same else position + 1
    return [rows[seat] for seat in order]
'''

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
oracle = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
facts = oracle["facts_of"](ws)
sources = {"tally/shelf.py": ENGINE.format(facts=facts)}
for module, name in (("market", "prizes"), ("game", "standings")):
    sources[f"tally/{module}.py"] = f"from .shelf import {name}\n\n__all__ = [{name!r}]\n"
oracle["write"](ws, sources)
