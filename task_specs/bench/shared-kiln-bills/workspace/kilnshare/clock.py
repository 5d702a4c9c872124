"""From the clock on the kiln-room wall to the clock of the meter, and how much of a firing is night."""

from datetime import datetime, timedelta
from fractions import Fraction

MINUTE = timedelta(minutes=1)


def summer(year):
    """Beginning and end of summer time in `year`, as the clock on the wall shows them."""
    dates = {
        2022: ("03-27", "10-30"),
        2023: ("03-26", "10-29"),
        2024: ("03-31", "10-27"),
        2025: ("03-30", "10-26"),
    }
    begins, ends = dates.get(year, ("01-01", "01-01"))
    return tuple(datetime.fromisoformat(f"{year}-{day} 02:00") for day in (begins, ends))


def to_meter(wall):
    """What the meter's clock shows when the one on the wall shows `wall`."""
    begins, ends = summer(wall.year)
    return wall - timedelta(hours=1) if begins <= wall < ends else wall


def night_share(start, end, window):
    """The share of a firing's minutes that lies in the night.

    `start` and `end` are by the wall, `window` is two distances from midnight by the meter.
    """
    start, end = to_meter(start), to_meter(end)
    night = timedelta()
    midnight = datetime(start.year, start.month, start.day)
    while midnight < end:
        inside = min(end, midnight + window[1]) - max(start, midnight + window[0])
        night += max(timedelta(), inside)
        midnight += timedelta(days=1)
    return Fraction(night // MINUTE, (end - start) // MINUTE)
