"""The second derivation, from the pristine workspace: minutes of the week, and each slot filled from the ranked queue."""

import csv
import io
import json
from datetime import UTC, date, datetime
from email import message_from_bytes, policy
from fractions import Fraction
from itertools import accumulate

WEEK = date(2026, 10, 12).toordinal() * 1440  # minute in which press week begins, by the barn clock
DAY_NAMES = "Mon Tue Wed Thu Fri Sat".split()
STARTS = {"A": 8 * 60 + 30, "B": 11 * 60 + 30, "C": 14 * 60 + 30}
SLOTS = [
    (f"{d}-{x}", WEEK + n * 1440 + t, WEEK + n * 1440 + t + 150)
    for n, d in enumerate(DAY_NAMES)
    for x, t in STARTS.items()
]
AHEAD = {"London": 0, "Oslo": 60}  # minutes ahead of the barn clock; UTC is 60 behind it
CLOSED = date(2026, 10, 4).toordinal() * 1440 + 18 * 60
FETCHED = date(2026, 10, 8).toordinal() * 1440 + 12 * 60
MONTHS = {"Sep": 9, "Oct": 10}


def lines_of(workspace, name, codec="utf-8-sig"):
    return (workspace / name).read_bytes().decode(codec).splitlines()


def cells(workspace, name, delimiter, codec="utf-8-sig"):
    return list(csv.reader(io.StringIO("\n".join(lines_of(workspace, name, codec))), delimiter=delimiter))[1:]


def figure_after(text, phrase):
    """The number that follows `phrase` in a text."""
    token = text.split(phrase, 1)[1].split()[0].strip("p.,;")
    return Fraction(token)


def figures(workspace):
    """The figures in force: printed, July, September, each from the paper that has the last word on it."""
    printed, july, september = (
        " ".join(lines_of(workspace, name))
        for name in ("rules/pressing-rules-2026.md", "committee/memo-2026-07-02.txt", "committee/memo-2026-09-21.txt")
    )
    return {
        "room": figure_after(printed, "A slot holds "),
        "share": figure_after(printed, "placed: shareholders "),
        "guest": figure_after(printed, "p, guests "),
        "fee floor": figure_after(printed, "and is at least £"),
        "led": figure_after(printed, "allowance.** £"),
        "helped": figure_after(printed, "slot led, £"),
        "least": figure_after(july, "on, less than "),
        "friend": figure_after(july, "friends pay "),
        "sack": figure_after(september, "A sack counts as "),
    }


def minute(stamp):
    """`20261012T083000` or `20261012` as a minute."""
    day = date(int(stamp[:4]), int(stamp[4:6]), int(stamp[6:8])).toordinal() * 1440
    return day + (int(stamp[9:11]) * 60 + int(stamp[11:13]) if "T" in stamp else 0)


def by_barn(line):
    """The minute by the barn clock that a DTSTART, DTEND line names."""
    head, stamp = line.split(":", 1)
    if stamp.endswith("Z"):
        return minute(stamp) + 60
    return minute(stamp) - AHEAD.get(head.rpartition("/")[2], 0)


def spans(workspace, name):
    """(title, from, to) of the events that take place."""
    raw = (workspace / "crew" / name).read_bytes().decode().replace("\r\n ", "")
    for chunk in raw.split("BEGIN:VEVENT\r\n")[1:]:
        own = chunk.split("END:VEVENT")[0].split("\r\n")
        if "STATUS:CANCELLED" in own:
            continue
        part = {line.replace(";", ":").split(":")[0]: line for line in reversed(own)}
        title, begin, end = part["SUMMARY"][8:], by_barn(part["DTSTART"]), by_barn(part["DTEND"])
        times = int(part["RRULE"].rpartition("=")[2]) if "RRULE" in part else 1
        out = {minute(stamp) for stamp in part["EXDATE"][7:].split(",")} if "EXDATE" in part else set()
        yield from ((title, begin + n * 1440, end + n * 1440) for n in range(times) if begin + n * 1440 not in out)


def mails(workspace):
    """(minute by the barn clock, address, words) in order of time."""
    found = []
    for raw in (workspace / "mail/inbox.mbox").read_bytes().split(b"\nFrom "):
        message = message_from_bytes(raw.partition(b"\n")[2], policy=policy.default)
        utc = message["Date"].datetime.astimezone(UTC)
        at = utc.date().toordinal() * 1440 + utc.hour * 60 + utc.minute + 60
        found.append((at, message["From"].addresses[0].addr_spec, message.get_content().split()))
    return sorted(found)


def coming(workspace):
    """Code -> the set of slots for which that person is free; who has to leave at four loses what comes after it."""
    able = {}
    for _, person, _, _, calendar, shows, address in cells(workspace, "crew/crew.tsv", "\t"):
        taken = list(spans(workspace, calendar))
        for at, sender, words in mails(workspace):
            if sender == address and at > FETCHED:
                day = WEEK + DAY_NAMES.index(words[words.index("on") + 1][:3]) * 1440
                taken = [(t, a, min(b, day + 960) if day <= a < day + 1440 else b) for t, a, b in taken]
        able[person] = {
            slot
            for slot, start, end in SLOTS
            if (
                any(t == "Press" and a <= start and end <= b for t, a, b in taken)
                if shows == "free"
                else all(b <= start or end <= a for _, a, b in taken)
            )
        }
    return able


def closed_slots(workspace):
    """The electrician's last word: his day from the last line on him, his slots from the first."""
    about = [line.split() for line in lines_of(workspace, "press/log.txt") if "electrician" in line]
    letters = [word for word in about[0] if word in STARTS]
    last = about[-1]
    return {f"{last[last.index('comes') + 1]}-{letter}" for letter in letters}


def crews(workspace):
    """Slot -> (leader, helper)."""
    able, closed, served = coming(workspace), closed_slots(workspace), []
    listed = cells(workspace, "crew/crew.tsv", "\t")
    for slot, _, _ in SLOTS:
        queue = sorted(
            (sum(p in pair for _, pair in served), int(order), p, may)
            for order, p, _, may, *_ in listed
            if slot in able[p] and sum(s[:3] == slot[:3] and p in pair for s, pair in served) < 2
        )
        leaders = [p for _, _, p, may in queue if may.startswith("lead")]
        helpers = [p for _, _, p, may in queue if may.endswith("help") and p not in leaders[:1]]
        if leaders and helpers and slot not in closed:
            served.append((slot, (leaders[0], helpers[0])))
    return dict(served)


def expand(days):
    """`Mon-Wed, Sat` and `Mon/Sat` as a set of days."""
    wanted = set()
    for piece in days.replace("/", ",").split(","):
        ends = [DAY_NAMES.index(day.strip()) for day in piece.split("-")]
        wanted.update(DAY_NAMES[ends[0] : ends[-1] + 1])
    return wanted


def entries(workspace, register):
    """All bookings as [number, grower, minute, fruit, amount, unit, days]."""
    number_of = {person["mail"]: person["no"] for person in register}
    for number, stamp, address, fruit, amount, days, _ in cells(workspace, "bookings/form-export.csv", ","):
        stamped = datetime.fromisoformat(stamp)
        at = stamped.date().toordinal() * 1440 + stamped.hour * 60 + stamped.minute + 60
        yield [number, number_of[address.lower()], at, fruit.lower(), *amount.split(), expand(days)]
    values = [
        line.partition(": ")[2] for line in lines_of(workspace, "bookings/barn-sheet.yaml") if "remark:" not in line
    ]
    values = values[2:]  # two lines of comment
    for n in range(0, len(values), 6):
        number, grower, handed, fruit, amount, days = values[n : n + 6]
        day, month, clock = handed.replace(",", "").split()
        hour, minutes = clock.split(":")
        at = date(2026, MONTHS[month], int(day)).toordinal() * 1440 + int(hour) * 60 + int(minutes)
        yield [number, grower, at, fruit, *amount.split(), expand(days)]


def said(workspace, address):
    """What a grower's own mails come to: (words of withdrawal still standing, amount wanted in time or None)."""
    standing, wanted = "", None
    for at, sender, words in mails(workspace):
        text = " ".join(words)
        if sender != address:
            continue
        if "strike those off" in text:
            standing = "pear"
        elif "not be coming after all" in text:
            standing = "all"
        elif "no notice" in text:
            standing = ""
        elif "sacks" in words and at <= CLOSED:
            wanted = words[words.index("sacks") - 1]
    return standing, wanted


def bookings(workspace, fig, register):
    """Number -> booking, with its weight and the reason that keeps it off the board before any placing."""
    found = {}
    person = {p["no"]: p for p in register}
    for number, grower, at, fruit, amount, unit, days in entries(workspace, register):
        standing, wanted = said(workspace, person[grower]["mail"])
        withdrawn = standing == "all" or (standing == "pear" and "pear" in fruit)
        kg = int(wanted or amount) * (fig["sack"] if unit == "sacks" else 1)
        kind = "organic" if "organic" in fruit else "perry" if "pear" in fruit else "apples"
        found[number] = {"grower": grower, "at": at, "kind": kind, "kg": kg, "days": days, "withdrawn": withdrawn}
    standing_last = {}
    for booking in found.values():
        if not booking["withdrawn"] and booking["at"] <= CLOSED:
            key = (booking["grower"], booking["kind"])
            standing_last[key] = max(standing_last.get(key, 0), booking["at"])
    for booking in found.values():
        tests = (
            ("withdrawn", booking["withdrawn"]),
            ("replaced", booking["at"] < standing_last.get((booking["grower"], booking["kind"]), 0)),
            ("late", booking["at"] > CLOSED),
            ("too-small", booking["kg"] < fig["least"]),
        )
        booking["reason"] = next((reason for reason, holds in tests if holds), None)
    return found


def worked(workspace):
    hours = {}
    for day, grower, amount, _ in cells(workspace, "work/hours-2026.csv", ";", "cp1252"):
        if day[3:5] < "10":
            hours[grower] = hours.get(grower, 0) + Fraction(amount.replace(",", "."))
    return hours


def filled(running, queue, found, room):
    """Slot -> numbers: each slot in turn takes from the queue whatever still fits, in the order of the queue."""
    waiting, board = list(queue), {}
    for slot in running:
        chosen, kind, left = [], None, room
        for number in waiting:
            b = found[number]
            goes = b["goes as"] == "apples" or slot[-1] == {"organic": "A", "perry": "C"}[b["goes as"]]
            if slot[:3] in b["days"] and goes and kind in (None, b["goes as"]) and b["kg"] <= left:
                chosen.append(number)
                kind, left = b["goes as"], left - b["kg"]
        waiting = [number for number in waiting if number not in chosen]
        board[slot] = chosen
    return board, waiting


def fee_of(booking, fig, kind):
    pence = booking["kg"] * fig[kind]
    halves = -(-pence // 50)
    return max(Fraction(halves, 2), fig["fee floor"])


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    fig, register = figures(workspace), json.loads((workspace / "growers/register.json").read_bytes())
    person, hours, found = {p["no"]: p for p in register}, worked(workspace), bookings(workspace, fig, register)
    for booking in found.values():
        lapsed = booking["kind"] == "organic" and not (person[booking["grower"]]["organic_until"] or "") >= "2026-10-17"
        booking["goes as"] = "apples" if lapsed else booking["kind"]
    crew = crews(workspace)
    by_class = {kind: place for place, kind in enumerate(("share", "friend", "guest"))}
    queue = sorted(
        (number for number, b in found.items() if not b["reason"]),
        key=lambda n: (
            by_class[person[found[n]["grower"]]["class"]],
            -hours.get(found[n]["grower"], 0),
            found[n]["at"],
        ),
    )
    board, waiting = filled(crew, queue, found, fig["room"])
    for number in waiting:
        b = found[number]
        letters = {"apples": "ABC", "organic": "A", "perry": "C"}[b["goes as"]]
        b["reason"] = "full" if any(s[:3] in b["days"] and s[-1] in letters for s in crew) else "no-slot"
    placed = [number for chosen in board.values() for number in chosen]
    growers = {}
    for number in placed:
        b = found[number]
        row = growers.setdefault(b["grower"], {"kg": 0, "fee": 0.0})
        row["kg"] += int(b["kg"])
        row["fee"] += float(fee_of(b, fig, person[b["grower"]]["class"]))
    people = {}
    for _, code, *_ in cells(workspace, "crew/crew.tsv", "\t"):
        led, helped = (sum(pair[at] == code for pair in crew.values()) for at in (0, 1))
        people[code] = {"led": led, "helped": helped, "allowance": float(led * fig["led"] + helped * fig["helped"])}
    return {
        "slots": list(crew),
        "crews": {slot: {"leader": leader, "helper": helper} for slot, (leader, helper) in crew.items()},
        "loads": {
            slot: {"bookings": ";".join(chosen), "kg": [0, *accumulate(int(found[n]["kg"]) for n in chosen)][-1]}
            for slot, chosen in board.items()
        },
        "unplaced": {number: {"reason": b["reason"]} for number, b in found.items() if b["reason"]},
        "growers": growers,
        "crew": people,
        "totals": {
            "totals.kg": sum(row["kg"] for row in growers.values()),
            "totals.fees": sum(row["fee"] for row in growers.values()),
            "totals.allowances": sum(row["allowance"] for row in people.values()),
        },
    }
