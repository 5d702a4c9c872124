"""Writing the log of a regrade: Inspect's samples with new scores, its metrics computed anew."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from math import isnan
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    ProvenanceData,
    read_eval_log_sample_async,
    read_eval_log_sample_summaries_async,
    recompute_metrics,
)
from inspect_ai.log._recorders import Recorder, recorder_type_for_location
from inspect_ai.scorer import Score, ScoreEdit

Edit = Callable[[EvalSample], None]
SAMPLES_A_FLUSH = 20
PROVENANCE = {"author": "clawgym bench regrade", "reason": "every check again, by the tasks as they are now"}


def edited(old: Score | None, new: Score) -> Score:
    """The new score; where its value is another, with the old one in the history that Inspect's viewer shows."""
    if old is None or old.value == new.value or (_unscored(old) and _unscored(new)):
        return new
    history = [*old.history] or [_edit_of(old, None)]
    return new.model_copy(update={"history": [*history, _edit_of(new, ProvenanceData(**PROVENANCE))]})


def _edit_of(score: Score, provenance: ProvenanceData | None) -> ScoreEdit:
    return ScoreEdit(
        value=score.value,
        explanation=score.explanation,
        reason=score.reason,
        metadata=score.metadata or {},
        provenance=provenance,
    )


def _unscored(score: Score) -> bool:
    return isinstance(score.value, float) and isnan(score.value)


async def write_regraded(
    source: str,
    header: EvalLog,
    target: str,
    edits: Mapping[tuple[str | int, int], Edit],
    about: dict[str, Any],
) -> None:
    """Copy a log sample by sample, as `inspect score --stream` does, and rename it into place when it is whole.

    Args:
        source: the log.
        header: its header.
        target: path or URL of the new one.
        edits: by sample id and epoch.
        about: goes into the new log's metadata as `regraded`.
    """
    local = "://" not in target
    folder, _, name = target.rpartition("/")
    # not named like a log, so that one which a killed process left is taken for none
    part = f"{folder}/.{name}.{secrets.token_hex(8)}.part" if local else target
    if local:
        Path(folder).mkdir(parents=True, exist_ok=True)
    log = header.model_copy(deep=True)
    log.eval.metadata = (log.eval.metadata or {}) | {"regraded": about}
    recorder = recorder_type_for_location(source)(folder)  # type: ignore[call-arg]
    try:
        await recorder.log_init(log.eval, location=part)
        await recorder.log_start(log.eval, log.plan)
        log.samples = [sample async for sample in _copied(source, log, recorder, edits)]
        recompute_metrics(log)
        await recorder.log_finish(
            log.eval,
            log.status,
            log.stats,
            log.results,
            log.reductions,
            log.error,
            invalidated=log.invalidated,
            log_updates=log.log_updates,
            config_updates=log.config_updates,
        )
        if local:
            Path(part).replace(target)
    finally:
        if local:
            with suppress(FileNotFoundError):
                Path(part).unlink()


async def _copied(
    source: str, log: EvalLog, recorder: Recorder, edits: Mapping[tuple[str | int, int], Edit]
) -> AsyncIterator[EvalSample]:
    """Write each sample with its new scores; yields what the metrics are computed from."""
    for count, summary in enumerate(await read_eval_log_sample_summaries_async(source), 1):
        sample = await read_eval_log_sample_async(source, summary.id, summary.epoch)
        edit = edits.get((summary.id, summary.epoch))
        if edit is not None:
            edit(sample)
        await recorder.log_sample(log.eval, sample)
        if count % SAMPLES_A_FLUSH == 0:
            await recorder.flush(log.eval)
        yield sample.model_copy(update={"messages": [], "events": [], "attachments": {}, "timelines": None})
