"""From a snapshot to a verdict."""

from clawgym_data.checks import CheckBase
from clawgym_data.grading.job import Job
from clawgym_data.grading.pool import WorkerPool
from clawgym_data.grading.prepare import Preparer
from clawgym_data.grading.verdict import Answer, Verdict, verdict_of
from clawgym_data.grading.witness import filled, solved
from clawgym_data.grading.world import World
from clawgym_data.snapshot import EntryKind, Snapshot

Baseline = frozenset[str]


class Grader:
    """Grades snapshots with a pool of workers; safe to use from many threads.

    A check that cannot answer is asked again on the pristine workspace, and on the oracle's where there is one: where it
    cannot answer there either the grader failed and the trial is unscored; where it can, the agent's bytes broke it and
    it scores 0 (DESIGN 3). An imported checker may need its output to be there: it is at fault only where it cannot answer
    with files at the output paths either.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.pool = WorkerPool(workers)
        self._preparer = Preparer()
        self._faults: dict[tuple[str, int, str], str | None] = {}
        self._solved: dict[tuple[str, int], Snapshot | None] = {}

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
        faults = {check.id: self._fault(world, check) for check in broken}
        failed = tuple(f"{name}: {fault}" for name, fault in faults.items() if fault)
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
            self._answers(world, snapshot, (check,))[0] if answer.broken and not answer.late else answer
            for check, answer in zip(checks, answers, strict=True)
        ]

    def _fault(self, world: World, check: CheckBase) -> str | None:
        """Why the check itself is at fault; None where it answers on workspaces that no agent has touched."""
        key = (world.task.digest, world.seed, check.id)
        if key not in self._faults:
            self._faults[key] = self._found_fault(world, check)
        return self._faults[key]

    def _found_fault(self, world: World, check: CheckBase) -> str | None:
        def answer_on(snapshot: Snapshot) -> Answer:
            return self._asked_again(world, snapshot, (check,), self._answers(world, snapshot, (check,)))[0]

        untouched = answer_on(world.pristine)
        if untouched.broken and (untouched.late or world.task.spec.assurance != "imported"):
            return untouched.broken
        if untouched.broken:
            return None if any(not answer_on(snapshot).broken for snapshot in filled(world)) else untouched.broken
        place = (world.task.digest, world.seed)
        if place not in self._solved:
            self._solved[place] = solved(world)
        right = self._solved[place]
        fault = answer_on(right).broken if right is not None else None
        return f"on the oracle's workspace: {fault}" if fault else None

    def _job(
        self, world: World, snapshot: Snapshot, checks: tuple[CheckBase, ...], until_wrong: bool
    ) -> tuple[Job, dict[str, Answer]]:
        """The job for the workers, and the answers of the checks that are settled before they could be asked."""
        made = self._preparer.prepare(world, snapshot, checks, until_wrong)
        asked = tuple(check for check in checks if check.id not in made.settled)
        outputs = {output.path: output for output in world.task.spec.outputs}
        paths = {path for check in asked for path in check.paths()}
        contents = world.contents
        job = Job(
            checks=asked,
            expected=tuple(made.expected[check.id] for check in asked),
            outputs=outputs,
            entries=snapshot.entries,
            files={path: snapshot.content(path) for path in paths if _is_file(snapshot, path)},
            pristine={file.path: file.sha256 for file in world.files},
            pristine_files={path: contents[path] for path in paths if path in contents},
            truncated=snapshot.truncated,
            runs=made.runs,
            pristine_runs=made.pristine_runs,
            found=made.found,
            pristine_found=made.pristine_found,
        )
        return job, made.settled


def _is_file(snapshot: Snapshot, path: str) -> bool:
    entry = snapshot.get(path)
    return entry is not None and entry.kind is EntryKind.FILE


def _without(snapshot: Snapshot, baseline: Baseline) -> Snapshot:
    if not baseline:
        return snapshot
    kept = tuple(entry for entry in snapshot.entries if entry.path not in baseline)
    return Snapshot(kept, snapshot.blobs, snapshot.truncated)
