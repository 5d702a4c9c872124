"""The second derivation, from the pristine workspace: minutes of the week in sets, jobs settled one by one in whole numbers."""

import quopri
import re
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime

MATCHES = ("Repetitions", "100%", "85-99%", "75-84%", "New")
MONDAY = datetime(2027, 5, 3)
LATER = {"Copenhagen": 0, "London": 60, "Helsinki": -60}
MONTHS = "January February March April May June July August September October November December".split()


def letters(folder):
    """Headers and text of the mails in a folder, oldest first by the moment they were sent."""
    found = []
    for path in folder.iterdir():
        head, _, body = path.read_bytes().partition(b"\n\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        sent = parsedate_to_datetime(headers["Date"])
        found.append((sent, headers, quopri.decodestring(body).decode()))
    return sorted(found, key=lambda item: item[0])


def first_number(text, before, after=""):
    """The number that stands between two phrases."""
    return re.search(rf"{re.escape(before)} (\d[\d:]*) ?{re.escape(after)}", text)[1]


def minute_of(clock):
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def week_minute(value):
    """Minutes from Monday 0:00 on Asta's clock of an iCalendar date or time."""
    moment = datetime.strptime(value.rstrip("Z"), "%Y%m%dT%H%M%S" if "T" in value else "%Y%m%d")
    return (moment - MONDAY) // timedelta(minutes=1) + (120 if value.endswith("Z") else 0)


def entries(path):
    """Each entry of a calendar as property -> value, parameters left out."""
    entry = {}
    for line in path.read_bytes().decode().replace("\r\n ", "").split("\r\n"):
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            entry = {}
        elif line == "END:VEVENT":
            yield entry
        else:
            entry[name.split(";")[0]] = value


def taken(workspace):
    """All minutes of the week that the calendars take away."""
    minutes = set()
    for day in entries(workspace / "desk/denmark-2027.ics"):
        if day["CATEGORIES"] == "Public holiday":
            start = week_minute(day["DTSTART"])
            minutes |= set(range(start, start + 1440))
    for entry in entries(workspace / "desk/calendar.ics"):
        if entry["STATUS"] == "CONFIRMED" and "TRANSP" not in entry:
            start = this_week(entry)
            if start is not None:
                minutes |= set(range(start, start + week_minute(entry["DTEND"]) - week_minute(entry["DTSTART"])))
    return minutes


def this_week(entry):
    """The minute of the week at which an entry begins; None where it does not come up in this week."""
    start, rule = week_minute(entry["DTSTART"]), entry.get("RRULE")
    if rule is None:
        return start if 0 <= start < 5 * 1440 else None
    weeks = 2 if "INTERVAL=2" in rule else 1
    shown = start % 10080
    ended = "UNTIL=" in rule and week_minute(rule.split("UNTIL=")[1]) < shown
    missed = (shown - start) % (weeks * 10080) != 0
    skipped = "EXDATE" in entry and week_minute(entry["EXDATE"]) == shown
    return None if ended or missed or skipped else shown


def rules(workspace):
    """Pace, end of the day, floor, rush, days of grace."""
    told = next(text for _, head, text in letters(workspace / "mail/sent") if "vikesdal" in head["To"])
    note = (workspace / "desk/notebook.txt").read_text("utf-8")
    return {
        "pace": int(first_number(note, "I plan with", "weighted words")),
        "stop": minute_of(first_number(note, "working day ends at")),
        "floor": int(first_number(note, "Under", "kroner an hour")),
        "rush": int(first_number(told, "Tuesday costs", "% more")),
        "grace": int(first_number(told, "more than", "days before")),
    }


def sheets(workspace):
    found = {}
    for path in (workspace / "clients").iterdir():
        lines = [line.split("#")[0].partition(":") for line in path.read_text("utf-8").splitlines()]
        found[path.stem] = {name.strip(): value.strip() for name, _, value in lines}
    return found


def raised(workspace, sheet_of):
    """The sheets, with each rate that Asta has changed by mail with effect before the week's offers."""
    for _, head, text in letters(workspace / "mail/sent"):
        change = re.search(r"from (\d+) (\w+) 2027 I charge ([\d.]+)", " ".join(text.split()))
        if change and date(2027, MONTHS.index(change[2]) + 1, int(change[1])) <= date(2027, 4, 26):
            sheet_of[head["To"].split("@")[1].split(".")[0]]["rate"] = change[3]
    return sheet_of


def hundredths_of_words(workspace, text, sheet):
    """Weighted words in hundredths as a mail states them, or None."""
    if "[Attachment" in text:
        lines = (workspace / re.search(r"counts/[^\]]+", text)[0]).read_text("utf-8-sig").splitlines()
        cells = [line.split(";" if ";" in line else ",") if ";" in lines[0] else line.split(",") for line in lines]
        column = cells[0].index("Words")
        return sum(int(row[column].replace(",", "")) * int(sheet[row[0]]) for row in cells[1:] if row[0] in MATCHES)
    stated = re.search(r"([\d,]+)\s+words", text)
    return int(stated[1].replace(",", "")) * 100 if stated else None


def jobs(workspace, sheet_of):
    """By reference what the mails say in the end; None for an offer that was taken back."""
    found = {}
    for _, head, text in letters(workspace / "mail/inbox"):
        if "[" not in head["Subject"]:
            continue
        reference = head["Subject"].split("[")[1].split("]")[0]
        client = head["From"].split("@")[1].split(".")[0]
        job, flat = found.setdefault(reference, {"client": client}), " ".join(text.split())
        words = hundredths_of_words(workspace, text, sheet_of[client])
        due = re.search(r"(\d) May, (\d\d:\d\d)", flat)
        pair = re.search(r"(\w+) into (\w+)", flat)
        job.update({"words": words} if words else {})
        job.update({"day": int(due[1]) - 3, "clock": due[2]} if due else {})
        job.update({"pair": pair.groups()} if pair else {})
        job["off"] = job.get("off") or "offer back" in flat
    return {reference: job for reference, job in found.items() if not job["off"]}


def late_payers(workspace, grace):
    text = (workspace / "books/invoices.csv").read_bytes().decode("cp1252")
    for line in text.splitlines()[1:]:
        _, client, _, due, _, paid, _ = line.split(";")
        day, month, year = map(int, due.split("-"))
        if not paid and date(year, month, day) < date(2027, 4, 30) - timedelta(days=grace):
            yield client


def settle(job, sheet, rule):
    """Adds half hours, fee and deadline (minutes of the week by Asta's clock)."""
    job["halves"] = (2 * job["words"] + 100 * rule["pace"] - 1) // (100 * rule["pace"])
    ore = int(sheet["rate"].replace(".", ""))
    millionths = job["words"] * ore * (100 + (rule["rush"] if job["day"] < 2 else 0))
    job["fee"] = max((2 * millionths + 1_000_000) // 2_000_000, int(sheet["minimum"]))
    job["due"] = job["day"] * 1440 + minute_of(job["clock"]) + LATER[sheet["clock"]]


def no_to(job, sheet, rule, late):
    from_, into = job["pair"]
    if into != "English" or from_ not in ("Danish", "Norwegian"):
        return "pair"
    if sheet["name"] in late:
        return "unpaid"
    return "low" if 2 * job["fee"] < rule["floor"] * job["halves"] else ""


def working_starts(workspace, stop):
    gone = taken(workspace)
    for day in range(5):
        for start in [*range(540, 720, 30), *range(780, stop, 30)]:
            if not gone & set(range(day * 1440 + start, day * 1440 + start + 30)):
                yield day * 1440 + start


def iso(minute):
    return (MONDAY + timedelta(minutes=minute)).isoformat(timespec="minutes")


def rows_of(calendar):
    """Rows of the plan from job by start of half hour."""
    rows = {}
    for start, job in calendar.items():
        if calendar.get(start - 30) != job:
            end = start
            while calendar.get(end) == job:
                end += 30
            day, clock = iso(start).split("T")
            rows[f"{day}|{clock}"] = {"end": iso(end).split("T")[1], "job": job}
    return rows


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    rule, sheet_of = rules(workspace), raised(workspace, sheets(workspace))
    offers, late = jobs(workspace, sheet_of), set(late_payers(workspace, rule["grace"]))
    said_yes = {
        head["Subject"].split("[")[1].rstrip("]")
        for _, head, text in letters(workspace / "mail/sent")
        if "\n\nyes" in text
    }
    starts, calendar, declined, ends = list(working_starts(workspace, rule["stop"])), {}, {}, {}
    for job in offers.values():
        settle(job, sheet_of[job["client"]], rule)
    queue = sorted(offers, key=lambda ref: offers[ref]["fee"] / offers[ref]["halves"], reverse=True)
    for reference in [*(r for r in queue if r in said_yes), *(r for r in queue if r not in said_yes)]:
        job = offers[reference]
        reason = "" if reference in said_yes else no_to(job, sheet_of[job["client"]], rule, late)
        room = [s for s in starts if s not in calendar and s + 30 <= job["due"]]
        if not reason and len(room) < job["halves"]:
            reason = "full"
        if reason:
            declined[reference] = {"reason": reason}
            continue
        calendar |= dict.fromkeys(room[: job["halves"]], reference)
        ends[reference] = room[job["halves"] - 1] + 30
    return {
        "plan": rows_of(calendar),
        "fees": {r: {"fee": offers[r]["fee"]} for r in ends},
        "works": {r: {"hours": offers[r]["halves"] / 2, "ready": iso(end)} for r, end in ends.items()},
        "declined": declined,
        "totals": {
            "total_fee": sum(offers[r]["fee"] for r in ends),
            "total_hours": len(calendar) / 2,
            "hours_left": (len(starts) - len(calendar)) / 2,
        },
    }
