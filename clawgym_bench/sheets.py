"""The figures of runs as tables on a terminal."""

from collections.abc import Callable, Iterator

from rich.table import Table

from clawgym_bench.compare import Comparison, Difference
from clawgym_bench.figures import PassFigure
from clawgym_bench.table import Pair, RunFigures

NO_INTERVAL = "none under 10 tasks"


def sheets_of(runs: list[RunFigures], categories: bool) -> Iterator[Table]:
    """The main table; pass@k and pass^k where trials were repeated; rubrics where a task has one; categories."""
    yield _main(runs)
    repeated = [run for run in runs if run.epochs > 1]
    if repeated:
        yield _passes("pass@k", repeated, lambda run: run.pass_at)
        yield _passes("pass^k", repeated, lambda run: run.pass_hat)
    with_rubrics = [run for run in runs if run.rubric.trials.keys() - {"none"}]
    if with_rubrics:
        yield _rubrics(with_rubrics)
    if categories:
        yield _categories(runs)


def _main(runs: list[RunFigures]) -> Table:
    sheet = Table(
        "solver", "model", "mean", "95 % interval", "bounds", "pass rate", "95 % interval", "passed", "safety", "scored",
        "unscored", "s a trial",
    )  # fmt: skip
    for run in runs:
        sheet.add_row(
            run.solver,
            run.model,
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


def _passes(name: str, runs: list[RunFigures], figures: Callable[[RunFigures], dict[int, PassFigure]]) -> Table:
    last = max(run.epochs for run in runs)
    sheet = Table(f"{name} (tasks)", *(f"k = {k}" for k in range(1, last + 1)))
    for run in runs:
        cells = []
        for k in range(1, last + 1):
            found = figures(run).get(k)
            cells.append("-" if found is None else f"{number(found.value)} ({found.tasks})")
        sheet.add_row(run.solver, *cells)
    return sheet


def _rubrics(runs: list[RunFigures]) -> Table:
    sheet = Table("rubric", "measured trials' mean", "bounds", "code alone", "trials")
    for run in runs:
        states = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in run.rubric.trials.items())
        sheet.add_row(run.solver, number(run.rubric.value), pair(run.rubric.bounds), number(run.code.value), states)
    return sheet


def _categories(runs: list[RunFigures]) -> Table:
    names = list(dict.fromkeys(name for run in runs for name in run.by_category))
    sheet = Table("category", *(run.solver for run in runs))
    for name in names:
        sheet.add_row(name, *(number(run.by_category.get(name)) for run in runs))
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


def number(value: float | None, digits: int = 3) -> str:
    """A figure, or `-` where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def pair(ends: Pair | None) -> str:
    """Two ends."""
    return "-" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


def _interval(ends: Pair | None, value: float | None) -> str:
    return pair(ends) if ends or value is None else NO_INTERVAL
