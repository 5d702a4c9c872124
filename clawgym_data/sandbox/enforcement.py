"""What holds each limit of a sandbox."""

from clawgym_data.sandbox import arguments
from clawgym_data.sandbox.cgroup import Cgroup
from clawgym_data.sandbox.config import SandboxConfig
from clawgym_data.sandbox.spawn import spawner


def enforcement(config: SandboxConfig, cgroup: Cgroup) -> dict[str, str]:
    """Return what holds each limit: cgroup-v1, cgroup-v2, rlimit (for each process alone), tmpfs, ... or none."""
    filtered = spawner(restricted=True).filtered
    held = {
        "memory": cgroup.enforcer("memory") or "rlimit",
        "processes": cgroup.enforcer("pids") or "rlimit",
        "workspace": "tmpfs",
        "tmp": "tmpfs",
        "file_size": "rlimit",
        "open_files": "rlimit",
        "network": "namespace",
        "syscalls": "seccomp" if filtered else "none",
        "nested_namespaces": "namespace" if arguments.disables_nested_namespaces() else "none",
    }
    if filtered and held["nested_namespaces"] == "none":
        held["nested_namespaces"] = "seccomp"
    if config.limits.cpus is not None:
        held["cpus"] = cgroup.enforcer("cpu") or "none"
    return held
