"""Removing the containers of a harness that was killed.

Everything that Docker makes for a trial carries the name of its harness as a label: the boot of the machine, its namespace
of processes, the process, and when that started. Whoever sees the same boot and namespace can tell whether it still runs;
what has another boot or namespace, or no such label, belongs to somebody else.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from clawgym_data.sandbox.docker.client import DockerError, call_docker
from clawgym_data.sandbox.stale import pid_namespace, start_time

HARNESS_VARIABLE = "CLAWGYM_HARNESS"
"""The environment variable from which the compose file takes the label."""
LABEL = "clawgym.harness"
LIST_SEC, REMOVE_SEC = 20, 120
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_NAME = re.compile(r"(?P<boot>[\da-f-]{36})\.(?P<namespace>\d+)\.(?P<pid>\d+)\.(?P<start>\d+)")


def harness_name() -> str:
    """Return the label of this process; empty where the system does not tell what it is made of, so that nothing is swept."""
    if not _BOOT.exists():
        return ""
    return f"{_boot()}.{pid_namespace()}.{os.getpid()}.{start_time(os.getpid())}"


def harness_label() -> list[str]:
    """Return the options of `docker create` and `run` by which a container is swept where this process is killed."""
    return ["--label", f"{LABEL}={harness_name()}"]


def sweep_containers() -> list[str]:
    """Remove containers and volumes whose harness is gone; without Docker, or where it does not answer, there are none.

    Returns:
        The names of the containers that were removed.
    """
    if not _BOOT.exists():
        return []
    try:
        containers = _lost(["ps", "--all"], "Names")
        volumes = _lost(["volume", "ls"], "Name")
    except (DockerError, OSError):
        return []
    for listed, words in ((containers, ["rm", "--force", "--volumes"]), (volumes, ["volume", "rm", "--force"])):
        if listed:
            with suppress(DockerError):  # another sweep is at it
                call_docker([*words, *listed], "remove what a killed run left", REMOVE_SEC)
    return containers


def _lost(listing: list[str], name: str) -> list[str]:
    template = f'{{{{.{name}}}}} {{{{.Label "{LABEL}"}}}}'
    found = call_docker([*listing, "--filter", f"label={LABEL}", "--format", template], "list", LIST_SEC)
    lines = [line.split(" ") for line in found.splitlines()]
    return [line[0] for line in lines if len(line) == 2 and _lost_its_owner(line[1])]


def _lost_its_owner(label: str) -> bool:
    match = _NAME.fullmatch(label)
    if match is None or (match["boot"], int(match["namespace"])) != (_boot(), pid_namespace()):
        return False
    return start_time(int(match["pid"])) != int(match["start"])


def _boot() -> str:
    return _BOOT.read_text("ascii").strip()
