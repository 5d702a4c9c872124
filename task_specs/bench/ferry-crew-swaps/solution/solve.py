"""The oracle: reads agreement, board, mails and papers, decides the requests one by one, edits the roster."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
from collections import namedtuple
from functools import cache
from pathlib import Path

POSTS = ("master", "mate", "engineer", "deck")
COLUMNS = (21, 29, 37, 45)
MONTHS = "January February March April May June July August September October November December".split()
LOCAL_NOW = dt.timedelta(hours=1)  # in October
ROSTER = "roster/november-2027.txt"
FIRST = dt.date(2027, 11, 1)
Request = namedtuple("Request", "number asker partner gives takes")


def text_of(ws, name, encoding="utf-8"):
    return (ws / name).read_bytes().decode(encoding)


def rows(ws, name, separator=",", encoding="utf-8"):
    lines = [line for line in text_of(ws, name, encoding).splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter=separator))


def read_crew(ws):
    return {row["code"]: row for row in rows(ws, "crew/crew-list.csv", ";", "cp1252")}


def english_date(text):
    day, month, year = text.split()
    return dt.date(int(year), MONTHS.index(month) + 1, int(day))


def amendments(ws):
    """The texts of those that are signed and in force."""
    texts = [path.read_text("utf-8") for path in sorted((ws / "agreement").glob("amendment-*.md"))]
    return " ".join(text for text in texts if re.search(r"In force from \d", text))


def read_rules(ws):
    annex, changes = text_of(ws, "agreement/annex-b-hours.md"), amendments(ws)
    begin, end = map(int, re.search(r"begins (\d+) minutes before .* ends (\d+) minutes after", annex).groups())
    new_begin = re.search(r"on Hallgerd begins (\d+) minutes", changes)
    return {
        "begin": {"B": begin, "H": int(new_begin[1]) if new_begin else begin},
        "end": end,
        "rest": 660,
        "rest_late": 720 if "it is 12 hours" in changes else 660,
        "run": 6 if "six days instead of seven" in changes else 7,
        "hv": "needs HV" in changes,
        "phone": "by telephone to the night watch" in changes,
        "limit": int(re.search(r"more than (\d+) turns", annex)[1]),
    }


@cache
def read_mails(ws):
    """Sender's address, local time, text."""
    found = []
    for path in sorted((ws / "mail/cur").iterdir()):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        sender = re.search(r"<(.*)>", message["From"])[1]
        found.append((sender, local_time(message["Date"].datetime), " ".join(message.get_content().split())))
    return found


def local_time(moment):
    return moment.astimezone(dt.timezone(LOCAL_NOW)).replace(tzinfo=None)


def winter_start(ws):
    for sender, _, text in read_mails(ws):
        found = re.search(r"winter timetable starts on \w+ (\d+ \w+)", text)
        if sender.startswith("operations@") and found:
            return english_date(f"{found[1]} 2027")
    return dt.date(2027, 11, 15)


def holidays(ws):
    found = re.search(r"(\d+ November): sailings as on Sundays", text_of(ws, "timetable/autumn-2027.csv"))
    return {english_date(f"{found[1]} 2027")}


def minutes(clock):
    return int(clock[:2]) * 60 + int(clock[3:])


class Times:
    """When turns begin and end."""

    def __init__(self, ws):
        self.rules, self.winter, self.free = read_rules(ws), winter_start(ws), holidays(ws)
        self.tables = [rows(ws, f"timetable/{name}.csv", ";") for name in ("autumn-2027", "winter-2027-28")]

    def span(self, turn):
        day, name = turn
        sunday = day.weekday() == 6 or day in self.free
        table = self.tables[day >= self.winter]
        mine = [row for row in table if row["turn"] == name and (row["days"] == "Sun") == sunday]
        midnight = dt.datetime.combine(day, dt.time())
        begin = min(minutes(row["dep"]) for row in mine) - self.rules["begin"][name[0]]
        end = max(minutes(row["arr"]) for row in mine) + self.rules["end"]
        return midnight + dt.timedelta(minutes=begin), midnight + dt.timedelta(minutes=end)


def read_roster(ws, name):
    """(day, turn) -> post -> code."""
    roster = {}
    for line in text_of(ws, name).splitlines():
        if not line.startswith("#"):
            day = dt.datetime.strptime(f"{line[4:10]} 2027", "%d %b %Y").date()
            codes = [line[column : column + 3] for column in COLUMNS]
            roster[day, line[13:15]] = {post: code for post, code in zip(POSTS, codes) if code != "---"}
    return roster


def october(ws):
    return read_roster(ws, "roster/october-2027-second-half.txt")


def read_papers(ws):
    papers = {}
    for row in rows(ws, "crew/certificates.tsv", "\t"):
        papers[row["code"], row["paper"]] = dt.datetime.strptime(row["valid to"], "%d.%m.%Y").date()
    return papers | renewals(ws)


def renewals(ws):
    found = {}
    for sender, _, text in read_mails(ws):
        match = re.search(r"\((\w\w)\) of .*?\((\w{3})\) has been renewed and is valid until (\d+ \w+ \d{4})", text)
        if sender.startswith("personnel@") and match:
            found[match[2], match[1]] = english_date(match[3])
    return found


def read_leave(ws):
    """Days by code."""
    days = {}
    for row in rows(ws, "crew/leave-2027-11.csv"):
        if row["state"] == "approved":
            day, last = (dt.date.fromisoformat(row[name]) for name in ("first day", "last day"))
            while day <= last:
                days.setdefault(row["code"], set()).add(day)
                day += dt.timedelta(days=1)
    return days


def read_training(ws):
    days = {}
    calendar = text_of(ws, "crew/training.ics").replace("\r\n ", "")
    for event in calendar.split("BEGIN:VEVENT")[1:]:
        if "STATUS:CONFIRMED" in event:
            day = dt.datetime.strptime(re.search(r"DTSTART:(\d{8})", event)[1], "%Y%m%d").date()
            for code in re.findall(r"\b\w{3}\b", event.split("Taking part:")[1].split("\r\n")[0]):
                days.setdefault(code, set()).add(day)
    return days


def read_requests(ws):
    crew = {row["login"]: code for code, row in read_crew(ws).items()}
    turn = lambda t: t and (dt.date(2027, 11, t["day"]), t["turn"])
    return {
        r["number"]: Request(r["number"], crew[r["by"]], crew[r["to"]], turn(r["gives"]), turn(r["takes"]))
        for r in read_board(ws)
    }


def read_board(ws):
    return json.loads(text_of(ws, "board/swaps-2027-10-28.json"))["requests"]


def board_words(ws):
    """(number, code, local time, agree or withdraw)."""
    crew = {row["login"]: code for code, row in read_crew(ws).items()}
    for request in read_board(ws):
        for entry in request["log"]:
            at = local_time(dt.datetime.fromisoformat(entry["at"].replace("Z", "+00:00")))
            yield request["number"], crew[entry["login"]], at, entry["did"]


def mail_words(ws):
    crew = {row["mail"]: code for code, row in read_crew(ws).items()}
    for sender, at, text in read_mails(ws):
        number = re.search(r"\b2\d{3}\b", text)
        if sender in crew and number:
            if "withdraw" in text:
                yield int(number[0]), crew[sender], at, "withdraw"
            elif re.search(r"\bagree\b", text) and not re.search(r"\bif\b|provided", text):
                yield int(number[0]), crew[sender], at, "agree"


def phone_words(ws):
    """From the watch book, unless one of the two kept the watch."""
    if not read_rules(ws)["phone"]:
        return
    names = {f"{row['first']} {row['last']}": code for code, row in read_crew(ws).items()}
    requests = read_requests(ws)
    entry = r"\w+ (\d+ \w+)  (\d\d:\d\d)  \(watch: (.*)\)\n    (.*?) rings[:,] agrees to (\d+)"
    for day, clock, watch, caller, number in re.findall(entry, text_of(ws, "notes/watch-book.txt")):
        request = requests[int(number)]
        if watch_counts(names.get(watch), request):
            at = dt.datetime.strptime(f"{day} 2027 {clock}", "%d %b %Y %H:%M")
            yield int(number), names[caller], at, "agree"


def watch_counts(watch, request):
    return watch not in (request.asker, request.partner)


def words_said(ws):
    return [*board_words(ws), *mail_words(ws), *phone_words(ws)]


def completions(ws, requests):
    """By number when it became complete; and the numbers withdrawn."""
    complete, withdrawn = {}, set()
    for number, code, at, did in words_said(ws):
        request = requests[number]
        if did == "agree" and code == request.partner:
            complete[number] = min(at, complete.get(number, at))
        elif did == "withdraw" and code in (request.asker, request.partner):
            withdrawn.add(number)
    return complete, withdrawn


def in_order(requests, complete):
    """The numbers of the requests in the order in which they are decided."""
    return sorted(requests, key=lambda number: complete.get(number, dt.datetime.max))


class Office:
    """Decides requests upon a roster that changes with each one granted."""

    def __init__(self, ws):
        self.rules, self.times = read_rules(ws), Times(ws)
        self.roster = october(ws) | read_roster(ws, ROSTER)
        self.papers, self.leave, self.training = read_papers(ws), read_leave(ws), read_training(ws)
        self.crew = read_crew(ws)

    def post(self, code, turn):
        return next((post for post, who in self.roster.get(turn, {}).items() if who == code), None)

    def turns(self, code):
        return {turn for turn, posts in self.roster.items() if code in posts.values()}

    def decide(self, request, complete):
        """The word of the decision for a request that is complete; a granted one is carried out."""
        given = [(request.asker, request.partner, request.gives)]
        given += [(request.partner, request.asker, request.takes)] if request.takes else []
        if self.late(complete, min(self.times.span(turn)[0] for _, _, turn in given)):
            return "late"
        if not all(self.post(giver, turn) for giver, _, turn in given):
            return "gone"
        taken = [(giver, taker, turn, self.post(giver, turn)) for giver, taker, turn in given]
        if not all(self.fit(taker, turn, post) for _, taker, turn, post in taken):
            return "unfit"
        if any(turn[0] in self.away(taker) for _, taker, turn, _ in taken):
            return "away"
        before = {turn: dict(posts) for turn, posts in self.roster.items()}
        for _, taker, turn, post in taken:
            self.roster[turn][post] = taker
        word = self.hours(taken, cover=not request.takes)
        if word != "granted":
            self.roster = before
        return word

    def hours(self, taken, cover):
        for word, kept in (("rest", self.rested), ("run", self.run_allowed)):
            if not all(kept(taker, turn) for _, taker, turn, _ in taken):
                return word
        return "full" if cover and self.too_many(taken[0][1]) else "granted"

    def late(self, complete, begin):
        return begin - (complete - LOCAL_NOW) < dt.timedelta(hours=96)

    def fit(self, code, turn, post):
        day, ship = turn[0], turn[1][0]
        has = lambda paper: self.papers.get((code, paper), dt.date.min) >= day
        asked = {
            "master": has("CM") or (ship == "B" and has("BM")),
            "mate": has("CM") or has("OW"),
            "engineer": has("EC") and (ship == "H" or not self.rules["hv"] or has("HV")),
            "deck": has("AB") and (ship == "B" or has("RB")),
        }
        return asked[post] and has("ME")

    def away(self, code):
        return self.leave.get(code, set()) | self.training.get(code, set())

    def rested(self, code, turn):
        return all(
            gap >= (self.rules["rest_late"] if ends.time() > dt.time(22) else self.rules["rest"])
            for gap, ends in self.rests(code, turn)
        )

    def rests(self, code, turn):
        """The rests of a person just before and after a turn: length in minutes, and when the turn before it ended."""
        spans = sorted(self.times.span(other) for other in self.turns(code))
        place = spans.index(self.times.span(turn))
        pairs = zip(spans[max(place - 1, 0) : place + 1], spans[max(place, 1) : place + 2])
        return [((later[0] - earlier[1]).total_seconds() / 60, earlier[1]) for earlier, later in pairs]

    def run_allowed(self, code, turn):
        days = {day for day, _ in self.turns(code)} | self.training.get(code, set())
        first = last = turn[0]
        while first - dt.timedelta(days=1) in days:
            first -= dt.timedelta(days=1)
        while last + dt.timedelta(days=1) in days:
            last += dt.timedelta(days=1)
        return (last - first).days + 1 <= self.rules["run"]

    def too_many(self, code):
        share = int(self.crew[code]["share"].split()[0])
        return sum(day >= FIRST for day, _ in self.turns(code)) > self.rules["limit"] * share // 100


def derive(ws):
    requests, office = read_requests(ws), Office(ws)
    complete, withdrawn = completions(ws, requests)
    decisions = {}
    for number in in_order(requests, complete):
        if number in withdrawn:
            decisions[number] = "withdrawn"
        elif number not in complete:
            decisions[number] = "unagreed"
        else:
            decisions[number] = office.decide(requests[number], complete[number])
    table = [
        (number, f"{complete[number]:%Y-%m-%dT%H:%M}" if number in complete else "", decisions[number])
        for number in sorted(requests)
    ]
    return {"table": table, "roster": office.roster} | figures(ws, office, decisions)


def figures(ws, office, decisions):
    issued = read_roster(ws, ROSTER)
    changed = {
        (turn, post): office.roster[turn][post]
        for turn, posts in issued.items()
        for post, code in posts.items()
        if office.roster[turn][post] != code
    }
    rests = [(gap, code) for (turn, _), code in changed.items() for gap, _ in office.rests(code, turn)]
    shortest, code = min(rests)
    granted = sum(word == "granted" for word in decisions.values())
    return {
        "granted": granted,
        "refused": len(decisions) - granted,
        "ships": {ship: sum(turn[1][0] == ship for turn, _ in changed) for ship in "HB"},
        "last": max(turn[0] for turn, _ in changed),
        "rest": int(shortest),
        "rested": f"{office.crew[code]['first']} {office.crew[code]['last']}",
    }


def new_roster(ws, roster):
    """The text of the roster with the codes of those who sail now."""
    lines = text_of(ws, ROSTER).split("\r\n")
    for number, line in enumerate(lines):
        if line and not line.startswith("#"):
            day = dt.datetime.strptime(f"{line[4:10]} 2027", "%d %b %Y").date()
            for column, post in zip(COLUMNS, POSTS):
                code = roster[day, line[13:15]].get(post, "---")
                line = line[:column] + code + line[column + 3 :]
            lines[number] = line
    return "\r\n".join(lines)


def note(a):
    return f"""Masters, the new roster is out.

- Granted: {a["granted"]}
- Turned down: {a["refused"]}
- Hallgerd: {a["ships"]["H"]}
- Brinny: {a["ships"]["B"]}
- Last: {a["last"].day} {a["last"]:%B %Y}
- Shortest rest: {a["rest"]}, {a["rested"]}
"""


def write(ws, answer):
    (ws / ROSTER).write_bytes(new_roster(ws, answer["roster"]).encode())
    (ws / "outbox").mkdir(exist_ok=True)
    lines = [("request", "complete", "decision"), *answer["table"]]
    (ws / "outbox/decisions.csv").write_bytes("".join(",".join(map(str, line)) + "\n" for line in lines).encode())
    (ws / "outbox/bridge.md").write_bytes(note(answer).encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
