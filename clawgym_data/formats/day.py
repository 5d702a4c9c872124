"""Calendar dates in running text."""

import re
from collections.abc import Iterator
from datetime import date

from clawgym_data.formats.outright import another_day, inexact

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH_NUMBERS = {name: n for n, name in enumerate(_MONTHS, 1)} | {name[:3]: n for n, name in enumerate(_MONTHS, 1)}
_MONTH_NUMBERS["sept"] = 9
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ISO = re.compile(r"(?<![\d/-])(?P<year>\d{4})(?P<mark>[-/])(?P<month>\d{2})(?P=mark)(?P<day>\d{2})(?!\d|-\d)")
_DAY_FIRST = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)?(?:\s+|-)(?P<month>[A-Za-z]+)\.?,?(?:\s+|-)(?P<year>\d{4})(?!\d)"
)
_MONTH_FIRST = re.compile(
    r"\b(?P<month>[A-Za-z]+)\.?\s+(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})(?!\d)"
)
_NUMERIC = re.compile(r"(?<!\d)(\d{1,4})([/.])(\d{1,2})\2(\d{1,4})(?!\d)")
_CLOCK = re.compile(
    r"(?<![\d:.])(?:[01]?\d|2[0-4])[:.][0-5]\d(?:[:.][0-5]\d)?(?:\s*[ap]\.?\s?m\b\.?)?(?!\d)|(?<!\d)\d{1,2}\s*[ap]\.?\s?m\b\.?",
    re.IGNORECASE,
)
_TAG = re.compile(r"\b[A-Za-z]{1,6}-\d+(?:-\d+)*\b")
_WEEK = re.compile(r"\b(?:week|wk)\.?\s?(\d{1,2})\b", re.IGNORECASE)
_OTHER_MONTH = re.compile(r"\b(?:january|february|april|june|july|august|september|october|november|december)\b", re.I)
_WEEKDAY_BEFORE = re.compile(r"\b([A-Za-z]{3,9})\.?,?\s*(?:the\s+)?$")
_WEEKDAY_AFTER = re.compile(r",?\s*\(?([A-Za-z]{3,9})\b")


def _read(year: str, month: str, day: str) -> date | None:
    number = int(month) if month.isdigit() else _MONTH_NUMBERS.get(month.lower())
    try:
        return date(int(year), number, int(day)) if number else None
    except ValueError:
        return None


def _found(text: str) -> Iterator[tuple[re.Match[str], date]]:
    for pattern in (_ISO, _DAY_FIRST, _MONTH_FIRST):
        for match in pattern.finditer(text):
            day = _read(match["year"], match["month"], match["day"])
            if day is not None:
                yield match, day


def dates(text: str) -> list[date]:
    """The calendar dates of a text: ISO (with `-` or `/`), `29 September 2026`, `September 29, 2026`, `29-Sep-2026`."""
    return [day for _, day in _found(text)]


def without_dates(text: str) -> str:
    """The text with its calendar dates blanked, at the same length."""
    kept, place = [], 0
    for start, end in sorted(match.span() for match, _ in _found(text)):
        kept += [text[place:start], " " * (end - max(start, place))]
        place = max(place, end)
    return "".join([*kept, text[place:]])


def only_date(text: str) -> date | None:
    """The one date that a text gives, perhaps in two forms; None where it gives none, or could mean another day too.

    Beside it a time of day, its week of the year and tags may stand, but no other figure, no other month and no weekday
    that contradicts it. A date that is denied, or named to mean another day (`the day after ...`), is not given.
    """
    found = list(_found(text))
    days = {day for _, day in found}
    if len(days) != 1:
        return None
    (day,) = days
    if any(
        _contradicts(day, text, *match.span()) or inexact(text, *match.span()) or another_day(text, match.start())
        for match, _ in found
    ):
        return None
    rest = without_dates(text)
    rest = _NUMERIC.sub(lambda again: " " if day in _readings(again) else again[0], rest)
    rest = _WEEK.sub(lambda week: " " if int(week[1]) == day.isocalendar().week else week[0], rest)
    rest = _CLOCK.sub(" ", _TAG.sub(" ", rest))
    return None if re.search(r"\d", rest) or _OTHER_MONTH.search(rest) else day


def _readings(match: re.Match[str]) -> set[date | None]:
    """The days that `29/09/2026` or `9.29.26` can mean."""
    one, two, three = match[1], match[3], match[4]
    long = f"20{three}" if len(three) == 2 else three
    return {_read(long, two, one), _read(long, one, two), _read(one, two, three)}


def _contradicts(day: date, text: str, start: int, end: int) -> bool:
    """Whether a weekday that stands beside the date is another one."""
    words = [_WEEKDAY_BEFORE.search(text[max(0, start - 16) : start]), _WEEKDAY_AFTER.match(text[end : end + 16])]
    named = [word[1].lower() for word in words if word]
    numbers = [n for n, full in enumerate(_WEEKDAYS) for word in named if word in (full, full[:3], full[:4])]
    return any(number != day.weekday() for number in numbers)
