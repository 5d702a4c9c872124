"""Scorers: the verdict on a trial, and whether it could be given."""

import atexit
from functools import cache

import anyio
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log._samples import sample_active
from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer, stderr
from inspect_ai.solver import TaskState

from clawgym_bench.attempt import OUTCOME_KEY, outcome_of, record_outcome
from clawgym_bench.endings import InfraFailed
from clawgym_bench.judge.rubric import undecided_cause, with_judge
from clawgym_bench.keep import KEEP_KEY, KeepRecord, keep_workspace, load_rescored
from clawgym_bench.packed import KeptError
from clawgym_bench.taskset import load_set, world_of
from clawgym_bench.workspace import finish
from clawgym_data.errors import ClawGymError
from clawgym_data.grading.grader import Grader
from clawgym_data.grading.pool import GraderHostError
from clawgym_data.grading.verdict import Verdict
from clawgym_data.outcome import Outcome
from clawgym_data.sandbox import SandboxGone
from clawgym_data.snapshot import Snapshot
from clawgym_data.task import Task

LOST_KEY = "clawgym_lost"
"""Whether the final workspace was lost after the agent's work, which nobody has told Inspect yet."""
GRADING_LIMIT_SEC = 900.0
"""One deadline for the whole grading of a trial."""


@cache
def shared_grader() -> Grader:
    """The grader of this process; its workers end with it."""
    grader = Grader()
    atexit.register(grader.close)
    return grader


@scorer(metrics=[mean(), stderr(), grouped(mean(), "category", all=False)], name="verdict")
def verdict(tasks: str | None = None, workspaces: str | None = None) -> Scorer:
    """Grade the final workspace after every process of the agent has ended.

    Args:
        tasks: folder of the tasks, as in the task arguments.
        workspaces: for `inspect score`: folder of the kept workspaces, where they moved since the run.
    """

    async def score(state: TaskState, target: Target) -> Score:
        outcome, cause = outcome_of(state)
        if outcome is Outcome.INFRA_FAILED:
            return unscored(outcome, cause)
        task_id = str(state.sample_id)
        task = _task(tasks, task_id)
        try:
            if sample_active() is None:  # `inspect score`: the trial is over, and so is its sandbox
                snapshot, record = await anyio.to_thread.run_sync(lambda: load_rescored(state, task, workspaces))
                outcome, cause = record.outcome, record.cause
                state.store.set(OUTCOME_KEY, None)
            else:
                snapshot = await finish(task.spec.output_paths())
                record = await keep_workspace(task, snapshot, outcome, cause)
                state.store.set(KEEP_KEY, record.model_dump(mode="json"))
        except (SandboxGone, OSError, RuntimeError, TimeoutError) as error:
            state.store.set(OUTCOME_KEY, None)
            record_outcome(state, Outcome.INFRA_FAILED, f"snapshot: {type(error).__name__}: {error}")
            state.store.set(LOST_KEY, True)
            return unscored(*outcome_of(state))
        except KeptError as error:
            return _failed_grading(state, str(error))
        try:
            result = await grade_in_time(tasks, task_id, snapshot)
        except GradingFailed as error:
            return _failed_grading(state, str(error), record)
        result = await with_judge(world_of(tasks, task_id), snapshot, result)
        if result.rubric_state == "undecided" and outcome is Outcome.SCORED:
            outcome, cause = Outcome.JUDGE_UNDECIDED, "; ".join(filter(None, (cause, undecided_cause(result))))
            state.store.set(OUTCOME_KEY, None)
        record_outcome(state, outcome, cause)
        return scored(result, outcome, cause, record)

    return score


class GradingFailed(Exception):  # noqa: N818 - an outcome of grading
    """The grader, or a check on the pristine workspace too, cannot answer; the message says why."""


async def grade_in_time(tasks: str | None, task_id: str, snapshot: Snapshot) -> Verdict:
    """The verdict of the checks on a final workspace, within the deadline of a trial.

    Raises:
        GradingFailed: there is none.
    """
    try:
        with anyio.fail_after(GRADING_LIMIT_SEC):
            result = await anyio.to_thread.run_sync(lambda: _grade(tasks, task_id, snapshot), abandon_on_cancel=True)
    except (ClawGymError, GraderHostError, OSError, TimeoutError) as error:
        raise GradingFailed(f"{type(error).__name__}: {error}") from error
    if result.grader_failed:
        raise GradingFailed("; ".join(result.grader_failed))
    return result


def scored(result: Verdict, outcome: Outcome, cause: str, record: KeepRecord) -> Score:
    """The verdict as Inspect's score."""
    metadata = {
        "outcome": outcome.value,
        "cause": cause,
        "verdict": result.public(),
        "workspace": record.public(),
    }
    return Score(value=result.score, explanation=_explain(result), metadata=metadata)


def _task(tasks: str | None, task_id: str) -> Task:
    known = load_set(tasks)
    if task_id not in known:
        raise PrerequisiteError(
            f"clawgym_bench: no task {task_id} in {tasks or 'the benchmark'}; pass -S tasks=DIR to `inspect score`"
        )
    return known[task_id]


def _grade(tasks: str | None, task_id: str, snapshot: Snapshot) -> Verdict:
    return shared_grader().grade(world_of(tasks, task_id), snapshot)


def _failed_grading(state: TaskState, cause: str, record: KeepRecord | None = None) -> Score:
    state.store.set(OUTCOME_KEY, None)
    record_outcome(state, Outcome.GRADER_FAILED, cause)
    return unscored(Outcome.GRADER_FAILED, cause, record)


def unscored(outcome: Outcome, cause: str, record: KeepRecord | None = None) -> Score:
    """The score of a trial that does not count."""
    kept = {"workspace": record.public()} if record else {}
    return Score.unscored(
        reason=outcome.value,
        explanation=f"{outcome.value}: {cause}",
        metadata={"outcome": outcome.value, "cause": cause, **kept},
    )


def _explain(result: Verdict) -> str:
    lines = [f"{check.counted:.3g} {check.id} ({check.role}): {check.evidence}" for check in result.checks]
    if result.rubric_state != "none":
        lines.append(f"rubric {result.rubric_state.replace('_', ' ')}; code {result.code:.4g}")
    for criterion in result.judged.criteria if result.judged else ():
        level = "undecided" if criterion.score is None else f"{criterion.score:.3g}"
        lines.append(f"{level} {criterion.id} (criterion): {criterion.evidence}")
    return "\n".join([f"score {result.score:.4g}, {'passed' if result.passed else 'not passed'}", *lines])


@scorer(metrics=[mean()], name="coverage")
def coverage() -> Scorer:
    """1 where the trial's score counts, 0 where it could not be given: the share of trials behind the mean.

    The last scorer: it ends a trial whose workspace was lost as an error, for `inspect eval-retry`.
    """

    async def score(state: TaskState, target: Target) -> Score:
        outcome, cause = outcome_of(state)
        if state.store.get(LOST_KEY) and sample_active() is not None:
            raise InfraFailed(cause)
        return Score(value=float(outcome.counted), explanation=cause, metadata={"outcome": outcome.value})

    return score
