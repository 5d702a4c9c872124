"""Why a sandbox could not be started, told apart from what can be seen."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum

from clawgym_data.errors import ClawGymError

OLDEST_BUBBLEWRAP = (0, 7)
"""The first with `--size`, without which no folder of the sandbox has a quota."""
APPARMOR_PROFILE = """\
sudo tee /etc/apparmor.d/bwrap <<'EOF'
abi <abi/4.0>,
include <tunables/global>
profile bwrap {path} flags=(unconfined) {{
  userns,
}}
EOF
sudo apparmor_parser -r /etc/apparmor.d/bwrap"""
_LIMIT_FIX = (
    "Raise it for this user: ulimit -Hn 4096, ulimit -Hu 4096 (as root, or in /etc/security/limits.conf); in a container "
    "start it with --ulimit nofile=4096 --ulimit nproc=4096 --pids-limit 4096."
)
DOCKER_FLAGS = (
    "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined"
)

_INSTALL = {
    "debian": "sudo apt-get install bubblewrap",
    "ubuntu": "sudo apt-get install bubblewrap",
    "fedora": "sudo dnf install bubblewrap",
    "rhel": "sudo dnf install bubblewrap",
    "centos": "sudo dnf install bubblewrap",
    "arch": "sudo pacman -S bubblewrap",
    "alpine": "sudo apk add bubblewrap",
    "suse": "sudo zypper install bubblewrap",
    "opensuse": "sudo zypper install bubblewrap",
}


class Cause(StrEnum):
    """What keeps a sandbox from starting."""

    NOT_LINUX = "not_linux"
    NOT_INSTALLED = "not_installed"
    TOO_OLD = "too_old"
    TOOL_MISSING = "tool_missing"
    """A program of util-linux or coreutils that joins a sandbox."""
    APPARMOR = "apparmor"
    USER_NAMESPACES_OFF = "user_namespaces_off"
    CONTAINER_SECCOMP = "container_seccomp"
    CONTAINER_MASKED_PROC = "container_masked_proc"
    FOLDER = "folder"
    """A folder that the configuration names is missing or closed to the sandbox's user."""
    NO_ANSWER = "no_answer"
    """Bubblewrap hangs, or cannot be run at all."""
    HOST_LIMIT = "host_limit"
    """This user may not have as many processes or open files as a sandbox needs."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Facts:
    """What was seen of the machine and of the attempt to start."""

    platform: str = "linux"
    distribution: tuple[str, ...] = ()
    """ID and ID_LIKE of os-release."""
    bwrap_path: str | None = "/usr/bin/bwrap"
    bwrap_version: tuple[int, ...] = OLDEST_BUBBLEWRAP
    bwrap_fault: str = ""
    """Why its version could not be learnt."""
    missing_tools: tuple[str, ...] = ()
    in_container: bool = False
    apparmor_restricts_userns: str | None = None
    """kernel.apparmor_restrict_unprivileged_userns, None where the kernel has no such setting."""
    unprivileged_userns_clone: str | None = None
    """kernel.unprivileged_userns_clone, likewise."""
    max_user_namespaces: str | None = None
    """user.max_user_namespaces, likewise."""
    error: str = ""
    """What bubblewrap or the first command wrote."""


@dataclass(frozen=True)
class Finding:
    """A cause with the narrow fix."""

    cause: Cause
    message: str
    fix: str


class SandboxRefused(ClawGymError):  # noqa: N818 - a refusal, named like one
    """No sandbox can be started here; nothing weaker is tried instead."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(f"{finding.message}\n{finding.fix}".strip())

    @property
    def cause(self) -> Cause:
        """The cause alone."""
        return self.finding.cause


class SandboxGone(ClawGymError):  # noqa: N818 - a state, named like one
    """The sandbox has ended, so that nothing can run in it any more."""


def classify(facts: Facts) -> Finding:
    """Tell from the facts of a failed attempt what its cause is."""
    finders = (missing_program, _host_limit, _folder, _setting, _container)
    return next((found for find in finders if (found := find(facts))), None) or _from_error(facts)


def missing_program(facts: Facts) -> Finding | None:
    """Return the finding that no attempt is needed for, or None."""
    if facts.platform != "linux":
        message = f"the bubblewrap sandbox needs Linux, this is {facts.platform}"
        return Finding(Cause.NOT_LINUX, message, "Use the docker sandbox: --sandbox docker.")
    install = next((_INSTALL[name] for name in facts.distribution if name in _INSTALL), None)
    install = install or "Install the package `bubblewrap` with the system's package manager."
    if facts.bwrap_path is None:
        return Finding(Cause.NOT_INSTALLED, "bubblewrap (bwrap) is not installed", install)
    if facts.bwrap_fault:
        return _host_limit(with_error(facts, facts.bwrap_fault)) or no_answer(facts, facts.bwrap_fault)
    if facts.bwrap_version < OLDEST_BUBBLEWRAP:
        found, wanted = (".".join(map(str, v)) for v in (facts.bwrap_version, OLDEST_BUBBLEWRAP))
        message = f"bubblewrap {found} has no quotas for folders: {wanted} or newer is needed"
        return Finding(Cause.TOO_OLD, message, "Install a newer bubblewrap (a static build is enough) first in PATH.")
    if facts.missing_tools:
        names = ", ".join(facts.missing_tools)
        return Finding(Cause.TOOL_MISSING, f"not installed: {names}", install.replace("bubblewrap", "util-linux"))
    return None


def no_answer(facts: Facts, fault: str) -> Finding:
    """Return the finding for a bubblewrap that hangs or cannot be run."""
    fix = (
        "See what keeps it: bwrap --ro-bind / / true (a file system that does not answer, an overloaded machine, "
        "another program of that name first in PATH)."
    )
    return Finding(Cause.NO_ANSWER, f"{facts.bwrap_path} {fault}", fix)


@contextmanager
def refused_by_host(facts: Facts) -> Iterator[None]:
    """Tell what keeps this process itself from starting a sandbox.

    Raises:
        SandboxRefused: for an error of the system, with its cause.
    """
    try:
        yield
    except (OSError, RuntimeError) as error:  # threads that cannot be started raise the latter
        raise SandboxRefused(classify(with_error(facts, str(error)))) from error


def _host_limit(facts: Facts) -> Finding | None:
    fixed = re.search(r"failed to set the (?P<name>\w+) resource limit", facts.error)
    if fixed is not None:
        message = f"this user's hard limit {fixed['name']} is lower than what a sandbox gives its processes"
        return Finding(Cause.HOST_LIMIT, message, _LIMIT_FIX)
    if re.search(r"[Tt]oo many open files", facts.error):
        message = f"this user may not open enough files at once (ulimit -n): {facts.error.strip()}"
        return Finding(Cause.HOST_LIMIT, message, _LIMIT_FIX)
    if re.search(r"[Rr]esource temporarily unavailable|can't start new thread|Cannot fork", facts.error):
        message = f"this user may not start enough processes (ulimit -u, or the container's): {facts.error.strip()}"
        return Finding(Cause.HOST_LIMIT, message, _LIMIT_FIX)
    return None


def _folder(facts: Facts) -> Finding | None:
    found = re.search(
        r"(Can't find source path|setpriv: failed to execute) (?P<path>/[^:\n]+): (?P<why>[^\n]+)", facts.error
    )
    if found is None:
        return None
    fix = ""
    if "ermission" in found["why"]:
        fix = (
            "The sandbox's user on the host is an unprivileged one, also where the harness is root: put it where everyone "
            "may read it, for example under /opt."
        )
    return Finding(Cause.FOLDER, f"the sandbox needs {found['path']}: {found['why']}", fix)


def _setting(facts: Facts) -> Finding | None:
    if facts.unprivileged_userns_clone == "0":
        message = "the kernel setting kernel.unprivileged_userns_clone=0 forbids user namespaces"
        return Finding(Cause.USER_NAMESPACES_OFF, message, "sudo sysctl kernel.unprivileged_userns_clone=1")
    if facts.max_user_namespaces == "0":
        message = "the kernel setting user.max_user_namespaces=0 forbids user namespaces"
        return Finding(Cause.USER_NAMESPACES_OFF, message, "sudo sysctl user.max_user_namespaces=15000")
    refused = re.search(r"setting up uid map|RTM_NEWADDR|[Pp]ermission denied|not permitted", facts.error)
    if facts.apparmor_restricts_userns == "1" and refused and not facts.in_container:
        message = "AppArmor forbids bubblewrap its user namespace (kernel.apparmor_restrict_unprivileged_userns=1)"
        return Finding(Cause.APPARMOR, message, APPARMOR_PROFILE.format(path=facts.bwrap_path))
    return None


def _container(facts: Facts) -> Finding | None:
    if re.search(r"[Cc]an't mount proc", facts.error):
        message = "a fresh /proc cannot be mounted: the container's own /proc is masked"
        return Finding(Cause.CONTAINER_MASKED_PROC, message, _docker_fix())
    if facts.in_container and re.search(r"not permitted|[Pp]ermission denied|No permissions", facts.error):
        message = "the container's system call filter (seccomp) or AppArmor profile forbids namespaces"
        return Finding(Cause.CONTAINER_SECCOMP, message, _docker_fix())
    return None


def _docker_fix() -> str:
    return f"Start the container with: docker run {DOCKER_FLAGS} (podman: --security-opt unmask=ALL seccomp=unconfined)"


def _from_error(facts: Facts) -> Finding:
    if re.search(r"No permissions to create new namespace|[Cc]reating new namespace failed", facts.error):
        fix = (
            "See sysctl kernel.unprivileged_userns_clone and user.max_user_namespaces, and the security modules in use."
        )
        return Finding(Cause.USER_NAMESPACES_OFF, "the kernel does not let this user create namespaces", fix)
    return Finding(Cause.UNKNOWN, f"the sandbox did not start: {facts.error.strip() or 'no message'}", "")


def describe_limits(enforcement: dict[str, str]) -> tuple[str, ...]:
    """Return one hint for each way in which the limits that nothing enforces could be."""
    hints = []
    if any(enforcement.get(name) in ("none", "rlimit") for name in ("memory", "processes", "cpus")):
        hints.append(
            "No control group may be made here, so memory and processes are bounded per process only or not at all. "
            "Run under: systemd-run --user --scope -p Delegate=yes COMMAND"
        )
    if enforcement.get("syscalls") == "none":
        hints.append("No system call filter: the machine is neither x86_64 nor aarch64, or its kernel has no seccomp.")
    return tuple(hints)


def with_error(facts: Facts, error: str) -> Facts:
    """Return the facts with what the attempt wrote."""
    return replace(facts, error=error)
