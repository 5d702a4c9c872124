"""Writing trees again with something changed: in the oracle's own style, or by editing the text that stands there."""

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from clawgym_data.formats.text import decode_text
from clawgym_data.formats.tree import leaves, parse_tree, steps
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.spec.output import Output

Node = Any
"""Any tree value."""

MAX_TRIES = 200
"""Places in a text that are tried for one edit."""


def strict(tree: Node) -> object:
    """A form for comparing trees in which 1, 1.0 and true differ and the order of members does not matter."""
    if isinstance(tree, dict):
        return ("mapping", tuple(sorted(((repr(name), strict(child)) for name, child in tree.items()), key=repr)))
    if isinstance(tree, list):
        return ("list", tuple(strict(child) for child in tree))
    return (type(tree).__name__, repr(tree))


def write_tree(tree: Node, kind: str) -> bytes | None:
    """The tree as a new file of that kind; None where the kind cannot say it."""
    try:
        match kind:
            case "json":
                text = json.dumps(tree, indent=2, ensure_ascii=False) + "\n"
            case "yaml":
                text = yaml.safe_dump(tree, sort_keys=False, allow_unicode=True)
            case "toml":
                text = "\n".join(_toml_lines(tree, "")) + "\n"
            case _:
                text = "\n".join(_ini_lines(tree)) + "\n"
        return text.encode() if strict(parse_tree(text.encode(), kind)) == strict(tree) else None
    except (Unreadable, TypeError, AttributeError, yaml.YAMLError):
        return None


def _toml_lines(table: dict[str, Node], prefix: str) -> Iterator[str]:
    nested = {name: value for name, value in table.items() if isinstance(value, dict) or _is_table_list(value)}
    for name, value in table.items():
        if name not in nested:
            yield f"{_toml_name(name)} = {_toml_value(value)}"
    for name, value in nested.items():
        path = f"{prefix}.{_toml_name(name)}" if prefix else _toml_name(name)
        for child in value if isinstance(value, list) else [value]:
            yield f"[[{path}]]" if isinstance(value, list) else f"[{path}]"
            yield from _toml_lines(child, path)


def _is_table_list(value: Node) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _toml_name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _toml_value(value: Node) -> str:
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(_toml_value(item) for item in value)}]"
    return str(value)


def _ini_lines(tree: dict[str, dict[str, str | None]]) -> Iterator[str]:
    for section, options in tree.items():
        yield f"[{section}]"
        yield from (name if value is None else f"{name} = {value}" for name, value in options.items())


def rewrite(content: bytes, output: Output, tree: Node) -> bytes | None:
    """The oracle's file with the tree changed to `tree`.

    A JSON file is written in the style that reproduces it. An edited file of another style or kind keeps its text but
    for one value or one line; where that does not suffice the answer is None. A new file is written afresh.
    """
    if output.kind == "json":
        styled = _in_json_style(content, tree)
        if styled is not None:
            return styled
    if not output.in_place:
        return write_tree(tree, output.kind)
    return _edited(decode_text(content), output.kind, tree)


def _in_json_style(content: bytes, tree: Node) -> bytes | None:
    text, before = decode_text(content), parse_tree(content, "json")
    end = text[len(text.rstrip()) :]
    for indent in (2, 4, None, 1, 3, "\t"):
        for ascii_only in (False, True):
            if json.dumps(before, indent=indent, ensure_ascii=ascii_only) == text.rstrip():
                return (json.dumps(tree, indent=indent, ensure_ascii=ascii_only) + end).encode()
    return None


def _edited(text: str, kind: str, tree: Node) -> bytes | None:
    before, after, wanted = dict(leaves(parse_tree(text.encode(), kind))), dict(leaves(tree)), strict(tree)
    changed = [at for at in before if at in after and strict(before[at]) != strict(after[at])]
    if before.keys() == after.keys() and len(changed) == 1:
        tries = _replacements(text, changed[0], before[changed[0]], after[changed[0]])
    else:
        tries = _shortened(text, [at for at in before if at not in after])
    for number, candidate in enumerate(tries):
        if number >= MAX_TRIES:
            break
        try:
            if strict(parse_tree(candidate.encode(), kind)) == wanted:
                return candidate.encode()
        except Unreadable:
            continue
    return None


def _last_name(at: str) -> str:
    return next((step for step in reversed(steps(at)) if isinstance(step, str)), "")


def _replacements(text: str, at: str, old: Node, new: Node) -> Iterator[str]:
    lines = text.split("\n")
    for number in sorted(range(len(lines)), key=lambda n: _last_name(at) not in lines[n]):
        for old_form, new_form in _spellings(old, new):
            for match in re.finditer(re.escape(old_form), lines[number]):
                line = lines[number][: match.start()] + new_form + lines[number][match.end() :]
                yield "\n".join([*lines[:number], line, *lines[number + 1 :]])


def _spellings(old: Node, new: Node) -> list[tuple[str, str]]:
    if isinstance(old, bool) or old is None:
        forms = {True: ("true", "True", "yes", "on"), False: ("false", "False", "no", "off"), None: ("null", "~")}
        return [(form, _plain(new)) for form in forms[old]]
    if isinstance(old, str):
        return [
            (f"{quote}{old}{quote}", f"{quote}{_plain(new)}{quote}" if new is not None else "null")
            for quote in ('"', "'", "")
        ]
    return [(str(old), _plain(new))]


def _plain(value: Node) -> str:
    return json.dumps(value) if isinstance(value, bool) or value is None else str(value)


def _shortened(text: str, gone: list[str]) -> Iterator[str]:
    lines, names = text.split("\n"), {_last_name(at) for at in gone}
    for number, line in enumerate(lines):
        if any(name in line for name in names):
            yield "\n".join([*lines[:number], *lines[number + 1 :]])
