"""One seed of a task made concrete: its pristine files and the expected values derived from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clawgym_data.canonical import sha256_hex
from clawgym_data.errors import SpecError
from clawgym_data.grading.program import ProgramError, run_function, snapshot_files
from clawgym_data.snapshot import Entry, EntryKind, Snapshot
from clawgym_data.spec.frozen import path_fault
from clawgym_data.task import Task, WorkspaceFile

GENERATOR = "generate.py"


@dataclass(frozen=True)
class World:
    """A task with one seed's workspace."""

    task: Task
    seed: int
    files: tuple[WorkspaceFile, ...]
    values: Mapping[str, Any]
    """What `expected(workspace)` returned; private."""
    pristine: Snapshot

    @property
    def contents(self) -> dict[str, bytes]:
        """Initial contents by path."""
        return {file.path: file.content for file in self.files}


def snapshot_of(files: Mapping[str, tuple[bytes, int]]) -> Snapshot:
    """The snapshot of plain files (path -> content, mode), without a sandbox; parent folders get mode 0755."""
    entries: dict[str, Entry] = {}
    blobs: dict[str, bytes] = {}
    for path, (content, mode) in files.items():
        sha256 = sha256_hex(content)
        blobs[sha256] = content
        entries[path] = Entry(path, EntryKind.FILE, mode, len(content), sha256, None)
        parts = path.split("/")
        for depth in range(1, len(parts)):
            folder = "/".join(parts[:depth])
            entries.setdefault(folder, Entry(folder, EntryKind.DIRECTORY, 0o755, 0, None, None))
    return Snapshot(tuple(sorted(entries.values(), key=lambda entry: entry.path)), blobs, None)


def generate_files(task: Task, seed: int) -> tuple[WorkspaceFile, ...]:
    """What `generate(seed, out_dir)` writes.

    Raises:
        SpecError: where the task has no generator, or it writes what no workspace may hold.
        ProgramError: where it fails.
    """
    if not (task.folder / GENERATOR).is_file():
        raise SpecError(str(task.folder), f"seed {seed}", "no generate.py", "seed 0, or a generator")
    _, left = run_function(task.folder, [GENERATOR], "generate", [seed, {"path": "WORKSPACE"}], [])
    assert left is not None
    fault = _workspace_fault(left)
    if fault:
        expected = "plain files that every system takes, and no empty folder"
        raise SpecError(str(task.folder / GENERATOR), f"seed {seed}", fault, expected)
    files = [WorkspaceFile(path, content, mode) for path, content, mode in snapshot_files(left)]
    return tuple(sorted((WorkspaceFile(f.path, f.content, _plain_mode(f.mode)) for f in files), key=lambda f: f.path))


def _workspace_fault(left: Snapshot) -> str | None:
    """Why what a generator left is no workspace: a copy of its plain files alone would be another one."""
    if left.truncated:
        return left.truncated
    folders, filled, seen = set[str](), set[str](), set[str]()
    for entry in left.entries:
        fault = path_fault(entry.path)
        if fault:
            return f"a path that {fault}: {entry.path!r}"
        if entry.kind not in (EntryKind.FILE, EntryKind.DIRECTORY):
            return f"{entry.path}: {entry.reason or entry.kind.value}"
        if entry.path.casefold() in seen:
            return f"{entry.path} twice (case folded)"
        seen.add(entry.path.casefold())
        filled.add(entry.path.rpartition("/")[0])
        if entry.kind is EntryKind.DIRECTORY:
            folders.add(entry.path)
    empty = sorted(folders - filled)
    return f"the empty folder {empty[0]}" if empty else None


def _plain_mode(mode: int) -> int:
    return 0o755 if mode & 0o100 else 0o644


def make_world(task: Task, seed: int = 0) -> World:
    """Materialise one proven seed: its files, and the values that its checks compare with.

    Raises:
        SpecError: for a seed that is not proven.
        ProgramError: where generator or expected values fail.
    """
    if seed not in task.spec.proven_seeds:
        proven = ", ".join(map(str, task.spec.proven_seeds))
        raise SpecError(str(task.folder), "seed", str(seed), f"a proven seed ({proven})")
    files = task.files if seed == 0 else generate_files(task, seed)
    return World(task, seed, files, _expected_values(task, files), pristine_snapshot(files))


def pristine_snapshot(files: tuple[WorkspaceFile, ...]) -> Snapshot:
    """The untouched workspace."""
    return snapshot_of({file.path: (file.content, file.mode) for file in files})


def _expected_values(task: Task, files: tuple[WorkspaceFile, ...]) -> Mapping[str, Any]:
    name = task.spec.verification.expected
    if name is None:
        return {}
    values, _ = run_function(
        task.folder, [name], "expected", [{"path": "WORKSPACE"}], [(f.path, f.content, f.mode) for f in files]
    )
    if not isinstance(values, dict):
        raise ProgramError(f"{task.folder / name}: expected() returned a {type(values).__name__}; expected a dict")
    return values
