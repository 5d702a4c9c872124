"""`inspect eval clawgym_bench`."""

from pathlib import Path
from typing import Any

from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.util import SandboxEnvironmentSpec

from clawgym_bench.attempt import attempt
from clawgym_bench.scorer import coverage, verdict
from clawgym_bench.solvers import NEEDS_SOLUTIONS, SOLVERS
from clawgym_bench.taskset import load_set
from clawgym_data.errors import ClawGymError
from clawgym_data.sandbox import diagnose
from clawgym_data.spec.task import CATEGORIES, SPLITS
from clawgym_data.task import Task

SANDBOXES = ("bubblewrap", "docker")
COMPOSE_FILE = Path(__file__).parent / "compose.yaml"
VERSION = "1-A"
"""Version of the results and of the interface: numbers of another first part are not comparable."""


@task
def clawgym_bench(
    solver: str | None = None,
    sandbox: str | None = None,
    tasks: str | None = None,
    category: str | None = None,
    task: str | None = None,
    split: str | None = None,
    **unknown: Any,  # noqa: ANN401 - whatever a user misspells
) -> InspectTask:
    """The benchmark of Claw-style agents.

    Args:
        solver: who acts; see `clawgym_bench.solvers`.
        sandbox: `bubblewrap` (default) or `docker`.
        tasks: a folder with task folders; the benchmark's own by default.
        category: only tasks of this category.
        task: only these task ids, separated by commas.
        split: only tasks of this split.
        unknown: refused by name.

    Raises:
        PrerequisiteError: for an unknown or impossible argument, or a sandbox that does not work here.
    """
    unknown.pop("model", None)
    if unknown:
        raise PrerequisiteError(
            f"clawgym_bench: unknown arguments {', '.join(sorted(unknown))}; expected solver, sandbox, tasks, category, task, split"
        )
    _one_of("solver", solver, tuple(SOLVERS))
    _one_of("sandbox", sandbox, SANDBOXES)
    _one_of("category", category, (*CATEGORIES, "uncategorised"))
    _one_of("split", split, (*SPLITS, "imported"))
    folder = str(Path(tasks).resolve()) if tasks else None
    try:
        chosen = _choose(load_set(folder), category, task, split)
        for item in chosen:
            item.refuse_unless_runnable()
    except ClawGymError as error:
        raise PrerequisiteError(f"clawgym_bench: {error}") from error
    if solver is None:
        raise PrerequisiteError(f"clawgym_bench: no solver; pass -T solver=NAME with one of {', '.join(SOLVERS)}")
    if solver in NEEDS_SOLUTIONS and not all(item.has_solutions for item in chosen):
        raise PrerequisiteError(
            f"clawgym_bench: the solver {solver} needs the tasks' solutions, which an installed package does not carry; "
            "they are in the source repository (pass -T tasks=PATH of its task_specs/bench) and in the data set's `solutions` config"
        )
    kind = sandbox or "bubblewrap"
    return InspectTask(
        dataset=MemoryDataset([_sample(item) for item in chosen], name=f"clawgym-{split or 'bench'}"),
        solver=attempt(solver=solver, tasks=folder, declared_sandbox=sandbox),
        scorer=[verdict(tasks=folder), coverage()],
        sandbox=SandboxEnvironmentSpec(kind, str(COMPOSE_FILE) if kind == "docker" else None),
        version=VERSION,
        metadata=_environment(kind, chosen),
    )


def _one_of(name: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise PrerequisiteError(f"clawgym_bench: {name} is {value!r}; expected one of {', '.join(allowed)}")


def _choose(tasks: dict[str, Task], category: str | None, ids: str | None, split: str | None) -> list[Task]:
    wanted = [part.strip() for part in str(ids).split(",")] if ids else None
    missing = sorted(set(wanted or ()) - set(tasks))
    if missing:
        raise PrerequisiteError(f"clawgym_bench: no task {', '.join(missing)}; there are {', '.join(list(tasks)[:40])}")
    chosen = [
        item
        for item in tasks.values()
        if (wanted is None or item.id in wanted)
        and (category is None or item.spec.category == category)
        and (split is None or item.spec.split == split)
    ]
    if not chosen:
        raise PrerequisiteError(f"clawgym_bench: no task of category {category}, split {split} among {len(tasks)}")
    return chosen


def _sample(item: Task) -> Sample:
    spec = item.spec
    metadata = {
        "category": spec.category,
        "cluster_id": spec.cluster_id,
        "digest": item.digest,
        "split": spec.split,
        "assurance": spec.assurance,
    }
    return Sample(id=spec.id, input=spec.instruction, metadata=metadata)


def _environment(kind: str, chosen: list[Task]) -> dict[str, Any]:
    """What the log records of the machine; a bubblewrap that does not work here stops the run before its first sample."""
    if kind != "bubblewrap":
        return {"sandbox": kind, "rankable": False}
    diagnosis = diagnose()
    if diagnosis.finding is not None:
        raise PrerequisiteError(f"clawgym_bench: {diagnosis.finding.message}\n{diagnosis.finding.fix}")
    return {
        "sandbox": kind,
        "bubblewrap": diagnosis.bwrap_version,
        "enforcement": diagnosis.enforcement,
        "root_digest": "host",
        "rankable": False,
        "not_rankable_because": _not_rankable(diagnosis.enforcement, chosen),
    }


def _not_rankable(enforcement: dict[str, str], chosen: list[Task]) -> list[str]:
    reasons = ["the sandbox root is this host's own /usr"]
    reasons += [f"nothing enforces {limit}" for limit, enforcer in enforcement.items() if enforcer == "none"]
    reasons += ["some tasks are imported"] if any(item.spec.assurance == "imported" for item in chosen) else []
    return reasons
