"""The oracle: makes the results by the race rules, decides the protests by the results, writes the two files."""

import csv
import datetime as dt
import json
import mailbox
import re
import sys
from collections import defaultdict
from email.header import decode_header, make_header
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

RACE = dt.date(2026, 10, 4)
DEADLINE = dt.datetime(2026, 10, 4, 20, 0, tzinfo=dt.timezone(dt.timedelta(hours=1)))
HOUR = 36_000  # times are tenths of a second since midnight
BOUNDS = (20, 35, 45, 55)
ENGLISH_DAY = "%d %B %Y"


def rows(path, encoding="utf-8", separator=","):
    lines = [line for line in path.read_text(encoding).splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter=separator))


def tenths(clock):
    """A time of day such as 9.34.21 or 11:02:10.7."""
    hour, minute, second, *rest = re.split(r"[:.]", clock)
    return ((int(hour) * 60 + int(minute)) * 60 + int(second)) * 10 + int(rest[0] if rest else 0)


def read_rules(ws):
    """What the bulletins dated before the race have made of the rules that changed."""
    rules = {"window": 5, "up": False, "age_day": dt.date(RACE.year, 12, 31), "watch_first": False}
    for path in sorted((ws / "rules").glob("bulletin *.txt")):
        text = path.read_text("utf-8")
        if in_force(dt.datetime.strptime(re.search(r"\d+ \w+ 2026", text)[0], ENGLISH_DAY).date()):
            rules |= changes(" ".join(text.split()))
    return rules


def in_force(day):
    return day < RACE


def changes(text):
    found = {}
    if window := re.search(r"rule 3: (\d+) minutes instead", text):
        found["window"] = int(window[1])
    if "goes up to the next full second" in text:
        found["up"] = True
    if "the age is that on the day of the race" in text:
        found["age_day"] = RACE
    if "goes by the judges' watch" in text:
        found["watch_first"] = True
    return found


def read_entries(ws):
    """By bib the entry, as changed at the desk."""
    entries = {int(row["Nr"]): row for row in rows(ws / "entries/entries-final.csv", "cp1252", ";")}
    for row in entries.values():
        row["Name"] = f"{row['First name']} {row['Surname']}"
        row["Born"] = dt.datetime.strptime(row["Born"], "%d.%m.%Y").date()
    for line in (ws / "entries/desk sunday.txt").read_text("utf-8").splitlines():
        change_entry(entries, line)
    return entries


def change_entry(entries, line):
    if found := re.search(r"(\d+): .*Gets spare (K\d+)", line):
        entries[int(found[1])]["Chip"] = found[2]
    if found := re.search(r"(\d+) and (\d+) share a house", line):
        one, other = (entries[int(bib)] for bib in found.groups())
        one["Chip"], other["Chip"] = other["Chip"], one["Chip"]
    if found := re.search(r"(\d+) cannot come, number goes to (.*?), (\w+), born (.*?)\.", line):
        sex = {"woman": "F", "man": "M"}[found[3]]
        born = dt.datetime.strptime(found[4], ENGLISH_DAY).date()
        entries[int(found[1])] |= {"Name": found[2], "Sex": sex, "Born": born}
    if found := re.search(r"(\d+) wants .* may start in wave (\d)", line):
        entries[int(found[1])]["Wave"] = found[2]
    if found := re.search(r"(\d+) went off with (K\d+), and (\d+) with (K\d+)", line):
        entries[int(found[1])]["Chip"], entries[int(found[3])]["Chip"] = found[2], found[4]


def finish_error(ws):
    """How far the finish boxes are ahead of the radio clock."""
    seconds, direction = re.search(
        r"A is (\d+) s (ahead|behind)", (ws / "boxes/crew log.txt").read_text("utf-8")
    ).groups()
    return int(seconds) * (10 if direction == "ahead" else -10)


def read_boxes(ws):
    """By box and chip the times of all reads by the radio clock; at the turns, where no time counts, as written."""
    boxes, error = defaultdict(lambda: defaultdict(list)), finish_error(ws)
    for row in rows(ws / "boxes/start-S.csv"):
        boxes["start"][row["tag"]].append(tenths(row["clock"]))
    for name in ("T1", "T2"):
        for line in (ws / f"boxes/turn-{name}.jsonl").read_text("utf-8").splitlines():
            read = json.loads(line)
            boxes[name][read["tag"]].append(read["t"])
    for row in rows(ws / "boxes/finish-A.csv") + finish_b(ws):
        boxes["finish"][row["tag"]].append(tenths(row["clock"]) - error)
    return boxes


def finish_b(ws):
    return rows(ws / "boxes/finish-B.txt", separator=";")


def read_guns(ws):
    card = (ws / "officials/starter card.txt").read_text("utf-8")
    return {wave: tenths(clock) for wave, clock in re.findall(r"Wave (\d) +(\d+\.\d+\.\d+)", card)}


def slate(ws, turn):
    """The numbers that the marshals of a turn chalked up."""
    text = (ws / f"officials/slate turn {turn}.txt").read_text("utf-8")
    return {int(bib) for bib in re.findall(r"\b\d{3}\b", text)}


def judges(ws):
    return {
        int(row["nr"]): tenths(row["time of day"]) for row in rows(ws / "officials/finish judges.tsv", separator="\t")
    }


def referee(ws):
    """Added seconds and disqualifications, after the jury and its chair's correction."""
    text = (ws / "officials/referee.txt").read_text("utf-8")
    out = {int(bib) for bib in re.findall(r"(\d+): .*Disqualified", text)}
    added = {int(bib): 120 for bib in re.findall(r"(\d+): .*Two minutes", text)}
    free = let_off(ws)
    return added | {free: 60}, out - {free}


def let_off(ws):
    correction = (ws / "officials/jury correction.txt").read_text("utf-8")
    return int(re.search(r"earphones, (\d+)", correction)[1])


def start_of(entry, boxes, guns, rules):
    gun = guns[entry["Wave"]]
    return max((t for t in boxes["start"][entry["Chip"]] if gun <= t <= gun + rules["window"] * 600), default=gun)


def finish_of(bib, entry, start, boxes, watch, rules):
    """Time of the finish, or None."""
    reads = [t for t in boxes["finish"][entry["Chip"]] if t >= start + HOUR]
    if rules["watch_first"] and bib in watch:
        return watch[bib]
    return min(reads) if reads else watch.get(bib)


def missed_turn(ws, bib, chip, boxes):
    return any(not boxes[f"T{turn}"][chip] and bib not in slate(ws, turn) for turn in (1, 2))


def category(entry, rules):
    day, born = rules["age_day"], entry["Born"]
    age = day.year - born.year - ((day.month, day.day) < (born.month, born.day))
    return entry["Sex"] + max((str(bound) for bound in BOUNDS if bound <= age), default="U20")


def full_seconds(duration, rules):
    return -(-duration // 10) if rules["up"] else duration // 10


def make_results(ws, entries, rules):
    """By bib: status, seconds or None, category, and whether the start was a read."""
    boxes, guns, watch, (added, out) = read_boxes(ws), read_guns(ws), judges(ws), referee(ws)
    results = {}
    for bib, entry in sorted(entries.items()):
        if not any(reads[entry["Chip"]] for reads in boxes.values()):
            continue
        start = start_of(entry, boxes, guns, rules)
        finish = finish_of(bib, entry, start, boxes, watch, rules)
        status = "OK"
        if bib in out or (finish is not None and missed_turn(ws, bib, entry["Chip"], boxes)):
            status = "DSQ"
        elif finish is None:
            status = "DNF"
        seconds = full_seconds(finish - start, rules) + added.get(bib, 0) if status == "OK" else None
        results[bib] = {
            "status": status,
            "seconds": seconds,
            "category": category(entry, rules),
            "by_mat": start in boxes["start"][entry["Chip"]],
            "added": added.get(bib, 0),
        }
    return rank(results)


def rank(results):
    """Places, and places in the category; equal times share one."""
    for place, same in (("place", lambda a, b: True), ("category_place", lambda a, b: a["category"] == b["category"])):
        for row in results.values():
            ahead = [o for o in results.values() if o["status"] == "OK" and same(o, row)]
            row[place] = 1 + sum(o["seconds"] < row["seconds"] for o in ahead) if row["status"] == "OK" else None
    return results


def read_mails(ws):
    """All messages in the order of the mailbox: sender, moment, ticket, whether a reply, text on one line."""
    found = []
    for message in mailbox.mbox(ws / "office/mail.mbox", create=False):
        subject = message["Subject"]
        sender = parseaddr(str(make_header(decode_header(message["From"]))))[0]
        text = message.get_payload(decode=True).decode()
        found.append(
            {
                "sender": sender,
                "sent": parsedate_to_datetime(message["Date"]),
                "ticket": re.search(r"\[(M-\d+)\]", subject)[1],
                "reply": subject.startswith("Re:"),
                "text": " ".join(text.split()),
            }
        )
    return found


def read_protests(mails):
    """Those messages that want something changed, with the number they are about."""
    wishes = re.compile(
        r"(into the results|[Dd]isqualif|from the moment|taken away again|the same place|my category|the category of)"
    )
    for mail in mails:
        if not mail["reply"] and wishes.search(mail["text"]):
            bibs = re.findall(r"[Nn]umber (\d{3})\b", mail["text"])
            yield mail | {"bib": int(bibs[0]), "other": int(bibs[-1])}


def may_protest(ws, mail, entries):
    if mail["sender"] in {entry["Name"] for entry in entries.values()}:
        return True
    delegates = re.findall(r"(\w+):\n  name: .*\n  delegate: (.*)", (ws / "entries/clubs.yaml").read_text("utf-8"))
    return (entries[mail["bib"]]["Club"], mail["sender"]) in delegates


def in_time(mail):
    return mail["sent"] <= DEADLINE


def heard(ws, mail, entries):
    return in_time(mail) and may_protest(ws, mail, entries)


def taken_back(mail, mails):
    return any(
        other["reply"]
        and other["ticket"] == mail["ticket"]
        and other["sender"] == mail["sender"]
        and re.search("take my protest back|withdrawn", other["text"])
        for other in mails
    )


def correct_births(ws, entries, protests):
    for mail in protests:
        found = re.search(r"(?:it is|it should be) (\d{4}), licence L-\d+", mail["text"])
        if found and heard(ws, mail, entries):
            entry = entries[mail["bib"]]
            entry["Born"] = entry["Born"].replace(year=int(found[1]))


def fulfilled(mail, results):
    """Whether the results are what the protest asks for."""
    row, text = results[mail["bib"]], mail["text"]
    if "into the results" in text:
        return row["status"] == "OK"
    if re.search("[Dd]isqualif", text):
        return row["status"] == "DSQ"
    if "from the moment" in text:
        return row["by_mat"]
    if "taken away again" in text:
        return not row["added"]
    if "the same place" in text:
        return row["place"] == results[mail["other"]]["place"]
    return row["category"] == re.search(r"should be ([FM]\w\d)", text)[1]


def decide(ws, mail, mails, entries, results):
    if not heard(ws, mail, entries):
        return "unheard"
    if taken_back(mail, mails):
        return "withdrawn"
    return "upheld" if fulfilled(mail, results) else "rejected"


def derive(ws):
    rules, entries, mails = read_rules(ws), read_entries(ws), read_mails(ws)
    protests = list(read_protests(mails))
    correct_births(ws, entries, protests)
    results = make_results(ws, entries, rules)
    decided = [
        (mail["ticket"], mail["bib"], decide(ws, mail, mails, entries, results), results[mail["bib"]]["place"])
        for mail in protests
    ]
    return {"results": [result_row(bib, row) for bib, row in results.items()], "protests": decided}


def result_row(bib, row):
    seconds = row["seconds"]
    time = None if seconds is None else f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return (bib, row["status"], time, row["place"], row["category"], row["category_place"])


def as_table(header, body, separator):
    lines = [header, *([("" if cell is None else str(cell)) for cell in row] for row in body)]
    return "".join(separator.join(line) + "\n" for line in lines)


RESULTS = ("bib", "status", "time", "place", "category", "category_place")
PROTESTS = ("ticket", "bib", "outcome", "place")


def write(ws, answer):
    folder = ws / "final"
    folder.mkdir(exist_ok=True)
    (folder / "results.csv").write_bytes(as_table(RESULTS, answer["results"], ",").encode())
    (folder / "protests.tsv").write_bytes(as_table(PROTESTS, answer["protests"], "\t").encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
