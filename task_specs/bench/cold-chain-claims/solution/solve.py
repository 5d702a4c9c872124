"""The oracle: reads contract, papers and instruments as the contract says, writes the two files."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
from bisect import bisect_right
from fractions import Fraction
from pathlib import Path

MINUTE, UTC = dt.timedelta(minutes=1), dt.UTC
ZONE = {"London": 0, "Porto": 0, "Vilnius": 2, "Tallinn": 2}  # all others are an hour ahead of UTC in winter
MONTH = (dt.date(2027, 2, 1), dt.date(2027, 2, 28))


def rows(path, encoding="utf-8-sig", separator=","):
    lines = [line for line in path.read_text(encoding).splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter=separator))


def tenths(text):
    """A decimal, with point or comma, in tenths."""
    return round(Fraction(text.replace(",", ".")) * 10)


def hours(count):
    return dt.timezone(dt.timedelta(hours=count))


# --- the contract ---


def percents(text):
    """By class the three rates of loss of a table."""
    found = re.findall(r"^\| ([FBP]) \| (\d+) % \| (\d+) % \| (\d+) % \|$", text, re.M)
    return {name: tuple(map(int, rates)) for name, *rates in found}


def printed_terms(ws):
    framework = (ws / "contract/framework-2024.md").read_text("utf-8")
    annex = (ws / "contract/annex-t-temperature.md").read_text("utf-8")
    return {
        "excess": int(re.search(r"the first EUR (\d+)", framework)[1]),
        "units": Fraction(re.search(r"more than ([\d.]+) units", framework)[1]),
        "grace": int(re.search(r"up to (\d+) minutes are tolerated", annex)[1]),
        "settle": int(re.search(r"until (\d+) minutes after", annex)[1]),
        "percents": percents(annex),
        "limits": {name: tenths(value) for name, value in re.findall(r"([FBP]) \([^)]+\) (\d\.\d)", annex)},
    }


def amendments(ws):
    """First day of collection and changes of each signed amendment, oldest first."""
    found = []
    for path in sorted((ws / "contract").glob("amendment-*.md")):
        text = path.read_text("utf-8")
        day = dt.datetime.strptime(re.search(r"on or after (.+)\.\n", text)[1], "%d %B %Y").date()
        changes = {}
        for name, pattern in (
            ("excess", r"EUR (\d+) take"),
            ("units", r"([\d.]+) units of account take"),
            ("grace", r"T5: (\d+) minutes take"),
            ("settle", r"T6: (\d+) minutes take"),
        ):
            if match := re.search(pattern, text):
                changes[name] = Fraction(match[1])
        found.append((day, changes, percents(text)))
    return found


def terms_for(ws, collected):
    terms = printed_terms(ws)
    for day, changes, rates in amendments(ws):
        if collected >= day:
            terms |= changes
            terms["percents"] = terms["percents"] | rates
    return terms


# --- the papers ---


def read_waybills(ws):
    """Every waybill of Frostveen: place, trailer, collection and receipt in UTC, pallets, reservation."""
    found = {}
    for page in (ws / "shipping/waybills-scanned.txt").read_text("utf-8").split("\f"):
        name = re.search(r"WAYBILL (\S+)", page)[1]
        trailer = re.search(r"Frostveen Koelvervoer, trailer (\S+)", page)
        place, received = re.search(r"24 Received +(\w+), (.+)", page).groups()
        if trailer:
            zone = hours(ZONE.get(place, 1))
            end = dt.datetime.strptime(received, "%d %b %Y, %H:%M").replace(tzinfo=zone)
            begin = re.search(r"17 Collected +\w+, (.+)", page)[1]
            found[name] = {
                "place": place,
                "trailer": trailer[1],
                "collected": dt.datetime.strptime(begin, "%d %b %Y, %H:%M").replace(tzinfo=hours(1)),
                "delivered": end,
                "pallets": re.findall(r"CV-\d+", re.search(r"6 Goods.*", page)[0]),
                "box18": re.search(r"18 Reservations +(.+)", page)[1],
            }
    return found


def delivered_in_month(waybills):
    return {n: w for n, w in waybills.items() if MONTH[0] <= w["delivered"].date() <= MONTH[1]}


def mails(ws):
    for path in sorted((ws / "mail").glob("*.eml")):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        yield message, " ".join(message.get_content().split())


def fitted(ws):
    """By pallet the logger that travelled on it."""
    loggers = {row["pallet"]: row["logger"] for row in rows(ws / "shipping/pallets-2027-q1.csv")}
    return loggers | store_reports(ws)


def store_reports(ws):
    found = {}
    for message, text in mails(ws):
        if "store@corvanne" in message["From"]:
            found |= dict(re.findall(r"(CV-\d+)(?: went out)? with (\S+-\d+)", text))
    return found


def errata(ws):
    """By number of certificate the correction that Metrolac put right."""
    found = {}
    for message, text in mails(ws):
        if "metrolac" in message["From"]:
            number, value = re.search(r"certificate (\d+) .* correction is ([-+]?[\d.]+) and not", text).groups()
            found[number] = value
    return found


def certificate(ws, serial, day):
    """The correction in tenths that holds on that day, or None."""
    held, put_right = None, errata(ws)
    for row in rows(ws / "lab/register-metrolac.csv", "cp1252", ";"):
        issued, until = (
            dt.datetime.strptime(row[name], "%d/%m/%Y").date() for name in ("Établi le", "Valable jusqu'au")
        )
        if row["Appareil"] == serial and issued <= day <= until and (held is None or issued > held[0]):
            held = issued, put_right.get(row["Certificat"], row["Correction °C"])
    return held and tenths(held[1])


def clock_errors(ws):
    """By logger the minutes by which its times are put back."""
    found = {}
    for row in rows(ws / "lab/clock-checks.csv"):
        shown, true = (dt.datetime.strptime(row[name], "%H:%M") for name in ("logger_showed", "radio_clock"))
        if abs(shown - true) > 5 * MINUTE:
            found[row["logger"]] = shown - true
    return found


# --- the instruments ---


def read_loggers(ws):
    """By serial number the interval and the raw readings in tenths of a degree Celsius, by the logger's clock."""
    found = {}
    for path in (ws / "loggers").glob("SB-*.csv"):
        lines = path.read_text("cp1252").splitlines()
        made = [line.split(";") for line in lines[6:]]
        times = [dt.datetime.strptime(f"{d} {t}", "%d/%m/%Y %H:%M").replace(tzinfo=UTC) for d, t, _ in made]
        found[path.stem] = 10 * MINUTE, [(time, tenths(row[2])) for time, row in zip(times, made)]
    for path in (ws / "loggers").glob("hub-*.json"):
        for logger in json.loads(path.read_text("utf-8"))["loggers"]:
            first, step = dt.datetime.fromisoformat(logger["first"]), logger["every_min"] * MINUTE
            made = [(first + n * step, celsius(f)) for n, f in enumerate(logger["readings"]) if f is not None]
            found[logger["serial"]] = step, made
    return found


def celsius(fahrenheit):
    """Tenths of a degree, rounded; a half never occurs."""
    return round((Fraction(str(fahrenheit)) - 32) * 50 / 9)


def read_recorder(ws, trailer):
    text = (ws / f"frostveen/recorder-{trailer}.csv").read_text("utf-8")
    made = [line.split(",") for line in text.splitlines()[1:]]
    times = [dt.datetime.strptime(time, "%Y-%m-%d %H:%M").replace(tzinfo=hours(1)) for time, _ in made]
    return re.search(r"Recorder (\S+),", text)[1], 30 * MINUTE, [(t, tenths(row[1])) for t, row in zip(times, made)]


def judged_by(ws, waybill, serial, loggers):
    """Instrument, interval and readings, put right, that stand for a pallet."""
    correction = certificate(ws, serial, waybill["collected"].date())
    if correction is None:
        return read_recorder(ws, waybill["trailer"])
    interval, made = loggers[serial]
    moved = clock_errors(ws).get(serial, 0 * MINUTE)
    return serial, interval, [(time - moved, value + correction) for time, value in made]


def doors(ws, trailer, settle):
    found = []
    for row in rows(ws / "frostveen/doors-2027-q1.csv"):
        if row["trailer"] == trailer and row["reason"] in ("drop", "customs"):
            opened, closed = (
                dt.datetime.strptime(row[n], "%Y-%m-%d %H:%M").replace(tzinfo=hours(1)) for n in ("opened", "closed")
            )
            found.append((opened, closed + int(settle) * MINUTE))
    return found


def runs(readings, interval, limit, shut):
    """Length in minutes of every run above the limit."""
    begun = last = None
    for time, value in readings:
        if begun and time - last > 2 * interval:
            yield (last - begun) // MINUTE
            begun = None
        above = value > limit and not any(a <= time <= b for a, b in shut)
        if above:
            begun, last = begun or time, time
        elif begun:
            yield (time - begun) // MINUTE
            begun = None
    if begun:
        yield (last - begun) // MINUTE


def in_custody(waybill, readings):
    return [(time, value) for time, value in readings if waybill["collected"] <= time <= waybill["delivered"]]


# --- money and notice ---


def rate_on(ws, day):
    published = [(row["day"], row["eur_per_unit"]) for row in rows(ws / "finance/unit-of-account.csv")]
    return Fraction(published[bisect_right([d for d, _ in published], day.isoformat()) - 1][1])


def values(ws):
    """By pallet its invoice value in euros."""
    found = {
        row["Palette"]: Fraction(row["kg net"].replace(",", ".")) * Fraction(row["EUR/kg"].replace(",", "."))
        for row in rows(ws / "shipping/invoices-2027-q1.csv", separator=";")
    }
    for row in rows(ws / "shipping/credit-notes.csv"):
        if row["reason"] == "short weight":
            found[row["pallet"]] -= Fraction(row["eur"])
    return found


def cents(euros):
    return int(euros * 100 + Fraction(1, 2))


def workdays(ws, place):
    """A function that tells working days at the place."""
    free = {row["public_holiday"] for row in rows(ws / "contract/annex-h-holidays-2027.csv") if row["place"] == place}
    return lambda day: day.weekday() < 5 and day.isoformat() not in free


def next_workday(day, works):
    day += dt.timedelta(days=1)
    while not works(day):
        day += dt.timedelta(days=1)
    return day


def counts_on(sent, works):
    """The day on which a mail counts."""
    at_rotterdam = sent.astimezone(hours(1))
    late = at_rotterdam.time() > dt.time(17)
    day = at_rotterdam.date()
    return next_workday(day, works) if late or not works(day) else day


def is_notice(message):
    return "claims@frostveen.example" in message["To"]


def notice(ws, name, waybill, works):
    days = [waybill["delivered"].date()] if "temperature" in waybill["box18"] else []
    days += [counts_on(m["Date"].datetime, works) for m, text in mails(ws) if is_notice(m) and name in text]
    return min(days, default=None)


def in_time(waybill, day, works):
    limit = waybill["delivered"].date()
    for _ in range(3):
        limit = next_workday(limit, works)
    return day is not None and day <= limit


def judge_pallet(ws, waybill, pallet, serial, loggers, value):
    """One row: pallet, instrument, minutes, percent, loss in cents."""
    terms = terms_for(ws, waybill["collected"].date())
    name, interval, readings = judged_by(ws, waybill, serial, loggers)
    shut = doors(ws, waybill["trailer"], terms["settle"])
    lengths = runs(in_custody(waybill, readings), interval, terms["limits"][pallet["class"]], shut)
    minutes = sum(length for length in lengths if length > terms["grace"])
    percent = terms["percents"][pallet["class"]][(minutes > 120) + (minutes > 300)] if minutes else 0
    cap = terms["units"] * Fraction(pallet["gross_kg"]) * rate_on(ws, waybill["delivered"].date())
    return pallet["pallet"], name, minutes, percent, cents(min(value * percent / 100, cap))


def settle_waybill(ws, name, waybill, losses):
    works, excess = workdays(ws, waybill["place"]), int(terms_for(ws, waybill["collected"].date())["excess"]) * 100
    day, total = notice(ws, name, waybill, works), sum(losses)
    if not total:
        status = "none"
    elif not in_time(waybill, day, works):
        status = "late"
    else:
        status = "claim" if total > excess else "below"
    amount = total - excess if status == "claim" else 0
    return {"waybill": name, "notice": day and day.isoformat(), "status": status, "amount": amount, "total": total}


def derive(ws):
    """All amounts in cents."""
    pallets = {row["pallet"]: row for row in rows(ws / "shipping/pallets-2027-q1.csv")}
    on, loggers, value = fitted(ws), read_loggers(ws), values(ws)
    judged, settled = [], []
    for name, waybill in sorted(delivered_in_month(read_waybills(ws)).items()):
        made = [judge_pallet(ws, waybill, pallets[p], on[p], loggers, value[p]) for p in waybill["pallets"]]
        judged += made
        settled.append(settle_waybill(ws, name, waybill, [row[4] for row in made]))
    return {
        "pallets": judged,
        "consignments": settled,
        "total_claim": sum(row["amount"] for row in settled),
        "total_late": sum(row["total"] for row in settled if row["status"] == "late"),
        "warm_pallets": sum(row[3] > 0 for row in judged),
    }


def euros(amount):
    return f"{amount // 100}.{amount % 100:02d}"


def as_json(answer):
    """The members of claim.json, amounts in euros."""
    return {
        "consignments": [
            {"waybill": r["waybill"], "notice": r["notice"], "status": r["status"], "amount": r["amount"] / 100}
            for r in answer["consignments"]
        ],
        "total_claim": answer["total_claim"] / 100,
        "total_late": answer["total_late"] / 100,
        "warm_pallets": answer["warm_pallets"],
    }


def write(ws, answer):
    folder = ws / "claim-february"
    folder.mkdir(exist_ok=True)
    lines = ["pallet,instrument,minutes,percent,loss"]
    lines += [",".join(map(str, (*row[:4], euros(row[4])))) for row in answer["pallets"]]
    (folder / "pallets.csv").write_bytes(("\n".join(lines) + "\n").encode())
    (folder / "claim.json").write_text(json.dumps(as_json(answer), indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
