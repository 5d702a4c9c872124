"""Mutants of source code.

Sure to break: the file gone, empty, unreadable for its language or restored; a program that ends before it does anything;
a changed function (or other changed statement) taken back, or one that only raises. A comparison turned, a constant one
higher, a function that answers nothing and a broken function that was not to be touched may stay unseen behind other
code: undetermined. Comments, blank lines and `ast.unparse` of the whole change nothing.
"""

import ast
import random
from collections.abc import Iterator, Sequence

from clawgym_data.proof.answer import Edit
from clawgym_data.proof.mutate_file import file_edits
from clawgym_data.proof.source import (
    Function,
    changed_functions,
    comment_mark,
    functions,
    is_python,
    line_changes,
    same_program,
    with_bodies,
    with_body,
)
from clawgym_data.proof.vocabulary import plain_text
from clawgym_data.spec.output import Output

UNCLEAR = 3
"""Undetermined mutants of one file at most."""

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def code_edits(output: Output, content: bytes, pristine: bytes | None, seed: int) -> Iterator[Edit]:
    """The changes of one source file."""
    yield from (edit for edit in file_edits(content) if edit.what != "cut short")
    text = plain_text(content)
    if text is None or not text.strip():
        return
    before = plain_text(pristine) if pristine is not None and output.in_place else None
    yield Edit("a syntax error", "breaking", _after_shebang(text, ")(\n").encode(), ("syntax",))
    python = is_python(output.path, text)
    if python and before is None:
        yield Edit("ends at once", "breaking", _after_shebang(text, "raise SystemExit(0)\n").encode(), ("program",))
    if pristine is not None and before is not None and before != text:
        yield Edit("as it was at first", "breaking", pristine, ("changes",))
        yield from _taken_back(before, text, python)
    changed = changed_functions(before, text) if python else []
    yield from _raising(text, changed)
    if python:
        yield from _unclear(text, changed, before, seed)
    yield from _form_edits(output, text, python)


def _after_shebang(text: str, line: str) -> str:
    first, newline, rest = text.partition("\n")
    return f"{first}{newline}{line}{rest}" if first.startswith("#!") else line + text


def _taken_back(before: str, text: str, python: bool) -> Iterator[Edit]:
    lines, old = text.split("\n"), before.split("\n")
    former = {function.name: function for function in functions(before)} if python else {}
    inside: set[int] = set()
    for function in changed_functions(before, text) if python else []:
        inside.update(range(function.start, function.end))
        origin = former.get(function.name)
        instead = old[origin.start : origin.end] if origin else [" " * (function.indent - 4) + "pass"]
        changed = "\n".join([*lines[: function.start], *instead, *lines[function.end :]])
        if not same_program(changed, text):
            yield Edit(f"{function.name} taken back", "breaking", changed.encode(), (function.name,))
    for number, change in enumerate(line_changes(before, text), 1):
        reverted = "\n".join(change.reverted(lines))
        elsewhere = not set(range(change.start, change.end)) & inside
        said = any(line.strip() for line in (*change.before, *lines[change.start : change.end]))
        if elsewhere and said and not (python and same_program(reverted, text)):
            yield Edit(f"change {number} taken back", "breaking", reverted.encode(), (f"change {number}",))


def _raising(text: str, changed: Sequence[Function]) -> Iterator[Edit]:
    for function in changed[:4]:
        broken = with_body(text, function, "raise NotImplementedError")
        if broken is not None:
            yield Edit(f"{function.name} only raises", "breaking", broken.encode(), (function.name,))
    if len(changed) > 1:
        broken = with_bodies(text, changed, "return None")
        if broken != text:
            yield Edit("changed functions answer nothing", "breaking", broken.encode(), ("functions",))


def _unclear(text: str, changed: Sequence[Function], before: str | None, seed: int) -> Iterator[Edit]:
    rng = random.Random(f"code:{seed}")  # noqa: S311 - a reproducible draw
    names = {function.name for function in changed}
    others = [function for function in functions(text) if function.name not in names] if before is not None else []
    found = [edit for function in changed for edit in _turned(text, function)]
    for function in rng.sample(others, min(1, len(others))):
        broken = with_body(text, function, "raise NotImplementedError")
        if broken is not None:
            found.append(
                Edit(
                    f"{function.name} only raises, unasked", "undetermined", broken.encode(), ("unasked", function.name)
                )
            )
    yield from rng.sample(found, min(UNCLEAR, len(found)))


def _turned(text: str, function: Function) -> Iterator[Edit]:
    tree = ast.parse(text)
    inside = [node for node in ast.walk(tree) if function.start < getattr(node, "lineno", 0) <= function.end]
    comparison = next((n for n in inside if isinstance(n, ast.Compare) and type(n.ops[0]) in _TURNED), None)
    if comparison is not None:
        turned = _TURNED[type(comparison.ops[0])]()
        old, comparison.ops[0] = comparison.ops[0], turned
        yield Edit(f"{function.name}: a comparison turned", "undetermined", _unparsed(tree, text), (function.name,))
        comparison.ops[0] = old
    number = next((n for n in inside if isinstance(n, ast.Constant) and type(n.value) is int), None)
    if number is not None and isinstance(number.value, int):
        number.value += 1
        yield Edit(f"{function.name}: a constant one higher", "undetermined", _unparsed(tree, text), (function.name,))


def _unparsed(tree: ast.Module, text: str) -> bytes:
    shebang = text.split("\n", 1)[0] + "\n" if text.startswith("#!") else ""
    return f"{shebang}{ast.unparse(tree)}\n".encode()


def _form_edits(output: Output, text: str, python: bool) -> Iterator[Edit]:
    mark, end = comment_mark(output.path), "" if text.endswith("\n") else "\n"
    yield Edit("a comment at the end", "neutral", f"{text}{end}{mark} checked\n".encode(), ("form",))
    yield Edit("a comment at the start", "neutral", _after_shebang(text, f"{mark} checked\n").encode(), ("form",))
    yield Edit("blank lines at the end", "neutral", f"{text}{end}\n\n".encode(), ("form",))
    if python:
        rewritten = _unparsed(ast.parse(text), text) if functions(text) else text.encode()
        if rewritten != text.encode():
            yield Edit("written by ast.unparse", "neutral", rewritten, ("form",))
