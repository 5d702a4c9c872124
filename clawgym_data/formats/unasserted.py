"""Prose that states nothing of its own: questions, doubts, rumours, past years, unreal conditions, what is taken back."""

import re
from collections.abc import Sequence

_DOUBT = re.compile(
    r"\b(?:untrue|false(?:ly)?|(?<!no )(?<!without )(?<!without a )doubt(?:s|ed|ful)?|rumou?r(?:s|ed)?|myth|allegedly"
    r"|supposedly|deny|den(?:ies|ied)|disputed?|(?<!i )(?<!we )fear(?:s|ed)"
    r"|(?:some|others|many|people|they) (?:say|said|claim|think|thought|believe)|(?:nobody|no one|none) (?:can|could) say"
    r"|it is (?:said|claimed|thought|feared))\b"
    r"|(?:\b(?:they|that|this|it|which|short|shortfall|left)|\d) (?:is|are|was|were) (?:quite |simply |plainly )?"
    r"(?:wrong|mistaken|incorrect|not (?:true|so|right|correct|the case))\b",
)
_TAKEN_BACK = re.compile(
    r"(?:(?:but|yet|and|however),? )?(?:(?:they|that|this|it|which|he|she|both) (?:is|are|was|were) (?:\w+ )?"
    r"(?:wrong|untrue|false|mistaken|incorrect|not (?:true|so|right|correct|the case))"
    r"|not so\b|wrong\b|untrue\b|false\b|not true\b)"
)
_PAST = re.compile(
    r"\blast (?:year|season|autumn|spring|summer|winter)\b|\byears? ago\b|\byear before\b|\bpreviously\b"
)
_PAST_TENSE = re.compile(r"\b(?:was|were|had|fell|lacked|ended|came)\b")
_PRESENT = re.compile(r"\b(?:is|are|has|will|can|can't|cannot|won't|falls?|lacks?|covers?|now|this year)\b")
_UNREAL = re.compile(
    r"\bif\b[^,;]{0,80}\bwere\b|\bwere it not\b|\bhad (?:we|it|they|there|the \w{1,20})\b|\bbut for (?:a|the)\b"
)


def asserted(pieces: Sequence[str]) -> list[bool]:
    """For each part of a text whether its writer states it, as what is so now."""
    plain = [piece.lower().replace("’", "'") for piece in pieces]
    return [
        _states(piece) and not _TAKEN_BACK.match(after) for piece, after in zip(plain, [*plain[1:], ""], strict=True)
    ]


def _states(piece: str) -> bool:
    if piece.rstrip(" )\"'").endswith("?") or _DOUBT.search(piece) or _UNREAL.search(piece):
        return False
    return not (_PAST.search(piece) and _PAST_TENSE.search(piece)) or bool(_PRESENT.search(piece))
