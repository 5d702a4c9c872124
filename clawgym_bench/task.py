"""`inspect eval clawgym_bench`."""

import mmap
from typing import Any

from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model._model import active_model
from inspect_ai.util import SandboxEnvironmentSpec
from rich.console import Console

from clawgym_bench.arguments import Arguments, read_arguments
from clawgym_bench.attempt import attempt
from clawgym_bench.binds import with_binds
from clawgym_bench.docker_run import COMPOSE_FILE, docker_environment, docker_metadata
from clawgym_bench.estimate import estimate
from clawgym_bench.image.choice import Root, choose_root
from clawgym_bench.limits import GENERATE_CONFIG, Limits, limits_record
from clawgym_bench.openclaw.installed import require_openclaw
from clawgym_bench.preflight import MODEL_FREE_PROVIDERS
from clawgym_bench.refusal import refusals_are_seen
from clawgym_bench.sandbox_choice import DEFAULT_SANDBOX, refuse_sandbox, sandbox_flag
from clawgym_bench.scorer import coverage, verdict
from clawgym_bench.shellpath import shell_path
from clawgym_bench.solvers import DEFAULT_SOLVER, NEEDS_SOLUTIONS, SOLVERS, find_solver, needs_model
from clawgym_bench.swe.agents import find_factory, is_swe
from clawgym_bench.swe.probe import require_program
from clawgym_bench.taskset import load_set
from clawgym_data.errors import ClawGymError
from clawgym_data.sandbox import SandboxConfig, diagnose
from clawgym_data.task import Task

VERSION = "1-A"
"""Version of the results and of the interface: numbers of another first part are not comparable."""

MAX_ARGUMENT_BYTES = 32 * mmap.PAGESIZE - 1
"""Of one argument of a program, without the NUL at its end."""


@task
@refusals_are_seen()
def clawgym_bench(  # noqa: PLR0913, PLR0917 - the arguments of `-T`
    solver: str | None = None,
    sandbox: str | None = None,
    tasks: str | None = None,
    category: str | None = None,
    task: str | list[str] | None = None,
    split: str | None = None,
    replay: str | None = None,
    context_tokens: int | None = None,
    preflight: bool | None = None,
    profile: str | None = None,
    bind: str | list[str] | None = None,
    image: str | None = None,
    runtime: str | None = None,
    working_limit: float | None = None,
    turn_limit: int | None = None,
    token_limit: int | None = None,
    cost_limit: float | None = None,
    run_cost_limit: float | None = None,
    **unknown: Any,  # noqa: ANN401 - whatever a user misspells
) -> InspectTask:
    """The benchmark of Claw-style agents.

    Args:
        solver: who acts, `claw_agent` by default; see `clawgym_bench.solvers`.
        sandbox: `bubblewrap` (default) or `docker`.
        tasks: a folder with task folders; the benchmark's own by default.
        category: only tasks of this category.
        task: only these task ids, separated by commas.
        split: only tasks of this split.
        replay: a file of recorded calls for the solver `replay`.
        context_tokens: what the model takes, where Inspect does not know it.
        preflight: whether one call before the first trial tests the server; by default for models that are not scripted.
        profile: which tools `openclaw` offers, `compact` (default) or `full`.
        bind: folders of this host that the bubblewrap sandbox shows read-only, `HOST_PATH:/opt/NAME`, for programs.
        image: the sandbox's root file system: a name or path of an image, or `host`; by default the default image where
            this machine has it, else this host's own /usr.
        runtime: of the Docker engine, such as gVisor's `runsc`, for the sandbox `docker`; its default by default.
        working_limit: seconds of a trial, without waiting for the provider.
        turn_limit: model calls of a trial.
        token_limit: tokens of a trial.
        cost_limit: US dollars of a trial, where the price is known.
        run_cost_limit: US dollars of the run, where the price is known.
        unknown: refused by name.

    Raises:
        PrerequisiteError: for an unknown or impossible argument, or a sandbox that does not work here.
    """
    given = dict(locals())
    return _inspect_task(read_arguments(given.pop("unknown") | given))


def _inspect_task(given: Arguments) -> InspectTask:
    solver = _solver_name(given.solver, given.replay)
    flag, flag_config = sandbox_flag()
    kind = flag or given.sandbox or DEFAULT_SANDBOX
    refuse_sandbox(kind, given.sandbox)
    if given.runtime is not None and kind != "docker":
        raise PrerequisiteError(f"clawgym_bench: runtime is for the sandbox docker; this run uses {kind}")
    folder = str(shell_path(given.tasks)) if given.tasks else None
    try:
        chosen = _choose(load_set(folder), given)
        for item in chosen:
            item.refuse_unless_runnable()
    except ClawGymError as error:
        raise PrerequisiteError(f"clawgym_bench: {error}") from error
    options = _solver_options(solver, given) | _profile_option(solver, given.profile)
    if solver in NEEDS_SOLUTIONS and not all(item.has_solutions for item in chosen):
        raise PrerequisiteError(
            f"clawgym_bench: the solver {solver} needs the tasks' solutions, which an installed package does not carry; "
            "they are in the source repository (pass -T tasks=PATH of its task_specs/bench) and in the data set's `solutions` config"
        )
    if given.bind:
        _refuse_bind(kind, flag)
    docker = docker_environment(given.runtime, flag_config) if kind == "docker" else None
    root = choose_root(given.image, kind, flag) if flag_config is None else Root()
    if solver == "openclaw":
        _refuse_long_instructions(chosen)
        if flag_config is None:
            require_openclaw(root)
    config = root.in_sandbox(SandboxConfig())
    if given.bind:
        config = with_binds(config, given.bind, [item.folder for item in chosen])
    environment = _environment(docker, chosen, config, root)
    if is_swe(solver) and flag_config is None:
        environment["harness"] = require_program(solver, config, root.docker_tag if docker else None)
    if needs_model(solver):
        _tell_cost(len(chosen), given.limits)
    run: dict[str, Any] = {"solver": solver, "limits": limits_record(given.limits)}
    for_docker = docker_metadata(root.docker_tag, given.runtime) if docker else {}
    return InspectTask(
        dataset=MemoryDataset([_sample(item, for_docker) for item in chosen], name=f"clawgym-{given.split or 'bench'}"),
        solver=attempt(
            solver=solver,
            tasks=folder,
            declared_sandbox=given.sandbox,
            declared_root=root.digest,
            run=run,
            options=options,
        ),
        scorer=[verdict(tasks=folder), coverage()],
        sandbox=SandboxEnvironmentSpec(
            kind, str(COMPOSE_FILE) if kind == "docker" else config if config != SandboxConfig() else None
        ),
        config=GENERATE_CONFIG,
        # a trial that failed by no doing of the agent is an error, for `eval-retry`; it stops no other trial
        continue_on_fail=True,
        score_on_error=True,
        version=VERSION,
        metadata={**environment, "run": run},
    )


def _solver_name(solver: str | None, recording: str | None) -> str:
    if solver is not None and is_swe(solver):
        find_factory(solver)
    name = solver or ("replay" if recording else DEFAULT_SOLVER)
    if (name == "replay") != (recording is not None):
        raise PrerequisiteError("clawgym_bench: the solver replay and -T replay=FILE go together; pass both or neither")
    return name


def _solver_options(solver: str, given: Arguments) -> dict[str, Any]:
    options: dict[str, Any] = {"context_tokens": given.context_tokens} if given.context_tokens else {}
    if given.replay:
        options["recording"] = str(shell_path(given.replay))
    if needs_model(solver):
        model = active_model()
        provider = str(model).split("/")[0] if model else "none"
        if model is not None and provider == "none":
            raise PrerequisiteError(
                f"clawgym_bench: {solver} needs a model; pass --model, or -T solver=NAME with one of {', '.join(SOLVERS)}"
            )
        options["preflight"] = provider not in MODEL_FREE_PROVIDERS if given.preflight is None else given.preflight
    try:
        find_solver(solver, **{name: value for name, value in options.items() if name != "preflight"})
    except ClawGymError as error:
        raise PrerequisiteError(f"clawgym_bench: {error}") from error
    return options


def _profile_option(solver: str, profile: str | None) -> dict[str, Any]:
    if profile is not None and solver != "openclaw":
        raise PrerequisiteError(f"clawgym_bench: profile is {profile!r}, which the solver {solver} has no use for")
    return {"profile": profile} if profile else {}


def _refuse_long_instructions(chosen: list[Task]) -> None:
    """OpenClaw takes an instruction as one word of its command line."""
    sizes = {item.id: len(item.spec.instruction.encode()) for item in chosen}
    for name, size in sizes.items():
        if size > MAX_ARGUMENT_BYTES:
            raise PrerequisiteError(
                f"clawgym_bench: the instruction of the task {name} has {size} bytes; the solver openclaw passes it as one "
                f"argument, of which Linux takes {MAX_ARGUMENT_BYTES} bytes: shorten it, put a part of it into a file of "
                "the workspace, or leave the task out with -T task"
            )


def _tell_cost(trials: int, limits: Limits) -> None:
    model = active_model()
    told = estimate(model, trials, limits) if model else None
    if told:
        Console(stderr=True).print(told, highlight=False)


def _choose(tasks: dict[str, Task], given: Arguments) -> list[Task]:
    missing = sorted(set(given.task or ()) - set(tasks))
    if missing:
        raise PrerequisiteError(f"clawgym_bench: no task {', '.join(missing)}; there are {', '.join(list(tasks)[:40])}")
    chosen = [
        item
        for item in tasks.values()
        if (given.task is None or item.id in given.task)
        and (given.category is None or item.spec.category == given.category)
        and (given.split is None or item.spec.split == given.split)
    ]
    if not chosen:
        raise PrerequisiteError(_nothing_left([tasks[name] for name in given.task or tasks], given))
    return chosen


def _nothing_left(tasks: list[Task], given: Arguments) -> str:
    """Which arguments leave no task, and what the tasks are that they exclude."""
    ids = ",".join(given.task) if given.task else None
    filters = {"task": ids, "category": given.category, "split": given.split}
    asked = " and ".join(f"-T {name}={value}" for name, value in filters.items() if value is not None)
    message = f"clawgym_bench: no task satisfies {asked}"
    if given.split == "imported":
        message += " (imported tasks are in the folder that -T tasks=DIR names)"
    found = {f"category {task.spec.category}, split {task.spec.split}": task.id for task in tasks}
    examples = "; ".join(f"{kind} (as {name})" for kind, name in sorted(found.items()))
    return f"{message}; there are: {examples}"


def _sample(item: Task, for_docker: dict[str, str]) -> Sample:
    spec = item.spec
    metadata = {
        "category": spec.category,
        "cluster_id": spec.cluster_id,
        "digest": item.digest,
        "split": spec.split,
        "assurance": spec.assurance,
        "has_gate": any(check.role == "gate" for check in spec.verification.checks),
        **for_docker,
    }
    return Sample(id=spec.id, input=spec.instruction, metadata=metadata)


def _refuse_bind(kind: str, flag: str | None) -> None:
    if kind != "bubblewrap":
        raise PrerequisiteError(
            f"clawgym_bench: bind is for the sandbox bubblewrap; the {kind} image must hold all itself"
        )
    if flag is not None:
        raise PrerequisiteError("clawgym_bench: --sandbox would undo -T bind; leave --sandbox out")


def _environment(
    docker: dict[str, Any] | None, chosen: list[Task], config: SandboxConfig, root: Root
) -> dict[str, Any]:
    """What the log records of the machine; a bubblewrap that does not work here stops the run before its first sample."""
    if docker is not None:
        environment = docker | (root.metadata() if root.record else {})
        reasons = [] if root.record else ["the compose file is not the benchmark's own"]
    else:
        diagnosis = diagnose(config)
        if diagnosis.finding is not None:
            raise PrerequisiteError(f"clawgym_bench: {diagnosis.finding.message}\n{diagnosis.finding.fix}")
        environment = {
            "sandbox": "bubblewrap",
            "bubblewrap": diagnosis.bwrap_version,
            "enforcement": diagnosis.enforcement,
            "binds": [inside for _, inside in config.read_only_binds],
            **root.metadata(),
        }
        reasons = [] if config.root else ["the sandbox root is this host's own /usr"]
    reasons += _not_rankable(environment.get("enforcement", {}), chosen, config)
    return {**environment, "rankable": not reasons, "not_rankable_because": reasons}


def _not_rankable(enforcement: dict[str, str], chosen: list[Task], config: SandboxConfig) -> list[str]:
    reasons = [f"a folder of this host is at {inside}" for _, inside in config.read_only_binds]
    reasons += [f"nothing enforces {limit}" for limit, enforcer in enforcement.items() if enforcer == "none"]
    reasons += ["some tasks are imported"] if any(item.spec.assurance == "imported" for item in chosen) else []
    return reasons
