"""What a reader of a log is told about a score."""

import pytest

from clawgym_bench.explain import explain, explain_unscored
from clawgym_data.grading.rubric import CriterionResult, rubric_result
from clawgym_data.grading.verdict import CheckResult, Verdict, with_rubric
from clawgym_data.outcome import Outcome
from clawgym_data.spec.task import Weights


def check(name: str, role: str, score: float, **other: object) -> CheckResult:
    fields = {"kind": "k", "weight": 0.0, "required": False, "counted": score, "evidence": f"saw {name}"} | other
    return CheckResult(id=name, role=role, score=score, **fields)  # type: ignore[arg-type]


def verdict(*checks: CheckResult, code: float = 0.25, **other: object) -> Verdict:
    fields: dict[str, object] = {"ungated": 0.5, "guards": 0.5, "safety": 1.0, "passed": False, "score": code} | other
    return Verdict(task="t", task_digest="d", seed=0, snapshot_digest="s", checks=checks, code=code, **fields)  # type: ignore[arg-type]


CHECKS = (
    check("readable", "prerequisite", 0.0),
    check("rows", "outcome", 1.0, counted=0.0, weight=10.0, required=True),
    check("total", "outcome", 1.0, weight=10.0, evidence="3 | 4\n\x1b[2J\ud800"),
    check("untouched", "guard", 0.0, broken="it died"),
)


def test_the_score_its_sum_the_end_and_each_check_are_there() -> None:
    lines = explain(verdict(*CHECKS), Outcome.SCORED, "").splitlines()
    assert lines == [
        "score 0.25, not passed: rows is below 1, the guard untouched failed",
        "scored: the agent ended by itself",
        "code 0.25 = outcomes 0.5 x guards 0.5 x safety 1",
        "",
        "| check | role | score | weight | evidence |",
        "| --- | --- | --- | --- | --- |",
        "| readable | prerequisite | 0 |  | saw readable |",
        "| rows | outcome, required | 0 (1, but a check that it needs failed) | 10 | saw rows |",
        "| total | outcome | 1 | 10 | 3 \\| 4 \\x1b[2J\\ud800 |",
        "| untouched | guard | 0 |  | saw untouched (it died) |",
    ]


@pytest.mark.parametrize(
    ("outcome", "cause", "told"),
    [
        (Outcome.SCORED, "limit: turn", "scored: stopped at its limit of turns; the workspace is graded as it stood"),
        (Outcome.SCORED, "limit: context", "context: the conversation could not be made short enough"),
        (Outcome.SCORED, "stopped by an operator", "scored: stopped by an operator"),
        (Outcome.AGENT_FAILED, "malformed calls", "agent_failed: malformed calls; the workspace is graded as it stood"),
    ],
)
def test_how_the_trial_ended_is_told(outcome: Outcome, cause: str, told: str) -> None:
    assert told in explain(verdict(*CHECKS), outcome, cause).splitlines()[1]


def test_the_judged_part_is_told_by_its_state() -> None:
    code = verdict(code=1.0, passed=True, ungated=1.0, guards=1.0, rubric_state="not_measured")
    assert "rubric not measured: the run has no judge" in explain(code, Outcome.SCORED, "")
    low = with_rubric(code, rubric_result("m", [criterion(0.5)]), Weights())
    assert explain(low, Outcome.SCORED, "").startswith("score 0.85, not passed: the rubric is below 0.75\n")
    assert "| friendly | criterion | 0.5 | 2 | said so |" in explain(low, Outcome.SCORED, "")
    undecided = with_rubric(code, rubric_result("m", [criterion(None)]), Weights())
    told = explain(undecided, Outcome.JUDGE_UNDECIDED, "judge m, criterion friendly: 85%")
    assert told.startswith(
        "no score: the judge is undecided; code 1\njudge_undecided: judge m, criterion friendly: 85%"
    )


def criterion(score: float | None) -> CriterionResult:
    return CriterionResult(id="friendly", weight=2.0, score=score, evidence="said so")


def test_a_trial_without_a_score_says_whose_doing_that_is() -> None:
    told = explain_unscored(Outcome.INFRA_FAILED, "provider: boom")
    assert told.startswith("infra_failed: provider: boom\nno score: something failed that is not the agent")
    assert "checks failed" in explain_unscored(Outcome.GRADER_FAILED, "own: boom")
