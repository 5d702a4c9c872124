"""Reading a folder that arrives as a tar stream; nothing is extracted."""

import tarfile
from dataclasses import replace
from typing import BinaryIO

from clawgym_data.snapshot.collect import Collection, LimitError
from clawgym_data.snapshot.model import (
    DEFAULT_LIMITS,
    Entry,
    EntryKind,
    Snapshot,
    SnapshotLimits,
    closed_folder,
    relative_parts,
    unreadable_reason,
)


def read_tar(stream: BinaryIO, limits: SnapshotLimits = DEFAULT_LIMITS) -> Snapshot:
    """Read the members of a tar stream (compressed or not) as a snapshot.

    A member whose path leaves the tree is `SPECIAL`; a hard link is read if the member that it names was. A damaged
    archive yields what came before the damage, with `truncated` set.
    """
    collection = Collection(limits)
    try:
        with tarfile.open(fileobj=stream, mode="r|*") as archive:
            for member in archive:
                if member.isdir() and _clean(member.name) == "" and (closed := closed_folder(member.mode & 0o7777)):
                    return closed
                entry = _read_member(archive, member, collection)
                if entry is not None:
                    collection.add(entry)
    except LimitError as limit:
        collection.truncated = str(limit)
    except (tarfile.TarError, EOFError, OSError) as error:
        collection.truncated = f"the archive is damaged: {error}"
    _add_parents(collection)
    _drop_below_closed_directories(collection)
    return collection.finish()


def read_one(stream: BinaryIO, path: str, collection: Collection) -> Entry | None:
    """Read the first member of a tar stream as the entry at `path`; None where the archive is empty or damaged.

    Raises:
        LimitError: the time is used up.
    """
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            member = archive.next()
            if member is None:
                return None
            member.name = path
            return _read_member(archive, member, collection)
    except (tarfile.TarError, EOFError, OSError):
        return None


def _read_member(archive: tarfile.TarFile, member: tarfile.TarInfo, collection: Collection) -> Entry | None:
    path, mode = _clean(member.name), member.mode & 0o7777
    if path == "":
        return None
    try:
        parts = relative_parts(path)
    except ValueError:
        return Entry(path, EntryKind.SPECIAL, mode, 0, None, "its path leaves the folder")
    if len(parts) > collection.limits.max_depth + 1:
        collection.truncated = f"{path[:200]}: deeper than {collection.limits.max_depth} directories: not listed"
        return None
    if member.issym():
        size = len(member.linkname.encode("utf-8", "surrogateescape"))
        return Entry(path, EntryKind.SYMLINK, mode, size, None, f"a symbolic link to {member.linkname!r}")
    if member.islnk():
        return _read_hard_link(path, mode, member, collection)
    return _read_content(archive, path, mode, member, collection)


def _read_content(
    archive: tarfile.TarFile, path: str, mode: int, member: tarfile.TarInfo, collection: Collection
) -> Entry:
    if not member.isdir() and not member.isreg():
        return Entry(path, EntryKind.SPECIAL, mode, 0, None, "a fifo or device, not a file")
    reason = unreadable_reason(mode, is_directory=member.isdir())
    if reason:
        return Entry(path, EntryKind.UNREADABLE, mode, member.size, None, reason)
    content = archive.extractfile(member)
    if content is None:
        return Entry(path, EntryKind.DIRECTORY, mode, 0, None, None)
    return collection.read_content(path, mode, member.size, content.read)


def _read_hard_link(path: str, mode: int, member: tarfile.TarInfo, collection: Collection) -> Entry:
    target = collection.entries.get(_clean(member.linkname))
    if target is None or target.kind is not EntryKind.FILE:
        reason = f"a hard link to {member.linkname!r}, which is not a file of the folder"
        return Entry(path, EntryKind.HARDLINK, mode, 0, None, reason)
    return replace(target, path=path)


def _clean(name: str) -> str:
    while name.startswith("./"):
        name = name[2:]
    return "" if name == "." else name.rstrip("/") if name != "/" else name


def _add_parents(collection: Collection) -> None:
    for entry in list(collection.entries.values()):
        if entry.reason == "its path leaves the folder":
            continue
        parts = entry.path.split("/")
        for depth in range(1, len(parts)):
            parent = "/".join(parts[:depth])
            if parent not in collection.entries:
                collection.entries[parent] = Entry(parent, EntryKind.DIRECTORY, 0o755, 0, None, None)


def _drop_below_closed_directories(collection: Collection) -> None:
    closed = {path for path, entry in collection.entries.items() if entry.kind is EntryKind.UNREADABLE}
    for path in list(collection.entries):
        parts = path.split("/")
        if any("/".join(parts[:depth]) in closed for depth in range(1, len(parts))):
            del collection.entries[path]
