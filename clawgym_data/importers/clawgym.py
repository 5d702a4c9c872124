"""Imports the task folders of the original ClawGym release, with a report of what they lack (arXiv 2604.26904)."""

import contextlib
import glob
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from clawgym_data.errors import ClawGymError, SpecError, showable
from clawgym_data.importers.checker_network import network_losses
from clawgym_data.importers.checker_source import checker_losses, parse_checker
from clawgym_data.importers.loss import ImportedTask, ImportReport, Loss, LossCode, SkippedFolder, loss
from clawgym_data.importers.prompt_paths import MAX_OUTPUTS, NamedFiles, kind_of, named_files, outside_paths, urls
from clawgym_data.importers.release import ReleasedEntry, ReleasedFiles, find_released, read_entry, read_files
from clawgym_data.importers.web_needs import web_losses
from clawgym_data.importers.yaml_text import Plain, yaml_text
from clawgym_data.spec.task import CATEGORIES
from clawgym_data.task import TASK_FILE, WorkspaceFile, load_task

CHECKS_SOURCE = Path(__file__).with_name("clawgym_checks.py")
"""Copied as `checks.py` into every imported task."""

TITLE_CHARACTERS = 100

Progress = Callable[[int, int], None]
"""Called with the number of folders done and the number of all."""


def import_clawgym(source: Path, out: Path, *, replace: bool = False, progress: Progress | None = None) -> ImportReport:
    """Turn every released task below `source` into a task folder `out/<id>`.

    Each folder appears whole or not at all, and only after our loader has read it. A broken one is reported and skipped,
    and so are those that share an id.

    Args:
        source: folder of the release, such as `RL/data/clawgym_eval`.
        out: an empty or new folder.
        replace: allow a filled `out` and overwrite the tasks of the same ids there; whatever else stands there stays.
        progress: called after each folder.

    Raises:
        SpecError: no task below `source`, or a filled `out`; nothing has been written then.
    """
    folders = find_released(source)
    _refuse_filled(out, replace)
    entries, skipped = _read_entries(folders, source)
    skipped += _take_collisions(entries, source)
    out.mkdir(parents=True, exist_ok=True)
    imported: list[ImportedTask] = []
    with _staging_folder(out) as staging:
        for done, folder in enumerate(folders, 1):
            original = _original(folder, source)
            if folder in entries:
                try:
                    imported.append(_import_one(entries[folder], original, staging, out))
                except Exception as error:  # whatever is wrong with one folder, the others are imported
                    skipped.append(SkippedFolder(original=original, reason=_reason(error)))
            if progress is not None:
                progress(done, len(folders))
    return ImportReport(imported=tuple(imported), skipped=tuple(sorted(skipped, key=lambda folder: folder.original)))


def _original(folder: Path, source: Path) -> str:
    return folder.relative_to(source).as_posix()


def _read_entries(folders: tuple[Path, ...], source: Path) -> tuple[dict[Path, ReleasedEntry], list[SkippedFolder]]:
    entries: dict[Path, ReleasedEntry] = {}
    skipped: list[SkippedFolder] = []
    for folder in folders:
        try:
            entries[folder] = read_entry(folder)
        except Exception as error:  # as above
            skipped.append(SkippedFolder(original=_original(folder, source), reason=_reason(error)))
    return entries, skipped


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, ClawGymError | OSError) else f"{type(error).__name__}: {error}"[:300]


def _refuse_filled(out: Path, replace: bool) -> None:
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise SpecError(str(out), "", "no folder", "a new or empty folder")
    if not replace and out.is_dir() and any(out.iterdir()):
        raise SpecError(str(out), "", "a folder with contents", "a new or empty folder, or --replace")


def _take_collisions(entries: dict[Path, ReleasedEntry], source: Path) -> list[SkippedFolder]:
    """Take the folders out that share an id: neither may overwrite the other, and none is the right one."""
    by_id: dict[str, list[Path]] = {}
    for folder, entry in entries.items():
        by_id.setdefault(entry.id, []).append(folder)
    skipped: list[SkippedFolder] = []
    for name, folders in by_id.items():
        for folder in folders if len(folders) > 1 else ():
            others = ", ".join(_original(other, source) for other in folders[:5] if other != folder)
            reason = f"task_id: found the id {name} that {others} has too; expected unique ids; import each split alone"
            skipped.append(SkippedFolder(original=_original(folder, source), reason=reason))
            del entries[folder]
    return skipped


@contextlib.contextmanager
def _staging_folder(out: Path) -> Iterator[Path]:
    """A folder beside `out`, on the same file system, gone at the end; what killed imports left there goes too."""
    place = out.resolve()
    prefix = f".{place.name}-importing-"
    for left in sorted(place.parent.glob(f"{glob.escape(prefix)}*")):
        with _held(left) as held:
            if held:
                shutil.rmtree(left, ignore_errors=True)
    staging = Path(tempfile.mkdtemp(prefix=prefix, dir=place.parent))
    try:
        with _held(staging):
            yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Whether the folder is now this import's: a lock ends with the process that holds it; without locks it never is."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield False
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def _import_one(entry: ReleasedEntry, original: str, staging: Path, out: Path) -> ImportedTask:
    files = read_files(entry.folder)
    tree = parse_checker(files.checker, str(entry.folder / "reward" / "check.py"))
    shipped = frozenset(file.path for file in files.workspace)
    named = named_files(entry.prompt, shipped)
    staged = staging / entry.id
    try:
        _write_task(staged, entry, files, named)
        load_task(staged)
        _move(staged, out / entry.id)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    losses = (
        *entry.losses,
        *files.losses,
        *_prompt_losses(entry, named),
        *checker_losses(tree, shipped),
        *network_losses(tree),
        loss(LossCode.NO_ORACLE, "nothing shows that the task can be solved or that its checker can give 1"),
        loss(LossCode.NO_RUBRIC, "the release leaves out the judged criteria"),
    )
    return ImportedTask(id=entry.id, original=original, outputs=named.outputs[:MAX_OUTPUTS], losses=losses)


def _move(staged: Path, target: Path) -> None:
    if target.is_symlink() or (target.exists() and not (target / TASK_FILE).is_file()):
        raise SpecError(str(target), "", "something else than a task", "nothing, or a task folder to replace")
    if target.exists():
        old = staged.with_name(f"{staged.name}.old")
        os.replace(target, old)
        os.replace(staged, target)
        shutil.rmtree(old)
    else:
        os.replace(staged, target)


def _write_task(folder: Path, entry: ReleasedEntry, files: ReleasedFiles, named: NamedFiles) -> None:
    folder.mkdir()
    (folder / "instruction.md").write_bytes(entry.prompt.encode())
    shutil.copyfile(CHECKS_SOURCE, folder / "checks.py")
    _write_files(folder / "workspace", files.workspace)
    _write_files(folder / "reward", files.reward)
    (folder / TASK_FILE).write_bytes(yaml_text(_document(entry, files, named)).encode())


def _write_files(root: Path, files: tuple[WorkspaceFile, ...]) -> None:
    for file in files:
        path = root / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        path.chmod(file.mode)


def _document(entry: ReleasedEntry, files: ReleasedFiles, named: NamedFiles) -> Mapping[str, Plain]:
    return {
        "schema_version": 1,
        "id": entry.id,
        "title": _title(entry),
        "split": "imported",
        "category": _category(entry),
        "cluster_id": entry.id,
        "assurance": "imported",
        "provenance": {
            "route": "imported",
            "generator": "clawgym",
            "parents": [showable(f"{entry.folder.resolve().parent.name}/{entry.original_id}")],
            "licence": showable(entry.licence),
        },
        "outputs": [{"path": path, "kind": kind_of(path)} for path in named.outputs[:MAX_OUTPUTS]],
        "verification": {
            "grader_files": {f"reward/{file.path}": file.sha256 for file in files.reward},
            "checks": [
                {
                    "id": "original-reward",
                    "kind": "python",
                    "role": "outcome",
                    "weight": 1,
                    "rests_on": "computed",
                    "function": "original_reward",
                    "time_limit_sec": 120,
                }
            ],
        },
    }


def _title(entry: ReleasedEntry) -> str:
    """The beginning of the prompt, cut between words."""
    words = showable(" ".join(entry.prompt.split()))
    if len(words) > TITLE_CHARACTERS:
        words = words[: TITLE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
    return words if len(words) >= 3 else entry.id


def _category(entry: ReleasedEntry) -> str:
    """Ours of the same name, as `Analysis & Reasoning`."""
    name = "-".join(entry.category.casefold().replace("&", " and ").replace("_", " ").replace("-", " ").split())
    return name if name in CATEGORIES else "uncategorised"


def _prompt_losses(entry: ReleasedEntry, named: NamedFiles) -> list[Loss]:
    found = list(web_losses(entry.prompt))
    for code, seen in ((LossCode.NAMES_URL, urls(entry.prompt)), (LossCode.OUTSIDE_PATH, outside_paths(entry.prompt))):
        if seen:
            found.append(loss(code, *seen))
    if named.missing:
        found.append(loss(LossCode.MISSING_FIXTURE, *named.missing))
    if named.unsure:
        found.append(loss(LossCode.UNSURE_FIXTURE, *named.unsure))
    if not named.outputs:
        found.append(loss(LossCode.NO_OUTPUTS, "the prompt names no file to write"))
    if len(named.outputs) > MAX_OUTPUTS:
        found.append(loss(LossCode.OUTPUTS_LEFT_OUT, *named.outputs[MAX_OUTPUTS:]))
    if _category(entry) == "uncategorised":
        found.append(loss(LossCode.NO_CATEGORY, repr(entry.category)))
    if entry.licence == "unknown":
        found.append(loss(LossCode.NO_LICENCE, "the release states none for its tasks"))
    return found
