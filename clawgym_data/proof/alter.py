"""Single values by declared type: what one means, and other values that mean something else."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from clawgym_data.formats.text import folded
from clawgym_data.formats.values import clock_time, is_blank, iso_date, iso_datetime, plain_number, same
from clawgym_data.spec.output import split_type

Alteration = tuple[str, object]
"""What was done, in words, and the new value, of the same Python type as the old one where it can be."""

NUMERIC = ("whole", "number", "money")
_FILLERS = {"date": "2026-01-01", "time": "12:00", "datetime": "2026-01-01T12:00", "flag": "yes"}
_FLIPPED = {"true": "false", "false": "true", "yes": "no", "no": "yes", "y": "n", "n": "y", "1": "0", "0": "1"}


def base_type(declared: str) -> str:
    """The first of the joined types, without a final `?`."""
    return split_type(declared)[0]


def choices(declared: str) -> tuple[str, ...]:
    """The alternatives of `choice(a|b)`; none for another type."""
    kind = base_type(declared)
    return tuple(part.strip() for part in kind[7:-1].split("|")) if kind.startswith("choice(") else ()


def meaning(declared: str, value: object) -> object:  # noqa: PLR0911 - one line a type
    """A form that two values share exactly where they mean the same; unreadable values stand for themselves."""
    if is_blank(value):
        return None
    kind, text = base_type(declared), str(value)
    if kind in NUMERIC:
        number = plain_number(value)
        return text if number is None else number.normalize()
    if kind == "tags":
        return tuple(sorted(tag_list(value)))
    match kind:
        case "date":
            return iso_date(text) or text
        case "time":
            return clock_time(text) or text
        case "datetime":
            return str(iso_datetime(text) or text)
        case "flag":
            return text.strip().lower() in ("true", "yes", "1", "y")
        case "tag":
            return text.strip()
        case "text":
            return " ".join(text.split())
        case _:
            return folded(text)


def tag_list(value: object) -> list[str]:
    """The tags of a JSON list or of a cell joined by `;`."""
    parts = value if isinstance(value, list) else str(value).split(";")
    return [str(part).strip() for part in parts if str(part).strip()]


def altered(declared: str, value: object, others: Sequence[object], tolerance: float = 0.0) -> list[Alteration]:
    """Values that mean something else than `value`, the likeliest mistakes first.

    Args:
        declared: the column type.
        value: the oracle's cell (text) or tree value.
        others: further values of the same column, from which a tag, name or text is taken.
        tolerance: of the output; numbers move by more than twice of it, since the oracle may itself be off by once.
    """
    found = _filled(declared, others) if is_blank(value) else _by_type(declared, value, others, tolerance)
    return [(what, new) for what, new in found if not same(declared, value, new, 2 * tolerance)]


def _filled(declared: str, others: Sequence[object]) -> list[Alteration]:
    taken = [other for other in others if not is_blank(other)]
    fallback = "1" if base_type(declared) in NUMERIC else (*choices(declared), "x")[0]
    return [("filled", taken[0] if taken else _FILLERS.get(base_type(declared), fallback))]


def _by_type(  # noqa: PLR0911 - one line a type
    declared: str, value: object, others: Sequence[object], tolerance: float
) -> list[Alteration]:
    kind = base_type(declared)
    if kind in NUMERIC:
        return _moved_number(kind, value, tolerance)
    match kind:
        case "date":
            return _moved_date(value)
        case "time":
            return _moved_time(value)
        case "datetime":
            return _moved_datetime(value)
        case "flag":
            return _flipped(value)
        case "tags":
            return _other_tags(value, others)
        case "tag":
            return _other_text(value, others, wrong_tag(str(value)))
        case _ if kind.startswith("choice("):
            return [(f"to {other}", other) for other in choices(declared)]
        case _:
            return _other_text(value, others)


def _moved_number(kind: str, value: object, tolerance: float) -> list[Alteration]:
    number = plain_number(value)
    if number is None:
        return _other_text(value, ())
    places = 0 if kind == "whole" else min(int(number.as_tuple().exponent), 0)
    step = Decimal(1).scaleb(places) + (0 if kind == "whole" else 2 * Decimal(str(tolerance)))
    return [(f"{sign * step:+f}", like(number + sign * step, value)) for sign in (1, -1)]


def like(number: Decimal, value: object) -> object:
    """The number as the old value was: whole or floating, or text."""
    if isinstance(value, int) and number == number.to_integral_value():
        return int(number)
    return float(number) if isinstance(value, int | float) else format(number, "f")


def year_before(day: date) -> date:
    """The same day a year earlier; 28 February for 29 February."""
    return day.replace(year=day.year - 1, day=28 if (day.month, day.day) == (2, 29) else day.day)


def _moved_date(value: object) -> list[Alteration]:
    day = iso_date(str(value))
    if day is None:
        return _other_text(value, ())
    moved = [("a day later", day + timedelta(days=1)), ("a year earlier", year_before(day))]
    return [(what, new if isinstance(value, date) else new.isoformat()) for what, new in moved]


def _moved_time(value: object) -> list[Alteration]:
    clock = clock_time(str(value))
    if clock is None:
        return _other_text(value, ())
    form = "%H:%M:%S" if clock.second else "%H:%M"
    found: list[Alteration] = []
    for what, minutes in (("12 hours off", 720), ("30 minutes later", 30)):
        new = (datetime(2000, 1, 1, clock.hour, clock.minute, clock.second) + timedelta(minutes=minutes)).time()
        found.append((what, new if isinstance(value, time) else new.strftime(form)))
    return found


def _moved_datetime(value: object) -> list[Alteration]:
    moment = iso_datetime(str(value))
    if moment is None:
        return _other_text(value, ())
    moved = [("a day later", moment + timedelta(days=1)), ("an hour earlier", moment - timedelta(hours=1))]
    if isinstance(value, datetime):
        return [(what, new) for what, new in moved]
    text = str(value).strip()
    separator = "T" if "T" in text else " "
    precision = "seconds" if re.search(r"\d:\d\d:\d\d", text) else "minutes"
    return [(what, new.isoformat(separator, precision)) for what, new in moved]


def _flipped(value: object) -> list[Alteration]:
    if isinstance(value, bool):
        return [("flipped", not value)]
    text = str(value).strip()
    new = _FLIPPED.get(text.lower(), "no")
    return [("flipped", new.upper() if text.isupper() else new.capitalize() if text.istitle() else new)]


def _other_tags(value: object, others: Sequence[object]) -> list[Alteration]:
    tags = tag_list(value)
    known = [tag for other in others for tag in tag_list(other) if tag not in tags]
    added = [*tags, known[0] if known else wrong_tag(tags[0])]
    return [(what, _tags_like(new, value)) for what, new in (("with one dropped", tags[1:]), ("with one added", added))]


def _tags_like(tags: list[str], value: object) -> object:
    return tags if isinstance(value, list) else ";".join(tags)


def _other_text(value: object, others: Sequence[object], wrong_form: str | None = None) -> list[Alteration]:
    taken = [other for other in others if not is_blank(other) and folded(str(other)) != folded(str(value))]
    wrong: list[Alteration] = [(f"to {str(other)[:40]!r}", other) for other in taken[:1]]
    return [*wrong, ("with a character changed", wrong_form or misspelt(str(value)))]


def wrong_tag(tag: str) -> str:
    """A tag of the same form: its last digit, or else letter, changed."""
    places = [n for n, character in enumerate(tag) if character.isdigit()]
    places = places or [n for n, character in enumerate(tag) if character.isalnum()]
    return _changed_at(tag, places[-1]) if places else f"{tag}x"


def misspelt(text: str) -> str:
    """Every word with one of its characters changed: the last digit where it has one, else its last letter."""
    return re.sub(r"\w+", lambda word: _misspelt_word(word[0]), text) if re.search(r"\w", text) else f"{text}x"


def _misspelt_word(word: str) -> str:
    places = [n for n, character in enumerate(word) if character.isdigit()] or [len(word) - 1]
    return _changed_at(word, places[-1])


def _changed_at(word: str, place: int) -> str:
    old = word[place]
    new = str((int(old) + 3) % 10) if old in "0123456789" else "x" if old.lower() != "x" else "z"
    return word[:place] + new + word[place + 1 :]
