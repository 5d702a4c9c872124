"""The attempt: materialise the task in its sandbox, let the solver work, classify how it ended."""

import anyio
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError, SandboxEnvironment, sandbox

from clawgym_bench.sandbox import BubblewrapEnvironment
from clawgym_bench.solvers import SOLVERS
from clawgym_bench.taskset import load_set
from clawgym_bench.workspace import bubblewrap_of, place
from clawgym_data.outcome import Outcome
from clawgym_data.sandbox import SandboxGone, SandboxRefused, probe_tools
from clawgym_data.task import Task

OUTCOME_KEY, CAUSE_KEY = "clawgym_outcome", "clawgym_cause"


def record_outcome(state: TaskState, outcome: Outcome, cause: str = "") -> None:
    """Note how the trial ended, for the scorers; the first cause stands."""
    if state.store.get(OUTCOME_KEY) is None:
        state.store.set(OUTCOME_KEY, outcome.value)
        state.store.set(CAUSE_KEY, cause)


def outcome_of(state: TaskState) -> tuple[Outcome, str]:
    """How the trial ended so far, and why."""
    return Outcome(state.store.get(OUTCOME_KEY) or Outcome.SCORED), state.store.get(CAUSE_KEY) or ""


@solver
def attempt(solver: str, tasks: str | None = None, declared_sandbox: str | None = None) -> Solver:
    """One attempt at a task.

    Args:
        solver: name of who acts.
        tasks: folder of the tasks, as in the task arguments.
        declared_sandbox: what `-T sandbox` said, to find a conflict with `--sandbox`.
    """
    act = SOLVERS[solver]

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = load_set(tasks)[str(state.sample_id)]
        environment = sandbox()
        _refuse_wrong_sandbox(environment, declared_sandbox)
        try:
            await place((file.path, file.content, file.mode) for file in task.files)
            missing = await _missing_tools(task, environment)
        except (SandboxGone, SandboxRefused, OSError, RuntimeError, TimeoutError) as error:
            record_outcome(state, Outcome.INFRA_FAILED, f"set-up: {type(error).__name__}: {error}")
            return state
        if missing:
            raise PrerequisiteError(f"task {task.id} cannot run here: {'; '.join(missing)}")
        try:
            await act(task, state)
        except LimitExceededError as limit:
            record_outcome(state, Outcome.SCORED, f"limit: {limit.type}")
            raise
        except (SandboxGone, SandboxRefused) as error:
            record_outcome(state, Outcome.INFRA_FAILED, f"sandbox: {error}")
        state.completed = True
        return state

    return solve


def _refuse_wrong_sandbox(environment: SandboxEnvironment, declared: str | None) -> None:
    actual = "bubblewrap" if bubblewrap_of(environment) is not None else _provider_name(environment)
    if declared is not None and actual != declared:
        raise PrerequisiteError(
            f"clawgym_bench: --sandbox {actual} and -T sandbox={declared} contradict each other; pass one of them"
        )
    if actual == "local":
        raise PrerequisiteError(
            "clawgym_bench: --sandbox local would run an agent's commands on this host; use bubblewrap or docker"
        )


def _provider_name(environment: SandboxEnvironment) -> str:
    for kind in ("docker", "local"):
        from inspect_ai.util._sandbox.registry import registry_find_sandboxenv

        try:
            environment.as_type(registry_find_sandboxenv(kind))
        except TypeError:
            continue
        return kind
    return type(environment).__name__


async def _missing_tools(task: Task, environment: SandboxEnvironment) -> list[str]:
    own: BubblewrapEnvironment | None = bubblewrap_of(environment)
    tools = [(tool.name, tool.min_version) for tool in task.spec.environment.tools]
    if not tools or own is None:
        return []
    return await anyio.to_thread.run_sync(lambda: probe_tools(own.runner, tools))
