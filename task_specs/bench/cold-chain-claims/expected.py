"""The second derivation, from the pristine workspace: the amended text is made first, then neighbours are compared."""

import csv
import datetime as dt
import json
import quopri
import re
from email.utils import parsedate_to_datetime
from fractions import Fraction

AHEAD = {"London": 0, "Porto": 0, "Vilnius": 120, "Tallinn": 120}  # minutes ahead of UTC in winter; elsewhere 60
START = dt.date(2027, 1, 1)
MONTHS = {"Jan": 1, "Feb": 2, "Mar": 3}


def table(workspace, name, codec="utf-8-sig", comma=","):
    text = (workspace / name).read_bytes().decode(codec)
    return list(csv.reader([line for line in text.splitlines() if line[:1] != "#"], delimiter=comma))[1:]


def ten_times(text):
    return int(Fraction(text.replace(",", ".")) * 10)


def day_number(year, month, day):
    return (dt.date(int(year), int(month), int(day)) - START).days


def minute(text, ahead):
    """Minutes of the year in UTC; `text` is an ISO date and a time."""
    year, month, day, hour, minutes = re.findall(r"\d+", text)[:5]
    return day_number(year, month, day) * 1440 + int(hour) * 60 + int(minutes) - ahead


def amended(workspace, collected):
    """The wording of contract and annex for goods collected on that day."""
    names = ("contract/framework-2024.md", "contract/annex-t-temperature.md")
    text = "\n".join((workspace / name).read_text("utf-8") for name in names)
    for path in sorted((workspace / "contract").glob("amendment-*")):
        change = path.read_text("utf-8")
        day, month, year = re.search(r"on or after (\d+) (\w+) (\d+)\.", change).groups()
        if collected < day_number(year, {"July": 7, "February": 2}[month], day):
            continue
        for place, new, old in re.findall(
            r"(Article \d+|T\d): (?:EUR )?([\d.]+)[^:]*? the place of (?:EUR )?([\d.]+)\.\n", change
        ):
            text = re.sub(rf"(\*\*{place}, .*?)\b{re.escape(old)}\b", rf"\g<1>{new}", text, count=1)
        for row in re.findall(r"^\| [FBP] .*$", change, re.M):
            text = re.sub(rf"^\| {row[2]} .*$", row, text, flags=re.M)
    return text


def figure(text, before):
    return Fraction(re.search(rf"{before} (\d[\d.]*)", text)[1])


def letters(workspace):
    for path in sorted((workspace / "mail").iterdir()):
        head, _, body = path.read_bytes().partition(b"\n\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        yield fields, " ".join(quopri.decodestring(body).decode().split())


def consignments(workspace):
    """Those of Frostveen that were delivered in February."""
    found = []
    for page in (workspace / "shipping/waybills-scanned.txt").read_text("utf-8").split("\f"):
        box = {line[:2].strip(): line[17:] for line in page.splitlines() if line[:2].strip().isdigit()}
        place, received = box["24"].split(", ", 1)
        day, month = received.split()[:2]
        if "Frostveen" not in box["16"] or month != "Feb":
            continue
        began = box["17"].split(", ", 1)[1]
        found.append(
            {
                "name": page.split("WAYBILL ")[1].split()[0],
                "place": place,
                "trailer": box["16"].split()[-1],
                "begin": waybill_minute(began, 60),
                "end": waybill_minute(received, AHEAD.get(place, 60)),
                "out": waybill_minute(began, 0) // 1440,
                "day": waybill_minute(received, 0) // 1440,
                "noted": "temperature" in box["18"],
                "pallets": box["6"].split(": ")[1].split(),
            }
        )
    return found


def waybill_minute(text, ahead):
    day, month, year, clock = text.replace(",", "").split()
    return minute(f"{year}-{MONTHS[month]}-{day} {clock}", ahead)


def loggers(workspace):
    """By serial number: interval, readings as (minute, tenths of a degree)."""
    found = {}
    for path in (workspace / "loggers").glob("*.csv"):
        made = []
        for line in path.read_bytes().decode("cp1252").split("\r\n")[6:-1]:
            day, clock, degrees = line.split(";")
            made.append((minute("-".join(day.split("/")[::-1]) + " " + clock, 0), ten_times(degrees)))
        found[path.stem] = (10, made)
    for path in (workspace / "loggers").glob("*.json"):
        for logger in json.loads(path.read_bytes())["loggers"]:
            step, first = logger["every_min"], minute(logger["first"], 60)
            degrees = [None if f is None else (round(f * 10) - 320) * 5 for f in logger["readings"]]  # ninths of tenths
            made = [(first + n * step, (2 * d + 9) // 18) for n, d in enumerate(degrees) if d is not None]
            found[logger["serial"]] = (step, made)
    return found


def corrections(workspace, serial, day):
    """The corrections of the certificates that take in the day, the last one issued first."""
    errata = {}
    for head, text in letters(workspace):
        if "metrolac" in head["From"]:
            errata[re.search(r"certificate (\d+)", text)[1]] = re.search(r"correction is (\S+)", text)[1]
    valid = []
    for number, device, issued, until, value in table(workspace, "lab/register-metrolac.csv", "cp1252", ";"):
        first, last = (day_number(*text.split("/")[::-1]) for text in (issued, until))
        if device == serial and first <= day <= last:
            valid.append((first, ten_times(errata.get(number, value))))
    return [value for _, value in sorted(valid, reverse=True)]


def put_right(workspace, trip, serial, logger):
    """Instrument, interval and readings by which a pallet is judged."""
    valid = corrections(workspace, serial, trip["out"])
    if not valid:
        name = f"frostveen/recorder-{trip['trailer']}.csv"
        title, *lines = (workspace / name).read_text("utf-8").splitlines()
        made = [(minute(line, 60), ten_times(line.split(",")[1])) for line in lines]
        return title.split()[2].rstrip(","), made[1][0] - made[0][0], made
    shown, true = next(row[2:] for row in table(workspace, "lab/clock-checks.csv") if row[0] == serial)
    out = minute(f"2027-1-1 {shown}", 0) - minute(f"2027-1-1 {true}", 0)
    back = out if abs(out) > 5 else 0
    return serial, logger[0], [(time - back, value + valid[0]) for time, value in logger[1]]


def shut_out(workspace, trip, settle):
    """All minutes whose readings do not stand for the goods."""
    minutes = set()
    for trailer, opened, closed, reason in table(workspace, "frostveen/doors-2027-q1.csv")[0:]:
        if trailer == trip["trailer"] and reason in ("drop", "customs"):
            minutes |= set(range(minute(opened, 60), minute(closed, 60) + int(settle) + 1))
    return minutes


def run_lengths(readings, interval, limit, ignored):
    above = [value > limit and time not in ignored for time, value in readings]
    times = [time for time, _ in readings]
    near = [b - a <= 2 * interval for a, b in zip(times, times[1:])] + [False]  # is the next reading close enough?
    starts = [n for n in range(len(times)) if above[n] and not (n and above[n - 1] and near[n - 1])]
    for n in starts:
        end = n
        while near[end] and above[end + 1]:
            end += 1
        yield times[end + near[end]] - times[n]


def working(workspace, place):
    """The working days of the quarter at a place, in order."""
    free = {day for where, day, _ in table(workspace, "contract/annex-h-holidays-2027.csv") if where == place}
    days = [START + dt.timedelta(n) for n in range(90)]
    return [n for n, day in enumerate(days) if day.isoweekday() < 6 and day.isoformat() not in free]


def notice_of(workspace, trip, days):
    """The first day on which a notice counts, and whether that is in time."""
    found = [trip["day"]] if trip["noted"] else []
    for head, text in letters(workspace):
        if "claims@" in head["To"] and re.search(rf"\b{trip['name']}\b", text):
            sent = parsedate_to_datetime(head["Date"])
            at = minute(sent.strftime("%Y-%m-%d %H:%M"), sent.utcoffset().seconds // 60 - 60)
            late = at % 1440 > 17 * 60
            found.append(next(day for day in days if day >= at // 1440 + late))
    first = min(found, default=None)
    if first is None:
        return None, False
    return first, sum(trip["day"] < day <= first for day in days) <= 3


def value_of(workspace, pallet):
    """Thousandths of a euro."""
    (row,) = (row for row in table(workspace, "shipping/invoices-2027-q1.csv", comma=";") if row[1] == pallet)
    value = ten_times(row[2]) * int(row[3].replace(",", ""))
    short = [
        row[3] for row in table(workspace, "shipping/credit-notes.csv") if row[2] == pallet and row[4] == "short weight"
    ]
    return value - sum(int(amount.replace(".", "")) * 10 for amount in short)


def rate(workspace, day):
    published = {
        day_number(*row[0].split("-")): Fraction(row[1]) for row in table(workspace, "finance/unit-of-account.csv")
    }
    while day not in published:
        day -= 1
    return published[day]


def pallet_row(workspace, trip, row, made, text):
    pallet, _, klass, _, gross, listed = row
    for head, words in letters(workspace):
        if "store@" in head["From"] and trip["name"] in words:
            listed = (re.findall(rf"{pallet} (?:went out )?with (\w+-\d+)", words) or [listed])[0]
    limit = ten_times(re.search(rf"\b{klass} \([^)]*\) (\d\.\d)", text)[1])
    name, interval, readings = put_right(workspace, trip, listed, made[listed])
    held = [reading for reading in readings if trip["begin"] <= reading[0] <= trip["end"]]
    lengths = run_lengths(held, interval, limit, shut_out(workspace, trip, figure(text, "until")))
    minutes = sum(n for n in lengths if n > figure(text, "Runs of up to"))
    share = 0
    if minutes:
        shares = re.search(rf"^\| {klass} \| (\d+) % \| (\d+) % \| (\d+) %", text, re.M).groups()
        share = int(shares[0 if minutes <= 120 else 1 if minutes <= 300 else 2])
    cap = figure(text, "owe more than") * Fraction(gross) * rate(workspace, trip["day"]) * 100
    exact = min(Fraction(value_of(workspace, pallet) * share, 1000), cap)
    return {"instrument": name, "minutes": minutes, "percent": share}, int((2 * exact + 1) // 2)


def expected(workspace):
    listed, made = table(workspace, "shipping/pallets-2027-q1.csv"), loggers(workspace)
    judged, losses, notices, amounts = {}, {}, {}, {}
    claim = late = warm = 0
    for trip in consignments(workspace):
        text, total = amended(workspace, trip["out"]), 0
        for row in listed:
            if row[0] in trip["pallets"]:
                judged[row[0]], loss = pallet_row(workspace, trip, row, made, text)
                losses[row[0]] = {"loss": loss / 100}
                total, warm = total + loss, warm + (judged[row[0]]["percent"] > 0)
        first, timely = notice_of(workspace, trip, working(workspace, trip["place"]))
        excess = int(figure(text, "the first EUR")) * 100
        status = "none" if not total else "late" if not timely else "below" if total <= excess else "claim"
        owed = total - excess if status == "claim" else 0
        claim, late = claim + owed, late + (total if status == "late" else 0)
        day = None if first is None else (START + dt.timedelta(first)).isoformat()
        notices[trip["name"]] = {"notice": day, "status": status}
        amounts[trip["name"]] = {"amount": owed / 100}
    return {
        "judged": judged,
        "losses": losses,
        "notices": notices,
        "amounts": amounts,
        "totals": {"total_claim": claim / 100, "total_late": late / 100, "warm_pallets": warm},
    }
