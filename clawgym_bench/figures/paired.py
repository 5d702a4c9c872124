"""Two runs on the same tasks: the mean difference, its interval, and whether chance explains it."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean

from clawgym_bench.figures.intervals import MIN_TASKS_FOR_INTERVAL, NO_SPREAD, spread_of
from clawgym_bench.figures.student import t_quantile

MAX_EXACT_CLUSTERS = 16
"""Up to so many clusters that differ, every assignment of signs is counted; above, `DRAWS` of them are drawn."""

DRAWS = 10_000
SEED = 0


@dataclass(frozen=True, slots=True)
class Paired:
    """The second run against the first, over the tasks that both have a value for."""

    tasks: int
    first: float
    """Mean of the first run over these tasks."""
    second: float
    difference: float
    """`second - first`."""
    ci95: tuple[float, float] | None
    """None for fewer than ten tasks, and where all clusters differ by the same."""
    p_value: float
    """Two-sided; see `sign_flip_p`."""
    better: int
    """Tasks on which the second run is better."""
    worse: int


def sign_flip_p(sums: list[float]) -> float:
    """Two-sided p of the permutation test: were the runs alike, a cluster's difference could as well have the other sign.

    Clusters, not tasks, change sign, since tasks of a cluster go together (Fisher 1935, "The Design of Experiments",
    section 21; Winkler et al. 2014, "Permutation inference for the general linear model", NeuroImage 92, on
    whole-block sign flipping). Exact up to `MAX_EXACT_CLUSTERS` non-zero sums; above, drawn with a fixed seed and
    `(1 + hits) / (1 + draws)`, which is never 0 (Phipson & Smyth 2010, "Permutation p-values should never be zero",
    Statistical Applications in Genetics and Molecular Biology 9(1)).

    Args:
        sums: the sum of the differences of each cluster's tasks.
    """
    sums = [value for value in sums if abs(value) > 1e-12]
    if not sums:
        return 1.0
    observed = abs(sum(sums)) - 1e-9
    if len(sums) <= MAX_EXACT_CLUSTERS:
        totals = [sums[0]]  # the first sign is fixed: the other half of the assignments mirrors this one
        for value in sums[1:]:
            totals = [total + signed for total in totals for signed in (value, -value)]
        return sum(abs(total) >= observed for total in totals) / len(totals)
    random, hits, whole = Random(SEED), 0, sum(sums)  # noqa: S311 - a simulation, not a secret
    for _ in range(DRAWS):
        bits = random.getrandbits(len(sums))
        flipped = sum(value for place, value in enumerate(sums) if bits >> place & 1)
        hits += abs(whole - 2 * flipped) >= observed
    return (1 + hits) / (1 + DRAWS)


def paired(first: Mapping[str, float], second: Mapping[str, float], clusters: Mapping[str, str]) -> Paired | None:
    """Compare task values of two runs, task by task.

    The interval is Student's t on clusters of the differences (`spread_of`): what makes a task hard for both runs
    cancels (Miller 2024, arXiv 2411.00640, section 4.2).

    Args:
        first: a value by task.
        second: a value by task; tasks that only one run has are left out.
        clusters: the cluster of every task.

    Returns:
        None without a task that both have.
    """
    common = [task for task in first if task in second]
    if not common:
        return None
    differences = {task: second[task] - first[task] for task in common}
    sums: dict[str, float] = defaultdict(float)
    for task, value in differences.items():
        sums[clusters[task]] += value
    centre = fmean(differences.values())
    spread = spread_of(differences, clusters) if len(common) >= MIN_TASKS_FOR_INTERVAL else None
    ci95 = None
    if spread is not None and spread.variance >= NO_SPREAD:
        reach = t_quantile(spread.degrees) * sqrt(spread.variance)
        ci95 = (max(-1.0, centre - reach), min(1.0, centre + reach))
    return Paired(
        tasks=len(common),
        first=fmean(first[task] for task in common),
        second=fmean(second[task] for task in common),
        difference=centre,
        ci95=ci95,
        p_value=sign_flip_p(list(sums.values())),
        better=sum(value > 0 for value in differences.values()),
        worse=sum(value < 0 for value in differences.values()),
    )
