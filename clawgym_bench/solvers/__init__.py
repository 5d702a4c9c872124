"""Who acts in an attempt. Model-free solvers measure the benchmark itself."""

from collections.abc import Awaitable, Callable
from functools import partial

from clawgym_data.proof.hacks import HACKS, NEEDS_ANSWER
from inspect_ai.solver import TaskState

from clawgym_bench.solvers.modelfree import hack, noop, oracle
from clawgym_data.task import Task

Act = Callable[[Task, TaskState], Awaitable[None]]

SOLVERS: dict[str, Act] = {
    "oracle": oracle,
    "noop": noop,
    **{name: partial(hack, name) for name in HACKS if name not in NEEDS_ANSWER},
}
NEEDS_SOLUTIONS = frozenset({"oracle"})

__all__ = ["NEEDS_SOLUTIONS", "SOLVERS", "Act"]
