"""Rows against expected rows: all columns right together, duplicates wrong, missing and surplus rows in the denominator."""

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from clawgym_data.formats.values import normal_form, same
from clawgym_data.spec.output import Output


def share_right(
    expected: Mapping[str, Mapping[str, Any]],
    produced: Sequence[Mapping[str, Any]],
    key: tuple[str, ...],
    output: Output,
    member: str = "",
) -> tuple[float, str]:
    """Share of rows right: `correct / |expected keys or produced rows|`.

    Args:
        expected: key -> column -> value; see `expected_key`.
        produced: the agent's rows.
        key: the key columns.
        output: declares the types.
        member: the list's member in a tree, empty for a table or a root list.

    Returns:
        The share in [0, 1] and the evidence in words.

    Raises:
        ValueError: where nothing is expected ("for all rows" over no rows must not pass), or a key does not fit.
    """
    if not expected:
        raise ValueError("no rows are expected; a check over nothing says nothing")
    types = key_types(output, key, member)
    wanted = {expected_key(name, types): values for name, values in expected.items()}
    if len(wanted) != len(expected):
        raise ValueError("two expected keys mean the same row")
    names = [row_key(row, key, types) for row in produced]
    times = Counter(names)
    correct = sum(
        1
        for name, row in zip(names, produced, strict=True)
        if times[name] == 1 and name in wanted and _row_right(wanted[name], row, output, member)
    )
    missing = len(wanted.keys() - times.keys())
    doubled = sum(1 for count in times.values() if count > 1)
    surplus = len(times.keys() - wanted.keys())
    parts = [f"{correct} of {len(expected)} rows right"]
    for count, what in ((missing, "missing"), (surplus, "not expected"), (doubled, "doubled")):
        if count:
            parts.append(f"{count} {what}")
    return correct / (missing + len(produced)), ", ".join(parts)


def _row_right(want: Mapping[str, Any], got: Mapping[str, Any], output: Output, member: str) -> bool:
    return all(
        name in got and same(output.type_of(*([member] if member else []), name), value, got[name], output.tolerance)
        for name, value in want.items()
    )


def key_names(output: Output, member: str = "") -> tuple[str, ...]:
    """The key columns of a table, of a root list, or of the list at `member`.

    Raises:
        LookupError: where the output declares none.
    """
    key = output.key
    if isinstance(key, dict) and member in key:
        return key[member]
    if isinstance(key, tuple) and not member:
        return key
    raise LookupError(f"{output.path} declares no key{f' for {member}' if member else ''}")


Key = tuple[Hashable, ...]
_BAR = re.compile(r"(?<!\\)\|")


def key_types(output: Output, key: tuple[str, ...], member: str = "") -> tuple[str, ...]:
    """The declared types of the key columns."""
    return tuple(output.type_of(*([member] if member else []), name) for name in key)


def row_key(row: Mapping[str, object], key: tuple[str, ...], types: tuple[str, ...]) -> Key:
    """The key of a row in normal form, so that `7` and `7.0` are one whole number and `007` is another tag."""
    return tuple(
        normal_form(declared, row[name]) if name in row else ("missing", name)
        for name, declared in zip(key, types, strict=True)
    )


def expected_key(name: object, types: tuple[str, ...]) -> Key:
    r"""The key that a text of `expected.py` names: of several columns joined by `|`, a bar in a value written `\|`.

    Raises:
        ValueError: where it has another number of parts than there are key columns.
    """
    parts = [str(name)] if len(types) == 1 else [part.replace(r"\|", "|") for part in _BAR.split(str(name))]
    if len(parts) != len(types):
        raise ValueError(f"the expected key {name!r} has {len(parts)} parts; expected {len(types)}")
    return tuple(normal_form(declared, part) for declared, part in zip(types, parts, strict=True))
