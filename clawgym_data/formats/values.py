"""Comparing single values by their declared type: strict on meaning, tolerant of form."""

import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation

from clawgym_data.formats.text import folded
from clawgym_data.spec.output import split_type

Scalar = str | int | float | bool | None

_PLAIN_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?")
_MAX_DIGITS = 400
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?", re.IGNORECASE)
_NOON = 12
_TRUE, _FALSE = {"true", "yes", "1", "y"}, {"false", "no", "0", "n"}


def plain_number(value: object) -> Decimal | None:
    """The number that a cell or JSON value holds, written without separators or signs of currency; None if it is none."""
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip()
    if len(text) > _MAX_DIGITS or not _PLAIN_NUMBER.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def clock_time(text: str) -> time | None:
    """A time of day: `15:00`, `15.00`, `15:00:00`, `3 pm`, `3:00 p.m.`; a bare `15` is none."""
    match = _CLOCK.fullmatch(text.strip())
    if not match or not (match[2] or match[4]):
        return None
    hour, minute, second = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    if match[4]:
        if not 1 <= hour <= _NOON:
            return None
        hour = hour % _NOON + (_NOON if match[4].lower().startswith("p") else 0)
    try:
        return time(hour, minute, second)
    except ValueError:
        return None


def iso_date(text: str) -> date | None:
    """A calendar date written YYYY-MM-DD."""
    text = text.strip()
    try:
        return date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) else None
    except ValueError:
        return None


def iso_datetime(text: str) -> datetime | None:
    """Date and time of ISO 8601, `T` or a space between them, `Z` or an offset kept."""
    try:
        return datetime.fromisoformat(text.strip().replace(" ", "T", 1))
    except ValueError:
        return None


def _flag(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _tags(value: object) -> list[str]:
    parts = value if isinstance(value, list) else [] if is_blank(value) else str(value).split(";")
    return sorted(str(part).strip() for part in parts)


def _same_number(want: object, got: object, tolerance: float) -> bool:
    wanted, given = plain_number(want), plain_number(got)
    return wanted is not None and given is not None and abs(wanted - given) <= Decimal(str(tolerance))


def _same_whole(want: object, got: object) -> bool:
    given = plain_number(got)
    return (
        given is not None
        and abs(given) < Decimal(10) ** 30
        and given == given.to_integral_value() == plain_number(want)
    )


def _same_datetime(want: object, got: object) -> bool:
    wanted, given = iso_datetime(str(want)), iso_datetime(str(got))
    if wanted is None or given is None or (wanted.tzinfo is None) != (given.tzinfo is None):
        return False
    return wanted == given


def is_blank(value: object) -> bool:
    """Whether a cell or value is empty: null, or text of white space."""
    return value is None or (isinstance(value, str) and not value.strip())


def _same_date(want: object, got: object) -> bool:
    wanted = iso_date(str(want))
    return wanted is not None and iso_date(str(got)) == wanted


def _same_time(want: object, got: object) -> bool:
    wanted = clock_time(str(want))
    return wanted is not None and clock_time(str(got)) == wanted


def _same_flag(want: object, got: object) -> bool:
    wanted = _flag(want)
    return wanted is not None and _flag(got) == wanted


def _same_name(want: object, got: object) -> bool:
    return folded(str(want)) == folded(str(got))


def _same_text(want: object, got: object) -> bool:
    return " ".join(str(want).split()) == " ".join(str(got).split())


def _same_tag(want: object, got: object) -> bool:
    return str(want).strip() == str(got).strip()


_COMPARE: dict[str, Callable[[object, object], bool]] = {
    "whole": _same_whole,
    "date": _same_date,
    "time": _same_time,
    "datetime": _same_datetime,
    "flag": _same_flag,
    "name": _same_name,
    "text": _same_text,
    "tag": _same_tag,
}


def same(declared: str, want: object, got: object, tolerance: float = 0.0) -> bool:
    """Whether `got` means what `want` means, by the declared column type.

    Args:
        declared: a column type of `Output`; of joined types the first counts.
        want: the expected value.
        got: the agent's cell (text) or JSON value.
        tolerance: absolute, for `number` and `money`.
    """
    kind = split_type(declared)[0]
    if kind == "tags":
        return _tags(want) == _tags(got)
    if is_blank(want) or is_blank(got):
        return is_blank(want) and is_blank(got)
    if isinstance(got, list | dict):
        return False
    if kind in ("number", "money"):
        return _same_number(want, got, tolerance)
    return _COMPARE["name" if kind.startswith("choice(") else kind](want, got)
