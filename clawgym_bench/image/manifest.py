"""The digest of an image: of every file's path, kind, mode and content, and of no date and no owner."""

import hashlib
import os
import re
import stat
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

COMPILED = "usr/local/lib/openclaw/compile-cache"
"""Where Node keeps what it compiled."""
_LEFT_OUT = re.compile(
    rf"(dev|proc|sys|run)/.+|\.dockerenv|etc/(hosts|hostname|mtab|resolv\.conf)|{re.escape(COMPILED)}/.+"
)
"""What an engine puts in by itself, and Node's cache, whose entries depend on what ran when and change no result."""


@dataclass(frozen=True, order=True)
class Entry:
    """One file, folder or link of an image."""

    path: str
    """Relative; bytes that are no UTF-8 as surrogates."""
    kind: str
    mode: int
    content: str
    """SHA-256 of a file, target of a link, else empty."""


def root_digest(entries: Iterable[Entry]) -> str:
    """SHA-256 over the entries in the order of their paths; two links of one file count as two files."""
    digest = hashlib.sha256()
    for entry in sorted(entries):
        if not _LEFT_OUT.fullmatch(entry.path):
            fields = (entry.path, entry.kind, f"{entry.mode:04o}", entry.content)
            digest.update("\0".join(fields).encode("utf-8", "surrogateescape") + b"\n")
    return digest.hexdigest()


def entries_of_folder(root: Path) -> Iterator[Entry]:
    """Every entry below a folder.

    Raises:
        ValueError: something is neither file, folder nor link.
        OSError: something cannot be read.
    """
    for parent, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = os.path.join(parent, name)
            found = os.lstat(path)
            yield _entry(os.path.relpath(path, root), path, found.st_mode)


def _entry(shown: str, path: str, mode: int) -> Entry:
    if stat.S_ISLNK(mode):
        return Entry(shown, "link", 0o777, os.readlink(path))
    if stat.S_ISDIR(mode):
        return Entry(shown, "folder", stat.S_IMODE(mode), "")
    if stat.S_ISREG(mode):
        with open(path, "rb") as file:
            return Entry(shown, "file", stat.S_IMODE(mode), hashlib.file_digest(file, "sha256").hexdigest())
    raise ValueError(f"{path} is neither a file, a folder nor a link")


def entries_of_tar(stream: BinaryIO) -> Iterator[Entry]:
    """Every entry of an archive, such as an engine's export of a container, read once and kept nowhere.

    Raises:
        ValueError: something outside /dev is neither file, folder nor link.
        tarfile.TarError: it is damaged.
    """
    hashes: dict[str, str] = {}
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            path = member.name.removeprefix("./").rstrip("/")
            if path in ("", "."):
                continue
            if member.issym():
                yield Entry(path, "link", 0o777, member.linkname)
            elif member.isdir():
                yield Entry(path, "folder", member.mode & 0o7777, "")
            elif member.islnk():
                hashes[path] = hashes[member.linkname.removeprefix("./")]
                yield Entry(path, "file", member.mode & 0o7777, hashes[path])
            elif (file := archive.extractfile(member)) is not None:
                hashes[path] = hashlib.file_digest(cast(BufferedReader, file), "sha256").hexdigest()
                yield Entry(path, "file", member.mode & 0o7777, hashes[path])
            elif not path.startswith("dev/"):
                raise ValueError(f"{path} is neither a file, a folder nor a link")
