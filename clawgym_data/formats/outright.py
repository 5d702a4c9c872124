"""Whether a labelled answer says a thing outright: not denied, doubted or given as near something else."""

import re

_GAP = r"(?:(?:on|the|a|an|by|at|£|\$|€|eur|gbp|usd|(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?)[.,]?\s*){0,4}$"
_DENIED = (
    r"not|never|neither|nor|isn't|wasn't|cannot be|can't be|(?:other|rather) than|instead of|except(?: for)?|excluding"
    r"|without|no longer|(?:all|anyone|anybody|everyone|everybody|anything) but"
)
_DOUBTED = r"perhaps|maybe|possibly|probably|presumably|could be|might be|may be|(?:i|we) (?:think|guess|believe)"
_DENIED_BEFORE = re.compile(rf"\b(?:{_DENIED}|{_DOUBTED}),?\s+{_GAP}", re.IGNORECASE)
_NEAR_BEFORE = re.compile(
    rf"(?:[~≈]\s*|\b(?:about|around|roughly|approximately|approx|circa|ca|near)\b\.?\s+){_GAP}", re.IGNORECASE
)
_OTHER_DAY_BEFORE = re.compile(
    rf"\b(?:(?<!on or )before|(?<!on or )after|(?<!no )(?<!not )(?:earlier|later) than|(?<!no )(?<!not )prior to|following"
    rf"|eve of|(?:days?|weeks?|months?|years?) (?:from|past|until|to))\s+{_GAP}",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"['’\")\]]{0,2}\s*(?:\?|,?\s*(?:(?:is|was|would be) (?:not|wrong|false|untrue|incorrect|mistaken)\b|(?:isn|wasn)['’]t\b))",
    re.IGNORECASE,
)
_NEAR_AFTER = re.compile(
    r"(?:[\s-]ish\b|\s*,?\s*(?:or (?:so|thereabouts|more|less|earlier|later|fewer|near)|give or take|more or less|approximately"
    r"|roughly|approx\b|plus\b|minus\b|at least|at most)\b(?! nothing))",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\s?(?!or\b|is\b|was\b|plus\b|minus\b|give\b|more\b|at\b)[^\W\d_]{1,12}")
_AROUND = 48
"""Characters to each side that are looked at."""


def denied(text: str, start: int, end: int) -> bool:
    """Whether what stands there is denied, doubted or asked: `not Ann`, `perhaps Ann`, `Ann?`, `Ann is wrong`."""
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    return bool(_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(after))


def inexact(text: str, start: int, end: int) -> bool:
    """Whether a figure or date there is denied, or only said to be near: `about 5`, `~5`, `5 or so`."""
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    unit = _UNIT.match(after)
    ends = [end, end + unit.end()] if unit else [end]
    near = any(_NEAR_AFTER.match(text[stop : stop + _AROUND]) for stop in ends)
    return near or any(denied(text, start, stop) for stop in ends) or _NEAR_BEFORE.search(before) is not None


def another_day(text: str, start: int) -> bool:
    """Whether the date that starts there is named to mean another day: `before 3 May 2026`, `the day after 3 May`."""
    return _OTHER_DAY_BEFORE.search(text[max(0, start - _AROUND) : start]) is not None
