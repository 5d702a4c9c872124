"""Removing what a harness that was killed could not remove itself.

Its sandboxes die with it and their files were in memory, so that only empty control groups can be left.
"""

import os
from pathlib import Path

from clawgym_data.sandbox.cgroup import NAME, Hierarchy, remove_folder


def start_time(pid: int) -> int | None:
    """Return when a process started, in clock ticks since boot, or None if there is no such process."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return int(status.rpartition(")")[2].split()[19])


def owner_name(count: int) -> str:
    """Return the name of this process's sandbox number `count`."""
    return f"{pid_namespace()}-{os.getpid()}-{start_time(os.getpid())}-{count}"


def pid_namespace() -> int:
    """Return the number of the namespace in which this process's ids hold."""
    return os.stat("/proc/self/ns/pid").st_ino


def sweep(hierarchy: Hierarchy) -> list[Path]:
    """Remove the groups of processes that are gone, with whatever still runs in them; return those removed."""
    removed: list[Path] = []
    for parent in dict.fromkeys(folder for _, folder in hierarchy.parents):
        for folder in parent.iterdir():
            match = NAME.fullmatch(folder.name)
            if match is None or int(match["namespace"]) != pid_namespace():
                continue
            if start_time(int(match["pid"])) != int(match["start"]) and remove_folder(folder):
                removed.append(folder)
    return removed
