"""Whether a phrase stands in a text: words as whole words, figures as figures."""

import re
from collections.abc import Iterator

from clawgym_data.formats.day import without_dates
from clawgym_data.formats.figure import figures
from clawgym_data.formats.outright import denied
from clawgym_data.formats.text import folded

_FIGURE = re.compile(r"[-−]?[£$€]?\d[\d,]*(?:\.\d+)?")
_BULLETS = re.compile(r"^[^\S\n]{0,12}[-*+•–][^\S\n]+", re.MULTILINE)
_PERCENT = re.compile(r"(?<![\d.,])\d[\d.,]*+\s?(?:%|per ?cent\b)")
_YEAR = re.compile(r"(?:19|20)\d\d")


def contains_phrase(text: str, phrase: str) -> bool:
    """Whether the phrase stands in the text, both `folded`.

    A phrase that is a figure is compared with the text's figures: 500 is not in `1,500`, `-500`, `500.5` or a date, and
    is in `£500.00`; a percentage is another thing. Other phrases stand as whole words, of which a hyphen, an apostrophe or a decimal makes longer ones.
    """
    where, what = folded(_BULLETS.sub("", text)), folded(phrase)
    if not what:
        return False
    if _FIGURE.fullmatch(what):
        outside = _PERCENT.sub(" ", where)
        outside = outside if _YEAR.fullmatch(what) else without_dates(outside)
        wanted = figures(what)
        return len(wanted) == 1 and any(wanted[0] == figure for figure in figures(outside))
    return next(_places(where, what), None) is not None


def states_phrase(text: str, phrase: str) -> bool:
    """`contains_phrase`, and words stand there at least once without being denied or doubted."""
    where, what = folded(_BULLETS.sub("", text)), folded(phrase)
    if not contains_phrase(text, phrase) or _FIGURE.fullmatch(what):
        return contains_phrase(text, phrase)
    return any(not denied(where, *place.span()) for place in _places(where, what))


def _places(where: str, what: str) -> Iterator[re.Match[str]]:
    left = r"(?<!\w)(?<!\w[-'])" if re.match(r"\w", what) else ""
    left += r"(?<!\d[.,])(?<![-−])" if what[0].isdigit() else ""
    right = r"(?!\w)(?!-\w)" if re.match(r"\w", what[-1]) else ""
    right += r"(?![.,]\d)" if what[-1].isdigit() else ""
    right += r"(?!\.\w)" if "." in what[:-1] else ""
    return re.finditer(left + re.escape(what) + right, where)
