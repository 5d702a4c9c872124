"""Mutants of text: configuration and other files edited in place, and new text.

In a file that is edited in place every changed line is asked for and every other line must stay, comments too. Of new
text only that it is there, whole and not too long follows from the outputs; its words and figures are undetermined.
"""

import random
import re
from collections.abc import Iterator

from clawgym_data.formats.text import word_count
from clawgym_data.proof.alter import misspelt
from clawgym_data.proof.answer import Edit
from clawgym_data.proof.mutate_file import NO_LAST_NEWLINE, file_edits, form_edits
from clawgym_data.proof.source import LineChange, line_changes
from clawgym_data.proof.vocabulary import plain_text
from clawgym_data.spec.output import Output

MAX_CHANGES = 12
UNASKED_LINES = 2
_VALUE = re.compile(r"(\s*[^\s=:#;][^=:]*?[=:]\s*)(\S.*)")


def text_edits(output: Output, content: bytes, pristine: bytes | None, seed: int) -> Iterator[Edit]:
    """The changes of one text."""
    yield from file_edits(content)
    text = plain_text(content)
    if text is None:
        return
    if pristine is not None and output.in_place:
        yield from in_place_edits(output, content, pristine, seed)
    else:
        yield from form_edits(output, content)
        yield from _new_text_edits(output, text)


def in_place_edits(output: Output, content: bytes, pristine: bytes, seed: int) -> Iterator[Edit]:
    """The changes of a text that was edited in place, but for those of the whole file."""
    before, after = plain_text(pristine), plain_text(content)
    if before is None or after is None or before == after:
        return
    ending = "\r\n" if b"\r\n" in content else "\n"

    def edit(what: str, lines: list[str], cell: tuple[str, ...]) -> Iterator[Edit]:
        if "\n".join(lines).rstrip("\n") != after.rstrip("\n"):
            yield Edit(what, "breaking", ending.join(lines).encode(), cell)

    lines, changes = after.split("\n"), line_changes(before, after)
    yield Edit("as it was at first", "breaking", pristine, ("changes",))
    for number, change in enumerate(_spread(changes), 1):
        where = f"line {change.start + 1}"
        yield from edit(f"change {number} ({where}) taken back", change.reverted(lines), (f"change {number}",))
        altered = _altered_lines(change, lines)
        if altered is not None:
            yield from edit(f"change {number} ({where}) with another value", altered, (f"change {number}",))
    for what, unasked in _unasked(lines, changes, seed):
        yield from edit(what, unasked, ("unasked",))
    yield from (
        edit for edit in form_edits(output, content) if edit.group == "breaking" or edit.what == NO_LAST_NEWLINE
    )
    yield Edit("an empty line at the end", "undetermined", content + ending.encode(), ("form",))


def _spread(changes: list[LineChange]) -> list[LineChange]:
    step = max(1, -(-len(changes) // MAX_CHANGES))
    return changes[::step]


def _altered_lines(change: LineChange, lines: list[str]) -> list[str] | None:
    for number in range(change.start, change.end):
        new = altered_line(lines[number])
        if lines[number].strip() and new not in (lines[number], *change.before):
            return [*lines[:number], new, *lines[number + 1 :]]
    return None


def altered_line(line: str) -> str:
    """The line with its value changed: what stands after `=` or `:`, else its last word."""
    match = _VALUE.fullmatch(line)
    if match:
        return match[1] + misspelt(match[2])
    return re.sub(r"\w+(?=\W*$)", lambda word: misspelt(word[0]), line)


def is_comment(line: str) -> bool:
    """Whether a line of a configuration or program holds nothing but a comment."""
    return line.lstrip().startswith(("#", ";", "//", "--", "<!--")) and not line.startswith("#!")


def _unasked(lines: list[str], changes: list[LineChange], seed: int) -> Iterator[tuple[str, list[str]]]:
    touched = {number for change in changes for number in range(change.start, max(change.end, change.start + 1))}
    kept = [n for n, line in enumerate(lines) if n not in touched and line.strip()]
    plain, comments = [n for n in kept if not is_comment(lines[n])], [n for n in kept if is_comment(lines[n])]
    rng = random.Random(f"text:{seed}")  # noqa: S311 - a reproducible draw
    for number in sorted(rng.sample(plain, min(UNASKED_LINES, len(plain)))):
        yield f"line {number + 1} dropped, unasked", lines[:number] + lines[number + 1 :]
        yield f"line {number + 1} twice, unasked", [*lines[: number + 1], *lines[number:]]
        yield (
            f"line {number + 1} changed, unasked",
            [*lines[:number], altered_line(lines[number]), *lines[number + 1 :]],
        )
    for number in sorted(rng.sample(comments, min(UNASKED_LINES, len(comments)))):
        yield f"comment in line {number + 1} dropped", lines[:number] + lines[number + 1 :]


def _new_text_edits(output: Output, text: str) -> Iterator[Edit]:
    if output.max_words is not None:
        longer = text.rstrip() + "\n\n" + "very " * (output.max_words + 10 - word_count(text)) + "well.\n"
        yield Edit("too many words", "breaking", longer.encode(), ("words",))
    figures = list(re.finditer(r"\d+", text))
    if figures:
        middle = figures[len(figures) // 2]
        changed = text[: middle.start()] + misspelt(middle[0]) + text[middle.end() :]
        yield Edit("one figure changed", "undetermined", changed.encode(), ("text",))
    yield Edit("an empty line at the end", "undetermined", f"{text}\n".encode(), ("form",))
