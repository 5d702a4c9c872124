"""Figures of a run as pure functions: means over tasks, intervals over clusters, coverage and bounds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

MIN_TASKS_FOR_INTERVAL = 10
"""No interval is given for fewer tasks (DESIGN 3)."""

T_975 = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    11: 2.201, 12: 2.179, 13: 2.160, 14: 2.145, 15: 2.131, 16: 2.120, 17: 2.110, 18: 2.101, 19: 2.093, 20: 2.086,
    21: 2.080, 22: 2.074, 23: 2.069, 24: 2.064, 25: 2.060, 26: 2.056, 27: 2.052, 28: 2.048, 29: 2.045, 30: 2.042,
    40: 2.021, 60: 2.000, 120: 1.980,
}  # fmt: skip
"""Two-sided 95 % quantiles of Student's t by degrees of freedom (standard table; between entries the lower df counts)."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial as a log holds it."""

    task: str
    cluster: str
    category: str
    outcome: str
    score: float | None
    """None where the trial is unscored."""
    passed: bool
    seconds: float


def task_means(trials: Sequence[Trial], unscored_as: float | None = None) -> dict[str, float]:
    """Mean score by task over its scored trials; a task without one is left out.

    Args:
        trials: of any number of tasks.
        unscored_as: the score that unscored trials count with; left out where None.
    """
    scores: dict[str, list[float]] = defaultdict(list)
    for trial in trials:
        score = trial.score if trial.score is not None else unscored_as
        if score is not None:
            scores[trial.task].append(score)
    return {task: fmean(values) for task, values in scores.items()}


def mean_score(trials: Sequence[Trial], unscored_as: float | None = None) -> float | None:
    """Mean over trials of a task, then over tasks; None without a scored trial."""
    means = task_means(trials, unscored_as)
    return fmean(means.values()) if means else None


def bounds(trials: Sequence[Trial]) -> tuple[float, float] | None:
    """The mean with every unscored trial as 0 and as 1; ranking uses the lower."""
    low, high = mean_score(trials, 0.0), mean_score(trials, 1.0)
    return None if low is None or high is None else (low, high)


def t_quantile(degrees: int) -> float:
    """Two-sided 95 % quantile of Student's t; conservative between the table's entries."""
    known = max(entry for entry in T_975 if entry <= max(1, degrees))
    return T_975[known]


def interval(trials: Sequence[Trial]) -> tuple[float, float] | None:
    """95 % interval of the mean over tasks, robust to tasks of one cluster going together.

    With n tasks in C clusters, `s² = C/(C-1) · Σ_c (Σ_{i in c} (x_i - mean))² / n²`, and Student's t with C-1 degrees
    of freedom (Cameron & Miller 2015, "A Practitioner's Guide to Cluster-Robust Inference", section II).

    Returns:
        (low, high) clipped to [0, 1]; None for fewer than `MIN_TASKS_FOR_INTERVAL` tasks or 2 clusters.
    """
    means = task_means(trials)
    clusters = {trial.task: trial.cluster for trial in trials}
    count = len({clusters[task] for task in means})
    if len(means) < MIN_TASKS_FOR_INTERVAL or count < 2:
        return None
    centre = fmean(means.values())
    sums: dict[str, float] = defaultdict(float)
    for task, value in means.items():
        sums[clusters[task]] += value - centre
    variance = count / (count - 1) * sum(total**2 for total in sums.values()) / len(means) ** 2
    reach = t_quantile(count - 1) * sqrt(variance)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def by_category(trials: Sequence[Trial]) -> Mapping[str, float | None]:
    """Mean score by category."""
    groups: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        groups[trial.category].append(trial)
    return {category: mean_score(group) for category, group in sorted(groups.items())}
