"""What a Docker engine is and enforces."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

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


class _Failure(BaseModel):
    """What `docker info` tells where it reaches no engine."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    errors: tuple[str, ...] | None = Field(default=None, alias="ServerErrors")


class _Info(BaseModel):
    """What `docker info` tells, as far as it is needed."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: str = Field(alias="ServerVersion")
    storage: str = Field(alias="Driver")
    cgroup_version: str | None = Field(default=None, alias="CgroupVersion")
    holds_memory: bool = Field(alias="MemoryLimit")
    holds_processes: bool = Field(alias="PidsLimit")
    security: tuple[str, ...] | None = Field(default=None, alias="SecurityOptions")
    runtimes: dict[str, Any] = Field(alias="Runtimes")
    default_runtime: str = Field(alias="DefaultRuntime")


def find_engine() -> Engine:
    """Ask the engine what it is.

    Raises:
        DockerError: it does not answer, or as no Docker engine does.
        OSError: there is no command `docker`.
    """
    said = call_docker(["info", "--format", "{{json .}}"], "answer", ANSWER_SEC)
    try:
        errors = _Failure.model_validate_json(said).errors
        if errors:
            raise DockerError("answer", "; ".join(errors))
        return _engine(_Info.model_validate_json(said))
    except ValidationError as error:
        lacking = ", ".join(str(fault["loc"][0]) for fault in error.errors() if fault["loc"]) or "JSON object"
        found = f"no valid {lacking} in {said.strip()[:100]!r}; is it a stand-in for Docker?"
        raise DockerError("answer as its engine does", found) from error


def _engine(told: _Info) -> Engine:
    return Engine(
        version=told.version,
        storage=told.storage,
        cgroups=f"cgroup-v{told.cgroup_version or 1}",
        holds_memory=told.holds_memory,
        holds_processes=told.holds_processes,
        has_seccomp=any("name=seccomp" in option for option in told.security or ()),
        runtimes=tuple(sorted(told.runtimes)),
        default_runtime=told.default_runtime,
    )


def image_id(image: str) -> str:
    """Return the id of an image that the engine has.

    Raises:
        DockerError: it has none of this name.
        OSError: there is no command `docker`.
    """
    return call_docker(["image", "inspect", "--format", "{{.Id}}", image], "find the image", ANSWER_SEC).strip()
