"""Quantiles of Student's t from the regularised incomplete beta function."""

from functools import lru_cache
from math import exp, lgamma, log, log1p

TINY = 1e-300
"""Stands for 0 in the denominators of the continued fraction (Lentz's method)."""


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Regularised incomplete beta function I_x(a, b).

    By its continued fraction (NIST DLMF 8.17.22, https://dlmf.nist.gov/8.17.E22), evaluated with the modified Lentz
    method (Press et al., Numerical Recipes, 3rd ed., section 6.4); where the fraction converges slowly, by the symmetry
    `I_x(a, b) = 1 - I_{1-x}(b, a)`.

    Args:
        x: in [0, 1].
        a: positive.
        b: positive.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    numerator, denominator = 1.0, 1 / (_or_tiny(1 - (a + b) * x / (a + 1)))
    value = denominator
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for term in (even, odd):
            denominator = 1 / _or_tiny(1 + term * denominator)
            numerator = _or_tiny(1 + term / numerator)
            value *= denominator * numerator
        if abs(value - before) <= 1e-15 * abs(value):
            break
    return front * value


def _or_tiny(value: float) -> float:
    return value if abs(value) > TINY else TINY


def t_tail(t: float, degrees: float) -> float:
    """P(|T| > t) of Student's t: `I_{v/(v+t²)}(v/2, 1/2)` (Abramowitz & Stegun 26.7.1 with 26.5.27)."""
    return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)


@lru_cache(maxsize=4096)
def t_quantile(degrees: float, level: float = 0.95) -> float:
    """The t with P(|T| <= t) = level, by bisection of the tail.

    Args:
        degrees: of freedom, at least 1; need not be whole.
        level: of the two-sided interval.

    Raises:
        ValueError: for fewer than one degree of freedom.
    """
    if degrees < 1:
        raise ValueError(f"{degrees} degrees of freedom; expected at least 1")
    low, high = 0.0, 1.0
    while t_tail(high, degrees) > 1 - level:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if t_tail(middle, degrees) > 1 - level:
            low = middle
        else:
            high = middle
    return (low + high) / 2
