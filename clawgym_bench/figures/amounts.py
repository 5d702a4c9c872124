"""Means and ratios of amounts that have no upper end: calls, tokens, dollars, seconds."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from clawgym_bench.figures.intervals import MIN_TASKS_FOR_INTERVAL, NO_SPREAD, spread_of
from clawgym_bench.figures.student import t_quantile


@dataclass(frozen=True, slots=True)
class Ratio:
    """A mean of one amount for a mean of another."""

    value: float
    ci95: tuple[float, float] | None
    tasks: int


def amount_interval(values: Mapping[str, float], clusters: Mapping[str, str]) -> tuple[float, float] | None:
    """95 % interval of a mean of task amounts that are never negative: Student's t on clusters (`spread_of`).

    Args:
        values: an amount by task.
        clusters: the cluster by task.

    Returns:
        (low, high), low at least 0; None for fewer than `MIN_TASKS_FOR_INTERVAL` tasks or 2 clusters, and where all
        clusters have one mean: an amount has no upper end that would bound what other tasks may have.
    """
    spread = spread_of(values, clusters) if len(values) >= MIN_TASKS_FOR_INTERVAL else None
    centre = fmean(values.values()) if values else 0.0
    if spread is None or spread.variance <= NO_SPREAD * centre**2:
        return None
    reach = t_quantile(spread.degrees) * sqrt(spread.variance)
    return max(0.0, centre - reach), centre + reach


def ratio(amounts: Mapping[str, float], gains: Mapping[str, float], clusters: Mapping[str, str]) -> Ratio | None:
    """What is spent for one unit of what is gained: the mean amount over the mean gain, over the tasks that have both.

    A ratio of means and no mean of ratios: a task that gains nothing has no ratio of its own, but its amount was spent. The
    interval is that of the linearised ratio, whose value for a task is `r + (amount - r · gain) / mean gain` (Cochran 1977,
    "Sampling Techniques", section 6.4), clustered as `amount_interval` is.

    Returns:
        None where nothing is gained.
    """
    tasks = sorted(amounts.keys() & gains.keys())
    gained = fmean(gains[task] for task in tasks) if tasks else 0.0
    if gained == 0:
        return None
    value = fmean(amounts[task] for task in tasks) / gained
    linear = {task: value + (amounts[task] - value * gains[task]) / gained for task in tasks}
    return Ratio(value, amount_interval(linear, clusters), len(tasks))
