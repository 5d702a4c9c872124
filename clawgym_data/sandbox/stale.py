"""Removing what a harness that was killed could not remove itself.

Its sandboxes end with it and their files were in memory. What can be left is empty control groups, and, where
bubblewrap too was killed in the middle of a set-up or something else still holds the harness's descriptors, processes;
these carry a mark on their command line, which any user can read and no control group is needed for. And there are
temporary folders, named after their harness.
"""

import itertools
import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clawgym_data.sandbox.cgroup import NAME, REMOVE_SEC, Hierarchy, remove_folder
from clawgym_data.sandbox.process import descendants

MARK = "clawgym-sandbox="
_NAMESPACE = Path("/proc/self/ns/pid")
_FOLDER = re.compile(r"clawgym-[a-z]+-(?P<name>\d+-\d+-\d+-\d+)-\w+")
_numbers = itertools.count()


def start_time(pid: int) -> int | None:
    """Return when a process started, in clock ticks since boot; None if there is none, or it only waits to be collected."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = status.rpartition(")")[2].split()
    return None if fields[0] in ("Z", "X") else int(fields[19])


def next_name() -> str:
    """Return a name for one more sandbox, or worker, of this process."""
    return f"{pid_namespace()}-{os.getpid()}-{start_time(os.getpid())}-{next(_numbers)}"


def mark(name: str) -> str:
    """Return the word by which a command line names the harness that it belongs to."""
    return f"{MARK}{name}"


def pid_namespace() -> int:
    """Return the number of the namespace in which this process's ids hold."""
    return _NAMESPACE.stat().st_ino


def sweep(hierarchy: Hierarchy) -> list[Path]:
    """End the marked processes of harnesses that are gone, and remove their groups with whatever still runs in them.

    Their temporary folders go too.

    Returns:
        The groups that were removed.
    """
    end_marked(_lost_its_owner)
    sweep_folders()
    removed: list[Path] = []
    for parent in dict.fromkeys(folder for _, folder in hierarchy.parents):
        for folder in parent.iterdir():
            if _lost_its_owner(folder.name) and remove_folder(folder):
                removed.append(folder)
    return removed


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """Make a folder that goes at the end, or with the sweep of a later harness where this one is killed.

    Args:
        purpose: a word of small letters, for its name.
    """
    owner = f"{next_name()}-" if _NAMESPACE.exists() else ""  # elsewhere than on Linux nothing is swept
    with tempfile.TemporaryDirectory(prefix=f"clawgym-{purpose}-{owner}") as folder:
        yield Path(folder)


def sweep_folders() -> list[Path]:
    """Remove the temporary folders of this user's harnesses that are gone.

    Returns:
        Those that were removed.
    """
    removed = []
    for folder in Path(tempfile.gettempdir()).glob("clawgym-*"):
        match = _FOLDER.fullmatch(folder.name)
        if match and _lost_its_owner(match["name"]) and folder.lstat().st_uid == os.geteuid():
            shutil.rmtree(folder, ignore_errors=True)  # another sweep is at it
            removed.append(folder)
    return removed


def end_marked(is_meant: Callable[[str], bool]) -> bool:
    """Kill the processes with a mark whose name is meant, and what descends from them; return whether all are gone."""
    deadline = time.monotonic() + REMOVE_SEC
    while found := _marked(is_meant):
        if time.monotonic() > deadline:
            return False
        for pid in found:
            _kill_if_marked(pid, is_meant)
        time.sleep(0.002)
    return True


def _lost_its_owner(name: str) -> bool:
    """Whether a name is one of ours and its harness, of this namespace of processes, is gone."""
    match = NAME.fullmatch(name)
    if match is None or int(match["namespace"]) != pid_namespace():
        return False
    return start_time(int(match["pid"])) != int(match["start"])


def _marked(is_meant: Callable[[str], bool]) -> list[int]:
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and _is_marked(int(pid), is_meant)]


def _is_marked(pid: int, is_meant: Callable[[str], bool]) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return any(is_meant(name.decode()) for name in re.findall(rb"\x00%s([\d-]+)(?=\x00)" % MARK.encode(), words))


def _kill_if_marked(pid: int, is_meant: Callable[[str], bool]) -> None:
    """Kill a process, unless its number has gone to another one since it was found."""
    with suppress(ProcessLookupError, PermissionError):
        descriptor = os.pidfd_open(pid)
        try:
            children = descendants(pid)
            if _is_marked(pid, is_meant):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                for child in children:
                    os.kill(child, signal.SIGKILL)
        finally:
            os.close(descriptor)
