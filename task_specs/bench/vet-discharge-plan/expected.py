"""The second derivation, from the pristine workspace: hour by hour through the days, whole numbers of the smallest parts."""

import json
import re
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

BELL = datetime(2027, 3, 18, 17)
COUNTED = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
COUNTED += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen"]
HOURS = {8: {6, 14, 22}, 12: {8, 20}, 24: {8}}
PARTS = {"scored tablet": Decimal("0.5"), "liquid": Decimal("0.1")}


def lines(workspace, name, codec="utf-8-sig"):
    return (workspace / name).read_bytes().decode(codec).splitlines()


def cells(workspace, name, mark, codec="utf-8-sig"):
    head, *rest = (line.split(mark) for line in lines(workspace, name, codec))
    return [dict(zip(head, row)) for row in rest]


def caller(workspace):
    """The record whose collection, in its last state, is at five."""
    states = {}
    text = (workspace / "diary/march.ics").read_text("utf-8")
    pattern = r"UID:(\S+)\s+SEQUENCE:(\d+)\s+DTSTART:(\S+)\s+SUMMARY:Collection (R-\d+)"
    for uid, sequence, start, number in re.findall(pattern, text):
        states.setdefault(uid, {})[int(sequence)] = (start, number)
    ends = [state[max(state)] for state in states.values()]
    return next(number for start, number in ends if start == "20270318T170000")


def kilograms(workspace, number):
    rows = [row for row in lines(workspace, "scale/log-2027-03.csv") if f",{number}," in row and row.endswith(",")]
    reading, unit = rows[-1].split(",")[3:5]
    exact = Decimal(reading) * (Decimal("0.4536") if unit == "lb" else 1)
    return exact.quantize(Decimal("0.1"), ROUND_HALF_UP)


def book(workspace):
    """By drug the row of the formulary, its ends as the slips leave them."""
    rows = {row["Drug"]: row for row in cells(workspace, "formulary/formulary-2027.csv", ";", "cp1252")}
    first, second = ("\n".join(lines(workspace, f"formulary/slip-{n}")) for n in ("1-2026-11.txt", "2-2027-02.txt"))
    taken_back = set(re.findall(r"(\w+): our slip 1 was mistaken", second))
    for slip in (first, second):
        for drug, low, high in re.findall(r"(\w+): the range is (\S+) to (\S+) mg/kg", slip):
            if slip is second or drug not in taken_back:
                rows[drug] |= {"mg/kg from": low, "mg/kg to": high}
    return rows


def kidneys_poor(workspace, number):
    by_moment = {}
    for path in (workspace / "lab").iterdir():
        text = path.read_text("utf-8")
        if number in text:
            stated = re.search(r"Taken: (\d+) March 2027, (\S+)", text)
            value, unit = re.search(r"Creatinine\s+(\S+) (\S+)", text).groups()
            by_moment[int(stated[1]), stated[2]] = Decimal(value) * (1 if unit == "umol/l" else Decimal("88.4"))
    return by_moment[max(by_moment)] > 140


def said(workspace, who):
    """What the vet said of a patient, as one text."""
    found = []
    for name in ("dictation/0317-1810.txt", "dictation/0318-0915.txt"):
        found += [line.removeprefix(who + ".") for line in lines(workspace, name) if line.startswith(who + ".")]
    return " ".join(found)


def days_in(phrase):
    return COUNTED.index(re.findall(r"(\w+) days", phrase)[-1]) + 1


def ordered(text):
    """By drug: (days, top of the range?), whose alternative each is, what was taken back, days to the wound check."""
    plans, instead, back, check = {}, {}, [], 0
    for phrase in text.split("."):
        if "wound" in phrase:
            check = days_in(phrase)
        elif found := re.search(r"The (\w+) I take back", phrase):
            back.append(found[1])
        elif found := re.search(r"Make the (\w+) ", phrase):
            for drug in plans:
                if found[1] in (drug, instead.get(drug)):
                    plans[drug] = (days_in(phrase), plans[drug][1])
        elif found := re.match(r"\s*(\w+) for \w+ days", phrase):
            plans[found[1]] = (days_in(phrase), "top of the range" in phrase)
            if other := re.search(r"may not have that, (\w+) instead", phrase):
                plans[other[1]], instead[other[1]] = plans[found[1]], found[1]
    return plans, instead, back, check


def sorted_out(workspace, patient, rows, plans, instead, back):
    """Reasons by drug that drops out, what stays, and what is given less of or apart."""
    kind = {drug: row["Class"] for drug, row in rows.items()}
    bad = {kind[drug] for drug in kind for alert in patient["alerts"] if re.search(rf"\b{drug}\b", alert)}
    reasons = dict.fromkeys(back, "taken back")
    for drug in plans:
        if kind[drug] in bad:
            reasons.setdefault(drug, "allergy")
    needed = {drug for drug in plans if drug not in instead or reasons.get(instead[drug]) == "allergy"}
    stays = needed - set(reasons)
    home = {item["drug"] for item in patient["long_term"] if item["until"] is None}
    marks = {"less": set(), "apart": set()}
    for row in cells(workspace, "formulary/interactions.tsv", "\t"):
        around = stays | home
        if any(row["first"] in (drug, kind[drug]) for drug in around):
            hit = {drug for drug in stays if row["second"] in (drug, kind[drug])}
            if row["rule"] == "never":
                reasons |= dict.fromkeys(hit, "interaction")
                stays -= hit
            else:
                marks[row["rule"]] |= hit
    return reasons, stays, marks


def kept_down(workspace, number, drug):
    """Moments on the ward at which the drug was given and no vomiting is noted within the hour."""
    moments, sick = [], []
    for day in (17, 18):
        for row in cells(workspace, f"ward/chart-03-{day}.tsv", "\t"):
            moment = datetime.fromisoformat(f"2027-03-{day} {row['time']}")
            if row["record"] == number and row["result"] == "vomited":
                sick.append(moment)
            if (row["record"], row["drug"], row["result"]) == (number, drug, "given"):
                moments.append(moment)
    return [one for one in moments if all(not 0 <= (bad - one).total_seconds() <= 3600 for bad in sick)]


def moments_at_home(interval, later, days, before):
    """Walks through the hours after the bell."""
    found, first, hour = [], before[0].date() if before else None, BELL
    while first is None or hour.date() < first + timedelta(days=days):
        fits = (hour - timedelta(hours=later)).hour in HOURS[interval]
        if fits and (not before or hour - before[-1] >= timedelta(hours=interval - 2)):
            found.append(hour)
            first = first or hour.date()
        hour += timedelta(hours=1)
    return found


def handed_out(workspace, drug, row, dose, moments):
    """Strength and quantity: every quantity that does not exceed the dose is tried on every strength of the shelf."""
    part, options = PARTS.get(row["Form"], Decimal(1)), []
    for pack in cells(workspace, "pharmacy/shelf-2027-03-18.csv", ","):
        if pack["drug"] != drug or date.fromisoformat(pack["use_by"]) < moments[-1].date():
            continue
        strength, quantity = int(pack["strength_mg"]), part
        while quantity * strength <= dose and (row["Form"] == "liquid" or quantity <= 3):
            if quantity * len(moments) <= int(pack["left"]):
                options.append((quantity * strength, -quantity, strength))
            quantity += part
    amount, negative, strength = max(options)
    return strength, -negative, amount


def wound_day(workspace, days):
    closed = lines(workspace, "diary/closed-days.txt")
    day = BELL.date() + timedelta(days=days)
    while f"every {day:%A}" in closed or any(line.startswith(f"{day.day} {day:%B} ") for line in closed):
        day += timedelta(days=1)
    return day.isoformat()


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    number, rows = caller(workspace), book(workspace)
    patient = json.loads((workspace / f"records/{number}.json").read_bytes())
    surname, weight, poor = patient["owner"].split()[1], kilograms(workspace, number), kidneys_poor(workspace, number)
    plans, instead, back, check = ordered(said(workspace, f"{patient['name']} {surname}"))
    reasons, stays, marks = sorted_out(workspace, patient, rows, plans, instead, back)
    schedule, doses, totals, tonight, ends = {}, {}, {}, [], []
    for drug in sorted(stays):
        row, (days, top) = rows[drug], plans[drug]
        dose = weight * Decimal(row["mg/kg to" if top else "mg/kg from"].replace(",", "."))
        dose = dose * 3 / 4 if drug in marks["less"] else dose
        dose = dose / 2 if poor and row["Kidneys"] == "half dose" else dose
        interval = int(row["Every (h)"]) * (2 if poor and row["Kidneys"] == "double interval" else 1)
        later = 2 if drug in marks["apart"] else 0
        moments = moments_at_home(interval, later, days, kept_down(workspace, number, drug))
        strength, quantity, amount = handed_out(workspace, drug, row, dose, moments)
        doses[drug] = {"strength": strength, "mg": float(amount)}
        totals[drug] = {"total": float(quantity * len(moments))}
        schedule |= {f"{moment:%Y-%m-%d|%H:%M}|{drug}": {"quantity": float(quantity)} for moment in moments}
        ends.append(moments[-1].date().isoformat())
        tonight += [drug] if moments[0].date() == BELL.date() else []
    return {
        "schedule": schedule,
        "doses": doses,
        "totals": totals,
        "left_out": {drug: {"reason": reason} for drug, reason in reasons.items()},
        "patient": {"patient": number, "weight_kg": float(weight)},
        "names": [patient["name"], surname],
        "today": tonight,
        "not_today": sorted(set(plans) - set(tonight)),
        "ends": max(ends),
        "count": len(schedule),
        "wound_check": wound_day(workspace, check),
    }
