"""`clawgym bench table`: the figures of runs, computed from the samples of their logs.

These figures are authoritative, not the metrics that Inspect shows: those reduce the epochs of a sample before they
average, see the metadata of one trial only, and leave out samples that ended with an error.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from pydantic import BaseModel

from clawgym_bench.figures import (
    Measure,
    PassFigure,
    Trial,
    bounds,
    by_category,
    code_of,
    grouped,
    interval,
    mean_score,
    pass_at,
    pass_figure,
    pass_hat,
    pass_interval,
    pass_of,
    rubric_of,
    safety_of,
    score_of,
    task_means,
)
from clawgym_bench.merge import merge_logs
from clawgym_bench.run_log import UNKNOWN_CATEGORY, RunLog, UnreadableLogError, log_files, read_run_log
from clawgym_data.errors import SpecErrors

Pair = tuple[float, float]


class Figure(BaseModel):
    """A mean over trials of a task, then over tasks."""

    value: float | None
    """None without a trial that has it."""
    ci95: Pair | None
    """None for fewer than ten tasks."""
    bounds: Pair | None
    """With the trials that lack it as 0 and as 1."""
    tasks: int
    """Tasks behind the value."""


class SafetyFigure(Figure):
    """Whether the gates held, over the tasks known to have one."""

    failed_trials: int
    """Trials in which a gate failed."""


class RubricFigure(Figure):
    """The judged part alone, over the trials in which it was measured."""

    trials: dict[str, int]
    """State of the rubric -> graded trials; states are never averaged together."""


class CategoryFigure(Figure):
    """The headline and the passes of one category."""

    pass_rate: float | None
    trials: int
    """Planned ones."""
    scored: int


class RunFigures(BaseModel):
    """One run."""

    solver: str
    model: str
    log: str
    logs: list[str]
    """More than one where logs were merged."""
    created: str
    """When the (first) log was begun, in ISO format."""
    status: str
    """Inspect's status of the log; `merged` for several."""
    results_version: str
    epochs: int
    tasks: int
    """Planned ones."""
    mean: float | None
    """Over trials of a task, then over tasks; scored trials only."""
    ci95: Pair | None
    """None for fewer than ten tasks."""
    bounds: Pair | None
    """The mean with the unscored trials as 0 and as 1; ranking uses the lower."""
    planned: int
    scored: int
    unscored: dict[str, int]
    """Outcome -> trials; `judge_undecided` ones have a code score, but no headline."""
    outcomes: dict[str, int]
    """Outcome -> planned trials."""
    passed: int
    """Trials, not tasks."""
    pass_rate: float | None
    """Mean over trials of a task, then over tasks."""
    pass_ci95: Pair | None
    """Wilson's, on the effective number of observations."""
    pass_bounds: Pair | None
    pass_at: dict[int, PassFigure]
    """k -> the chance that one of k trials passes."""
    pass_hat: dict[int, PassFigure]
    """k -> the chance that all of k trials pass."""
    code: Figure
    """The code score alone, which is comparable between runs with and without a judge."""
    safety: SafetyFigure
    rubric: RubricFigure
    by_category: dict[str, float | None]
    categories: dict[str, CategoryFigure]
    seconds_per_trial: float | None


def read_logs(paths: list[Path]) -> tuple[list[RunLog], list[str]]:
    """Every log of this benchmark at or below the paths, oldest first, and a line about each file that is none.

    Raises:
        SpecError: where a path holds no log.
        SpecErrors: where no file could be read.
    """
    runs, refused = [], []
    for path in log_files(paths):
        try:
            runs.append(read_run_log(path))
        except UnreadableLogError as error:
            refused.append(error)
    if not runs:
        raise SpecErrors(tuple(refused))
    return runs, [f"left out: {error}" for error in refused] + remarks(runs)


def remarks(runs: Sequence[RunLog]) -> list[str]:
    """Lines about logs that are not what they seem: unfinished ones, and several of one run."""
    lines = []
    for run in runs:
        if run.status not in ("success", "merged"):
            lines.append(
                f"{run.name}: {run.status}, {len(run.trials)} of {len(run.tasks) * run.epochs} trials are there"
            )
    for name, count in Counter(run.run for run in runs).items():
        if count > 1:
            parts = ", ".join(run.name for run in runs if run.run == name)
            lines.append(f"parts or copies of one run; --merge counts each trial once: {parts}")
    return lines


def read_runs(paths: list[Path]) -> list[RunFigures]:
    """The figures of every log at or below the paths, oldest first; raises as `read_logs` does."""
    return [figures_of(run) for run in read_logs(paths)[0]]


def read_merged(paths: list[Path]) -> tuple[RunLog, list[str]]:
    """All logs at or below the paths as one run, and the lines of `read_logs`.

    Raises:
        SpecError, SpecErrors: as `read_logs` and `merge_logs` do.
    """
    runs, lines = read_logs(paths)
    merged = merge_logs(runs)
    return merged, [line for line in lines if "--merge" not in line]


def figures_of(run: RunLog) -> RunFigures:
    """The figures of one log, or of several that were merged."""
    trials = run.planned()
    outcomes = Counter(_shown_outcome(trial) for trial in trials)
    known = [trial for trial in trials if trial.category != UNKNOWN_CATEGORY]
    times = [trial.seconds for trial in trials if trial.seconds is not None]
    return RunFigures(
        solver=run.identity.solver,
        model=run.identity.model,
        log=run.files[0],
        logs=list(run.files),
        created=run.created,
        status=run.status,
        results_version=run.identity.results_version,
        epochs=run.epochs,
        tasks=len(run.tasks),
        mean=mean_score(trials),
        ci95=interval(trials),
        bounds=bounds(trials),
        planned=len(trials),
        scored=sum(trial.score is not None for trial in trials),
        unscored=dict(Counter(_shown_outcome(trial) for trial in trials if trial.score is None)),
        outcomes=dict(outcomes),
        passed=sum(bool(trial.passed) for trial in trials),
        pass_rate=mean_score(trials, measure=pass_of),
        pass_ci95=pass_interval(trials),
        pass_bounds=bounds(trials, pass_of),
        pass_at={k: pass_figure(trials, k, pass_at) for k in range(1, run.epochs + 1)},
        pass_hat={k: pass_figure(trials, k, pass_hat) for k in range(1, run.epochs + 1)},
        code=_figure(trials, code_of),
        safety=_safety(trials),
        rubric=_rubric(trials),
        by_category=dict(by_category(known)),
        categories={name: _category(group) for name, group in grouped(known).items()},
        seconds_per_trial=fmean(times) if times else None,
    )


def _shown_outcome(trial: Trial) -> str:
    """An agent that failed and was not judged is missing from the headline for the judge's sake."""
    return "judge_undecided" if trial.rubric_state == "undecided" else trial.outcome


def _figure(trials: Sequence[Trial], measure: Measure) -> Figure:
    return Figure(
        value=mean_score(trials, measure=measure),
        ci95=interval(trials, measure),
        bounds=bounds(trials, measure),
        tasks=len(task_means(trials, measure=measure)),
    )


def _safety(trials: Sequence[Trial]) -> SafetyFigure:
    # an ungraded trial of a task with a gate could have failed it
    gated = {trial.task for trial in trials if trial.safety is not None or (trial.code is None and trial.has_gate)}
    concerned = [trial for trial in trials if trial.task in gated]
    failed = sum(trial.safety == 0 for trial in concerned)
    figure = _figure(concerned, safety_of).model_copy(update={"ci95": pass_interval(concerned, safety_of)})
    return SafetyFigure(**figure.model_dump(), failed_trials=failed)


def _rubric(trials: Sequence[Trial]) -> RubricFigure:
    judged = {trial.task for trial in trials if trial.rubric is not None}
    concerned = [trial for trial in trials if trial.task in judged]
    states = Counter(trial.rubric_state for trial in trials if trial.rubric_state is not None)
    return RubricFigure(**_figure(concerned, rubric_of).model_dump(), trials=dict(states))


def _category(trials: Sequence[Trial]) -> CategoryFigure:
    return CategoryFigure(
        **_figure(trials, score_of).model_dump(),
        pass_rate=mean_score(trials, measure=pass_of),
        trials=len(trials),
        scored=sum(trial.score is not None for trial in trials),
    )
