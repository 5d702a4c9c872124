"""Docker for tests: why it cannot be used here, or a sandbox of Inspect's provider with our image."""

import functools
import os
import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest
from anyio.from_thread import start_blocking_portal
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.docker.docker import DockerSandboxEnvironment

from clawgym_bench.docker_run import COMPOSE_FILE, IMAGE_KEY
from clawgym_bench.image.docker import docker_tag, has_docker_image
from clawgym_bench.image.store import ImageRecord, stored_images
from clawgym_bench.image.versions import DEFAULT_IMAGE
from clawgym_bench.workspace import WORKSPACE
from clawgym_data.sandbox.docker import GVISOR, find_engine

ENGINE, COMPOSE = (24, 0, 6), (2, 21, 0)
"""What Inspect asks for."""
REASON_VARIABLE = "CLAWGYM_NO_DOCKER"
"""Why CI could not start an engine."""
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
    if not _images():
        return "Docker has no sandbox image (`clawgym bench image build` makes one)"
    return None


def _images() -> list[ImageRecord]:
    """Those of this machine that the engine has, the default one first."""
    found = [record for record in stored_images().values() if has_docker_image(record)]
    return sorted(found, key=lambda record: record.name != DEFAULT_IMAGE)


def docker_tag_for_tests() -> str:
    """The image in the engine."""
    return docker_tag(_images()[0])


def in_docker() -> dict[str, str]:
    """The arguments of a task that runs in Docker."""
    return {"sandbox": "docker", "image": _images()[0].full_name}


def require_docker() -> None:
    """Skip the test, with the reason, where Docker cannot be used."""
    reason = docker_reason()
    if reason is not None:
        pytest.skip(f"Docker: not tested here: {os.environ.get(REASON_VARIABLE) or reason}")


def require_gvisor() -> None:
    """Skip the test where Docker cannot be used, or has no gVisor."""
    require_docker()
    if GVISOR not in find_engine().runtimes:
        pytest.skip(f"Docker: gVisor not tested here: the engine has no runtime {GVISOR}")


@asynccontextmanager
async def docker_sandbox() -> AsyncIterator[SandboxEnvironment]:
    """One container, as a sample gets it."""
    config, metadata = str(COMPOSE_FILE), {IMAGE_KEY: docker_tag_for_tests()}
    await DockerSandboxEnvironment.task_init("test", config)
    environments = await DockerSandboxEnvironment.sample_init("test", config, metadata)
    try:
        yield environments["default"]
    finally:
        await DockerSandboxEnvironment.sample_cleanup("test", config, environments, False)
        await DockerSandboxEnvironment.task_cleanup("test", config, True)


@contextmanager
def shared_docker_sandbox() -> Iterator[SandboxEnvironment]:
    """One container for tests with event loops of their own."""
    require_docker()
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(docker_sandbox()) as environment:
        yield environment


async def cleared(environment: SandboxEnvironment) -> SandboxEnvironment:
    """The container after another test: nothing runs in it, and its folders are empty."""
    script = f"kill -9 -1; find {WORKSPACE} /tmp -mindepth 1 -delete"
    done = await environment.exec(["/bin/bash", "-c", script], cwd="/")
    assert done.success, done.stderr
    return environment
