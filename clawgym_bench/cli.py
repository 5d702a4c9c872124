"""`clawgym bench`."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from clawgym_bench.regrade_command import regrade_logs
from clawgym_bench.table import RunFigures, read_runs
from clawgym_data.progress import table_console

app = typer.Typer(no_args_is_help=True, help="Run the benchmark and read its logs.")
app.command("regrade")(regrade_logs)


@app.callback()
def _group() -> None:
    """Keep `table` a sub-command while it is the only one."""


@app.command()
def table(
    logs: Annotated[list[Path], typer.Argument(help="Evaluation logs, or folders with some.", exists=True)],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the figures there.")] = None,
    categories: Annotated[bool, typer.Option(help="Also print a table by category.")] = True,
) -> None:
    """Print mean, interval, bounds and coverage of runs."""
    runs = read_runs(logs)
    if json_file:
        json_file.write_text(json.dumps([run.model_dump(mode="json") for run in runs], indent=2) + "\n", "utf-8")
    console = table_console()
    sheet = Table("solver", "model", "mean", "95 % interval", "bounds", "scored", "unscored", "passed", "s a trial")
    for run in runs:
        sheet.add_row(
            run.solver,
            run.model,
            _number(run.mean),
            _pair(run.ci95) if run.ci95 else "none under 10 tasks" if run.scored else "-",
            _pair(run.bounds),
            f"{run.scored} of {run.planned}",
            ", ".join(f"{name} {count}" for name, count in run.unscored.items()) or "0",
            str(run.passed),
            _number(run.seconds_per_trial, 2),
        )
    console.print(sheet)
    if categories and runs:
        _print_categories(console, runs)


def _print_categories(console: Console, runs: list[RunFigures]) -> None:
    names = list(dict.fromkeys(name for run in runs for name in run.by_category))
    sheet = Table("category", *(run.solver for run in runs))
    for name in names:
        sheet.add_row(name, *(_number(run.by_category.get(name)) for run in runs))
    console.print(sheet)


def _number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _pair(pair: tuple[float, float] | None) -> str:
    return "-" if pair is None else f"{pair[0]:.3f} to {pair[1]:.3f}"
