"""Keep the final workspace of each trial beside the log, and find it again when the trial is graded once more."""

from collections.abc import Mapping
from typing import Any

import anyio
from inspect_ai.solver import TaskState
from pydantic import BaseModel

from clawgym_bench.packed import Kept, KeptError, pack, unpack
from clawgym_bench.workspace_store import WorkspaceStore, place_of_run
from clawgym_data.canonical import canonical_json, sha256_hex
from clawgym_data.grading.world import pristine_snapshot
from clawgym_data.outcome import Outcome
from clawgym_data.snapshot import Snapshot
from clawgym_data.task import Task

KEEP_KEY = "clawgym_workspace"
EXECUTED_KINDS = ("command", "property", "python")
"""Checks that are given the whole workspace."""
KEEP_LIMIT_SEC = 60.0
"""A place that does not answer costs a trial no more than this."""


class KeepRecord(BaseModel):
    """What a log holds of a trial's final workspace."""

    key: str | None
    """Name in the store; None where the workspace is not kept."""
    reason: str | None = None
    """Why it is not kept, or not whole."""
    bytes_stored: int = 0
    left_out: int = 0
    """Files of which only hash and size are kept."""
    outcome: Outcome
    """How the trial ended, before anything was graded."""
    cause: str = ""
    rubric: str | None = None
    """sha256 of the task's rubric; None without one."""
    place: str | None = None
    """Where the store was during the run; it may have moved since, together with the log."""

    def public(self) -> dict[str, str | int | None]:
        """For the metadata of the score."""
        return {
            "kept": self.key or f"no ({self.reason})",
            "bytes": self.bytes_stored,
            "left_out": self.left_out,
            "reason": self.reason,
        }


async def keep_workspace(task: Task, snapshot: Snapshot, outcome: Outcome, cause: str) -> KeepRecord:
    """Store the final workspace of the trial that is running; a failure is recorded and never changes the verdict.

    Args:
        task: the trial's task.
        snapshot: its final workspace.
        outcome: how the trial ended so far.
        cause: why.
    """
    place = place_of_run()
    if place is None:
        return KeepRecord(key=None, reason="the run has no log", outcome=outcome, cause=cause)
    try:
        with anyio.fail_after(KEEP_LIMIT_SEC):
            return await anyio.to_thread.run_sync(
                lambda: store_workspace(WorkspaceStore(place), task, snapshot, outcome, cause), abandon_on_cancel=True
            )
    except Exception as error:  # a remote file system raises errors of its own client
        reason = f"{type(error).__name__}: {error}"[:500]
        return KeepRecord(key=None, reason=reason, outcome=outcome, cause=cause, place=place)


def store_workspace(
    store: WorkspaceStore, task: Task, snapshot: Snapshot, outcome: Outcome, cause: str = ""
) -> KeepRecord:
    """Pack and store a workspace.

    Raises:
        KeptError: it is too large.
        Exception: what the file system of the store raises.
    """
    packed = pack(snapshot, pristine_snapshot(task.files), task.spec.output_paths())
    store.write(packed)
    return KeepRecord(
        key=packed.key,
        reason="; ".join(f"{file.path!r}: {file.reason}" for file in packed.left_out[:3]) or None,
        bytes_stored=len(packed.content),
        left_out=len(packed.left_out),
        outcome=outcome,
        cause=cause,
        rubric=rubric_digest(task),
        place=store.place,
    )


def rubric_digest(task: Task) -> str | None:
    """Of the rubric: whether a judge's results still stand."""
    rubric = task.spec.verification.rubric
    return None if rubric is None else sha256_hex(canonical_json(rubric).encode())


def note_record(state: TaskState, record: KeepRecord) -> None:
    """Hold the record in the sample's store, and in its metadata, which is all that Inspect recovers of a killed run."""
    state.store.set(KEEP_KEY, record.model_dump(mode="json"))
    state.metadata[KEEP_KEY] = record.model_dump(mode="json")


def kept_record(store: Mapping[str, Any], metadata: Mapping[str, Any]) -> KeepRecord | None:
    """The record of a sample, by its store or else its metadata; None where no workspace was reached."""
    record = store.get(KEEP_KEY) or metadata.get(KEEP_KEY)
    return None if record is None else KeepRecord.model_validate(record)


def load_workspace(record: KeepRecord | None, store: WorkspaceStore, task: Task) -> Snapshot:
    """The kept workspace, for grading by the task as it is now.

    Raises:
        KeptError: it is not kept, not there, damaged, of another initial workspace, or lacks what the checks read.
    """
    if record is None or record.key is None:
        raise KeptError(f"the final workspace is not kept: {record.reason if record else 'the trial had none'}")
    kept = unpack(record.key, store.read(record.key), pristine_snapshot(task.files))
    _refuse_if_needed(task, kept)
    return kept.snapshot


def load_rescored(state: TaskState, task: Task, workspaces: str | None) -> tuple[Snapshot, KeepRecord]:
    """The kept workspace of a trial that `inspect score` hands to the scorer, without sandbox or log.

    Args:
        state: as Inspect rebuilt it from the log.
        task: the task as it is now.
        workspaces: the folder of the kept workspaces; where the run had it by default.

    Raises:
        KeptError: as for `load_workspace`.
    """
    record = kept_record(dict(state.store.items()), state.metadata)
    place = workspaces or (record.place if record else None)
    if record is None or place is None:
        raise KeptError("the final workspace of this trial is not kept, so that it cannot be graded again")
    try:
        return load_workspace(record, WorkspaceStore(place), task), record
    except KeptError as error:
        raise KeptError(f"{error} (-S workspaces=DIR says where they are)") from error


def _refuse_if_needed(task: Task, kept: Kept) -> None:
    """Refuse a workspace that lacks a content which some check reads."""
    missing = {file.sha256 for file in kept.left_out}
    if not missing:
        return
    for check in task.spec.verification.checks:
        read = [entry.path for path in check.paths() if (entry := kept.snapshot.get(path)) and entry.sha256 in missing]
        if check.kind in EXECUTED_KINDS:
            read = [kept.left_out[0].path]
        if read:
            raise KeptError(f"check {check.id} reads {read[0]!r}, of which only hash and size were kept")
