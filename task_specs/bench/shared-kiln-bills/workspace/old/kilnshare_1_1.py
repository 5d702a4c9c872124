"""kilnshare 1.1, the one-file version. Kept because I am sentimental. D."""

import sys
from datetime import datetime, timedelta

DAY, NIGHT = 0.2710, 0.1240  # pounds for a kWh, VAT included


def split(pence, pots):
    total = sum(pots.values())
    shares = {who: round(pence * shelves / total) for who, shelves in pots.items()}
    last = list(pots)[-1]
    shares[last] += pence - sum(shares.values())
    return shares


def night_hours(start, end):
    minutes = 0
    while start < end:
        minutes += "00:30" <= f"{start:%H:%M}" < "07:30"
        start += timedelta(minutes=1)
    return minutes / 60


for line in sys.stdin:
    when, hours, units, who = line.split(";")
    start = datetime.strptime(when, "%Y-%m-%d %H:%M")
    end = start + timedelta(hours=float(hours))
    night = float(units) * night_hours(start, end) / float(hours)
    pence = round(100 * (night * NIGHT + (float(units) - night) * DAY))
    pots = {entry.split()[0]: float(entry.split()[1]) for entry in who.split("+")}
    print(when, split(pence, pots))
