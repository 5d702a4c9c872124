"""Completing a snapshot that was cut by the paths that must be in it, each asked for by its name."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import IO, BinaryIO, cast

from clawgym_data.snapshot.collect import Collection, LimitError
from clawgym_data.snapshot.model import (
    DEFAULT_LIMITS,
    EntryKind,
    Snapshot,
    SnapshotLimits,
    relative_parts,
)
from clawgym_data.snapshot.tar import read_one

OpenArchive = Callable[[str], AbstractContextManager[IO[bytes]]]
"""From a relative path to a tar stream whose first member is what is there; an empty one where nothing is."""


def add_named(
    snapshot: Snapshot, first: Sequence[str], open_archive: OpenArchive, limits: SnapshotLimits = DEFAULT_LIMITS
) -> Snapshot:
    """Return the snapshot with those of the paths `first` that a limit on the whole kept out of it.

    They are read in their order, with limits of their own. Below something that is no plain folder nothing is read: an
    archive by name would follow a link on the way.

    Raises:
        ValueError: a path of `first` is not relative.
    """
    missing = [path for path in first if _was_cut(snapshot, path)]
    if not missing:
        return snapshot
    named = Collection(limits)
    try:
        for path in missing:
            _read_with_parents(relative_parts(path), open_archive, named)
    except LimitError:
        pass  # the snapshot is cut, and says so
    entries = {entry.path: entry for entry in snapshot.entries} | named.entries
    return Snapshot(
        tuple(entries[path] for path in sorted(entries)), {**snapshot.blobs, **named.blobs}, snapshot.truncated
    )


def _was_cut(snapshot: Snapshot, path: str) -> bool:
    entry = snapshot.get(path)
    return snapshot.truncated is not None if entry is None else entry.kind is EntryKind.OVERSIZED


def _read_with_parents(parts: tuple[str, ...], open_archive: OpenArchive, named: Collection) -> None:
    for depth in range(1, len(parts) + 1):
        path = "/".join(parts[:depth])
        entry = named.entries.get(path)
        if entry is None:
            with open_archive(path) as stream:
                entry = read_one(cast(BinaryIO, stream), path, named)
            if entry is None:
                return
            named.add(entry, named=True)
        if entry.kind is not EntryKind.DIRECTORY:
            return
