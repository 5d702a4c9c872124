"""`clawgym bench export LOG...`: trajectories as files for other programs."""

import json
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from inspect_ai.log import read_eval_log_sample_summaries

from clawgym_bench.run_log import log_files
from clawgym_bench.show.text import visible
from clawgym_bench.terminal import remark
from clawgym_bench.trajectory.atif import atif_document
from clawgym_bench.trajectory.chat import chat_rows
from clawgym_bench.trajectory.reader import read_trajectories
from clawgym_bench.trajectory.record import Trajectory
from clawgym_data.progress import progress


class Format(StrEnum):
    """What is written."""

    JSONL = "jsonl"
    """Everything, one trajectory a line; reads back as it was."""
    ATIF = "atif"
    """Harbor's Agent Trajectory Interchange Format 1.7, one file a trial."""
    CHAT = "chat"
    """Messages and tools as OpenAI has them, one conversation a line."""


def export_logs(
    logs: Annotated[list[Path], typer.Argument(help="Evaluation logs, or folders with some.", exists=True)],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    form: Annotated[Format, typer.Option("--format", help="What is written.")] = Format.JSONL,
) -> None:
    """Write the trials of logs as trajectories (`jsonl`), for Harbor's tools (`atif`) or for training (`chat`)."""
    out.mkdir(parents=True, exist_ok=True)
    files = log_files(logs)
    with progress("export", sum(len(read_eval_log_sample_summaries(str(log))) for log in files)) as advance:
        for log in files:
            for trajectory in _written(log, out, form):
                advance(visible(f"{trajectory.task} {trajectory.epoch}"))
    remark([f"written to {out}"])


_ENDING = {Format.JSONL: "jsonl", Format.CHAT: "chat.jsonl"}


def _written(log: Path, out: Path, form: Format) -> Iterator[Trajectory]:
    """Write each trial of a log, and hand it on."""
    if form is Format.ATIF:
        for trajectory in read_trajectories(log):
            document = atif_document(trajectory)
            if document is not None:
                name = f"{log.stem}.{trajectory.task}.{trajectory.epoch}.atif.json"
                text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
                (out / name).write_text(text, "utf-8")
            yield trajectory
        return
    with (out / f"{log.stem}.{_ENDING[form]}").open("w", encoding="utf-8", newline="\n") as file:
        for trajectory in read_trajectories(log):
            for line in _lines(trajectory, form):
                file.write(line + "\n")
            yield trajectory


def _lines(trajectory: Trajectory, form: Format) -> Iterator[str]:
    if form is Format.JSONL:
        yield trajectory.model_dump_json()
        return
    for row in chat_rows(trajectory):
        yield json.dumps(row, ensure_ascii=False)
