"""`clawgym doctor`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from clawgym_data.sandbox.probe import diagnose


def doctor(json_file: Annotated[Path | None, typer.Option("--json", help="Write the findings there.")] = None) -> None:
    """Try the sandbox exactly as runs use it; list each limit with its enforcer; exit status 1 where it does not work."""
    diagnosis = diagnose()
    if json_file:
        json_file.write_text(json.dumps(asdict(diagnosis), indent=2) + "\n", "utf-8")
    console = Console(highlight=False, soft_wrap=True)
    if diagnosis.finding is not None:
        console.print(f"[red]bubblewrap cannot be used here[/] ({diagnosis.finding.cause})")
        console.print(diagnosis.finding.message, markup=False)
        console.print(diagnosis.finding.fix, markup=False)
        raise typer.Exit(1)
    console.print(f"[green]bubblewrap {diagnosis.bwrap_version} works[/]: one sandbox started, one command ran in it")
    table = Table("limit", "enforced by")
    for limit, enforcer in diagnosis.enforcement.items():
        table.add_row(limit, enforcer if enforcer != "none" else "[yellow]none[/] (runs are not ranked)")
    console.print(table)
    for hint in diagnosis.hints:
        console.print(hint, markup=False)
