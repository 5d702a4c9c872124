"""The console script `clawgym`: verbs of this package here, groups of the others through entry points."""

import json
import sys
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from clawgym_data.errors import ClawGymError
from clawgym_data.importers.cli import app as import_app
from clawgym_data.locate import bench_tasks
from clawgym_data.progress import table_console
from clawgym_data.proof.cli import prove
from clawgym_data.sandbox.cli import doctor
from clawgym_data.task import find_tasks, load_task

COMMAND_GROUP = "clawgym.commands"
GROUP_HELP = {
    "bench": "Run the benchmark and read its logs.",
    "train": "Train from the same specs.",
    "leaderboard": "Pack and check submissions.",
}


def _list(
    paths: Annotated[list[Path] | None, typer.Argument(help="Folders with tasks; the benchmark's by default.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the list there.")] = None,
) -> None:
    """List tasks: id, category, files, outputs, whether solutions are at hand."""
    tasks = [load_task(folder) for folder in find_tasks(tuple(paths or [bench_tasks()]))]
    rows = [
        {
            "id": task.id,
            "title": task.spec.title,
            "category": task.spec.category,
            "split": task.spec.split,
            "files": len(task.spec.workspace),
            "checks": len(task.spec.verification.checks),
            "rubric": task.spec.verification.rubric is not None,
            "seeds": list(task.spec.proven_seeds),
            "solutions": task.has_solutions,
            "digest": task.digest,
        }
        for task in tasks
    ]
    if json_file:
        json_file.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    table = Table()
    for column in ("id", "category", "files", "checks", "rubric", "solutions", "title"):
        table.add_column(column, no_wrap=column != "title")
    for row in rows:
        table.add_row(
            *(str(row[column]) for column in ("id", "category", "files", "checks", "rubric", "solutions", "title"))
        )
    table_console().print(table)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"clawgym {version('clawgym')}")
        raise typer.Exit


def _options(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Proven tasks, a benchmark and training for Claw-style agents."""


def build_app(called: str | None) -> typer.Typer:
    """The command line; only the group that is called is loaded from another package, which may be slow to import."""
    app = typer.Typer(name="clawgym", no_args_is_help=True, pretty_exceptions_enable=False)
    app.callback()(_options)
    data = typer.Typer(no_args_is_help=True, help="Make, import and read tasks.")
    data.add_typer(import_app, name="import", help="Import tasks of other releases.")
    app.add_typer(data, name="data")
    app.command("prove")(prove)
    app.command("list")(_list)
    app.command("doctor")(doctor)
    for point in entry_points(group=COMMAND_GROUP):
        group = point.load() if point.name == called else typer.Typer(no_args_is_help=True)
        app.add_typer(group, name=point.name, help=GROUP_HELP.get(point.name))
    return app


def main() -> None:
    """Entry point: an error of the user's making is printed without a traceback, exit status 2."""
    try:
        build_app(sys.argv[1] if len(sys.argv) > 1 else None)()
    except ClawGymError as error:
        Console(stderr=True, highlight=False, markup=False, soft_wrap=True).print(f"clawgym: {error}")
        raise SystemExit(2) from error
    except OSError as error:
        if error.filename is None:
            raise
        Console(stderr=True, highlight=False, markup=False, soft_wrap=True).print(
            f"clawgym: {error.filename}: {error.strerror}"
        )
        raise SystemExit(2) from error


if __name__ == "__main__":
    main()
