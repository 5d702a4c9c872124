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
from clawgym_bench.explain import explain, explain_unscored
from clawgym_bench.judge.rubric import undecided_cause, with_judge
from clawgym_bench.keep import KeepRecord, keep_workspace, load_rescored, note_record
from clawgym_bench.openclaw.scaffold import SCAFFOLD_KEY
from clawgym_bench.packed import KeptError
from clawgym_bench.surrogates import without_surrogates
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

HEADLINE_KEY = "clawgym_headline"
"""Whether the trial has a score that counts, beside its outcome."""
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
                snapshot = (await finish(_named_paths(task))).without(state.store.get(SCAFFOLD_KEY, []))
                record = await keep_workspace(task, snapshot, outcome, cause)
                note_record(state, record)
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
        state.store.set(HEADLINE_KEY, has_headline(outcome, result))
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
    """The verdict as Inspect's score.

    Where the judge is undecided it has no value: a code score among scores of code and rubric would bend Inspect's mean.
    """
    details = {
        "outcome": outcome.value,
        "cause": cause,
        "verdict": result.public(),
        "workspace": record.public(),
    }
    metadata = without_surrogates(details)
    explanation = explain(result, outcome, cause)
    if not has_headline(outcome, result):
        return Score.unscored(reason=Outcome.JUDGE_UNDECIDED.value, explanation=explanation, metadata=metadata)
    return Score(value=result.score, explanation=explanation, metadata=metadata)


def has_headline(outcome: Outcome, result: Verdict | None) -> bool:
    """Whether a trial has a score that counts; where the judge is undecided only its code score does."""
    return outcome.counted and result is not None and result.rubric_state != "undecided"


def _task(tasks: str | None, task_id: str) -> Task:
    known = load_set(tasks)
    if task_id not in known:
        raise PrerequisiteError(
            f"clawgym_bench: no task {task_id} in {tasks or 'the benchmark'}; pass -S tasks=DIR to `inspect score`"
        )
    return known[task_id]


def _named_paths(task: Task) -> tuple[str, ...]:
    """What the checks look at, outputs first: countless other files must not crowd any of it out of the snapshot.

    An initial file that is not listed would count as changed, and a path that should not be there as absent.
    """
    spec = task.spec
    checked = [path for check in spec.verification.checks if isinstance(path := getattr(check, "path", None), str)]
    return tuple(dict.fromkeys([*spec.output_paths(), *checked, *(file.path for file in task.files)]))


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
        explanation=explain_unscored(outcome, cause),
        metadata=without_surrogates({"outcome": outcome.value, "cause": cause, **kept}),
    )


@scorer(metrics=[mean()], name="coverage")
def coverage() -> Scorer:
    """1 where the trial's score counts, 0 where it could not be given: the share of trials behind the mean.

    The last scorer: it ends a trial whose workspace was lost as an error, for `inspect eval-retry`.
    """

    async def score(state: TaskState, target: Target) -> Score:
        outcome, cause = outcome_of(state)
        if state.store.get(LOST_KEY) and sample_active() is not None:
            raise InfraFailed(cause)
        counts = outcome.counted and state.store.get(HEADLINE_KEY, True)
        metadata = {"outcome": outcome.value}
        return Score(value=float(counts), explanation=without_surrogates(cause), metadata=metadata)

    return score
