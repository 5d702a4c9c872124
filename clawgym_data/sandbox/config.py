"""What a sandbox offers and how much of it may be used."""

from pydantic import BaseModel, ConfigDict, Field


class SandboxLimits(BaseModel):
    """Bounds on what everything in one sandbox may use together, unless a field says otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory_mb: int = Field(default=2048, ge=16)
    """Files of the workspace, the home folder and /tmp count as memory too."""
    processes: int = Field(default=256, ge=8)
    cpus: float | None = Field(default=None, gt=0)
    """Cores' worth of time; None leaves it to the scheduler."""
    workspace_mb: int = Field(default=512, ge=1)
    tmp_mb: int = Field(default=512, ge=1)
    """For /tmp, and as much again for the home folder outside the workspace."""
    file_mb: int = Field(default=512, ge=1)
    """The largest single file."""
    open_files: int = Field(default=1024, ge=64)
    """Of each process."""


class SandboxConfig(BaseModel):
    """One kind of sandbox; hashable, so that equal ones can share what was prepared for them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    root: str | None = None
    """Folder of a root file system with /usr (coreutils and util-linux in it) and /etc; None: the host's /usr."""
    workspace: str = "/root/.openclaw/workspace"
    home: str = "/root"
    uid: int = Field(default=1000, ge=1)
    """User and group inside; outside it is an unused one, or the user who runs the harness."""
    hostname: str = "claw"
    read_only_binds: tuple[tuple[str, str], ...] = ()
    """(host path, path inside)."""
    env: tuple[tuple[str, str], ...] = ()
    limits: SandboxLimits = SandboxLimits()
