"""The second derivation: a reader's notes, entry by entry and witness by witness, each looked up again in the files."""

import csv
import re
from datetime import date

# First day: the entry that gives it and as what. Esther (N13) has two entries that fit alike, so none.
FIRST = {
    "N01": ("S-003", "baptism"), "N02": ("T-01", "baptism"), "N03": ("S-009", "baptism"), "N04": ("S-011", "baptism"),
    "N05": ("S-013", "baptism"), "N06": ("S-007", "baptism"), "N07": ("T-04", "baptism"), "N08": ("BT-7", "baptism"),
    "N09": ("S-016", "baptism"), "N10": ("T-12", "birth"), "N11": ("T-11", "birth"), "N12": ("B-2", "birth"),
    "N14": ("S-018", "baptism"),
}  # fmt: skip
# Last day by a burial entry, or by the Friends' entry of the death itself.
BURIED = {
    "N02": "BT-3", "N06": "T-07", "N07": "T-14", "N08": "T-20", "N12": "S-022", "N13": "T-19",
}  # fmt: skip
DIED_IN_REGISTER = {"N04": "B-5"}
# Last day by two independent witnesses (file, words), or by the muster, which is a record of the event.
WITNESSED = {
    "N01": ((1770, 5, 3), ("stones/coates 1868.txt", "died 3 May 1770"), ("letters/1770-05-17 ruth to jane.txt", "the third of this month")),
    "N03": ((1799, 3, 5), ("stones/coates 1868.txt", "died 5 March 1799"), ("letters/1799-03-11 joseph to alice.txt", "Father went on the fifth")),
    "N09": ((1836, 1, 30), ("stones/coates 1868.txt", "died 30 January 1836"), ("cuttings/mercury.txt", "On the 30th ult.")),
    "N11": ((1829, 7, 22), ("stones/coates 1868.txt", "died 22 July 1829"), ("foundry/day book 1829.csv", '1829-07-22,"Mr Tarraby d.')),
    "N14": ((1797, 4, 19), ("navy/muster abstract.txt", "DD 19 Apr 1797")),
}  # fmt: skip
OTHER_OWN = {  # marriages, and burials beside a proved day of death
    "N01": ["T-02", "S-020"], "N02": ["T-02"], "N03": ["BT-4", "S-024"], "N04": ["B-3"], "N05": ["S-017"],
    "N06": ["T-03"], "N07": ["T-08"], "N08": ["S-021"], "N09": ["S-026"], "N12": ["BT-4"], "N13": ["T-08", "T-15"],
}  # fmt: skip
PARENTS = {
    "N03": ("N01", "N02"), "N04": ("N01", "N02"), "N05": ("N01", None), "N07": ("N06", None), "N08": ("N03", "N12"),
    "N09": ("N03", "N12"), "N10": ("N07", "N13"), "N11": ("N07", "N13"), "N14": ("N05", None),
}  # fmt: skip
COPIES_THAT_SAY_NOTHING = ("BT-1", "BT-2", "BT-8")
READ_OTHERWISE = {"S-013": "21"}  # by the corrections
OURS = ("Tarraby", "Tarrabie", "Tarreby", "Tareby")
EVERYBODY = [f"N{n:02d}" for n in range(1, 15)]
JANUARY_IS_MONTH_11 = {11: 1, 12: 2}


def lines_of(workspace):
    """Number -> year as written, month, day, words, from all four registers."""
    found, heading = {}, ""
    for line in (workspace / "registers/sallowby.txt").read_text("utf-8").split("\n"):
        parts = line.split()
        if parts[:1] == ["Anno"]:
            heading = parts[1]
        elif parts and parts[0].startswith("S-"):
            number, _, month, day, *words = parts
            found[number] = (int(heading), month, int(READ_OTHERWISE.get(number, day)), " ".join(words))
    for name, codec in (("sallowby bishop's transcripts.csv", "utf-8-sig"), ("thirl.csv", "cp1252")):
        text = (workspace / "registers" / name).read_bytes().decode(codec)
        for number, year, month, day, _, words in list(csv.reader(text.splitlines(), delimiter=";"))[1:]:
            found[number] = (int(year), month, int(day), words)
    for line in (workspace / "registers/ankerholm friends.txt").read_text("utf-8").split("\n"):
        if line.startswith("B-"):
            number, _, day, _, month, _, year, *words = line.split()
            found[number] = (int(year), int(month), int(day), " ".join(words))
    return found


def month_number(month, year):
    if isinstance(month, int):
        return month if year > 1751 else JANUARY_IS_MONTH_11.get(month, month + 2)
    if month.endswith("ber"):
        return {"7": 9, "8": 10, "9": 11, "X": 12}[month[0]]
    return ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].index(month) + 1


def day_of(entry):
    year, month, day, words = entry
    born = re.search(r"born (\d+) (\w+)", words)
    if born:
        month, day = born[2], int(born[1])
    number = month_number(month, year)
    if year <= 1751 and number * 100 + day < 325:
        year += 1
    return date(year, number, day)


def first_days(lines):
    return {who: (day_of(lines[number]), kind) for who, (number, kind) in FIRST.items()}


def last_days(workspace, lines):
    found = {who: (day_of(lines[number]), "burial") for who, number in BURIED.items()}
    found |= {who: (day_of(lines[number]), "death") for who, number in DIED_IN_REGISTER.items()}
    for who, (day, *witnesses) in WITNESSED.items():
        for name, words in witnesses:
            if words not in (workspace / name).read_bytes().decode("utf-8"):
                raise LookupError(f"{name}: {words}")
        found[who] = (date(*day), "death")
    return found


def own_entries(who):
    once = [FIRST.get(who, ("",))[0], *OTHER_OWN.get(who, []), BURIED.get(who, ""), DIED_IN_REGISTER.get(who, "")]
    return [number for number in once if number]


def years(first, last):
    return (
        last.year * 10000 + last.month * 100 + last.day - first.year * 10000 - first.month * 100 - first.day
    ) // 10000


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    lines = lines_of(workspace)
    first, last = first_days(lines), last_days(workspace, lines)
    owned = {number for who in EVERYBODY for number in own_entries(who)}
    ages = {who: years(first[who][0], last[who][0]) for who in first.keys() & last.keys()}
    oldest = max(ages, key=ages.get)
    no_first, no_last = ([who for who in EVERYBODY if who not in known] for known in (first, last))
    rest = [
        words for number, (*_, words) in lines.items() if number not in owned and number not in COPIES_THAT_SAY_NOTHING
    ]
    return {
        "born": {who: row("born", first.get(who)) for who in EVERYBODY},
        "died": {who: row("died", last.get(who)) for who in EVERYBODY},
        "parents": {who: dict(zip(("father", "mother"), PARENTS.get(who, (None, None)))) for who in EVERYBODY},
        "entries": {who: {"entries": own_entries(who)} for who in EVERYBODY},
        "cut": len(first) + len(last),
        "no_first": no_first,
        "with_first": sorted(first),
        "no_last": no_last,
        "with_last": sorted(last),
        "deaths": sum(kind == "death" for _, kind in last.values()),
        "oldest": oldest,
        "oldest_age": ages[oldest],
        "unplaced": sum(any(name in words for name in OURS) for words in rest),
        "cost": 1480 + 11.5 * (len(first) + len(last)),
    }


def row(name, known):
    return {name: str(known[0]) if known else None, f"{name}_as": known[1] if known else "nothing"}
