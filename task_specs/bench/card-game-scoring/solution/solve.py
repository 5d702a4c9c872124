"""The oracle: reads the figures that hold out of the papers and writes the three modules."""

import csv
import email
import email.policy
import re
import sys
from pathlib import Path

NUMBERS = "no one two three four five six seven eight nine ten".split()

SHELF = '''"""One shelf at the end of a season."""

PRESERVES = "{preserves}"
HELPERS = {helpers}
MOST_CARDS = {most}
AUNT = "{aunt}"
ROWS = {rows}
PENALTY = {penalty}
TWIN_CAP = {cap}
CAT_REACH = {reach}
SUMMER, WINTER = 2, 3
JARS = [f"{{letter}}{{number}}" for letter in PRESERVES for number in range(1, 13)]


def check(shelves):
    """Refuse what the cards of one box cannot give."""
    left = dict.fromkeys(JARS, 1) | HELPERS
    for shelf in shelves:
        if len(shelf) > MOST_CARDS:
            raise ValueError("a shelf has too many cards")
        for card in shelf:
            if left.get(card, 0) < 1:
                raise ValueError(f"there is no {{card}} left in the box")
            left[card] -= 1


def is_jar(card):
    return card not in HELPERS


def number_of(jar):
    return int(jar[1:])


def nearby(cards, place):
    """The places of the neighbours, left before right."""
    return [p for p in (place - 1, place + 1) if 0 <= p < len(cards)]


def unchased(shelf):
    """The cards that are left when cats have chased wasps."""
    chased = {{
        place
        for place, card in enumerate(shelf)
        if card == "WASP" and any(shelf[p] == "CAT" for p in nearby(shelf, place))
    }}
    return [card for place, card in enumerate(shelf) if place not in chased]


def waxed(cards):
    """The places of the jars that wax protects."""
    safe = set()
    for place, card in enumerate(cards):
        if card == "WAX":
            jars = [p for p in nearby(cards, place) if is_jar(cards[p])]
{wax}
    return safe


def spoilt_places(cards):
    stung = {{p for place, card in enumerate(cards) if card == "WASP" for p in nearby(cards, place) if is_jar(cards[p])}}
    return stung - waxed(cards)


def settled(shelf):
    """The shelf after cats, wasps and cloths: a list of (card, spoilt, covered)."""
    cards = unchased(shelf)
    spoilt = spoilt_places(cards)
    line = []
    for place, card in enumerate(cards):
        if card == "CLOTH" and place and is_jar(cards[place - 1]):
            line[-1] = (*line[-1][:2], True)
        else:
            line.append((card, place in spoilt, False))
    return line


def row_points(length):
    if length < 2:
        return 0
    return ROWS[length] if length <= 5 else ROWS[5] + (length - 5) * ROWS["more"]


def find_rows(faces):
    """Rows as lists of places; a face is None where something separates."""
    rows = []
    for place, face in enumerate(faces):
        before = faces[place - 1] if place else None
        if face and before and before[0] == face[0] and before[1] < face[1]:
            rows[-1].append(place)
        elif face:
            rows.append([place])
    return rows


def find_twins(line, busy):
    """The numbers of the twins, from the door on."""
    can = [is_jar(card) and not spoilt and not covered for card, spoilt, covered in line]
    twins, last = [], -1
    for place in range(1, len(line)):
        pair = (place - 1, place)
        if last in pair or not all(can[p] and p not in busy for p in pair):
            continue
        if number_of(line[place - 1][0]) == number_of(line[place][0]):
            twins.append(number_of(line[place][0]))
            last = place
    return twins


def rows_and_twins(line, faces, season):
    rows = find_rows(faces)
    busy = {{place for row in rows if len(row) >= 3 for place in row}}
    twins = sum(min(number, TWIN_CAP) for number in find_twins(line, busy))
    return sum(row_points(len(row)) for row in rows), twins * (2 if season == WINTER else 1)


def best_rows_and_twins(line, season):
    """What rows and twins score when the aunt's jar is taken for what is best."""
    faces = [(c[0], number_of(c)) if is_jar(c) and not spoilt else None for c, spoilt, _ in line]
    choices = [faces]
    if (AUNT, False, False) in line:
        place = line.index((AUNT, False, False))
        choices = [[*faces[:place], (jar[0], number_of(jar)), *faces[place + 1 :]] for jar in JARS]
    points = [rows_and_twins(line, choice, season) for choice in choices]
    return max(points, key=lambda pair: (sum(pair), pair[0]))


def cats_eyes(line):
    seen = []
    for place, (card, _, _) in enumerate(line):
        if card == "CAT":
            for step in (-1, 1):
                seen += view(line, place, step)
    return sum(seen.count(place) == 1 for place in set(seen))


def view(line, place, step):
    """The places that a cat sees on one side."""
    found = []
    while len(found) < CAT_REACH:
        place += step
        if not 0 <= place < len(line) or not is_jar(line[place][0]) or line[place][1]:
            break
        found.append(place)
    return found


def score(shelf, season):
    check([shelf])
    line = settled(shelf)
    rows, twins = best_rows_and_twins(line, season)
    cats = cats_eyes(line)
    wasps = -sum(spoilt for _, spoilt, _ in line) * (PENALTY + (season == SUMMER))
    return {{"rows": rows, "twins": twins, "cats": cats, "wasps": wasps, "total": rows + twins + cats + wasps}}
'''
WAX = {
    "one": "            safe.update(sorted(jars, key=lambda p: (number_of(cards[p]), p))[-1:])",
    "both": "            safe.update(jars)",
}
MARKET = '''"""The prizes of one season."""

from tally.shelf import PRESERVES, WINTER, check, settled

FIRST, SECOND = {first}, {second}
LATE = "{late}"


def prizes(shelves, season):
    check(shelves)
    lines = [settled(shelf) for shelf in shelves]
    points = [0] * len(shelves)
    for preserve in PRESERVES:
        if preserve != LATE or season == WINTER:
            counts = [stock(line, preserve) for line in lines]
            points = [sum(pair) for pair in zip(points, awards(counts))]
    return points


def stock(line, preserve):
    """How many jars of it a player brings."""
    return sum(1 + covered for card, spoilt, covered in line if card[0] == preserve and card[1:].isdigit() and not spoilt)


def with_count(counts, wanted):
    return [player for player, count in enumerate(counts) if count == wanted]


def awards(counts):
    """The prizes for one preserve, by player."""
    points = [0] * len(counts)
    most = max(counts, default=0)
    if most == 0:
        return points
    second = SECOND if len(counts) > 2 else 0
    winners = with_count(counts, most)
    if len(winners) > 1:
        share_out(points, winners, FIRST + second)
        return points
    share_out(points, winners, FIRST)
    next_most = max(count for count in counts if count != most)
    if next_most:
        share_out(points, with_count(counts, next_most), second)
    return points


def share_out(points, players, prize):
    for player in players:
        points[player] += prize // len(players)
'''
GAME = '''"""The whole game."""

from tally.market import prizes
from tally.shelf import WINTER, score, unchased


def standings(game):
    first = WINTER + 1 - len(game["seasons"])
    points = [season_points(shelves, first + n) for n, shelves in enumerate(game["seasons"])]
    table = []
    for seat, name in enumerate(game["players"]):
        own = [season[seat] for season in points]
        table.append({{"player": name, "seasons": own, "total": sum(own)}})
    ranks = [merit(row, wasps_kept(game, seat)) for seat, row in enumerate(table)]
    for row, rank in zip(table, ranks):
        row["place"] = 1 + sum(other > rank for other in ranks)
    return sorted(table, key=lambda row: row["place"])


def season_points(shelves, season):
    """Shelf and prizes of each player, never less than nothing."""
    won = prizes(shelves, season)
    return [max(0, score(shelf, season)["total"] + prize) for shelf, prize in zip(shelves, won)]


def wasps_kept(game, seat):
    return sum(unchased(shelves[seat]).count("WASP") for shelves in game["seasons"])


def merit(row, wasps):
    """The more the better."""
    return row["total"], -wasps, row["seasons"][-1]
'''


def plain(raw, codec="utf-8"):
    return " ".join(raw.decode(codec).split())


def statuses(ws):
    """Number of a ruling -> what has become of it."""
    rows = csv.DictReader((ws / "rulings/register.tsv").read_text("utf-8").splitlines(), delimiter="\t")
    return {row["number"]: row["status"] for row in rows}


def in_force(status):
    return status == "adopted"


def ruled(ws):
    """The texts of the rulings that are rules, one after the other, latest first."""
    status, found = statuses(ws), []
    for path in sorted((ws / "rulings/mail").iterdir(), reverse=True):
        number = re.search(r"R-\d+", path.name)
        if number and in_force(status[number[0]]):
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            found.append(" ".join(message.get_content().split()))
    return " ".join(found)


def number(pattern, text):
    return int(re.search(pattern, text)[1])


def box_of(book, sheet):
    names = {"WASP": "wasps", "CLOTH": "cloths", "WAX": "waxes", "CAT": "cats"}
    found = {code: number(rf"(\d+) {name}", book) for code, name in names.items()}
    return found | {"CLOTH": number(r"box holds (\d+) cloths", sheet)}


def row_table(text):
    table = {length: number(rf"{NUMBERS[length]}(?: jars(?: in a row score)?)? (\d+)", text) for length in range(2, 6)}
    return table | {"more": number(r"every further one (\d+) more", text)}


def facts_of(ws):
    """Everything that differs from printing to printing."""
    book = plain((ws / "book/larder-lane-2nd-edition.md").read_bytes())
    sheet = plain((ws / "book/errata-2027-03.txt").read_bytes(), "cp1252")
    rulings = ruled(ws)
    preserves = re.search(r"\(([^)]*)\), each numbered", book)[1].split(", ")
    aunt, aunt_number = re.search(r"'s jar\*\* is (\w+) (\d+)", book).groups()
    first, second = re.search(r"its prizes: (\d+) points .*? (\d+) for the one", book).groups()
    return {
        "preserves": "".join(name[0] for name in preserves),
        "helpers": box_of(book, sheet),
        "most": number(r"nobody has more than (\d+)", book),
        "aunt": aunt[0] + aunt_number,
        "rows": row_table(sheet.partition("Points for rows:")[2]),
        "penalty": number(r"spoilt jar costs (\d+)", sheet),
        "cap": number(r"No twin scores more than (\d+)", rulings),
        "reach": NUMBERS.index(re.search(r"(\w+) jars each way", rulings)[1]),
        "wax": "one" if "protects ONE jar" in rulings else "both",
        "first": int(first),
        "second": int(second),
        "late": re.search(r"(\w+) is late", book)[1][0],
    }


def modules(facts):
    """Path -> source."""
    shelf = SHELF.format(**{**facts, "wax": WAX[facts["wax"]]})
    return {"tally/shelf.py": shelf, "tally/market.py": MARKET.format(**facts), "tally/game.py": GAME.format()}


def write(ws, sources):
    for name, text in sources.items():
        (ws / name).write_bytes(text.encode())


def changed(sources, changes):
    """The same with (path, old, new) replaced; each stands there once."""
    for path, old, new in changes:
        if sources[path].count(old) != 1:
            raise LookupError(f"{path} has {sources[path].count(old)} places for {old!r}")
        sources[path] = sources[path].replace(old, new)
    return sources


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, modules(facts_of(workspace)))
