"""`clawgym prove`."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from clawgym_data.checks import Executed, Python
from clawgym_data.errors import ClawGymError
from clawgym_data.grading.grader import Grader
from clawgym_data.progress import progress, table_console
from clawgym_data.proof.hacks import NEEDS_ANSWER
from clawgym_data.proof.prove import STEPS_PER_SEED, prove_task, summarise
from clawgym_data.proof.report import ProofReport, TaskProof
from clawgym_data.proof.rubric import RubricAgreement, installed_judge
from clawgym_data.task import Task, find_tasks, load_task


def prove(
    paths: Annotated[list[Path], typer.Argument(help="Task folders, or folders that hold some.", exists=True)],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the report there.")] = None,
    jobs: Annotated[
        int | None, typer.Option(help="Tasks proven side by side; twice the cores by default.", min=1)
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="Model that judges rubrics: measure how far it agrees with their labelled texts.")
    ] = None,
) -> None:
    """Prove tasks: the oracle scores 1, nothing and gaming next to 0, mutants are caught. Exit status 1 where one fails."""
    folders = find_tasks(tuple(paths))
    agreements = _agreements(folders, judge) if judge else {}
    loaded = {folder: _loaded(folder) for folder in folders}
    longest_first = sorted(folders, key=lambda folder: _work(loaded[folder]), reverse=True)
    side_by_side = jobs or 2 * (os.cpu_count() or 1)  # much of the time goes by waiting for sandboxes
    started = time.monotonic()
    with (
        Grader() as grader,
        ThreadPoolExecutor(side_by_side) as tasks,
        ThreadPoolExecutor(2 * side_by_side) as gradings,
        progress("proving", STEPS_PER_SEED * sum(_seeds(task) for task in loaded.values())) as advance,
    ):

        def run(folder: Path) -> TaskProof:
            proof = prove_task(folder, grader, gradings, lambda: advance(""))
            Console(stderr=True, highlight=False).print(
                f"{'proven' if proof.passed else 'FAILED'} {folder.name} in {proof.seconds:.1f} s"
            )
            return proof

        proven = dict(zip(longest_first, tasks.map(run, longest_first), strict=True))
    proofs = [proven[folder] for folder in folders]
    proofs = [_with_agreement(proof, agreements.get(proof.id)) for proof in proofs]
    specs = [task.spec for task in loaded.values() if task]
    report = summarise(proofs, time.monotonic() - started, specs)
    if json_file:
        json_file.write_text(report.model_dump_json(indent=2) + "\n", "utf-8")
    _show(report)
    disagrees = any(proof.agreement and proof.agreement.faults() for proof in proofs)
    if report.summary.passed < len(proofs) or report.summary.failures or disagrees:
        raise typer.Exit(1)


def _agreements(folders: tuple[Path, ...], judge: str) -> dict[str, RubricAgreement]:
    """A judge's agreement on each rubric; first of all, so that a model that cannot be reached costs no proof."""
    measure = installed_judge()
    loaded = [task for task in map(_loaded, folders) if task and task.spec.verification.rubric]
    with progress("asking the judge", len(loaded)) as advance:
        found = {}
        for task in loaded:
            found[task.id] = measure(task, judge)
            advance(task.id)
    return found


def _loaded(folder: Path) -> Task | None:
    try:
        return load_task(folder)
    except ClawGymError:
        return None


def _with_agreement(proof: TaskProof, agreement: RubricAgreement | None) -> TaskProof:
    """The record with a judge's agreement. A judge that disagrees leaves the rubric unproven, and the proof of the code as it is."""
    if agreement is None:
        return proof
    return proof.model_copy(update={"rubric": agreement.record(), "agreement": agreement})


def _seeds(task: Task | None) -> int:
    return len(task.spec.proven_seeds) if task else 1


def _work(task: Task | None) -> int:
    """A guess at how long a proof takes, so that no long one begins last: what is executed takes most of it."""
    checks = task.spec.verification.checks if task else ()
    return _seeds(task) * sum(10 if isinstance(check, Executed) else isinstance(check, Python) for check in checks)


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def _show(report: ProofReport) -> None:
    console = table_console()
    table = Table(title="Proof (worst over the proven seeds; code score)", title_justify="left")
    hacks = list(dict.fromkeys(name for proof in report.tasks for name in proof.hacks))
    for column in ("task", "oracle", "right", "noop", *hacks, "wrong", "mutants", "undet.", "neutral", "s", "passed"):
        table.add_column(column, justify="left" if column == "task" else "right", no_wrap=True)
    for proof in report.tasks:
        table.add_row(
            proof.id,
            _score(min(proof.oracle, default=None)),
            _score(min(proof.right.values(), default=None)),
            _score(proof.noop),
            *(_score(proof.hacks.get(name)) for name in hacks),
            _score(max(proof.wrong.values(), default=None)),
            f"{proof.mutants.caught}/{proof.mutants.breaking}",
            str(proof.mutants.undetermined),
            f"{proof.neutral.kept}/{proof.neutral.total}",
            f"{proof.seconds:.0f}",
            "[green]yes[/]" if proof.passed else "[red]no[/]",
        )
    console.print(table)
    for proof in report.tasks:
        for message in (*proof.lint, *proof.failures):
            console.print(f"{proof.id}: {message}", style="red", highlight=False, markup=False)
        if proof.rubric != "none":
            console.print(f"{proof.id}: rubric {proof.rubric}", highlight=False, markup=False)
        if proof.agreement:
            _show_agreement(console, proof.agreement)
    for message in report.summary.failures:
        console.print(f"[red]set[/]: {message}", highlight=False)
    means = ", ".join(f"{n} {m:.3f}" for n, m in report.summary.hack_means.items() if n not in NEEDS_ANSWER)
    console.print(
        f"{report.summary.passed} of {report.summary.tasks} tasks proven; {report.summary.caught} of "
        f"{report.summary.breaking} breaking mutants caught; gaming means: {means or 'none'}; {report.summary.seconds:.0f} s",
        highlight=False,
    )


def _show_agreement(console: Console, agreement: RubricAgreement) -> None:
    table = Table(
        "criterion",
        "texts",
        "exact",
        "within one level",
        "unanswered",
        "injections raised",
        "label as given level, by kind",
    )
    for criterion in agreement.criteria:
        kinds = [
            f"{kind}: {', '.join(f'{pair} x{count}' for pair, count in pairs.items())}"
            for kind, pairs in criterion.confusion.items()
        ]
        table.add_row(
            criterion.id,
            str(criterion.texts),
            f"{criterion.exact:.2f}",
            f"{criterion.within_one:.2f}",
            str(criterion.unanswered),
            str(criterion.raised_injections),
            "\n".join(kinds),
        )
    console.print(table)
    for fault in agreement.faults():
        console.print(fault, highlight=False, markup=False)
