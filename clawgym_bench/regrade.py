"""`clawgym bench regrade`: every check again on the kept workspaces, without a model, by the tasks as they are now."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log_async,
    read_eval_log_sample_async,
    read_eval_log_sample_summaries_async,
)
from pydantic import BaseModel

from clawgym_bench.attempt import CAUSE_KEY, OUTCOME_KEY
from clawgym_bench.keep import KEEP_KEY, KeepRecord, kept_record, load_workspace, rubric_digest
from clawgym_bench.packed import KeptError
from clawgym_bench.regrade_journal import Journal
from clawgym_bench.regrade_log import edited, write_regraded
from clawgym_bench.run_log import UnreadableLogError, damaged, require_ours
from clawgym_bench.scorer import (
    HEADLINE_KEY,
    GradingFailed,
    grade_in_time,
    has_headline,
    scored,
    shared_grader,
    unscored,
)
from clawgym_bench.taskset import load_set
from clawgym_bench.workspace_store import WorkspaceStore, place_beside
from clawgym_data.errors import SpecError
from clawgym_data.grading.verdict import Verdict, with_rubric
from clawgym_data.outcome import Outcome
from clawgym_data.progress import Advance
from clawgym_data.task import Task

VERDICT, COVERAGE = "verdict", "coverage"
HEAVY_FIELDS = {"messages", "events", "events_data", "attachments", "timelines"}
"""What a sample holds besides its scores and its store."""


class Moved(BaseModel):
    """A trial that has another verdict now."""

    task: str
    epoch: int
    old: float | None
    """None: unscored."""
    new: float | None
    old_outcome: str
    new_outcome: str
    checks: dict[str, tuple[float | None, float | None]]
    """Checks whose counted score moved, came or went: old, new."""


class Regraded(BaseModel):
    """What a log became."""

    log: str
    written: str
    trials: int
    regraded: int
    moved: list[Moved]
    left: dict[str, int]
    """Trials that stay as they were, by reason."""
    changed_tasks: dict[str, tuple[str, str]]
    """Tasks that are not what they were: digest of the run, digest now."""
    judged_kept: int
    """Trials whose judge results stand, since rubric and workspace are the same."""
    judged_dropped: int
    """Trials whose judge results do not, since the rubric is another: `not_measured` now."""


class _Trial(BaseModel):
    sample_id: str | int
    epoch: int
    record: KeepRecord | None
    digest: str
    outcome: str
    score: float | None
    verdict: dict[str, Any] | None


def regrade(log: str, tasks: str | None, out: str, begin: Callable[[int], Advance]) -> Regraded:
    """Grade the trials of a log again and write a log with the new verdicts; the log itself stays as it is.

    Verdicts are kept in a journal in `out`: an interrupted run goes on where it was.

    Args:
        log: path or URL.
        tasks: folder of the tasks; the one that the run had by default.
        out: folder of the new log, which gets the same name, and of the workspaces, which stay beside it.
        begin: called with the number of workspaces to grade; returns what is called after each.

    Raises:
        UnreadableLogError: this is no log of the benchmark, or a damaged one.
        SpecError: `out` is the folder of the log, or the tasks are not there.
    """
    target = f"{out.rstrip('/')}/{log.rsplit('/', 1)[-1]}"
    if place_beside(target) == place_beside(log) or Path(target).resolve() == Path(log).resolve():
        raise SpecError(target, "", "the folder of the log itself", "another folder: the original stays untouched")
    return anyio.run(_regrade, log, tasks, target, begin)


async def _regrade(log: str, tasks: str | None, target: str, begin: Callable[[int], Advance]) -> Regraded:
    header, trials = await _read(log)
    await _refuse_foreign(target)
    folder = str(Path(tasks).resolve()) if tasks else _tasks_of(header, log)
    run = _Regrading(folder, load_set(folder), WorkspaceStore(place_beside(log)), WorkspaceStore(place_beside(target)))
    await run.grade_all(trials, Journal(target), begin)
    edits = {(trial.sample_id, trial.epoch): run.edit(trial) for trial in trials}
    result = Regraded(
        log=log,
        written=target,
        trials=len(trials),
        regraded=sum(edit is not None for edit in edits.values()),
        moved=run.moved,
        left=dict(run.left),
        changed_tasks=run.changed,
        judged_kept=run.judged_kept,
        judged_dropped=run.judged_dropped,
    )
    about = result.model_dump(mode="json", exclude={"log", "written", "moved"}) | {"from": log.rsplit("/", 1)[-1]}
    await write_regraded(log, header, target, {key: edit for key, edit in edits.items() if edit is not None}, about)
    return result


async def _read(log: str) -> tuple[EvalLog, list[_Trial]]:
    try:
        header = await read_eval_log_async(log, header_only=True)
        require_ours(log, header)
        return header, [await _read_trial(log, one) for one in await read_eval_log_sample_summaries_async(log)]
    except UnreadableLogError:
        raise
    except Exception as error:  # zip, zstd, JSON and pydantic each raise errors of their own on damaged bytes
        raise damaged(log, error) from error


async def _refuse_foreign(target: str) -> None:
    """Only a log that a regrade wrote is written anew."""
    if "://" in target or not Path(target).exists():
        return
    metadata = (await read_eval_log_async(target, header_only=True)).eval.metadata or {}
    if "regraded" not in metadata:
        raise SpecError(target, "", "a log that is no regrade", "a folder of its own, given as --out DIR")


def _tasks_of(header: EvalLog, log: str) -> str | None:
    """The folder that the run's scorer was given; None for the benchmark's own."""
    options = [scorer.options or {} for scorer in header.eval.scorers or [] if scorer.name.split("/")[-1] == VERDICT]
    folder = options[0].get("tasks") if options else None
    if folder is not None and not Path(folder).is_dir():
        raise SpecError(log, "tasks", f"{folder}, which is not here", "the folder of the tasks, given as --tasks DIR")
    return folder


async def _read_trial(log: str, summary: EvalSampleSummary) -> _Trial:
    sample: EvalSample = await read_eval_log_sample_async(log, summary.id, summary.epoch, exclude_fields=HEAVY_FIELDS)
    score = (sample.scores or {}).get(VERDICT)
    details = (score.metadata or {}) if score else {}
    verdict = details.get("verdict")
    return _Trial(
        sample_id=sample.id,
        epoch=sample.epoch,
        record=kept_record(sample.store, sample.metadata),
        digest=str((sample.metadata or {}).get("digest", "")),
        outcome=str(details.get("outcome") or (Outcome.INFRA_FAILED if score is None else Outcome.SCORED).value),
        score=float(verdict["score"]) if verdict else None,
        verdict=verdict,
    )


class _Regrading:
    """The verdicts of one log's workspaces, and what they change."""

    def __init__(
        self, folder: str | None, tasks: dict[str, Task], store: WorkspaceStore, new_store: WorkspaceStore
    ) -> None:
        self.moved: list[Moved] = []
        self.left: Counter[str] = Counter()
        self.changed: dict[str, tuple[str, str]] = {}
        self.judged_kept = self.judged_dropped = 0
        self._folder, self._tasks, self._store, self._new_store = folder, tasks, store, new_store
        self._results: dict[tuple[str, str], Verdict | GradingFailed | KeptError] = {}

    async def grade_all(self, trials: list[_Trial], journal: Journal, begin: Callable[[int], Advance]) -> None:
        """Grade each workspace of each task once, a few at a time."""
        jobs: dict[tuple[str, str], KeepRecord] = {}
        for trial in trials:
            if trial.record is not None and trial.record.key is not None and str(trial.sample_id) in self._tasks:
                jobs[str(trial.sample_id), trial.record.key] = trial.record
        limiter = anyio.CapacityLimiter(shared_grader().pool.size)
        advance = begin(len(jobs))

        async def one(task: Task, record: KeepRecord) -> None:
            async with limiter:
                assert record.key is not None
                self._results[task.id, record.key] = await self._grade(task, record, journal)
                advance(task.id)

        async with anyio.create_task_group() as group:
            for (task_id, _), record in jobs.items():
                group.start_soon(one, self._tasks[task_id], record)

    async def _grade(self, task: Task, record: KeepRecord, journal: Journal) -> Verdict | GradingFailed | KeptError:
        assert record.key is not None
        try:
            snapshot = await anyio.to_thread.run_sync(lambda: load_workspace(record, self._store, task))
            await anyio.to_thread.run_sync(lambda: self._new_store.adopt(str(record.key), self._store))
            known = journal.get(task.digest, record.key)
            if known is not None:
                return known
            verdict = await grade_in_time(self._folder, task.id, snapshot)
        except (GradingFailed, KeptError) as failure:
            return failure
        journal.add(task.digest, record.key, verdict)
        return verdict

    def edit(self, trial: _Trial) -> Callable[[EvalSample], None] | None:
        """What the trial's sample becomes; None where it stays as it was, which is counted."""
        task = self._tasks.get(str(trial.sample_id))
        reason = None
        if task is None:
            reason = "its task is not among the tasks"
        elif trial.record is None or trial.record.key is None:
            reason = f"no kept workspace ({trial.record.reason if trial.record else trial.outcome})"
        else:
            result = self._results[task.id, trial.record.key]
            if isinstance(result, KeptError):
                reason = str(result).replace(trial.record.key[:12], "KEY")
        if task is not None and trial.digest and trial.digest != task.digest:
            self.changed[task.id] = (trial.digest, task.digest)
        if reason is not None or task is None or trial.record is None:
            self.left[str(reason)] += 1
            return None
        return self._edit(trial, task, trial.record, result)

    def _edit(
        self, trial: _Trial, task: Task, record: KeepRecord, result: Verdict | GradingFailed | KeptError
    ) -> Callable[[EvalSample], None]:
        outcome, cause = record.outcome, record.cause
        if isinstance(result, Verdict):
            verdict = self._with_judged(trial, task, record, result)
            if verdict.rubric_state == "undecided" and outcome is Outcome.SCORED:
                outcome = Outcome.JUDGE_UNDECIDED
            score = scored(verdict, outcome, cause, record)
            counts = has_headline(outcome, verdict)
            self._note(trial, verdict, outcome)
        else:
            outcome, cause = Outcome.GRADER_FAILED, str(result)
            score, counts = unscored(outcome, cause, record), False
            self._note(trial, None, outcome)

        def apply(sample: EvalSample) -> None:
            scores = dict(sample.scores or {})
            scores[VERDICT] = edited(scores.get(VERDICT), score)
            if COVERAGE in scores:
                counted = scores[COVERAGE].model_copy(
                    update={
                        "value": float(counts),
                        "explanation": cause,
                        "metadata": {"outcome": outcome.value},
                    }
                )
                scores[COVERAGE] = counted
            sample.scores = scores
            sample.store = sample.store | {
                OUTCOME_KEY: outcome.value,
                CAUSE_KEY: cause,
                HEADLINE_KEY: counts,
                KEEP_KEY: record.model_copy(update={"place": self._new_store.place_from_here()}).model_dump(
                    mode="json"
                ),
            }

        return apply

    def _with_judged(self, trial: _Trial, task: Task, record: KeepRecord, verdict: Verdict) -> Verdict:
        """The judge saw this very workspace: what it found stands as long as the rubric does."""
        old = Verdict.model_validate_json(json.dumps(trial.verdict)) if trial.verdict else None
        if old is None or old.judged is None:
            return verdict
        if record.rubric != rubric_digest(task):
            self.judged_dropped += 1
            return verdict
        self.judged_kept += 1
        return with_rubric(verdict, old.judged, task.spec.verification.weights)

    def _note(self, trial: _Trial, verdict: Verdict | None, outcome: Outcome) -> None:
        before = {check["id"]: float(check["counted"]) for check in (trial.verdict or {}).get("checks", [])}
        after = {check.id: check.counted for check in verdict.checks} if verdict else {}
        checks = {
            name: (before.get(name), after.get(name))
            for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)
        }
        new = verdict.score if verdict else None
        passed = (bool((trial.verdict or {}).get("passed")), bool(verdict and verdict.passed))
        if (trial.score, trial.outcome, passed[0]) != (new, outcome.value, passed[1]) or checks:
            self.moved.append(
                Moved(
                    task=str(trial.sample_id),
                    epoch=trial.epoch,
                    old=trial.score,
                    new=new,
                    old_outcome=trial.outcome,
                    new_outcome=outcome.value,
                    checks=checks,
                )
            )
