"""The snapshot of a folder as plain data."""

import hashlib
import json
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import PurePosixPath


class EntryKind(StrEnum):
    """What a path is, or why its content was not read."""

    FILE = "file"
    DIRECTORY = "directory"
    SYMLINK = "symlink"
    SPECIAL = "special"
    """A fifo, socket or device, or an archive member that leaves the tree."""
    UNREADABLE = "unreadable"
    """The owner may not read it: the same answer whether the reader is root or not."""
    OVERSIZED = "oversized"
    HARDLINK = "hardlink"
    """A file with a link outside the tree, so that its content may belong to something else."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One path of a snapshot."""

    path: str
    """POSIX, relative to the root; undecodable bytes are surrogate escapes (`os.fsdecode`)."""
    kind: EntryKind
    mode: int
    """Permission bits only, at most 0o7777."""
    size: int
    """Bytes as the file system states them; 0 for a directory."""
    sha256: str | None
    """Of the content, for a `FILE`; else None."""
    reason: str | None
    """Why there is no content, for a person; None for files and directories that were read."""


@dataclass(frozen=True)
class SnapshotLimits:
    """Bounds on the work and memory of one snapshot."""

    max_file_bytes: int = 64 << 20
    max_total_bytes: int = 256 << 20
    max_entries: int = 20_000
    max_depth: int = 64
    """Directories below the root that are listed; deeper ones are named but not listed."""
    deadline_sec: float = 30.0


DEFAULT_LIMITS = SnapshotLimits()
CLOSED = "the folder itself is a "


@dataclass(frozen=True)
class Snapshot:
    """Everything that was found below one root."""

    entries: tuple[Entry, ...]
    """Sorted by path; the root itself has no entry."""
    blobs: Mapping[str, bytes]
    """sha256 -> content."""
    truncated: str | None
    """Why the listing is incomplete, or None."""

    def get(self, path: str) -> Entry | None:
        """Return the entry at `path`, else the only one that equals it after NFC normalisation."""
        exact = self._by_path.get(path)
        if exact is not None:
            return exact
        alike = self._by_nfc.get(unicodedata.normalize("NFC", path), ())
        return alike[0] if len(alike) == 1 else None

    def content(self, path: str) -> bytes:
        """Return the bytes of the file at `path`.

        Raises:
            KeyError: there is no such file, or its content was not read; the message says why.
        """
        entry = self.get(path)
        if entry is None:
            raise KeyError(f"{path}: no such file")
        if entry.sha256 is None:
            raise KeyError(f"{path}: {entry.reason or f'is a {entry.kind}'}")
        return self.blobs[entry.sha256]

    @property
    def is_closed(self) -> bool:
        """Whether the folder itself may not be listed by its owner, so that nothing in it counts."""
        return self.truncated is not None and self.truncated.startswith(CLOSED)

    def without(self, paths: Collection[str]) -> "Snapshot":
        """The same snapshot without some paths, and without the folders that held nothing else."""
        if not paths:
            return self
        kept = [entry for entry in self.entries if entry.path not in paths]
        above = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
        needed = {
            str(parent)
            for entry in kept
            if entry.kind is not EntryKind.DIRECTORY or entry.path not in above
            for parent in PurePosixPath(entry.path).parents
        }
        left = [entry for entry in kept if entry.path not in above or entry.path in needed]
        hashes = {entry.sha256 for entry in left}
        return Snapshot(
            tuple(left), {name: blob for name, blob in self.blobs.items() if name in hashes}, self.truncated
        )

    @cached_property
    def digest(self) -> str:
        """sha256 over path, kind, mode, size and content hash of every entry; a listing that was cut has another one."""
        listing: list[object] = [[e.path, e.kind, e.mode, e.size, e.sha256] for e in self.entries]
        whole = listing if self.truncated is None else [*listing, "cut"]
        return hashlib.sha256(json.dumps(whole, separators=(",", ":")).encode("ascii")).hexdigest()

    @cached_property
    def _by_path(self) -> dict[str, Entry]:
        return {entry.path: entry for entry in self.entries}

    @cached_property
    def _by_nfc(self) -> dict[str, list[Entry]]:
        index: dict[str, list[Entry]] = {}
        for entry in self.entries:
            index.setdefault(unicodedata.normalize("NFC", entry.path), []).append(entry)
        return index


def unreadable_reason(mode: int, is_directory: bool) -> str | None:
    """Say why the owner could not read a path of this mode, or None where they can."""
    if is_directory:
        return None if mode & 0o500 == 0o500 else f"directory of mode {mode:04o}: its owner may not list it"
    return None if mode & 0o400 else f"file of mode {mode:04o}: its owner may not read it"


def closed_folder(mode: int) -> Snapshot | None:
    """The empty snapshot of a folder whose mode keeps its owner out; None for another mode."""
    reason = unreadable_reason(mode, is_directory=True)
    return Snapshot((), {}, CLOSED + reason) if reason else None


def relative_parts(path: str) -> tuple[str, ...]:
    """Split a POSIX relative path.

    Raises:
        ValueError: it is empty, absolute, or has an empty, `.` or `..` component or a NUL.
    """
    parts = tuple(path.split("/"))
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        raise ValueError(f"{path!r}: expected a relative path without empty, '.' or '..' components")
    return parts
