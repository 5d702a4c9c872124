"""The oracle: reads the folder, puts the slips in order, writes the night table and the page."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

CROSSING = {"S": "Sluice Lane", "T": "Tannery Bridge", "C": "Chapel Dip"}
SLIP, SIGNS = r"[STC]-\d{3}", r"[A-Z][A-Za-z]+(?:\+[A-Z][A-Za-z]+)*"
CHAT_WORDS = {"m": r"(\d+) males?", "f": r"(\d+) females?", "pr": r"(\d+) pairs?", "u": r"(\d+) unsexed"}
CHAT_WORDS |= {"dead": r"(\d+) dead", "chalked": r"\((\d+) of them chalked\)"}
PAIR, LATE, OPENS = 2, dt.time(22, 0), dt.date(2026, 2, 1)
SUMMER_TIME = dt.datetime(2026, 3, 29, 1, 0)
WORDS = {"seven": 7, "eight": 8, "nine": 9, "ten": 10}


def new_trip(start, crew, **known):
    return dict(start=start, crew=crew, m=0, f=0, pr=0, u=0, dead=0, chalked=0, back=False, void=False) | known


def sluice_lane(ws):
    names = {"Males": "m", "Females": "f", "Pairs": "pr", "Unsexed": "u", "Dead": "dead", "of which chalked": "chalked"}
    for row in csv.DictReader((ws / "sheets/sluice-lane.csv").read_text("cp1252").splitlines(), delimiter=";"):
        start = dt.datetime.strptime(f"{row['Date']} {row['Start']}", "%d/%m/%y %H:%M")
        counts = {short: int(row[name] or 0) for name, short in names.items()}
        flags = {"back": row["Heading"] == "back", "void": row["Remarks"].startswith("void")}
        yield row["Slip"], new_trip(start, row["Who"].split("+"), **counts, **flags)


def on_the_clock(utc):
    return utc + dt.timedelta(hours=utc >= SUMMER_TIME)


def tannery_bridge(ws):
    names = {"m": "m", "f": "f", "pr": "pr", "unk": "u", "dead": "dead", "chalked": "chalked"}
    for entry in json.loads((ws / "sheets/tannery-bridge.json").read_text("utf-8"))["trips"]:
        start = on_the_clock(dt.datetime.strptime(entry["start"], "%Y%m%dT%H%MZ"))
        counts = {short: entry.get(name, 0) for name, short in names.items()}
        flags = {"back": entry["dir"] < 0, "void": entry.get("discarded", False)}
        yield entry["slip"], new_trip(start, entry["crew"], **counts, **flags)


def chapel_dip(ws):
    for line in (ws / "sheets/chapel-dip.txt").read_text("utf-8-sig").splitlines():
        found = re.match(rf"({SLIP})  \w{{3}} ( ?\d+ \w{{3}})  (\d\d:\d\d)  ({SIGNS}) +(.*)", line)
        if not found:
            continue
        slip, day, time, who, rest = found.groups()
        start = dt.datetime.strptime(f"2026 {day.strip()} {time}", "%Y %d %b %H:%M")
        counts = {name: int(n) for n, name in re.findall(r"\b(\d+)(m|f|pr|u)\b", rest)}
        for name, pattern in (("dead", r"dead (\d+)"), ("chalked", r"\((\d+) chalked\)")):
            counts[name] = sum(map(int, re.findall(pattern, rest)))
        yield slip, new_trip(start, who.split("+"), **counts, back="BACK" in rest)


def chat(ws):
    """(author, text) of each message, oldest first."""
    text = (ws / "chat/toad-patrol-chat.txt").read_text("utf-8")
    for message in re.split(r"^\[[\d/]+, [\d:]+\] ", text, flags=re.M)[1:]:
        yield message.split(": ", 1)


def told(text, sign):
    """A trip that is on no sheet, as its message tells it."""
    day, time, company = re.search(r"\w+day (\d+ \w+), (\d\d:\d\d), (on my own|with \w+):", text).groups()
    start = dt.datetime.strptime(f"2026 {day} {time}", "%Y %d %B %H:%M")
    return new_trip(start, [sign] if company == "on my own" else [sign, company.split()[1]])


def apply_chat(trips, people, messages):
    sign_of = {row["chat_name"]: row["sign"] for row in people}
    for author, text in messages:
        slip = re.search(SLIP, text)
        if not slip or author not in sign_of:
            continue
        if slip[0] not in trips:
            trips[slip[0]] = told(text, sign_of[author])
        trip = trips[slip[0]]
        if sign_of[author] not in trip["crew"]:
            continue
        for name, pattern in CHAT_WORDS.items():
            if found := re.search(pattern, text):
                trip[name] = int(found[1])
        trip["void"] |= " is void" in text
        trip["back"] |= "heading back" in text
        if "the dead were chalked already" in text:
            trip["chalked"] = trip["dead"]


def read_people(ws):
    return list(csv.DictReader((ws / "people/patrollers-january.csv").read_text("utf-8").splitlines()))


def all_trips(ws):
    trips = {slip: trip for sheet in (sluice_lane, tannery_bridge, chapel_dip) for slip, trip in sheet(ws)}
    apply_chat(trips, read_people(ws), chat(ws))
    return trips


def mails(ws):
    """(sender's address, text), oldest first."""
    found = []
    for path in (ws / "mail").glob("*.eml"):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        sender = message["From"].addresses[0].addr_spec
        found.append((message["Date"].datetime, sender, " ".join(message.get_content().split())))
    return [(sender, text) for _, sender, text in sorted(found)]


def closing_night(ws):
    said = re.search(r"(\d+ May) is its last night", " ".join(text for _, text in mails(ws)))
    return dt.datetime.strptime(f"2026 {said[1]}", "%Y %d %B").date()


def night_of(start):
    return (start - dt.timedelta(hours=12)).date()


def carried(trip):
    return 0 if trip["back"] else trip["m"] + trip["f"] + PAIR * trip["pr"] + trip["u"]


def is_late(trip):
    return trip["start"] >= dt.datetime.combine(night_of(trip["start"]), LATE)


def may_be_named(ws, people):
    allowed = {row["email"]: row["name_in_print"] == "yes" for row in people}
    for sender, text in mails(ws):
        if "leave my name off" in text:
            allowed[sender] = False
        elif "may print my name" in text:
            allowed[sender] = True
    return {row["sign"]: row["name"] for row in people if allowed[row["email"]]}


def restated(ws):
    printed = int(
        re.search(r"Carried: ([\d,]+)", (ws / "last-years/page-2025.md").read_text("utf-8"))[1].replace(",", "")
    )
    text = " ".join(text for sender, text in mails(ws) if sender.startswith("recorder@"))
    pairs = re.findall(r"show (\d+) pairs|pairs of 2025 are (\d+)", text)[-1]
    return printed + int(pairs[0] or pairs[1]) - int(re.search(r"includes (\d+) toads", text)[1])


def briefing(ws):
    text = (ws / "hall/diary-2027.ics").read_bytes().decode().replace("\r\n ", "").replace("\r\n", "\n")
    taken = set()
    for event in text.split("BEGIN:VEVENT")[1:]:
        entry = dict(line.split(":", 1) for line in event.split("\n") if ":" in line)
        begin, end = (dt.datetime.strptime(entry[key], "%Y%m%dT%H%M%S") for key in ("DTSTART", "DTEND"))
        if entry["STATUS"] != "CANCELLED" and begin.time() < dt.time(21) and end.time() > dt.time(19):
            taken.add(begin.date())
    day = next(dt.date(2027, 2, n) for n in range(1, 8) if dt.date(2027, 2, n).weekday() == 2)
    while day in taken:
        day += dt.timedelta(days=7)
    return day


def derive(ws):
    closing = closing_night(ws)
    people = read_people(ws)
    season = [t for t in all_trips(ws).items() if not t[1]["void"] and OPENS <= night_of(t[1]["start"]) <= closing]
    nights = defaultdict(lambda: {"crossings": set(), "toads": 0, "after_ten": 0, "lost": 0})
    tally, out = defaultdict(lambda: [0, 0]), defaultdict(set)
    for slip, trip in season:
        night = nights[night_of(trip["start"])]
        lost = trip["dead"] - trip["chalked"]
        night["crossings"].add(slip[0])
        night["toads"] += carried(trip)
        night["after_ten"] += carried(trip) if is_late(trip) else 0
        night["lost"] += lost
        tally[slip[0]][0] += carried(trip)
        tally[slip[0]][1] += lost
        for sign in trip["crew"]:
            out[sign].add(night_of(trip["start"]))
    rows = [
        (day.isoformat(), len(n["crossings"]), n["toads"], n["after_ten"], n["lost"])
        for day, n in sorted(nights.items())
    ]
    rate = {letter: (200 * lost + live + lost) // (2 * (live + lost)) for letter, (live, lost) in tally.items()}
    worst = max(tally, key=lambda c: tally[c][1] / sum(tally[c]))
    named = may_be_named(ws, people)
    first = max(named, key=lambda sign: len(out[sign]))
    threshold = WORDS[re.search(r"out on (\w+) nights or more", (ws / "START-HERE.txt").read_text("utf-8"))[1]]
    return {
        "rows": rows,
        "nights": len(rows),
        "carried": sum(row[2] for row in rows),
        "last_year": restated(ws),
        "after_ten": sum(row[3] for row in rows),
        "lost": sum(row[4] for row in rows),
        "busiest": dt.date.fromisoformat(max(rows, key=lambda row: row[2])[0]),
        "worst": CROSSING[worst],
        "rate": rate[worst],
        "most": named[first],
        "most_nights": len(out[first]),
        "thanks": [name for sign, name in named.items() if len(out[sign]) >= threshold],
        "briefing": briefing(ws),
    }


def written(day):
    return f"{day.day} {day:%B %Y}"


def page(a):
    verdict = "more" if a["carried"] > a["last_year"] else "fewer"
    return f"""# The toads of 2026

In late winter, on the first mild wet nights, the toads of this parish leave the woods and walk to the pond in which they were spawned. Three of our roads lie across their way. So a handful of neighbours put on bright vests, take a bucket each and carry over whatever they meet, and in between they lean on a gate and wait.

We carried {verdict} of them this spring than last, and there is no other way to put it. What that says about the toads themselves is harder to tell. We only count what we meet, and that hangs on the weather and on who is free of an evening. One spring is not a trend.

What we do know is that too many still die under wheels, and that late in the evening there are not enough of us. {a["worst"]} is where most are lost for each one that gets across.

So here is our one request. We are looking for people who will take the second shift, from ten until half past midnight, above all at {a["worst"]}. You need no experience, and we lend you the vest and the torch. If you are willing, come to our briefing in the village hall on {written(a["briefing"])}, from seven to nine in the evening. There is nothing to sign beforehand.

- Nights: {a["nights"]}
- Carried: {a["carried"]:,}
- Last year: {a["last_year"]:,}
- After ten: {a["after_ten"]}
- Lost: {a["lost"]}
- Busiest night: {written(a["busiest"])}
- Worst crossing: {a["worst"]}, {a["rate"]} %
- Most nights: {a["most"]}, {a["most_nights"]}
- Thanks: {", ".join(a["thanks"])}
- Briefing: {written(a["briefing"])}
"""


def night_table(a):
    lines = [("night", "crossings", "toads", "after_ten", "lost"), *a["rows"]]
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def write(ws, a):
    folder = ws / "page-2026"
    folder.mkdir(exist_ok=True)
    (folder / "nights.csv").write_bytes(night_table(a).encode())
    (folder / "page.md").write_bytes(page(a).encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
