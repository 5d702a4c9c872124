"""How a rubric enters the verdict, by hand."""

import pytest

from clawgym_data.grading.rubric import CriterionResult, JudgeVote, criterion_result, rubric_result
from clawgym_data.grading.verdict import Verdict, with_rubric
from clawgym_data.spec.task import Weights


def on_code(code: float, safety: float = 1.0, passed: bool = True) -> Verdict:
    return Verdict(
        task="t",
        task_digest="d",
        seed=0,
        snapshot_digest="s",
        checks=(),
        ungated=code,
        guards=1.0,
        safety=safety,
        code=code * safety,
        rubric_state="not_measured",
        score=code * safety,
        passed=passed,
    )


def criterion(score: float | None, weight: float = 1.0) -> CriterionResult:
    return CriterionResult(id="c", weight=weight, score=score, evidence="")


@pytest.mark.parametrize(
    ("code", "rubric", "safety", "score", "passed"),
    [
        (1.0, 1.0, 1.0, 1.0, True),
        (1.0, 0.75, 1.0, 0.925, True),
        (1.0, 0.74, 1.0, 0.922, False),
        (0.5, 1.0, 1.0, 0.65, True),
        (0.0, 1.0, 1.0, 0.3, True),
        (1.0, 1.0, 0.0, 0.0, True),  # a gate takes the rubric's part too; `passed` was decided by the gate before
    ],
)
def test_code_and_rubric_are_weighted_and_gated(
    code: float, rubric: float, safety: float, score: float, passed: bool
) -> None:
    found = with_rubric(on_code(code, safety), rubric_result("m", [criterion(rubric)]), Weights())
    assert found.score == pytest.approx(score)
    assert (found.rubric, found.rubric_state, found.passed) == (rubric, "measured", passed)
    assert found.code == code * safety


def test_weights_of_the_spec_count_and_need_not_sum_to_one() -> None:
    found = with_rubric(on_code(1.0), rubric_result("m", [criterion(0.0)]), Weights(code=0.6, rubric=0.6))
    assert found.score == pytest.approx(0.5)


def test_what_did_not_pass_on_code_does_not_pass_by_its_prose() -> None:
    assert not with_rubric(on_code(0.9, passed=False), rubric_result("m", [criterion(1.0)]), Weights()).passed


@pytest.mark.fault("failed-weight-is-handed-on")
def test_one_undecided_criterion_leaves_the_rubric_unscored_and_the_code_as_it_is() -> None:
    judged = rubric_result("m", [criterion(1.0, weight=1), criterion(None, weight=3)])
    found = with_rubric(on_code(0.6), judged, Weights())
    assert (found.rubric, found.rubric_state, found.score) == (None, "undecided", 0.6)


def test_criteria_are_weighted() -> None:
    assert rubric_result("m", [criterion(1.0, 3), criterion(0.5, 1)]).score == pytest.approx(0.875)


@pytest.mark.parametrize(
    ("levels", "score"),
    [((0.0, 1.0, 0.5), 0.5), ((1.0, 1.0), 1.0), ((0.0,), 0.0), ((1.0, None), None), ((None,), None)],
)
def test_the_median_is_a_declared_level(levels: tuple[float | None, ...], score: float | None) -> None:
    votes = [JudgeVote(level=level, reason=f"said {level}") for level in levels]
    found = criterion_result("c", 1.0, votes)
    assert found.score == score
    assert found.evidence == f"said {score}"
