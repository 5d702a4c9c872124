"""`clawgym bench`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from clawgym_bench.compare import compare_runs
from clawgym_bench.efficiency.command import efficiency
from clawgym_bench.image.command import app as image_app
from clawgym_bench.local_model.command import local_model
from clawgym_bench.regrade_command import regrade_logs
from clawgym_bench.sheets import comparison_sheet, sheets_of, shown_files
from clawgym_bench.show.command import show_trial
from clawgym_bench.table import figures_of, read_logs, read_merged
from clawgym_bench.terminal import log_console, remark
from clawgym_bench.trajectory.export_command import export_logs

app = typer.Typer(no_args_is_help=True, help="Run the benchmark and read its logs.")
app.command("efficiency")(efficiency)
app.command("regrade")(regrade_logs)
app.command("show")(show_trial)
app.command("export")(export_logs)
app.command("local-model")(local_model)
app.add_typer(image_app, name="image")


@app.command()
def table(
    logs: Annotated[list[Path], typer.Argument(help="Evaluation logs, or folders with some.", exists=True)],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the figures there.")] = None,
    categories: Annotated[bool, typer.Option(help="Also print a table by category.")] = True,
    merge: Annotated[
        bool, typer.Option("--merge", help="The logs are parts of one run (a retry, shards): count each trial once.")
    ] = False,
) -> None:
    """Print means, passes, intervals, bounds, gates and coverage of runs; authoritative over Inspect's own metrics."""
    if merge:
        merged, remarks = read_merged(logs)
        found = [merged]
    else:
        found, remarks = read_logs(logs)
    runs = [figures_of(run) for run in found]
    if json_file:
        json_file.write_text(json.dumps([run.model_dump(mode="json") for run in runs], indent=2) + "\n", "utf-8")
    remark(remarks)
    console = log_console()
    for sheet in sheets_of(runs, categories):
        console.print(sheet)


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(help="A log, or a folder with the logs of one run.", exists=True)],
    second: Annotated[Path, typer.Argument(help="The run to compare with it.", exists=True)],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the comparison there.")] = None,
) -> None:
    """Compare two runs task by task: mean difference, clustered interval, permutation test."""
    (before, said_before), (after, said_after) = read_merged([first]), read_merged([second])
    comparison = compare_runs(before, after)
    if json_file:
        json_file.write_text(comparison.model_dump_json(indent=2) + "\n", "utf-8")
    remark([*said_before, *said_after])
    console = log_console()
    for name, title, files in (
        ("first", comparison.first, comparison.first_logs),
        ("second", comparison.second, comparison.second_logs),
    ):
        console.print(f"{name}: {title}, {shown_files(files)}", soft_wrap=True)
    console.print(f"{comparison.common_tasks} tasks in common")
    for name, only in (("first", comparison.only_first), ("second", comparison.only_second)):
        if only:
            console.print(f"only in the {name}, left out: {', '.join(only)}")
    if [difference.figure for difference in comparison.differences] == ["code"]:
        console.print("the runs were not judged alike: only their code scores can be compared")
    console.print(comparison_sheet(comparison))
