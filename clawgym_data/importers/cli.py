"""`clawgym data import`: tasks of other releases as task folders."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from clawgym_data.errors import ClawGymError
from clawgym_data.importers.clawgym import Progress as ReportProgress
from clawgym_data.importers.clawgym import import_clawgym
from clawgym_data.importers.loss import SEVERITIES, ImportReport

app = typer.Typer(help="Import tasks of other releases.", no_args_is_help=True)

PLAIN_STEP = 100
"""Folders between two lines of progress where there is no terminal."""
MAX_SKIPPED_SHOWN = 20


@app.callback()
def _group() -> None:
    """Import tasks of other releases."""


@app.command("clawgym")
def clawgym(
    source: Annotated[
        Path, typer.Argument(help="Folder of the release, such as RL/data/clawgym_eval.", exists=True, file_okay=False)
    ],
    out: Annotated[Path, typer.Option(help="New or empty folder for the tasks.")],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the whole report to this file.")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Allow a filled folder and overwrite tasks of the same ids.")
    ] = False,
) -> None:
    """Import the task folders of the original ClawGym release, and report what they lack."""
    try:
        with _progress("Importing") as progress:
            report = import_clawgym(source, out, replace=replace, progress=progress)
    except ClawGymError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from error
    if json_file is not None:
        json_file.write_text(report.model_dump_json(indent=2) + "\n", encoding="utf-8")
    _show(report, out)
    if not report.imported:
        raise typer.Exit(1)


@contextmanager
def _progress(title: str) -> Iterator[ReportProgress]:
    """A bar on a terminal, plain lines elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, total: _plain_line(title, done, total)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        job = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(job, completed=done, total=total)


def _plain_line(title: str, done: int, total: int) -> None:
    if done % PLAIN_STEP == 0 or done == total:
        print(f"{title}: {done} of {total}", file=sys.stderr)


def _show(report: ImportReport, out: Path) -> None:
    console = Console()
    table = Table(title=f"Findings in {len(report.imported)} tasks")
    table.add_column("severity")
    table.add_column("finding")
    table.add_column("tasks", justify="right")
    for code, count in report.counts().items():
        table.add_row(SEVERITIES[code].value, code.value, str(count))
    console.print(table)
    console.print(
        f"{len(report.imported)} tasks imported into {out}, {len(report.skipped)} not importable", markup=False
    )
    for folder in report.skipped[:MAX_SKIPPED_SHOWN]:
        console.print(f"  {folder.original}: {folder.reason}", markup=False)
    if len(report.skipped) > MAX_SKIPPED_SHOWN:
        console.print(f"  and {len(report.skipped) - MAX_SKIPPED_SHOWN} more; --json lists all", markup=False)
