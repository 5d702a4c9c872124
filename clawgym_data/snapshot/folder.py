"""Reading a folder that someone hostile may have written, and may still be writing."""

import os
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

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

MAX_NAMES_SEARCHED = 200_000
"""Names of one directory that are compared when a named path is not there byte for byte."""


def read_folder(root: Path, limits: SnapshotLimits = DEFAULT_LIMITS, first: Sequence[str] = ()) -> Snapshot:
    """Read everything below `root` without following a link or blocking on a fifo.

    Args:
        root: the folder. Of a path through the root of another process (`root` in its folder of `/proc`) the rest is
            walked inside that root, link by link refused, because an absolute link there would otherwise lead to this
            process's own files.
        limits: bounds on size, number and time.
        first: paths whose entries, and those of all their parents, are read before the walk and are never cut.

    Raises:
        OSError: the root itself cannot be opened as a folder.
        ValueError: a path of `first` is not relative.
    """
    parts = root.parts
    if len(parts) > 4 and parts[:2] == ("/", "proc") and parts[3] == "root":
        with _opened(os.open(Path(*parts[:4]), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)) as root_fd:
            return read_folder_at(root_fd, "/".join(parts[4:]), limits, first)
    with _opened(os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)) as root_fd:
        return read_folder_at(root_fd, "", limits, first)


def read_folder_at(
    root_fd: int, relative: str, limits: SnapshotLimits = DEFAULT_LIMITS, first: Sequence[str] = ()
) -> Snapshot:
    """Read the folder `relative` ("" for itself) below an open directory, refusing links on the way; see `read_folder`.

    Raises:
        OSError: a component is missing, a link or not a folder.
        ValueError: `relative` or a path of `first` is not relative.
    """
    named = [relative_parts(path) for path in first]
    closed = None if relative else closed_folder(stat.S_IMODE(os.fstat(root_fd).st_mode))
    if closed is not None:
        return closed
    with _opened(_open_directory_at(root_fd, relative)) as top_fd:
        walk = _Walk(Collection(limits), top_fd)
        try:
            for parts in named:
                walk.read_named(parts)
            walk.read_directory(top_fd, "", 0)
        except LimitError as limit:
            walk.collection.truncated = str(limit)
        walk.settle_hard_links()
        return walk.collection.finish()


def _open_directory_at(root_fd: int, relative: str) -> int:
    descriptor = _open_directory(".", root_fd)
    for part in relative_parts(relative) if relative else ():
        with _opened(descriptor):
            descriptor = _open_directory(part, descriptor)
    return descriptor


def _open_directory(name: str, directory_fd: int) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    return os.open(name, flags, dir_fd=directory_fd)


@contextmanager
def _opened(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@dataclass
class _LinkGroup:
    """The paths of one file that has several names."""

    links: int
    paths: list[str] = field(default_factory=list)


class _Walk:
    def __init__(self, collection: Collection, top_fd: int) -> None:
        self.collection = collection
        self._top_fd = top_fd
        self._link_groups: dict[tuple[int, int], _LinkGroup] = {}

    def read_named(self, parts: tuple[str, ...]) -> None:
        """Read one path and its parents; where a component is missing or no folder, stop there."""
        descriptor = _open_directory(".", self._top_fd)
        path = ""
        try:
            for part in parts:
                name = _name_on_disk(part, descriptor)
                if name is None:
                    return
                path = f"{path}/{name}" if path else name
                entry = self._read_entry(name, descriptor, path, named=True)
                if entry is None or entry.kind is not EntryKind.DIRECTORY:
                    return
                try:
                    inner = _open_directory(name, descriptor)
                except OSError:
                    return
                os.close(descriptor)
                descriptor = inner
        finally:
            os.close(descriptor)

    def read_directory(self, directory_fd: int, prefix: str, depth: int) -> None:
        """Read the entries of an open directory, and those below it."""
        names: list[str] = []
        with os.scandir(directory_fd) as listing:
            for item in listing:
                names.append(item.name)
                if len(names) > self.collection.limits.max_entries:
                    break
        for name in sorted(names):
            path = f"{prefix}{name}"
            entry = self.collection.entries.get(path) or self._read_entry(name, directory_fd, path)
            if entry is not None and entry.kind is EntryKind.DIRECTORY:
                self._descend(name, directory_fd, entry, depth + 1)

    def _descend(self, name: str, directory_fd: int, entry: Entry, depth: int) -> None:
        if depth > self.collection.limits.max_depth:
            reason = f"deeper than {self.collection.limits.max_depth} directories: not listed"
            self._add(Entry(entry.path, EntryKind.DIRECTORY, entry.mode, 0, None, reason))
            self.collection.truncated = f"{entry.path[:200]}: {reason}"
            return
        try:
            descriptor = _open_directory(name, directory_fd)
        except OSError as error:
            self._add(_unreadable(entry.path, entry.mode, 0, error))
            return
        with _opened(descriptor):
            self.read_directory(descriptor, f"{entry.path}/", depth)

    def _read_entry(self, name: str, directory_fd: int, path: str, *, named: bool = False) -> Entry | None:
        """Read and add one entry; None where it vanished in between."""
        known = self.collection.entries.get(path)
        if known is not None:
            return known
        try:
            status = os.stat(name, dir_fd=directory_fd, follow_symlinks=False)
            entry = self._classify(name, directory_fd, path, status)
        except FileNotFoundError:
            return None
        except OSError as error:
            entry = _unreadable(path, 0, 0, error)
        self.collection.add(entry, named=named)
        return entry

    def _classify(self, name: str, directory_fd: int, path: str, status: os.stat_result) -> Entry:
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISLNK(status.st_mode):
            target = os.readlink(name, dir_fd=directory_fd)
            return Entry(path, EntryKind.SYMLINK, mode, status.st_size, None, f"a symbolic link to {target!r}")
        if stat.S_ISDIR(status.st_mode):
            reason = unreadable_reason(mode, is_directory=True)
            kind = EntryKind.UNREADABLE if reason else EntryKind.DIRECTORY
            return Entry(path, kind, mode, 0, None, reason)
        if not stat.S_ISREG(status.st_mode):
            return Entry(path, EntryKind.SPECIAL, mode, 0, None, f"a {_special_name(status.st_mode)}, not a file")
        reason = unreadable_reason(mode, is_directory=False)
        if reason:
            return Entry(path, EntryKind.UNREADABLE, mode, status.st_size, None, reason)
        if status.st_nlink > 1:
            group = self._link_groups.setdefault((status.st_dev, status.st_ino), _LinkGroup(status.st_nlink))
            group.paths.append(path)
            reason = f"a file with {status.st_nlink} names, of which some are outside the folder"
            return Entry(path, EntryKind.HARDLINK, mode, status.st_size, None, reason)
        return self._read_file(name, directory_fd, path, status)

    def _read_file(self, name: str, directory_fd: int, path: str, expected: os.stat_result) -> Entry:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with _opened(os.open(name, flags, dir_fd=directory_fd)) as descriptor:
            status = os.fstat(descriptor)
            mode = stat.S_IMODE(status.st_mode)
            same = (status.st_dev, status.st_ino, status.st_nlink) == (
                expected.st_dev,
                expected.st_ino,
                expected.st_nlink,
            )
            if not same or not stat.S_ISREG(status.st_mode):
                return Entry(path, EntryKind.UNREADABLE, mode, 0, None, "it was replaced while it was read")
            return self.collection.read_content(path, mode, status.st_size, lambda n: os.read(descriptor, n))

    def settle_hard_links(self) -> None:
        """Read the files with several names of which every one was found in the tree."""
        for group in self._link_groups.values():
            if len(group.paths) != group.links:
                continue
            try:
                entry = self._read_by_path(group.paths[0])
            except LimitError as limit:
                self.collection.truncated = str(limit)
                return
            except OSError:
                continue
            for path in group.paths:
                self._add(Entry(path, entry.kind, entry.mode, entry.size, entry.sha256, entry.reason))

    def _read_by_path(self, path: str) -> Entry:
        parent, _, name = path.rpartition("/")
        with _opened(_open_directory_at(self._top_fd, parent)) as directory_fd:
            status = os.stat(name, dir_fd=directory_fd, follow_symlinks=False)
            return self._read_file(name, directory_fd, path, status)

    def _add(self, entry: Entry) -> None:
        """Replace an entry that is already listed."""
        self.collection.entries[entry.path] = entry


def _name_on_disk(name: str, directory_fd: int) -> str | None:
    """Find `name` in a directory, byte for byte or else as the only NFC-equal one."""
    try:
        os.stat(name, dir_fd=directory_fd, follow_symlinks=False)
    except FileNotFoundError:
        pass
    except OSError:
        return None
    else:
        return name
    if name.isascii():
        return None
    wanted = unicodedata.normalize("NFC", name)
    with os.scandir(directory_fd) as listing:
        names = (item.name for item, _ in zip(listing, range(MAX_NAMES_SEARCHED), strict=False))
        alike = [other for other in names if unicodedata.normalize("NFC", other) == wanted]
    return alike[0] if len(alike) == 1 else None


def _unreadable(path: str, mode: int, size: int, error: OSError) -> Entry:
    return Entry(path, EntryKind.UNREADABLE, mode, size, None, f"cannot be read: {error.strerror}")


def _special_name(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "fifo"
    return "socket" if stat.S_ISSOCK(mode) else "device"
