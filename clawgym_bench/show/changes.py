"""What a trial did to its workspace: the kept final one beside the initial one."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Literal

from clawgym_bench.packed import KeptError, unpack
from clawgym_bench.trajectory import Trajectory
from clawgym_bench.workspace_store import WorkspaceStore, place_beside
from clawgym_data.grading.world import pristine_snapshot
from clawgym_data.locate import bench_tasks
from clawgym_data.snapshot import Entry, Snapshot
from clawgym_data.task import find_tasks, load_task

MAX_TEXT_BYTES = 256 << 10
"""Of larger files only size and hash are shown."""
MAX_TEXT_LINES = 4000
"""More lines are not compared, which takes time in their square."""
NO_BREAK = "  [no line break at the end]"
How = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class Change:
    """One path that is not as it was."""

    path: str
    how: How
    facts: str
    """Sizes, hashes, kinds and modes, in words."""
    diff: tuple[str, ...] | None
    """Lines of a unified diff without its head; None where it is no text, or too much."""


def changes_of(trajectory: Trajectory, log: Path, tasks: Path | None) -> list[Change]:
    """The changes of a trial, by path.

    Args:
        trajectory: the trial.
        log: its log; the workspaces are kept beside it.
        tasks: folder of the run's tasks; the benchmark's own by default.

    Raises:
        KeptError: the workspace is not kept, damaged, or of a task with another initial workspace.
        SpecError: the task is not there.
    """
    kept = str((trajectory.workspace or {}).get("kept", "no (the trial had none)"))
    if not kept.isalnum():
        raise KeptError(f"the final workspace is not kept: {kept}")
    found = [folder for folder in find_tasks((tasks or bench_tasks(),)) if folder.name == trajectory.task]
    if not found:
        raise KeptError(f"no task {trajectory.task} in {tasks or 'the benchmark'}; pass its folder with --tasks")
    before = pristine_snapshot(load_task(found[0]).files)
    after = unpack(kept, WorkspaceStore(place_beside(str(log))).read(kept), before).snapshot
    return list(compare_snapshots(before, after))


def compare_snapshots(before: Snapshot, after: Snapshot) -> Iterator[Change]:
    """What differs, by path; folders that only hold what was added are left out."""
    old, new = ({entry.path: entry for entry in one.entries} for one in (before, after))
    for path in sorted(old.keys() | new.keys()):
        first, last = old.get(path), new.get(path)
        if first == last or all(entry is None or entry.kind == "directory" for entry in (first, last)):
            continue
        how: How = "added" if first is None else "removed" if last is None else "changed"
        facts = " -> ".join(_facts(entry) for entry in (first, last) if entry is not None)
        yield Change(path, how, facts, _diff(_text(before, first), _text(after, last)))


def _facts(entry: Entry) -> str:
    said = entry.reason or f"{entry.size:,} bytes"
    content = f", sha256 {entry.sha256[:12]}" if entry.sha256 else ""
    return f"{entry.kind} {entry.mode:04o}, {said}{content}"


def _text(snapshot: Snapshot, entry: Entry | None) -> list[str] | None:
    """The lines of a file, none of what is not there; None where it is no text, or too much."""
    if entry is None:
        return []
    content = snapshot.blobs.get(entry.sha256 or "")
    if content is None or len(content) > MAX_TEXT_BYTES or b"\0" in content:
        return None
    try:
        lines = content.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return None
    if lines[-1]:
        lines[-1] += NO_BREAK
    else:
        lines.pop()
    return lines if len(lines) <= MAX_TEXT_LINES else None


def _diff(before: list[str] | None, after: list[str] | None) -> tuple[str, ...] | None:
    if before is None or after is None:
        return None
    return tuple(unified_diff(before, after, lineterm="", n=2))[2:]
