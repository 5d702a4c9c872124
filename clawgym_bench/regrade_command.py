"""`clawgym bench regrade LOG...`: the command and what it prints."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from inspect_ai.log import list_eval_logs
from rich.console import Console
from rich.table import Table

from clawgym_bench.regrade import Moved, Regraded, regrade
from clawgym_bench.run_log import UnreadableLogError
from clawgym_bench.terminal import log_console, remark
from clawgym_data.errors import SpecError
from clawgym_data.progress import Advance, progress

MAX_ROWS = 200
"""Moved trials that are printed; `--json` has all."""
LOG_SUFFIXES = (".eval", ".json")


def regrade_logs(
    logs: Annotated[list[str], typer.Argument(help="Evaluation logs, or folders with some.")],
    tasks: Annotated[Path | None, typer.Option(help="Folder of the tasks; the run's own by default.")] = None,
    out: Annotated[str | None, typer.Option(help="Folder of the new logs; FOLDER-regraded by default.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write what moved there.")] = None,
) -> None:
    """Run every check again on the kept workspaces, without a model, by the tasks as they are now.

    The logs stay as they are; new ones are written. Run it again after an interruption, and it goes on where it was. A
    log that cannot be read is named and left out, and the exit status is then 1.
    """
    found, unreadable = [], 0
    for log in _log_files(logs):
        try:
            found.append(_one(log, tasks, out))
        except UnreadableLogError as error:
            remark([f"left out: {error}"])
            unreadable += 1
    if json_file:
        json_file.write_text(json.dumps([one.model_dump(mode="json") for one in found], indent=2) + "\n", "utf-8")
    console = log_console()
    for one in found:
        _print(console, one)
    if unreadable:
        raise typer.Exit(1)


def _one(log: str, tasks: Path | None, out: str | None) -> Regraded:
    folder = log.rpartition("/")[0]
    with ExitStack() as stack:

        def begin(total: int) -> Advance:
            return stack.enter_context(progress("regrade", total))

        return regrade(log, str(tasks) if tasks else None, out or f"{folder}-regraded", begin)


def _log_files(paths: list[str]) -> list[str]:
    files: list[str] = []
    for path in paths:
        place = path if "://" in path else str(Path(path).resolve())
        if place.endswith(LOG_SUFFIXES):
            listed = [place] if "://" in place or Path(place).is_file() else []
        else:
            listed = sorted(info.name.removeprefix("file://") for info in list_eval_logs(place))
        if not listed:
            raise SpecError(path, "", "no evaluation log", "an .eval file or a folder with some")
        files += listed
    return files


def _print(console: Console, one: Regraded) -> None:
    console.print(f"{one.log}\n  -> {one.written}", soft_wrap=True)
    console.print(f"{one.regraded} of {one.trials} trials graded again, {len(one.moved)} moved")
    for reason, count in sorted(one.left.items()):
        console.print(f"{count} left as they were: {reason}", soft_wrap=True)
    for task, (before, now) in sorted(one.changed_tasks.items()):
        console.print(f"task {task} changed: {before[:12]} -> {now[:12]}")
    if one.judged_kept or one.judged_dropped:
        console.print(
            f"judge results: {one.judged_kept} kept, {one.judged_dropped} dropped since the rubric changed",
        )
    if not one.moved:
        return
    sheet = Table("task", "trial", "old", "new", "checks that moved")
    for moved in one.moved[:MAX_ROWS]:
        sheet.add_row(
            moved.task,
            str(moved.epoch),
            _shown(moved.old, moved.old_outcome),
            _shown(moved.new, moved.new_outcome),
            _checks(moved),
        )
    console.print(sheet)
    if len(one.moved) > MAX_ROWS:
        console.print(f"and {len(one.moved) - MAX_ROWS} more; --json FILE has all of them")


def _shown(score: float | None, outcome: str) -> str:
    return outcome if score is None else f"{score:.3f}" if outcome == "scored" else f"{score:.3f} ({outcome})"


def _checks(moved: Moved) -> str:
    return ", ".join(f"{name} {_number(old)} -> {_number(new)}" for name, (old, new) in moved.checks.items())


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
