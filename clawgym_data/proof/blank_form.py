"""An output in its declared form, filled by a function of the type: what a hack agent writes without any answer."""

import csv
import io
from collections.abc import Callable, Mapping
from typing import Any

from clawgym_data.formats.tree import steps
from clawgym_data.proof.sheet import delimiter_of
from clawgym_data.proof.tree_text import write_tree
from clawgym_data.spec.output import TABLE_KINDS, TREE_KINDS, Output

Fill = Callable[[str], str]
"""Declared type -> a value written as text."""

Rows = list[Mapping[str, str]]


def in_form(output: Output, fill: Fill, rows: Callable[[str, Mapping[str, str]], Rows], text: str) -> bytes:
    """The output's form.

    Args:
        output: its kind and columns.
        fill: gives single values.
        rows: gives the rows of a table or list of objects, from its member (empty for the root) and column types.
        text: what goes into kinds without a declared form, and before the labels of a note.
    """
    if output.kind in TABLE_KINDS:
        columns = flat_columns(output)
        return table_bytes(output, list(columns), rows("", columns))
    if output.kind in TREE_KINDS:
        tree = form_tree(output, fill, rows)
        return write_tree(tree, output.kind) or f"{text}\n".encode()
    if output.kind == "note":
        lines = "".join(f"- {label}: {fill(output.type_of(label))}\n" for label in output.columns)
        return f"{text}\n\n{lines}".encode()
    return f"{text}\n".encode()


def flat_columns(output: Output) -> dict[str, str]:
    """The columns of a table or of a root that is a list."""
    return {name: str(declared) for name, declared in output.columns.items()}


def table_bytes(output: Output, columns: list[str], rows: Rows) -> bytes:
    """A table with that header."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter_of(output), lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row.get(name, "") for name in columns] for row in rows)
    return text.getvalue().encode()


def form_tree(output: Output, fill: Fill, rows: Callable[[str, Mapping[str, str]], Rows]) -> Any:  # noqa: ANN401 - any tree value
    """The declared tree."""
    if isinstance(output.key, tuple):
        return _objects(flat_columns(output), rows("", flat_columns(output)))
    tree: dict[str, Any] = {}
    for member, declared in output.columns.items():
        value: Any
        if isinstance(declared, dict):
            columns = {name: str(kind) for name, kind in declared.items()}
            value = _objects(columns, rows(member, columns))
        else:
            value = typed(declared, fill(declared))
        _place(tree, member, value)
    return tree


def _objects(columns: Mapping[str, str], rows: Rows) -> list[dict[str, Any]]:
    return [{name: typed(declared, row.get(name, "")) for name, declared in columns.items()} for row in rows]


def typed(declared: str, text: str) -> Any:  # noqa: ANN401 - any tree value
    """A text as the tree value of its type where it can be one: numbers, flags, lists of tags."""
    kind = declared.rstrip("?")
    if kind in ("whole", "number", "money"):
        try:
            return float(text) if "." in text else int(text)
        except ValueError:
            return text
    if kind == "flag" and text.lower() in ("true", "yes", "false", "no"):
        return text.lower() in ("true", "yes")
    return [part for part in text.split(";") if part] if kind == "tags" else text


def _place(tree: dict[str, Any], at: str, value: object) -> None:
    here = tree
    names = [str(step) for step in steps(at)]
    for name in names[:-1]:
        here = here.setdefault(name, {})
    here[names[-1]] = value
