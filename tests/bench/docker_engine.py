"""Docker for tests: why it cannot be used here, or a sandbox of Inspect's provider with our image."""

import functools
import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.docker.docker import DockerSandboxEnvironment

from clawgym_bench.sandbox_choice import COMPOSE_FILE, DOCKER_IMAGE
from clawgym_data.sandbox.docker import GVISOR, find_engine

ENGINE, COMPOSE = (24, 0, 6), (2, 21, 0)
"""What Inspect asks for."""
AT_ONCE = 4
"""Samples of one evaluation; more wait for the machine's cores."""


def _said(*command: str) -> str | None:
    try:
        done = subprocess.run(["docker", *command], capture_output=True, text=True, check=False, timeout=60)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


@functools.cache
def docker_reason() -> str | None:
    """Why Docker cannot be used here; None where it can."""
    for name, least, command in (
        ("engine", ENGINE, ("version", "--format", "{{.Server.Version}}")),
        ("compose", COMPOSE, ("compose", "version", "--short")),
    ):
        said = _said(*command)
        if said is None:
            return f"no Docker {name} answers"
        if _version(said) < least:
            return f"the Docker {name} is {said.strip()}, older than {'.'.join(map(str, least))}"
    if _said("image", "inspect", DOCKER_IMAGE) is None:
        return f"there is no image {DOCKER_IMAGE} (scripts/docker-image makes it)"
    return None


def require_docker() -> None:
    """Skip the test, with the reason, where Docker cannot be used."""
    reason = docker_reason()
    if reason is not None:
        pytest.skip(reason)


def require_gvisor() -> None:
    """Skip the test where Docker cannot be used, or has no gVisor."""
    require_docker()
    if GVISOR not in find_engine().runtimes:
        pytest.skip(f"the Docker engine has no runtime {GVISOR}")


@asynccontextmanager
async def docker_sandbox() -> AsyncIterator[SandboxEnvironment]:
    """One container, as a sample gets it."""
    config = str(COMPOSE_FILE)
    await DockerSandboxEnvironment.task_init("test", config)
    environments = await DockerSandboxEnvironment.sample_init("test", config, {})
    try:
        yield environments["default"]
    finally:
        await DockerSandboxEnvironment.sample_cleanup("test", config, environments, False)
        await DockerSandboxEnvironment.task_cleanup("test", config, True)
