"""Does the opening paragraph say whether money is enough, and by how much it is not or is left over?"""

import re
from decimal import Decimal
from typing import Any, Literal

from clawgym_data.checks.base import ExpectingCheck, Finding
from clawgym_data.checks.view import View
from clawgym_data.formats.note import figures, opening_paragraph
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.spec.frozen import RelativePath

_SHORT = re.compile(
    r"\bshort|shortfall|cannot|can't|can not|not enough|\bgap\b|deficit|\black|insufficient|not (?:be )?able|missing"
    r"|does not|doesn't|won't|\bexceeds?\b|over[- ]?spent|overdrawn",
    re.IGNORECASE,
)
_ENOUGH = re.compile(
    r"\bcover|\bcan carry|carries|able to|enough|\bleft\b|\bremain|surplus|to spare|\bspare\b|left over|\bmeets?\b",
    re.IGNORECASE,
)
MAX_FIGURES = 3
"""Figures of a sentence that count: more would be guesses."""

_DENIED = re.compile(r"\b(?:no|without an?|not) (?:shortfall|short|gap|deficit)\b", re.IGNORECASE)


class ParagraphBalance(ExpectingCheck):
    """Is the verdict right, with its amount in the sentence that gives the direction?"""

    kind: Literal["paragraph_balance"]
    path: RelativePath

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0; `expected` is what will be left, negative where it falls short."""
        opening = _DENIED.sub("", opening_paragraph(view.text(self.path)).replace("’", "'"))
        if not opening:
            raise Unreadable(f"{self.path} has no opening paragraph")
        short, enough = bool(_SHORT.search(opening)), bool(_ENOUGH.search(opening))
        direction = short if expected < 0 else enough and not short
        words, amount = (_SHORT, -expected) if expected < 0 else (_ENOUGH, expected)
        told = any(
            Decimal(str(amount)) in figures(sentence)[:MAX_FIGURES] and words.search(sentence)
            for sentence in re.split(r"(?<=[.;!?:])\s+", opening)
        )
        evidence = (
            f"direction {'right' if direction else 'not right'}, amount {'stated' if told else 'not stated'} with it"
        )
        return Finding(float(direction and told), evidence)
