"""The fields of an answer: its values with their places, so that they can be blanked, made alike or permuted.

In a file edited in place only what the oracle changed is a field; in new text every figure, date, tag and every word that
the instruction does not contain.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clawgym_data.formats.text import folded
from clawgym_data.formats.tree import leaves, parse_tree, value_at
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.proof.alter import NUMERIC, base_type
from clawgym_data.proof.mutate_tree import columns_of, guessed_type, key_of, lists_of, scalars_of, with_value
from clawgym_data.proof.prose import TAG, Span, date_spans, figure_spans, label_lines, substituted, words_span
from clawgym_data.proof.sheet import Cells, Sheet, read_sheet
from clawgym_data.proof.source import line_changes
from clawgym_data.proof.tree_text import Node, rewrite, strict
from clawgym_data.proof.vocabulary import plain_text
from clawgym_data.spec.output import TABLE_KINDS, TREE_KINDS, Output, split_type

_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+ [A-ZÀ-Þ][\w'’-]+\b")
_VALUE = re.compile(r"\s*[^\s=:#;][^=:]*?[=:]\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Field:
    """One value of the answer."""

    group: str
    """Values of one group can stand for each other."""
    declared: str
    """Column type."""
    value: object
    key: bool = False
    """Kept where the shape is kept, permuted like the others."""


@dataclass(frozen=True)
class Fields:
    """The values of one output and how to write it with others."""

    items: tuple[Field, ...]
    write: Callable[[Sequence[object]], bytes]


def fields_of(output: Output, content: bytes, pristine: bytes | None, instruction: str) -> Fields:
    """The fields of one output that is no code and no folder; none where it cannot be read."""
    before = pristine if output.in_place else None
    try:
        if output.kind in TABLE_KINDS:
            return _table_fields(output, content, before)
        if output.kind in TREE_KINDS and (before is None or output.kind == "json"):
            return _tree_fields(output, content, before)
    except Unreadable:
        return Fields((), lambda _: content)
    text = plain_text(content) or ""
    if before is not None:
        return _changed_line_fields(text, plain_text(before) or "")
    return _note_fields(output, text) if output.kind == "note" else _text_fields(text, instruction)


def _table_fields(output: Output, content: bytes, before: bytes | None) -> Fields:
    sheet = read_sheet(content, output)
    keys, types = sheet.key_columns(output), sheet.types(output)
    old = _rows_by_key(read_sheet(before, output), keys) if before is not None else {}
    places = [
        (r, c)
        for r, row in enumerate(sheet.rows)
        for c, value in enumerate(row)
        if old.get(_key(row, keys), [None] * len(row))[c] != value
    ]
    items = tuple(Field(sheet.header[c], types[c], sheet.rows[r][c], c in keys) for r, c in places)

    def write(values: Sequence[object]) -> bytes:
        rows = [list(row) for row in sheet.rows]
        for (r, c), value in zip(places, values, strict=True):
            rows[r][c] = "" if value is None else str(value)
        return sheet.with_rows(rows).write()

    return Fields(items, write)


def _key(row: Cells, keys: Sequence[int]) -> Cells:
    return tuple(row[n] for n in keys) or row


def _rows_by_key(sheet: Sheet, keys: Sequence[int]) -> dict[Cells, Sequence[str | None]]:
    return {_key(row, keys): row for row in sheet.rows}


def _tree_fields(output: Output, content: bytes, before: bytes | None) -> Fields:
    tree = parse_tree(content, output.kind)
    found = (
        _new_tree_places(output, tree)
        if before is None
        else _changed_places(output, tree, parse_tree(before, output.kind))
    )
    places = [at for at, _ in found]

    def write(values: Sequence[object]) -> bytes:
        changed = tree
        for at, value in zip(places, values, strict=True):
            changed = with_value(changed, at, value)
        return rewrite(content, output.model_copy(update={"in_place": False}), changed) or b""

    return Fields(tuple(field for _, field in found), write)


def _new_tree_places(output: Output, tree: Node) -> list[tuple[str, Field]]:
    scalars = scalars_of(output, tree)
    found = [(at, Field(_kind(declared), declared, value_at(tree, at))) for at, declared in scalars.items()]
    for member, items in lists_of(output, tree).items():
        for name, declared in columns_of(output, member).items():
            places = [n for n, item in enumerate(items) if name in item]
            key = name in key_of(output, member)
            found += [
                (f"{member}[{n}].{name}", Field(f"{member}[].{name}", declared, items[n][name], key)) for n in places
            ]
    return found


def _kind(declared: str) -> str:
    kind = base_type(declared)
    return "number" if kind in NUMERIC else "choice" if kind.startswith("choice(") else kind


def _changed_places(output: Output, tree: Node, before: Node) -> list[tuple[str, Field]]:
    old, found = dict(leaves(before)), []
    for at, value in leaves(tree):
        if at and (at not in old or strict(old[at]) != strict(value)):
            declared = output.type_of(at) if at in output.columns else guessed_type(value)
            found.append((at, Field(_kind(declared), declared, value)))
    return found


def _note_fields(output: Output, text: str) -> Fields:
    spans = [(span, Field("date", "date", span.text)) for span in date_spans(text)]
    spans += [(span, Field("figure", "number", span.text)) for span in figure_spans(text)]
    starts = _line_starts(text)
    for line in label_lines(text, output.columns):
        start = starts[line.number] + len(line.text) - len(line.answer)
        for kind in split_type(output.type_of(line.label)):
            if kind not in NUMERIC and kind != "date":
                inner = words_span(line.answer) if kind == "name" else Span(0, len(line.answer), line.answer)
                if inner is not None and inner.text.strip():
                    placed = Span(start + inner.start, start + inner.end, inner.text)
                    spans.append((placed, Field(_kind(kind), kind, inner.text)))
    spans += [(Span(m.start(), m.end(), m[0]), Field("tag", "tag", m[0])) for m in TAG.finditer(text)]
    spans += [(Span(m.start(), m.end(), m[0]), Field("name", "name", m[0])) for m in _NAME.finditer(text)]
    return _span_fields(text, spans)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _text_fields(text: str, instruction: str) -> Fields:
    spans = [(span, Field("date", "date", span.text)) for span in date_spans(text)]
    spans += [(span, Field("figure", "number", span.text)) for span in figure_spans(text)]
    spans += [(Span(m.start(), m.end(), m[0]), Field("tag", "tag", m[0])) for m in TAG.finditer(text)]
    given = set(re.findall(r"\w+", folded(instruction)))
    words = [m for m in re.finditer(r"[^\W_]+", text) if folded(m[0]) not in given]
    spans += [(Span(m.start(), m.end(), m[0]), Field("word", "text", m[0])) for m in words]
    return _span_fields(text, spans)


def _span_fields(text: str, found: Iterable[tuple[Span, Field]]) -> Fields:
    kept: list[tuple[Span, Field]] = []
    for span, field in found:
        if all(span.end <= other.start or span.start >= other.end for other, _ in kept):
            kept.append((span, field))
    kept.sort(key=lambda pair: pair[0].start)

    def write(values: Sequence[object]) -> bytes:
        new = {span.start: "" if value is None else str(value) for (span, _), value in zip(kept, values, strict=True)}
        return substituted(text, [span for span, _ in kept], lambda span: new[span.start]).encode()

    return Fields(tuple(field for _, field in kept), write)


def _changed_line_fields(text: str, before: str) -> Fields:
    starts, lines = _line_starts(text), text.split("\n")
    numbers = [n for change in line_changes(before, text) for n in range(change.start, change.end) if lines[n].strip()]
    spans = []
    for number in numbers:
        match = _VALUE.match(lines[number])
        inner = match.end() if match else len(lines[number]) - len(lines[number].lstrip())
        value = lines[number][inner:]
        spans.append(
            (Span(starts[number] + inner, starts[number] + inner + len(value), value), Field("value", "text", value))
        )
    return _span_fields(text, spans)
