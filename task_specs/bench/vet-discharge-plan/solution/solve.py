"""The oracle: from diary and dictation to schedule, doses and letter, by chapter 4 of the handbook."""

import csv
import datetime as dt
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

TODAY = dt.date(2027, 3, 18)
COLLECTION = dt.datetime(2027, 3, 18, 17)
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen".split()
TIMES = {8: (6, 14, 22), 12: (8, 20), 24: (8,)}
HALF_TABLETS, TENTHS = Fraction(1, 2), Fraction(1, 10)


def table(path, encoding="utf-8-sig", separator=","):
    return list(csv.DictReader(path.read_text(encoding).splitlines(), delimiter=separator))


def agreed(entries):
    """The last state of each entry."""
    latest = {}
    for entry in sorted(entries, key=lambda entry: int(entry["SEQUENCE"])):
        latest[entry["UID"]] = entry
    return latest.values()


def patient(ws):
    """The record number of whoever is fetched at five."""
    fetched = [e for e in agreed(entries_of_collections(ws)) if e["DTSTART"] == f"{COLLECTION:%Y%m%dT%H%M%S}"]
    return fetched[0]["RECORD"]


def entries_of_collections(ws):
    """Every state of every entry about a collection."""
    for block in (ws / "diary/march.ics").read_text("utf-8").split("BEGIN:VEVENT")[1:]:
        entry = dict(line.split(":", 1) for line in block.splitlines() if ":" in line)
        if entry["SUMMARY"].startswith("Collection "):
            yield entry | {"RECORD": entry["SUMMARY"].split()[1]}


def usable_reading(row):
    return not row["remark"]


def weight(ws, number):
    """Kilograms by the last reading without a remark."""
    rows = [row for row in table(ws / "scale/log-2027-03.csv") if row["record"] == number and usable_reading(row)]
    last = max(rows, key=lambda row: row["when"])
    kilograms = Fraction(last["reading"]) * (Fraction("0.4536") if last["unit"] == "lb" else 1)
    return Fraction(int(kilograms * 10 + HALF_TABLETS), 10)


def decimal(text):
    return Fraction(text.replace(",", "."))


def corrections(ws):
    """Lower and upper end by drug, where a slip that still holds says something else than the book."""
    found = {}
    for path in sorted((ws / "formulary").glob("slip-*.txt")):
        for line in path.read_text("utf-8").splitlines():
            read = re.fullmatch(r"(\w+): the range is ([\d,]+) to ([\d,]+) mg/kg\.", line)
            if read:
                found[read[1]] = (decimal(read[2]), decimal(read[3]))
            elif "right as printed" in line:
                found.pop(line.split(":")[0], None)
    return found


def formulary(ws):
    """By drug: class, form, ends of the range, interval, strengths and what kidneys ask for."""
    found, corrected = {}, corrections(ws)
    for row in table(ws / "formulary/formulary-2027.csv", "cp1252", ";"):
        ends = (decimal(row["mg/kg from"]), decimal(row["mg/kg to"]))
        found[row["Drug"]] = {
            "class": row["Class"],
            "form": row["Form"],
            "ends": corrected.get(row["Drug"], ends),
            "hours": int(row["Every (h)"]),
            "strengths": [int(number) for number in re.findall(r"\d+", row["Strengths (mg)"])],
            "kidneys": row["Kidneys"],
        }
    return found


def last_creatinine(ws, number):
    """In umol/l."""
    found = []
    for path in (ws / "lab").glob("*.txt"):
        text = path.read_text("utf-8")
        if f"Patient: {number}\n" in text:
            value, unit = re.search(r"Creatinine +([\d.]+) (\S+)", text).groups()
            taken = dt.datetime.strptime(re.search(r"Taken: (.*)", text)[1], "%d %B %Y, %H:%M")
            found.append((taken, float(value) * (88.4 if unit == "mg/dl" else 1)))
    return chosen_report(found)[1]


def chosen_report(reports):
    return max(reports)


def record(ws, number):
    return json.loads((ws / f"records/{number}.json").read_text("utf-8"))


def passages(ws, name):
    """What was dictated for a patient, sentence by sentence."""
    for path in sorted((ws / "dictation").glob("*.txt")):
        for paragraph in path.read_text("utf-8").split("\n\n"):
            if paragraph.startswith(f"{name}. "):
                yield from paragraph.strip().split(". ")[1:]


def length_of(text):
    """The last number of days that is said."""
    return NUMBERS.index(re.findall(r"(\w+) days", text)[-1])


def prescriptions(ws, name, drugs):
    """By drug: days, whether the top is meant, and whose alternative it is; beside it what was taken back and the wound check."""
    wanted, back, check_up = {}, set(), 0
    for sentence in passages(ws, name):
        named = [word for word in re.findall(r"\w+", sentence) if word in drugs]
        if "see the wound" in sentence:
            check_up = length_of(sentence)
        elif "take back" in sentence:
            back |= set(named)
        elif sentence.startswith("Make the"):
            for drug, plan in wanted.items():
                if named[0] in (drug, plan["instead of"]):
                    plan["days"] = length_of(sentence)
        else:
            for place, drug in enumerate(named):
                plan = {"days": length_of(sentence), "top": "top of the range" in sentence}
                wanted[drug] = plan | {"instead of": named[0] if place else None}
    return wanted, back, check_up


def reacted_classes(patient_record, drugs):
    said = " ".join(patient_record["alerts"])
    return {facts["class"] for drug, facts in drugs.items() if drug in said}


def still_taken(patient_record):
    return [row["drug"] for row in patient_record["long_term"] if not row["until"] or row["until"] > str(TODAY)]


def left_out(ws, patient_record, drugs, wanted, back):
    """Drug and reason, in the order of the handbook; and the interactions that hold among the rest."""
    out = dict.fromkeys(sorted(back), "taken back")
    classes = reacted_classes(patient_record, drugs)
    out |= {d: "allergy" for d in wanted if d not in out and drugs[d]["class"] in classes}
    unneeded = {d for d, plan in wanted.items() if plan["instead of"] and out.get(plan["instead of"]) != "allergy"}
    present = [d for d in wanted if d not in out and d not in unneeded] + still_taken(patient_record)
    less, apart = set(), set()
    for row in table(ws / "formulary/interactions.tsv", separator="\t"):
        if not matching(row["first"], present, drugs):
            continue
        for drug in matching(row["second"], present, drugs):
            if drug not in wanted:
                continue
            if row["rule"] == "never":
                out[drug] = "interaction"
                present = dropped(present, drug)
            else:
                {"less": less, "apart": apart}[row["rule"]].add(drug)
    return out, [d for d in present if d in wanted], less, apart


def dropped(present, drug):
    return [other for other in present if other != drug]


def matching(name, present, drugs):
    return [drug for drug in present if name in (drug, drugs[drug]["class"])]


def charts(ws, number):
    """When and what of all rows about a patient."""
    for path in sorted((ws / "ward").glob("chart-03-*.tsv")):
        day = int(path.stem[-2:])
        for row in table(path, separator="\t"):
            if row["record"] == number:
                hour, minute = row["time"].split(":")
                yield dt.datetime(2027, 3, day, int(hour), int(minute)), row


def ward_givings(ws, number, drug):
    """The times at which the drug was given and stayed down."""
    rows = list(charts(ws, number))
    sick = [when for when, row in rows if row["result"] == "vomited"]
    given = [when for when, row in rows if row["drug"] == drug and row["result"] == "given"]
    return [when for when in given if stayed_down(when, sick)]


def stayed_down(when, sick):
    return not any(dt.timedelta(0) <= moment - when <= dt.timedelta(hours=1) for moment in sick)


def home_givings(days, hours, shift, on_ward):
    """All times at home."""
    slots = [
        dt.datetime(2027, 3, 18, hour) + dt.timedelta(days=day, hours=shift)
        for day in range(40)
        for hour in TIMES[hours]
    ]
    earliest = COLLECTION
    if on_ward:
        earliest = max(COLLECTION, on_ward[-1] + dt.timedelta(hours=hours - 2))
    slots = [slot for slot in slots if slot >= earliest]
    first = (on_ward[0] if on_ward else slots[0]).date()
    return [slot for slot in slots if slot.date() < first + dt.timedelta(days=days)]


def quantity(dose, strength, form):
    """As much as possible without going over the dose, and not more than three pieces."""
    step = {"scored tablet": HALF_TABLETS, "liquid": TENTHS}.get(form, Fraction(1))
    amount = rounded(dose / strength / step) * step
    return amount if form == "liquid" else min(amount, Fraction(3))


def rounded(steps):
    return int(steps)


def shelf(ws):
    return {(row["drug"], int(row["strength_mg"])): row for row in table(ws / "pharmacy/shelf-2027-03-18.csv")}


def serves(row, total, last):
    return int(row["left"]) >= total and row["use_by"] >= last.date().isoformat()


def choice(ws, drug, facts, dose, slots):
    """Strength and quantity."""
    found = []
    for strength in facts["strengths"]:
        amount = quantity(dose, strength, facts["form"])
        if amount and serves(shelf(ws)[drug, strength], amount * len(slots), slots[-1]):
            found.append((amount * strength, -amount, strength))
    _, negative, strength = max(found)
    return strength, -negative


def wound_check(ws, days):
    """The first day, counted from the collection, that is not closed."""
    text = (ws / "diary/closed-days.txt").read_text("utf-8")
    closed = set(re.findall(r"^(\d+ \w+)", text, re.MULTILINE))
    day = TODAY + dt.timedelta(days=days)
    while f"{day.day} {day:%B}" in closed or f"every {day:%A}" in text:
        day += dt.timedelta(days=1)
    return day


def derive(ws):
    number = patient(ws)
    own, drugs, kilograms = record(ws, number), formulary(ws), weight(ws, number)
    name = f"{own['name']} {own['owner'].split()[-1]}"
    wanted, back, check_up = prescriptions(ws, name, drugs)
    out, home, less, apart = left_out(ws, own, drugs, wanted, back)
    poor = last_creatinine(ws, number) > 140
    schedule, doses = [], []
    for drug in home:
        facts, plan = drugs[drug], wanted[drug]
        kidneys = facts["kidneys"] if poor else ""
        hours = facts["hours"] * (2 if kidneys == "double interval" else 1)
        dose = kilograms * facts["ends"][plan["top"]] * (Fraction(1, 2) if kidneys == "half dose" else 1)
        dose *= Fraction(3, 4) if drug in less else 1
        slots = home_givings(plan["days"], hours, 2 if drug in apart else 0, ward_givings(ws, number, drug))
        strength, amount = choice(ws, drug, facts, dose, slots)
        schedule += [(slot, drug, amount) for slot in slots]
        doses.append({"drug": drug, "strength": strength, "mg": amount * strength, "total": amount * len(slots)})
    return {
        "patient": number,
        "weight": kilograms,
        "owner": own["owner"],
        "dog": own["name"],
        "they": {"f": ("she", "her"), "m": ("he", "him")}[own["sex"]],
        "schedule": sorted(schedule),
        "drugs": doses,
        "left_out": sorted(out.items()),
        "check_up": wound_check(ws, check_up),
    }


def plain(value):
    """A fraction as an integer or a decimal."""
    return int(value) if value == int(value) else float(value)


def in_words(day):
    return f"{day.day} {day:%B} {day.year}"


def letter(a):
    she, her = a["they"]
    today = sorted({drug for slot, drug, _ in a["schedule"] if slot.date() == TODAY})
    title, name = a["owner"].split()
    return f"""Dear {title} {name},

{a["dog"]} is yours again. You told us that the tablets frighten you, so here is the good news: you do not have to remember
anything. The schedule has one line for each dose. Give what the line says, tick it, and look at the next one.

Put tablets in a bit of food. If you forget a dose, look at the clock. If less than half of the time to the next dose has
gone by, give it now. If more has gone by, leave it out. Never give two at once. If {she} is sick within an hour of a dose, do
not repeat it. Go on with the next line, and ring us if it happens a second time.

Please leave the collar on, at night as well, until we have seen the wound. Walk {her} on the lead for ten minutes at a time,
and not into the river: the vet has asked for that. A little swelling and a quiet dog are normal for two days.

Ring us if the wound opens, smells or bleeds, if {she} eats nothing for a whole day, or if you see black stools. If {her} face
swells, ring at once, whatever the hour. The number is 0555 0144. At night the nurse on duty answers, and she would
rather be woken than have you worry.

Bring the ticked schedule to the wound check.

- Today: {", ".join(today)}
- Ends: {in_words(a["schedule"][-1][0].date())}
- Doses: {len(a["schedule"])}
- Wound check: {in_words(a["check_up"])}
"""


def write(ws, a):
    folder = ws / "discharge"
    folder.mkdir(exist_ok=True)
    lines = ["date,time,drug,quantity"]
    lines += [f"{slot:%Y-%m-%d},{slot:%H:%M},{drug},{plain(amount)}" for slot, drug, amount in a["schedule"]]
    (folder / "schedule.csv").write_text("\n".join(lines) + "\n", "utf-8")
    body = {
        "patient": a["patient"],
        "weight_kg": plain(a["weight"]),
        "drugs": [{key: value if key == "drug" else plain(value) for key, value in row.items()} for row in a["drugs"]],
        "left_out": [{"drug": drug, "reason": reason} for drug, reason in a["left_out"]],
    }
    (folder / "doses.json").write_text(json.dumps(body, indent=2) + "\n", "utf-8")
    (folder / "letter.md").write_text(letter(a), "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
