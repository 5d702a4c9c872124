"""Text and source code that was edited: what changed, and the Python functions in which it did."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class LineChange:
    """A stretch of changed lines; neighbouring lines that were replaced one by one are changes of their own."""

    start: int
    """First line in the text after the change, from 0."""
    end: int
    """The line after the last one."""
    before: tuple[str, ...]
    """The lines that stood there at first."""

    def reverted(self, lines: Sequence[str]) -> list[str]:
        """The lines of the text after the change, with this one taken back."""
        return [*lines[: self.start], *self.before, *lines[self.end :]]


def line_changes(before: str, after: str) -> list[LineChange]:
    """The changed stretches from first to last."""
    a, b = before.split("\n"), after.split("\n")
    found = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if i2 - i1 == j2 - j1:
            found += [LineChange(j1 + n, j1 + n + 1, (a[i1 + n],)) for n in range(i2 - i1)]
        else:
            found.append(LineChange(j1, j2, tuple(a[i1:i2])))
    return found


@dataclass(frozen=True, slots=True)
class Function:
    """A Python function or method with the lines it takes (from 0, end exclusive)."""

    name: str
    start: int
    end: int
    body: int
    """First line of the body after a docstring; `start` where the body stands on the line of the `def`."""
    indent: int
    dump: str
    """Its syntax tree in words, without positions."""


def parse_python(text: str) -> ast.Module | None:
    """The syntax tree; None for what is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def same_program(one: str, other: str) -> bool:
    """Whether two Python sources differ in nothing but comments, docstrings and layout."""
    trees = [parse_python(text) for text in (one, other)]
    dumps = [ast.dump(_without_docstrings(tree)) if tree else None for tree in trees]
    return dumps[0] is not None and dumps[0] == dumps[1]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | FunctionNode)
            and ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:]
    return tree


def functions(text: str) -> list[Function]:
    """The outermost functions and methods; none for what is not Python."""
    tree = parse_python(text)
    return list(_functions(tree.body, "")) if tree else []


def _functions(body: Sequence[ast.stmt], prefix: str) -> Iterator[Function]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, FunctionNode):
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            documented = ast.get_docstring(node, clean=False) is not None and len(node.body) > 1
            first = node.body[1 if documented else 0]
            inline = first.lineno == node.lineno
            end = node.end_lineno or node.lineno
            yield Function(
                f"{prefix}{node.name}",
                start,
                end,
                start if inline else first.lineno - 1,
                first.col_offset,
                ast.dump(node),
            )


def changed_functions(before: str | None, after: str) -> list[Function]:
    """The functions of `after` that are new or differ; all of them where there was no text before."""
    old = {function.name: function.dump for function in functions(before or "")}
    return [function for function in functions(after) if old.get(function.name) != function.dump]


def with_body(text: str, function: Function, statement: str) -> str | None:
    """The text with the function's body replaced by one statement; None for a body on the line of its `def`."""
    if function.body == function.start:
        return None
    lines = text.split("\n")
    return "\n".join([*lines[: function.body], " " * function.indent + statement, *lines[function.end :]])


def with_bodies(text: str, chosen: Sequence[Function], statement: str) -> str:
    """The same for several functions of one text."""
    for function in sorted(chosen, key=lambda f: f.start, reverse=True):
        text = with_body(text, function, statement) or text
    return text


def is_python(path: str, text: str) -> bool:
    """By the file's name or its first line."""
    return path.endswith(".py") or (text.startswith("#!") and "python" in text.split("\n", 1)[0])


def comment_mark(path: str) -> str:
    """What begins a comment in a file of that name."""
    ending = path.rsplit(".", 1)[-1].lower()
    if ending in ("js", "ts", "mjs", "c", "h", "cc", "cpp", "java", "go", "rs"):
        return "//"
    return "--" if ending in ("sql", "lua") else "#"
