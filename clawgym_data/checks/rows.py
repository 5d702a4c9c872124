"""Rows against expected rows: all columns right together, duplicates wrong, missing and surplus rows in the denominator."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from clawgym_data.formats.table import row_key
from clawgym_data.formats.values import same
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
        expected: key -> column -> value.
        produced: the agent's rows.
        key: the key columns.
        output: declares the types.
        member: the list's member in a tree, empty for a table or a root list.

    Returns:
        The share in [0, 1] and the evidence in words.

    Raises:
        ValueError: where nothing is expected: "for all rows" over no rows must not pass.
    """
    if not expected:
        raise ValueError("no rows are expected; a check over nothing says nothing")
    names = [row_key(dict(row), key) for row in produced]
    times = Counter(names)
    correct = sum(
        1
        for name, row in zip(names, produced, strict=True)
        if times[name] == 1 and name in expected and _row_right(expected[name], row, output, member)
    )
    missing = len(set(expected) - set(names))
    doubled = sum(1 for count in times.values() if count > 1)
    surplus = len(set(names) - set(expected))
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
