"""What a piece of prose claims about money: that it falls short, is enough, or is left; negations turned round."""

import re
from dataclasses import dataclass
from decimal import Decimal

from clawgym_data.formats.figure import figures

_LACK = (
    r"\bshort\b|\bshort(?=ed)|\bshortfall|\bgap\b|\bdeficit|\black(?:s|ing)?\b|\binsufficient|\bmissing\b"
    r"|\bover[- ]?spent|\boverdrawn|\bunderfunded|\binto the red\b|\bin the red\b|\bin debt\b|\bruns? out\b"
)
_MONEY = r"(?:£|\$|€|eur|gbp|usd)?\s?"
_TO_FIND = r"to (?:be )?(?:f(?:ind|ound)|raised?|pa(?:y|id)|cover(?:ed)?|met|settled?|make up)\b"
_OWED = rf"(?:unpaid|unmet|uncovered|unfunded|outstanding|owing|due|{_TO_FIND})"
_NEEDED = (
    rf"\bneed(?:s|ed)? (?:another|a further|an extra)\b|\bneeds? {_MONEY}\d[\d.,]*+ more\b"
    r"|\bmore (?:money |pounds )?(?:is |are )?(?:needed|required)\b"
    r"|\bmore than (?:we have(?! \w*ed\b)|(?:the|our) (?:fund|pot|balance) (?:now )?(?:holds?|has|contains)|it (?:has|holds))\b"
)
_STILL_OWED = (
    rf"\b(?:is|are|be|been|remains?|left|stays?|still) {_OWED}"
    r"|\b(?:all|everything|everyone|every (?:award|bursary|promise)) (?:but|except|bar|save)\b"
    rf"|\bexcept(?:ing)?(?: for)? {_MONEY}\d|\b(?:at|of|is|be|to) (?:[-−](?=[£$€\d])|minus (?=[£$€\d]))"
)
_UNDER = r"(?<=\d )(?:pounds )?(?:under|light|below)\b(?! \d)|\bbelow (?:what|the|all)\b"
_PARTLY = r"\b(?:covers?|carr(?:y|ies)|pays?(?: for)?|meets?|enough|suffices?|sufficient) only\b|(?<!not )\bonly (?:covers?|enough|half)\b"
_CAPACITY = (
    r"\bcover|\bcarr(?:y|ies)\b|\benough\b|\bsufficient\b|\bsuffices?\b|\bable to\b|\bmeets?\b|\bpay for\b|\bafford"
    r"|\bstretch(?:es)?\b|\breach(?:es)?\b|\bmanage\b|\bfund (?:all|every|each)\b"
    r"|(?:(?<=\bcan )|(?<=\bcannot )|(?<=\bcan't )|(?<=\bcan now )|(?<=\bcan all ))(?:be paid|pay)\b"
)
_REST = (
    rf"\bleft\b(?! {_OWED})|\bremain(?:s|ed|ing)?\b(?! {_OWED})|\bsurplus\b|\bspare\b|\bin hand\b|\bto the good\b"
    r"|\bunspent\b|\bmore than (?:is |are |we |it )?(?:needs?|needed|required|enough)\b"
    rf"|\b(?:ends?|ending|finish(?:es)?|closes?|leaves us|left) (?:the year )?with (?:a|the) balance of {_MONEY}(?=\d)"
)
_WELL = r"\ball is well\b|\bno problem\b|\bnothing to worry\b"
_EXCEEDS = r"\bexceeds?\b"
_WORD = re.compile(
    rf"(?P<well>{_WELL})|(?P<partly>{_PARTLY})|(?P<lack>{_LACK}|{_NEEDED}|{_STILL_OWED})|(?P<under>{_UNDER})"
    rf"|(?P<capacity>{_CAPACITY})|(?P<rest>{_REST})|(?P<exceeds>{_EXCEEDS})"
)
_NEGATION = re.compile(
    r"\b(?:not(?! only| just| merely)|no|never|cannot|neither|nor|nothing|hardly|scarcely|unable|fails? to|failed to"
    r"|far from|nowhere near|avoid(?:s|ed))\b|n't\b|\bwithout (?:an? |any |the )?$"
)
_ASIDE = re.compile(r", (?:however|sadly|alas|unfortunately|therefore|then|after all|in the end|it seems),(?= )")
_CLAUSE = re.compile(r"[,;:()]|\s-\s|\b(?:but|and|so|while|whereas|although|though|yet|since|because|as)\b")
_FUND = ("fund", "balance", "money", "pot")
_WORDS_BACK = 7
"""Words before a claim in which a negation of the same clause turns it round."""
_LOOK_BACK = 200
"""Characters before a claim that are looked at."""
_BOUND = re.compile(
    rf"\b(?:short by|shortfall (?:is|of|comes to|amounts to)|gap (?:is|of)|deficit (?:is|of)|lacks|missing is)\s+(?:about |exactly |just )?{_MONEY}(?P<lack_after>(?<![\d.,])\d[\d.,]*+)"
    rf"|{_MONEY}(?P<lack_before>(?<![\d.,])\d[\d.,]*+)\s?(?:pounds |euros? |dollars )?(?:too )?(?:short\b(?! of)|missing\b|too little\b)"
    rf"|\b(?:surplus (?:is|of)|balance of)\s+(?:about |exactly |just )?{_MONEY}(?P<rest_after>(?<![\d.,])\d[\d.,]*+)"
    rf"|{_MONEY}(?P<rest_before>(?<![\d.,])\d[\d.,]*+)\s?(?:pounds |euros? |dollars )?(?:will be |is |are |will |still )?(?:left\b(?! {_OWED})|remains?\b(?! {_OWED})|to spare\b|in hand\b)"
)


@dataclass(frozen=True, slots=True)
class Claims:
    """What one piece of prose says."""

    short: bool
    """It says that money falls short, or cannot do what it should."""
    short_asserted: bool
    """It says so of the whole, and not only that the money does for a part."""
    enough: bool
    """It says that money is enough or is left."""
    enough_asserted: bool
    """It says so outright, and not only that nothing is lacking."""
    lacking: tuple[Decimal, ...]
    """Amounts bound to a word of lack, such as `short by 5`."""
    left: tuple[Decimal, ...]
    """Amounts bound to a word of rest, such as `5 left`."""


def claims_of(piece: str) -> Claims:
    """Read one piece; it is lower-cased, typographic apostrophes are plain."""
    text = _ASIDE.sub("", piece.lower().replace("’", "'"))
    lacks: list[bool] = []
    well = partly = False
    rests: list[bool] = []
    denied_spans: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        denied = _denials(text, word.start()) % 2 == 1
        if denied:
            denied_spans.append(word.span())
        if word["well"] or word["partly"]:
            well, partly = well or (bool(word["well"]) and not denied), partly or bool(word["partly"])
        elif (
            word["lack"]
            or (word["exceeds"] and _subject(text, word.start()) not in _FUND)
            or (word["under"] and _subject(text, word.start()) in ("", *_FUND))
        ):
            lacks.append(not denied)
        elif word["capacity"]:
            (lacks if denied else rests).append(True)
        elif not denied:
            rests.append(True)
    denied_lack = False in lacks
    lacking: list[Decimal] = []
    left: list[Decimal] = []
    for bound in _BOUND.finditer(text):
        if text[max(0, bound.start() - 8) : bound.start()].endswith(("of the ", "of ")) or any(
            start < bound.end() and bound.start() < end for start, end in denied_spans
        ):
            continue
        name = str(bound.lastgroup)
        (lacking if name.startswith("lack") else left).extend(figures(bound[name].rstrip(".,"))[:1])
    short = True in lacks
    return Claims(short or partly, short, bool(rests) or denied_lack or well, bool(rests), tuple(lacking), tuple(left))


def _denials(text: str, place: int) -> int:
    """How many negations stand before a place in its clause, near enough to turn it round."""
    clause = _CLAUSE.split(text[max(0, place - _LOOK_BACK) : place])[-1]
    near = " ".join([*clause.split()[-_WORDS_BACK:], ""])
    return len(_NEGATION.findall(near))


def _subject(text: str, place: int) -> str:
    """The fund's or the costs' word that stands last before a place, or nothing."""
    before = text[max(0, place - _LOOK_BACK) : place]
    subjects = re.findall(r"\b(fund|balance|money|pot|awards|bursaries|costs|promises|claims|bills)\b", before)
    return str(subjects[-1]) if subjects else ""
