"""The second derivation: every statement about a slip is one entry, the last entry on a point wins, totals are set sums."""

import csv
import io
import json
from datetime import UTC, date, datetime, timedelta, timezone
from email import policy
from email.parser import BytesParser
from fractions import Fraction
from functools import reduce

PLACE = {"S": "Sluice Lane", "T": "Tannery Bridge", "C": "Chapel Dip"}
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
COUNTS = ("male", "female", "pair", "unsexed", "dead", "chalked")
NUMERALS = "zero one two three four five six seven eight nine ten".split()
MARCH_CHANGE = datetime(2026, 3, 29, 1, tzinfo=UTC)
SPACES = {ord(c): " " for c in ".,;:()"}


def read(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec)


def is_slip(word):
    return len(word) == 5 and word[0] in PLACE and word[1] == "-" and word[2:].isdigit()


def moment(day, month, clock):
    hour, minute = clock.split(":")
    return datetime(2026, MONTHS.index(month[:3].lower()) + 1, int(day), int(hour), int(minute))


def from_spreadsheet(workspace):
    for cells in list(csv.reader(io.StringIO(read(workspace, "sheets/sluice-lane.csv", "cp1252")), delimiter=";"))[1:]:
        slip, day, clock, who = cells[:4]
        numbers = [int(cell or "0") for cell in cells[4:8] + cells[9:11]]
        entry = dict(
            zip(COUNTS, numbers), crew=frozenset(who.split("+")), back=cells[11] == "back", void="void" in cells[12]
        )
        dd, mm, _ = day.split("/")
        yield slip, entry | {"at": moment(dd, MONTHS[int(mm) - 1], clock)}


def from_app(workspace):
    for record in json.loads(read(workspace, "sheets/tannery-bridge.json"))["trips"]:
        utc = datetime.strptime(record["start"], "%Y%m%dT%H%M%z")
        local = utc.astimezone(timezone(timedelta(hours=1 if utc >= MARCH_CHANGE else 0))).replace(tzinfo=None)
        numbers = [record.get(key, 0) for key in ("m", "f", "pr", "unk", "dead", "chalked")]
        entry = dict(zip(COUNTS, numbers), crew=frozenset(record["crew"]), at=local)
        yield record["slip"], entry | {"back": record["dir"] == -1, "void": bool(record.get("discarded"))}


def from_paper(workspace):
    units = {"m": "male", "f": "female", "pr": "pair", "u": "unsexed"}
    for line in read(workspace, "sheets/chapel-dip.txt", "utf-8-sig").splitlines():
        words = line.replace("(", " ").replace(")", " ").split()
        if not words or not is_slip(words[0]):
            continue
        entry = dict.fromkeys(COUNTS, 0) | {
            "void": False,
            "back": "BACK" in words,
            "crew": frozenset(words[5].split("+")),
        }
        entry["at"] = moment(words[2], words[3], words[4])
        for word, following in zip(words[6:], [*words[7:], ""]):
            unit = word.lstrip("0123456789")
            if unit in units and unit != word:
                entry[units[unit]] = int(word[: -len(unit)])
            elif word == "dead":
                entry["dead"] = int(following)
            elif following == "chalked":
                entry["chalked"] = int(word)
        yield words[0], entry


def chat_points(text):
    """What a message says about its slip, point by point."""
    words = text.translate(SPACES).split()
    points = {}
    for position in range(len(words) - 1):
        unit = next((u for u in COUNTS if words[position + 1] in (u, u + "s")), None)
        if words[position].isdigit() and unit and unit not in points:
            points[unit] = int(words[position])
        if words[position : position + 4][1:] == ["of", "them", "chalked"]:
            points["chalked"] = int(words[position])
    joined = " ".join(words)
    if " is void" in joined:
        points["void"] = True
    if "heading back" in joined:
        points["back"] = True
    if "dead were chalked already" in joined:
        points["chalked"] = None
    return points


def chat_messages(workspace):
    """(author, text): a line that does not begin with a bracket goes on with the message before."""
    found = []
    for line in read(workspace, "chat/toad-patrol-chat.txt").splitlines():
        if line.startswith("["):
            found.append(line.split("] ", 1)[1])
        else:
            found[-1] += " " + line
    return [message.partition(": ")[::2] for message in found]


def untold(text, sign):
    """The bare trip behind a message about a slip that is on no sheet."""
    words = text.translate({ord(c): " " for c in ".,;()"}).split()
    at = next(n for n, word in enumerate(words) if word[0].isdigit() and ":" in word)
    crew = {sign} | ({words[at + 2].rstrip(":")} if words[at + 1] == "with" else set())
    start = moment(words[at - 2], words[at - 1], words[at])
    return dict.fromkeys(COUNTS, 0) | {"at": start, "crew": frozenset(crew), "back": False, "void": False}


def people(workspace):
    return list(csv.DictReader(io.StringIO(read(workspace, "people/patrollers-january.csv"))))


def trips(workspace):
    book = {}
    for source in (from_spreadsheet, from_app, from_paper):
        book.update(source(workspace))
    signs = {person["chat_name"]: person["sign"] for person in people(workspace)}
    for author, text in chat_messages(workspace):
        slips = [word for word in text.translate(SPACES).split() if is_slip(word)]
        sign = signs.get(author)
        if len(slips) != 1 or sign is None:
            continue
        base = book.get(slips[0]) or untold(text, sign)
        if sign in base["crew"]:
            entry = base | chat_points(text)
            book[slips[0]] = entry | ({"chalked": entry["dead"]} if entry["chalked"] is None else {})
    return book


def letters(workspace):
    """(sender, words) in the order of sending."""
    found = []
    for path in (workspace / "mail").iterdir():
        message = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
        found.append((message["Date"].datetime, message["From"].addresses[0].addr_spec, message.get_content().split()))
    return [(sender, words) for _, sender, words in sorted(found)]


def number_after(words, *phrase):
    """The number right after a phrase, or None."""
    size = len(phrase)
    hits = [words[n + size] for n in range(len(words) - size) if tuple(words[n : n + size]) == phrase]
    return int(hits[0].strip(".,")) if hits else None


def recorder(workspace):
    """The last night of the season, and what comes on top of last year's printed figure."""
    pairs = backward = closing = None
    for sender, words in letters(workspace):
        if not sender.startswith("recorder"):
            continue
        pairs = number_after(words, "2025", "show") or number_after(words, "of", "2025", "are") or pairs
        backward = number_after(words, "it", "includes") or backward
        if "last" in words and "May" in words:
            closing = date(2026, 5, int(words[words.index("May") - 1]))
    return closing, pairs - backward


def allowed(workspace):
    last_word = {person["email"]: person["name_in_print"] for person in people(workspace)}
    for sender, words in letters(workspace):
        text = " ".join(words)
        if "my name" in text and sender in last_word:
            last_word[sender] = "yes" if "may print my name" in text else "no"
    return [person for person in people(workspace) if last_word[person["email"]] == "yes"]


def first_free_wednesday(workspace):
    let = set()
    for block in read(workspace, "hall/diary-2027.ics").split("BEGIN:VEVENT")[1:]:
        begin, end = (block.split(f"DT{edge}:")[1][:13] for edge in ("START", "END"))
        if "STATUS:CONFIRMED" in block and begin[9:] < "2100" and end[9:] > "1900":
            let.add(begin[:8])
    wednesdays = (date(2027, 2, n) for n in range(1, 29) if date(2027, 2, n).isoweekday() == 3)
    return next(day for day in wednesdays if day.strftime("%Y%m%d") not in let)


def evening(trip):
    """The date whose noon was the last before the trip began."""
    return trip["at"].date() - timedelta(days=trip["at"].hour < 12)


def toads(some):
    return sum(t["male"] + t["female"] + t["pair"] * 2 + t["unsexed"] for t in some if not t["back"])


def dead(some):
    return sum(t["dead"] - t["chalked"] for t in some)


def late(some):
    return [t for t in some if t["at"].hour >= 22 or t["at"].hour < 12]


def loss(some):
    return Fraction(100 * dead(some), toads(some) + dead(some))


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    closing, correction = recorder(workspace)
    season = {
        slip: trip
        for slip, trip in trips(workspace).items()
        if not trip["void"] and date(2026, 2, 1) <= evening(trip) <= closing
    }
    everything = list(season.values())
    nights = reduce(lambda seen, trip: seen | {evening(trip)}, everything, set())
    of = {night: [t for t in everything if evening(t) == night] for night in nights}
    places = {night: {slip[0] for slip, t in season.items() if evening(t) == night} for night in nights}
    at = {letter: [t for slip, t in season.items() if slip[0] == letter] for letter in PLACE}
    worst = max(PLACE, key=lambda letter: loss(at[letter]))
    named = allowed(workspace)
    outings = {p["name"]: len({evening(t) for t in everything if p["sign"] in t["crew"]}) for p in people(workspace)}
    most = max((p["name"] for p in named), key=outings.get)
    words = read(workspace, "START-HERE.txt").split()
    threshold = NUMERALS.index(words[words.index("thank,") + words[words.index("thank,") :].index("nights") - 1])
    thanked = sorted(p["name"] for p in named if outings[p["name"]] >= threshold)
    printed = [line for line in read(workspace, "last-years/page-2025.md").splitlines() if line.startswith("- Carried")]
    return {
        "nights": sorted(night.isoformat() for night in nights),
        "toad_rows": {n.isoformat(): {"crossings": len(places[n]), "toads": toads(some)} for n, some in of.items()},
        "late_rows": {n.isoformat(): {"after_ten": toads(late(some))} for n, some in of.items()},
        "lost_rows": {n.isoformat(): {"lost": dead(some)} for n, some in of.items()},
        "night_count": len(nights),
        "carried": toads(everything),
        "last_year": int("".join(filter(str.isdigit, printed[0]))) + correction,
        "after_ten": toads(late(everything)),
        "lost": dead(everything),
        "busiest": max(nights, key=lambda night: toads(of[night])).isoformat(),
        "worst": PLACE[worst],
        "loss_rate": int(loss(at[worst]) + Fraction(1, 2)),
        "most": most,
        "named": [most],
        "most_nights": outings[most],
        "thanks": thanked,
        "not_thanked": sorted(set(outings) - set(thanked)),
        "not_allowed": sorted(set(outings) - {p["name"] for p in named}),
        "briefing": first_free_wednesday(workspace).isoformat(),
    }
