"""`clawgym bench table`: the figures of runs, computed from the samples of their logs."""

from collections import Counter
from pathlib import Path
from statistics import fmean

from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from pydantic import BaseModel

from clawgym_bench.figures import Trial, bounds, by_category, interval, mean_score
from clawgym_data.errors import SpecError
from clawgym_data.outcome import Outcome

VERDICT, COVERAGE = "verdict", "coverage"


class RunFigures(BaseModel):
    """One run."""

    solver: str
    model: str
    log: str
    mean: float | None
    """Over trials of a task, then over tasks; scored trials only."""
    ci95: tuple[float, float] | None
    """None for fewer than ten tasks."""
    bounds: tuple[float, float] | None
    """The mean with the unscored trials as 0 and as 1."""
    planned: int
    scored: int
    unscored: dict[str, int]
    """Outcome -> trials."""
    passed: int
    by_category: dict[str, float | None]
    seconds_per_trial: float | None


def read_runs(paths: list[Path]) -> list[RunFigures]:
    """The figures of every log at or below the paths, oldest first.

    Raises:
        SpecError: where a path holds no log of this benchmark.
    """
    runs = [figures_of(read_eval_log(str(path)), path) for path in _log_files(paths)]
    return [run for run in runs if run is not None]


def _log_files(paths: list[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        found = (
            [Path(info.name.removeprefix("file://")) for info in list_eval_logs(str(path))] if path.is_dir() else [path]
        )
        if not found or not all(file.is_file() for file in found):
            raise SpecError(str(path), "", "no evaluation log", "an .eval file or a folder with some")
        files += sorted(found)
    return files


def figures_of(log: EvalLog, path: Path) -> RunFigures | None:
    """The figures of one log; None where it is of another task."""
    if not log.eval.task.split("/")[-1].startswith("clawgym"):
        return None
    samples = log.samples or []
    trials = [_trial(sample) for sample in samples]
    epochs = log.eval.config.epochs or 1
    planned = max((log.eval.dataset.samples or len(samples)) * epochs, len(trials))
    if log.eval.config.limit is not None or log.eval.config.sample_id is not None:
        planned = (
            max(len(log.eval.dataset.sample_ids or []) * epochs, len(trials))
            if log.eval.dataset.sample_ids
            else len(trials)
        )
    unscored = Counter(trial.outcome for trial in trials if trial.score is None)
    if planned > len(trials):
        unscored["not_run"] = planned - len(trials)
    return RunFigures(
        solver=str(log.eval.task_args.get("solver") or log.eval.solver or "unknown"),
        model=log.eval.model,
        log=str(path),
        mean=mean_score(trials),
        ci95=interval(trials),
        bounds=bounds(trials),
        planned=planned,
        scored=sum(trial.score is not None for trial in trials),
        unscored=dict(unscored),
        passed=sum(bool(trial.passed) for trial in trials),
        by_category=dict(by_category(trials)),
        seconds_per_trial=fmean([trial.seconds or 0.0 for trial in trials]) if trials else None,
    )


def _trial(sample: EvalSample) -> Trial:
    metadata = sample.metadata or {}
    score = (sample.scores or {}).get(VERDICT)
    details = (score.metadata or {}) if score else {}
    verdict = details.get("verdict")
    outcome = details.get("outcome") or (Outcome.INFRA_FAILED.value if sample.error else Outcome.SCORED.value)
    return Trial(
        task=str(sample.id),
        cluster=str(metadata.get("cluster_id", sample.id)),
        category=str(metadata.get("category", "unknown")),
        outcome=outcome if score or sample.error else Outcome.INFRA_FAILED.value,
        score=float(verdict["score"]) if verdict else None,
        passed=bool(verdict and verdict["passed"]),
        seconds=sample.total_time or 0.0,
    )
