"""Does the opening paragraph say whether money is enough, and by how much it is not or is left over?"""

import re
from decimal import Decimal
from typing import Any, Literal

from clawgym_data.checks.base import ExpectingCheck, Finding
from clawgym_data.checks.view import View
from clawgym_data.formats.day import without_dates
from clawgym_data.formats.figure import figures
from clawgym_data.formats.note import opening_paragraph
from clawgym_data.formats.unasserted import asserted
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.formats.verdict_words import Claims, claims_of
from clawgym_data.spec.frozen import RelativePath

MAX_FIGURES = 3
"""Figures of a sentence that count: more would be guesses."""

_PIECE = re.compile(r"(?<=[.;!?:])\s+")
_WORD = re.compile(r"[^\W\d_]{4}")
_GUESSES = re.compile(
    r"\d\s*(?:,|/|\bor\b|\bto\b|[-–]|,\s*or\b)\s*(?:£|\$|€)?\s?\d|\bbetween (?:£|\$|€)?\d"
    r"|\d (?:pounds )?(?:or (?:so|more|less|thereabouts)|upwards|give or take"
    r"|(?:a|per|each|every) (?:day|week|month|quarter|year|award|family|member|child))\b",
    re.IGNORECASE,
)
_SEASON = re.compile(r"\b(?:19|20)\d\d[/–-]\d\d(?:\d\d)?\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CONDITION = re.compile(
    r"\btransfer|\breserve|\bif\b|\bonce\b|\bafter\b|\bunless\b|\bwould\b|\bthen\b|\bdonat|\bgrant\b|\bpledge|\bgift"
    r"|\bstill\b|\blast year|\bhonou?r|\bmust\b|\bask\b|\bneed|\bwith (?:that|this|it)\b|\bto (?:find|be found)\b|\ball the same\b"
    r"|\bneverthe|\bnonethe|\banyway\b|\bregardless\b|\bpolicy\b",
    re.IGNORECASE,
)


class ParagraphBalance(ExpectingCheck):
    """Is the verdict right, with its amount in the sentence that gives the direction, and does nothing contradict it?"""

    kind: Literal["paragraph_balance"]
    path: RelativePath

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0; `expected` is what will be left, negative where it falls short."""
        opening = opening_paragraph(view.prose(self.path))
        if not opening:
            raise Unreadable(f"{self.path} has no opening paragraph")
        pieces = _pieces(opening)
        said = [(piece, claims_of(piece)) for piece, stated in zip(pieces, asserted(pieces), strict=True) if stated]
        amount, short = Decimal(str(expected)).copy_abs(), expected < 0
        direction = _short_said(said, amount) if short else _enough_said(said)
        told = any(_told(piece, claims, amount, short) for piece, claims in said)
        bound = {number for _, claims in said for number in (claims.lacking if short else claims.left)}
        clear = bound <= {amount}
        what = f"direction {'right' if direction else 'not right'}, amount {'stated' if told else 'not stated'} with it"
        return Finding(float(direction and told and clear), what if clear else f"{what}, and another one too")


def _pieces(opening: str) -> list[str]:
    """The parts of its sentences; a colon before a mere amount (`shortfall: £5`) parts nothing."""
    found: list[list[str]] = []
    open_colon = False
    for piece in _PIECE.split(opening):
        joined = open_colon and not _WORD.search(piece)
        if joined:
            found[-1].append(piece)
        else:
            found.append([piece])
        open_colon = piece.endswith(":") and not figures(piece)
    return [" ".join(parts) for parts in found]


def _short_said(said: list[tuple[str, Claims]], amount: Decimal) -> bool:
    """Whether money is said to fall short, first of all, and nowhere without a condition to be enough."""
    first = next((claims for _, claims in said if claims.short or claims.enough), None)
    contradicted = any(
        amount in claims.left or (claims.enough and not claims.short and not _CONDITION.search(piece))
        for piece, claims in said
    )
    return (
        first is not None
        and any(c.short for _, c in said)
        and not contradicted
        and not (first.enough and not first.short)
    )


def _enough_said(said: list[tuple[str, Claims]]) -> bool:
    return any(claims.enough for _, claims in said) and not any(claims.short for _, claims in said)


def _told(piece: str, claims: Claims, amount: Decimal, short: bool) -> bool:
    """Whether the piece gives the amount with the direction, and not as one of several that it offers."""
    undated = _SEASON.sub(" ", without_dates(piece))
    found = figures(undated)[:MAX_FIGURES]
    stated = claims.short_asserted if short else claims.enough_asserted
    given = [figure.copy_abs() for figure in found] if short else found
    return stated and amount in given and not _GUESSES.search(_THOUSANDS.sub("", undated))
