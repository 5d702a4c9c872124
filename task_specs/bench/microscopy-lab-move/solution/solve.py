"""The oracle: brings the list of steps up to date, places one step after the other, writes the two files."""

import csv
import datetime as dt
import email
import email.policy
import re
import sys
from collections import Counter
from pathlib import Path

TODAY, DAY = dt.date(2027, 6, 10), dt.timedelta(days=1)
MONTHS = {"May": 5, "June": 6, "July": 7, "August": 8}
NUMBERS = {n: w for w, n in enumerate("no one two three four five six seven eight nine".split())}


def spoken_date(text):
    """The date in "Wed 2 June" or "2 June"."""
    day, month = re.search(r"(\d+) (\w+)", text).groups()
    return dt.date(2027, MONTHS[month], int(day))


def mails(ws):
    """Sender and text of all mails, oldest first."""
    found = []
    for path in (ws / "mail").glob("*.eml"):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        found.append((message["Date"].datetime, str(message["From"]), message.get_content()))
    return [item[1:] for item in sorted(found)]


def events(path):
    """Entries of a calendar as property -> value; the end is the last day."""
    entry = {}
    for line in path.read_bytes().decode().replace("\r\n ", "").split("\r\n"):
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            entry = {}
        elif line == "END:VEVENT":
            first, after = (dt.datetime.strptime(entry[n], "%Y%m%d").date() for n in ("DTSTART", "DTEND"))
            yield {**entry, "first": first, "last": last_of(after)}
        entry[name.split(";")[0]] = value


def last_of(dtend):
    return dtend - DAY


def span(first, last):
    return {first + n * DAY for n in range((last - first).days + 1)}


# --- what is to be done ---


def read_steps(ws):
    text = (ws / "move/steps.csv").read_text("utf-8-sig")
    steps = {row["step"]: row for row in csv.DictReader(text.splitlines(), delimiter=";")}
    for row in steps.values():
        row["length"] = int(row["length"])
        row["after"] = row["waits_for"].split("+") if row["waits_for"] else []
    return steps


def decisions(ws):
    """What the meetings decided: step, and its new length or what it waits for."""
    for path in sorted((ws / "move/minutes").glob("*.md")):
        for item in re.findall(r"^\d\. .*?Decided", path.read_text("utf-8"), re.M | re.S):
            if found := re.search(r"\b([A-Z]\d)\b.*? (?:gets|will take) (\w+) days?", item, re.S):
                yield found[1], {"length": NUMBERS[found[2]]}
            if found := re.search(r"\b(?:so it|So (?=S5)S5) waits for (\w+) and (\w+)", item):
                yield "S5", {"after": [found[1], found[2]]}


def quarantine(ws):
    days = [re.search(r"(\d+) days", text)[1] for sender, text in mails(ws) if "biosafety@" in sender]
    return int(days[-1])


def current_steps(ws):
    steps = read_steps(ws)
    for name, change in decisions(ws):
        steps[name] |= change
    for step in steps.values():
        if step["unit"] == "q":
            step["length"] = quarantine(ws)
    return steps


def read_log(ws):
    """First days of the steps that are begun, dates of those that are done."""
    begun, done = {}, {}
    for line in (ws / "move/log.txt").read_text("utf-8").splitlines():
        day = re.match(r"\w{3} +(\d+ \w+) ", line)
        if found := re.search(r"it was (\w\d) that the men began .* (\w\d) has not begun", line):
            begun = put_right(begun, *found.groups())
        elif day:
            name = re.search(r"\b[A-Z]\d\b", line)[0]
            if "begun" in line:
                begun[name] = spoken_date(day[1])
            if "done" in line:
                done[name] = (begun.pop(name), spoken_date(day[1]))
    return begun, done


def put_right(begun, right, wrong):
    return {right if name == wrong else name: day for name, day in begun.items()}


# --- when it can be done ---


def house(ws):
    """Closed days and quiet days."""
    days = {"CLOSED": set(), "QUIET": set(), "EVENT": set()}
    for entry in events(ws / "calendars/institute-2027.ics"):
        days[entry["CATEGORIES"]] |= span(entry["first"], entry["last"])
    return days["CLOSED"], days["QUIET"]


def lift_out(ws):
    for sender, text in mails(ws):
        if "building@" in sender:
            first, last = re.search(r"from \w+ (\d+ \w+) to \w+ (\d+ \w+),", " ".join(text.split())).groups()
            return span(spoken_date(first), spoken_date(last))
    return set()


def mailed_visits(ws):
    """By firm the confirmed visits that were told by mail: first day, last day, engineer."""
    found = {}
    for sender, text in mails(ws):
        if "Service" in sender and "onfirm" in text and "could offer" not in text:
            firm = sender.split(" Service")[0].strip('"')
            visits = found.setdefault(firm, [])
            if moved := re.search(r"was to begin on \w+ (\d+ \w+)", text):
                visits[:] = [visit for visit in visits if visit[0] != spoken_date(moved[1])]
            for first, last, who in re.findall(r"^ +\w+ (\d+ \w+) to \w+ (\d+ \w+): (.+)$", text, re.M):
                visits.append((spoken_date(first), spoken_date(last), who.strip()))
    return found


def calendar_visits(ws, statuses=("CONFIRMED",)):
    found = {}
    for path in (ws / "calendars").glob("*-visits.ics"):
        firm = re.search(r"PRODID:-//(\w+)//", path.read_text("utf-8"))[1]
        found[firm] = [
            (entry["first"], entry["last"], entry["SUMMARY"].split("\\, ")[1])
            for entry in events(path)
            if entry["STATUS"] in statuses
        ]
    return found


class Plan:
    """Places steps; `dates` holds first day, last day and engineer of each."""

    def __init__(self, ws):
        self.steps = current_steps(ws)
        self.closed, quiet = house(ws)
        self.immovable = quiet | lift_out(ws)
        self.visits = mailed_visits(ws) | calendar_visits(ws)
        self.begun, self.done = read_log(ws)
        self.dates = {name: (*days, "") for name, days in self.done.items()}
        for name in self.steps:
            self.place(name)

    def works(self, day):
        return day.weekday() < 5 and day not in self.closed

    def counts(self, step, day):
        """Whether the day is one of those in which the step is measured."""
        return step["unit"] in "cq" or self.works(day)

    def first(self, step, day):
        while not self.counts(step, day):
            day += DAY
        return day

    def last(self, step, day):
        left = step["length"] - 1
        while left:
            day += DAY
            left -= self.counts(step, day)
        return day

    def ready(self, step):
        return self.first(step, max([TODAY, *(self.place(name)[1] for name in step["after"])]) + DAY)

    def place(self, name):
        if name not in self.dates:
            step = self.steps[name]
            if name in self.begun:
                self.dates[name] = (self.begun[name], self.last(step, self.begun[name]), "")
            elif step["who"] == "movers":
                self.give_moves()
            elif step["who"] in self.visits:
                self.dates[name] = self.visit(step)
            else:
                day = self.ready(step)
                self.dates[name] = (day, self.last(step, day), "")
        return self.dates[name]

    def give_moves(self):
        waiting = [(self.ready(step), name) for name, step in self.steps.items() if step["who"] == "movers"]
        given = set()
        for day, name in sorted(waiting, key=lambda item: item[0]):
            while not self.works(day) or day in self.immovable or day in given:
                day += DAY
            given.add(day)
            self.dates[name] = (day, day, "")

    def visit(self, step):
        ready, possible = self.ready(step), []
        for begin, end, engineer in self.visits[step["who"]]:
            day = self.first(step, max(ready, begin))
            if self.last(step, day) <= end:
                possible.append((day, self.last(step, day), engineer))
        return min(possible)


# --- what comes of it ---


def promises(ws):
    letters = {"electron": "E", "confocal": "K", "light": "S"}
    found = {}
    for path in sorted((ws / "users").glob("newsletter-*.md")):
        for word, day in re.findall(r"^- The (\w+) .* by (\d+ \w+)\.$", path.read_text("utf-8"), re.M):
            found[letters[word]] = spoken_date(day)
    return found


def back_in_service(ws, plan):
    promised, rows = promises(ws), []
    for letter in sorted(promised):
        dates = [plan.dates[name] for name, step in plan.steps.items() if step["instrument"] == letter]
        first, last = min(d[0] for d in dates), max(d[1] for d in dates)
        back = plan.first({"unit": "w"}, last + DAY)
        down = sum(plan.works(day) for day in span(first, last))
        rows.append((letter, back, down, "kept" if back <= promised[letter] else "broken"))
    return rows


def chain(plan):
    names, found = list(plan.dates), []
    while names:
        found.append(max(names, key=lambda name: plan.dates[name][1]))
        names = plan.steps[found[-1]]["after"]
    return found[::-1]


def engineer_days(plan):
    days = Counter()
    for name, (_, _, engineer) in plan.dates.items():
        if engineer:
            days[engineer] += plan.steps[name]["length"]
    return sorted(days.items())


def derive(ws):
    plan = Plan(ws)
    return {
        "steps": [(name, *plan.dates[name]) for name in plan.steps if name not in plan.done],
        "instruments": back_in_service(ws, plan),
        "engineers": engineer_days(plan),
        "finished": max(dates[1] for dates in plan.dates.values()),
        "chain": chain(plan),
    }


def write(ws, answer):
    folder = ws / "schedule"
    folder.mkdir(exist_ok=True)
    lines = ["step,begins,ends,engineer", *(",".join(map(str, row)) for row in answer["steps"])]
    (folder / "steps.csv").write_bytes(("\n".join(lines) + "\n").encode())
    lines = ["instruments:"]
    for letter, back, down, promise in answer["instruments"]:
        lines += [f"  - instrument: {letter}", f"    back: {back}", f"    down: {down}", f"    promise: {promise}"]
    lines.append("engineers:")
    for engineer, days in answer["engineers"]:
        lines += [f"  - engineer: {engineer}", f"    days: {days}"]
    lines += [f"finished: {answer['finished']}", "chain:", *(f"  - {name}" for name in answer["chain"])]
    (folder / "summary.yaml").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
