"""The oracle: reads the registers, finds whose entry each is, weighs the papers, writes the days and the letter."""

import csv
import datetime as dt
import json
import re
import sys
from pathlib import Path

MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}
MONTHS |= {"7ber": 9, "8ber": 10, "9ber": 11, "Xber": 12}
NEW_STYLE_FROM = 1752
FIRST_BEST = (("birth", "baptism"), ("death", "burial"))
HOLM = r"of ye Holm"

# What an entry of each person has to say; a baptism that two different children fit is nobody's.
OWN = {
    "N01": [rf"bap John s\. of William \w+ {HOLM}", rf"mar John \w+ {HOLM}, Sallowby", rf"bur John \w+ {HOLM}, 68"],
    "N02": [r"bap Alice d\. of Robert Fewlass", r"mar .*& Alice Fewlass", rf"bur Alice wife of John \w+ {HOLM}"],
    "N03": [rf"bap John s\. of John \w+ {HOLM}", r"mar John \w+, miller", r"bur John \w+, miller, 68"],
    "N04": [rf"bap Ruth d\. of John \w+ {HOLM}", r"marr Isaac Haxby .* and Ruth", r"died Ruth Haxby, widow of Isaac"],
    "N05": [rf"bap William s\. of John \w+ {HOLM}", rf"mar William \w+ {HOLM}, mariner"],
    "N06": [rf"bap Matthew s\. of William \w+ {HOLM}", r"mar Matthew \w+, smith", r"bur Matthew \w+, smith"],
    "N07": [r"bap John s\. of Matthew \w+, smith", r"mar John \w+, smith", r"bur John \w+, smith, 54"],
    "N08": [r"bap Alice d\. of John \w+, miller", r"mar .*& Alice \w+, d\. of John, miller", r"bur Alice Coning, widow of Robert"],
    "N09": [r"bap Joseph s\. of John \w+, miller", r"bur Joseph \w+ of ye mill"],
    "N10": [r"bap Hannah d\. of John \w+, smith"],
    "N11": [r"bap John s\. of John \w+, smith"],
    "N12": [r"born Mary, dau\. of Peter Sleight", r"mar .*& Mary Sleight, d\. of Peter", r"bur Mary wife of John \w+, miller"],
    "N13": [r"bap Esther d\. of \w+ Coupland", r"mar .*& Esther Coupland", r"mar .*& Esther \w+, widow of John", r"bur Esther Lamb, widow of George"],
    "N14": [r"bap Thomas s\. of William \w+, mariner"],
}  # fmt: skip
NAMED_AS = [  # who a parent's words in an entry are
    (rf"of John \w+ {HOLM}", "N01", None),
    (rf"of John \w+ {HOLM} & Alice", None, "N02"),
    (r"of Matthew \w+, smith", "N06", None),
    (r"of John \w+, miller, & Mary", "N03", "N12"),
    (r"of John \w+, smith, & Esther", "N07", "N13"),
    (r"of William \w+, mariner", "N05", None),
]

# Who says which day: person, event, day, source, file, words.
STATEMENTS = [
    ("N01", "death", "1770-05-03", "coates 1", "stones/coates 1868.txt", "died 3 May 1770"),
    ("N01", "death", "1770-05-08", "oldacre 1", "stones/oldacre 1911.csv", "died 8 May 1770"),
    ("N01", "death", "1770-05-03", "ruth 1770", "letters/1770-05-17 ruth to jane.txt", "the third of this month"),
    ("N01", "death", "1770-05-03", "bible stone 1", "papers/bible.txt", "Father died 3 May 1770"),
    ("N01", "death", "1770-05-03", "pedigree N01", "papers/pedigree 1811.txt", "d. 3 May 1770"),
    ("N02", "death", "1752-11-17", "bible", "papers/bible.txt", "Mother died ye 17th of November 1752"),
    ("N02", "death", "1752-11-17", "pedigree", "papers/pedigree 1811.txt", "d. 17 November 1752"),
    ("N02", "death", "1752-11-17", "county", "papers/county book 1834.txt", "who d. 17 November 1752"),
    ("N03", "birth", "1731-02-02", "bible", "papers/bible.txt", "John was born ye 2d of February 1730"),
    ("N03", "birth", "1731-02-02", "pedigree", "papers/pedigree 1811.txt", "b. 2 February 1731"),
    ("N03", "birth", "1731-02-02", "county", "papers/county book 1834.txt", "John, b. 2 February 1731"),
    ("N03", "death", "1799-03-05", "coates 4", "stones/coates 1868.txt", "died 5 March 1799"),
    ("N03", "death", "1799-03-05", "oldacre 4", "stones/oldacre 1911.csv", "died 5 March 1799"),
    ("N03", "death", "1799-03-05", "joseph", "letters/1799-03-11 joseph to alice.txt", "Father went on the fifth"),
    ("N03", "death", "1799-03-05", "county lips", "papers/county book 1834.txt", "d. 5 March 1799"),
    ("N04", "birth", "1734-02-20", "bible", "papers/bible.txt", "Ruth was born ye 20th of February 1733"),
    ("N04", "birth", "1734-02-20", "own word", "papers/ruth's certificate 1760.txt", "20th of the 12th month 1733"),
    ("N04", "birth", "1734-02-20", "county", "papers/county book 1834.txt", "Ruth, b. 20 February 1734"),
    ("N05", "birth", "1736-10-10", "bible", "papers/bible.txt", "William was born ye 10th of October 1736"),
    ("N05", "birth", "1736-10-10", "county", "papers/county book 1834.txt", "b. 10 October 1736"),
    ("N05", "death", "1769-11-14", "captain", "letters/1769-12-04 captain.txt", "the night of the 14th of November"),
    ("N05", "death", "1769-11-14", "mercury 1769", "cuttings/mercury.txt", "the night of the 14th ult."),
    ("N05", "death", "1769-11-14", "coates 7", "stones/coates 1868.txt", "perished in the Constance 14 November 1769"),
    ("N05", "death", "1769-11-14", "oldacre 7", "stones/oldacre 1911.csv", "perished 14 November 1769"),
    ("N05", "death", "1769-11-14", "county N05", "papers/county book 1834.txt", "drowned 14 November 1769"),
    ("N08", "birth", "1757-03-19", "bible 1796", "papers/bible.txt", "Alice d. of bro. John born 19 March 1757"),
    ("N08", "birth", "1757-03-19", "own word", "papers/samplers.txt", "born March 19 1757"),
    ("N09", "birth", "1760-05-02", "bible 1796", "papers/bible.txt", "Joseph s. of bro. John born 2 May 1760"),
    ("N09", "birth", "1760-05-02", "own word", "papers/pedigree 1811.txt", "Joseph, b. 2 May 1760"),
    ("N09", "death", "1836-01-30", "coates 5", "stones/coates 1868.txt", "died 30 January 1836"),
    ("N09", "death", "1836-01-30", "oldacre 5", "stones/oldacre 1911.csv", "died 30 January 1836"),
    ("N09", "death", "1836-01-30", "mercury 1836", "cuttings/mercury.txt", "On the 30th ult., at Sallowby Mill"),
    ("N10", "death", "1842-01-02", "coates 3", "stones/coates 1868.txt", "died 2 January 1842"),
    ("N10", "death", "1842-01-03", "oldacre 3", "stones/oldacre 1911.csv", "died 3 January 1842"),
    ("N10", "death", "1842-01-03", "lydia", "letters/1842-02-20 lydia.txt", "Monday the 3rd of January"),
    ("N11", "death", "1829-07-22", "coates 6", "stones/coates 1868.txt", "died 22 July 1829"),
    ("N11", "death", "1829-07-22", "oldacre 6", "stones/oldacre 1911.csv", "died 22 July 1829"),
    ("N11", "death", "1829-07-22", "day book", "foundry/day book 1829.csv", "Mr Tarraby d. this morning"),
    ("N11", "death", "1829-07-23", "lydia", "letters/1842-02-20 lydia.txt", "on the 23rd, as I have always heard it"),
    ("N12", "death", "1784-10-03", "coates 2", "stones/coates 1868.txt", "died 3 October 1784"),
    ("N12", "death", "1784-10-03", "oldacre 2", "stones/oldacre 1911.csv", "died 3 October 1784"),
    ("N12", "death", "1784-10-03", "bible stone 2", "papers/bible.txt", "Sister in law Mary died 3 October 1784"),
]
DRAWN_FROM = {
    "pedigree": "bible",
    "county": "pedigree",
    "pedigree N01": "bible stone 1",
    "county lips": "joseph",
    "mercury 1769": "captain",
    "stone 7": "captain",
    "county N05": "stone 7",
    **{f"coates {n}": f"stone {n}" for n in range(1, 8)},
    **{f"oldacre {n}": f"coates {n}" for n in range(1, 4)},
    **{f"oldacre {n}": f"stone {n}" for n in range(4, 8)},
    **{f"bible stone {n}": f"stone {n}" for n in (1, 2)},
}


def modern(year, month, day):
    """ISO day of a register's date; until 1751 the year begins on 25 March."""
    number = MONTHS[month]
    late = year < NEW_STYLE_FROM and (number, day) < (3, 25)
    return dt.date(year + late, number, day).isoformat()


def friends_day(day, month, year):
    """ISO day of a date with numbered months, of which the first is March until 1751."""
    if year >= NEW_STYLE_FROM:
        return dt.date(year, month, day).isoformat()
    number = (month + 1) % 12 + 1
    return modern(year, next(name for name, n in MONTHS.items() if n == number), day)


def read_sallowby(ws):
    found, year = {}, 0
    for line in (ws / "registers/sallowby.txt").read_text("utf-8").splitlines():
        if heading := re.match(r"Anno (\d{4})", line):
            year = int(heading[1])
        elif entry := re.match(r" +(S-\d+) +(\w+) +(\w{3}) (\d+) +(.+)", line):
            found[entry[1]] = [entry[2], year, entry[3], int(entry[4]), entry[5]]
    return corrected(ws, found)


def corrected(ws, found):
    text = (ws / "registers/sallowby corrections.txt").read_text("utf-8")
    for number, old, new in re.findall(r"^(S-\d+) +for (\w+) read (\w+)", text, re.MULTILINE):
        entry = found[number]
        if old.isdigit():
            entry[3] = int(new)
        else:
            entry[4] = entry[4].replace(old, new, 1)
    return found


def read_table(path, encoding):
    rows = csv.DictReader(path.read_text(encoding).splitlines(), delimiter=";")
    return {r["no"]: [r["kind"], int(r["year"]), r["month"], int(r["day"]), r["entry"]] for r in rows}


def bishops(ws):
    """The transcripts of the years for which the register is lost."""
    table = read_table(ws / "registers/sallowby bishop's transcripts.csv", "utf-8-sig")
    return {n: e for n, e in table.items() if "1744-03-25" <= modern(*e[1:4]) < "1757-09-29"}


def read_friends(ws):
    found = {}
    line = re.compile(r"(B-\d)\s+(\w+)\.?\s+(\d+) d\. (\d+) mo\. (\d+)\s+(.+)")
    for n, kind, day, month, year, text in line.findall((ws / "registers/ankerholm friends.txt").read_text("utf-8")):
        found[n] = (kind, friends_day(int(day), int(month), int(year)), text)
    return found


def read_entries(ws):
    """Every entry that counts: number -> kind, ISO day, words."""
    plain = read_sallowby(ws) | bishops(ws) | read_table(ws / "registers/thirl.csv", "cp1252")
    return {n: (e[0], modern(*e[1:4]), e[4]) for n, e in plain.items()} | read_friends(ws)


def died_young(entry, entries):
    """Whether a child of that name and father was buried within the year."""
    name, father = re.match(r"(\w+) \w\. of (\w+ \w+)", entry[2]).groups()
    return any(
        kind == "bur" and re.match(rf"{name}\b.* s\. of {father}", text) and 0 <= int(day[:4]) - int(entry[1][:4]) <= 1
        for kind, day, text in entries.values()
    )


def whose(entries):
    """Person -> numbers of the own entries."""
    found = {}
    for person, patterns in OWN.items():
        found[person] = []
        for pattern in patterns:
            fits = [n for n, (kind, _, text) in entries.items() if re.match(pattern, f"{kind} {text}")]
            if pattern.startswith("bap"):
                fits = [n for n in fits if not died_young(entries[n], entries)]
            found[person] += fits if len(fits) == 1 else []
    return found


def original(person, own, entries, ws):
    """Days that original records give, by event."""
    days = {}
    for number in own:
        kind, day, text = entries[number]
        event = {"bap": "baptism", "bur": "burial", "born": "birth", "died": "death"}.get(kind)
        if event:
            days[event] = day
        if birth := re.search(r"born (\d+) (\w{3})$", text):
            days["birth"] = modern(int(day[:4]), birth[2], int(birth[1]))
    if person == "N14":
        days["death"] = mustered_out(ws)
    return days


def mustered_out(ws):
    text = (ws / "navy/muster abstract.txt").read_text("utf-8")
    day, month, year = re.search(r"mother, widow of a mariner +DD (\d+) (\w+) (\d+)", text).groups()
    return modern(int(year), month, int(day))


def root(source):
    while source in DRAWN_FROM:
        source = DRAWN_FROM[source]
    return source


def agreed(person, event, ws):
    """The day on which two independent sources agree, if there is one."""
    sources = {}
    readings = {}
    for who, what, day, source, name, words in STATEMENTS:
        if words not in " ".join((ws / name).read_bytes().decode("utf-8").split()):
            raise LookupError(f"{name}: {words}")
        if (who, what) == (person, event) and source != "own word":
            readings.setdefault(root(source), day)  # the nearest reading comes first
    for source, day in readings.items():
        sources.setdefault(day, set()).add(source)
    best = [day for day, found in sources.items() if len(found) > 1]
    return best[0] if len(best) == 1 else None


def parents(own, entries):
    father = mother = None
    for number in own:
        kind, _, text = entries[number]
        for words, as_father, as_mother in NAMED_AS:
            if kind == "bap" and re.search(words, text):
                father, mother = as_father or father, as_mother or mother
    return father, mother


def derive(ws):
    entries = read_entries(ws)
    people = []
    for person, own in whose(entries).items():
        days = original(person, own, entries, ws)
        row = {"no": person}
        for name, (event, second) in zip(("born", "died"), FIRST_BEST):
            days.setdefault(event, agreed(person, event, ws))
            kind = event if days[event] else second if days.get(second) else "nothing"
            row |= {name: days.get(kind), f"{name}_as": kind}
        row["father"], row["mother"] = parents(own, entries)
        people.append(row | {"entries": own})
    return people, entries


def lifetime(row):
    if not (row["born"] and row["died"]):
        return -1
    first, last = dt.date.fromisoformat(row["born"]), dt.date.fromisoformat(row["died"])
    return last.year - first.year - ((last.month, last.day) < (first.month, first.day))


def of_our_name(text):
    """Whether the one the entry is about bears the name: by marriage, or by the father's name."""
    return (
        re.match(r"(?:[^&]* & )?[\w, ]*?(?:s\. of |d\. of |wife of )?[\w ]*?\bTar(?:raby|rabie|reby|eby)\b", text)
        is not None
    )


def figures(ws, people, entries):
    placed = {n for row in people for n in row["entries"]}
    cut = [row[name] for row in people for name in ("born", "died") if row[name]]
    oldest = max(people, key=lifetime)
    quotation = (ws / "slate/quotation.txt").read_text("utf-8")
    panel, each = re.findall(r"(\d[\d,]*\.\d\d)$", quotation, re.MULTILINE)
    return {
        "cut": len(cut),
        "first": [row["no"] for row in people if not row["born"]],
        "last": [row["no"] for row in people if not row["died"]],
        "deaths": sum(row["died_as"] == "death" for row in people),
        "oldest": oldest["no"],
        "age": lifetime(oldest),
        "unplaced": sum(n not in placed and of_our_name(text) for n, (_, _, text) in entries.items()),
        "cost": f"{float(panel.replace(',', '')) + len(cut) * float(each):.2f}",
    }


PROSE = """Dear cousins,

the slate will be cut from Monday on, and three places on it stay empty. You will look for them, so here is why.

William the mariner has no last day. We all know the 14th of November 1769: it stands in the captain's letter, in the newspaper, on the church wall and in the county book. But only the captain saw it. The newspaper had it from him, the wall from his letter, the book from the wall. Four voices repeat one, and our rule asks for two that know it by themselves. The ship's log, or the report of the other man on deck, would settle it.

Hannah's last day is one word against another: her stone said the 2nd of January 1842, her niece Lydia was told the 3rd. The later list of the stones only copies the earlier. Her burial in a register, or her death certificate, would decide.

Esther Coupland has no first day, because two girls of that name were baptised at Thirl, seventeen months apart, and both would fit her age. Had her marriage named a father, we should know. A will of either father would do as well.

Nobody was wrong to hand the old days down. We only cannot carve them yet.
"""


def letter(f):
    return f"""{PROSE}
- Days to cut: {f["cut"]}
- Blank first days: {", ".join(f["first"])}
- Blank last days: {", ".join(f["last"])}
- Days of death: {f["deaths"]}
- Oldest: {f["oldest"]}, {f["age"]} years
- Unplaced: {f["unplaced"]}
- Cost: £{f["cost"]}
"""


def write(ws, answer):
    people, entries = answer
    text = json.dumps({"people": people}, indent=2) + "\n"
    (ws / "slate/days.json").write_text(text, "utf-8")
    (ws / "slate/letter.md").write_text(letter(figures(ws, people, entries)), "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
