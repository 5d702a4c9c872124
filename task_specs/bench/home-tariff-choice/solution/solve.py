"""The oracle: puts the half-hours right, prices them by the four offers, writes the comparison and the letter."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

FIRST, LAST = dt.date(2027, 3, 1), dt.date(2027, 4, 30)
DAYS = (LAST - FIRST).days + 1
HALF = dt.timedelta(minutes=30)
SUMMER = dt.datetime(2027, 3, 28, 1)  # UTC
SUPPLY = dt.date(2027, 6, 1)
FIX, NIGHT, THREE, DRIVE = "Hearth Fix", "Nightjar Two", "Tidewise Three", "Emberdrive"
MONTHS = "January February March April May June July August September October November December".split()


def text_of(ws, name):
    return (ws / name).read_bytes().decode()


def rows(ws, name, separator=","):
    return list(csv.DictReader(text_of(ws, name).splitlines(), delimiter=separator))


def english_date(text):
    day, month, year = text.split()
    return dt.date(int(year), next(n for n, name in enumerate(MONTHS, 1) if name.startswith(month[:3])), int(day))


def stamp(text):
    return dt.datetime.strptime(text, "%Y-%m-%dT%H:%MZ")


def wall(moment):
    """The clock on the wall at a moment of UTC."""
    return moment + dt.timedelta(hours=1) if moment >= SUMMER else moment


def begins(row):
    """When the half-hour of a row begins, in UTC."""
    return stamp(row["period_end"]) - HALF


def revision(row):
    return int(row["rev"])


def exported(ws):
    """Kilowatt-hours by begin of the half-hour."""
    table = [
        (row, Fraction(row["import_kwh"].replace(",", "."))) for row in rows(ws, "meter/halfhours-2027-03.csv", ";")
    ]
    for name in ("2027-04", "2027-05-to-date"):
        table += [(row, Fraction(row["import_wh"]) / 1000) for row in rows(ws, f"meter/halfhours-{name}.csv")]
    return {begins(row): kwh for row, kwh in sorted(table, key=lambda item: revision(item[0]))}


def gaps(ws, there):
    """By missing half-hour what is filled in, from register reading to register reading."""
    register = [(stamp(row["at"]), Fraction(row["kwh"])) for row in rows(ws, "meter/register.csv")]
    filled = {}
    for (one, before), (other, after) in zip(register, register[1:]):
        between = [one + n * HALF for n in range((other - one) // HALF)]
        gone = [moment for moment in between if moment not in there]
        if gone:
            missing = after - before - sum(there[moment] for moment in between if moment in there)
            filled |= dict.fromkeys(gone, missing / len(gone))
    return filled


def in_period(moments):
    return {moment: kwh for moment, kwh in moments.items() if FIRST <= wall(moment).date() <= LAST}


def car_use(ws):
    """Kilowatt-hours of the charger by begin of the half-hour, on the wall."""
    found = {}
    for line in rows(ws, "car/charger-log.csv", ";"):
        begin = dt.datetime.strptime(line["Beginn"], "%d.%m.%Y %H:%M")
        if FIRST <= begin.date() <= LAST:
            found[begin] = Fraction(line["Energie (Wh)"]) / 1000
    return found


def mails(ws):
    for path in sorted((ws / "mail").iterdir()):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        yield message["From"], " ".join(message.get_content().split())


def bank_holidays(ws):
    events = text_of(ws, "house/calendar-2027.ics").split("BEGIN:VEVENT")
    return {
        dt.datetime.strptime(re.search(r"DATE:(\d{8})", event)[1], "%Y%m%d").date()
        for event in events
        if "Bank holiday" in event
    }


def read_fix(ws):
    text = text_of(ws, "offers/hearthlight-renewal.txt")
    rate, standing = re.findall(r"([\d.]+) p\n", text)
    return {
        "rates": {"all": Fraction(rate)},
        "standing": Fraction(standing),
        "vat": False,
        "by": english_date(re.search(r"tell us by (\d+ \w+ \d+)", text)[1]),
        "leave": 0,
    }


def night_corrected(ws, printed):
    for sender, text in mails(ws):
        if "nightjar" in sender and (found := re.search(r"should be ([\d.]+) p", text)):
            return Fraction(found[1])
    return printed


def read_night(ws):
    text = text_of(ws, "offers/nightjar-two.md")
    night, day, standing = map(Fraction, re.findall(r"\| ([\d.]+) p \|", text))
    return {
        "rates": {"night": night_corrected(ws, night), "day": day},
        "standing": standing,
        "vat": True,
        "by": english_date(re.search(r"Order by (\d+ \w+ \d+)", text)[1]),
        "leave": int(re.search(r"costs £(\d+)", text)[1]),
    }


def read_three(ws):
    text = text_of(ws, "offers/tidewise-three.html")
    low, peak, middle, standing = map(Fraction, re.findall(r"([\d.]+)&nbsp;p<", text))
    return {
        "rates": {"low": low, "peak": peak, "middle": middle},
        "standing": standing,
        "vat": False,
        "by": english_date(re.search(r"Order by <b>(\d+ \w+ \d+)", text)[1]),
        "leave": int(re.search(r"&pound;(\d+)", text)[1]),
    }


def read_drive(ws):
    sheet = json.loads(text_of(ws, "offers/emberdrive.json"))
    pence = sheet["pence"]
    return {
        "rates": {"drive": Fraction(str(pence["drive_kwh"])), "house": Fraction(str(pence["house_kwh"]))},
        "standing": Fraction(str(pence["standing_day"])),
        "vat": True,
        "by": dt.date.fromisoformat(sheet["offer"]["order_by"]),
        "leave": sheet["leaving_early_pounds"],
    }


def read_offers(ws):
    return {FIX: read_fix(ws), NIGHT: read_night(ws), THREE: read_three(ws), DRIVE: read_drive(ws)}


def open_to_us(ws):
    return {FIX: True, NIGHT: new_to_nightjar(ws), THREE: True, DRIVE: firmware(ws) >= (5, 2)}


def new_to_nightjar(ws):
    left = re.search(r"Nightjar .* to (\d+ \w+ \d+)", text_of(ws, "house/contracts.txt"))
    return english_date(left[1]) < SUPPLY.replace(year=SUPPLY.year - 1)


def firmware(ws):
    """The version that our charger runs now."""
    version, series = (4, 8), int(re.search(r"VT3-(\d+)", text_of(ws, "car/charger-paper.txt"))[1])
    for sender, text in mails(ws):
        if "voltry" in sender and (found := re.search(r"now runs firmware (\d)\.(\d)", text)):
            version = (int(found[1]), int(found[2]))
        elif "voltry" in sender and (below := re.search(r"below VT3-(\d+) .*back to (\d)\.(\d)", text)):
            version = (int(below[2]), int(below[3])) if series < int(below[1]) else version
    return version


def night_clock(moment):
    """The clock by which Nightjar's night goes."""
    return moment.time()


def tide(moment, holidays):
    clock, day = wall(moment).time(), wall(moment).date()
    if clock.hour >= 23 or clock.hour < 6:
        return "low"
    return "peak" if day.weekday() < 5 and day not in holidays and 16 <= clock.hour < 19 else "middle"


def shares(ws, used, car):
    """By tariff the kilowatt-hours in each of its bands."""
    holidays, everything = bank_holidays(ws), sum(used.values())
    drive = sum(kwh for begin, kwh in car.items() if begin.hour < 5)
    found = {FIX: {"all": everything}, NIGHT: {}, THREE: {}, DRIVE: {"drive": drive, "house": everything - drive}}
    for moment, kwh in used.items():
        night = "night" if dt.time(0, 30) <= night_clock(moment) < dt.time(7, 30) else "day"
        for name, band in ((NIGHT, night), (THREE, tide(moment, holidays))):
            found[name][band] = found[name].get(band, 0) + kwh
    return found


def total(offer, bands):
    pence = sum(bands[band] * rate for band, rate in offer["rates"].items()) + DAYS * offer["standing"]
    return half_up(pence * (Fraction(21, 20) if offer["vat"] else 1) / 100, 2)


def half_up(value, digits):
    scaled = Fraction(value) * 10**digits
    return float(Fraction((2 * scaled + 1) // 2, 10**digits))


def bill(ws, used):
    """What the bill should have come to, and what it asks for."""
    letter, printed = text_of(ws, "bill/letter-2027-03-09.txt"), text_of(ws, "bill/bill-2027-05-05.txt")
    day, old, new = re.search(r"From (\d+ \w+ \d+) the price .* from ([\d.]+) p to ([\d.]+) p", letter).groups()
    standing = Fraction(re.search(r"stays at ([\d.]+) p", letter)[1])
    pence = sum(k * Fraction(new if wall(m).date() >= english_date(day) else old) for m, k in used.items())
    wanted = Fraction(re.search(r"To pay +£ +([\d.]+)", printed)[1])
    return half_up((pence + DAYS * standing) * Fraction(21, 20) / 100, 2), float(wanted)


def derive(ws):
    there = exported(ws)
    filled = in_period(gaps(ws, there))
    used, car, offers = in_period(there) | filled, car_use(ws), read_offers(ws)
    bands, may = shares(ws, used, car), open_to_us(ws)
    totals = {name: total(offer, bands[name]) for name, offer in offers.items()}
    lowest = {name: min(offer["rates"], key=offer["rates"].get) for name, offer in offers.items()}
    best = min((name for name in offers if may[name]), key=totals.get)
    due, wanted = bill(ws, used)
    return {
        "tariffs": [
            {"tariff": n, "open": may[n], "low_kwh": half_up(bands[n][lowest[n]], 1), "total": totals[n]}
            for n in offers
        ],
        "kwh": half_up(sum(used.values()), 1),
        "filled_kwh": half_up(sum(filled.values()), 1),
        "car_kwh": half_up(sum(car.values()), 1),
        "best": best,
        "saves": round(totals[FIX] - totals[best], 2),
        "due": due,
        "owed": round(wanted - due, 2),
        "by": offers[best]["by"],
        "leave": offers[best]["leave"],
    }


REASONS = {
    NIGHT: "It has a cheap stretch every night, and that is when the car sits on its cable",
    THREE: "It is cheap from eleven at night until six, and that is when the car sits on its cable; only weekday evenings are dear",
    DRIVE: "It lets the car charge for next to nothing in the small hours, and the house pays about what it pays now",
}


def letter(a):
    leaving = f"leaving before the year is out costs {a['leave']} pounds" if a["leave"] else "leaving costs nothing"
    return f"""Dear Marit,

good morning, and sleep well afterwards. Before you do, please ring up about {a["best"]} and have us taken on from June.

{REASONS[a["best"]]}. I had every offer worked out with the power we really used in March and April, and this is the cheapest that will have us.

You asked whether you must get up for the dishwasher. No. The sum takes us exactly as we lived, dishwasher, suppers and all; nobody has to change a thing. And if we move in with your mother in the autumn, we are not stuck: {leaving}, so think of it as the price of the door.

One caution. These are two months of spring. What a whole year brings, with a dark winter in it, I can't tell you.

The old firm has guessed at our meter and overlooked its own new price, so it owes us a little as well.

- Take: {a["best"]}
- Ring by: {a["by"].day} {a["by"]:%B %Y}
- Saves: £{a["saves"]:.2f}
- Owed: £{a["owed"]:.2f}

Corin
"""


def write(ws, answer):
    folder = ws / "table"
    folder.mkdir(exist_ok=True)
    body = {name: value for name, value in answer.items() if name not in ("by", "leave")}
    (folder / "comparison.json").write_bytes((json.dumps(body, indent=2) + "\n").encode())
    (folder / "letter.md").write_bytes(letter(answer).encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
