"""A task on disk: the spec, and the files it names by hash."""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from clawgym_data.canonical import digest_of, sha256_hex
from clawgym_data.errors import SpecError, SpecErrors
from clawgym_data.spec.frozen import path_fault
from clawgym_data.spec.parts import FileEntry
from clawgym_data.spec.task import RUNNER_FEATURES, TaskSpec
from clawgym_data.strict_yaml import read_strict_yaml

TASK_FILE = "task.yaml"
MAX_WORKSPACE_BYTES = 256 * 1024 * 1024
MAX_WORKSPACE_FILES = 20_000
SOLUTION_FOLDERS = ("solution", "right", "wrong")


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """One initial file with its bytes."""

    path: str
    content: bytes
    mode: int

    @property
    def sha256(self) -> str:
        """Of the content."""
        return sha256_hex(self.content)


def read_workspace(root: Path) -> tuple[WorkspaceFile, ...]:
    """All files under `root`, by path; the permission bits are 0644 or 0755.

    Raises:
        SpecError: for a link, a device, a fifo, an empty folder, a name that some systems refuse, or too much.
    """
    found: list[WorkspaceFile] = []
    total = 0
    for path in _walk(root):
        name = path.relative_to(root).as_posix()
        fault = path_fault(name)
        if fault:
            raise SpecError(str(root), name, f"a path that {fault}", "a relative POSIX path that every system takes")
        content = path.read_bytes()
        total += len(content)
        if total > MAX_WORKSPACE_BYTES or len(found) >= MAX_WORKSPACE_FILES:
            raise SpecError(
                str(root), name, "too much", f"at most {MAX_WORKSPACE_FILES} files and {MAX_WORKSPACE_BYTES} bytes"
            )
        found.append(WorkspaceFile(name, content, 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644))
    return tuple(sorted(found, key=lambda file: file.path))


def _walk(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        children = sorted(entries, key=lambda entry: entry.name)
    for child in children:
        path = Path(child.path)
        if child.is_symlink():
            raise SpecError(str(path), "", "a symbolic link", "regular files and folders only")
        if child.is_dir():
            if child.name != "__pycache__":  # written by whoever imports or installs the files, not by the task
                yield from _walk(path)
        elif child.is_file(follow_symlinks=False):
            yield path
        else:
            raise SpecError(str(path), "", "a device, fifo or socket", "regular files and folders only")


@dataclass(frozen=True)
class Task:
    """A loaded task: spec and folder."""

    spec: TaskSpec
    folder: Path

    @property
    def id(self) -> str:
        """The spec's id."""
        return self.spec.id

    @cached_property
    def files(self) -> tuple[WorkspaceFile, ...]:
        """The initial files of seed 0, verified against the manifest."""
        root = self.folder / "workspace"
        files = read_workspace(root) if root.is_dir() else ()
        if manifest_of(files) != self.spec.workspace:
            raise SpecError(
                str(root), "", "files that differ from the manifest", "the files that the spec names by hash"
            )
        return files

    @cached_property
    def digest(self) -> str:
        """Identity of the task: SHA-256 over the canonical spec and the hashes of its grading files."""
        names = [self.spec.verification.expected, self.spec.verification.checks_code]
        own = {name: sha256_hex((self.folder / name).read_bytes()) for name in names if name}
        return digest_of(self.spec, own | self.spec.verification.grader_files)

    @property
    def has_solutions(self) -> bool:
        """False where the task came without them, as in a wheel."""
        return (self.folder / "solution" / "solve.py").is_file()

    def refuse_unless_runnable(self) -> None:
        """Check that the present runner offers all that the task requires.

        Raises:
            SpecError: naming what it does not offer.
        """
        missing = sorted(set(self.spec.requires) - RUNNER_FEATURES)
        if missing:
            raise SpecError(
                str(self.folder / TASK_FILE),
                "requires",
                ", ".join(missing),
                "only what this runner offers: files, one turn",
            )


def manifest_of(files: tuple[WorkspaceFile, ...]) -> tuple[FileEntry, ...]:
    """The manifest of files, sorted by path."""
    return tuple(FileEntry(path=f.path, sha256=f.sha256, size=len(f.content), mode=f.mode) for f in files)


def load_task(folder: Path) -> Task:
    """Load a task folder and check it against the schema.

    Raises:
        SpecError, SpecErrors: naming file and field, what was found and what was expected.
    """
    folder = folder.resolve()
    source = folder / TASK_FILE
    _refuse_odd_files(folder)
    document = read_strict_yaml(source)
    if not isinstance(document, dict):
        raise SpecError(str(source), "", f"a {type(document).__name__}", "a mapping")
    for computed in ("workspace", "turns"):
        if computed == "workspace" and computed in document:
            raise SpecError(
                str(source), computed, "a list", "nothing: the manifest is computed from the folder workspace/"
            )
    document = dict(document)
    _add_instruction(document, folder, source)
    _add_rubric(document, folder)
    verification = document.get("verification")
    if isinstance(verification, dict) and "checks_code" not in verification and (folder / "checks.py").is_file():
        document["verification"] = verification | {"checks_code": "checks.py"}
    root = folder / "workspace"
    files = read_workspace(root) if root.is_dir() else ()
    document["workspace"] = [entry.model_dump(mode="json") for entry in manifest_of(files)]
    spec = spec_from_document(document, str(source))
    if spec.id != folder.name:
        raise SpecError(str(source), "id", repr(spec.id), f"the folder's name {folder.name!r}")
    task = Task(spec, folder)
    _check_named_files(task)
    return task


def _refuse_odd_files(folder: Path) -> None:
    """Links could bring files of the host in, and a fifo would never end; the workspace is looked at by `read_workspace`."""
    for root, folders, names in os.walk(folder):
        if Path(root) == folder and "workspace" in folders and not (folder / "workspace").is_symlink():
            folders.remove("workspace")
        for name in (*folders, *names):
            path = Path(root, name)
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                raise SpecError(str(path), "", "a link, device, fifo or socket", "regular files and folders only")


def spec_from_document(document: dict[str, Any], source: str) -> TaskSpec:
    """Validate a spec document (as in `spec_json`).

    Raises:
        SpecErrors: every fault, each with its field, what was found and what was expected.
    """
    try:
        return TaskSpec.model_validate_json(json.dumps(document, allow_nan=False))
    except ValidationError as error:
        raise SpecErrors(
            tuple(
                SpecError(source, _field_name(fault["loc"]), *_found_and_expected(fault))
                for fault in error.errors(include_url=False)
            )
        ) from error
    except ValueError as error:
        raise SpecError(source, "", str(error), "JSON values") from error


def _field_name(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _found_and_expected(fault: ErrorDetails) -> tuple[str, str]:
    match fault["type"]:
        case "missing":
            return "nothing", "this field"
        case "extra_forbidden":
            return _shown(fault["input"]), "no field of this name"
        case _:
            return _shown(fault["input"]), fault["msg"].removeprefix("Value error, ").removeprefix("Input should be ")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _add_instruction(document: dict[str, Any], folder: Path, source: Path) -> None:
    path = folder / "instruction.md"
    try:
        message = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise SpecError(str(path), "", error.strerror or "unreadable", "the text that the agent reads") from error
    except UnicodeDecodeError as error:
        raise SpecError(str(path), f"byte {error.start}", "not UTF-8", "UTF-8 text") from error
    turns = document.get("turns") or [{"id": "main"}]
    if not isinstance(turns, list) or not isinstance(turns[0], dict) or turns[0].get("message"):
        raise SpecError(
            str(source), "turns", _shown(turns), "a list whose first turn leaves `message` to instruction.md"
        )
    document["turns"] = [turns[0] | {"message": message}, *turns[1:]]


def _add_rubric(document: dict[str, Any], folder: Path) -> None:
    verification = document.get("verification")
    if isinstance(verification, dict) and isinstance(verification.get("rubric"), str):
        fault = path_fault(verification["rubric"])
        if fault:
            raise SpecError(
                str(folder / TASK_FILE), "verification.rubric", f"a path that {fault}", "a file of the task folder"
            )
        document["verification"] = verification | {"rubric": read_strict_yaml(folder / verification["rubric"])}


def _check_named_files(task: Task) -> None:
    verification = task.spec.verification
    named = [("verification.expected", verification.expected), ("verification.checks_code", verification.checks_code)]
    if task.has_solutions:
        named += [("right", right.path) for right in task.spec.right] + [
            ("wrong", wrong.path) for wrong in task.spec.wrong
        ]
    for field, name in named:
        if name and not (task.folder / name).is_file():
            raise SpecError(str(task.folder / TASK_FILE), field, name, "a file of the task folder")
    for name, sha256 in verification.grader_files.items():
        path = task.folder / name
        if not path.is_file() or sha256_hex(path.read_bytes()) != sha256:
            raise SpecError(str(path), "", "missing or changed", f"a file with the sha256 {sha256}")
    takes_value = [check for check in verification.checks if getattr(check, "expected", None)]
    if takes_value and not verification.expected:
        raise SpecError(
            str(task.folder / TASK_FILE),
            "verification.expected",
            "nothing",
            f"a file, since check {takes_value[0].id} names a value",
        )
    python = [check for check in verification.checks if check.kind == "python"]
    if python and not verification.checks_code:
        raise SpecError(str(task.folder / "checks.py"), "", "no file", f"the function of check {python[0].id}")


def find_tasks(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """The task folders at or below the paths, sorted; a folder with a `task.yaml` is one.

    Raises:
        SpecError: where a path holds none, or two tasks share an id (case folded).
    """
    folders: list[Path] = []
    for path in paths:
        here = (
            [path] if (path / TASK_FILE).is_file() else sorted(found.parent for found in path.glob(f"**/{TASK_FILE}"))
        )
        if not here:
            raise SpecError(str(path), "", "no task", f"a folder with a {TASK_FILE} at or below it")
        folders += here
    names: dict[str, Path] = {}
    for folder in folders:
        other = names.setdefault(folder.name.casefold(), folder)
        if other.resolve() != folder.resolve():
            raise SpecError(str(folder), "id", folder.name, f"an id that differs from {other}")
    return tuple(sorted({folder.resolve(): folder for folder in folders}.values(), key=lambda folder: folder.name))
