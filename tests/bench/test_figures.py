from math import sqrt

import pytest

from clawgym_bench.figures import Trial, bounds, by_category, interval, mean_score, t_quantile


def trial(task: str, score: float | None, cluster: str | None = None, category: str = "a") -> Trial:
    return Trial(
        task, cluster or task, category, "scored" if score is not None else "infra_failed", score, score == 1, 1.0
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


def test_no_interval_for_fewer_than_ten_tasks() -> None:
    assert interval([trial(str(n), 0.5) for n in range(9)]) is None
    assert interval([trial(str(n), 0.5, "one") for n in range(20)]) is None


def test_the_interval_of_independent_tasks_is_students() -> None:
    # Ten tasks, five 0 and five 1: mean 0.5, s² = 10/9 · 2.5 / 100 = 1/36, t with 9 degrees 2.262.
    found = interval([trial(str(n), float(n % 2)) for n in range(10)])
    assert found is not None
    assert found[0] == pytest.approx(0.5 - 2.262 * sqrt(1 / 36), abs=1e-9)


def test_tasks_of_one_cluster_count_together() -> None:
    # Five clusters of two equal tasks: cluster sums of deviations are ±0.2 (and 0), s² = 5/4 · 4 · 0.04 / 100.
    scores = [0.4, 0.4, 0.6, 0.6, 0.4, 0.4, 0.6, 0.6, 0.5, 0.5]
    found = interval([trial(str(n), score, str(n // 2)) for n, score in enumerate(scores)])
    assert found is not None
    assert found[1] == pytest.approx(0.5 + 2.776 * sqrt(5 / 4 * 4 * 0.04 / 100), abs=1e-9)


def test_t_is_conservative_between_the_entries() -> None:
    assert (t_quantile(9), t_quantile(35), t_quantile(1000)) == (2.262, 2.042, 1.980)


def test_by_category() -> None:
    assert by_category([trial("x", 1.0, category="a"), trial("y", None, category="b")]) == {"a": 1.0, "b": None}
