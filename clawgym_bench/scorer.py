"""Scorers: the verdict on a trial, and whether it could be given."""

import atexit
from functools import cache

import anyio
from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer, stderr
from inspect_ai.solver import TaskState

from clawgym_bench.attempt import OUTCOME_KEY, outcome_of, record_outcome
from clawgym_bench.taskset import load_set, world_of
from clawgym_bench.workspace import finish
from clawgym_data.errors import ClawGymError
from clawgym_data.grading.grader import Grader
from clawgym_data.grading.pool import GraderHostError
from clawgym_data.grading.verdict import Verdict
from clawgym_data.outcome import Outcome
from clawgym_data.sandbox import SandboxGone
from clawgym_data.snapshot import Snapshot

GRADING_LIMIT_SEC = 300.0
"""One deadline for the whole grading of a trial."""


@cache
def shared_grader() -> Grader:
    """The grader of this process; its workers end with it."""
    grader = Grader()
    atexit.register(grader.close)
    return grader


@scorer(metrics=[mean(), stderr(), grouped(mean(), "category", all=False)], name="verdict")
def verdict(tasks: str | None = None) -> Scorer:
    """Grade the final workspace after every process of the agent has ended.

    Args:
        tasks: folder of the tasks, as in the task arguments.
    """

    async def score(state: TaskState, target: Target) -> Score:
        outcome, cause = outcome_of(state)
        if outcome is Outcome.INFRA_FAILED:
            return _unscored(outcome, cause)
        task_id = str(state.sample_id)
        outputs = load_set(tasks)[task_id].spec.output_paths()
        try:
            snapshot = await finish(outputs)
        except (SandboxGone, OSError, RuntimeError, TimeoutError) as error:
            record_outcome(state, Outcome.INFRA_FAILED, f"snapshot: {type(error).__name__}: {error}")
            return _unscored(*outcome_of(state))
        try:
            with anyio.fail_after(GRADING_LIMIT_SEC):
                result = await anyio.to_thread.run_sync(
                    lambda: _grade(tasks, task_id, snapshot), abandon_on_cancel=True
                )
        except (ClawGymError, GraderHostError, TimeoutError) as error:
            return _failed_grading(state, f"{type(error).__name__}: {error}")
        if result.grader_failed:
            return _failed_grading(state, "; ".join(result.grader_failed))
        record_outcome(state, outcome, cause)
        metadata = {"outcome": outcome.value, "cause": cause, "verdict": result.public()}
        return Score(value=result.score, explanation=_explain(result), metadata=metadata)

    return score


def _grade(tasks: str | None, task_id: str, snapshot: Snapshot) -> Verdict:
    return shared_grader().grade(world_of(tasks, task_id), snapshot)


def _failed_grading(state: TaskState, cause: str) -> Score:
    state.store.set(OUTCOME_KEY, None)
    record_outcome(state, Outcome.GRADER_FAILED, cause)
    return _unscored(Outcome.GRADER_FAILED, cause)


def _unscored(outcome: Outcome, cause: str) -> Score:
    return Score.unscored(
        reason=outcome.value,
        explanation=f"{outcome.value}: {cause}",
        metadata={"outcome": outcome.value, "cause": cause},
    )


def _explain(result: Verdict) -> str:
    lines = [f"{check.counted:.3g} {check.id} ({check.role}): {check.evidence}" for check in result.checks]
    return "\n".join([f"score {result.score:.4g}, {'passed' if result.passed else 'not passed'}", *lines])


@scorer(metrics=[mean()], name="coverage")
def coverage() -> Scorer:
    """1 where the trial's score counts, 0 where it could not be given: the share of trials behind the mean."""

    async def score(state: TaskState, target: Target) -> Score:
        outcome, cause = outcome_of(state)
        return Score(value=float(outcome.counted), explanation=cause, metadata={"outcome": outcome.value})

    return score
