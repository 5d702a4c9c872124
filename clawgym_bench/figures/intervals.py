"""95 % intervals of means and rates over tasks of which some go together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean

from clawgym_bench.figures.means import task_means
from clawgym_bench.figures.student import t_quantile
from clawgym_bench.figures.trial import Measure, Trial, pass_of, score_of

MIN_TASKS_FOR_INTERVAL = 10
"""No interval is given for fewer tasks (DESIGN 3)."""

Z_975 = NormalDist().inv_cdf(0.975)

NO_SPREAD = 1e-20
"""A variance below it is rounding: every cluster has the same mean."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How uncertain a mean over tasks is."""

    variance: float
    """Of the mean."""
    degrees: float
    """Degrees of freedom of that variance: clusters - 1 where clusters are equal, fewer where some dominate."""


def spread_of(values: Mapping[str, float], clusters: Mapping[str, str]) -> Spread | None:
    """Cluster-robust variance of the mean of task values, with its degrees of freedom.

    With n tasks, n_c of them in cluster c, `p_c = n_c/n` and `S_c` the sum of the cluster's deviations from the mean,
    the variance is `Σ S_c² / (1 - p_c) / n²`: the estimator CR2 of Bell & McCaffrey (2002, "Bias reduction in standard
    errors for linear regression with multi-stage samples", Survey Methodology 28(2)) for a mean, unbiased where tasks
    are independent. With equal clusters it is the usual `C/(C-1) · Σ S_c² / n²` (Cameron & Miller 2015, "A
    Practitioner's Guide to Cluster-Robust Inference", sections II and VI), which is too small where clusters differ in
    size. Degrees of freedom after Satterthwaite as in the same paper and in Imbens & Kolesár (2016, "Robust standard
    errors in small samples", Review of Economics and Statistics 98(4)); for a mean they come to
    `1 / (Σ p_c² + (Σ q_c)² - Σ q_c²)` with `q_c = p_c² / (1 - p_c)`, and to C - 1 with equal clusters.

    A task's value is a mean over its trials, so that the spread between tasks already holds the spread within them
    (its variance is `σ²_between + σ²_within / trials`): adding a within-task term would count it twice (Miller 2024,
    "Adding Error Bars to Evals", arXiv 2411.00640, section 3.1).

    Returns:
        None for fewer than two clusters.
    """
    sums: dict[str, float] = defaultdict(float)
    sizes: dict[str, int] = defaultdict(int)
    centre = fmean(values.values())
    for task, value in values.items():
        sums[clusters[task]] += value - centre
        sizes[clusters[task]] += 1
    if len(sizes) < 2:
        return None
    count = len(values)
    shares = {cluster: size / count for cluster, size in sizes.items()}
    variance = sum(sums[cluster] ** 2 / (1 - share) for cluster, share in shares.items()) / count**2
    crossed = [share**2 / (1 - share) for share in shares.values()]
    inverse = sum(share**2 for share in shares.values()) + sum(crossed) ** 2 - sum(q**2 for q in crossed)
    return Spread(variance, max(1.0, 1 / inverse))


def wilson(rate: float, count: float) -> tuple[float, float]:
    """Wilson's score interval of a rate (Wilson 1927, JASA 22(158); Brown, Cai & DasGupta 2001, Statistical Science 16).

    Args:
        rate: in [0, 1].
        count: number of independent observations, or an effective one.
    """
    z2 = Z_975**2
    centre = (rate + z2 / (2 * count)) / (1 + z2 / count)
    reach = Z_975 / (1 + z2 / count) * sqrt(rate * (1 - rate) / count + z2 / (4 * count**2))
    return max(0.0, centre - reach), min(1.0, centre + reach)


def mean_interval(values: Mapping[str, float], clusters: Mapping[str, str]) -> tuple[float, float] | None:
    """95 % interval of a mean of task values in [0, 1]: Student's t on clusters.

    Where all clusters have one mean Student's interval would be a point (an agent that scores 0 everywhere would be
    known exactly); there it is Wilson's over as many observations as there are effective clusters, which is wide
    enough for any values in [0, 1], as none of that mean vary more than 0 and 1 do.

    How often it holds the true mean (`benchmarks/interval_coverage.py`: half of the latent variance is the cluster's;
    one task a cluster / equal / unequal clusters; standard error 0.5 % for 24 tasks, 1 % for 200):

    =============================  ===================  ===================
    scores                         24 tasks             200 tasks
    =============================  ===================  ===================
    beta(0.5, 1.5)                 93.6 / 93.0 / 91.8   95.2 / 94.4 / 93.6
    60 % zeros, else beta(2, 2)    93.2 / 91.7 / 90.7   95.4 / 94.4 / 92.2
    90 % zeros, else beta(4, 2)    86.3 / 84.4 / 85.3   94.8 / 91.4 / 88.4
    =============================  ===================  ===================

    The normal interval over independent tasks holds it in 92.0 / 82.3 / 72.9 % of the first cell. Where nine of ten
    tasks score 0 a sample of 24 rarely shows the spread, and the interval is too narrow.

    Args:
        values: a value by task.
        clusters: the cluster by task.

    Returns:
        (low, high) clipped to [0, 1]; None for fewer than `MIN_TASKS_FOR_INTERVAL` tasks or 2 clusters.
    """
    spread = spread_of(values, clusters) if len(values) >= MIN_TASKS_FOR_INTERVAL else None
    if spread is None:
        return None
    centre = fmean(values.values())
    if spread.variance < NO_SPREAD:
        return wilson(centre, spread.degrees + 1)
    reach = t_quantile(spread.degrees) * sqrt(spread.variance)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def rate_interval(values: Mapping[str, float], clusters: Mapping[str, str], trials: int) -> tuple[float, float] | None:
    """95 % interval of a mean of task rates: Wilson's, on an effective number of observations.

    With one trial a task and one task a cluster it is plain Wilson over the tasks. Otherwise several trials of a task,
    and tasks of a cluster, are not independent, and the number of observations is that of a binomial sample with the
    measured clustered variance, corrected for its degrees of freedom (Korn & Graubard 1998, "Confidence intervals for
    proportions with small expected number of positive counts estimated from survey data", Survey Methodology 24(2);
    Franco et al. 2019, "Comparative study of confidence intervals for proportions in complex sample surveys", Journal
    of Survey Statistics and Methodology 7(3)): `n · p(1-p)/(n-1) / V · (t_{n-1} / t_v)²`. It is at most the number of
    trials; where the variance is nil it is the effective number of clusters.

    In the simulation of `mean_interval` it holds the true rate in 96.6 to 98.7 % of the runs of 24 tasks with one trial
    each, 93.6 to 97.7 % with three, and 93.0 to 96.0 % and 93.4 to 95.4 % for 200 tasks.

    Args:
        values: pass rate by task, over its trials.
        clusters: the cluster by task.
        trials: the number of trials behind all values.

    Returns:
        (low, high); None for fewer than `MIN_TASKS_FOR_INTERVAL` tasks or 2 clusters.
    """
    spread = spread_of(values, clusters) if len(values) >= MIN_TASKS_FOR_INTERVAL else None
    if spread is None:
        return None
    rate, count = fmean(values.values()), len(values)
    if spread.variance < NO_SPREAD:
        return wilson(rate, spread.degrees + 1)
    effective = count * rate * (1 - rate) / (count - 1) / spread.variance
    effective *= (t_quantile(count - 1) / t_quantile(spread.degrees)) ** 2
    return wilson(rate, min(effective, trials))


def clusters_of(trials: Sequence[Trial]) -> dict[str, str]:
    """The cluster by task."""
    return {trial.task: trial.cluster for trial in trials}


def interval(trials: Sequence[Trial], measure: Measure = score_of) -> tuple[float, float] | None:
    """95 % interval of the mean of a measure over tasks; see `mean_interval`."""
    return mean_interval(task_means(trials, measure=measure), clusters_of(trials))


def pass_interval(trials: Sequence[Trial], measure: Measure = pass_of) -> tuple[float, float] | None:
    """95 % interval of a rate over tasks; see `rate_interval`."""
    counted = sum(measure(trial) is not None for trial in trials)
    return rate_interval(task_means(trials, measure=measure), clusters_of(trials), counted)
