"""Gathering what is known of the machine before a sandbox is started."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from clawgym_data.sandbox.causes import Facts

HOST_TOOLS = ("sh", "prlimit", "nsenter", "setpriv")
VERSION_SEC = 10.0
CAP_SETUID, CAP_SYS_ADMIN = 7, 21


@cache
def gather_facts() -> Facts:
    """Return the facts of this machine; the attempt's own message is added by whoever makes it."""
    if sys.platform != "linux":
        return Facts(platform=sys.platform, bwrap_path=None)
    bwrap = shutil.which("bwrap", path=f"{os.environ.get('PATH', '')}:/usr/bin:/bin")
    version, fault = _version(bwrap) if bwrap else ((), "")
    return Facts(
        distribution=_distribution(),
        bwrap_path=bwrap,
        bwrap_version=version,
        bwrap_fault=fault,
        missing_tools=tuple(tool for tool in HOST_TOOLS if shutil.which(tool, path="/usr/bin:/bin") is None),
        in_container=_in_container(),
        apparmor_restricts_userns=_setting("kernel/apparmor_restrict_unprivileged_userns"),
        unprivileged_userns_clone=_setting("kernel/unprivileged_userns_clone"),
        max_user_namespaces=_setting("user/max_user_namespaces"),
    )


@cache
def is_privileged() -> bool:
    """Whether this process may enter any namespace and give each sandbox a host user of its own."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    effective = int(next(line for line in status.splitlines() if line.startswith("CapEff:")).split()[1], 16)
    return os.geteuid() == 0 and all(effective >> capability & 1 for capability in (CAP_SETUID, CAP_SYS_ADMIN))


def _version(bwrap: str) -> tuple[tuple[int, ...], str]:
    """Return the version, or what kept bubblewrap from telling it."""
    command = [bwrap, "--version"]
    try:
        output = subprocess.run(command, capture_output=True, text=True, check=False, timeout=VERSION_SEC).stdout
    except subprocess.TimeoutExpired:
        return (), f"did not tell its version within {VERSION_SEC:g} s"
    except OSError as error:
        return (), f"cannot be run: {error.strerror}"
    return tuple(int(number) for number in re.findall(r"\d+", output)), ""


def _distribution() -> tuple[str, ...]:
    names: list[str] = []
    for line in (_text("/etc/os-release") or "").splitlines():
        key, _, value = line.partition("=")
        if key in ("ID", "ID_LIKE"):
            names += value.strip("\"'").split()
    return tuple(names)


def _setting(path: str) -> str | None:
    text = _text(f"/proc/sys/{path}")
    return None if text is None else text.strip()


def _text(path: str) -> str | None:
    """Return what a file holds; None where there is none, or this user may not read it."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def _in_container() -> bool:
    marks = ("/.dockerenv", "/run/.containerenv")
    return any(Path(mark).exists() for mark in marks) or "KUBERNETES_SERVICE_HOST" in os.environ
