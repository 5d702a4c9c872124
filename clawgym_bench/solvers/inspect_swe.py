"""`inspect_swe/NAME`: an agent of the package inspect-swe, with the evaluated model behind it."""

import anyio
from inspect_ai.agent import Agent, AgentState
from inspect_ai.model import ChatMessageUser, get_model
from inspect_ai.solver import TaskState
from inspect_ai.util import sandbox

from clawgym_bench.openclaw.scaffold import SCAFFOLD_KEY, find_scaffold
from clawgym_bench.swe.agents import accepted, find_factory
from clawgym_bench.swe.calls import HarnessCalls
from clawgym_bench.swe.ending import raise_unless_done
from clawgym_data.sandbox import SandboxConfig
from clawgym_data.task import Task

HOME_DIR = f"{SandboxConfig().home}/.harness"
"""For agents that would keep their own files in the working folder."""


async def inspect_swe(solver: str, task: Task, state: TaskState) -> None:
    """Let the agent work on the task, with the evaluated model.

    Args:
        solver: `inspect_swe/` and the agent's name in the package.
        task: what is asked for; the instruction is in the state already.
        state: of the sample.

    Raises:
        AgentFailed, LimitReached, InfraFailed: see there.
        LimitExceededError: one of Inspect's limits.
    """
    factory, environment = find_factory(solver), sandbox()
    given_files = [file.path for file in task.files]

    async def note_scaffold() -> None:
        state.store.set(SCAFFOLD_KEY, await find_scaffold(environment, given_files))

    talk = AgentState(messages=[ChatMessageUser(content=state.input_text)])
    stop = anyio.Event()
    calls = HarnessCalls(stop.set, note_scaffold)
    agent = factory(**accepted(factory, {"version": "sandbox", "filter": calls.filter, "home_dir": HOME_DIR}))
    try:
        with calls.in_force(get_model()):
            failure = await _run_until(stop, agent, talk)
    finally:
        state.messages, state.output = talk.messages, talk.output
    await raise_unless_done(calls, failure, environment)


async def _run_until(stop: anyio.Event, agent: Agent, talk: AgentState) -> BaseException | None:
    """Run an agent until it ends or is stopped; returns what it raised.

    In a task of its own: where the bridge is cancelled while a call fails, it may raise a cancellation that is nobody's.
    """
    failures: list[BaseException] = []

    async def run() -> None:
        try:
            await agent(talk)
        except BaseException as error:
            failures.append(error)
            if not isinstance(error, Exception):
                raise
        finally:
            stop.set()

    async with anyio.create_task_group() as group:
        group.start_soon(run)
        await stop.wait()
        group.cancel_scope.cancel()
    return failures[0] if failures else None


__all__ = ["inspect_swe"]
