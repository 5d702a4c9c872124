"""The oracle: replays minutes, sheets, walk book and invoices over the register, edits it in place, writes the summary."""

import csv
import datetime as dt
import email
import email.policy
import re
import sys
from decimal import Decimal
from pathlib import Path

TODAY = dt.date(2027, 10, 12)
STRICTER_FROM = "2027-05-12"  # the board's change of 6.5, 11 May, item 3
FIELDS = ("what", "raised", "owner", "due", "limit", "spent", "status", "closed")
HELD = ("2027-05-11", "2027-07-20", "2027-09-14")
ACTION = re.compile(r"ACTION: (?P<what>.+?) \((?P<owner>[A-Z]{2}), (?P<due>[^,)]+)(?:, limit £(?P<limit>[\d,]+))?\)")
DAY = r"(\d{1,2} [A-Z][a-z]+ \d{4})"


def rows(path, encoding):
    return list(csv.DictReader(path.read_text(encoding).splitlines(), delimiter=";"))


def iso(words):
    return dt.datetime.strptime(words, "%d %B %Y").date().isoformat()


def pounds(text):
    return f"{Decimal(text.replace(',', '')):.2f}" if text else ""


def read_register(ws):
    entries = {}
    for line in (ws / "register/actions.yaml").read_text("utf-8").splitlines():
        if head := re.fullmatch(r"  (A-\d+):", line):
            entry = entries.setdefault(head[1], {})
        elif field := re.fullmatch(r"    (\w+):(?: (.*))?", line):
            entry[field[1]] = field[2] or ""
    return entries


def read_minutes(ws):
    """Item texts by day and item number, in the order of the minutes."""
    found = {}
    for day in HELD:
        text = (ws / f"minutes/{day} board.md").read_text("utf-8")
        found[day] = dict(re.findall(r"^\*\*(\w+)\. [^*]+\*\* (.+)$", text, re.MULTILINE))
    return found


def correct_minutes(minutes):
    """July corrects May, September corrects July."""
    may, july, september = (minutes[day] for day in HELD)
    fix = july["2"]
    old = re.search(rf"(A-\d+) is extended to {DAY}, not to", fix)
    may["7"] = re.sub(rf"{old[1]} is extended to [^.]+", f"{old[1]} is extended to {old[2]}", may["7"])
    added = re.search(r"as item 5a: (ACTION: .+?\)\.)", fix)[1]
    items = list(may.items())
    place = [n for n, _ in items].index("5") + 1
    minutes[HELD[0]] = dict([*items[:place], ("5a", added), *items[place:]])
    right, wrong = re.search(r"reported done was (A-\d+), not (A-\d+)", september["2"]).groups()
    july["4"] = july["4"].replace(f"{wrong} was reported", f"{right} was reported")
    limit = re.search(r"limit for the gutters is £([\d,]+)", september["2"])[1]
    july["7"] = re.sub(r"(gutters[^)]+limit £)[\d,]+", rf"\g<1>{limit}", july["7"])
    return minutes


def correct_register(entries, minutes):
    """May corrects February, whose actions are in the register already."""
    text = minutes[HELD[0]]["2"]
    number, owner, limit = re.search(r"(A-\d+) \(\w+\): the owner is (\w+), and the limit is £([\d,]+)", text).groups()
    entries[number].update(owner=owner, limit=pounds(limit))
    struck = re.search(r"(A-\d+) \(\w+\): nobody agreed to this, and the action is taken out", text)[1]
    entries[struck].update(status="struck", closed=HELD[0])


def next_number(entries):
    return f"A-{max(int(number[2:]) for number in entries) + 1:03d}"


def enter_new(entries, minutes, next_board):
    """The missing actions; returns their numbers by the words that orders name them by."""
    named = {}
    for place, day in enumerate(HELD):
        following = HELD[place + 1] if place + 1 < len(HELD) else next_board
        for item, text in minutes[day].items():
            if item == "2":
                continue  # corrections are worked in already
            for nth, action in enumerate(ACTION.finditer(text)):
                number = next_number(entries)
                due = following if action["due"] == "next meeting" else iso(action["due"])
                entries[number] = dict(
                    what=action["what"],
                    raised=day,
                    owner=action["owner"],
                    due=due,
                    limit=pounds(action["limit"]),
                    spent="0.00",
                    status="open",
                    closed="",
                )
                named[f"{day} item {item}, {('first', 'second')[nth]}"] = number
                named.setdefault(f"{day} item {item}", number)
    return named


def next_board(ws):
    latest = {}
    text = (ws / "calendar/quillon.ics").read_bytes().decode().replace("\r\n ", "").replace("\r\n", "\n")
    for block in text.split("BEGIN:VEVENT")[1:]:
        event = dict(line.split(":", 1) for line in block.split("\n") if ":" in line)
        if event["UID"] not in latest or int(event["SEQUENCE"]) > int(latest[event["UID"]]["SEQUENCE"]):
            latest[event["UID"]] = event
    days = [e["DTSTART;VALUE=DATE"] for e in latest.values() if e["SUMMARY"].endswith("board")]
    return min(
        day for day in (dt.datetime.strptime(d, "%Y%m%d").date().isoformat() for d in days) if day > TODAY.isoformat()
    )


def decide(entries, minutes):
    """Extensions, droppings, mergers and reports, meeting by meeting."""
    for day in HELD:
        for item, text in minutes[day].items():
            if item == "2":
                continue
            for number, until in re.findall(rf"(A-\d+) is extended to {DAY}", text):
                entries[number]["due"] = iso(until)
            for number, until in re.findall(rf"of (A-\d+) that .+?; it is extended to {DAY}", text):
                entries[number]["due"] = iso(until)
            for number in re.findall(r"(A-\d+) is dropped", text):
                entries[number].update(status="dropped", closed=day)
            for number, until in re.findall(rf"(A-\d+) is taken up again, .+ due on {DAY}", text):
                entries[number].update(status="open", closed="", due=iso(until))
            for low, high in re.findall(r"(A-\d+) and (A-\d+) are one", text):
                entries[high].update(status="merged", closed=day)
                entries[low]["due"] = max(entries[low]["due"], entries[high]["due"])
            for number in re.findall(r"(A-\d+) was reported done", text):
                entries[number].update(status="done", closed=day)
            if "letter about the parcels has gone out and was reported done" in text:
                letter = next(n for n, e in entries.items() if "about parcels" in e["what"])
                entries[letter].update(status="done", closed=day)


def hand_over(entries, minutes):
    """Mr Wace's actions, but for those he closed before he left."""
    text = minutes[HELD[1]]["5"]
    heir, spared, other = re.search(r"actions pass to (\w\w), except (A-\d+), which (\w\w) takes", text).groups()
    for number, entry in entries.items():
        if entry["owner"] == "JW" and (not entry["closed"] or entry["closed"] > "2027-07-31"):
            entry["owner"] = other if number == spared else heir


def read_orders(ws, named):
    orders = rows(ws / "contractors/orders.csv", "utf-8-sig")
    return {order["order"]: named.get(order["for"], order["for"]) for order in orders}


def read_sheets(ws):
    """By order: day of the visit, and whether it is complete with nothing outstanding."""
    found = {}
    for path in (ws / "contractors/sheets").glob("*.txt"):
        lines = dict(re.findall(r"^([A-Z][a-z ]+):\s+(.+)$", path.read_text("utf-8"), re.MULTILINE))
        visit = dt.datetime.strptime(lines["Visit"], "%d/%m/%Y").date().isoformat()
        whole = "complete" in lines["Work done"] and lines["Outstanding"] in ("nothing", "none", "-")
        found[lines["Your order"]] = (visit, whole)
    return found


def read_walks(ws):
    """By order: the day since which it stands as good."""
    good = {}
    for line in (ws / "caretaker/walk book.txt").read_bytes().decode("cp1252").splitlines():
        day = re.match(r"(\d+ [A-Z][a-z]+)( 2027)?\s+", line)
        if not day:
            continue
        for order in re.findall(r"\b(1\d{3})\b", line):
            order = f"QC-{order}"
            if "take back" in line or "Not good" in line:
                good.pop(order, None)
            elif re.search(r"\bgood\b", line, re.IGNORECASE):
                good.setdefault(order, iso(f"{day[1]} 2027"))
    return good


def close_ordered(entries, orders, sheets, walks):
    for number in dict.fromkeys(orders.values()):
        mine = [order for order, action in orders.items() if action == number]
        last = max(mine)
        if last not in sheets or not sheets[last][1]:
            continue
        visit = sheets[last][0]
        closed = visit if visit < STRICTER_FROM else max((walks.get(o, "") for o in mine), default="")
        if visit >= STRICTER_FROM and not all(order in walks for order in mine):
            continue
        entries[number].update(status="done", closed=closed)


def settled(ws):
    """Documents whose dispute a later mail settles."""
    message = email.message_from_bytes(
        (ws / "mail/2027-10-05 bookkeeping.eml").read_bytes(), policy=email.policy.default
    )
    return re.findall(r"accepts their invoice (\d+) as it is", " ".join(message.get_content().split()))


def gross(row):
    return (Decimal(row["net"]) * (100 + int(row["VAT %"])) / 100).quantize(Decimal("0.01"))


def add_spent(ws, entries, orders):
    spent = {}
    for row in rows(ws / "accounts/invoices to 30 Sept 2027.csv", "cp1252"):
        disputed = row["remark"].startswith("in dispute") and row["document"].split()[-1] not in settled(ws)
        if not row["order"] or disputed:
            continue
        sign = -1 if row["document"].startswith("credit") else 1
        spent[orders[row["order"]]] = spent.get(orders[row["order"]], 0) + sign * gross(row)
    for number, amount in spent.items():
        entries[number]["spent"] = f"{amount:.2f}"


def closed_days(ws):
    return set(re.findall(r"^\d{4}-\d\d-\d\d", (ws / "calendar/closed days.txt").read_text("utf-8"), re.MULTILINE))


def move_due(ws, entries):
    closed = closed_days(ws)
    for entry in entries.values():
        day = dt.date.fromisoformat(entry["due"])
        while day.weekday() > 4 or day.isoformat() in closed:
            day += dt.timedelta(days=1)
        entry["due"] = day.isoformat()


def derive(ws):
    entries, minutes = read_register(ws), correct_minutes(read_minutes(ws))
    correct_register(entries, minutes)
    named = enter_new(entries, minutes, next_board(ws))
    decide(entries, minutes)
    orders = read_orders(ws, named)
    close_ordered(entries, orders, read_sheets(ws), read_walks(ws))
    hand_over(entries, minutes)
    add_spent(ws, entries, orders)
    move_due(ws, entries)
    return entries


def annual_meeting(ws):
    """The offered day that is in the hall and on no Tuesday."""
    message = email.message_from_bytes((ws / "mail/2027-09-29 hall.eml").read_bytes(), policy=email.policy.default)
    text = " ".join(message.get_content().split())
    return iso(re.search(r"the hall itself on Thursday (\d+ November)", text)[1] + " 2027")


def figures(ws, entries):
    today = TODAY.isoformat()
    done = [e for e in entries.values() if e["status"] == "done" and e["closed"] > "2026-11-24"]
    opened = {n: e for n, e in entries.items() if e["status"] == "open"}
    late = {n: e for n, e in opened.items() if e["due"] < today}
    longest = min(late, key=lambda n: late[n]["due"])
    return {
        "done": len(done),
        "open": len(opened),
        "overdue": len(late),
        "longest": longest,
        "days": (TODAY - dt.date.fromisoformat(late[longest]["due"])).days,
        "spent": f"{sum(Decimal(e['spent']) for e in done):.2f}",
        "over": [n for n, e in entries.items() if e["limit"] and Decimal(e["spent"]) > Decimal(e["limit"])],
        "meeting": annual_meeting(ws),
    }


def edited(ws, entries):
    """The register's text with only the changed values exchanged and the new entries below."""
    lines, number, seen = [], "", set()
    for line in (ws / "register/actions.yaml").read_text("utf-8").splitlines():
        if head := re.fullmatch(r"  (A-\d+):", line):
            number = head[1]
            seen.add(number)
        elif field := re.fullmatch(r"    (\w+):(?: .*)?", line):
            line = f"    {field[1]}: {entries[number][field[1]]}".rstrip()
        elif line.startswith("as_of:"):
            line = f"as_of: {TODAY.isoformat()}"
        elif line.startswith("next_number:"):
            line = f"next_number: {next_number(entries)}"
        lines.append(line)
    for number in sorted(entries.keys() - seen):
        lines += [f"  {number}:", *(f"    {name}: {entries[number][name]}".rstrip() for name in FIELDS)]
    return "\n".join(lines) + "\n"


PROSE = """# What has become of things at Quillon Court

You asked at the last annual meeting what becomes of the jobs that are promised there. This is the answer, as of 12 October.

A good deal has been put right. The rear door has a new entry panel, the gratings in the car park lie firm, the dry riser has been serviced, and the anchors on the roof have been tested and passed. Stairs B and C have light again for as long as one needs it, the garden steps have a handrail, the compost gate closes, and a second salt bin waits on the ramp. The brewery has been asked to turn its extractor away.

Other things are late, some of them very late. The bin store let in water again after the repair. Part of the emergency lighting is still waiting for fittings. The lock of a meter cupboard, the lift's telephone line and the prices for the stair carpet should all have been finished by now, and they are not.

At the annual meeting, on MEETING at seven in St Osyth's hall, you can ask about every one of these. Please come.
"""


def summary(f):
    meeting = dt.date.fromisoformat(f["meeting"])
    day = f"{meeting.day} {meeting:%B %Y}"
    return f"""{PROSE.replace("MEETING", day)}
- Done: {f["done"]}
- Open: {f["open"]}
- Overdue: {f["overdue"]}
- Longest overdue: {f["longest"]}, {f["days"]} days
- Spent: £{f["spent"]}
- Over limit: {", ".join(f["over"])}
- Annual meeting: {day}
"""


def write(ws, entries):
    text = edited(ws, entries)
    (ws / "register/actions.yaml").write_bytes(text.encode())
    (ws / "annual").mkdir(exist_ok=True)
    (ws / "annual/summary.md").write_text(summary(figures(ws, entries)), "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
