"""What a Docker engine is and enforces."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from clawgym_data.sandbox.docker.client import DockerError, call_docker

ANSWER_SEC = 60
GVISOR = "runsc"
"""The name under which engines have gVisor as a runtime."""


class Engine(BaseModel):
    """The engine that the command `docker` reaches."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    storage: str
    """Its storage driver."""
    cgroups: str
    """cgroup-v1, cgroup-v2."""
    holds_memory: bool
    holds_processes: bool
    has_seccomp: bool
    runtimes: tuple[str, ...]
    default_runtime: str

    def enforcement(self, runtime: str) -> dict[str, str]:
        """Return what holds each limit of our compose file in a container, for one of the runtimes."""
        filtered = "gvisor" if runtime == GVISOR else "seccomp" if self.has_seccomp else "none"
        return {
            "memory": self.cgroups if self.holds_memory else "none",
            "processes": self.cgroups if self.holds_processes else "none",
            "workspace": "tmpfs",
            "tmp": "tmpfs",
            "root": "read-only",
            "file_size": "rlimit",
            "open_files": "rlimit",
            "network": "namespace",
            "syscalls": filtered,
            "nested_namespaces": filtered,
        }


def find_engine() -> Engine:
    """Ask the engine what it is.

    Raises:
        DockerError: it does not answer.
        OSError: there is no command `docker`.
    """
    told = json.loads(call_docker(["info", "--format", "{{json .}}"], "answer", ANSWER_SEC))
    if told.get("ServerErrors"):
        raise DockerError("answer", "; ".join(told["ServerErrors"]))
    return _engine(told)


def _engine(told: Mapping[str, Any]) -> Engine:
    return Engine(
        version=told["ServerVersion"],
        storage=told["Driver"],
        cgroups=f"cgroup-v{told.get('CgroupVersion') or 1}",
        holds_memory=told["MemoryLimit"],
        holds_processes=told["PidsLimit"],
        has_seccomp=any("name=seccomp" in option for option in told.get("SecurityOptions") or ()),
        runtimes=tuple(sorted(told["Runtimes"])),
        default_runtime=told["DefaultRuntime"],
    )


def image_id(image: str) -> str:
    """Return the id of an image that the engine has.

    Raises:
        DockerError: it has none of this name.
        OSError: there is no command `docker`.
    """
    return call_docker(["image", "inspect", "--format", "{{.Id}}", image], "find the image", ANSWER_SEC).strip()
