"""A third hand: a shelf is spelt as a string of letters and read with regular expressions; every module stands alone."""

import runpy
import sys
from pathlib import Path

COMMON = '''"""Larder Lane, spelt out."""
import itertools
import re

F = {facts!r}
BOX = {{**F["helpers"], **{{p + str(n): 1 for p in F["preserves"] for n in range(1, 13)}}}}
SHORT = {{"WASP": "w", "CLOTH": "c", "WAX": "x", "CAT": "k"}}


def spell(shelves):
    """Each shelf as a string with one sign a card (jars are J), and the jars apart."""
    cards = list(itertools.chain(*shelves))
    if any(cards.count(card) > BOX.get(card, 0) for card in cards) or any(len(shelf) > F["most"] for shelf in shelves):
        raise ValueError("this does not come out of one box")
    return [("".join(SHORT.get(card, "J") for card in shelf), [c for c in shelf if c not in SHORT]) for shelf in shelves]


def lay(signs, jars):
    """Signs after cats, wasps and cloths: J sound, C covered, S spoilt."""
    signs = re.sub("(?<=k)w|w(?=k)", "", signs)
    at = [m.start() for m in re.finditer("J", signs)]
    number = {{place: int(jar[1:]) for place, jar in zip(at, jars)}}
    safe = set()
    for m in re.finditer("x", signs):
        pair = [p for p in (m.start() - 1, m.start() + 1) if p in number]
        safe |= set(pair if F["wax"] == "both" else sorted(pair, key=lambda p: (-number[p], -p))[:1])
    stung = {{m.start() for m in re.finditer("J(?=w)|(?<=w)J", signs)}} - safe
    signs = "".join("S" if place in stung else sign for place, sign in enumerate(signs))
    return signs.replace("Jc", "C").replace("Sc", "S")

'''
SHELF = """
def rows_of(line):
    lengths = [1]
    for (sign, face), (_, before) in zip(line[1:], line):
        rising = face and before and face[0] == before[0] and face[1] > before[1]
        lengths.append(lengths[-1] + 1 if rising else 1)
    return [n if nxt == 1 else 0 for n, nxt in zip(lengths, [*lengths[1:], 1])]


def worth(n):
    return F["rows"][min(n, 5)] + F["rows"]["more"] * max(n - 5, 0) if n > 1 else 0


def value(signs, faces, printed, season):
    line = list(zip(signs, faces))
    ends = rows_of(line)
    rows = sum(worth(n) for n, face in zip(ends, faces) if face)
    free = list(signs)
    for place, n in enumerate(ends):
        if n > 2:
            free[place - n + 1 : place + 1] = "-" * n
    twins, place = 0, 0
    while place < len(free) - 1:
        if free[place] == free[place + 1] == "J" and printed[place][1] == printed[place + 1][1]:
            twins += min(printed[place][1], F["cap"]) * (2 if season == 3 else 1)
            place += 2
        else:
            place += 1
    return rows + twins, rows, twins


def score(shelf, season):
    ((signs, jars),) = spell([shelf])
    signs = lay(signs, jars)
    todo = iter(jars)
    printed = [(lambda jar: (jar[0], int(jar[1:])))(next(todo)) if sign in "JCS" else None for sign in signs]
    faces = [face if sign in "JC" else None for sign, face in zip(signs, printed)]
    options = [faces]
    for place, face in enumerate(faces):
        if face and signs[place] == "J" and f"{{face[0]}}{{face[1]}}" == F["aunt"]:
            options += [faces[:place] + [(p, n)] + faces[place + 1 :] for p in F["preserves"] for n in range(1, 13)]
    _, rows, twins = max(value(signs, option, printed, season) for option in options)
    seen = []
    for cat in re.finditer("k", signs):
        ahead, behind = (re.match("[JC]*", part)[0][: F["reach"]] for part in (signs[cat.end() :], signs[: cat.start()][::-1]))
        seen += [*range(cat.end(), cat.end() + len(ahead)), *range(cat.start() - len(behind), cat.start())]
    cats = sum(1 for place in seen if seen.count(place) < 2)
    wasps = 0 - signs.count("S") * (F["penalty"] + 1 if season == 2 else F["penalty"])
    return dict(rows=rows, twins=twins, cats=cats, wasps=wasps, total=rows + twins + cats + wasps)
"""
MARKET = """
def prizes(shelves, season):
    brought = []
    for signs, jars in spell(shelves):
        kinds = zip(re.sub("[^JCS]", "", lay(signs, jars)), jars)
        brought.append("".join(jar[0] * {{"J": 1, "C": 2, "S": 0}}[sign] for sign, jar in kinds))
    won = [0] * len(shelves)
    for p in F["preserves"].replace(F["late"] if season != 3 else "-", ""):
        counts = [jars.count(p) for jars in brought]
        first, *others = sorted({{0, *counts}}, reverse=True)
        top = [s for s, n in enumerate(counts) if n == first > 0]
        runners = [s for s, n in enumerate(counts) if others and n == others[0] > 0]
        second = F["second"] if len(shelves) >= 3 else 0
        if len(top) > 1:
            runners, share = [], (F["first"] + second) // len(top)
        else:
            share = F["first"]
        for s in top:
            won[s] += share
        for s in runners:
            won[s] += second // len(runners)
    return won
"""
GAME = '''"""The end of the game."""
import re

from tally import market, shelf


def standings(game):
    lines = []
    offset = 3 - len(game["seasons"])
    for seat, name in enumerate(game["players"]):
        points, stayed = [], 0
        for index, shelves in enumerate(game["seasons"], start=1 + offset):
            points.append(max([0, shelf.score(shelves[seat], index)["total"] + market.prizes(shelves, index)[seat]]))
            signs = shelf.spell([shelves[seat]])[0][0]
            stayed += len(re.findall("(?<!k)w(?!k)", signs))
        lines.append(((-sum(points), stayed, -points[-1]), seat, name, points))
    lines.sort(key=lambda line: line[:2])
    keys = [line[0] for line in lines]
    return [
        {{"place": keys.index(key) + 1, "player": name, "total": sum(points), "seasons": points}}
        for key, _, name, points in lines
    ]
'''

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
oracle = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
facts = oracle["facts_of"](ws)
common = COMMON.format(facts=facts)
shelf = common + SHELF.format()
oracle["write"](
    ws, {"tally/shelf.py": shelf, "tally/market.py": common + MARKET.format(), "tally/game.py": GAME.format()}
)
