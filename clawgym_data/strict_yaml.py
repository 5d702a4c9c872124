"""YAML without silent surprises: what is not plainly a number, a boolean or null is text; what could be misread is refused."""

import re
from pathlib import Path
from typing import Any

import yaml

from clawgym_data.errors import SpecError

MAX_BYTES = 4 * 1024 * 1024
"""A spec file larger than this is refused before it is parsed."""

MAX_DEPTH = 60
"""Deeper nesting than any spec has; the parser itself is recursive."""

MAX_DIGITS = 300
"""Of a whole number; Python refuses to read longer ones than 4,300."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class _StrictLoader(yaml.SafeLoader):
    """PyYAML's safe loader with YAML 1.2's core scalars only, no aliases, no duplicate keys, no tags."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.constructor.ConstructorError(None, None, "aliases are not allowed", event.start_mark)
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if getattr(event, "tag", None) is not None:
            raise yaml.constructor.ConstructorError(None, None, f"tag {event.tag!r} is not allowed", event.start_mark)
        if _LONE_SURROGATE.search(str(getattr(event, "value", None))):
            raise yaml.constructor.ConstructorError(None, None, "half a surrogate pair in a text", event.start_mark)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise yaml.constructor.ConstructorError(
                None, None, f"nested more than {MAX_DEPTH} levels", event.start_mark
            )
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def _mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise yaml.constructor.ConstructorError(
                None, None, f"key {key!r} is a {type(key).__name__}; quote it to make it text", key_node.start_mark
            )
        if key in found:
            raise yaml.constructor.ConstructorError(None, None, f"key {key!r} appears twice", key_node.start_mark)
        found[key] = loader.construct_object(value_node, deep=True)
    return found


def _whole(loader: _StrictLoader, node: yaml.ScalarNode) -> int:
    if len(node.value) > MAX_DIGITS:
        raise yaml.constructor.ConstructorError(None, None, f"more than {MAX_DIGITS} digits", node.start_mark)
    return int(node.value)


_StrictLoader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("tag:yaml.org,2002:bool", r"^(?:true|false)$", "tf"),
    ("tag:yaml.org,2002:null", r"^(?:null|~|)$", ["n", "~", ""]),
    ("tag:yaml.org,2002:int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    (
        "tag:yaml.org,2002:float",
        r"^[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)$",
        "-+0123456789",
    ),
):
    _StrictLoader.add_implicit_resolver(_tag, re.compile(_pattern), list(_first))
_StrictLoader.add_constructor("tag:yaml.org,2002:map", _mapping)
_StrictLoader.add_constructor("tag:yaml.org,2002:int", _whole)


def parse_strict_yaml(text: str, source: str = "<text>") -> Any:  # noqa: ANN401 - any YAML value
    """Parse one YAML document; `no`, `1_000`, `0x10` and dates stay text.

    Args:
        text: the document.
        source: the name to put into error messages.

    Raises:
        SpecError: on a syntax error, an alias, a tag, a duplicate or non-text key, a second document,
            more than `MAX_DEPTH` levels or more than `MAX_BYTES` bytes.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise _too_large(source)
    loader = None
    try:
        loader = _StrictLoader(text)
        return loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise SpecError(source, where, str(getattr(error, "problem", None) or error), "plain YAML") from error
    finally:
        if loader is not None:
            loader.dispose()


def _too_large(source: str) -> SpecError:
    return SpecError(source, "", f"more than {MAX_BYTES} bytes", "a spec file of ordinary size")


def read_strict_yaml(path: Path) -> Any:  # noqa: ANN401 - any YAML value
    """Read a YAML file as UTF-8; see `parse_strict_yaml`.

    Raises:
        SpecError: also where the file is missing or not UTF-8.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise _too_large(str(path))
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise SpecError(str(path), "", error.strerror or "unreadable", "a readable file") from error
    except UnicodeDecodeError as error:
        raise SpecError(str(path), f"byte {error.start}", "not UTF-8", "UTF-8 text") from error
    return parse_strict_yaml(text, str(path))
