"""From a snapshot to a verdict."""

import threading
from collections.abc import Sequence
from typing import Any

from clawgym_data.checks import CheckBase, Command, Python
from clawgym_data.checks.view import CaseRun
from clawgym_data.grading.job import Job
from clawgym_data.grading.pool import WorkerPool
from clawgym_data.grading.program import ProgramError, run_function, snapshot_files
from clawgym_data.grading.subject import run_cases, subject_copy
from clawgym_data.grading.verdict import Answer, Verdict, verdict_of
from clawgym_data.grading.world import World
from clawgym_data.snapshot import EntryKind, Snapshot

Baseline = frozenset[str]
MAX_KNOWN_RUNS = 500
"""Executions that are remembered: identical copies are run once (DESIGN 4)."""


class Grader:
    """Grades snapshots with a pool of workers; safe to use from many threads.

    A check that cannot answer is asked again on the pristine workspace: where it cannot answer there either the grader
    failed and the trial is unscored; where it can, the agent's bytes broke it and it scores 0 (DESIGN 3).
    """

    def __init__(self, workers: int | None = None) -> None:
        self.pool = WorkerPool(workers)
        self._pristine: dict[tuple[str, int, str], Answer] = {}
        self._known_runs: dict[tuple[str, int, str, str], tuple[CaseRun, ...]] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the workers."""
        self.pool.close()

    def __enter__(self) -> "Grader":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def grade(
        self, world: World, snapshot: Snapshot, baseline: Baseline = frozenset(), *, until_wrong: bool = False
    ) -> Verdict:
        """Judge a final workspace.

        Args:
            world: the task with the seed that the agent was given.
            snapshot: what the agent left.
            baseline: paths that the harness had put into the workspace before turn 1; they never count as output.
            until_wrong: executed checks stop at their first wrong case: for mutants, of which only matters that they fail.

        Raises:
            GraderHostError, SandboxRefused: the grading host failed; says nothing about the agent.
        """
        snapshot = _without(snapshot, baseline)
        checks = world.task.spec.verification.checks
        answers = self._answers(world, snapshot, checks, until_wrong)
        answers = self._asked_again(world, snapshot, checks, answers)
        broken = [check for check, answer in zip(checks, answers, strict=True) if answer.broken]
        failed = tuple(
            f"{check.id}: {answer.broken}"
            for check, answer in zip(broken, self._pristine_answers(world, broken), strict=True)
            if answer.broken
        )
        identity = {
            "task": world.task.id,
            "task_digest": world.task.digest,
            "seed": world.seed,
            "snapshot_digest": snapshot.digest,
            "rubric_state": "not_measured" if world.task.spec.verification.rubric else "none",
        }
        return verdict_of(identity, checks, answers, failed)

    def _answers(
        self, world: World, snapshot: Snapshot, checks: tuple[CheckBase, ...], until_wrong: bool = False
    ) -> list[Answer]:
        job, lost = self._job(world, snapshot, checks, until_wrong)
        answered = self.pool.answer(job)
        by_id = dict(zip([check.id for check in job.checks], answered, strict=True)) | lost
        return [by_id[check.id] for check in checks]

    def _asked_again(
        self, world: World, snapshot: Snapshot, checks: tuple[CheckBase, ...], answers: list[Answer]
    ) -> list[Answer]:
        """The answers, those without one asked for once more: a worker may have died of something else."""
        return [
            self._answers(world, snapshot, (check,))[0] if answer.broken else answer
            for check, answer in zip(checks, answers, strict=True)
        ]

    def _pristine_answers(self, world: World, checks: Sequence[CheckBase]) -> list[Answer]:
        answers = []
        for check in checks:
            key = (world.task.digest, world.seed, f"answer {check.id}")
            if key not in self._pristine:
                self._pristine[key] = self._answers(world, world.pristine, (check,))[0]
            answers.append(self._pristine[key])
        return answers

    def _job(
        self, world: World, snapshot: Snapshot, checks: tuple[CheckBase, ...], until_wrong: bool
    ) -> tuple[Job, dict[str, Answer]]:
        """The job for the workers, and the answers of the checks that failed before they could be asked."""
        lost: dict[str, Answer] = {}
        runs: dict[str, tuple[CaseRun, ...]] = {}
        pristine_runs: dict[str, tuple[CaseRun, ...]] = {}
        found: dict[str, Any] = {}
        expected: dict[str, Any] = {}
        for check in checks:
            try:
                expected[check.id] = check.wanted(world.values)
                if isinstance(check, Command):
                    runs[check.id] = self._runs(world, check, expected[check.id], snapshot, until_wrong)
                    pristine_runs[check.id] = self._runs(world, check, expected[check.id], world.pristine)
                elif isinstance(check, Python):
                    found[check.id] = self._run_function(world, check, expected[check.id], snapshot)
            except (ProgramError, KeyError, TypeError, ValueError, OSError) as error:
                lost[check.id] = Answer(0.0, "the check could not be run", f"{type(error).__name__}: {error}"[:1000])
        asked = tuple(check for check in checks if check.id not in lost)
        outputs = {output.path: output for output in world.task.spec.outputs}
        paths = {path for check in asked for path in check.paths()}
        contents = world.contents
        job = Job(
            checks=asked,
            expected=tuple(expected[check.id] for check in asked),
            outputs=outputs,
            entries=snapshot.entries,
            files={path: snapshot.content(path) for path in paths if _is_file(snapshot, path)},
            pristine={file.path: file.sha256 for file in world.files},
            pristine_files={path: contents[path] for path in paths if path in contents},
            runs=runs,
            pristine_runs=pristine_runs,
            found=found,
        )
        return job, lost

    def _runs(
        self, world: World, check: Command, cases: list[dict[str, Any]], snapshot: Snapshot, until_wrong: bool = False
    ) -> tuple[CaseRun, ...]:
        """The cases' runs; copies that are equal byte for byte are run once."""
        copy = subject_copy(check, snapshot)
        key = (world.task.digest, world.seed, check.id, f"{copy.digest} {until_wrong}")
        with self._lock:
            known = self._known_runs.get(key)
        if known is None:
            known = run_cases(check, cases, copy, until_wrong)
            with self._lock:
                self._known_runs[key] = known
                if len(self._known_runs) > MAX_KNOWN_RUNS:
                    self._known_runs.pop(next(iter(self._known_runs)))
        return known

    @staticmethod
    def _run_function(world: World, check: Python, expected: Any, snapshot: Snapshot) -> Any:  # noqa: ANN401
        verification = world.task.spec.verification
        assert verification.checks_code is not None
        result, _ = run_function(
            world.task.folder,
            [verification.checks_code, *verification.grader_files],
            check.function,
            [{"path": "WORKSPACE"}, expected],
            snapshot_files(snapshot),
            time_limit_sec=check.time_limit_sec,
        )
        return result


def _is_file(snapshot: Snapshot, path: str) -> bool:
    entry = snapshot.get(path)
    return entry is not None and entry.kind is EntryKind.FILE


def _without(snapshot: Snapshot, baseline: Baseline) -> Snapshot:
    if not baseline:
        return snapshot
    kept = tuple(entry for entry in snapshot.entries if entry.path not in baseline)
    return Snapshot(kept, snapshot.blobs, snapshot.truncated)
