"""Does a prompt need the live web, forbid it, or only mention it? A conservative reading by pattern."""

import re

from clawgym_data.importers.loss import Loss, LossCode, loss

_WEB = r"(?:internet|web|online)"
_DOMAIN = r"(?:https?://|(?:[\w-]+\.)+(?:org|gov|com|edu|net|io|int|eu)\b)"
_NEEDS = re.compile(
    rf"""(?ix)
    \b(?:perform|conduct|run|use|using|via|through|with|make|execute|doing)\b [^.;\n]{{0,50}}
        \b(?:search\ engines?|{_WEB}\ (?:search(?:es)?|research|lookups?|queries)|{_WEB}-based\ research)\b
    | \bsearch(?:ing)?\ (?:the\ )?(?:public\ |live\ )?{_WEB}\b
    | ^[^\S\n]{{0,40}} [\-*\d.)\ \t]{{0,40}} (?:live\ )?{_WEB}\ (?:search|research|lookup|retrieval)\b
    | \bsearch\ engine\ quer(?:y|ies)\b
    | \b(?:internet|web|network)\ (?:use|usage|access|step|search|research|retrieval|download|lookup)\b [^.;\n]{{0,30}}
        \b(?:required|essential|needed|necessary|mandatory)\b
    | \b(?:download|fetch|retrieve|scrape|crawl|obtain|pull|capture)(?:s|es|ing)?\b [^.;\n]{{0,140}}
        \b(?:from|on|at|via|of)\ (?:the\ |an?\ |its\ |their\ |each\ )?
        (?:public\ |live\ |open\ )?(?:internet\b|web\b|official\b|live\b|{_DOMAIN})
    | \bdownload\b [^.;\n]{{0,40}} \bofficial\b
    | \b(?:install|installing)\b [^.;\n]{{0,60}} \bfrom\ (?:the\ internet|pypi|npm)\b
    | \b(?:query|call|hit|use)\b [^.;\n]{{0,50}} \b(?:live|official)\ (?:\w+\ ){{0,3}}api\b
    | \bbrowse\ the\ {_WEB}\b
    | \b(?:find|locate|identify|look\ up|consult)\b [^.;\n]{{0,60}} \b(?:online|on\ the\ (?:internet|web))\b
    """,
    re.MULTILINE,
)
_NEGATED = re.compile(
    r"(?i)\b(?:do not|don['’]t|does not|must not|should not|may not|cannot|never|without|no|avoid|not|rather than|instead of|optional(?:ly)?|"
    r"if|whether|offline)\b[^.;:\n]{0,60}\Z"
)
_NEGATED_WITHIN = re.compile(r"(?i)\b(?:not|no|never|without)\b")
_BANS = re.compile(
    rf"""(?ix)
    \b(?:do\ not|don['’]t|must\ not|should\ not|never|without|no|avoid|not)\b [^.;\n]{{0,50}}
        \b(?:{_WEB}|network|external\ (?:sources?|services?|apis?|calls?|data|research|lookups?|websites?))\b
    | \boffline\b
    | \bno\ (?:outbound|external)\b
    """
)
_MENTIONS = re.compile(rf"(?i)\b{_WEB}\b|\bweb\s?sites?\b|https?://|\bdownload(?:s|ed|ing)?\b")


def web_losses(prompt: str) -> tuple[Loss, ...]:
    """At most one finding: needs the web, may need it, forbids it, or mentions it."""
    needed = [found for found in _NEEDS.finditer(prompt) if not _is_negated(found)]
    banned = _BANS.search(prompt)
    mentioned = _MENTIONS.search(prompt)
    if needed:
        code = LossCode.MAY_NEED_WEB if banned else LossCode.NEEDS_WEB
        return (loss(code, _quote(needed[0])),)
    if banned:
        return (loss(LossCode.BANS_WEB, _quote(banned)),)
    return (loss(LossCode.MENTIONS_WEB, _quote(mentioned)),) if mentioned else ()


def _is_negated(found: re.Match[str]) -> bool:
    before = found.string[max(0, found.start() - 80) : found.start()]
    return _NEGATED.search(before) is not None or _NEGATED_WITHIN.search(found.group()) is not None


def _quote(found: re.Match[str]) -> str:
    return " ".join(found.group().split())[:100]
