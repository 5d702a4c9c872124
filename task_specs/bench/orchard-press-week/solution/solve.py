"""The oracle: reads the papers in the workspace, works the pressing rules through in their order, writes the two files."""

import csv
import datetime as dt
import io
import json
import mailbox
import re
import sys
from collections import Counter
from email.utils import parsedate_to_datetime
from pathlib import Path

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
LONG = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONDAY = dt.date(2026, 10, 12)
CLOSING = dt.datetime(2026, 10, 4, 18, 0)
EXPORTED = dt.datetime(2026, 10, 8, 12, 0)
OFFSET = {"UTC": 0, "Europe/London": 1, "Europe/Oslo": 2}  # hours ahead of UTC in the weeks in question
BARN = 1
ORDER = ("share", "friend", "guest")
GOES = {"apples": "ABC", "organic": "A", "perry": "C"}


def text(ws, name, encoding="utf-8-sig"):
    return (ws / name).read_bytes().decode(encoding)


def rows(ws, name, separator=",", encoding="utf-8-sig"):
    return list(csv.DictReader(io.StringIO(text(ws, name, encoding), newline=""), delimiter=separator))


# --- the rules -------------------------------------------------------------------------------------------------------


def printed_rules(ws):
    read = text(ws, "rules/pressing-rules-2026.md")
    number = lambda pattern: re.search(pattern, read)[1]
    fees = dict(re.findall(r"(shareholders|friends|guests) (\d+)p", read))
    return {
        "room": int(number(r"A slot holds (\d+) kg")),
        "sack": int(number(r"A sack counts as (\d+) kg")),
        "least": int(number(r"Less than (\d+) kg")),
        "pence": dict(zip(ORDER, (int(fees["shareholders"]), int(fees["friends"]), int(fees["guests"])))),
        "fee_least": round(float(number(r"is at least £(\d+\.\d\d)")) * 100),
        "lead": round(float(number(r"£(\d+\.\d\d) for a slot led")) * 100),
        "help": round(float(number(r"£(\d+\.\d\d) for a slot helped")) * 100),
        "a_day": 3,
        "hours": last_year_hours,
    }


def amend(ws, rules):
    """What the two signed memos change; the second one gives the printed room of a slot back."""
    july = text(ws, "committee/memo-2026-07-02.txt")
    september = text(ws, "committee/memo-2026-09-21.txt")
    return rules | {
        "least": int(re.search(r"less than (\d+) kg", july)[1]),
        "pence": rules["pence"] | {"friend": int(re.search(r"friends pay (\d+)p", july)[1])},
        "sack": int(re.search(r"A sack counts as (\d+) kg", september)[1]),
        "a_day": 2,
        "hours": this_year_hours,
    }


def last_year_hours(ws):
    return Counter({row["grower"]: float(row["hours"]) for row in rows(ws, "work/hours-2025.csv")})


def this_year_hours(ws, until="2026-09-30"):
    hours = Counter()
    for row in rows(ws, "work/hours-2026.csv", ";", "cp1252"):
        if dt.datetime.strptime(row["Day"], "%d.%m.%Y") <= dt.datetime.fromisoformat(until):
            hours[row["Grower"]] += float(row["Hours"].replace(",", "."))
    return hours


# --- mail ------------------------------------------------------------------------------------------------------------


def letters(ws):
    """(barn time, sender's address, text) of every mail, in order of time."""
    found = []
    for message in mailbox.mbox(ws / "mail/inbox.mbox", create=False):
        sent = parsedate_to_datetime(message["Date"]).astimezone(dt.timezone(dt.timedelta(hours=BARN)))
        address = re.search(r"<(.+?)>", message["From"])[1].lower()
        body = message.get_payload(decode=True).decode("utf-8")
        found.append((sent.replace(tzinfo=None), address, " ".join(body.split())))
    return sorted(found)


# --- crew ------------------------------------------------------------------------------------------------------------


def all_slots():
    hours = {
        "A": (dt.time(8, 30), dt.time(11)),
        "B": (dt.time(11, 30), dt.time(14)),
        "C": (dt.time(14, 30), dt.time(17)),
    }
    return {
        f"{day}-{letter}": tuple(dt.datetime.combine(MONDAY + dt.timedelta(days=n), at) for at in hours[letter])
        for n, day in enumerate(DAYS)
        for letter in "ABC"
    }


def barn_time(name, value):
    """The moment of DTSTART or DTEND by the barn clock."""
    if "VALUE=DATE" in name:
        return dt.datetime.strptime(value, "%Y%m%d")
    zone = re.search(r"TZID=([\w/]+)", name)
    hours = OFFSET["UTC"] if value.endswith("Z") else OFFSET[zone[1]] if zone else BARN
    return dt.datetime.strptime(value.rstrip("Z"), "%Y%m%dT%H%M%S") + dt.timedelta(hours=BARN - hours)


def occurrences(fields):
    """(start, end) of an event, each repetition by itself."""
    named = {name.split(";")[0]: (name, value) for name, value in fields}
    start, end = barn_time(*named["DTSTART"]), barn_time(*named["DTEND"])
    count = int(re.search(r"COUNT=(\d+)", named["RRULE"][1])[1]) if "RRULE" in named else 1
    skipped = [barn_time("", value) for value in named["EXDATE"][1].split(",")] if "EXDATE" in named else []
    for day in range(count):
        shift = dt.timedelta(days=day)
        if start + shift not in skipped:
            yield start + shift, end + shift


def events(ws, name):
    """(title, start, end) of everything in a calendar that is not cancelled."""
    unfolded = re.sub(r"\r?\n[ \t]", "", text(ws, f"crew/{name}"))
    for block in re.findall(r"BEGIN:VEVENT(.*?)END:VEVENT", unfolded, re.S):
        own = re.sub(r"BEGIN:VALARM.*?END:VALARM", "", block, flags=re.S)
        fields = [tuple(line.split(":", 1)) for line in own.split("\r\n") if ":" in line]
        if ("STATUS", "CANCELLED") in fields:
            continue
        for start, end in occurrences(fields):
            yield dict(fields)["SUMMARY"], start, end


def free_slots(ws, member):
    found = list(events(ws, member["calendar"]))
    if member["shows"] == "free":
        press = [(start, end) for title, start, end in found if title == "Press"]
        return {s for s, (a, b) in all_slots().items() if any(start <= a and b <= end for start, end in press)}
    return {s for s, (a, b) in all_slots().items() if not any(start < b and a < end for _, start, end in found)}


def late_crew_mail(ws, member, free):
    """Takes away what the person has cancelled by mail since the calendars were fetched."""
    for sent, address, body in letters(ws):
        gone = re.search(r"on (\w+) I must be out of the barn by four", body)
        if gone and address == member["mail"] and sent > EXPORTED:
            free = free - {f"{DAYS[LONG.index(gone[1])]}-C"}
    return free


def press_off(ws):
    """The slots in which the electrician has the barn, by the last line about it."""
    off = set()
    for line in text(ws, "press/log.txt").splitlines():
        if found := re.search(r"electrician comes (\w+) \d+ Oct, press off in slots (\w) and (\w)", line):
            off = {f"{found[1]}-{letter}" for letter in found.groups()[1:]}
        if moved := re.search(r"electrician rang: comes (\w+)", line):
            off = {f"{moved[1]}-{slot[-1]}" for slot in off}
    return off


def staff(ws, rules):
    """Slot -> (leader, helper), in order of time."""
    crew = rows(ws, "crew/crew.tsv", "\t")
    free = {m["code"]: late_crew_mail(ws, m, free_slots(ws, m)) for m in crew}
    off, done, today, board = press_off(ws), Counter(), Counter(), {}
    for slot in all_slots():
        ready = [m for m in crew if slot in free[m["code"]] and today[slot[:3], m["code"]] < rules["a_day"]]
        pick = lambda able: min((m["code"] for m in able), key=lambda c: done[c], default=None)
        leader = pick([m for m in ready if "lead" in m["may"]])
        helper = pick([m for m in ready if "help" in m["may"] and m["code"] != leader])
        if slot in off or not leader or not helper:
            continue
        board[slot] = (leader, helper)
        for person in board[slot]:
            done[person] += 1
            today[slot[:3], person] += 1
    return board


# --- bookings --------------------------------------------------------------------------------------------------------


def day_set(spoken):
    found = set()
    for part in re.split(r"[/,]\s*", spoken):
        first, _, last = part.partition("-")
        found |= set(DAYS[DAYS.index(first) : DAYS.index(last or first) + 1])
    return found


def fruit_of(words):
    words = words.lower()
    return "organic" if "organic" in words else "perry" if "perry" in words else "apples"


def form_bookings(ws, growers):
    by_mail = {person["mail"].lower(): number for number, person in growers.items()}
    for row in rows(ws, "bookings/form-export.csv"):
        stamped = dt.datetime.strptime(row["Submitted"], "%Y-%m-%d %H:%M")
        yield {
            "no": row["Booking"],
            "grower": by_mail[row["E-mail"].lower()],
            "received": stamped + dt.timedelta(hours=BARN - OFFSET["UTC"]),
            "fruit": fruit_of(row["Fruit"]),
            "amount": row["Amount"],
            "days": day_set(row["Days"]),
        }


def sheet_bookings(ws):
    for entry in text(ws, "bookings/barn-sheet.yaml").split("- booking: ")[1:]:
        number, *lines = entry.splitlines()
        field = dict(line.strip().split(": ", 1) for line in lines)
        yield {
            "no": number,
            "grower": field["grower"],
            "received": dt.datetime.strptime(f"2026 {field['handed in']}", "%Y %d %b, %H:%M"),
            "fruit": fruit_of(field["fruit"]),
            "amount": field["amount"],
            "days": day_set(field["days"]),
        }


def read_bookings(ws, rules, growers):
    bookings = [*form_bookings(ws, growers), *sheet_bookings(ws)]
    for booking in bookings:
        booking["withdrawn"] = False
    by_mail(ws, growers, bookings)
    for booking in bookings:
        number, unit = booking["amount"].split()
        booking["kg"] = int(number) * (rules["sack"] if unit == "sacks" else 1)
    return bookings


def by_mail(ws, growers, bookings):
    """What growers have changed, withdrawn and taken back, each for their own bookings."""
    for sent, address, body in letters(ws):
        own = [b for b in bookings if growers[b["grower"]]["mail"] == address]
        change = re.search(r"(\d+) sacks (?:instead|in place) of (\d+)", body)
        for booking in own:
            if change and sent <= CLOSING and booking["amount"] == f"{change[2]} sacks":
                booking["amount"] = f"{change[1]} sacks"
            if "all our perry pears, so please strike those off" in body and booking["fruit"] == "perry":
                booking["withdrawn"] = True
            if "we shall not be coming after all" in body:
                booking["withdrawn"] = True
            if "Take no notice of what I wrote" in body:
                booking["withdrawn"] = False


def is_late(booking):
    return booking["received"] > CLOSING


def early_reason(booking, bookings, rules):
    """Why a booking is not placed at all, or None."""
    if booking["withdrawn"]:
        return "withdrawn"
    for other in bookings:
        same = (other["grower"], other["fruit"]) == (booking["grower"], booking["fruit"])
        if same and other["received"] > booking["received"] and not other["withdrawn"] and not is_late(other):
            return "replaced"
    if is_late(booking):
        return "late"
    return "too-small" if booking["kg"] < rules["least"] else None


def placed_as(booking, growers):
    valid = growers[booking["grower"]]["organic_until"] or ""
    return "apples" if booking["fruit"] == "organic" and valid < "2026-10-17" else booking["fruit"]


def place(ws, rules, bookings, growers, board):
    """(slot -> bookings in it, booking -> reason)."""
    reasons = {b["no"]: early_reason(b, bookings, rules) for b in bookings}
    hours = rules["hours"](ws)
    rank = lambda b: (ORDER.index(growers[b["grower"]]["class"]), -hours[b["grower"]], b["received"])
    loads, kind = {slot: [] for slot in board}, {}
    for booking in sorted((b for b in bookings if not reasons[b["no"]]), key=rank):
        fruit = placed_as(booking, growers)
        open_to = [slot for slot in board if slot[:3] in booking["days"] and slot[-1] in GOES[fruit]]
        fits = [
            slot
            for slot in open_to
            if kind.get(slot, fruit) == fruit and sum(b["kg"] for b in loads[slot]) + booking["kg"] <= rules["room"]
        ]
        if fits:
            loads[fits[0]].append(booking)
            kind[fits[0]] = fruit
        else:
            reasons[booking["no"]] = "full" if open_to else "no-slot"
    return loads, {number: reason for number, reason in reasons.items() if reason}


# --- the answer ------------------------------------------------------------------------------------------------------


def fee(booking, growers, rules):
    """In pence."""
    exact = booking["kg"] * rules["pence"][growers[booking["grower"]]["class"]]
    return max(-(-exact // 50) * 50, rules["fee_least"])


def in_force(ws):
    return amend(ws, printed_rules(ws))


def derive(ws):
    rules, growers = in_force(ws), {person["no"]: person for person in json.loads(text(ws, "growers/register.json"))}
    board, bookings = staff(ws, rules), read_bookings(ws, rules, growers)
    loads, reasons = place(ws, rules, bookings, growers, board)
    kilos, fees, led, helped = Counter(), Counter(), Counter(), Counter()
    for slot, (leader, helper) in board.items():
        led[leader] += 1
        helped[helper] += 1
        for booking in loads[slot]:
            kilos[booking["grower"]] += booking["kg"]
            fees[booking["grower"]] += fee(booking, growers, rules)
    people = [m["code"] for m in rows(ws, "crew/crew.tsv", "\t")]
    allowance = {p: led[p] * rules["lead"] + helped[p] * rules["help"] for p in people}
    return {
        "board": [
            (slot, *crew, [b["no"] for b in loads[slot]], sum(b["kg"] for b in loads[slot]))
            for slot, crew in board.items()
        ],
        "unplaced": sorted(reasons.items()),
        "growers": [(number, kilos[number], fees[number] / 100) for number in sorted(kilos)],
        "crew": [(p, led[p], helped[p], allowance[p] / 100) for p in people],
        "totals": (sum(kilos.values()), sum(fees.values()) / 100, sum(allowance.values()) / 100),
    }


def write(ws, answer):
    folder = ws / "press-week"
    folder.mkdir(exist_ok=True)
    lines = ["slot\tleader\thelper\tbookings\tkg"]
    lines += [
        f"{slot}\t{leader}\t{helper}\t{';'.join(load)}\t{kg}" for slot, leader, helper, load, kg in answer["board"]
    ]
    (folder / "board.tsv").write_bytes("".join(line + "\n" for line in lines).encode())
    (folder / "week.yaml").write_bytes(as_yaml(answer).encode())


def as_yaml(answer):
    lines = ["unplaced:"]
    lines += [f"  - booking: {number}\n    reason: {reason}" for number, reason in answer["unplaced"]]
    lines.append("growers:")
    lines += [f"  - grower: {number}\n    kg: {kg}\n    fee: {pounds:.2f}" for number, kg, pounds in answer["growers"]]
    lines.append("crew:")
    lines += [
        f"  - person: {person}\n    led: {led}\n    helped: {helped}\n    allowance: {pounds:.2f}"
        for person, led, helped, pounds in answer["crew"]
    ]
    kg, fees, allowances = answer["totals"]
    lines.append(f"totals:\n  kg: {kg}\n  fees: {fees:.2f}\n  allowances: {allowances:.2f}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
