"""The final workspace of a trial as bytes: only what differs from the task's pristine one, and back to a snapshot."""

import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

from clawgym_data.canonical import sha256_hex
from clawgym_data.snapshot import Entry, EntryKind, Snapshot
from clawgym_data.snapshot.model import relative_parts

FORMAT = 1
MAX_CONTENT_BYTES = 32 << 20
"""Contents that are kept of one trial, before compression."""
MAX_LISTING_BYTES = 16 << 20
"""The listing of paths, which hostile names could blow up; above it nothing is kept."""


class KeptError(Exception):
    """A workspace cannot be kept, or not be read back; the message says why."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of which only hash and size are kept."""

    path: str
    sha256: str
    size: int
    reason: str


@dataclass(frozen=True, slots=True)
class Packed:
    """A workspace, ready to be stored."""

    key: str
    """sha256 of the uncompressed bytes: equal workspaces of equal tasks have equal keys."""
    content: bytes
    """Compressed."""
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A workspace that was read back."""

    snapshot: Snapshot
    """With the digest of the one that was kept; the contents of `left_out` files are not in its blobs."""
    left_out: tuple[LeftOut, ...]


def pack(
    snapshot: Snapshot, pristine: Snapshot, first: Sequence[str] = (), max_bytes: int = MAX_CONTENT_BYTES
) -> Packed:
    """Keep what differs from the pristine workspace: added and changed entries of every kind, removed paths, contents.

    Over `max_bytes`, the contents of `first` have precedence, then small ones; of the others hash and size are kept.

    Args:
        snapshot: the final workspace.
        pristine: the workspace that the task began with.
        first: paths of the outputs.
        max_bytes: bound on the contents, before compression.

    Raises:
        KeptError: where the listing alone is too large.
    """
    before = {entry.path: entry for entry in pristine.entries}
    changed = [entry for entry in snapshot.entries if before.pop(entry.path, None) != entry]
    removed = sorted(before.keys() - {entry.path for entry in snapshot.entries})
    contents, left_out = _choose(snapshot, pristine, changed, first, max_bytes)
    header = {
        "format": FORMAT,
        "digest": snapshot.digest,
        "pristine": pristine.digest,
        "truncated": snapshot.truncated,
        "entries": [astuple(entry) for entry in changed],
        "removed": removed,
        "left_out": [astuple(file) for file in left_out],
        "contents": [[sha256, len(content)] for sha256, content in contents.items()],
    }
    # names may hold lone surrogates, which no UTF-8 can carry: ASCII escapes do
    listing = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    if len(listing) > MAX_LISTING_BYTES:
        raise KeptError(f"the listing takes {len(listing)} bytes; at most {MAX_LISTING_BYTES} are kept")
    payload = b"".join([listing, b"\n", *contents.values()])
    return Packed(sha256_hex(payload), gzip.compress(payload, 6, mtime=0), left_out)


def _choose(
    snapshot: Snapshot, pristine: Snapshot, changed: Sequence[Entry], first: Sequence[str], max_bytes: int
) -> tuple[dict[str, bytes], tuple[LeftOut, ...]]:
    """The contents to keep by hash, and the files whose contents do not fit."""
    leading = {entry.path for entry in map(snapshot.get, first) if entry is not None}
    files = [entry for entry in changed if entry.sha256 is not None and entry.sha256 not in pristine.blobs]
    files.sort(key=lambda entry: (entry.path not in leading, entry.size, entry.path))
    contents: dict[str, bytes] = {}
    left_out: list[LeftOut] = []
    used = 0
    for entry in files:
        assert entry.sha256 is not None
        if entry.sha256 in contents:
            continue
        if used + entry.size > max_bytes:
            reason = f"{entry.size} bytes do not fit into the {max_bytes - used} left of {max_bytes} for a trial"
            left_out.append(LeftOut(entry.path, entry.sha256, entry.size, reason))
            continue
        used += entry.size
        contents[entry.sha256] = snapshot.blobs[entry.sha256]
    return dict(sorted(contents.items())), tuple(sorted(left_out, key=lambda file: file.path))


def unpack(key: str, content: bytes, pristine: Snapshot) -> Kept:
    """Read a kept workspace back.

    Args:
        key: what it was stored under.
        content: the stored bytes; a store may come from someone else, so that nothing in them is trusted.
        pristine: the workspace of the task as it is now.

    Raises:
        KeptError: where the bytes are damaged, or the task begins with another workspace now.
    """
    payload = _decompress(content)
    if sha256_hex(payload) != key:
        raise KeptError(f"the stored workspace {key[:12]} is damaged: its bytes have another hash")
    listing, _, body = payload.partition(b"\n")
    try:
        kept = _rebuild(json.loads(listing), body, pristine)
    except (ValueError, KeyError, TypeError) as error:
        raise KeptError(f"the stored workspace {key[:12]} is damaged: {type(error).__name__}: {error}") from error
    return kept


def _decompress(content: bytes) -> bytes:
    bound = MAX_LISTING_BYTES + MAX_CONTENT_BYTES + 1
    reader = zlib.decompressobj(wbits=31)
    try:
        payload = reader.decompress(content, bound + 1)
    except zlib.error as error:
        raise KeptError(f"the stored workspace is damaged: {error}") from error
    if len(payload) > bound:
        raise KeptError(f"the stored workspace unpacks to more than {bound} bytes")
    if not reader.eof:
        raise KeptError("the stored workspace is damaged: it ends early")
    return payload


def _rebuild(header: dict[str, Any], body: bytes, pristine: Snapshot) -> Kept:
    if header["format"] != FORMAT:
        raise KeptError(f"the stored workspace has format {header['format']}; this version reads {FORMAT}")
    if header["pristine"] != pristine.digest:
        raise KeptError("the task begins with another workspace than the trial did: it cannot be graded again")
    blobs = dict(pristine.blobs)
    start = 0
    for sha256, size in header["contents"]:
        blob = body[start : start + size]
        start += size
        if sha256_hex(blob) != sha256:
            raise ValueError(f"a content has another hash than {sha256}")
        blobs[sha256] = blob
    removed = set(header["removed"])
    entries = {entry.path: entry for entry in pristine.entries if entry.path not in removed}
    for path, kind, mode, size, sha256, reason in header["entries"]:
        entries[path] = _entry(Entry(str(path), EntryKind(kind), int(mode), int(size), sha256, reason))
    listed = tuple(entries[path] for path in sorted(entries))
    left_out = tuple(LeftOut(*file) for file in header["left_out"])
    used = {entry.sha256 for entry in listed}
    missing = used - blobs.keys() - {None} - {file.sha256 for file in left_out}
    if missing:
        raise ValueError(f"{len(missing)} contents are missing")
    snapshot = Snapshot(listed, {name: blob for name, blob in blobs.items() if name in used}, header["truncated"])
    if snapshot.digest != header["digest"]:
        raise ValueError("the workspace put together has another digest than the one kept")
    return Kept(snapshot, left_out)


def _entry(entry: Entry) -> Entry:
    """The entry, refused where it could be written outside a folder or is not what its kind says."""
    if entry.kind in (EntryKind.FILE, EntryKind.DIRECTORY):
        relative_parts(entry.path)
    if (entry.kind is EntryKind.FILE) != isinstance(entry.sha256, str) or not 0 <= entry.mode <= 0o7777:
        raise ValueError(f"{entry.path!r} is no {entry.kind}")
    return entry
