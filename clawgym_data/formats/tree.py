"""Trees (JSON, YAML, TOML, INI) as plain values, and paths into them."""

import configparser
import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import yaml

from clawgym_data.formats.text import decode_text
from clawgym_data.formats.unreadable import Unreadable

MAX_TREE_BYTES = 16 * 1024 * 1024
MAX_TREE_DEPTH = 100
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


class _YamlLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML 1.1, dates and times (`15:00` is no base-60 number) kept as text; in C where PyYAML was built with it."""


_YamlLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.rsplit(":", 1)[-1] in ("bool", "null", "merge")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern in (
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$"),
    (
        "float",
        r"^[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+|\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    ),
):
    _YamlLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list("-+0123456789."))


def _parse_yaml(text: str) -> Any:  # noqa: ANN401 - any tree value
    """Load one document; aliases (which can blow a small file up) and depth are refused before anything is built."""
    depth = 0
    for event in yaml.parse(text, Loader=_YamlLoader):
        if isinstance(event, yaml.AliasEvent):
            raise Unreadable("uses aliases")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_TREE_DEPTH:
            raise Unreadable(f"is nested more than {MAX_TREE_DEPTH} levels deep")
    return yaml.load(text, Loader=_YamlLoader)  # noqa: S506 - a subclass of the safe loader


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Unreadable(f"has the member {name!r} twice")
        found[name] = value
    return found


def _reject_constant(name: str) -> Any:  # noqa: ANN401 - signature of the json module
    raise Unreadable(f"contains {name}, which is not JSON")


def _parse_ini(text: str) -> dict[str, Any]:
    parser = configparser.RawConfigParser(strict=True, interpolation=None, allow_no_value=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    return {section: dict(parser.items(section)) for section in parser.sections()}


def _check_depth(tree: object) -> None:
    level = [tree]
    for _ in range(MAX_TREE_DEPTH):
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return
    raise Unreadable(f"is nested more than {MAX_TREE_DEPTH} levels deep")


def parse_tree(content: bytes, kind: str) -> Any:  # noqa: ANN401 - any tree value
    """Parse JSON, YAML, TOML or INI (an INI file as section -> option -> text).

    Raises:
        Unreadable: a syntax error with its place, a duplicate member, too deep, more than `MAX_TREE_BYTES`.
    """
    if len(content) > MAX_TREE_BYTES:
        raise Unreadable(f"is larger than {MAX_TREE_BYTES} bytes")
    text = decode_text(content)
    try:
        match kind:
            case "json":
                tree = json.loads(text, object_pairs_hook=_unique, parse_constant=_reject_constant)
            case "yaml":
                tree = _parse_yaml(text)
            case "toml":
                tree = tomllib.loads(text)
            case "ini":
                tree = _parse_ini(text)
            case _:
                raise AssertionError(kind)
    except RecursionError as error:
        raise Unreadable(f"is nested more than {MAX_TREE_DEPTH} levels deep") from error
    except (ValueError, yaml.YAMLError, configparser.Error) as error:
        reason = " ".join(str(error).split())[:160]
        raise Unreadable(f"is not {kind.upper()}: {reason}") from error
    _check_depth(tree)
    return tree


def steps(at: str) -> list[str | int]:
    """The steps of a dotted path: `a.b[0].c` -> `["a", "b", 0, "c"]`; the empty path is the root."""
    return [int(index) if index else name for name, index in _STEP.findall(at)]


def value_at(tree: Any, at: str) -> Any:  # noqa: ANN401 - any tree value
    """The value at a dotted path.

    Raises:
        Unreadable: where a step is missing, with how far it got.
    """
    here = tree
    for step in steps(at):
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError) as error:
            raise Unreadable(f"has no {at!r} (nothing at {step!r})") from error
    return here


def leaves(tree: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - any tree value
    """Every scalar and empty container with its dotted path."""
    if isinstance(tree, dict) and tree:
        for name, child in tree.items():
            yield from leaves(child, f"{prefix}.{name}" if prefix else str(name))
    elif isinstance(tree, list) and tree:
        for index, child in enumerate(tree):
            yield from leaves(child, f"{prefix}[{index}]")
    else:
        yield prefix, tree
