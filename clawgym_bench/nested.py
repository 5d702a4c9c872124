"""How deep a JSON value is nested and how many values it holds: what programs of an agent send is bounded by both."""

from typing import Any, NamedTuple


class Extent(NamedTuple):
    """Of a JSON value."""

    depth: int
    """Nested lists and objects; 1 for a plain value."""
    values: int
    """All values in it, itself included."""


def extent(value: Any) -> Extent:  # noqa: ANN401 - any JSON value
    """Measure a value, however deep it is."""
    depth, values, level = 0, 0, [value]
    while level:
        depth += 1
        values += len(level)
        level = [
            member
            for outer in level
            for member in (outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ())
        ]
    return Extent(depth, values)
