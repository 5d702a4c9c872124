"""Control groups: one for the commands of each sandbox, where this process may make one."""

import os
import re
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from clawgym_data.sandbox.config import SandboxLimits

MOUNT = Path("/sys/fs/cgroup")
PARENT_NAME = "clawgym"
HARNESS_NAME = "clawgym-harness"
NAME = re.compile(r"(?P<namespace>\d+)-(?P<pid>\d+)-(?P<start>\d+)-\d+")
"""Of a sandbox's group: the process that made it, its pid namespace, when it started, and a count."""
CPU_PERIOD_USEC = 100_000
REMOVE_SEC = 2.0


@dataclass(frozen=True)
class Hierarchy:
    """The folders in which this process may make groups."""

    version: str
    """cgroup-v1, cgroup-v2 or none."""
    parents: tuple[tuple[str, Path], ...]
    """(controller, folder); all in the same folder for version 2."""


NO_HIERARCHY = Hierarchy("none", ())


@dataclass
class Cgroup:
    """The group, or with version 1 the group of each controller, of one sandbox."""

    version: str
    folders: dict[str, Path] = field(default_factory=dict)
    """controller -> folder, of those whose limit is in force."""

    @classmethod
    def create(cls, name: str, limits: SandboxLimits, hierarchy: Hierarchy) -> "Cgroup":
        """Make the group; a controller whose limit cannot be set is left out."""
        group = cls(hierarchy.version)
        for controller, parent in hierarchy.parents:
            settings = _settings(hierarchy.version, controller, limits)
            folder = parent / name
            if not settings:
                continue
            try:
                folder.mkdir(exist_ok=True)
                for file, value in settings.items():
                    (folder / file).write_text(value, encoding="ascii")
            except OSError:
                with suppress(OSError):
                    folder.rmdir()
                continue
            group.folders[controller] = folder
        group._forbid_swap(limits)
        return group

    def enforcer(self, controller: str) -> str | None:
        """Return what holds the limit of a controller, or None."""
        return self.version if controller in self.folders else None

    def join_script(self) -> str:
        """Return the shell words by which a process joins the group, or ends."""
        paths = dict.fromkeys(self.folders.values())
        return "".join(f"echo 0 > {path}/cgroup.procs || exit 125; " for path in paths)

    def oom_kills(self) -> int:
        """Return how often the kernel has killed a member for memory; 0 where no group counts it."""
        folder = self.folders.get("memory")
        if folder is None:
            return 0
        file = folder / ("memory.oom_control" if self.version == "cgroup-v1" else "memory.events")
        with suppress(OSError):  # the sandbox was closed meanwhile: no such file, or no such device
            for line in file.read_text(encoding="ascii").splitlines():
                key, _, value = line.partition(" ")
                if key == "oom_kill":
                    return int(value)
        return 0

    def remove(self) -> None:
        """Kill every member and remove the group; what stays busy is left for the next sweep."""
        folders = dict.fromkeys(self.folders.values())
        self.folders = {}
        for folder in folders:
            remove_folder(folder)

    def _forbid_swap(self, limits: SandboxLimits) -> None:
        folder = self.folders.get("memory")
        if folder is None:
            return
        file, value = ("memory.memsw.limit_in_bytes", str(limits.memory_mb << 20))
        if self.version == "cgroup-v2":
            file, value = "memory.swap.max", "0"
        if (folder / file).exists():
            (folder / file).write_text(value, encoding="ascii")


def _settings(version: str, controller: str, limits: SandboxLimits) -> dict[str, str]:
    is_first = version == "cgroup-v1"
    if controller == "memory":
        return {"memory.limit_in_bytes" if is_first else "memory.max": str(limits.memory_mb << 20)}
    if controller == "pids":
        return {"pids.max": str(limits.processes)}
    if limits.cpus is None:
        return {}
    quota = int(limits.cpus * CPU_PERIOD_USEC)
    if is_first:
        return {"cpu.cfs_period_us": str(CPU_PERIOD_USEC), "cpu.cfs_quota_us": str(quota)}
    return {"cpu.max": f"{quota} {CPU_PERIOD_USEC}"}


def kill_members(folder: Path) -> None:
    """Kill every process of one group, at once where the kernel offers it."""
    if (folder / "cgroup.kill").exists():
        (folder / "cgroup.kill").write_text("1", encoding="ascii")
        return
    for pid in (folder / "cgroup.procs").read_text(encoding="ascii").split():
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def remove_folder(folder: Path) -> bool:
    """Kill the members of one group and remove it; return whether it is gone."""
    deadline = time.monotonic() + REMOVE_SEC
    while time.monotonic() < deadline:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            with suppress(OSError):
                kill_members(folder)
            time.sleep(0.002)
        else:
            return True
    return False


@cache
def find_hierarchy(mount: Path = MOUNT) -> Hierarchy:
    """Find, and where needed make, the folders for the groups of this process."""
    if (mount / "cgroup.controllers").exists():
        parent = _second_version_parent(mount)
        if parent is None:
            return NO_HIERARCHY
        controllers = (parent / "cgroup.subtree_control").read_text(encoding="ascii").split()
        offered = [name for name in ("memory", "pids", "cpu") if name in controllers]
        return Hierarchy("cgroup-v2", tuple((name, parent) for name in offered)) if offered else NO_HIERARCHY
    parents = []
    for controller in ("memory", "pids", "cpu"):
        folder = mount / controller / PARENT_NAME
        with suppress(OSError):
            folder.mkdir(exist_ok=True)
            if os.access(folder, os.W_OK):
                parents.append((controller, folder))
    return Hierarchy("cgroup-v1", tuple(parents)) if parents else NO_HIERARCHY


def _second_version_parent(mount: Path) -> Path | None:
    """Return the folder for groups below the real root, or below this process's own delegated group."""
    own = mount / Path("/proc/self/cgroup").read_text(encoding="ascii").rpartition("::")[2].strip().lstrip("/")
    is_real_root = not (mount / "cgroup.type").exists()
    base = mount if is_real_root and os.access(mount / "cgroup.procs", os.W_OK) else own
    if base.name == HARNESS_NAME:
        base = base.parent
    try:
        if base != mount or not is_real_root:
            # A group with controllers for its children must have no processes of its own.
            (base / HARNESS_NAME).mkdir(exist_ok=True)
            for pid in (base / "cgroup.procs").read_text(encoding="ascii").split():
                (base / HARNESS_NAME / "cgroup.procs").write_text(pid, encoding="ascii")
        _enable_controllers(base)
        (base / PARENT_NAME).mkdir(exist_ok=True)
        _enable_controllers(base / PARENT_NAME)
    except OSError:
        return None
    return base / PARENT_NAME


def _enable_controllers(folder: Path) -> None:
    offered = (folder / "cgroup.controllers").read_text(encoding="ascii").split()
    wanted = [f"+{name}" for name in ("memory", "pids", "cpu") if name in offered]
    (folder / "cgroup.subtree_control").write_text(" ".join(wanted), encoding="ascii")
