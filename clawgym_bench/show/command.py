"""`clawgym bench show LOG`: one trial to read."""

from pathlib import Path
from typing import Annotated

import typer
from inspect_ai.log import read_eval_log
from rich.table import Table

from clawgym_bench.figures import Trial
from clawgym_bench.openclaw.session import SOURCE
from clawgym_bench.packed import KeptError
from clawgym_bench.run_log import log_files, read_run_log
from clawgym_bench.show.changes import Change, changes_of
from clawgym_bench.show.page import page_of
from clawgym_bench.show.terminal import TrialPrinter
from clawgym_bench.terminal import log_console
from clawgym_bench.trajectory import Comparison, Trajectory, compare, read_trajectories, sessions_of
from clawgym_data.errors import ClawGymError, SpecError


def show_trial(
    log: Annotated[Path, typer.Argument(help="An evaluation log, or a folder with one.", exists=True)],
    trial: Annotated[str | None, typer.Option(help="TASK or TASK:EPOCH, where the log has several trials.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Print long texts and earlier tries whole.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write the trial there as one page instead.")] = None,
    tasks: Annotated[Path | None, typer.Option(help="Folder of the tasks; the run's own by default.")] = None,
) -> None:
    """Show one trial: what was said, called and answered, what became of the workspace, and why the score is what it is."""
    files = log_files([log])
    if len(files) > 1:
        raise SpecError(str(log), "", f"{len(files)} logs", "one log")
    chosen = _chosen(files[0], trial)
    one = chosen[0]
    if len(chosen) > 1:
        if html is not None:
            raise SpecError(
                str(log), "--trial", f"{len(chosen)} trials", f"one for a page, such as {one.task}:{one.epoch}"
            )
        _list(files[0], chosen)
        return
    trajectory = next(read_trajectories(files[0], one.task, one.epoch))
    comparison = _comparison(trajectory)
    changes = _changes(trajectory, files[0], tasks)
    if html is not None:
        html.write_text(page_of(trajectory, comparison, changes), "utf-8")
        typer.echo(f"{html}: {one.task}:{one.epoch}", err=True)
        return
    TrialPrinter(log_console(), full).trial(trajectory, comparison, changes)


def _chosen(log: Path, name: str | None) -> list[Trial]:
    """The trials that are meant.

    Raises:
        SpecError: there is none.
    """
    known = sorted((logged.trial for logged in read_run_log(log).trials), key=lambda one: (one.task, one.epoch))
    task, _, number = (name or "").rpartition(":")
    if not number.isdecimal():
        task, number = name or "", ""
    chosen = [one for one in known if task in ("", one.task) and number in ("", str(one.epoch))]
    if not chosen:
        names = ", ".join(f"{one.task}:{one.epoch}" for one in known[:20]) or "no trial"
        raise SpecError(str(log), "--trial", str(name), names)
    return chosen


def _list(log: Path, trials: list[Trial]) -> None:
    table = Table(title=f"{log.name}: choose one with --trial TASK:EPOCH", title_justify="left")
    for column in ("trial", "outcome", "score", "passed", "seconds"):
        table.add_column(column)
    for one in trials:
        passed = "" if one.passed is None else "yes" if one.passed else "no"
        score = "" if one.score is None else f"{one.score:.3f}"
        seconds = "" if one.seconds is None else f"{one.seconds:.1f}"
        cells = (f"{one.task}:{one.epoch}", one.outcome, score, passed, seconds)
        table.add_row(*cells)
    log_console().print(table)


def _comparison(trajectory: Trajectory) -> Comparison | None:
    """With OpenClaw's own record, where OpenClaw acted."""
    noted = any(event.kind == "environment" and event.source == SOURCE for event in trajectory.events)
    return compare(trajectory, sessions_of(trajectory)) if noted or trajectory.solver == "openclaw" else None


def _changes(trajectory: Trajectory, log: Path, tasks: Path | None) -> list[Change] | str:
    """What became of the workspace, or why that cannot be told."""
    if tasks is None:
        recorded = read_eval_log(str(log), header_only=True).eval.task_args.get("tasks")
        tasks = Path(recorded) if recorded else None
    try:
        return changes_of(trajectory, log, tasks)
    except (KeptError, ClawGymError) as error:
        return str(error)
