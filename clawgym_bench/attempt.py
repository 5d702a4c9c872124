"""The attempt: materialise the task in its sandbox, let the solver work, classify how it ended."""

from typing import Any

import anyio
from inspect_ai._util.error import PrerequisiteError, exception_message
from inspect_ai._util.exception import TerminateSampleError
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageUser, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError, SandboxEnvironment, sandbox

from clawgym_bench.endings import InfraFailed
from clawgym_bench.image.choice import refuse_other_root
from clawgym_bench.limits import INFRA_RETRIES, flags_in_force, which_flag_stopped
from clawgym_bench.runrecord import RunRecord
from clawgym_bench.sandbox import BubblewrapEnvironment
from clawgym_bench.sandbox_choice import refuse_sandbox
from clawgym_bench.solvers import Act, find_solver
from clawgym_bench.taskset import load_set
from clawgym_bench.trial import Ending, run_within
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
def attempt(
    solver: str,
    tasks: str | None = None,
    declared_sandbox: str | None = None,
    declared_root: str | None = None,
    run: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
) -> Solver:
    """One attempt at a task.

    What ends as `infra_failed` is an error of the sample for Inspect, which `inspect eval-retry` runs again. The task
    lets the run go on and has such a sample scored (as unscored), so that the log still tells outcome and cause.

    Args:
        solver: name of who acts.
        tasks: folder of the tasks, as in the task arguments.
        declared_sandbox: what `-T sandbox` said, to find a conflict with `--sandbox`.
        declared_root: digest of the sandbox's root in the log's header, to find out that a retry took another one; None where nothing is said of it.
        run: the log's record of the run, with `limits`; what is found while the run goes on is added to it. Inspect
            writes the log's header anew at the end, so that it holds the additions.
        options: the solver's own arguments, and `preflight`.
    """
    chosen = dict(options or {})
    asks_first = bool(chosen.pop("preflight", False))
    act = find_solver(solver, **chosen)
    record = RunRecord({} if run is None else run)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = load_set(tasks)[str(state.sample_id)]
        environment = sandbox()
        _refuse_wrong_sandbox(environment, declared_sandbox, declared_root)
        flags = flags_in_force()
        record.note_flags(flags)
        state.metadata.update({"inspect_flags": flags} if flags else {})
        try:
            if asks_first:
                await record.ask_first(get_model())
            ending = await _try_until_done(task, state, environment, record, act)
        except LimitExceededError as limit:
            record_outcome(state, Outcome.SCORED, f"limit: {limit.type}")
            raise
        except anyio.get_cancelled_exc_class():
            record_outcome(state, Outcome.SCORED, which_flag_stopped())
            raise
        except TerminateSampleError:
            raise
        except Exception as error:
            record_outcome(state, Outcome.INFRA_FAILED, f"{type(error).__name__}: {exception_message(error)}")
            raise
        record_outcome(state, ending.outcome, ending.cause)
        state.completed = True
        if ending.outcome is Outcome.INFRA_FAILED:
            raise InfraFailed(ending.cause)
        return state

    return solve


async def _try_until_done(
    task: Task, state: TaskState, environment: SandboxEnvironment, record: RunRecord, act: Act
) -> Ending:
    """Try anew, in a fresh sandbox, what failed by no doing of the agent.

    Inspect's own `--retry-on-error` begins a sample anew as well, but a task cannot ask for it, and the last error would
    stop the run or leave the sample out of all scores.
    """
    own = bubblewrap_of(environment)
    for number in range(1, INFRA_RETRIES + 2):
        ending = await _one_try(task, state, environment, record, act)
        if own is None or number > INFRA_RETRIES or not ending.may_be_retried:
            break
        transcript().info({"try": number, "failed": ending.cause}, source="clawgym")
        state.metadata["infra_retries"] = number
        state.messages, state.output = [ChatMessageUser(content=state.input_text)], ModelOutput()
        try:
            await own.restart()
        except (SandboxRefused, OSError) as error:
            return Ending(Outcome.INFRA_FAILED, f"{ending.cause}; no fresh sandbox: {error}")
    return ending


async def _one_try(
    task: Task, state: TaskState, environment: SandboxEnvironment, record: RunRecord, act: Act
) -> Ending:
    try:
        await place((file.path, file.content, file.mode) for file in task.files)
        missing = await _missing_tools(task, environment)
    except (SandboxGone, SandboxRefused, OSError, RuntimeError, TimeoutError) as error:
        return Ending(Outcome.INFRA_FAILED, f"set-up: {type(error).__name__}: {error}")
    if missing:
        raise PrerequisiteError(f"task {task.id} cannot run here: {'; '.join(missing)}")
    return await run_within(record.limits_of(task), record.budget, environment, lambda: act(task, state))


def _refuse_wrong_sandbox(environment: SandboxEnvironment, declared: str | None, declared_root: str | None) -> None:
    own = bubblewrap_of(environment)
    refuse_sandbox("bubblewrap" if own is not None else _provider_name(environment), declared)
    if own is not None and declared_root is not None:
        refuse_other_root(own.runner.config.root, declared_root)


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
