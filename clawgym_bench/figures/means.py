"""Means over trials of a task, then over tasks, and how far unscored trials could move them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from clawgym_bench.figures.trial import Measure, Trial, score_of


def task_means(
    trials: Sequence[Trial], unscored_as: float | None = None, measure: Measure = score_of
) -> dict[str, float]:
    """Mean of a measure by task over the trials that have it; a task without one is left out.

    Args:
        trials: of any number of tasks.
        unscored_as: the value that unscored trials count with; left out where None.
        measure: what is averaged.
    """
    values: dict[str, list[float]] = defaultdict(list)
    for trial in trials:
        value = measure(trial)
        if value is None:
            value = unscored_as
        if value is not None:
            values[trial.task].append(value)
    return {task: fmean(found) for task, found in values.items()}


def mean_score(trials: Sequence[Trial], unscored_as: float | None = None, measure: Measure = score_of) -> float | None:
    """Mean over trials of a task, then over tasks; None without a scored trial."""
    means = task_means(trials, unscored_as, measure)
    return fmean(means.values()) if means else None


def bounds(trials: Sequence[Trial], measure: Measure = score_of) -> tuple[float, float] | None:
    """The mean with every unscored trial as 0 and as 1; ranking uses the lower.

    Args:
        trials: every planned trial, those that never ran too.
        measure: what is averaged.
    """
    low, high = mean_score(trials, 0.0, measure), mean_score(trials, 1.0, measure)
    return None if low is None or high is None else (low, high)


def grouped(trials: Sequence[Trial]) -> Mapping[str, list[Trial]]:
    """The trials by category, in the categories' order."""
    groups: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        groups[trial.category].append(trial)
    return dict(sorted(groups.items()))


def by_category(trials: Sequence[Trial]) -> Mapping[str, float | None]:
    """Mean score by category."""
    return {category: mean_score(group) for category, group in grouped(trials).items()}
