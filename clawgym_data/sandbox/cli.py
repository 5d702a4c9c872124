"""`clawgym doctor`."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from clawgym_data.sandbox.docker import DockerError, find_engine, sweep_containers
from clawgym_data.sandbox.probe import diagnose

DOCTOR_GROUP = "clawgym.doctor"
"""Entry points of other packages: each returns lines about what it has on this machine."""


def doctor(json_file: Annotated[Path | None, typer.Option("--json", help="Write the findings there.")] = None) -> None:
    """Try the sandbox exactly as runs use it; list each limit with its enforcer; exit status 1 where it does not work.

    Where Docker answers, the same limits of its containers are listed, and those of killed runs are removed.
    """
    diagnosis = diagnose()
    if json_file:
        json_file.write_text(json.dumps(asdict(diagnosis), indent=2) + "\n", "utf-8")
    console = Console(highlight=False, soft_wrap=True)
    _say_docker(console)
    if diagnosis.finding is not None:
        console.print(f"[red]bubblewrap cannot be used here[/] ({diagnosis.finding.cause})")
        console.print(diagnosis.finding.message, markup=False)
        console.print(diagnosis.finding.fix, markup=False)
        raise typer.Exit(1)
    console.print(f"[green]bubblewrap {diagnosis.bwrap_version} works[/]: one sandbox started, one command ran in it")
    console.print(_limits(diagnosis.enforcement))
    for hint in diagnosis.hints:
        console.print(hint, markup=False)
    for point in entry_points(group=DOCTOR_GROUP):
        for line in point.load()():
            console.print(line, markup=False)


def _say_docker(console: Console) -> None:
    try:
        engine = find_engine()
    except (DockerError, OSError):
        return
    console.print(f"Docker {engine.version} answers, with the runtimes {', '.join(engine.runtimes)}", markup=False)
    console.print(_limits(engine.enforcement(engine.default_runtime)))
    removed = sweep_containers()
    if removed:
        console.print(f"removed {len(removed)} containers of runs that were killed", markup=False)


def _limits(enforcement: Mapping[str, str]) -> Table:
    table = Table("limit", "enforced by")
    for limit, enforcer in enforcement.items():
        table.add_row(limit, enforcer if enforcer != "none" else "[yellow]none[/] (runs are not ranked)")
    return table
