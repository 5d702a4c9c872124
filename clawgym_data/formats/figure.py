"""Figures in running text: one token is one figure, and what is no plain number is a figure that equals nothing."""

import re
from decimal import Decimal

from clawgym_data.formats.outright import inexact

UNCLEAR = Decimal("NaN")
"""Stands for a figure that is there but says no single number, such as `12k`, `1.2.3`, `<5` or `not 5`."""

_CODES = r"EUR|GBP|USD|CHF|SEK|NOK|DKK|CAD|AUD|NZD|JPY|PLN|CZK"
_CURRENCY = rf"(?:£|\$|€|¥|{_CODES})"
_TAG = re.compile(rf"\b(?!(?:{_CODES})[-−–]?\d)[A-Za-z]{{1,6}}-?\d+(?:-\d+)*\b|\b\d+[A-Za-z]{{1,3}}-\d+\b")
_MARKS = "-−–—+±<>≤≥="
_GROUPED = "\u00a0\u202f\u2009'’"
_TOKEN = re.compile(
    rf"(?<![\w.,])(?P<first>[{_MARKS}])?(?P<gap>\s?)(?P<currency>{_CURRENCY})?\s?(?P<second>[-−–])?"
    rf"(?P<body>\.?\d(?:[.,{_GROUPED}]?\d)*)(?P<tail>\w*)"
)
_PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_THOUSANDS = re.compile(rf"[1-9]\d{{0,2}}(?:(?P<separator>[,{_GROUPED}])\d{{3}})(?:(?P=separator)\d{{3}})*(?:\.\d+)?")
_SCALE_TAIL = re.compile(r"k|bn|mn|mio|mrd|tn", re.IGNORECASE)
_SCALE_AFTER = re.compile(
    r"[⁰¹²³⁴-⁹‰]|\s?[½¼¾⅓⅔⅛⅜⅝⅞]|\+(?!\w)|\s?[-*×]?\s?(?:thousand|million|billion|trillion|hundred|dozen)\b",
    re.IGNORECASE,
)
_NEGATIVE_BEFORE = re.compile(rf"\b(?:minus|negative)\s+(?:{_CURRENCY})?\s*$", re.IGNORECASE)
_OTHER_BEFORE = re.compile(
    r"(?:[<>≤≥±]\s?|\b(?:not|never|nearly|almost|under|over|below|above|up to|at least|at most|instead of"
    rf"|(?:more|less|fewer|greater|other|rather) than)\s+)(?:{_CURRENCY})?\s*$",
    re.IGNORECASE,
)
_ALONE_IN_BRACKETS = re.compile(r"\s*\(\s*(?P<inner>[^()]*\d[^()]*?)\s*\)\s*%?\s*[.;]?\s*")
_MONEY_BRACKET = re.compile(rf"{_CURRENCY}\s?\(\s*$")
_LOOK_AROUND = 32
"""Characters around a figure in which what changes it may stand."""


def figures(text: str) -> list[Decimal]:
    """The figures of a text in order; `£1,234.50` is one, tags such as `VN-012` are none.

    `-5`, `−5`, `minus 5`, `£(5)` and a text that is nothing but `(5)` are minus five; a dash between spaces only
    separates, as does a bracket after words. `UNCLEAR` stands for each figure that says no single number.
    """
    untagged = _untagged(text)
    return [_value(match, untagged) for match in _TOKEN.finditer(untagged)]


def stated_figures(text: str) -> list[Decimal]:
    """`figures`, with `UNCLEAR` for those that are denied, doubted or only near: `about 5`, `5 or so`, `5?`."""
    untagged = _untagged(text)
    return [
        UNCLEAR if inexact(untagged, match.start(), match.end()) else _value(match, untagged)
        for match in _TOKEN.finditer(untagged)
    ]


def _untagged(text: str) -> str:
    return _TAG.sub(lambda tag: "x" * len(tag[0]), text).strip()


def _value(match: re.Match[str], text: str) -> Decimal:
    number = _number(match["body"])
    before = text[max(0, match.start() - _LOOK_AROUND) : match.start()]
    after = text[match.end() : match.end() + _LOOK_AROUND]
    look = before + match[0][: match.start("body") - match.start()]
    tail = match["tail"]
    scaled = _SCALE_TAIL.fullmatch(tail) or (match["currency"] and tail in ("m", "M"))
    if scaled or any(character.isnumeric() for character in tail) or _SCALE_AFTER.match(after):
        return UNCLEAR
    if _OTHER_BEFORE.search(look):
        return UNCLEAR
    signs = [_is_minus(match, before), bool(match["second"]), bool(_NEGATIVE_BEFORE.search(look)), after in ("-", "−")]
    if sum(signs) > 1:
        return UNCLEAR
    return -number if any(signs) or _bracketed(before, text) else number


def _number(body: str) -> Decimal:
    if _PLAIN.fullmatch(body):
        return Decimal(body)
    if _THOUSANDS.fullmatch(body):
        return Decimal(re.sub(rf"[,{_GROUPED}]", "", body))
    return UNCLEAR


def _is_minus(match: re.Match[str], before: str) -> bool:
    """Whether the mark before a figure is its sign: attached to it, or the first thing that stands there."""
    mark = match["first"]
    first_of_all = match.start() == 0 or before.rstrip()[-1:] in ("(", ":", "=")
    return mark is not None and mark in "-−–—" and ((not match["gap"] and mark != "—") or first_of_all)


def _bracketed(before: str, text: str) -> bool:
    """Whether brackets make a debt of the figure: alone on the line, or after a currency."""
    if _MONEY_BRACKET.search(before):
        return True
    alone = _ALONE_IN_BRACKETS.fullmatch(text) if len(text) < 80 else None
    return alone is not None and not re.search(r"[^\W\d_]{4}", alone["inner"])
