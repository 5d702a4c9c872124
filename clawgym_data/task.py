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
from clawgym_data.checks import Executed
from clawgym_data.errors import SpecError, SpecErrors
from clawgym_data.folders import walk
from clawgym_data.spec.frozen import path_fault
from clawgym_data.spec.parts import FileEntry
from clawgym_data.spec.task import RUNNER_FEATURES, TaskSpec
from clawgym_data.strict_yaml import read_strict_yaml

TASK_FILE = "task.yaml"
MAX_WORKSPACE_BYTES = 256 * 1024 * 1024
MAX_WORKSPACE_FILES = 20_000
"""Folders count too."""
MAX_INSTRUCTION_BYTES = 4 * 1024 * 1024
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
        SpecError: for a link, a device, a fifo, a name that some systems refuse, or too much; sizes are looked at before
            anything is read.
        OSError: something cannot be read.
    """
    found: list[WorkspaceFile] = []
    total = 0
    for entries, entry in enumerate(walk(root, _is_no_bytecode), 1):
        name = _name_below(root, entry)
        _refuse_odd_entry(entry)
        fault = path_fault(name)
        if fault:
            raise SpecError(str(root), name, f"a path that {fault}", "a relative POSIX path that every system takes")
        status = entry.stat(follow_symlinks=False)
        total += status.st_size if stat.S_ISREG(status.st_mode) else 0
        if total > MAX_WORKSPACE_BYTES or entries > MAX_WORKSPACE_FILES:
            much = f"at most {MAX_WORKSPACE_FILES} files and folders and {MAX_WORKSPACE_BYTES} bytes"
            raise SpecError(str(root), name, "too much", much)
        if stat.S_ISREG(status.st_mode):
            content = Path(entry.path).read_bytes()
            found.append(WorkspaceFile(name, content, 0o755 if status.st_mode & stat.S_IXUSR else 0o644))
    return tuple(sorted(found, key=lambda file: file.path))


def empty_folders(root: Path) -> tuple[str, ...]:
    """The folders under `root` that hold nothing, which neither a manifest nor git can name."""
    folders: set[str] = set()
    filled: set[str] = set()
    for entry in walk(root, _is_no_bytecode):
        name = _name_below(root, entry)
        filled.add(name.rpartition("/")[0])
        if entry.is_dir(follow_symlinks=False) and _is_no_bytecode(entry):
            folders.add(name)
    return tuple(sorted(folders - filled))


def _is_no_bytecode(entry: "os.DirEntry[str]") -> bool:
    """`__pycache__` is written by whoever imports or installs the files, not by the task."""
    return entry.name != "__pycache__"


def _name_below(root: Path, entry: "os.DirEntry[str]") -> str:
    return entry.path[len(os.path.join(root, "")) :].replace(os.sep, "/")


def _refuse_odd_entry(entry: "os.DirEntry[str]") -> None:
    """Links could bring files of the host in, and a fifo would never end."""
    if entry.is_symlink():
        raise SpecError(entry.path, "", "a symbolic link", "regular files and folders only")
    if not entry.is_dir() and not entry.is_file():
        raise SpecError(entry.path, "", "a device, fifo or socket", "regular files and folders only")


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
        names = [self.spec.verification.expected, self.spec.verification.checks_code, *_brought(self.spec)]
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
    folder = Path(os.path.realpath(folder))
    try:
        return _load(folder)
    except OSError as error:
        raise _unreadable(error, folder) from error


def _unreadable(error: OSError, folder: Path) -> SpecError:
    return SpecError(str(error.filename or folder), "", error.strerror or "an error", "readable files and folders")


def _load(folder: Path) -> Task:
    source = folder / TASK_FILE
    _refuse_odd_files(folder)
    document = read_strict_yaml(source)
    if not isinstance(document, dict):
        raise SpecError(str(source), "", f"a {type(document).__name__}", "a mapping")
    if "workspace" in document:
        expected = "nothing: the manifest is computed from the folder workspace/"
        raise SpecError(str(source), "workspace", _shown(document["workspace"]), expected)
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
    for name in empty_folders(root) if root.is_dir() else ():
        what = "an empty folder, which reaches no agent"
        raise SpecError(str(root), name, what, "a file in it, or no such folder")
    return task


def _refuse_odd_files(folder: Path) -> None:
    """What lies beside the workspace, which `read_workspace` looks at, is bounded and of regular files alone."""
    inner, total = os.path.join(folder, "workspace"), 0
    for count, entry in enumerate(walk(folder, lambda entry: entry.path != inner), 1):
        _refuse_odd_entry(entry)
        total += 0 if entry.is_dir() else entry.stat().st_size
        if total > MAX_WORKSPACE_BYTES or count > MAX_WORKSPACE_FILES:
            much = f"at most {MAX_WORKSPACE_FILES} files and folders and {MAX_WORKSPACE_BYTES} bytes beside workspace/"
            raise SpecError(str(folder), _name_below(folder, entry), "too much", much)


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
        if path.stat().st_size > MAX_INSTRUCTION_BYTES:
            raise SpecError(str(path), "", f"{path.stat().st_size} bytes", f"at most {MAX_INSTRUCTION_BYTES}")
        message = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise SpecError(str(path), "", error.strerror or "unreadable", "the text that the agent reads") from error
    except UnicodeDecodeError as error:
        raise SpecError(str(path), f"byte {error.start}", "not UTF-8", "UTF-8 text") from error
    turns = document.get("turns", [{"id": "main"}])
    if not isinstance(turns, list) or not turns or not isinstance(turns[0], dict) or turns[0].get("message"):
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


def _brought(spec: TaskSpec) -> tuple[str, ...]:
    """The files of the task folder that executed checks hand to their subjects."""
    named = (name for check in spec.verification.checks if isinstance(check, Executed) for name in check.brings)
    return tuple(dict.fromkeys(named))


def _check_named_files(task: Task) -> None:
    verification = task.spec.verification
    named = [("verification.expected", verification.expected), ("verification.checks_code", verification.checks_code)]
    named += [("verification.checks.brings", name) for name in _brought(task.spec)]
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
    python = [check for check in verification.checks if check.kind in ("python", "property")]
    if python and not verification.checks_code:
        raise SpecError(str(task.folder / "checks.py"), "", "no file", f"the function of check {python[0].id}")


def find_tasks(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """The task folders at or below the paths, sorted; a folder with a `task.yaml` that lies in no other task is one.

    Raises:
        SpecError: where a path holds none or cannot be read, or two tasks share an id (case folded).
    """
    folders: list[Path] = []
    for path in paths:
        try:
            here = sorted(_task_folders(path))
        except OSError as error:
            raise _unreadable(error, path) from error
        if not here:
            raise SpecError(str(path), "", "no task", f"a folder with a {TASK_FILE} at or below it")
        folders += here
    found: dict[str, Path] = {}
    for folder in folders:
        real = Path(os.path.realpath(folder))
        other = found.setdefault(real.name.casefold(), folder)
        if os.path.realpath(other) != os.path.realpath(folder):
            raise SpecError(str(folder), "id", real.name, f"an id that differs from {other}")
    return tuple(sorted(found.values(), key=lambda folder: folder.name))


def _task_folders(root: Path) -> Iterator[Path]:
    """Never looks into a task: a `task.yaml` in its workspace is a file for the agent."""
    if (root / TASK_FILE).is_file():
        yield root
    elif root.is_dir():
        for entry in walk(root, lambda entry: not os.path.isfile(os.path.join(entry.path, TASK_FILE))):
            if entry.is_dir(follow_symlinks=False) and os.path.isfile(os.path.join(entry.path, TASK_FILE)):
                yield Path(entry.path)
