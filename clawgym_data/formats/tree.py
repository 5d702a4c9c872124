"""Trees (JSON, YAML, TOML, INI) as plain values, and paths into them."""

import configparser
import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

from clawgym_data.formats.text import decode_text
from clawgym_data.formats.unreadable import Unreadable

MAX_TREE_BYTES = 16 * 1024 * 1024
MAX_TREE_DEPTH = 100
MAX_SLOW_CHARACTERS = 1024 * 1024
"""Of YAML, TOML and INI, which are read a hundred times slower than JSON."""

MAX_YAML_NODES = 100_000
_PLAIN_TAGS = {None, *(f"tag:yaml.org,2002:{name}" for name in ("str", "map", "seq"))}
_STEP = re.compile(r'"((?:[^"\\]|\\.)*)"|([^.\[\]"]+)|\[(\d+)\]')
_PLAIN_NAME = re.compile(r'[^.\[\]"\\]+')


class _YamlLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML 1.1, dates and times (`15:00` is no base-60 number) kept as text; in C where PyYAML was built with it."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(found) != len(node.value):
            names = Counter(str(name.value) for name, _ in node.value)
            raise Unreadable(f"has the member {names.most_common(1)[0][0][:80]!r} twice, or in two forms")
        return found


_YamlLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.rsplit(":", 1)[-1] in ("bool", "null")]
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
    """Load one document; aliases (which can blow a small file up), depth and size are refused before anything is built."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=_YamlLoader)):
        if number > MAX_YAML_NODES:
            raise Unreadable(f"has more than {MAX_YAML_NODES} values, more than are read of YAML")
        if isinstance(event, yaml.AliasEvent):
            raise Unreadable("uses aliases")
        tag = getattr(event, "tag", None)
        if tag not in _PLAIN_TAGS:
            raise Unreadable(f"uses the tag {str(tag)[:80]!r}")
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


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise Unreadable(f"contains {text[:40]}, which is too large for a number")
    return number


def _parse_ini(text: str) -> dict[str, Any]:
    """Section -> option -> text; `[DEFAULT]` is a section like the others, whose options are not copied into them."""
    parser = configparser.RawConfigParser(
        strict=True, interpolation=None, allow_no_value=True, default_section="\0no section"
    )
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
    if kind != "json" and len(text) > MAX_SLOW_CHARACTERS:
        raise Unreadable(f"has more than {MAX_SLOW_CHARACTERS} characters, more than are read of {kind.upper()}")
    try:
        match kind:
            case "json":
                tree = json.loads(text, object_pairs_hook=_unique, parse_constant=_reject_constant, parse_float=_finite)
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
    """The steps of a dotted path: `a.b[0].c` -> `["a", "b", 0, "c"]`; the empty path is the root.

    A name with a dot, bracket or quote in it is quoted as in JSON: `hosts."a.example".port`.
    """
    return [
        int(index) if index else name or json.loads(f'"{quoted}"', strict=False)
        for quoted, name, index in _STEP.findall(at)
    ]


def value_at(tree: Any, at: str) -> Any:  # noqa: ANN401 - any tree value
    """The value at a dotted path; a name finds a whole number (`2026:` in YAML) too.

    Raises:
        Unreadable: where a step is missing, with how far it got.
    """
    here = tree
    for step in steps(at):
        if isinstance(step, int) and isinstance(here, list) and step < len(here):
            here = here[step]
        elif isinstance(here, dict) and isinstance(step, str) and _key_named(here, step) is not None:
            here = here[_key_named(here, step)]
        else:
            raise Unreadable(f"has no {at!r} (nothing at {step!r})")
    return here


def _key_named(mapping: dict[Any, Any], name: str) -> str | int | None:
    if name in mapping:
        return name
    number = int(name) if re.fullmatch(r"0|[1-9][0-9]{0,17}", name) else None
    return number if any(type(key) is int and key == number for key in mapping) else None


def leaves(tree: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - any tree value
    """Every scalar and empty container with its dotted path; see `steps`."""
    if isinstance(tree, dict) and tree:
        for key, child in tree.items():
            name = str(key) if _PLAIN_NAME.fullmatch(str(key)) else json.dumps(str(key), ensure_ascii=False)
            yield from leaves(child, f"{prefix}.{name}" if prefix else name)
    elif isinstance(tree, list) and tree:
        for index, child in enumerate(tree):
            yield from leaves(child, f"{prefix}[{index}]")
    else:
        yield prefix, tree


Place = tuple[tuple[str, Any], ...]
"""Where a leaf stands: the steps to it, each with the type of its name or `item`."""


def placed_leaves(tree: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:  # noqa: ANN401 - any tree value
    """Every scalar and empty container with a place that no other shares: `1` and `"1"` are two names."""
    if isinstance(tree, dict) and tree:
        for name, child in tree.items():
            yield from placed_leaves(child, (*place, (type(name).__name__, name)))
    elif isinstance(tree, list) and tree:
        for index, child in enumerate(tree):
            yield from placed_leaves(child, (*place, ("item", index)))
    else:
        yield place, tree
