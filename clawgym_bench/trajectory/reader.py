"""Trajectories from evaluation logs, one sample after the other."""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import ModelUsage
from pydantic import TypeAdapter

from clawgym_bench.run_log import VERDICT, UnreadableLogError, damaged, require_ours, solver_of, trial_outcome
from clawgym_bench.trajectory.drafts import Draft, plain, usage_of
from clawgym_bench.trajectory.events import Event, Usage
from clawgym_bench.trajectory.origins import conversations_of
from clawgym_bench.trajectory.record import Run, Timings, Trajectory
from clawgym_bench.trajectory.transcript import Transcript
from clawgym_data.grading.verdict import Verdict

UNREAD = {"store", "timelines"}
T = TypeVar("T")
_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def read_trajectories(log: Path | str, task: str | None = None, epoch: int | None = None) -> Iterator[Trajectory]:
    """Read the trials of a log, one at a time: a log is never held whole (but for `.json` logs, which have no parts).

    Args:
        log: an `.eval` file, of this benchmark.
        task: only trials of this task.
        epoch: only trials of this number.

    Raises:
        UnreadableLogError: it is damaged, or of another task.
    """
    name = str(log)
    # where asyncio reads a sample in the main thread it also writes it out as a text, which takes longer than reading
    with ThreadPoolExecutor(1, "clawgym-read") as reader:
        header, chosen = _read(reader, name, partial(_contents, name))
        for sample_id, number in chosen:
            if task in (None, str(sample_id)) and epoch in (None, number):
                yield trajectory_of(header, _read(reader, name, partial(_sample, name, sample_id, number)), name)


def _contents(log: str) -> tuple[EvalLog, list[tuple[str | int, int]]]:
    header = read_eval_log(log, header_only=True)
    require_ours(log, header)
    return header, [(summary.id, summary.epoch) for summary in read_eval_log_sample_summaries(log)]


def _sample(log: str, name: str | int, epoch: int) -> EvalSample:
    return read_eval_log_sample(log, name, epoch, resolve_attachments="full", exclude_fields=UNREAD)


def _read(reader: Executor, log: str, read: Callable[[], T]) -> T:
    try:
        return reader.submit(read).result()
    except UnreadableLogError:
        raise
    except Exception as error:  # zip, zstd, JSON and pydantic each raise errors of their own on damaged bytes
        raise damaged(log, error) from error


def trajectory_of(header: EvalLog, sample: EvalSample, log: str = "") -> Trajectory:
    """The trajectory of one sample.

    Args:
        header: of its log.
        sample: with its attachments resolved.
        log: name of the log file.
    """
    transcript = Transcript(sample)
    transcript.read()
    instruction = sample.input if isinstance(sample.input, str) else "\n".join(m.text for m in sample.input)
    metadata = sample.metadata or {}
    return Trajectory(
        task=str(sample.id),
        epoch=sample.epoch,
        uuid=sample.uuid or f"{sample.id}/{sample.epoch}/{sample.completed_at}",
        solver=solver_of(header.eval),
        model=header.eval.model,
        run=_run(header, log),
        instruction=instruction,
        category=_text(metadata.get("category")),
        cluster=_text(metadata.get("cluster_id")),
        timings=Timings(
            started_at=_text(sample.started_at),
            completed_at=_text(sample.completed_at),
            total_sec=sample.total_time,
            working_sec=sample.working_time,
        ),
        usage_by_model=_usages(sample.model_usage),
        usage_by_role=_usages(sample.role_usage),
        conversations=conversations_of(transcript.book.talks, transcript.events, instruction),
        events=tuple(_event(draft) for draft in transcript.events),
        **_result(sample),
    )


def _event(draft: Draft) -> Event:
    return _EVENT.validate_python({"kind": draft.kind, "id": draft.id, **draft.fields})


def _run(header: EvalLog, log: str) -> Run:
    spec = header.eval
    ours = (spec.metadata or {}).get("run") or {}
    return Run(
        log=Path(log).name,
        id=spec.task_id,
        created=str(spec.created),
        version=str(spec.task_version),
        sandbox=spec.sandbox.type if spec.sandbox else "unknown",
        limits=plain(ours.get("limits") or {}),
    )


def _result(sample: EvalSample) -> dict[str, Any]:
    """Outcome, score and verdict."""
    score = (sample.scores or {}).get(VERDICT)
    details = plain(score.metadata or {}) if score else {}
    recorded = details.get("verdict")
    verdict = Verdict.model_validate_json(json.dumps(recorded)) if recorded else None
    outcome, counts = trial_outcome(sample, details, verdict is not None)
    known = {
        "task_digest": verdict.task_digest if verdict else str((sample.metadata or {}).get("digest") or ""),
        "outcome": outcome,
        "cause": str(details.get("cause") or ""),
        "verdict": verdict,
        "workspace": details.get("workspace"),
    }
    if verdict is None or not counts:
        return known
    is_undecided = verdict.rubric_state == "undecided"
    return known | {
        "score": None if is_undecided else verdict.score,
        "passed": None if is_undecided and verdict.passed else verdict.passed,
    }


def _usages(given: Mapping[str, ModelUsage]) -> dict[str, Usage]:
    return {name: usage for name, one in given.items() if (usage := usage_of(one)) is not None}


def _text(value: object) -> str | None:
    return None if value is None else str(value)
