"""What a reader of a Markdown text sees: without comments, code blocks, struck-out and hidden parts, link targets."""

import html
import re

_FENCE = re.compile(r"[ \t]{0,12}(?:[-*+][ \t]+)?(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\]\n]{1,100}\]:")
_STRUCK = re.compile(
    r"~~(?=[^\s~])(?:[^~\n]|~(?!~)|\n(?![ \t]*(?:\n|[-*+•][ \t]|\d{1,3}[.)][ \t]))){1,2000}+~~"
    r"|(?<![\w~])~(?=[^\s~])[^~\n]{1,400}(?<=[^\s~])~(?![\w~])"
)
_LINK_TARGET = re.compile(r"\]\([^()\n]{0,400}\)")
_ELEMENT = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,15})\b([^<>]*)>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_UNSEEN = {"del", "s", "strike", "script", "style", "template"}
_HIDES = re.compile(r"\bhidden\b|display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_EMPTY = {"br", "hr", "img", "input"}
_INLINE = {"b", "strong", "i", "em", "u", "mark", "span", "small", "font", "code", "kbd", "a"}
_APART = {"br", "p", "div", "sub", "sup", "hr"}
_CODE = re.compile(r"(?<!`)(`{1,3}+)([^`\n]{1,2000}+)\1(?!`)")
_MARKS = re.compile(r"(?<![^\W_])(?<!\\)[*_]{1,3}|(?<!\\)[*_]{1,3}(?![^\W_])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def visible(text: str) -> str:
    """The text that is seen; underlined headings become `# ...`, line numbers stay as far as what is hidden allows."""
    lines = [line for line in _outside_code(text) if not _DEFINITION.match(line)]
    seen = _LINK_TARGET.sub("]", _STRUCK.sub(" ", _without_hidden("\n".join(_headings(lines)))))
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), seen)


def unmarked(text: str) -> str:
    """The text without marks of emphasis and code; `box_7` and what stands between backticks keep theirs."""
    parts, place = [], 0
    for code in _CODE.finditer(text):
        parts += [_unmarked_prose(text[place : code.start()]), code[2].strip()]
        place = code.end()
    return "".join([*parts, _unmarked_prose(text[place:])])


def _unmarked_prose(text: str) -> str:
    return _ESCAPED.sub(r"\1", _MARKS.sub("", text))


def _outside_code(text: str) -> list[str]:
    """The lines with those of fenced code blocks and comments emptied, front matter left out."""
    lines = text.split("\n")
    if lines[0].strip() == "---" and "---" in [line.strip() for line in lines[1:40]]:
        lines = lines[[line.strip() for line in lines].index("---", 1) + 1 :]
    kept, fence, comment = [], "", False
    for line in lines:
        if fence:
            bare = line.strip()
            fence = "" if len(bare) >= len(fence) and set(bare) == {fence[0]} else fence
            kept.append("")
            continue
        shown, comment = _outside_comment(line, comment)
        opening = _FENCE.match(shown)
        fence = opening["fence"] if opening else ""
        kept.append("" if opening else shown)
    return kept


def _outside_comment(line: str, inside: bool) -> tuple[str, bool]:
    """What of the line stands outside of `<!-- -->`, and whether a comment is open at its end."""
    head, *parts = line.split("<!--")
    if inside:
        head, parts = "", [head, *parts]
    for part in parts:
        _, end, after = part.partition("-->")
        inside = not end
        head += after
    return head, inside


def _headings(lines: list[str]) -> list[str]:
    """Headings underlined with `===` or `---` written as `# ` and `## `."""
    kept: list[str] = []
    for number, line in enumerate(lines):
        bare = line.strip()
        title = kept[-1].strip() if kept else ""
        lone = bool(title) and (number < 2 or not lines[number - 2].strip()) and not re.match(r"[#>|-]|[*+] ", title)
        if lone and len(bare) > 1 and set(bare) in ({"="}, {"-"}):
            kept[-1] = ("# " if bare[0] == "=" else "## ") + title
            kept.append("")
        else:
            kept.append(line)
    return kept


def _without_hidden(text: str) -> str:
    """The text without struck-out and hidden elements, and without the tags of the others."""
    kept: list[str] = []
    place, hiding, depth = 0, "", 0
    for element in _ELEMENT.finditer(text):
        closing, name, rest = element[1], element[2].lower(), element[3]
        if hiding:
            if name == hiding and not rest.endswith("/"):
                depth += -1 if closing else 1
            if not depth:
                hiding, place = "", element.end()
        elif not closing and name not in _EMPTY and (name in _UNSEEN or _HIDES.search(rest)):
            kept += [text[place : element.start()], " "]
            hiding, depth = name, 1
        elif name in _INLINE or name in _APART:
            kept += [text[place : element.start()], " " if name in _APART else ""]
            place = element.end()
    return "".join(kept if hiding else [*kept, text[place:]])
