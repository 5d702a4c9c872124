"""Who acts in an attempt. Model-free solvers measure the benchmark itself."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from inspect_ai.solver import TaskState

from clawgym_bench.openclaw import DEFAULT_PROFILE, Profile
from clawgym_bench.solvers.claw_agent import claw_agent
from clawgym_bench.solvers.inspect_swe import inspect_swe
from clawgym_bench.solvers.modelfree import hack, noop, oracle
from clawgym_bench.solvers.openclaw import openclaw
from clawgym_bench.solvers.replay import read_recording, replay
from clawgym_bench.swe.agents import is_swe
from clawgym_data.proof.hacks import HACKS, NEEDS_ANSWER
from clawgym_data.task import Task

Act = Callable[[Task, TaskState], Awaitable[None]]

DEFAULT_SOLVER = "claw_agent"
SOLVERS: dict[str, Act] = {
    "claw_agent": claw_agent,
    "openclaw": openclaw,
    "oracle": oracle,
    "noop": noop,
    "replay": replay,
    **{name: partial(hack, name) for name in HACKS if name not in NEEDS_ANSWER},
}
NEEDS_SOLUTIONS = frozenset({"oracle"})
NEEDS_MODEL = frozenset({"claw_agent", "openclaw"})


def find_solver(
    name: str,
    *,
    context_tokens: int | None = None,
    recording: str | None = None,
    profile: Profile = DEFAULT_PROFILE,
) -> Act:
    """A solver with its own arguments.

    Raises:
        SpecError: the recording cannot be read.
    """
    if name == "claw_agent":
        return partial(claw_agent, context_tokens=context_tokens)
    if name == "openclaw":
        return partial(openclaw, profile=profile, context_tokens=context_tokens)
    if name == "replay":
        return partial(replay, calls=read_recording(Path(recording)) if recording else ())
    if is_swe(name):
        return partial(inspect_swe, name)
    return SOLVERS[name]


def needs_model(name: str) -> bool:
    """Whether the evaluated model acts."""
    return name in NEEDS_MODEL or is_swe(name)


__all__ = ["DEFAULT_SOLVER", "NEEDS_MODEL", "NEEDS_SOLUTIONS", "SOLVERS", "Act", "find_solver", "needs_model"]
