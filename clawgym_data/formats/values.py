"""Comparing single values by their declared type: strict on meaning, tolerant of form."""

import re
import unicodedata
from collections.abc import Callable, Hashable
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from clawgym_data.formats.text import folded
from clawgym_data.spec.output import split_type

Scalar = str | int | float | bool | None

_PLAIN_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
_MAX_DIGITS = 400
_CLOCK = re.compile(r"([0-9]{1,2})(?:[:.]([0-9]{2}))?(?::([0-9]{2}))?\s*([ap]\.?\s?m\.?)?", re.IGNORECASE)
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ISO_DATETIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]((?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?)"
    r"\s?([Zz]|[-+][0-9]{2}:?[0-9]{2})?"
)
_NOON = 12
_TRUE, _FALSE = {"true", "yes", "1", "y"}, {"false", "no", "0", "n"}
_NUMERIC = ("whole", "number", "money")


def plain_number(value: object, *, exponent: bool = True) -> Decimal | None:
    """The number that a cell or JSON value holds, written without separators or signs of currency; None if it is none.

    Args:
        value: digits are those of ASCII; the minus sign may be the typographic one.
        exponent: whether text such as `8.4e1` is a number too.
    """
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip().replace("−", "-")
    match = _PLAIN_NUMBER.fullmatch(text) if len(text) <= _MAX_DIGITS else None
    if not match or (match[1] and isinstance(value, str) and not exponent):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def clock_time(text: str) -> time | None:
    """A time of day: `15:00`, `15.00`, `15:00:00`, `3 pm`, `3:00 p.m.`; a bare `15` is none, nor is `24:00`."""
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
        return date.fromisoformat(text) if _ISO_DATE.fullmatch(text) else None
    except ValueError:
        return None


def iso_datetime(text: str) -> datetime | None:
    """Date and time of ISO 8601 (YYYY-MM-DDTHH:MM), `T` or a space between them, `Z` or an offset kept."""
    match = _ISO_DATETIME.fullmatch(text.strip())
    try:
        return datetime.fromisoformat(f"{match[1]}T{match[2]}{(match[3] or '').upper()}") if match else None
    except ValueError:
        return None


def _flag(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _tags(value: object) -> list[str]:
    parts = value if isinstance(value, list) else [] if is_blank(value) else str(value).split(";")
    return sorted(_tag(part) for part in parts if not is_blank(part))


def _tag(value: object) -> str:
    return unicodedata.normalize("NFC", str(value).strip())


def _text(value: object) -> str:
    return unicodedata.normalize("NFC", " ".join(str(value).split()))


def _same_number(want: object, got: object, tolerance: float, *, exponent: bool) -> bool:
    wanted, given = plain_number(want), plain_number(got, exponent=exponent)
    if wanted is None or given is None:
        return False
    return abs(Fraction(wanted) - Fraction(given)) <= Fraction(str(tolerance))


def _same_whole(want: object, got: object) -> bool:
    wanted, given = plain_number(want), plain_number(got, exponent=False)
    return wanted is not None and given is not None and given == given.to_integral_value() and given == wanted


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
    return _text(want) == _text(got)


def _same_tag(want: object, got: object) -> bool:
    return _tag(want) == _tag(got)


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
        return not isinstance(got, dict | bool) and _tags(want) == _tags(got)
    if is_blank(want) or is_blank(got):
        return is_blank(want) and is_blank(got)
    if isinstance(got, list | dict):
        return False
    if kind in ("number", "money"):
        return _same_number(want, got, tolerance, exponent=kind == "number")
    return _COMPARE["name" if kind.startswith("choice(") else kind](want, got)


def normal_form(declared: str, value: object) -> Hashable:
    """What two values share exactly where they mean the same (`same` without tolerance); for keys of rows.

    A value that cannot be read as its type stands for itself and equals no readable one.
    """
    kind = split_type(declared)[0]
    if is_blank(value):
        return None
    if isinstance(value, list | dict | bool) and kind not in ("tags", "flag"):
        return ("unreadable", repr(value)[:1000])
    read: Hashable | None
    if kind in _NUMERIC:
        number = plain_number(value, exponent=kind == "number")
        read = None if number is None else Fraction(number)
    else:
        read = _READ.get(kind, folded)(str(value)) if kind != "tags" else tuple(_tags(value))
    return (kind, read) if read is not None else ("unreadable", str(value))


_READ: dict[str, Callable[[str], Hashable | None]] = {
    "date": iso_date,
    "time": clock_time,
    "datetime": iso_datetime,
    "flag": _flag,
    "text": _text,
    "tag": _tag,
}
