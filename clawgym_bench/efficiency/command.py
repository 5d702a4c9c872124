"""`clawgym bench efficiency LOG...`: the command and what it prints."""

import json
from pathlib import Path
from typing import Annotated

import typer

from clawgym_bench.efficiency.sheets import By, efficiency_sheets
from clawgym_bench.efficiency.summary import counted_trials, efficiency_of
from clawgym_bench.table import read_logs, read_merged
from clawgym_bench.terminal import log_console, remark
from clawgym_data.progress import progress


def efficiency(
    logs: Annotated[list[Path], typer.Argument(help="Evaluation logs, or folders with some.", exists=True)],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures there.")] = None,
    by: Annotated[By | None, typer.Option(help="Also print a table by this.")] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="The logs are parts of one run (a retry, shards): count each trial once.")
    ] = False,
) -> None:
    """Print what runs took: turns, calls, errors and recoveries, tokens, cost and time, also for each passed task."""
    if merge:
        merged, remarks = read_merged(logs)
        found = [merged]
    else:
        found, remarks = read_logs(logs)
    with progress("efficiency", sum(len(counted_trials(run)) for run in found)) as advance:
        runs = [efficiency_of(run, advance) for run in found]
    if json_file:
        json_file.write_text(json.dumps([run.model_dump(mode="json") for run in runs], indent=2) + "\n", "utf-8")
    remark(remarks)
    console = log_console()
    for sheet in efficiency_sheets(runs, by):
        console.print(sheet)
