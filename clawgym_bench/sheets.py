"""The figures of runs as tables on a terminal."""

from collections.abc import Callable, Iterator
from pathlib import PurePath

from rich.table import Table

from clawgym_bench.compare import Comparison, Difference
from clawgym_bench.figures import PassFigure
from clawgym_bench.run_log import shown_time
from clawgym_bench.table import Pair, RunFigures

NO_INTERVAL = "none under 10 tasks"
Labelled = tuple[str, RunFigures]
"""A run with the name that it has in every table: several runs may have one solver."""


def sheets_of(runs: list[RunFigures], categories: bool) -> Iterator[Table]:
    """What ran; the main table; pass@k and pass^k where trials were repeated; rubrics where a task has one; categories."""
    labels = [f"{count} {run.solver}" for count, run in enumerate(runs, 1)]
    labelled = list(zip(labels, runs, strict=True))
    yield _origins(labelled)
    yield _main(labelled)
    repeated = [(label, run) for label, run in labelled if run.epochs > 1]
    if repeated:
        yield _passes("pass@k", repeated, lambda run: run.pass_at)
        yield _passes("pass^k", repeated, lambda run: run.pass_hat)
    with_rubrics = [(label, run) for label, run in labelled if run.rubric.trials.keys() - {"none"}]
    if with_rubrics:
        yield _rubrics(with_rubrics)
    if categories:
        yield _categories(labelled)


def _origins(runs: list[Labelled]) -> Table:
    """Apart from the figures, which leave no room for a log's name."""
    sheet = Table("run", "model", "begun", "log")
    sheet.columns[1].overflow = sheet.columns[3].overflow = "fold"
    sheet.columns[2].no_wrap = True
    for label, run in runs:
        sheet.add_row(label, run.model, shown_time(run.created), shown_files(run.logs))
    return sheet


def _main(runs: list[Labelled]) -> Table:
    sheet = Table(
        "", "mean", "95 % interval", "bounds", "pass rate", "95 % interval", "passed", "safety", "scored",
        "unscored", "s a trial", padding=(0, 0, 0, 1),
    )  # fmt: skip
    for label, run in runs:
        sheet.add_row(
            label.split()[0],
            number(run.mean),
            _interval(run.ci95, run.mean),
            pair(run.bounds),
            number(run.pass_rate),
            _interval(run.pass_ci95, run.pass_rate),
            str(run.passed),
            "no gates" if run.safety.value is None else number(run.safety.value),
            f"{run.scored} of {run.planned}",
            ", ".join(f"{name} {count}" for name, count in run.unscored.items()) or "0",
            number(run.seconds_per_trial, 2),
        )
    return sheet


def _passes(name: str, runs: list[Labelled], figures: Callable[[RunFigures], dict[int, PassFigure]]) -> Table:
    last = max(run.epochs for _, run in runs)
    sheet = Table(f"{name} (tasks)", *(f"k = {k}" for k in range(1, last + 1)))
    for label, run in runs:
        cells = []
        for k in range(1, last + 1):
            found = figures(run).get(k)
            cells.append("-" if found is None else f"{number(found.value)} ({found.tasks})")
        sheet.add_row(label, *cells)
    return sheet


def _rubrics(runs: list[Labelled]) -> Table:
    sheet = Table("rubric", "measured trials' mean", "bounds", "code alone", "trials")
    for label, run in runs:
        states = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in run.rubric.trials.items())
        sheet.add_row(label, number(run.rubric.value), pair(run.rubric.bounds), number(run.code.value), states)
    return sheet


def _categories(runs: list[Labelled]) -> Table:
    names = list(dict.fromkeys(name for _, run in runs for name in run.by_category))
    sheet = Table("category", *(label for label, _ in runs))
    for name in names:
        sheet.add_row(name, *(number(run.by_category.get(name)) for _, run in runs))
    return sheet


def comparison_sheet(comparison: Comparison) -> Table:
    """The second run against the first."""
    sheet = Table(
        "figure", "first", "second", "second - first", "95 % interval", "bounds", "better", "worse", "p", "tasks"
    )
    for found in comparison.differences:
        sheet.add_row(found.figure, *_difference(found))
    return sheet


def _difference(found: Difference) -> list[str]:
    if found.paired is None:
        return ["-", "-", "-", "-", pair(found.bounds), "-", "-", "-", "0"]
    figures = found.paired
    return [
        number(figures.first),
        number(figures.second),
        f"{figures.difference:+.3f}",
        _interval(figures.ci95, figures.difference),
        pair(found.bounds),
        str(figures.better),
        str(figures.worse),
        number(figures.p_value),
        str(figures.tasks),
    ]


def shown_files(files: list[str]) -> str:
    """The name of a run's log, and how many more there are."""
    others = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"{PurePath(files[0]).name}{others}"


def number(value: float | None, digits: int = 3) -> str:
    """A figure, or `-` where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def pair(ends: Pair | None) -> str:
    """Two ends."""
    return "-" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


def _interval(ends: Pair | None, value: float | None) -> str:
    return pair(ends) if ends or value is None else NO_INTERVAL
