"""The bounded collection that every reader of a snapshot fills."""

import hashlib
import time
from collections.abc import Callable

from clawgym_data.snapshot.model import Entry, EntryKind, Snapshot, SnapshotLimits

CHUNK_BYTES = 1 << 20


class LimitError(Exception):
    """A limit on the whole snapshot was reached; what was collected so far stands."""


class Collection:
    """Entries and contents found so far, within the limits of one snapshot."""

    def __init__(self, limits: SnapshotLimits) -> None:
        self.limits = limits
        self.entries: dict[str, Entry] = {}
        self.blobs: dict[str, bytes] = {}
        self.truncated: str | None = None
        self._read_bytes = 0
        self._deadline = time.monotonic() + limits.deadline_sec

    def check_deadline(self) -> None:
        """Raise `LimitError` once the time is used up."""
        if time.monotonic() > self._deadline:
            raise LimitError(f"reading took more than {self.limits.deadline_sec:g} s")

    def add(self, entry: Entry, *, named: bool = False) -> None:
        """Add an entry; one that the caller `named` is never refused for their number."""
        self.check_deadline()
        if len(self.entries) >= self.limits.max_entries and not named and entry.path not in self.entries:
            raise LimitError(f"more than {self.limits.max_entries} entries")
        self.entries[entry.path] = entry

    def read_content(self, path: str, mode: int, size: int, read: Callable[[int], bytes]) -> Entry:
        """Read one file through `read(max_bytes)` and build its entry.

        A file that states or turns out to have more bytes than the limits allow becomes `OVERSIZED`.
        """
        left = self.limits.max_total_bytes - self._read_bytes
        if size > self.limits.max_file_bytes:
            reason = f"{size} bytes are more than {self.limits.max_file_bytes} for one file"
            return Entry(path, EntryKind.OVERSIZED, mode, size, None, reason)
        bound = min(self.limits.max_file_bytes, left)
        chunks: list[bytes] = []
        total = 0
        while total <= bound:
            self.check_deadline()
            chunk = read(min(CHUNK_BYTES, bound + 1 - total))
            if not chunk:
                break
            chunks.append(chunk)
            total += len(chunk)
        if total > bound:
            limit = f"{left} bytes left of the snapshot's {self.limits.max_total_bytes}"
            if bound == self.limits.max_file_bytes:
                limit = f"{bound} bytes for one file"
            return Entry(path, EntryKind.OVERSIZED, mode, size, None, f"more than the {limit}")
        self._read_bytes += total
        content = b"".join(chunks)
        sha256 = hashlib.sha256(content).hexdigest()
        self.blobs.setdefault(sha256, content)
        return Entry(path, EntryKind.FILE, mode, total, sha256, None)

    def finish(self) -> Snapshot:
        """Freeze what was collected."""
        entries = tuple(self.entries[path] for path in sorted(self.entries))
        return Snapshot(entries, self.blobs, self.truncated)
