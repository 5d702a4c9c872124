"""Writing files into a folder whose content belongs to someone else."""

import os
from collections.abc import Iterable
from contextlib import nullcontext, suppress

from clawgym_data.sandbox.hostuser import HostUser
from clawgym_data.snapshot.model import relative_parts

_FOLDER_MODE = 0o755


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


def _open_parents(folder_fd: int, parents: list[str]) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    directory_fd = os.open(".", flags, dir_fd=folder_fd)
    for part in parents:
        created = False
        try:
            with suppress(FileExistsError):
                os.mkdir(part, 0o700, dir_fd=directory_fd)
                created = True
            inner_fd = os.open(part, flags, dir_fd=directory_fd)
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
