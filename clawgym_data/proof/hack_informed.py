"""Hack agents that are given the oracle's answer with its meaning taken out.

`shape` keeps files, keys and labels and blanks the other values; `constant` gives every field the value that is the most
frequent among its like (0 or nothing where none occurs twice), or 0, or yes, or no; `shuffle` permutes the values of each column, the scalars of a tree by type
and the figures of a text among their places; values without a like change places among each other. Where an edited file has
one change only, there is nothing to permute: it is taken back. A value that is alone in a new file stays as it is.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from clawgym_data.proof.alter import NUMERIC, base_type, choices
from clawgym_data.proof.answer import Change, Files
from clawgym_data.proof.fields import Field, Fields, fields_of
from clawgym_data.proof.source import changed_functions, is_python, line_changes, with_bodies
from clawgym_data.proof.vocabulary import plain_text
from clawgym_data.spec.output import Output
from clawgym_data.spec.task import TaskSpec

SHUFFLE_DRAWS = 20
_ALONE = "alone"
"""The group of all fields that have no like: they are permuted among themselves."""

Remake = Callable[[Output, bytes, bytes | None], bytes]
"""Output, the oracle's content and the pristine one -> the hack agent's content."""


def _changed(spec: TaskSpec, inputs: Files, answer: Files, name: str, remake: Remake) -> Change:
    write = {}
    for output, path in _written(spec, answer):
        write[path] = remake(output, answer[path], inputs.get(path))
    return Change(name, write)


def _written(spec: TaskSpec, answer: Files) -> Iterator[tuple[Output, str]]:
    for output in spec.outputs:
        for path in sorted(answer) if output.asked else ():
            if path == output.path or (output.kind == "folder" and path.startswith(f"{output.path}/")):
                yield output, path


def _by_field(spec: TaskSpec, value: Callable[[Field, Fields], object]) -> Remake:
    def remake(output: Output, content: bytes, pristine: bytes | None) -> bytes:
        fields = fields_of(output, content, pristine, spec.instruction)
        return fields.write([value(field, fields) for field in fields.items])

    return remake


def shape(spec: TaskSpec, inputs: Files, answer: Files) -> Iterator[Change]:
    """Variants: 0 for numbers, empty text, null; functions that do nothing or answer None or 0."""
    blanks: Mapping[str, Callable[[Field], object]] = {
        "0": lambda field: 0 if base_type(field.declared) in NUMERIC else "",
        "blank": lambda _: "",
        "null": lambda _: None,
    }
    statements = {"0": "return 0", "blank": "pass", "null": "return None"}
    for name, blank in blanks.items():
        by_field = _by_field(spec, lambda field, _, blank=blank: field.value if field.key else blank(field))  # type: ignore[misc]
        yield _changed(spec, inputs, answer, name, _with_code(by_field, statements[name], b""))


def _with_code(by_field: Remake, statement: str, in_folder: bytes) -> Remake:
    def remake(output: Output, content: bytes, pristine: bytes | None) -> bytes:
        if output.kind == "folder":
            return in_folder
        if output.kind == "code":
            return _hollow(output, content, pristine, statement)
        return by_field(output, content, pristine)

    return remake


def _hollow(output: Output, content: bytes, pristine: bytes | None, statement: str) -> bytes:
    """The program with the changed functions answering a constant; without functions, its changed lines gone."""
    text, before = plain_text(content) or "", plain_text(pristine) if pristine and output.in_place else None
    chosen = changed_functions(before, text) if is_python(output.path, text) else []
    if chosen:
        return with_bodies(text, chosen, statement).encode()
    lines = text.split("\n")
    touched = {n for change in line_changes(before or "", text) for n in range(change.start, change.end)}
    return "\n".join(line for n, line in enumerate(lines) if n not in touched or line.startswith("#")).encode()


def constant(spec: TaskSpec, inputs: Files, answer: Files) -> Iterator[Change]:
    """Variants: the majority value of each field's like; the same with 0 for numbers, with yes and with no to all."""
    contents = Counter(answer[path] for output, path in _written(spec, answer) if output.kind == "folder")
    commonest = contents.most_common(1)[0][0] if contents else b""
    for name, fixed, statement in (
        ("majority", {}, "return None"),
        ("0", {"number": 0}, "return 0"),
        ("yes to all", {"flag": True}, "return True"),
        ("no to all", {"flag": False}, "return False"),
        ("0 and the first choice", {"number": 0, "choice": 0}, 'return ""'),
    ):
        by_field = _by_field(spec, lambda field, fields, fixed=fixed: _constant(field, fields, fixed))  # type: ignore[misc]
        yield _changed(spec, inputs, answer, name, _with_code(by_field, statement, commonest))


def _constant(field: Field, fields: Fields, fixed: Mapping[str, object]) -> object:
    if field.key:
        return field.value
    kind = base_type(field.declared)
    if kind in NUMERIC and "number" in fixed:
        return fixed["number"]
    if kind == "flag" and "flag" in fixed:
        return _flag_like(field.value, bool(fixed["flag"]))
    if choices(field.declared) and "choice" in fixed:
        return choices(field.declared)[0]
    like = [other for other in fields.items if other.group == field.group]
    commonest, count = Counter(repr(other.value) for other in like).most_common(1)[0]
    if count == 1:
        return 0 if kind in NUMERIC else ""
    return next(other.value for other in like if repr(other.value) == commonest)


def _flag_like(value: object, flag: bool) -> object:
    if isinstance(value, bool):
        return flag
    words = ("yes", "no") if str(value).strip().lower() in ("yes", "no", "y", "n") else ("true", "false")
    return words[0 if flag else 1]


def shuffle(spec: TaskSpec, inputs: Files, answer: Files) -> Iterator[Change]:
    """Twenty draws; the score that counts is their mean."""
    for draw in range(SHUFFLE_DRAWS):
        rng = random.Random(f"shuffle:{spec.id}:{draw}")  # noqa: S311 - a reproducible draw
        write: dict[str, bytes] = {}
        for output, path in _written(spec, answer):
            if output.kind != "folder":
                write[path] = _shuffled(spec, output, answer[path], inputs.get(path), rng)
        for output in spec.outputs:
            paths = [path for written, path in _written(spec, answer) if written is output and output.kind == "folder"]
            write |= dict(zip(paths, _drawn([answer[path] for path in paths], rng), strict=True))
        yield Change(f"draw {draw + 1}", write)


def _drawn(values: Sequence[bytes], rng: random.Random) -> list[bytes]:
    return rng.sample(values, len(values))


def _shuffled(spec: TaskSpec, output: Output, content: bytes, pristine: bytes | None, rng: random.Random) -> bytes:
    before = pristine if output.in_place else None
    if output.kind == "code":
        return _shuffled_lines(content, before, rng)
    fields = fields_of(output, content, before, spec.instruction)
    if before is not None and not _permutable(fields):
        return before
    values = [field.value for field in fields.items]
    counts = Counter(field.group for field in fields.items)
    groups = [field.group if counts[field.group] > 1 else _ALONE for field in fields.items]
    for group in dict.fromkeys(groups):
        places = [n for n, own in enumerate(groups) if own == group]
        for place, source in zip(places, rng.sample(places, len(places)), strict=True):
            values[place] = fields.items[source].value
    return fields.write(values)


def _permutable(fields: Fields) -> bool:
    return len({repr(field.value) for field in fields.items}) > 1


def _shuffled_lines(content: bytes, before: bytes | None, rng: random.Random) -> bytes:
    """Code with its changed lines (all lines of new code) exchanged among those of the same indentation."""
    text, old = plain_text(content) or "", plain_text(before) if before is not None else ""
    lines = text.split("\n")
    touched = [
        n for change in line_changes(old or "", text) for n in range(change.start, change.end) if lines[n].strip()
    ]
    by_indent: dict[int, list[int]] = {}
    for number in touched:
        by_indent.setdefault(len(lines[number]) - len(lines[number].lstrip()), []).append(number)
    if all(len({lines[n] for n in numbers}) < 2 for numbers in by_indent.values()):
        return before or b""
    shuffled = list(lines)
    for numbers in by_indent.values():
        for place, source in zip(numbers, rng.sample(numbers, len(numbers)), strict=True):
            shuffled[place] = lines[source]
    return "\n".join(shuffled).encode()
