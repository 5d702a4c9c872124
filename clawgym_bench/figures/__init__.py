"""Figures of a run as pure functions over its trials; every formula names where it comes from."""

from clawgym_bench.figures.amounts import Ratio, amount_interval, ratio
from clawgym_bench.figures.intervals import clusters_of, interval, mean_interval, pass_interval, rate_interval, wilson
from clawgym_bench.figures.means import bounds, by_category, grouped, mean_score, task_means
from clawgym_bench.figures.paired import Paired, paired, sign_flip_p
from clawgym_bench.figures.passes import PassFigure, pass_at, pass_figure, pass_hat
from clawgym_bench.figures.student import t_quantile
from clawgym_bench.figures.trial import Measure, Trial, code_of, pass_of, rubric_of, safety_of, score_of

__all__ = [
    "Measure",
    "Paired",
    "PassFigure",
    "Ratio",
    "Trial",
    "amount_interval",
    "bounds",
    "by_category",
    "clusters_of",
    "code_of",
    "grouped",
    "interval",
    "mean_interval",
    "mean_score",
    "paired",
    "pass_at",
    "pass_figure",
    "pass_hat",
    "pass_interval",
    "pass_of",
    "rate_interval",
    "ratio",
    "rubric_of",
    "safety_of",
    "score_of",
    "sign_flip_p",
    "t_quantile",
    "task_means",
    "wilson",
]
