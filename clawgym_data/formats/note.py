"""Notes: prose with labelled lines, figures and dates in it."""

import re
from datetime import date
from decimal import Decimal

_LABELLED = re.compile(
    r"[ \t]{0,12}(?:[-*+•–]|\d{1,3}[.)])[ \t]{1,8}[*_`]{0,3}([^\s:*_`][^:*_`\n]{0,79}?)[*_`]{0,3}[ \t]{0,8}:[*_`]{0,3}[ \t]*(.*)"
)
_TAG = re.compile(r"\b(?!(?:EUR|GBP|USD)\d)[A-Za-z]{1,6}-?\d+(?:-\d+)*\b|\b\d+[A-Za-z]{1,3}-\d+\b")
_FIGURE = re.compile(
    r"(?<![\w.,])([-−–]?)\s?(?:£|\$|€|EUR|GBP|USD)?\s?([-−–]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\d)(?![.,]\d)"
    # what makes another number of it: 12k, 1e3, 0x10, 2½, 3 million
    r"(?!(?:[kK]|bn)\b|[eE][-+]?\d|[xX][0-9A-Fa-f]|[½¼¾]|\s(?:thousand|million|billion)\b)"
)
_MONTHS = [
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
]
_MONTH_NUMBERS = {name: n for n, name in enumerate(_MONTHS, 1)} | {name[:3]: n for n, name in enumerate(_MONTHS, 1)}
_MONTH_NUMBERS["sept"] = 9
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?: of)?\s+([A-Za-z]+)\.?,?\s+(\d{4})(?!\d)")
_MONTH_FIRST = re.compile(r"\b([A-Za-z]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")


def labelled_answers(text: str, label: str) -> list[str]:
    """What stands after `label:` on each bullet with that label, emphasis removed, case folded."""
    answers = []
    for line in text.splitlines():
        match = _LABELLED.match(line)
        if match and " ".join(match[1].split()).casefold() == label.casefold():
            answers.append(re.sub(r"[*_`]{1,3}", "", match[2]).strip())
    return answers


def figures(text: str) -> list[Decimal]:
    """The figures of a line in order; `£1,234.50` is one, tags such as `VN-012` are none."""
    found = []
    for match in _FIGURE.finditer(_TAG.sub(" ", text)):
        sign = "-" if match[1] or match[2] else ""
        found.append(Decimal(sign + match[3].replace(",", "") + (match[4] or "")))
    return found


def _date(year: str, month: int | None, day: str) -> date | None:
    try:
        return date(int(year), month, int(day)) if month else None
    except ValueError:
        return None


def dates(text: str) -> list[date]:
    """The calendar dates of a text: ISO, `29 September 2026`, `September 29, 2026`, `29 Sep 2026`."""
    found = [_date(year, int(month), day) for year, month, day in _ISO.findall(text)]
    found += [_date(year, _MONTH_NUMBERS.get(month.lower()), day) for day, month, year in _DAY_FIRST.findall(text)]
    found += [_date(year, _MONTH_NUMBERS.get(month.lower()), day) for month, day, year in _MONTH_FIRST.findall(text)]
    return [day for day in found if day is not None]


def opening_paragraph(text: str) -> str:
    """The first block that is not a heading; empty if that block is a list."""
    for block in re.split(r"\n\s*\n", text):
        body = "\n".join(line for line in block.strip().splitlines() if not line.startswith("#")).strip()
        if body:
            return "" if re.match(r"(?:[-*+•–]|\d+[.)])\s", body) else " ".join(body.split())
    return ""


def section(text: str, heading: str) -> str:
    """The lines under a Markdown heading up to the next one of the same or a higher level; empty if there is none."""
    lines, level, kept = text.splitlines(), 0, []
    for line in lines:
        match = re.match(r"(#{1,6})\s+(.*?)\s*#*$", line)
        if match and level and len(match[1]) <= level:
            break
        if level:
            kept.append(line)
        elif match and match[2].strip().casefold() == heading.casefold():
            level = len(match[1])
    return "\n".join(kept)
