"""Figures against numbers worked by hand."""

from math import comb, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgym_bench.figures import (
    Trial,
    bounds,
    by_category,
    interval,
    mean_score,
    pass_at,
    pass_figure,
    pass_hat,
    pass_interval,
    pass_of,
    rate_interval,
    safety_of,
    t_quantile,
    wilson,
)
from clawgym_bench.figures.intervals import spread_of
from clawgym_bench.figures.paired import MAX_EXACT_CLUSTERS, paired, sign_flip_p
from clawgym_bench.figures.student import incomplete_beta, t_tail

T_975 = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    11: 2.201, 12: 2.179, 13: 2.160, 14: 2.145, 15: 2.131, 16: 2.120, 17: 2.110, 18: 2.101, 19: 2.093, 20: 2.086,
    21: 2.080, 22: 2.074, 23: 2.069, 24: 2.064, 25: 2.060, 26: 2.056, 27: 2.052, 28: 2.048, 29: 2.045, 30: 2.042,
    40: 2.021, 60: 2.000, 120: 1.980,
}  # fmt: skip
"""The standard table of two-sided 95 % quantiles of Student's t."""


def trial(
    task: str, score: float | None, cluster: str | None = None, category: str = "a", safety: float | None = None
) -> Trial:
    return Trial(
        task=task,
        cluster=cluster or task,
        category=category,
        outcome="scored" if score is not None else "infra_failed",
        score=score,
        passed=None if score is None else score == 1,
        safety=safety,
    )


def test_mean_over_trials_of_a_task_then_over_tasks() -> None:
    assert mean_score([trial("x", 1.0), trial("x", 0.0), trial("y", 1.0)]) == 0.75


def test_an_unscored_trial_leaves_the_mean_and_widens_the_bounds() -> None:
    trials = [trial("x", 1.0), trial("y", None)]
    assert mean_score(trials) == 1.0
    assert bounds(trials) == (0.5, 1.0)
    assert mean_score([trial("x", None)]) is None
    assert bounds([trial("x", None)]) == (0.0, 1.0)
    assert bounds([]) is None


def test_every_measure_has_bounds() -> None:
    # x passes once of its two known trials, one is unknown: 1/3 and 2/3; its gate held and failed once.
    trials = [trial("x", 1.0, safety=1.0), trial("x", 0.0, safety=0.0), trial("x", None)]
    assert mean_score(trials, measure=pass_of) == 0.5
    assert bounds(trials, pass_of) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert mean_score(trials, measure=safety_of) == 0.5
    assert bounds(trials, safety_of) == (pytest.approx(1 / 3), pytest.approx(2 / 3))


def test_no_interval_for_fewer_than_ten_tasks() -> None:
    assert interval([trial(str(n), 0.5) for n in range(9)]) is None
    assert interval([trial(str(n), 0.5, "one") for n in range(20)]) is None
    assert pass_interval([trial(str(n), 1.0) for n in range(9)]) is None
    assert pass_interval([trial(str(n), 1.0, "one") for n in range(20)]) is None


def test_the_interval_of_independent_tasks_is_students() -> None:
    # Ten tasks, five 0 and five 1: mean 0.5, s² = 10/9 · 2.5 / 100 = 1/36, t with 9 degrees 2.262157.
    found = interval([trial(str(n), float(n % 2)) for n in range(10)])
    assert found is not None
    assert found[0] == pytest.approx(0.5 - 2.262157 * sqrt(1 / 36), abs=1e-6)


def test_tasks_of_one_cluster_count_together() -> None:
    # Five clusters of two equal tasks: cluster sums of deviations are ±0.2 (and 0), s² = 5/4 · 4 · 0.04 / 100, 4 degrees.
    scores = [0.4, 0.4, 0.6, 0.6, 0.4, 0.4, 0.6, 0.6, 0.5, 0.5]
    found = interval([trial(str(n), score, str(n // 2)) for n, score in enumerate(scores)])
    assert found is not None
    assert found[1] == pytest.approx(0.5 + 2.776445 * sqrt(5 / 4 * 4 * 0.04 / 100), abs=1e-6)


def test_clusters_of_unequal_size() -> None:
    # Clusters of 2, 1 and 1: p = 1/2, 1/4, 1/4; mean 1/2; S = 1, -1/2, -1/2.
    # variance (1/(1/2) + 1/4/(3/4) + 1/4/(3/4)) / 16 = (2 + 2/3) / 16 = 1/6.
    # q = 1/2, 1/12, 1/12: 1/degrees = 3/8 + (2/3)² - (1/4 + 2/144) = 3/8 + 13/72 = 5/9.
    values, clusters = {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}, {"a": "x", "b": "x", "c": "y", "d": "z"}
    spread = spread_of(values, clusters)
    assert spread is not None
    assert (spread.variance, spread.degrees) == (pytest.approx(1 / 6), pytest.approx(9 / 5))


def test_trials_of_a_task_do_not_add_observations() -> None:
    once = interval([trial(str(n), float(n % 2)) for n in range(10)])
    assert interval([trial(str(n), float(n % 2)) for n in range(10) for _ in range(7)]) == once


def test_a_run_without_spread_is_not_known_exactly() -> None:
    # Ten tasks at 0: Wilson's upper end z²/(n + z²) = 3.8415/13.8415.
    found = interval([trial(str(n), 0.0) for n in range(10)])
    assert found == (0.0, pytest.approx(3.8415 / 13.8415, abs=1e-5))
    # Twenty tasks in ten clusters whose members cancel: as wide as for ten observations of 1/2.
    cancelling = interval([trial(str(n), float(n % 2), str(n // 2)) for n in range(20)])
    assert cancelling == pytest.approx(wilson(0.5, 10))


@pytest.mark.parametrize("degrees", T_975)
def test_t_is_the_tables(degrees: int) -> None:
    assert round(t_quantile(degrees), 3) == T_975[degrees]


def test_t_between_and_beyond_the_tables_entries() -> None:
    assert t_quantile(40) < t_quantile(35) < t_quantile(30)
    assert t_quantile(1, 0.99) == pytest.approx(63.6567, abs=1e-4)
    assert t_quantile(1e6) == pytest.approx(1.959966, abs=1e-6)
    with pytest.raises(ValueError, match="at least 1"):
        t_quantile(0.5)


@settings(deadline=None)
@given(st.floats(1, 500), st.floats(0.5, 0.999))
def test_the_quantile_inverts_the_tail(degrees: float, level: float) -> None:
    assert t_tail(t_quantile(degrees, level), degrees) == pytest.approx(1 - level, abs=1e-9)


@given(st.integers(1, 30), st.integers(1, 30), st.floats(0, 1))
def test_the_incomplete_beta_function_is_the_binomial_tail(a: int, b: int, x: float) -> None:
    # I_x(a, b) = P(at least a of a + b - 1 trials succeed), DLMF 8.17.5.
    n = a + b - 1
    tail = sum(comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(a, n + 1))
    assert incomplete_beta(x, a, b) == pytest.approx(tail, abs=1e-12)


def test_wilson_by_hand() -> None:
    # 3 of 10: (0.3 + 0.19207) / 1.38415 ± 1.95996 / 1.38415 · sqrt(0.021 + 0.0096037)
    assert wilson(0.3, 10) == (pytest.approx(0.10779, abs=1e-5), pytest.approx(0.60322, abs=1e-5))


def test_one_trial_a_task_and_one_task_a_cluster_is_plain_wilson() -> None:
    assert pass_interval([trial(str(n), float(n < 3)) for n in range(10)]) == pytest.approx(wilson(0.3, 10))


def test_repeated_equal_trials_do_not_narrow_the_rate() -> None:
    trials = [trial(str(n), float(n < 3)) for n in range(10) for _ in range(5)]
    assert pass_interval(trials) == pytest.approx(wilson(0.3, 10))


def test_trials_that_differ_count_up_to_their_number() -> None:
    # Every task passes 1 of 2, but two tasks that pass 2 and 0: hardly any spread, 20 trials at most.
    rates = {str(n): 0.5 for n in range(8)} | {"8": 1.0, "9": 0.0}
    assert rate_interval(rates, {task: task for task in rates}, 20) == pytest.approx(wilson(0.5, 20))


def test_equal_tasks_of_a_cluster_are_one_observation() -> None:
    # Five clusters of two equal tasks, two of them pass: p(1-p)/9 over V = 5/4 · (2·1.2² + 3·0.8²)/100 gives
    # 10 · 0.026667 / 0.06 = 4.4444, times (t_9/t_4)² = (2.262157/2.776445)² = 0.663846.
    trials = [trial(str(n), float(n < 4), str(n // 2)) for n in range(10)]
    assert pass_interval(trials) == pytest.approx(wilson(0.4, 4.44444 * 0.663846), abs=1e-5)


def test_pass_at_and_pass_hat_by_hand() -> None:
    assert [pass_at(5, 2, k) for k in (1, 2, 3, 4)] == pytest.approx([0.4, 0.7, 0.9, 1.0])
    assert [pass_hat(5, 2, k) for k in (1, 2, 3)] == pytest.approx([0.4, 0.1, 0.0])
    assert (pass_at(3, 0, 3), pass_at(3, 3, 3), pass_hat(3, 3, 3)) == (0, 1, 1)


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_all_k_pass_no_oftener_than_one_of_them(case: tuple[int, int, int]) -> None:
    count, passed, k = case
    assert 0 <= pass_hat(count, passed, k) <= passed / count <= pass_at(count, passed, k) <= 1


def test_pass_figures_count_only_tasks_with_k_scored_trials() -> None:
    trials = [trial("x", score) for score in (1.0, 0.0, 1.0)] + [trial("y", score) for score in (1.0, 1.0, None)]
    one, two, three = (pass_figure(trials, k, pass_hat) for k in (1, 2, 3))
    # x: 2/3, 1/3, 0 of three trials; y: 1 and 1 of two, as 2 of 3 below and 3 of 3 above.
    assert (one.value, one.tasks) == (pytest.approx(5 / 6), 2)
    assert one.bounds == (pytest.approx(2 / 3), pytest.approx(5 / 6))
    assert (two.value, two.tasks) == (pytest.approx(2 / 3), 2)
    assert two.bounds == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert (three.value, three.tasks, three.bounds) == (0, 1, (0, 0.5))
    assert pass_figure(trials, 4, pass_at).value is None
    assert pass_figure(trials, 4, pass_at).bounds is None


def test_signs_are_flipped_by_cluster_exactly() -> None:
    assert sign_flip_p([0.1, 0.2, 0.3, 0.1, 0.5]) == 2 / 32
    # |±1 ±2 ±3| >= 4: only (1,2,3), (-1,2,3) and their mirrors, 4 of 8.
    assert sign_flip_p([-1.0, 2.0, 3.0]) == 4 / 8
    assert sign_flip_p([0.0, 0.0]) == 1


def test_many_clusters_are_drawn_with_a_fixed_seed() -> None:
    sums = [0.1 if n % 3 else -0.1 for n in range(MAX_EXACT_CLUSTERS + 5)]
    found = sign_flip_p(sums)
    # 14 of 21 signs agree: the exact two-sided binomial p is 0.1892.
    assert found == pytest.approx(2 * sum(comb(21, j) for j in range(14, 22)) / 2**21, abs=0.012)
    assert sign_flip_p(sums) == found
    assert sign_flip_p([1.0] * 40) == 1 / 10_001


def test_paired_runs_by_hand() -> None:
    # Ten tasks, differences of 0.1 on five and 0.3 on five: mean 0.2, s² = 10/9 · 10 · 0.01 / 100 = 1/900.
    first = {str(n): 0.2 for n in range(10)} | {"only here": 1.0}
    second = {str(n): 0.3 if n % 2 else 0.5 for n in range(10)} | {"only there": 0.0}
    found = paired(first, second, {task: task for task in first | second})
    assert found is not None
    assert (found.tasks, found.better, found.worse) == (10, 10, 0)
    assert (found.first, found.second, found.difference) == pytest.approx((0.2, 0.4, 0.2))
    assert found.ci95 == pytest.approx((0.2 - 2.262157 / 30, 0.2 + 2.262157 / 30), abs=1e-6)
    assert found.p_value == 2 / 2**10


def test_pairs_of_few_or_no_tasks() -> None:
    few = paired({"x": 0.0}, {"x": 1.0}, {"x": "x"})
    assert few is not None
    assert (few.difference, few.ci95, few.p_value) == (1.0, None, 1.0)
    assert paired({"x": 0.0}, {"y": 1.0}, {}) is None


def test_by_category() -> None:
    assert by_category([trial("x", 1.0, category="a"), trial("y", None, category="b")]) == {"a": 1.0, "b": None}
