"""A task folder of the original's release, read with the care that foreign files need."""

import json
import os
import re
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawgym_data.errors import SpecError
from clawgym_data.importers.loss import Loss, LossCode, loss
from clawgym_data.task import WorkspaceFile, empty_folders, read_workspace

ENTRY_FILE = "data_entry.json"
CHECKER, SCRIPT = "check.py", "reward.sh"
MOUNT = "/root/.openclaw/workspace"
MAX_ENTRY_BYTES = 4 * 1024 * 1024
_FIELDS = frozenset({"task_id", "user_query", "input_mount_dir", "metadata"})
_METADATA_FIELDS = frozenset({"category", "grading_type"})
_LICENCE_FIELDS = ("licence", "license")
_AVERAGES = ("check.py", "|", "sum(", "len(")
"""What stands in this order in a script that averages what the checker prints."""


@dataclass(frozen=True, slots=True)
class ReleasedEntry:
    """What a `data_entry.json` says."""

    folder: Path
    id: str
    """Made a slug."""
    original_id: str
    prompt: str
    category: str
    licence: str
    losses: tuple[Loss, ...]


def find_released(source: Path) -> tuple[Path, ...]:
    """The folders at or below `source` that look like a released task, sorted; links are named too and refused later.

    Raises:
        SpecError: there is none.
    """
    found: list[Path] = []
    waiting = [source]
    while waiting:  # no recursion: a release may hold folders of any depth
        here = waiting.pop()
        try:
            with os.scandir(here) as listed:
                entries = list(listed)
        except OSError:
            found.append(here)  # reading it says why it cannot be imported
            continue
        folders = [entry for entry in entries if _is_folder(entry)]
        if any(e.name == ENTRY_FILE for e in entries) or any(e.name == "reward" for e in folders):
            found.append(here)
            continue
        found += [Path(entry.path) for entry in folders if entry.is_symlink()]
        waiting += [Path(entry.path) for entry in folders if not entry.is_symlink()]
    if not found:
        raise SpecError(str(source), "", "no released task", f"a folder with a {ENTRY_FILE} at or below it")
    return tuple(sorted(found))


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    """Also where a link points to one."""
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def read_entry(folder: Path) -> ReleasedEntry:
    """Read the entry of one folder.

    Raises:
        SpecError: a link, no JSON object, no prompt, or an id that gives no slug.
    """
    if folder.is_symlink():
        raise SpecError(str(folder), "", "a symbolic link", "a folder")
    path = folder / ENTRY_FILE
    entry = _read_object(path)
    metadata = entry.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    original_id = _text(entry, "task_id", path) or folder.name
    prompt = _text(entry, "user_query", path)
    if not prompt.strip():
        raise SpecError(str(path), "user_query", repr(prompt), "the text that the agent reads")
    licences = [
        value for name in _LICENCE_FIELDS for value in (entry.get(name), metadata.get(name)) if isinstance(value, str)
    ]
    return ReleasedEntry(
        folder=folder,
        id=slug_of(original_id, path),
        original_id=original_id,
        prompt=prompt,
        category=_text(metadata, "category", path),
        licence=next((licence for licence in licences if licence.strip()), "unknown"),
        losses=tuple(_entry_losses(entry, metadata)),
    )


def _read_object(path: Path) -> dict[str, Any]:
    content = _read_regular(path)
    try:
        entry = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise SpecError(str(path), "", f"no JSON ({error})", "one JSON object in UTF-8") from error
    if not isinstance(entry, dict):
        raise SpecError(str(path), "", f"a {type(entry).__name__}", "one JSON object")
    return entry


def _read_regular(path: Path) -> bytes:
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_ENTRY_BYTES:
            raise SpecError(
                str(path), "", "a link, a device or too much", f"a regular file of at most {MAX_ENTRY_BYTES} bytes"
            )
        return path.read_bytes()
    except OSError as error:
        raise SpecError(str(path), "", error.strerror or "unreadable", "a readable file") from error


def _text(values: dict[str, Any], name: str, path: Path) -> str:
    value = values.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SpecError(str(path), name, f"a {type(value).__name__}", "text")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise SpecError(str(path), name, f"half a surrogate pair at character {error.start}", "text") from error
    return value


def slug_of(original_id: str, path: Path) -> str:
    """Lower-case ASCII words joined by hyphens: `Task_0001` gives `task-0001`.

    Raises:
        SpecError: nothing is left, or more than 80 characters.
    """
    folded = unicodedata.normalize("NFKD", original_id).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")
    if not slug or len(slug) > 80:
        raise SpecError(str(path), "task_id", repr(original_id)[:120], "a name with 1 to 80 ASCII letters or digits")
    return slug


def _entry_losses(entry: dict[str, Any], metadata: dict[str, Any]) -> list[Loss]:
    found: list[Loss] = []
    unknown = sorted(set(entry) - _FIELDS - set(_LICENCE_FIELDS))
    unknown += sorted(f"metadata.{name}" for name in set(metadata) - _METADATA_FIELDS - set(_LICENCE_FIELDS))
    if unknown:
        found.append(loss(LossCode.UNKNOWN_FIELD, *unknown))
    mount = entry.get("input_mount_dir", MOUNT)
    if not isinstance(mount, str) or mount.rstrip("/") != MOUNT:
        found.append(loss(LossCode.MOUNTED_ELSEWHERE, str(mount)))
    return found


@dataclass(frozen=True, slots=True)
class ReleasedFiles:
    """The files of a released task."""

    workspace: tuple[WorkspaceFile, ...]
    reward: tuple[WorkspaceFile, ...]
    checker: bytes
    losses: tuple[Loss, ...]


def read_files(folder: Path) -> ReleasedFiles:
    """Read inputs and grader files.

    Raises:
        SpecError: a link or device, a name that some systems refuse, too much, or no checker.
        OSError: a file cannot be read.
    """
    workspace = _read_tree(folder / "input_files")
    reward = tuple(file for file in _read_tree(folder / "reward") if "__pycache__" not in file.path.split("/"))
    by_name = {file.path: file.content for file in reward}
    for name in (CHECKER, SCRIPT):
        if name not in by_name:
            raise SpecError(str(folder / "reward" / name), "", "no file", "the file that grades the task")
    found: list[Loss] = []
    if len(by_name[CHECKER]) > MAX_ENTRY_BYTES:
        much = f"{len(by_name[CHECKER])} bytes"
        raise SpecError(str(folder / "reward" / CHECKER), "", much, f"at most {MAX_ENTRY_BYTES}")
    if not _averages(by_name[SCRIPT].decode("utf-8", "replace")):
        found.append(
            loss(LossCode.OTHER_REWARD_SCRIPT, "reward.sh does something else than average what check.py prints")
        )
    unknown = sorted(set(os.listdir(folder)) - {ENTRY_FILE, "input_files", "reward"})
    if unknown:
        found.append(loss(LossCode.UNKNOWN_FILE, *unknown))
    inputs = folder / "input_files"
    if inputs.is_dir():
        empty = [f"{inputs.name}/{name}" for name in empty_folders(inputs)] if any(inputs.iterdir()) else [inputs.name]
        if empty:
            found.append(loss(LossCode.EMPTY_FOLDER, *empty))
    return ReleasedFiles(workspace, reward, by_name[CHECKER], tuple(found))


def _averages(script: str) -> bool:
    position = 0
    for part in _AVERAGES:
        position = script.find(part, position)
        if position < 0:
            return False
    return True


def _read_tree(root: Path) -> tuple[WorkspaceFile, ...]:
    if root.is_symlink() or (root.exists() and not root.is_dir()):
        raise SpecError(str(root), "", "no folder", "a folder, not a link or a file")
    return read_workspace(root) if root.is_dir() else ()
