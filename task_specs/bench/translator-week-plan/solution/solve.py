"""The oracle: reads Asta's mail, sheets, counts and calendars, plans half hour by half hour, writes the two files."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

WEEK = [dt.date(2027, 5, 3) + dt.timedelta(days=n) for n in range(5)]
TODAY = dt.date(2027, 4, 30)
HALF_HOUR = dt.timedelta(minutes=30)
AHEAD = {"Copenhagen": 0, "London": 1, "Helsinki": -1}  # hours by which Asta's clock is ahead of the client's
HERS = ("Danish into English", "Norwegian into English")


def read_mail(path):
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    return {
        "from": str(message["From"]),
        "to": str(message["To"]),
        "at": message["Date"].datetime,
        "subject": str(message["Subject"]),
        "text": " ".join(message.get_content().split()),
    }


def mails(ws, box):
    return sorted((read_mail(path) for path in (ws / "mail" / box).glob("*.eml")), key=lambda mail: mail["at"])


def domain(address):
    return re.search(r"@([\w.]+)", address)[1]


def number(pattern, text):
    return Fraction(re.search(pattern, text)[1].replace(",", ""))


def clock(text):
    return dt.time(*map(int, text.split(":")))


def read_rules(ws):
    """The mail to Jorunn, then what the notebook changed after it."""
    text = next(mail["text"] for mail in mails(ws, "sent") if "jorunn@" in mail["to"])
    rules = {
        "stop": clock(re.search(r"13:00 to (\d+:\d+)", text)[1]),
        "pace": number(r"do (\d+) weighted words an hour", text),
        "rush": number(r"costs (\d+) % more", text),
        "floor": number(r"under (\d+) kroner", text),
        "days": int(number(r"more than (\d+) days", text)),
    }
    return rules | read_notebook(ws)


def read_notebook(ws):
    """What the entries of 2027 say that changes a rule."""
    text = (ws / "desk/notebook.txt").read_text("utf-8")
    return {
        "stop": clock(re.search(r"working day ends at (\d+:\d+)", text)[1]),
        "pace": number(r"plan with (\d+) weighted words", text),
        "floor": number(r"Under (\d+) kroner", text),
    }


def read_clients(ws):
    """By mail domain: name, clock, rate, minimum, grid by match (none for a direct client)."""
    found = {}
    for path in (ws / "clients").glob("*.yaml"):
        text = path.read_text("utf-8")
        grid = dict(re.findall(r"^  (\S+): (\d+)$", text, re.MULTILINE))
        found[re.search(r"mail: '@(.*)'", text)[1]] = {
            "name": re.search(r"name: (.*)", text)[1],
            "clock": re.search(r"clock: (.*)", text)[1],
            "rate": number(r"rate: ([\d.]+)", text),
            "minimum": number(r"minimum: (\d+)", text),
            "grid": {match: int(share) for match, share in grid.items()},
        }
    return found


def new_rates(ws):
    """By mail domain: the day from which a new rate holds, and the rate."""
    found = {}
    for mail in mails(ws, "sent"):
        match = re.search(r"from (\d+ \w+ 2027) I charge ([\d.]+) kroner", mail["text"])
        if match:
            day = dt.datetime.strptime(match[1], "%d %B %Y").date()
            found[domain(mail["to"])] = (day, Fraction(match[2]))
    return found


def rate(client, came_in, change):
    return change[1] if change and came_in >= change[0] else client["rate"]


def weighted_words(ws, client, mail):
    """The words that a mail states, by its count or in its text, in hundredths, match by match."""
    attached = re.search(r"saved as (counts/\S+\.csv)", mail["text"])
    if attached:
        text = (ws / attached[1]).read_bytes().decode("utf-8-sig")
        for row in csv.DictReader(text.splitlines(), delimiter=";" if ";" in text else ","):
            match = row.get("Match") or row.get("Type")
            yield int(row["Words"].replace(",", "")) * client["grid"].get(match, 0)  # 0 for the total
    elif re.search(r"[\d,]+ words", mail["text"]):
        yield int(number(r"([\d,]+) words", mail["text"])) * 100


def deadline(client, mail):
    match = re.search(r"\w+day (\d+) May, (\d+:\d+)", mail["text"])
    if match:
        moment = dt.datetime.combine(dt.date(2027, 5, int(match[1])), clock(match[2]))
        return moment + dt.timedelta(hours=AHEAD[client["clock"]])
    return None


def read_offers(ws):
    """By reference: the client's domain, the day it came in, pair, weighted words, deadline."""
    clients, offers = read_clients(ws), {}
    for mail in mails(ws, "inbox"):
        reference = re.search(r"\[(\S+)\]", mail["subject"])
        if not reference:
            continue
        client = clients[domain(mail["from"])]
        offer = offers.setdefault(reference[1], {"client": domain(mail["from"]), "came_in": mail["at"].date()})
        for field, value in (
            ("pair", re.search(r"\w+ into \w+", mail["text"])),
            ("words", Fraction(sum(weighted_words(ws, client, mail)), 100)),
            ("due", deadline(client, mail)),
        ):
            if value:
                offer[field] = value[0] if field == "pair" else value
        offer["withdrawn"] = "take this offer back" in mail["text"]
    return {reference: offer for reference, offer in offers.items() if not offer["withdrawn"]}


def promised(ws):
    return {
        re.search(r"\[(\S+)\]", mail["subject"])[1]
        for mail in mails(ws, "sent")
        if "[" in mail["subject"] and re.search(r"\byes\b", mail["text"])
    }


def debtors(ws, days):
    """Names of clients with an open invoice that was due more than so many days ago."""
    text = (ws / "books/invoices.csv").read_bytes().decode("cp1252")
    return {
        row["Client"]
        for row in csv.DictReader(text.splitlines(), delimiter=";")
        if not row["Paid"] and (TODAY - dt.datetime.strptime(row["Due"], "%d-%m-%Y").date()).days > days
    }


def events(path):
    """The entries of a calendar as mappings from property to value."""
    text = path.read_bytes().decode().replace("\r\n ", "")
    for block in text.split("BEGIN:VEVENT")[1:]:
        pairs = [line.split(":", 1) for line in block.split("END:VEVENT")[0].split("\r\n") if ":" in line]
        yield {head.split(";")[0]: value for head, value in pairs}


def moment(value):
    """A DTSTART or the like by Asta's clock."""
    if len(value) == 8:
        return dt.datetime.strptime(value, "%Y%m%d")
    found = dt.datetime.strptime(value[:15], "%Y%m%dT%H%M%S")
    return found + dt.timedelta(hours=2) if value.endswith("Z") else found


def occurrences(event):
    """The starts of an entry, as far as the end of the week."""
    start = moment(event["DTSTART"])
    rule = dict(part.split("=") for part in event.get("RRULE", "COUNT=1").split(";"))
    if "FREQ" not in rule:
        return [start]
    step = dt.timedelta(weeks=int(rule.get("INTERVAL", 1)))
    until = moment(rule["UNTIL"]) if "UNTIL" in rule else dt.datetime(2027, 5, 8)
    skipped = {moment(event["EXDATE"])} if "EXDATE" in event else set()
    found = [start + n * step for n in range(60)]
    return [start for start in found if start <= until and start not in skipped]


def busy(ws):
    """Pairs of start and end during which Asta cannot work."""
    for event in events(ws / "desk/calendar.ics"):
        if event["STATUS"] != "CONFIRMED" or event.get("TRANSP") == "TRANSPARENT":
            continue
        length = moment(event["DTEND"]) - moment(event["DTSTART"])
        yield from ((start, start + length) for start in occurrences(event))


def days_off(ws):
    return {
        moment(event["DTSTART"]).date()
        for event in events(ws / "desk/denmark-2027.ics")
        if event["CATEGORIES"] == "Public holiday"
    }


def free_half_hours(ws, stop):
    taken, off, found = list(busy(ws)), days_off(ws), []
    for day in WEEK:
        for begin, end in (("9:00", "12:00"), ("13:00", stop.strftime("%H:%M"))):
            slot = dt.datetime.combine(day, clock(begin))
            while day not in off and slot < dt.datetime.combine(day, clock(end)):
                if not any(start < slot + HALF_HOUR and finish > slot for start, finish in taken):
                    found.append(slot)
                slot += HALF_HOUR
    return found


def price(offer, client, change, rules):
    surcharge = rules["rush"] if offer["due"].weekday() < 2 else 0
    exact = offer["words"] * rate(client, offer["came_in"], change) * (100 + surcharge) / 100
    return int(max(exact, client["minimum"]) + Fraction(1, 2))


def refusal(offer, client, rules, owing):
    if offer["pair"] not in HERS:
        return "pair"
    if client["name"] in owing:
        return "unpaid"
    return "low" if offer["fee"] < rules["floor"] * offer["halves"] / 2 else None


def derive(ws):
    rules, clients, changes, offers = read_rules(ws), read_clients(ws), new_rates(ws), read_offers(ws)
    free, promises, owing = free_half_hours(ws, rules["stop"]), promised(ws), debtors(ws, rules["days"])
    accepted, declined = {}, {}
    for reference, offer in offers.items():
        client = clients[offer["client"]]
        offer["halves"] = int(-(-offer["words"] * 2 // rules["pace"]))
        offer["fee"] = price(offer, client, changes.get(offer["client"]), rules)
        reason = None if reference in promises else refusal(offer, client, rules, owing)
        if reason:
            declined[reference] = reason
    turn = lambda r: (r not in promises, -Fraction(offers[r]["fee"], offers[r]["halves"]))
    for reference in sorted(offers.keys() - declined.keys(), key=turn):
        offer = offers[reference]
        slots = free[: offer["halves"]]
        if len(slots) < offer["halves"] or slots[-1] + HALF_HOUR > offer["due"]:
            declined[reference] = "full"
        else:
            accepted[reference] = {"fee": offer["fee"], "slots": slots}
            free = free[len(slots) :]
    return {"accepted": accepted, "declined": declined, "left": len(free) / 2}


def stretches(accepted):
    """Rows of day, start, end, job, in order of time."""
    found = []
    for start, job in sorted((slot, job) for job, work in accepted.items() for slot in work["slots"]):
        if found and found[-1][1:] == [start, job]:
            found[-1][1] = start + HALF_HOUR
        else:
            found.append([start, start + HALF_HOUR, job])
    return [(f"{a:%Y-%m-%d}", f"{a:%H:%M}", f"{b:%H:%M}", job) for a, b, job in found]


def replies(answer):
    accepted = [
        {
            "job": job,
            "fee": work["fee"],
            "hours": len(work["slots"]) / 2,
            "ready": f"{work['slots'][-1] + HALF_HOUR:%Y-%m-%dT%H:%M}",
        }
        for job, work in sorted(answer["accepted"].items())
    ]
    return {
        "accepted": accepted,
        "declined": [{"job": job, "reason": reason} for job, reason in sorted(answer["declined"].items())],
        "total_fee": sum(row["fee"] for row in accepted),
        "total_hours": sum(row["hours"] for row in accepted),
        "hours_left": answer["left"],
    }


def write(ws, answer):
    folder = ws / "week-18"
    folder.mkdir(exist_ok=True)
    rows = [("day", "start", "end", "job"), *stretches(answer["accepted"])]
    (folder / "plan.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    (folder / "replies.json").write_text(json.dumps(replies(answer), indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
