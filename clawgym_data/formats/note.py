"""Notes: prose with labelled lines. The text is what `markdown.visible` gives."""

import re

from clawgym_data.formats.markdown import unmarked
from clawgym_data.formats.text import folded

_BULLET = re.compile(
    r"(?P<indent>[^\S\n]{0,12})(?:[-*+•◦‣▪·–—]|\d{1,3}[.)])[^\S\n]{1,8}(?:\[[ xX]\][^\S\n]{1,8})?(?=\S)"
)
_LIST = re.compile(r"\s{0,12}(?:[-*+•◦‣▪]|\d{1,3}[.)])\s")
_GREETING = re.compile(r"(?:dear|hello|hi|good (?:morning|afternoon|evening))\b[^.!?\d]{0,80},$", re.IGNORECASE)
_UNIT = re.compile(
    r"\s*\((?:in )?(?:£|\$|€|%|p|c|pence|cents?|pounds?|euros?|dollars?|gbp|eur|usd|s|sec|seconds?|min|mins|minutes?|h|hours?"
    r"|days?|nights?|weeks?|months?|years?|mm|cm|m|km|metres?|g|kg|ml|l|litres?|per ?cent|pieces?|items?)\)$"
)
"""A unit in brackets at the end of a folded label; which label it is does not depend on it."""
MAX_LABEL_CHARACTERS = 80
MAX_ANSWERS = 100
"""To one label; nobody needs to know how many more there are."""


def labelled_answers(text: str, label: str) -> list[str]:
    """What stands after `label:` on each bullet with that label, with the lines that go on under it, emphasis removed."""
    lines, wanted = text.split("\n"), folded(label)
    answers: list[str] = []
    for number, line in enumerate(lines):
        bullet = _BULLET.match(line)
        answer = _after_label(unmarked(line[bullet.end() :]), wanted) if bullet else None
        if len(answers) == MAX_ANSWERS:
            break
        if bullet and answer is not None:
            more = _continued(lines, number + 1, len(bullet["indent"].expandtabs(4)))
            answers.append(" ".join([answer, *map(unmarked, more)]).strip())
    return answers


def _after_label(line: str, wanted: str) -> str | None:
    for colon in re.finditer(r"[:：]", line[: MAX_LABEL_CHARACTERS * 2]):
        label = folded(line[: colon.start()])
        if wanted in (label, _UNIT.sub("", label)):
            return line[colon.end() :].strip()
    return None


def _continued(lines: list[str], start: int, indent: int) -> list[str]:
    """The further lines of a bullet: indented deeper than it, no bullets themselves, up to a blank line."""
    found = []
    for line in lines[start:]:
        depth = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if not line.strip() or depth <= indent or _LIST.match(line):
            break
        found.append(line.strip())
    return found


def opening_paragraph(text: str) -> str:
    """The first block that is no heading, rule or greeting, emphasis removed; empty if that block is a list."""
    titles = []
    for block in re.split(r"\n(?:[^\S\n]*\n)+", text):
        lines = [line.strip().removeprefix(">").strip() for line in block.split("\n")]
        body = [line for line in lines if line and not line.startswith("#") and set(line) - set("-*_= ")]
        if not body:
            continue
        if _LIST.match(body[0] + " "):
            break
        plain = " ".join(unmarked(" ".join(body)).split())
        if len(body) == 1 and re.fullmatch(r"\*\*[^*]*[^*.!?]\*\*", body[0]):
            titles.append(plain)
        elif not _GREETING.fullmatch(plain):
            return plain
    return titles[0] if titles else ""


def section(text: str, heading: str) -> str:
    """The lines under a Markdown heading up to the next one of the same or a higher level; empty if there is none."""
    level, kept, wanted = 0, [], folded(heading)
    for line in text.split("\n"):
        marks = len(line) - len(line.lstrip("#"))
        is_heading = 1 <= marks <= 6 and line[marks : marks + 1].isspace()
        if is_heading and level and marks <= level:
            break
        if level:
            kept.append(line)
        elif is_heading and folded(unmarked(line.strip("#").strip()).removesuffix(":")) == wanted:
            level = marks
    return "\n".join(kept)
