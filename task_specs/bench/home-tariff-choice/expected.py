"""The second derivation: half-hours numbered from 1 March, whole watt-hours and hundredths of pence, no dates but days."""

import json
import quopri
from fractions import Fraction

MONTH_START = {"03": 0, "04": 31, "05": 61}
PERIOD = range(0, 61 * 48 - 2)  # numbered in UTC: the last local hour of 30 April is an hour earlier there
CHANGE = 27 * 48 + 2  # 28 March, 1:00 UTC
NAMES = ("Hearth Fix", "Nightjar Two", "Tidewise Three", "Emberdrive")


def lines_of(workspace, name):
    return (workspace / name).read_bytes().decode().replace("\r\n", "\n").strip("\n").split("\n")


def numbered(text):
    """Half-hours since 1 March, of 2027-03-01T00:30Z."""
    return (MONTH_START[text[5:7]] + int(text[8:10]) - 1) * 48 + int(text[11:13]) * 2 + int(text[14:16]) // 30


def local(n):
    """(day, half-hour of the day) on the wall."""
    return divmod(n + 2 * (n >= CHANGE), 48)


def word_after(text, mark):
    """The first number after a mark."""
    return text.split(mark)[1].replace("£", " ").split()[0].strip("*.|<,")


# the meter


def half_hours(workspace):
    """Watt-hours by number of the half-hour, the highest revision of each."""
    found = {}
    for name, mark in (("2027-03", ";"), ("2027-04", ","), ("2027-05-to-date", ",")):
        for line in lines_of(workspace, f"meter/halfhours-{name}.csv")[1:]:
            end, amount, rev = line.split(mark)
            watt_hours = (
                int(amount.replace(",", "")) if mark == "," else round(Fraction(amount.replace(",", ".")) * 1000)
            )
            found[numbered(end) - 1, int(rev)] = watt_hours
    return {n: found[n, max(r for r in (1, 2) if (n, r) in found)] for n, _ in found}


def complete(workspace):
    """All half-hours, and the set of those that were filled in."""
    there = half_hours(workspace)
    marks = [line.split(",") for line in lines_of(workspace, "meter/register.csv")[1:]]
    marks = [(numbered(at), round(Fraction(kwh) * 1000)) for at, kwh in marks]
    whole, filled = dict(there), set()
    for (first, low), (last, high) in zip(marks, marks[1:]):
        absent = {n for n in range(first, last)} - there.keys()
        rest = high - low - sum(there.get(n, 0) for n in range(first, last))
        whole |= {n: Fraction(rest, len(absent)) for n in absent}
        filled |= absent
    return whole, filled


def charged(workspace):
    """(half-hour of the day, watt-hours) of the charger on the days that count."""
    for line in lines_of(workspace, "car/charger-log.csv")[1:]:
        begin, amount = line.split(";")
        if begin[3:5] in ("03", "04") and begin[6:10] == "2027":
            yield int(begin[11:13]) * 2 + int(begin[14:16]) // 30, int(amount)


# the offers


def written(workspace, ending):
    """The text of the mails of a company, in order of their names."""
    found = []
    for path in sorted((workspace / "mail").iterdir()):
        head, _, body = path.read_bytes().decode().partition("\n\n")
        if f"@{ending}>" in head:
            found.append(quopri.decodestring(body).decode())
    return found


def sheets(workspace):
    """By tariff: prices by band, standing charge, whether VAT comes on top, last day to order."""
    fix = "\n".join(lines_of(workspace, "offers/hearthlight-renewal.txt"))
    night = "\n".join(lines_of(workspace, "offers/nightjar-two.md"))
    three = "\n".join(lines_of(workspace, "offers/tidewise-three.html")).replace("&nbsp;", " ")
    drive = json.loads("\n".join(lines_of(workspace, "offers/emberdrive.json")))
    pence = drive["pence"]
    corrected = word_after(written(workspace, "nightjar.example")[-1], "should be ")
    in_may = lambda text, mark: f"2027-05-{int(word_after(text, mark).split('>')[-1]):02d}"
    return {
        "Hearth Fix": (
            {"all": word_after(fix, "every kWh")},
            word_after(fix, "for a day"),
            0,
            in_may(fix, "tell us by"),
        ),
        "Nightjar Two": (
            {"night": corrected, "day": word_after(night, "| day, a kWh |")},
            word_after(night, "charge, a day |"),
            1,
            in_may(night, "Order by"),
        ),
        "Tidewise Three": (
            {
                "low": word_after(three, "every day</td><td>"),
                "peak": word_after(three, "bank holidays</td><td>"),
                "middle": word_after(three, "other times</td><td>"),
            },
            word_after(three, "for a day</td><td>"),
            0,
            in_may(three, "Order by <b>"),
        ),
        "Emberdrive": (
            {"drive": pence["drive_kwh"], "house": pence["house_kwh"]},
            pence["standing_day"],
            1,
            drive["offer"]["order_by"],
        ),
    }


def welcome(workspace):
    """Which tariffs are open to us."""
    contracts = next(line for line in lines_of(workspace, "house/contracts.txt") if line.startswith("Nightjar"))
    day, month, year = contracts.split(" to ")[1].split()[:3]
    gone = year < "2026" or (year == "2026" and month in ("January", "February", "March", "April", "May"))
    paper = next(line for line in lines_of(workspace, "car/charger-paper.txt") if "VT3-" in line)
    recall = written(workspace, "voltry.example")[-1]
    kept = int(paper.split("VT3-")[1]) >= int(recall.split("VT3-")[1][:4])
    return {"Hearth Fix": True, "Nightjar Two": gone, "Tidewise Three": True, "Emberdrive": kept}


def holidays(workspace):
    """Days since 1 March that are bank holidays."""
    text = "\n".join(lines_of(workspace, "house/calendar-2027.ics"))
    events = [event for event in text.split("END:VEVENT") if "Bank holiday" in event]
    stamps = [event.split("VALUE=DATE:")[1][:8] for event in events]
    return {MONTH_START[stamp[4:6]] + int(stamp[6:]) - 1 for stamp in stamps}


def bands(workspace, whole):
    """By tariff watt-hours by band."""
    found = {name: {} for name in NAMES}

    def put(name, band, amount):
        found[name][band] = found[name].get(band, 0) + amount

    free = holidays(workspace)
    for n in PERIOD:
        day, slot = local(n)
        put("Hearth Fix", "all", whole[n])
        put("Emberdrive", "house", whole[n])
        put("Nightjar Two", "night" if 1 <= n % 48 < 15 else "day", whole[n])
        working = day % 7 < 5 and day not in free  # 1 March is a Monday
        tide = "low" if slot < 12 or slot >= 46 else "peak" if working and 32 <= slot < 38 else "middle"
        put("Tidewise Three", tide, whole[n])
    for slot, amount in charged(workspace):
        if slot < 10:
            put("Emberdrive", "drive", amount)
            put("Emberdrive", "house", -amount)
    return found


def rounded(value, places):
    whole, rest = divmod(Fraction(value) * 10**places, 1)
    return float(Fraction(whole + (rest >= Fraction(1, 2)), 10**places))


def pounds(amounts, prices, standing, plus_vat):
    pence = sum(Fraction(amounts[band], 1000) * Fraction(str(price)) for band, price in prices.items())
    pence += 61 * Fraction(str(standing))
    return rounded(pence / 100 * (Fraction(105, 100) if plus_vat else 1), 2)


def rightful_bill(workspace, whole):
    letter = "\n".join(lines_of(workspace, "bill/letter-2027-03-09.txt")).replace("\n", " ")
    old, new = word_after(letter, "goes down from"), word_after(letter, "p to")
    april = sum(whole[n] for n in PERIOD if local(n)[0] >= 31)
    amounts = {"old": sum(whole[n] for n in PERIOD) - april, "new": april}
    return pounds(amounts, {"old": old, "new": new}, word_after(letter, "stays at"), True)


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    whole, filled = complete(workspace)
    offers, may, amounts = sheets(workspace), welcome(workspace), bands(workspace, whole)
    totals = {name: pounds(amounts[name], *offers[name][:3]) for name in NAMES}
    low = {name: min(offers[name][0], key=lambda band: Fraction(str(offers[name][0][band]))) for name in NAMES}
    best = min((totals[name], name) for name in NAMES if may[name])[1]
    due = rightful_bill(workspace, whole)
    wanted = float(word_after("\n".join(lines_of(workspace, "bill/bill-2027-05-05.txt")), "To pay"))
    saves, owed = round(totals["Hearth Fix"] - totals[best], 2), round(wanted - due, 2)
    energy = {
        "kwh": rounded(Fraction(sum(whole[n] for n in PERIOD), 1000), 1),
        "filled_kwh": rounded(Fraction(sum(whole[n] for n in filled if n in PERIOD), 1000), 1),
        "car_kwh": rounded(Fraction(sum(amount for _, amount in charged(workspace)), 1000), 1),
    }
    return {
        "priced": {n: {"low_kwh": rounded(Fraction(amounts[n][low[n]], 1000), 1), "total": totals[n]} for n in NAMES},
        "open": {name: {"open": may[name]} for name in NAMES},
        "energy": energy,
        "choice": {"best": best, "saves": saves},
        "bill": {"due": due, "owed": owed},
        "best": best,
        "others": [name for name in NAMES if name != best],
        "saves": saves,
        "owed": owed,
        "ring_by": offers[best][3],
    }
