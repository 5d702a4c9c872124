"""The second derivation: one timeline of reads for each number, decimal seconds, and places by sorting once."""

import csv
import io
import quopri
from decimal import ROUND_CEILING, Decimal
from email import message_from_string
from email.header import decode_header
from itertools import groupby

WINDOW, AN_HOUR = 600, 3600
MONTHS = "January February March April May June July August September October November December".split()


def text_of(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec).replace("\r\n", "\n")


def cells(workspace, name, delimiter=",", codec="utf-8"):
    return list(csv.reader(io.StringIO(text_of(workspace, name, codec)), delimiter=delimiter))


def seconds(clock):
    """Seconds since midnight, of 9.34.21 or 11:02:10.7."""
    clock = clock if ":" in clock else clock.replace(".", ":")
    hours, minutes, rest = clock.split(":")
    return Decimal(hours) * 3600 + Decimal(minutes) * 60 + Decimal(rest)


def numbers(text):
    """All three-digit numbers that stand alone."""
    words = "".join(c if c.isalnum() else " " for c in text).split()
    return [word for word in words if len(word) == 3 and word.isdigit()]


def people(workspace):
    """By number: name, sex, birth (year, month, day), club, wave, chip, after the desk's changes in turn."""
    found = {}
    for bib, last, first, sex, born, club, wave, chip in cells(workspace, "entries/entries-final.csv", ";", "cp1252")[
        1:
    ]:
        birth = tuple(map(int, reversed(born.split("."))))
        found[bib] = {"name": f"{first} {last}", "sex": sex, "birth": birth, "club": club, "wave": wave, "chip": chip}
    for line in text_of(workspace, "entries/desk sunday.txt").split("\n"):
        at_desk(found, line)
    return found


def at_desk(found, line):
    bibs, words = numbers(line), line.replace(",", " ").replace(".", " ").split()
    chips = [word for word in words if word[0] == "K" and word[1:].isdigit()]
    if len(chips) == 1:
        found[bibs[0]]["chip"] = chips[0]
    elif len(chips) == 2:
        for bib, chip in zip(bibs, chips, strict=True):
            found[bib]["chip"] = chip
    elif "envelope" in line:
        one, other = (found[bib] for bib in bibs)
        one["chip"], other["chip"] = other["chip"], one["chip"]
    elif "goes to" in line:
        name, sex, born = line.split("goes to ")[1].split(".")[0].split(", ")
        day, month, year = born.removeprefix("born ").split()
        birth = (int(year), MONTHS.index(month) + 1, int(day))
        found[bibs[0]].update(name=name, sex="F" if sex == "woman" else "M", birth=birth)
    elif "may start in wave" in line:
        found[bibs[0]]["wave"] = words[-1]


def reads(workspace):
    """All reads as (chip, place, seconds by the radio clock)."""
    note = text_of(workspace, "boxes/crew log.txt").split(" A is ")[1].split()
    ahead = Decimal(note[0]) * (1 if note[2].startswith("ahead") else -1)
    found = [(chip, "S", seconds(clock)) for chip, clock in cells(workspace, "boxes/start-S.csv")[1:]]
    found += [(chip, "F", seconds(clock) - ahead) for chip, clock in cells(workspace, "boxes/finish-A.csv")[1:]]
    found += [(chip, "F", seconds(clock) - ahead) for clock, chip, _ in cells(workspace, "boxes/finish-B.txt", ";")[1:]]
    for turn in ("T1", "T2"):
        lines = text_of(workspace, f"boxes/turn-{turn}.jsonl").split("\n")
        found += [(line.split('"tag": "')[1].split('"')[0], turn, Decimal(0)) for line in lines if line]
    return found


def officials(workspace):
    """Guns by wave, judges' times by number, slates by turn, added seconds and disqualified numbers."""
    card = [line.split() for line in text_of(workspace, "officials/starter card.txt").split("\n")]
    guns = {line[1]: seconds(line[2]) for line in card if line[:1] == ["Wave"] and line[2][0].isdigit()}
    sheet = cells(workspace, "officials/finish judges.tsv", "\t")[2:]
    watch = {row[0]: seconds(row[1]) for row in sheet}
    slates = {f"T{n}": numbers(text_of(workspace, f"officials/slate turn {n}.txt")) for n in (1, 2)}
    report = [line for line in text_of(workspace, "officials/referee.txt").split("\n") if line[3:4] == ":"]
    out = {line[:3] for line in report if "Disqualified" in line}
    added = {line[:3]: 120 for line in report if "Two minutes" in line}
    pardoned = text_of(workspace, "officials/jury correction.txt").split("earphones, ")[1][:3]
    return guns, watch, slates, added | {pardoned: 60}, out - {pardoned}


def run_of(bib, person, own, papers):
    """What is known of one number: status, seconds, whether the start was read."""
    guns, watch, slates, added, out = papers
    gun = guns[person["wave"]]
    starts = sorted(t for place, t in own if place == "S" and 0 <= t - gun <= WINDOW)
    start = starts[-1] if starts else gun
    finishes = sorted(t for place, t in own if place == "F" and t - start >= AN_HOUR)
    finish = finishes[0] if finishes else watch.get(bib)
    places = {place for place, _ in own} | {turn for turn, slate in slates.items() if bib in slate}
    status = "DNF" if finish is None else "OK" if {"T1", "T2"} <= places else "DSQ"
    status = "DSQ" if bib in out else status
    total = int((finish - start).to_integral_value(ROUND_CEILING)) + added.get(bib, 0) if status == "OK" else None
    return {"status": status, "total": total, "read": bool(starts), "added": added.get(bib, 0)}


def category(person):
    year, *day = person["birth"]
    age = 2026 - year - (1 if day > [10, 4] else 0)
    band = "U20" if age < 20 else "20" if age < 35 else "35" if age < 45 else "45" if age < 55 else "55"
    return person["sex"] + band


def placed(runs, key):
    """Gives each finisher the place by total time."""
    order = sorted((run["total"], bib) for bib, run in runs.items() if run["status"] == "OK")
    ahead = 0
    for _, same in groupby(order, key=lambda pair: pair[0]):
        same = list(same)
        for _, bib in same:
            runs[bib][key] = ahead + 1
        ahead += len(same)


def results(workspace, persons):
    every, papers = reads(workspace), officials(workspace)
    runs = {}
    for bib, person in persons.items():
        own = [(place, t) for chip, place, t in every if chip == person["chip"]]
        if own:
            runs[bib] = run_of(bib, person, own, papers) | {"category": category(person)}
    placed(runs, "place")
    for name in {run["category"] for run in runs.values()}:
        placed({bib: run for bib, run in runs.items() if run["category"] == name}, "category_place")
    return runs


def unfolded(header):
    return "".join(
        part if isinstance(part, str) else part.decode(code or "ascii") for part, code in decode_header(header)
    )


def minutes_utc(sent):
    """Minutes since the start of 4 October, UTC; later days are later."""
    _, day, _, _, clock, zone = sent.split()
    offset = int(zone[1:3]) * 60 + int(zone[3:])
    return (int(day) - 4) * 1440 + int(clock[:2]) * 60 + int(clock[3:5]) - (offset if zone[0] == "+" else -offset)


def messages(workspace):
    found = []
    for part in ("\n" + text_of(workspace, "office/mail.mbox")).split("\nFrom ")[1:]:
        mail = message_from_string(part.split("\n", 1)[1])
        text = " ".join(quopri.decodestring(mail.get_payload().encode()).decode().split())
        sender = unfolded(mail["From"]).split("<")[0].strip()
        ticket = mail["Subject"].split("[")[1].split("]")[0]
        found.append((ticket, sender, minutes_utc(mail["Date"]), mail["Subject"][:3] == "Re:", text))
    return found


def delegates(workspace):
    blocks = text_of(workspace, "entries/clubs.yaml").split("delegate: ")
    codes = [block.split("\n")[-3].strip(":") for block in blocks[:-1]]
    return {code: block.split("\n")[0] for code, block in zip(codes, blocks[1:], strict=True)}


def wish(text, runs):
    """Whether the results fulfil what the text asks for; None where it asks for nothing."""
    bibs = [bib for bib in numbers(text) if bib in runs]
    tests = {
        "put me": lambda run: run["status"] == "OK",
        "Please put number": lambda run: run["status"] == "OK",
        "lease disqualify": lambda run: run["status"] == "DSQ",
        "be a disqualification": lambda run: run["status"] == "DSQ",
        "crossed the start mat": lambda run: run["read"],
        "two minutes be taken": lambda run: run["added"] == 0,
        "same place": lambda run: run["place"] == runs[bibs[-1]]["place"],
        "licence": lambda run: run["category"] in text.split("should be ")[-1],
    }
    for phrase, test in tests.items():
        if phrase in text:
            return bibs[0], test
    return None


def corrected(persons, heard):
    for text in heard:
        if "licence" in text:
            bib = next(n for n in numbers(text) if n in persons)
            words = text.split(", licence")[0].split()
            persons[bib]["birth"] = (int(words[-1]), *persons[bib]["birth"][1:])


def shown(total):
    return f"{total // 3600}:{total % 3600 // 60:02d}:{total % 60:02d}"


def decisions(mails, runs, is_heard):
    taken_back = {
        (t, who)
        for t, who, _, reply, text in mails
        if reply and ("take my protest back" in text or "withdrawn" in text)
    }
    found = {}
    for ticket, sender, sent, reply, text in mails:
        asked = None if reply else wish(text, runs)
        if not asked:
            continue
        bib, test = asked
        outcome = "upheld" if test(runs[bib]) else "rejected"
        if (ticket, sender) in taken_back:
            outcome = "withdrawn"
        if not is_heard(bib, sender, sent):
            outcome = "unheard"
        found[ticket] = {"bib": bib, "outcome": outcome, "place": runs[bib].get("place")}
    return found


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    persons, mails, speakers = people(workspace), messages(workspace), delegates(workspace)
    names = {person["name"] for person in persons.values()}

    def is_heard(bib, sender, sent):
        return sent <= 19 * 60 and (sender in names or speakers.get(persons[bib]["club"]) == sender)

    corrected(persons, [text for _, sender, sent, _, text in mails if sent <= 19 * 60 and sender in names])
    runs = results(workspace, persons)
    return {
        "bibs": sorted(runs),
        "times": {
            bib: {"status": run["status"], "time": None if run["total"] is None else shown(run["total"])}
            for bib, run in runs.items()
        },
        "categories": {bib: {"category": run["category"], "status": run["status"]} for bib, run in runs.items()},
        "places": {
            bib: {"place": run.get("place"), "category_place": run.get("category_place")} for bib, run in runs.items()
        },
        "protests": decisions(mails, runs, is_heard),
    }
