"""The second derivation: duties as flat records, minutes counted from 1 October, rows of days as strings of marks."""

import json
import quopri
from bisect import bisect_left
from datetime import date, timedelta

ORIGIN = date(2027, 10, 1)
NOVEMBER = 31  # day number of 1 November
POSTS = ("master", "mate", "engineer", "deck")
MONTH = {"Oct": 0, "Nov": NOVEMBER}
LONG_MONTHS = "January February March April May June July August September October November December".split()


def text_of(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec).replace("\r\n", "\n")


def cells(workspace, name, delimiter, codec="utf-8"):
    lines = [line for line in text_of(workspace, name, codec).split("\n") if line and line[0] != "#"]
    return [line.split(delimiter) for line in lines[1:]]


def clock(text):
    hours, minutes = text.split(":")
    return 60 * int(hours) + int(minutes)


def day_number(day):
    return (day - ORIGIN).days


def amended(workspace):
    """The lines of the amendments that carry signatures."""
    texts = [text_of(workspace, f"agreement/amendment-{n}.md") for n in (1, 2, 3)]
    return "\n".join(text for text in texts if "Signed for the crews: ..." not in text)


# what people wrote and said: (minute by the local clock, address or code or name, text)


def letters(workspace):
    for path in (workspace / "mail/cur").iterdir():
        head, _, body = path.read_bytes().partition(b"\n\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\n"))
        words = quopri.decodestring(body).decode().replace("\n", " ").strip()
        day, month, _, hour, zone = fields["Date"].split(", ")[1].split()
        sent = (MONTH[month] + int(day) - 1) * 1440 + clock(hour[:5]) + 60 * (1 - int(zone) // 100)
        yield sent, fields["From"].split("<")[1].rstrip(">"), words


def said(workspace, crew, requests):
    """(request, code, minute, agree or withdraw), from board, mail and watch book."""
    logins = {person["login"]: code for code, person in crew.items()}
    addresses = {person["mail"]: code for code, person in crew.items()}
    names = {person["name"]: code for code, person in crew.items()}
    for request in requests.values():
        for entry in request["log"]:
            day, hour = entry["at"].split("T")
            minute = day_number(date.fromisoformat(day)) * 1440 + clock(hour[:5]) + 60
            yield request["number"], logins[entry["login"]], minute, entry["did"]
    for minute, address, words in letters(workspace):
        numbers = [
            int(word) for word in words.replace(":", " ").replace(".", " ").replace(",", " ").split() if word.isdigit()
        ]
        known = [number for number in numbers if number in requests]
        conditional = {"if", "provided"} & {*words.split()}
        if address in addresses and known:
            if "I withdraw" in words:
                yield known[0], addresses[address], minute, "withdraw"
            elif "I agree" in words and not conditional:
                yield known[0], addresses[address], minute, "agree"
    yield from telephoned(workspace, names, requests)


def telephoned(workspace, names, requests):
    lines = text_of(workspace, "notes/watch-book.txt").split("\n")
    for head, entry in zip(lines, lines[1:]):
        if " rings" in entry and "telephone" in amended(workspace):
            number = int(entry.split("agrees to ")[1][:4])
            keeper = names.get(head.split("watch: ")[1].rstrip(")"))
            both = {requests[number]["asker"], requests[number]["partner"]}
            minute = (MONTH[head[7:10]] + int(head[4:6]) - 1) * 1440 + clock(head[12:17])
            if keeper not in both:
                yield number, names[entry.split(" rings")[0].strip()], minute, "agree"


def people(workspace):
    found = {}
    for code, first, last, login, mail, share in cells(workspace, "crew/crew-list.csv", ";", "cp1252"):
        found[code] = {"name": f"{first} {last}", "login": login, "mail": mail, "share": int(share[:-2])}
    return found


def board(workspace, crew):
    logins = {person["login"]: code for code, person in crew.items()}
    listed = json.loads(text_of(workspace, "board/swaps-2027-10-28.json"))["requests"]
    turn = lambda value: (NOVEMBER + value["day"] - 1, value["turn"]) if value else None
    return {
        item["number"]: {
            "number": item["number"],
            "asker": logins[item["by"]],
            "partner": logins[item["to"]],
            "gives": turn(item["gives"]),
            "takes": turn(item["takes"]),
            "log": item["log"],
        }
        for item in listed
    }


# when turns are


def frames(workspace):
    """By (winter, sunday, turn) the first departure and the last arrival."""
    found = {}
    for winter, name in enumerate(("autumn-2027", "winter-2027-28")):
        for days, _, dep, _, arr, turn in cells(workspace, f"timetable/{name}.csv", ";"):
            key = (bool(winter), days == "Sun", turn)
            first, last = found.get(key, (9999, 0))
            found[key] = (min(first, clock(dep)), max(last, clock(arr)))
    return found


def turn_clock(workspace):
    """A function from a turn to its minutes of begin and end."""
    found, annex = frames(workspace), text_of(workspace, "agreement/annex-b-hours.md").split()
    before, after = (int(annex[n - 1]) for n, word in enumerate(annex) if word == "minutes")
    ramp = int(amended(workspace).split("Hallgerd begins ")[1].split()[0])
    feast = int(text_of(workspace, "timetable/autumn-2027.csv").split("Founders' Day, ")[1].split()[1])
    (notice,) = [words for _, address, words in letters(workspace) if address.startswith("operations@")]
    winter = NOVEMBER + int(notice.split("winter timetable starts on Monday ")[1].split()[0]) - 1

    def span(turn):
        day, name = turn
        sunday = (ORIGIN + timedelta(days=day)).weekday() == 6 or day == NOVEMBER + feast - 1
        first, last = found[day >= winter, sunday, name]
        return day * 1440 + first - (ramp if name[0] == "H" else before), day * 1440 + last + after

    return span


# who may sail


def papers(workspace):
    found = {}
    for code, paper, last in cells(workspace, "crew/certificates.tsv", "\t"):
        day, month, year = map(int, last.split("."))
        found.setdefault(code, {})[paper] = day_number(date(year, month, day))
    for _, address, words in letters(workspace):
        if address.startswith("personnel@"):
            code = words.split("(")[2][:3]
            day, month, year = words.split("valid until ")[1].split(".")[0].split()
            found[code]["ME"] = day_number(date(int(year), LONG_MONTHS.index(month) + 1, int(day)))
    return found


def needed(post, ship):
    """Alternatives, each a set of papers."""
    brinny = ship == "B"
    return {
        "master": [{"ME", "CM"}] + ([{"ME", "BM"}] if brinny else []),
        "mate": [{"ME", "CM"}, {"ME", "OW"}],
        "engineer": [{"ME", "EC", "HV"} if brinny else {"ME", "EC"}],
        "deck": [{"ME", "AB"} if brinny else {"ME", "AB", "RB"}],
    }[post]


def absences(workspace):
    """Days of leave and of training as sets of (code, day)."""
    leave, training = set(), set()
    for code, first, last, state in cells(workspace, "crew/leave-2027-11.csv", ","):
        one, other = (day_number(date.fromisoformat(day)) for day in (first, last))
        leave |= {(code, day) for day in range(one, other + 1) if state == "approved"}
    for event in text_of(workspace, "crew/training.ics").replace("\n ", "").split("END:VEVENT"):
        if "STATUS:CONFIRMED" in event:
            stamp = event.split("DTSTART:")[1][:8]
            day = day_number(date(int(stamp[:4]), int(stamp[4:6]), int(stamp[6:])))
            people_there = event.split("Taking part:")[1].split("\n")[0].replace("\\", "").replace(".", "")
            training |= {(code.strip(), day) for code in people_there.split(",")}
    return leave, training


def duties(workspace, name, crew):
    """(day, turn, post) -> code."""
    found = {}
    for line in text_of(workspace, name).split("\n"):
        words = line.split()
        if line[:1] not in ("", "#"):
            day = MONTH[words[2]] + int(words[1]) - 1
            found |= {(day, words[3], post): code for post, code in zip(POSTS, words[4:8]) if code in crew}
    return found


class Desk:
    """The roster while requests are decided."""

    def __init__(self, workspace):
        self.crew = people(workspace)
        self.requests = board(workspace, self.crew)
        self.issued = duties(workspace, "roster/november-2027.txt", self.crew)
        self.now = duties(workspace, "roster/october-2027-second-half.txt", self.crew) | self.issued
        self.span, self.papers = turn_clock(workspace), papers(workspace)
        self.leave, self.training = absences(workspace)
        changes = amended(workspace)
        self.after_ten = 720 if "12 hours" in changes else 660
        self.longest = 6 if "six days" in changes else 7
        self.most = int(text_of(workspace, "agreement/annex-b-hours.md").split("comes to more than ")[1].split()[0])

    def place_of(self, code, turn):
        return next((place for place, who in self.now.items() if place[:2] == turn and who == code), None)

    def rests(self, code, turn):
        """(minutes, least allowed) before and after that turn of somebody's."""
        spans = sorted(self.span(place[:2]) for place, who in self.now.items() if who == code)
        at = bisect_left(spans, self.span(turn))
        return [
            (later - end, self.after_ten if end % 1440 > 1320 else 660)
            for (_, end), (later, _) in zip(spans[max(at - 1, 0) :], spans[max(at, 1) : at + 2])
        ]

    def row(self, code, day):
        marks = "".join(
            "x"
            if n in {place[0] for place, who in self.now.items() if who == code} or (code, n) in self.training
            else " "
            for n in range(day - 8, day + 9)
        )
        return len(marks[:8].split(" ")[-1]) + 1 + len(marks[9:].split(" ")[0])

    def word(self, request, minute):
        """The decision on a complete request; what is granted stays in the roster."""
        asker, partner, gives, takes = (request[name] for name in ("asker", "partner", "gives", "takes"))
        hands = [(asker, gives, partner)] + ([(partner, takes, asker)] if takes else [])
        starts = min(self.span(turn)[0] for _, turn, _ in hands) + 60  # the clocks have gone back in between
        if starts - minute < 96 * 60:
            return "late"
        places = [self.place_of(giver, turn) for giver, turn, _ in hands]
        if None in places:
            return "gone"
        for place, (_, (day, _), taker) in zip(places, hands):
            valid = {paper for paper, last in self.papers[taker].items() if last >= day}
            if not any(asked <= valid for asked in needed(place[2], place[1][0])):
                return "unfit"
        if any((taker, turn[0]) in self.leave | self.training for _, turn, taker in hands):
            return "away"
        kept = dict(self.now)
        self.now |= {place: taker for place, (_, _, taker) in zip(places, hands)}
        fault = self.fault(hands)
        if fault:
            self.now = kept
        return fault or "granted"

    def fault(self, hands):
        if any(had < least for _, turn, taker in hands for had, least in self.rests(taker, turn)):
            return "rest"
        if any(self.row(taker, turn[0]) > self.longest for _, turn, taker in hands):
            return "run"
        taker = hands[0][2]
        had = sum(who == taker and place[0] >= NOVEMBER for place, who in self.now.items())
        return "full" if len(hands) == 1 and had * 100 > self.most * self.crew[taker]["share"] else None


def states(workspace, desk):
    """Minute of completion by request, and the requests withdrawn."""
    complete, withdrawn = {}, set()
    for number, code, minute, did in sorted(said(workspace, desk.crew, desk.requests), key=lambda row: -row[2]):
        request = desk.requests[number]
        if did == "agree" and code == request["partner"]:
            complete[number] = minute
        if did == "withdraw" and code in (request["asker"], request["partner"]):
            withdrawn.add(number)
    return complete, withdrawn


def stamp(minute):
    day = ORIGIN + timedelta(days=minute // 1440)
    return f"{day.isoformat()}T{minute % 1440 // 60:02d}:{minute % 60:02d}"


def printed(workspace, desk):
    """The roster's text, each changed code put where the old one stood."""
    lines = (workspace / "roster/november-2027.txt").read_bytes().decode().split("\n")
    for number, line in enumerate(lines):
        words = line.split()
        if line[:1] not in ("", "#", "\r"):
            day, at = NOVEMBER + int(words[1]) - 1, line.index(words[3]) + 2
            for post, code in zip(POSTS, words[4:8]):
                at = line.index(code, at)
                line = line[:at] + desk.now.get((day, words[3], post), code) + line[at + 3 :]
                at += 3
            lines[number] = line
    return "\n".join(lines)


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    desk = Desk(workspace)
    complete, withdrawn = states(workspace, desk)
    words = dict.fromkeys(desk.requests, "unagreed")
    for number in sorted(complete, key=complete.get):
        words[number] = "withdrawn" if number in withdrawn else desk.word(desk.requests[number], complete[number])
    new = {place: who for place, who in desk.now.items() if place in desk.issued and who != desk.issued[place]}
    rests = sorted((had, who) for place, who in new.items() for had, _ in desk.rests(who, place[:2]))
    last = ORIGIN + timedelta(days=max(place[0] for place in new))
    granted = sum(word == "granted" for word in words.values())
    return {
        "numbers": [str(number) for number in sorted(words)],
        "words": {str(number): {"decision": word} for number, word in words.items()},
        "moments": {str(n): {"complete": stamp(complete[n]) if n in complete else None} for n in words},
        "roster": printed(workspace, desk),
        "granted": granted,
        "turned_down": len(words) - granted,
        "hallgerd": sum(place[1][0] == "H" for place in new),
        "brinny": sum(place[1][0] == "B" for place in new),
        "last": last.isoformat(),
        "rest": rests[0][0],
        "rest_name": desk.crew[rests[0][1]]["name"],
    }
