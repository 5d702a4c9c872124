"""One try of a trial: the solver within its limits, and how that ended."""

import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import anyio
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.exception import TerminateSampleError
from inspect_ai.log import transcript
from inspect_ai.util import (
    Limit,
    LimitExceededError,
    SandboxEnvironment,
    SandboxUnavailableError,
    apply_limits,
    turn_limit,
    working_limit,
)

from clawgym_bench.container import container_of, was_ended_inside
from clawgym_bench.endings import AgentFailed, InfraFailed, LimitReached
from clawgym_bench.limits import CALL_SEC, Limits, RunBudget, counted_limits
from clawgym_bench.modelcall import limited_calls
from clawgym_bench.sandbox import in_thread
from clawgym_bench.workspace import bubblewrap_of
from clawgym_data.outcome import Outcome
from clawgym_data.sandbox import SandboxGone, SandboxRefused

WATCH_SEC = 0.2
BUDGET_CAUSE = "budget: the run's cost limit is reached"


@dataclass(frozen=True)
class Ending:
    """How a try ended."""

    outcome: Outcome
    cause: str = ""

    @property
    def may_be_retried(self) -> bool:
        """Whether a fresh sandbox may bring another end."""
        return self.outcome is Outcome.INFRA_FAILED and self.cause != BUDGET_CAUSE


async def run_within(
    limits: Limits, budget: RunBudget, environment: SandboxEnvironment, act: Callable[[], Awaitable[None]]
) -> Ending:
    """Let a solver work until it ends, fails, or has used up one of its limits.

    Raises:
        LimitExceededError: of a limit that is not the trial's own but the sample's.
        PrerequisiteError, TerminateSampleError: for Inspect.
    """
    if budget.is_used_up:
        return Ending(Outcome.INFRA_FAILED, BUDGET_CAUSE)
    ending: list[Ending] = []
    stopped: list[Ending] = []
    escaped: list[Exception] = []
    # Inspect's own watch looks at the sample's limit only; this one has to stop the solver and nothing else
    turns = turn_limit(limits.turns)
    with working_limit(None) as clock, limited_calls(clock, limits.working_sec, turns) as calls:

        async def watch() -> None:
            while not stopped:
                await anyio.sleep(WATCH_SEC)
                over_sec = clock.usage - limits.working_sec
                if over_sec > (CALL_SEC if calls.open else 0):
                    stopped.append(Ending(Outcome.SCORED, "limit: working"))
                elif budget.is_used_up:
                    stopped.append(Ending(Outcome.INFRA_FAILED, BUDGET_CAUSE))
            group.cancel_scope.cancel()

        async def work() -> None:
            try:
                ending.append(await _classified([turns, *counted_limits(limits, budget)], environment, act))
            except (LimitExceededError, PrerequisiteError, TerminateSampleError) as error:
                # raised outside the task group, which would wrap it
                escaped.append(error)
            group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            group.start_soon(watch)
            await work()
    if escaped:
        raise escaped[0]
    return (ending or stopped)[0]


async def _classified(
    own_limits: list[Limit], environment: SandboxEnvironment, act: Callable[[], Awaitable[None]]
) -> Ending:
    try:
        with apply_limits(own_limits, catch_errors=True) as scope:
            await act()
        if scope.limit_error is not None:
            return Ending(Outcome.SCORED, f"limit: {scope.limit_error.type}")
    except (LimitExceededError, PrerequisiteError, TerminateSampleError):
        raise
    except LimitReached as limit:
        return Ending(Outcome.SCORED, str(limit))
    except AgentFailed as failure:
        return Ending(Outcome.AGENT_FAILED, str(failure))
    except InfraFailed as failure:
        return Ending(Outcome.INFRA_FAILED, str(failure))
    except (SandboxGone, SandboxRefused, SandboxUnavailableError) as gone:
        return await _ending_without_sandbox(environment, gone)
    except Exception as error:
        transcript().info({"traceback": traceback.format_exc()[-4000:]}, source="clawgym")
        return Ending(Outcome.INFRA_FAILED, f"solver: {type(error).__name__}: {str(error)[:500]}")
    return Ending(Outcome.SCORED)


async def _ending_without_sandbox(environment: SandboxEnvironment, gone: Exception) -> Ending:
    container = container_of(environment)
    if container is not None and await in_thread(partial(was_ended_inside, container)):
        return Ending(Outcome.AGENT_FAILED, "ended its sandbox")
    return Ending(Outcome.INFRA_FAILED, f"sandbox: {gone}{_evidence(environment)}")


def _evidence(environment: SandboxEnvironment) -> str:
    own = bubblewrap_of(environment)
    return " (its process was killed on the host)" if own is not None and own.runner.killed_from_outside else ""
