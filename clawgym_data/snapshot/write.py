"""Writing a snapshot out as an ordinary folder."""

from pathlib import Path

from clawgym_data.snapshot.model import EntryKind, Snapshot, relative_parts


def write_folder(snapshot: Snapshot, target: Path) -> None:
    """Create the files and directories of a snapshot under a new or empty folder.

    Links, special files and entries whose content was not read are left out. Set-uid, set-gid and sticky bits are
    not recreated.

    Raises:
        FileExistsError: `target` is not empty.
        ValueError: a path would leave `target`.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise FileExistsError(f"{target}: expected an empty folder")
    directories: list[tuple[Path, int]] = []
    for entry in snapshot.entries:
        path = target.joinpath(*relative_parts(entry.path))
        if entry.kind is EntryKind.DIRECTORY:
            path.mkdir(parents=True, exist_ok=True)
            directories.append((path, entry.mode & 0o777))
        elif entry.kind is EntryKind.FILE and entry.sha256 is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(snapshot.blobs[entry.sha256])
            path.chmod(entry.mode & 0o777)
    for path, mode in reversed(directories):
        path.chmod(mode)
