"""The second derivation, from the pristine workspace: lives through the summer day by day and starts what can start."""

import quopri
import re
from datetime import date, timedelta

MONTHS = {"May": 5, "June": 6, "July": 7, "August": 8}
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
START, TODAY, END = date(2027, 5, 31), date(2027, 6, 10), date(2027, 8, 31)
DAYS = [START + timedelta(n) for n in range((END - START).days + 1)]


def day_in(text):
    number, month = text.split()[-2:]
    return date(2027, MONTHS[month], int(number))


def letter(path):
    head, _, body = path.read_bytes().partition(b"\n\n")
    sender = re.search(r"^From: (.*)$", head.decode(), re.M)[1]
    return sender, " ".join(quopri.decodestring(body).decode().split())


def letters(workspace):
    """All mails in the order of their file names, which begin with the day."""
    return [letter(path) for path in sorted((workspace / "mail").iterdir())]


def calendar(path):
    """Days (a set) and lines of each entry."""
    for block in path.read_bytes().decode().replace("\r\n ", "").split("BEGIN:VEVENT")[1:]:
        begin, end = (
            date(int(digits[:4]), int(digits[4:6]), int(digits[6:])) for digits in re.findall(r"DATE:(\d{8})", block)
        )
        yield {day for day in DAYS if begin <= day < end}, block


def steps_of(workspace):
    """By step a list: instrument, length, unit, who, what it waits for."""
    steps = {}
    for line in (workspace / "move/steps.csv").read_bytes().decode("utf-8-sig").split("\r\n")[1:-1]:
        name, instrument, _, length, unit, who, after = line.split(";")
        steps[name] = [instrument, int(length), unit, who, [part for part in after.split("+") if part]]
    for path in sorted((workspace / "move/minutes").iterdir()):
        text = " ".join(path.read_text("utf-8").split())
        for name, word in re.findall(r"\b([A-Z]\d)(?:\)\.\*\*[^*]*?)? (?:gets|will take) (\w+) days?", text):
            steps[name][1] = WORDS.index(word)
        for one, other in re.findall(r"waits for (\w\d) and (\w\d)", text):
            steps["S5"][4] = [one, other]
    steps["S3"][1] = int(
        [re.search(r"(\d+) days", text)[1] for who, text in letters(workspace) if "biosafety" in who][-1]
    )
    return steps


def logged(workspace):
    """First days of begun steps, last days of done ones."""
    text = (workspace / "move/log.txt").read_text("utf-8")
    begun = {name: day_in(day) for day, name in re.findall(r"^\w+ +(\d+ \w+) +(\w\d) begun", text, re.M)}
    done = {name: day_in(day) for day, name in re.findall(r"^\w+ +(\d+ \w+) +(\w\d) .*done", text, re.M)}
    right = re.search(r"it was (\w\d) .* (\w\d) has not begun", text)
    begun[right[1]] = begun.pop(right[2])
    return begun, done


def visits_of(workspace):
    """By firm the confirmed visits as (days, engineer)."""
    found = {}
    for path in (workspace / "calendars").glob("*-visits.ics"):
        for days, block in calendar(path):
            if "STATUS:CONFIRMED" in block:
                who = re.search(r"Institute\\, (.*)\r", block)[1]
                found.setdefault(re.search(r"//(\w+)//", path.read_text("utf-8"))[1], []).append((days, who))
    told = [(who.split(" Service")[0], text) for who, text in letters(workspace) if " Service <" in who]
    for firm, text in told[1:]:  # the first mail only offers
        dropped = re.search(r"begin on \w+ (\d+ \w+):", text)
        kept = [visit for visit in found.get(firm, []) if not dropped or min(visit[0]) != day_in(dropped[1])]
        for first, last, who in re.findall(r"\w+ (\d+ \w+) to \w+ (\d+ \w+): (\w+ \w+)", text):
            kept.append(({day for day in DAYS if day_in(first) <= day <= day_in(last)}, who))
        found[firm] = kept
    return found


def house(workspace):
    """Working days and, among them, days for moves."""
    closed, still = set(), set()
    for days, block in calendar(workspace / "calendars/institute-2027.ics"):
        closed |= days if "CATEGORIES:CLOSED" in block else set()
        still |= days if "CATEGORIES:QUIET" in block else set()
    (lift,) = (text for who, text in letters(workspace) if who.startswith("Building"))
    first, last = (day_in(day) for day in re.findall(r"\w+ (\d+ \w+)", lift.split(" from ")[1].split(",")[0]))
    works = [day for day in DAYS if day.isoweekday() < 6 and day not in closed]
    return works, [day for day in works if day not in still and not first <= day <= last]


def days_of(step, begin, works):
    """The days on which a step is at work, from its first day on."""
    measure = works if step[2] == "w" else DAYS
    return [day for day in measure if day >= begin][: step[1]]


def lived(workspace, steps, works, moves):
    """By step its days and the engineer."""
    begun, done = logged(workspace)
    visits, days, engineer, since = visits_of(workspace), {}, {}, {}
    for name, begin in begun.items():
        last = done.get(name)
        days[name] = days_of(steps[name], begin, works) if last is None else [begin, last]
    for today in DAYS:
        if today <= TODAY:
            continue
        moved = False
        for name, step in steps.items():
            over = all(other in days and days[other][-1] < today for other in step[4])
            if name not in days and over and (step[2] != "w" or today in works):
                since.setdefault(name, today)
        for name in sorted(since, key=lambda name: (since[name], list(steps).index(name))):
            step, at_work = steps[name], days_of(steps[name], today, works)
            if name in days:
                continue
            if step[3] == "movers":
                if moved or today not in moves:
                    continue
                moved = True
            if step[3] in visits:
                who = [who for span, who in visits[step[3]] if today in works and set(at_work) <= span]
                if not who:
                    continue
                engineer[name] = who[0]
            if step[2] == "w" and today not in works:
                continue
            days[name] = at_work
    return days, engineer, done


def promised(workspace):
    text = "\n".join((workspace / f"users/newsletter-2027-{month}.md").read_text("utf-8") for month in ("06", "05"))
    first = {}
    for letter, word in (("E", "electron"), ("K", "confocal"), ("S", "light sheet")):
        first[letter] = day_in(re.search(rf"The {word}.* by (\d+ \w+)\.", text)[1])
    return first


def back_rows(workspace, steps, days, works):
    found = {}
    for letter, last in promised(workspace).items():
        own = [day for name, step in steps.items() if step[0] == letter for day in days[name]]
        back = next(day for day in works if day > max(own))
        down = [day for day in works if min(own) <= day <= max(own)]
        promise = "kept" if back <= last else "broken"
        found[letter] = {"back": back.isoformat(), "down": len(down), "promise": promise}
    return found


def expected(workspace):
    steps, (works, moves) = steps_of(workspace), house(workspace)
    days, engineer, done = lived(workspace, steps, works, moves)
    rows = {
        name: {"begins": own[0].isoformat(), "ends": own[-1].isoformat(), "engineer": engineer.get(name, "")}
        for name, own in days.items()
        if name not in done
    }
    busy = {}
    for name, who in engineer.items():
        busy[who] = {"days": busy.get(who, {"days": 0})["days"] + len(days[name])}
    chain = [max(days, key=lambda name: days[name][-1])]
    while steps[chain[-1]][4]:
        chain.append(sorted(steps[chain[-1]][4], key=lambda name: days[name][-1])[-1])
    return {
        "rows": rows,
        "back": back_rows(workspace, steps, days, works),
        "engineers": busy,
        "ending": {"finished": days[chain[0]][-1].isoformat(), "chain": sorted(chain)},
    }
