"""Where kept workspaces lie: a folder beside the log, which moves together with it."""

import os
import secrets
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import fsspec  # type: ignore[import-untyped]
from inspect_ai._util.file import dirname
from inspect_ai.log._samples import sample_active

from clawgym_bench.packed import MAX_CONTENT_BYTES, MAX_LISTING_BYTES, KeptError, Packed

FOLDER = "clawgym-workspaces"
SUFFIX = ".workspace.gz"
PART_SUFFIX = ".part"
STALE_PART_SEC = 3600.0
"""Parts older than this were left by a process that was killed."""


def place_beside(log: str) -> str:
    """The folder of the workspaces of a log, a path or an URL; relative where the log is."""
    return f"{dirname(log) if '://' in log else Path(log).parent}/{FOLDER}"


def place_of_run() -> str | None:
    """The same folder for the trial that is running; None outside a run, as in `inspect score`."""
    # Inspect tells a scorer nowhere else where the log is; tests/bench/test_regrade.py runs it.
    active = sample_active()
    return None if active is None or not active.log_location else place_beside(active.log_location)


class WorkspaceStore:
    """Packed workspaces by key; an entry is there whole or not at all, and equal ones are stored once.

    Args:
        place: a folder, or an URL that fsspec knows.
    """

    def __init__(self, place: str) -> None:
        self.place = place.removeprefix("file://")
        self._local = "://" not in self.place

    def write(self, packed: Packed) -> None:
        """Store a workspace.

        Raises:
            Exception: whatever the file system raises, for a remote one its client's own errors.
        """
        if self._local:
            self._write_local(packed.key, packed.content)
            return
        files, path = fsspec.core.url_to_fs(self._name(packed.key))
        if not files.exists(path):
            files.makedirs(files._parent(path), exist_ok=True)
            files.pipe_file(path, packed.content)

    def read(self, key: str) -> bytes:
        """The stored bytes.

        Raises:
            KeptError: where there are none, or too many.
        """
        try:
            files, path = fsspec.core.url_to_fs(self._name(key))
            if files.size(path) > 2 * (MAX_CONTENT_BYTES + MAX_LISTING_BYTES):
                raise KeptError(f"{self._name(key)} is larger than any workspace that is kept")
            content: bytes = files.cat_file(path)
        except OSError as error:
            raise KeptError(
                f"no workspace {key[:12]} in {self.place}: {error.strerror or type(error).__name__}"
            ) from error
        return content

    def adopt(self, key: str, other: "WorkspaceStore") -> None:
        """Take a workspace over from another store.

        Raises:
            KeptError, OSError: where it is not there, or cannot be written.
        """
        if self.place != other.place:
            self.write(Packed(key, other.read(key), ()))

    def place_from_here(self) -> str:
        """The place as a log should hold it: relative where it is below the current folder."""
        here = f"{Path.cwd()}/"
        return self.place.removeprefix(here)

    def _name(self, key: str) -> str:
        if not key.isalnum():
            raise KeptError(f"{key!r} is no key of a workspace")
        return f"{self.place}/{key}{SUFFIX}"

    def _write_local(self, key: str, content: bytes) -> None:
        target = Path(self._name(key))
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target.parent)
        part = target.parent / f".{key[:16]}.{secrets.token_hex(8)}{PART_SUFFIX}"
        try:
            with part.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise


@cache
def _sweep(folder: Path) -> None:
    """Remove what killed writers left, once a process."""
    for part in folder.glob(f".*{PART_SUFFIX}"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > STALE_PART_SEC:
                part.unlink()
