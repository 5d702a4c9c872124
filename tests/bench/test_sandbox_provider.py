"""Inspect's own conformance checks, run on the provider, and what they do not look at."""

from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

import anyio
import pytest
import pytest_asyncio
from inspect_ai.util import SandboxUnavailableError, SandboxUserUnsupportedError
from inspect_ai.util._sandbox import self_check
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

from clawgym_bench.sandbox import BubblewrapEnvironment
from clawgym_data.sandbox import SandboxConfig

# Not applicable: the sandbox has one user, without privileges, so that no other can be added or become root.
del test_exec_as_user  # type: ignore[name-defined]  # noqa: F821

for _name in self_check.__all__:
    if _name in globals():
        globals()[_name] = pytest.mark.asyncio(globals()[_name])


@pytest_asyncio.fixture
async def sandbox_env() -> AsyncIterator[BubblewrapEnvironment]:
    environments = await BubblewrapEnvironment.sample_init("task", SandboxConfig(), {})
    yield environments["default"].as_type(BubblewrapEnvironment)
    await BubblewrapEnvironment.sample_cleanup("task", SandboxConfig(), environments, False)


def test_every_other_check_of_inspect_is_collected() -> None:
    left_out = {name for name in self_check.__all__ if name not in globals()}

    assert left_out == {"test_exec_as_user"}


@pytest.mark.asyncio
async def test_another_user_is_refused_by_name(sandbox_env: BubblewrapEnvironment) -> None:
    with pytest.raises(SandboxUserUnsupportedError, match="root"):
        await sandbox_env.exec(["id"], user="root")


@pytest.mark.asyncio
async def test_a_cancelled_command_is_dead_before_the_cancellation_goes_on(sandbox_env: BubblewrapEnvironment) -> None:
    began = monotonic()
    with anyio.move_on_after(0.3):
        await sandbox_env.exec(["sh", "-c", "sleep 47 & sleep 47"])

    assert monotonic() - began < 5
    assert "sleep 47" not in (await sandbox_env.exec(["ps", "axo", "args"])).stdout


@pytest.mark.asyncio
async def test_a_link_to_a_host_file_reads_as_missing(sandbox_env: BubblewrapEnvironment) -> None:
    await sandbox_env.exec(["ln", "-s", "/etc/shadow", "leak.txt"])

    with pytest.raises(FileNotFoundError):
        await sandbox_env.read_file("leak.txt")


@pytest.mark.asyncio
async def test_the_runner_is_there_for_the_scorer(sandbox_env: BubblewrapEnvironment) -> None:
    await sandbox_env.write_file("out/answer.txt", "42\n")
    sandbox_env.runner.end_processes()

    assert sandbox_env.runner.snapshot().content("out/answer.txt") == b"42\n"


@pytest.mark.asyncio
async def test_an_ended_sandbox_is_unavailable(sandbox_env: BubblewrapEnvironment) -> None:
    sandbox_env.runner.close()

    with pytest.raises(SandboxUnavailableError):
        await sandbox_env.exec(["true"])


@pytest.mark.asyncio
async def test_more_commands_than_default_threads_run_at_once(sandbox_env: BubblewrapEnvironment) -> None:
    began = monotonic()
    async with anyio.create_task_group() as group:
        for _ in range(60):
            group.start_soon(sandbox_env.exec, ["sleep", "1"])

    assert monotonic() - began < 10


@pytest.mark.asyncio
@pytest.mark.parametrize("word", ["a\0b", "\ud800", "x" * (1 << 20)])
@pytest.mark.fault("agent-escapes-its-zero")
async def test_a_command_that_no_system_could_start_is_the_agents_failure(
    sandbox_env: BubblewrapEnvironment, word: str
) -> None:
    result = await sandbox_env.exec(["echo", word])

    assert not result.success
    assert "cannot be started" in result.stderr
    with pytest.raises(OSError, match="cannot be started"):
        await sandbox_env.write_file(word, "x")


def test_a_recorded_configuration_comes_back() -> None:
    config: Any = SandboxConfig(env=(("A", "b"),))

    assert BubblewrapEnvironment.config_deserialize(config.model_dump(mode="json")) == config
    assert hash(config) == hash(SandboxConfig(env=(("A", "b"),)))


@pytest.mark.asyncio
async def test_a_configuration_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="not by"):
        await BubblewrapEnvironment.sample_init("task", "compose.yaml", {})
