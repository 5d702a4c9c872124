"""`clawgym prove`: why a score on a task means something (DESIGN 4)."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clawgym_data.errors import ClawGymError
from clawgym_data.grading.grader import Grader
from clawgym_data.grading.world import GENERATOR, World, generate_files, make_world
from clawgym_data.proof.bounds import EPSILON, failures_of
from clawgym_data.proof.hacks import NEEDS_ANSWER
from clawgym_data.proof.lint import lint_set, lint_spec, lint_world
from clawgym_data.proof.lint_checks import folder_faults, shape_faults
from clawgym_data.proof.report import (
    HACK_MEAN_BOUND,
    MutantCount,
    NeutralCount,
    ProofReport,
    ProofSummary,
    TaskProof,
)
from clawgym_data.proof.seed import SeedFigures, SeedProof
from clawgym_data.spec.task import TaskSpec
from clawgym_data.task import Task, WorkspaceFile, load_task

STEPS_PER_SEED = 6
Tick = Callable[[], None]


def prove_task(
    folder: Path,
    grader: Grader,
    executor: ThreadPoolExecutor,
    tick: Tick = lambda: None,
    seeds: tuple[int, ...] | None = None,
) -> TaskProof:
    """Prove one task; never raises for a fault of the task, which becomes a failure of the record.

    Args:
        folder: the task folder, with its solutions.
        grader: shared between tasks.
        executor: for the gradings of one seed side by side; not the one that runs this function.
        tick: called after each of `STEPS_PER_SEED` steps of a seed.
        seeds: only these of the proven seeds; bounds that speak of the worst over the seeds then hold for these alone.

    Raises:
        GraderHostError, SandboxRefused: where this machine cannot grade at all.
    """
    started = time.monotonic()
    try:
        task = load_task(folder)
        if not task.has_solutions:
            return _unproven(
                folder.name, task.spec.category, "no solution/solve.py: a proof needs the repository's solutions"
            )
    except ClawGymError as error:
        return _unproven(folder.name, "unknown", str(error))
    lint = [*lint_spec(task.spec, {file.path: file.content for file in task.files}), *folder_faults(task)]
    measured: list[SeedFigures] = []
    faults: list[str] = []
    worlds: list[World] = []
    for seed in seeds or task.spec.proven_seeds:
        try:
            world = make_world(task, seed)
            leaks = lint_world(world)
        except (ClawGymError, KeyError) as error:
            faults.append(f"seed {seed}: {error.args[0]}")
            continue
        lint += leaks
        worlds.append(world)
        if any(shape_faults(world)):  # nothing that could be measured would say more
            continue
        measured.append(SeedProof(world, grader, executor, measured[0] if measured else None).measure(tick))
    lint += _generator_faults(task, worlds)
    return _record(task, tuple(dict.fromkeys(lint)), measured, faults, time.monotonic() - started)


def _unproven(name: str, category: str, failure: str) -> TaskProof:
    return TaskProof(id=name, category=category, failures=(failure,))


def _generator_faults(task: Task, worlds: Sequence[World]) -> list[str]:
    """Whether the generator gives the same bytes again (as `workspace/` holds for seed 0), and others for another seed."""
    if not (task.folder / GENERATOR).is_file():
        return []
    faults: list[str] = []
    for seed, files in {0: task.files, **{world.seed: world.files for world in worlds}}.items():
        try:
            made = {file.path: file for file in generate_files(task, seed)}
        except ClawGymError as error:
            return [str(error)]
        before = {file.path: file for file in files}
        differing = sorted(path for path in before.keys() | made.keys() if before.get(path) != made.get(path))
        if differing:
            other = "what it gave before; expected the same bytes for the same seed" if seed else "workspace/"
            faults.append(f"{GENERATOR}: generate({seed}) differs from {other}: {', '.join(differing[:5])}")
    seeds: dict[tuple[WorkspaceFile, ...], int] = {}
    for world in worlds:
        first = seeds.setdefault(world.files, world.seed)
        if first != world.seed:
            faults.append(f"{GENERATOR}: the seeds {first} and {world.seed} give the same files; expected others")
    return faults


def _record(
    task: Task, lint: tuple[str, ...], seeds: Sequence[SeedFigures], faults: list[str], seconds: float
) -> TaskProof:
    proof = TaskProof(
        id=task.id,
        category=task.spec.category,
        digest=task.digest,
        lint=lint,
        oracle=tuple(min(pair) for pair in zip(*(f.oracle for f in seeds), strict=True)),
        right=_worst([f.right for f in seeds], min),
        noop=max((f.noop for f in seeds), default=None),
        hacks=_worst([f.hacks for f in seeds], max),
        wrong=_worst([f.wrong for f in seeds], max),
        mutants=_mutant_count(seeds),
        neutral=_neutral_count(seeds),
        repeatable=all(f.repeatable for f in seeds) if seeds else None,
        rubric="unproven" if task.spec.verification.rubric else "none",
        seeds=tuple(f.seed for f in seeds),
        seconds=round(seconds, 2),
    )
    failures = (*dict.fromkeys(faults), *failures_of(task.spec, proof, seeds))
    return proof.model_copy(update={"failures": failures, "passed": not failures and not lint})


def _worst(scores: list[dict[str, float]], pick: Callable[[list[float]], float]) -> dict[str, float]:
    names = dict.fromkeys(name for figures in scores for name in figures)
    return {name: round(pick([figures[name] for figures in scores if name in figures]), 6) for name in names}


def _mutant_count(seeds: Sequence[SeedFigures]) -> MutantCount:
    all_mutants = [(f.seed, mutant, verdict) for f in seeds for mutant, verdict in f.mutants]
    breaking = [item for item in all_mutants if item[1].group == "breaking"]
    missed = tuple(f"seed {seed}: {mutant.name}" for seed, mutant, verdict in breaking if verdict.score >= 1 - EPSILON)
    return MutantCount(
        breaking=len(breaking),
        caught=len(breaking) - len(missed),
        undetermined=sum(mutant.group == "undetermined" for _, mutant, _ in all_mutants),
        judge_only=sum(mutant.group == "judge_only" for _, mutant, _ in all_mutants),
        missed=missed,
        open=tuple(f"seed {seed}: {mutant.name}" for seed, mutant, _ in all_mutants if mutant.group == "undetermined"),
    )


def _neutral_count(seeds: Sequence[SeedFigures]) -> NeutralCount:
    neutral = [(f.seed, m, v) for f in seeds for m, v in f.mutants if m.group == "neutral"]
    lost = tuple(
        f"seed {seed}: {mutant.name} ({', '.join(r.id for r in verdict.checks if r.score < 1)})"
        for seed, mutant, verdict in neutral
        if verdict.score < 1 - EPSILON
    )
    return NeutralCount(total=len(neutral), kept=len(neutral) - len(lost), lost=lost)


def summarise(proofs: Sequence[TaskProof], seconds: float, specs: Sequence[TaskSpec] = ()) -> ProofReport:
    """The report over a set of tasks.

    Args:
        proofs: one for each task.
        seconds: that they took.
        specs: of the tasks that could be loaded; what two of them share is a fault of the set.

    Returns:
        The proofs with the bound on the mean of the hack agents that see no answer.
    """
    names = dict.fromkeys(name for proof in proofs for name in proof.hacks)
    means = {
        name: round(sum(values) / len(values), 4)
        for name in names
        if (values := [proof.hacks[name] for proof in proofs if name in proof.hacks])
    }
    failures = tuple(
        f"hack agent {name} scores {mean:.3f} in the mean over the set; expected at most {HACK_MEAN_BOUND}"
        for name, mean in means.items()
        if len(proofs) > 1 and name not in NEEDS_ANSWER and mean > HACK_MEAN_BOUND
    )
    summary = ProofSummary(
        tasks=len(proofs),
        passed=sum(proof.passed for proof in proofs),
        hack_means=means,
        breaking=sum(proof.mutants.breaking for proof in proofs),
        caught=sum(proof.mutants.caught for proof in proofs),
        seconds=round(seconds, 2),
        failures=(*failures, *lint_set(specs)),
    )
    return ProofReport(tasks=tuple(proofs), summary=summary)
