"""Reading and writing files of a folder whose content belongs to someone else."""

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import nullcontext, suppress

from clawgym_data.sandbox.hostuser import HostUser
from clawgym_data.snapshot.model import relative_parts

_FOLDER_MODE = 0o755
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def put_files(folder_fd: int, files: Iterable[tuple[str, bytes, int]], user: HostUser | None) -> None:
    """Write (relative path, content, mode) below an open folder as `user`, refusing links on the way.

    Raises:
        ValueError: a path is absolute or has a `..` component.
        OSError: a parent is a link or no folder, or there is no room.
    """
    with user.file_access() if user is not None else nullcontext():
        for path, content, mode in files:
            *parents, name = relative_parts(path)
            directory_fd = _open_parents(folder_fd, parents)
            try:
                _write(name, directory_fd, content, mode)
            finally:
                os.close(directory_fd)


def fetch_file(folder_fd: int, path: str, max_bytes: int, user: HostUser | None) -> tuple[bytes, int]:
    """Read the start of a plain file below an open folder as `user`, refusing links on the way.

    Returns:
        The first `max_bytes` of the content, and the size of the file.

    Raises:
        ValueError: the path is absolute or has a `..` component.
        OSError: as opening it raises, or it is a link or no plain file.
    """
    with user.file_access() if user is not None else nullcontext():
        descriptor = _open_plain(folder_fd, path, os.O_RDONLY)
        with open(descriptor, "rb") as file:
            return file.read(max_bytes), os.fstat(descriptor).st_size


def replace_content(folder_fd: int, path: str, content: bytes, user: HostUser | None) -> None:
    """Write a plain file below an open folder as `user`, refusing links on the way; its mode and links to it stay.

    Raises:
        ValueError: the path is absolute or has a `..` component.
        OSError: as opening it raises, it is a link or no plain file, or there is no room.
    """
    *parents, _ = relative_parts(path)
    with user.file_access() if user is not None else nullcontext():
        os.close(_open_parents(folder_fd, parents))
        with open(_open_plain(folder_fd, path, os.O_WRONLY | os.O_CREAT), "wb") as file:
            file.truncate(0)
            file.write(content)


def _open_plain(folder_fd: int, path: str, access: int) -> int:
    """Open a plain file without following a link, and without waiting for the other end of a fifo."""
    *parents, name = relative_parts(path)
    directory_fd = os.dup(folder_fd)
    try:
        for part in parents:
            inner_fd = os.open(part, _FOLDER_FLAGS, dir_fd=directory_fd)
            os.close(directory_fd)
            directory_fd = inner_fd
        flags = access | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o644, dir_fd=directory_fd)
    finally:
        os.close(directory_fd)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
    raise OSError(errno.EINVAL, "Not a plain file", path)


def _open_parents(folder_fd: int, parents: list[str]) -> int:
    directory_fd = os.open(".", _FOLDER_FLAGS, dir_fd=folder_fd)
    for part in parents:
        created = False
        try:
            with suppress(FileExistsError):
                os.mkdir(part, 0o700, dir_fd=directory_fd)
                created = True
            inner_fd = os.open(part, _FOLDER_FLAGS, dir_fd=directory_fd)
        finally:
            os.close(directory_fd)
        directory_fd = inner_fd
        if created:
            os.fchmod(directory_fd, _FOLDER_MODE)
    return directory_fd


def _write(name: str, directory_fd: int, content: bytes, mode: int) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=directory_fd)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(name, flags, 0o600, dir_fd=directory_fd), "wb") as file:
        file.write(content)
        os.fchmod(file.fileno(), mode & 0o777)
