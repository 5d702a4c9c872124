"""Writes a household's power papers: half-hours of the meter, charger log, four offers, a bill, letters and notes."""

import json
import quopri
import random
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path

SLUG = "home-tariff-choice"
FIRST, LAST = date(2027, 3, 1), date(2027, 4, 30)
DAYS = (LAST - FIRST).days + 1
HALF = timedelta(minutes=30)
SUMMER = datetime(2027, 3, 28, 1)  # UTC
BEGIN, END = datetime(2027, 3, 1), datetime(2027, 5, 6)  # of the exports, UTC
NEW_PRICE = date(2027, 4, 1)
BANK_HOLIDAYS = {date(2027, 3, 26), date(2027, 3, 29)}
VAT = Fraction(105, 100)
FIX, NIGHT, THREE, DRIVE = NAMES = ("Hearth Fix", "Nightjar Two", "Tidewise Three", "Emberdrive")


class Unlucky(Exception):
    """This draw does not make the story: the order of the tariffs is another, or a sum lies near a half."""


def wall(moment):
    """The clock on the wall at a moment of UTC."""
    return moment + timedelta(hours=1 if moment >= SUMMER else 0)


def half_up(value, digits=2):
    scaled = value * 10**digits
    if abs(scaled % 1 - Fraction(1, 2)) < Fraction(3, 100):
        raise Unlucky
    return float(Fraction((2 * scaled + 1) // 2, 10**digits))


@dataclass
class Prices:
    """Pence, as printed on a sheet."""

    standing: Fraction
    rates: dict
    plus_vat: bool
    leave: int
    order_by: date
    credit: int = 0


def pence(tenths):
    return Fraction(tenths, 10)


class World:
    """What was used when, what the papers say, and what the four offers come to."""

    def __init__(self, rng, closed):
        self.rng, self.closed = rng, closed
        self.use()
        self.damage()
        self.price()
        self.papers()
        self.work_out()

    # what the meter saw

    def use(self):
        """Watt-hours by begin of the half-hour (UTC), of the whole house and of the car alone."""
        rng = self.rng
        self.car, self.house = self.charge(), {}
        base = rng.randrange(95, 150)
        moment = BEGIN
        while moment < END:
            hour = wall(moment).hour + wall(moment).minute / 60
            morning, evening = max(0, 1.6 - abs(hour - 7.3)), max(0, 3 - abs(hour - 18.6))
            weekend = 120 if wall(moment).weekday() > 4 and 9 <= hour < 16 else 0
            cooking = rng.randrange(200, 900) if rng.random() < 0.25 and 16 <= hour < 20 else 0
            own = base + 190 * morning + 130 * evening + weekend + cooking
            self.house[moment] = int(own * rng.uniform(0.7, 1.35)) + self.car.get(moment, 0)
            moment += HALF

    def charge(self):
        """The car on its cable: mostly by timer in the night, now and then as soon as somebody is home."""
        rng, found = self.rng, {}
        power = rng.randrange(3380, 3560)
        day = BEGIN.date()
        while day < END.date():
            if rng.random() < 0.58:
                evening = rng.random() < 0.22
                start = datetime.combine(day, datetime.min.time())
                start += timedelta(minutes=30 * (rng.randrange(35, 42) if evening else rng.choice((0, 0, 1, 2))))
                for n in range(rng.randrange(2, 5) if evening else rng.randrange(4, 11)):
                    utc = start + n * HALF
                    utc -= timedelta(hours=1 if utc - timedelta(hours=1) >= SUMMER else 0)
                    if BEGIN <= utc < END:
                        found[utc] = power + rng.randrange(-60, 60)
            day += timedelta(days=1)
        return found

    def damage(self):
        """What the export lost, what it sent twice, and the register's readings at midnight UTC."""
        rng = self.rng
        gap = lambda day, half_hour, number: [day + n * HALF for n in range(half_hour, half_hour + number)]
        evening = datetime(2027, 3, rng.randrange(8, 19))
        self.blind = datetime(2027, 4, rng.randrange(8, 22))  # no register reading at the midnight that begins it
        car_night = rng.choice(
            sorted({m for m in self.car if datetime(2027, 3, 29) < m < datetime(2027, 4, 5) and m.hour < 4})
        )
        self.lost = {
            *gap(evening, rng.randrange(30, 36), 7),
            *gap(self.blind - timedelta(days=1), rng.randrange(44, 46), rng.randrange(8, 13)),
            *gap(datetime.combine(car_night.date(), datetime.min.time()), 0, 5),
        }
        kept = [m for m in self.house if m not in self.lost]
        self.revised = {m: int(self.house[m] * rng.choice((0, 0.4, 1.7, 2.2))) + 3 for m in rng.sample(kept, 14)}
        reading, self.register = Fraction(rng.randrange(11_000_000, 19_000_000), 1000), {}
        for moment, used in self.house.items():
            if moment.hour == moment.minute == 0:
                self.register[moment] = reading
            reading += Fraction(used, 1000)
        self.register[END] = reading
        self.filled = self.fill()

    def fill(self):
        """Kilowatt-hours by half-hour after the leaflet's rule for gaps."""
        kwh = {m: Fraction(used, 1000) for m, used in self.house.items()}
        marks = [m for m in self.register if m != self.blind]
        for one, other in zip(marks, marks[1:]):
            gone = [m for m in self.lost if one <= m < other]
            kwh |= dict.fromkeys(gone, Fraction(sum(self.house[m] for m in gone), 1000) / max(len(gone), 1))
        return kwh

    # what the offers ask

    def price(self):
        rng = self.rng
        day = lambda first, last: date(2027, 5, rng.randrange(first, last))
        dear = 45 if self.closed == NIGHT else 0
        self.offers = {
            FIX: Prices(pence(rng.randrange(470, 540)), {"all": pence(rng.randrange(252, 268))}, False, 0, day(27, 31)),
            NIGHT: Prices(
                pence(rng.randrange(440, 520)),
                {"night": pence(rng.randrange(88, 120)), "day": pence(rng.randrange(256, 292))},
                True,
                rng.choice((30, 35, 45)),
                day(13, 19),
            ),
            THREE: Prices(
                pence(rng.randrange(480, 560)),
                {
                    "low": pence(rng.randrange(128, 160)),
                    "middle": pence(rng.randrange(232, 262)),
                    "peak": pence(rng.randrange(372, 428)),
                },
                False,
                rng.choice((25, 50, 60)),
                day(14, 21),
            ),
            DRIVE: Prices(
                pence(rng.randrange(450, 520)),
                {"drive": pence(dear + rng.randrange(64, 96)), "house": pence(dear // 3 + rng.randrange(248, 276))},
                True,
                rng.choice((20, 40, 55)),
                day(12, 18),
                rng.choice((35, 50, 75)),
            ),
        }
        self.misprint = self.offers[NIGHT].rates["night"] - pence(rng.randrange(14, 25))
        self.old_rate, self.new_rate = pence(rng.randrange(281, 296)), pence(rng.randrange(262, 274))
        self.standing = pence(rng.randrange(490, 530))

    def band(self, name, moment):
        """The band of a tariff in which a half-hour lies."""
        local = wall(moment)
        clock = local.time()
        if name == FIX:
            return "all"
        if name == NIGHT:
            return "night" if 0.5 <= moment.hour + moment.minute / 60 < 7.5 else "day"
        if name == DRIVE:
            return "house"
        if clock.hour < 6 or clock.hour == 23:
            return "low"
        weekday = local.weekday() < 5 and local.date() not in BANK_HOLIDAYS
        return "peak" if weekday and 16 <= clock.hour < 19 else "middle"

    def papers(self):
        rng = self.rng
        first_new_series = rng.randrange(2200, 2290)
        step = rng.randrange(20, 90)
        self.first_new_series = first_new_series
        self.series = first_new_series - step if self.closed == DRIVE else first_new_series + step
        self.left_nightjar = (
            date(2026, 6, rng.randrange(9, 28)) if self.closed == NIGHT else date(2026, 5, rng.randrange(3, 22))
        )

    # what it comes to

    def in_period(self):
        return [m for m in self.filled if FIRST <= wall(m).date() <= LAST]

    def cost(self, name):
        """(low_kwh, total in pounds)."""
        sums, offer = {}, self.offers[name]
        for m in self.in_period():
            kwh, at = self.filled[m], self.band(name, m)
            drive = Fraction(self.car.get(m, 0), 1000) if name == DRIVE and wall(m).hour < 5 else 0
            sums[at] = sums.get(at, 0) + kwh - drive
            sums["drive"] = sums.get("drive", 0) + drive
        low = min(offer.rates, key=offer.rates.get)
        total = sum(sums.get(band, 0) * rate for band, rate in offer.rates.items()) + DAYS * offer.standing
        total *= VAT if offer.plus_vat else 1
        return half_up(sums[low], 1), half_up(total / 100)

    def work_out(self):
        self.costs = {name: self.cost(name) for name in NAMES}
        ranking = sorted(NAMES, key=lambda name: self.costs[name][1])
        totals = sorted(total for _, total in self.costs.values())
        if ranking[0] != self.closed or ranking[-1] != FIX or min(b - a for a, b in zip(totals, totals[1:])) < 4:
            raise Unlucky
        self.kwh = [
            sum(self.filled[m] for m in self.in_period() if (wall(m).date() >= NEW_PRICE) is late)
            for late in (False, True)
        ]
        half_up(sum(self.kwh), 1)
        half_up(sum(self.filled[m] for m in self.lost if m in set(self.in_period())), 1)
        half_up(sum(Fraction(self.car[m], 1000) for m in self.in_period() if m in self.car), 1)
        due = (self.kwh[0] * self.old_rate + self.kwh[1] * self.new_rate + DAYS * self.standing) * VAT / 100
        self.due = half_up(due)
        self.guessed = [
            round(float(k) * f) for k, f in zip(self.kwh, (self.rng.uniform(1.03, 1.08), self.rng.uniform(0.99, 1.04)))
        ]
        lines = [half_up(sum(self.guessed) * self.old_rate / 100), half_up(DAYS * self.standing / 100)]
        self.bill_lines = [*lines, half_up(Fraction(str(sum(lines))).limit_denominator(100) * (VAT - 1))]
        self.billed = round(sum(self.bill_lines), 2)
        if self.billed - self.due < 12:
            raise Unlucky
        self.tempt(ranking)

    def tempt(self, ranking):
        """Where Nightjar is open but not the best, it would be by the misprinted price."""
        if self.closed != NIGHT and ranking[1] != NIGHT:
            right, self.offers[NIGHT].rates["night"] = self.offers[NIGHT].rates["night"], self.misprint
            printed = self.cost(NIGHT)[1]
            self.offers[NIGHT].rates["night"] = right
            if printed > self.costs[ranking[1]][1] - 1:
                raise Unlucky


def make_world(seed):
    rng = random.Random(f"{SLUG}:{seed}")
    closed = rng.choice((DRIVE, NIGHT))
    while True:
        try:
            return World(rng, closed)
        except Unlucky:
            continue


# files


def number(value, digits):
    return f"{float(value):.{digits}f}"


def rows_of(world, first, last):
    """(end of the half-hour, watt-hours, revision) as the export has them, later revisions at the end."""
    kept = [m for m in sorted(world.house) if m not in world.lost and first < m + HALF <= last]
    rows = [(m + HALF, world.revised.get(m, world.house[m]), 1) for m in kept]
    return rows + [(m + HALF, world.house[m], 2) for m in kept if m in world.revised]


def meter(world):
    march, april, may = (datetime(2027, month, 1) for month in (3, 4, 5))
    comma = lambda wh: number(Fraction(wh, 1000), 3).replace(".", ",")
    stamp = lambda moment: f"{moment:%Y-%m-%dT%H:%M}Z"
    files = {
        "meter/halfhours-2027-03.csv": "\r\n".join(
            [
                "period_end;import_kwh;rev",
                *(f"{stamp(m)};{comma(wh)};{rev}" for m, wh, rev in rows_of(world, march, april)),
                "",
            ]
        )
    }
    for name, first, last in (("2027-04", april, may), ("2027-05-to-date", may, END)):
        lines = [f"{stamp(m)},{wh},{rev}" for m, wh, rev in rows_of(world, first, last)]
        files[f"meter/halfhours-{name}.csv"] = "\n".join(["period_end,import_wh,rev", *lines, ""])
    lines = [f"{stamp(m)},{number(r, 3)}" for m, r in world.register.items() if m != world.blind]
    files["meter/register.csv"] = "\n".join(["at,kwh", *lines, ""])
    files["meter/about-this-export.txt"] = ABOUT
    return files


ABOUT = """ABOUT THIS EXPORT                                   Greyfinch Metering, edition 7

period_end   the end of the half-hour, in UTC all year round (Z). The meter
             knows no summer time. 2027-03-01T00:30Z is what went through
             between 0.00 and 0.30.
import_...   what went through, in kWh. Meters that were given firmware 9
             on 1 April 2027 write Wh since.
rev          revision. Where we had to correct a half-hour, it comes a
             second time; the highest revision is right.

The register (register.csv) is read at midnight UTC, radio permitting.
Half-hours that are not there did not reach us, and will not. The register
has counted them all the same.
"""


def charger(world):
    lines = [f"{wall(m):%d.%m.%Y %H:%M};{world.car[m]}" for m in sorted(world.car) if m >= BEGIN]
    return {
        "car/charger-log.csv": "\r\n".join(["Beginn;Energie (Wh)", *lines, ""]),
        "car/charger-paper.txt": f"""VOLTRY 3 WALL CHARGER

Series number     VT3-{world.series}
Firmware          4.8 (as delivered, October 2024)
Log               half-hours, by their beginning, by the clock on the wall.
                  Half-hours without charging are left out.

Keep this paper. The green lamp means yes.
""",
    }


def english(day):
    return f"{day.day} {day:%B %Y}"


def offers(world):
    fix, night, three, drive = (world.offers[name] for name in NAMES)
    p = lambda value: number(value, 1)
    return {
        "offers/hearthlight-renewal.txt": f"""HEARTHLIGHT                                            offer of 3 May 2027

HEARTH FIX, from 1 June 2027 for twelve months
What you get if you do nothing.

    every kWh                        {p(fix.rates["all"])} p
    standing charge, for a day       {p(fix.standing)} p

Prices include VAT at 5 %. Leave whenever you like, it costs nothing.
If you want to hear no more from us about it, tell us by {english(fix.order_by)}.
""",
        "offers/nightjar-two.md": f"""# Nightjar Two

*Offer of 28 April 2027, for supply from 1 June 2027, for twelve months. Order by {english(night.order_by)}.*

| | price |
|---|---|
| night, a kWh | {p(world.misprint)} p |
| day, a kWh | {p(night.rates["day"])} p |
| standing charge, a day | {p(night.standing)} p |

Prices are before VAT (5 %).

Night is from 0.30 to 7.30 by Greenwich time, in summer too: our meters do not change their clocks, and nor do the owls.

Leaving before the twelve months are over costs £{night.leave}.

For new customers: nobody in your home may have been our customer on any day of the twelve months before the supply begins.
""",
        "offers/tidewise-three.html": f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tidewise Three</title></head><body>
<h1>Tidewise Three</h1>
<p>For twelve months from <b>1 June 2027</b>. Order by <b>{english(three.order_by)}</b>. VAT (5&nbsp;%) is in all prices.</p>
<table>
<tr><th>Tide</th><th>When</th><th>Price for a kWh</th></tr>
<tr><td>low</td><td>23:00 to 06:00, every day</td><td>{p(three.rates["low"])}&nbsp;p</td></tr>
<tr><td>peak</td><td>16:00 to 19:00, Monday to Friday, not on bank holidays</td><td>{p(three.rates["peak"])}&nbsp;p</td></tr>
<tr><td>middle</td><td>all other times</td><td>{p(three.rates["middle"])}&nbsp;p</td></tr>
<tr><td colspan="2">standing charge for a day</td><td>{p(three.standing)}&nbsp;p</td></tr>
</table>
<p>Tides go by the clock on your kitchen wall, summer time included.</p>
<p>If you leave before the year is out, we ask for &pound;{three.leave}. Any home with a half-hourly meter is welcome.</p>
</body></html>
""",
        "offers/emberdrive.json": json.dumps(
            {
                "tariff": "Emberdrive",
                "offer": {
                    "of": "2027-05-04",
                    "order_by": drive.order_by.isoformat(),
                    "supply_from": "2027-06-01",
                    "months": 12,
                },
                "pence": {
                    "drive_kwh": float(drive.rates["drive"]),
                    "house_kwh": float(drive.rates["house"]),
                    "standing_day": float(drive.standing),
                    "vat": "to be added, 5 %",
                },
                "drive": "what your charger itself logs between 00:00 and 05:00 by local clock time; all other kWh of your home are house",
                "chargers": {"Kilnbridge Duo": "any firmware", "Voltry 2": "none", "Voltry 3": "firmware 5.2 or later"},
                "welcome_credit_pounds": drive.credit,
                "leaving_early_pounds": drive.leave,
            },
            indent=2,
        )
        + "\n",
        "offers/old/nightjar-two-2025.md": f"# Nightjar Two\n\n*Offer of 9 May 2025.* Night {p(night.rates['night'] - 1)} p, day {p(night.rates['day'] + 2)} p, standing charge {p(night.standing - 6)} p, VAT included. Night is from 0.30 to 7.30.\n",
    }


def bill(world):
    march, april = world.guessed
    energy, standing, vat = world.bill_lines
    start = int(world.register[BEGIN])
    return {
        "bill/bill-2027-05-05.txt": f"""HEARTHLIGHT                                                 Bill of 5 May 2027

For 1 March to 30 April 2027 ({DAYS} days)

  Reading 1 March      {start}  (estimated)
  Reading 30 April     {start + march + april}  (estimated)
  Used                 {march + april} kWh

  {march + april} kWh at {number(world.old_rate, 1)} p            {number(energy, 2):>9}
  {DAYS} days at {number(world.standing, 1)} p              {number(standing, 2):>9}
  VAT 5 %                        {number(vat, 2):>9}
                                 ---------
  To pay                       £ {number(world.billed, 2):>9}

We shall take this from your account on 19 May.
""",
        "bill/letter-2027-03-09.txt": f"""HEARTHLIGHT                                                      9 March 2027

Good news for customers on Hearth Open

From 1 April 2027 the price of a kWh goes down from {number(world.old_rate, 1)} p to {number(world.new_rate, 1)} p.
The standing charge stays at {number(world.standing, 1)} p a day. Both are before VAT (5 %).
""",
        "bill/terms-hearth-open.txt": """HEARTH OPEN, terms (extract)

7  We bill what your meter measured. Where a half-hourly meter sends us its
   half-hours, these decide, and each one is charged at the price of its day.
   A day is a day by local clock time.
8  Where we have estimated although half-hours were there, you can ask for a
   new bill within two months. It is rounded once, at the end, to the penny.
9  You can leave us at any time, with no fee.
""",
    }


LEAFLET = """COMPARING TARIFFS WITH HALF-HOURS
Ravensby Energy Advice, leaflet 14, January 2027 (replaces that of 2023)

1  Take a stretch of whole days, by the clock on the wall, and the half-hours
   of your meter in it. Read what the metering company says about its export
   before you add anything up: most people get the clock wrong.

2  Gaps. Where half-hours are missing, look for the last register reading
   before the gap and the first one after it. What the register moved
   between those two, less all the half-hours in between that are there, is
   what is missing. Spread it evenly over all the half-hours missing between
   those two readings.

3  Each half-hour is charged at the price of the time in which it lies. A
   price from 16.00 to 19.00 covers the half-hours that begin at 16.00 and at
   18.30, and those between. Add the standing charge for each day.

4  Compare with VAT. Where a sheet gives prices before VAT, add it to the
   whole.

5  Credits for joining and fees for leaving are no part of the comparison.
   Keep them in mind all the same.

6  Round once, at the end: money to the penny, kWh to one decimal, halves up.

7  An offer that is not open to you is no offer. Read the small print, and
   look whether anybody has corrected the sheet since. What counts is what
   the company itself says last.

8  A few weeks are not a year. Who compares spring cannot promise winter.
"""

OLD_LEAFLET = """COMPARING TARIFFS WITH HALF-HOURS
Ravensby Energy Advice, leaflet 9, March 2023

1  Stamps are usually the beginning of the half-hour.
2  Gaps: take the same half-hour of the week before.
3  Spread a joining credit over the year and take it off.
4  Compare without VAT.
"""


def house(world):
    return {
        "advice/leaflet-14.txt": LEAFLET,
        "advice/leaflet-9.txt": OLD_LEAFLET,
        "house/fridge-door.txt": """(from the fridge door, Marit's hand)

If you MUST change the electricity again:
- I am not getting up at night to start the dishwasher, and I am not
  going to live by a timetable. Does it still pay if we go on as we are?
- If we do move in with Mother in the autumn, are we stuck with it?
Milk. Bulbs (E14). Not the cheap ones.
""",
        "house/contracts.txt": f"""WHO WE HAVE BEEN WITH (electricity, since we moved in)

Brightwater Mutual      from 2 Sept 2019   to 14 May 2025
Nightjar                from 15 May 2025   to {english(world.left_nightjar)}   (flat tariff, nothing wrong with them)
Hearthlight (Open)      since then

Gas: none any more. Water: Ravensby.
""",
        "house/calendar-2027.ics": calendar(),
    }


def calendar():
    days = [
        ("20270326", "Bank holiday (Good Friday)"),
        ("20270329", "Bank holiday (Easter Monday)"),
        ("20270412", "Chimney sweep"),
        ("20270503", "Bank holiday (early May)"),
        ("20270531", "Bank holiday (late May)"),
        ("20270405", "School closed, in-service day"),
    ]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//kitchen//calendar//EN"]
    for day, title in days:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{day}@kitchen.example",
            f"DTSTART;VALUE=DATE:{day}",
            f"SUMMARY:{title}",
            "END:VEVENT",
        ]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def mail(sender, moment, subject, text):
    return (
        f"From: {sender}\nTo: us@home.example\nDate: {moment}\nSubject: {subject}\nMIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        f"{quopri.encodestring(text.encode()).decode()}\n"
    )


def mails(world):
    right, wrong = number(world.offers[NIGHT].rates["night"], 1), number(world.misprint, 1)
    return {
        "mail/2026-12-02-voltry.eml": mail(
            "Voltry <service@voltry.example>",
            "Wed, 02 Dec 2026 03:00:00 +0000",
            "Your charger has updated itself",
            "Your Voltry 3 now runs firmware 5.1. There is nothing to do. The lamp is a little greener.",
        ),
        "mail/2027-03-17-voltry.eml": mail(
            "Voltry <service@voltry.example>",
            "Wed, 17 Mar 2027 03:00:00 +0000",
            "Your charger has updated itself",
            "Your Voltry 3 now runs firmware 5.2, which talks to more energy companies than ever.",
        ),
        "mail/2027-04-21-voltry.eml": mail(
            "Voltry <service@voltry.example>",
            "Wed, 21 Apr 2027 16:41:00 +0100",
            "About firmware 5.2",
            "To all owners of a Voltry 3. In chargers with a series number below "
            f"VT3-{world.first_new_series} version 5.2 made the relay click at night. Last night we have put these chargers "
            "back to 5.1, and there they will stay: they will get no further versions. All others keep 5.2.",
        ),
        "mail/2027-05-04-nightjar.eml": mail(
            "Nightjar <hello@nightjar.example>",
            "Tue, 04 May 2027 10:12:00 +0100",
            "A slip of ours",
            f"Dear reader of our sheet of 28 April: the night price on it is last year's. Instead of {wrong} p a kWh it "
            f"should be {right} p. Everything else is as printed. We are sorry, and a little sleepy.",
        ),
        "mail/2027-05-06-tidewise.eml": mail(
            "Tidewise <news@tidewise.example>",
            "Thu, 06 May 2027 08:00:00 +0100",
            "High tide for our new app",
            "Watch your tides on your telephone! For homes that join from September there will also be a fourth tide, "
            "at 9.9 p a kWh. Ask your friends.",
        ),
        "mail/2027-05-08-neighbour.eml": mail(
            "Agnes next door <agnes@home.example>",
            "Sat, 08 May 2027 19:30:00 +0100",
            "Emberdrive!!",
            f"We have saved a fortune since March, and they gave us £{world.offers[DRIVE].credit} just for coming. Our charger is "
            "the same as yours, only newer. What are you waiting for?",
        ),
    }


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    world = make_world(seed)
    files = meter(world) | charger(world) | offers(world) | bill(world) | house(world) | mails(world)
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())


if __name__ == "__main__":
    import sys

    generate(int(sys.argv[1]), sys.argv[2])
