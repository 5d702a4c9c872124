"""pass@k and pass^k, unbiased, over tasks with at least k trials."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean

from clawgym_bench.figures.trial import Trial


@dataclass(frozen=True, slots=True)
class PassFigure:
    """One of pass@k and pass^k for one k."""

    value: float | None
    """Mean over tasks with at least k scored trials; None without one."""
    tasks: int
    """How many such tasks there are."""
    bounds: tuple[float, float] | None
    """Over all tasks with at least k planned trials, the unscored ones as not passed and as passed."""


def pass_at(count: int, passed: int, k: int) -> float:
    """Chance that at least one of k trials passes: `1 - C(n-c, k) / C(n, k)`.

    Unbiased from n >= k trials of which c passed (Chen et al. 2021, "Evaluating Large Language Models Trained on Code",
    arXiv 2107.03374, section 2.1).
    """
    return (comb(count, k) - comb(count - passed, k)) / comb(count, k)


def pass_hat(count: int, passed: int, k: int) -> float:
    """Chance that all of k trials pass: `C(c, k) / C(n, k)`.

    Unbiased from n >= k trials of which c passed (Yao et al. 2024, "tau-bench", arXiv 2406.12045, section 3, pass^k).
    """
    return comb(passed, k) / comb(count, k)


def pass_figure(trials: Sequence[Trial], k: int, estimate: Callable[[int, int, int], float]) -> PassFigure:
    """The mean over tasks of `pass_at` or `pass_hat`.

    Args:
        trials: every planned trial, those that never ran too.
        k: number of attempts, at least 1.
        estimate: `pass_at` or `pass_hat`.
    """
    by_task: dict[str, list[bool | None]] = defaultdict(list)
    for trial in trials:
        by_task[trial.task].append(trial.passed)
    values, low, high = [], [], []
    for results in by_task.values():
        passed, unknown, planned = results.count(True), results.count(None), len(results)
        if planned - unknown >= k:
            values.append(estimate(planned - unknown, passed, k))
        if planned >= k:
            low.append(estimate(planned, passed, k))
            high.append(estimate(planned, passed + unknown, k))
    return PassFigure(
        fmean(values) if values else None, len(values), (fmean(low), fmean(high)) if low and high else None
    )
