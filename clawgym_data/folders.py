"""Walking through folders that may hold anything: links are named and never followed, no depth ends the program."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path


def everything(entry: "os.DirEntry[str]") -> bool:
    """Enter each folder."""
    return True


def walk(root: Path, enter: Callable[["os.DirEntry[str]"], bool] = everything) -> Iterator["os.DirEntry[str]"]:
    """Everything below `root`, each folder before what it holds, by name within a folder.

    Unlike `os.walk` (recursive before Python 3.12) it takes any depth, and a folder that cannot be read is an error.

    Args:
        root: a folder.
        enter: whether to look into a folder.

    Raises:
        OSError: a folder cannot be listed, or its path is longer than the system takes.
    """
    waiting = _listed(root)
    while waiting:
        entry = waiting.pop()
        yield entry
        if entry.is_dir(follow_symlinks=False) and enter(entry):
            waiting += _listed(Path(entry.path))


def _listed(folder: Path) -> list["os.DirEntry[str]"]:
    """The entries, the first by name at the end."""
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name, reverse=True)
