"""Whether two JSON values are the same."""

from fractions import Fraction
from math import isfinite
from typing import Any


def same_json(got: Any, want: Any, tolerance: float = 0.0) -> bool:  # noqa: ANN401 - any JSON value
    """Whether two parsed JSON values are equal: 1 and 1.0 are, true and 1 are not, 2**70 and 2**70 + 1 are not.

    Args:
        got: what was found; its depth is bounded by `parse_tree`.
        want: what is expected; an infinite number equals nothing.
        tolerance: how far numbers may differ; 0 compares them exactly.
    """
    if isinstance(got, bool) or isinstance(want, bool):
        return got is want
    if isinstance(got, int | float) and isinstance(want, int | float):
        if not (_finite(got) and _finite(want)):
            return False
        return got == want or (tolerance > 0 and abs(Fraction(got) - Fraction(want)) <= Fraction(tolerance))
    if isinstance(got, dict) and isinstance(want, dict):
        return got.keys() == want.keys() and all(same_json(got[name], want[name], tolerance) for name in want)
    if isinstance(got, list) and isinstance(want, list):
        return len(got) == len(want) and all(
            same_json(one, other, tolerance) for one, other in zip(got, want, strict=True)
        )
    return type(got) is type(want) and bool(got == want)


def _finite(number: int | float) -> bool:
    return isinstance(number, int) or isfinite(number)
