"""YAML that every loader reads back as the same values: block style, all text in double quotes."""

import json
import re
from collections.abc import Mapping, Sequence

Plain = str | int | float | bool | None | Sequence["Plain"] | Mapping[str, "Plain"]
"""What a spec document consists of."""

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_BARE_KEY = re.compile(r"[a-z][a-z0-9_]*\Z")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def yaml_text(document: Mapping[str, Plain]) -> str:
    """One YAML document.

    Raises:
        ValueError: for NaN and infinities.
    """
    return "".join(f"{line}\n" for line in _lines(document, 0)) or "{}\n"


def _lines(value: Plain, depth: int) -> list[str]:
    indent = "  " * depth
    lines: list[str] = []
    if isinstance(value, Mapping):
        for key, member in value.items():
            lines += _entry(f"{indent}{_key(key)}:", member, depth)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for member in value:
            lines += _entry(f"{indent}-", member, depth)
    return lines


def _entry(opening: str, member: Plain, depth: int) -> list[str]:
    nested = isinstance(member, Mapping | Sequence) and not isinstance(member, str)
    if nested and member:
        return [opening, *_lines(member, depth + 1)]
    return [f"{opening} {_scalar(member)}"]


def _key(key: str) -> str:
    return key if _BARE_KEY.match(key) and key not in _WORDS else _scalar(key)


def _scalar(value: Plain) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
