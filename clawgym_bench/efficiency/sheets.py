"""What runs took, as tables on a terminal."""

from collections.abc import Iterator, Mapping
from typing import Literal

from rich.table import Table

from clawgym_bench.efficiency.effort import Effort
from clawgym_bench.efficiency.measures import MEASURES, SPENT
from clawgym_bench.efficiency.summary import Amount, RunEfficiency, Spending
from clawgym_bench.figures import Ratio
from clawgym_bench.run_log import shown_time
from clawgym_bench.sheets import number, shown_files

By = Literal["trial", "task", "category"]
ALWAYS = frozenset({"turns", "model_calls", "tool_calls", "failed_calls", "total_tokens", "wall_sec"})
"""Figures that are shown where they are 0 or missing in every run; `--json` has all."""
SHORT = {
    "turns": "turns",
    "model_calls": "model calls",
    "tool_calls": "tool calls",
    "failed_calls": "failed",
    "recovery_rate": "recovered",
    "malformed": "malformed",
    "repeated_looks": "looks again",
    "empty_polls": "empty polls",
    "rewrites": "rewrites",
    "total_tokens": "tokens",
    "cost_usd": "$",
    "working_sec": "working s",
}
"""The figures of the tables by trial, task and category."""
Labelled = list[tuple[str, RunEfficiency]]
"""Runs with the names that they have in every table."""


def efficiency_sheets(runs: list[RunEfficiency], by: By | None) -> Iterator[Table]:
    """What ran, how many trials are behind the figures; the figures; calls by tool; then those of each run by `by`."""
    labelled = [(f"{count} {run.solver}", run) for count, run in enumerate(runs, 1)]
    yield _origins(labelled)
    yield _figures(labelled)
    if any(run.whole.calls_by_tool for run in runs):
        yield _tools(labelled)
    for label, run in labelled if by else []:
        if by == "trial":
            yield _trials(label, run)
        else:
            yield _parts(label, "task" if by == "task" else "category", run.tasks if by == "task" else run.categories)


def _origins(runs: Labelled) -> Table:
    sheet = Table("run", "model", "begun", "log", "trials", "left out")
    sheet.columns[1].overflow = sheet.columns[3].overflow = "fold"
    sheet.columns[2].no_wrap = True
    for label, run in runs:
        trials = f"{run.whole.counted} of {run.whole.planned}"
        sheet.add_row(
            label, run.model, shown_time(run.created), shown_files(run.logs), trials, _left_out(run.whole) or "0"
        )
    return sheet


def _figures(runs: Labelled) -> Table:
    """A row a figure: the mean of each run, with intervals where a run has some."""
    sheet = Table("mean of a trial")
    with_ends = [any(amount.ci95 for amount in run.whole.figures.values()) for _, run in runs]
    for (label, _), has_ends in zip(runs, with_ends, strict=True):
        sheet.add_column(label, justify="right")
        if has_ends:
            sheet.add_column("95 %", justify="right")
    for title, digits, figures in _rows(runs):
        cells: list[str] = []
        for figure, has_ends in zip(figures, with_ends, strict=True):
            cells += [number(figure.value if figure else None, digits)]
            cells += [_ends(figure, digits)] if has_ends else []
        sheet.add_row(title, *cells)
    return sheet


def _rows(runs: Labelled) -> Iterator[tuple[str, int, list[Amount | Ratio | None]]]:
    """Title, digits, and the figure of each run."""
    for name, measure in MEASURES.items():
        amounts: list[Amount | Ratio | None] = [run.whole.figures[name] for _, run in runs]
        if name in ALWAYS or any(amount and amount.value for amount in amounts):
            yield measure.title, measure.digits, amounts
    for name in SPENT:
        for what, ratios in (
            ("pass", [run.whole.per_pass[name] for _, run in runs]),
            ("point of score", [run.whole.per_point[name] for _, run in runs]),
        ):
            if any(ratios):
                yield f"{MEASURES[name].title} for each {what}", MEASURES[name].digits, [*ratios]


def _tools(runs: Labelled) -> Table:
    sheet = Table("calls of a trial by tool", *(label for label, _ in runs))
    names = dict.fromkeys(name for _, run in runs for name in run.whole.calls_by_tool)
    for name in names:
        sheet.add_row(name, *(number(run.whole.calls_by_tool.get(name, 0.0), 2) for _, run in runs))
    return sheet


def _parts(label: str, what: str, parts: Mapping[str, Spending]) -> Table:
    sheet = Table(f"{label}: {what}", "trials", *SHORT.values(), "tokens a pass", "left out")
    for name, part in parts.items():
        cells = (number(part.figures[key].value, MEASURES[key].digits) for key in SHORT)
        price = part.per_pass["total_tokens"]
        sheet.add_row(
            name,
            f"{part.counted} of {part.planned}",
            *cells,
            number(price.value if price else None, 0),
            _left_out(part),
        )
    return sheet


def _trials(label: str, run: RunEfficiency) -> Table:
    sheet = Table(f"{label}: trial", "outcome", "score", *SHORT.values())
    for trial in run.trials:
        cells = (_taken(trial.effort, key) for key in SHORT)
        sheet.add_row(f"{trial.task} {trial.epoch}", trial.outcome, number(trial.score), *cells)
    return sheet


def _taken(effort: Effort | None, name: str) -> str:
    value = None if effort is None else MEASURES[name].take(effort)
    return f"{value}" if isinstance(value, int) else number(value, MEASURES[name].digits)


def _ends(figure: Amount | Ratio | None, digits: int) -> str:
    ends = figure.ci95 if figure else None
    return f"{ends[0]:.{digits}f} to {ends[1]:.{digits}f}" if ends else ""


def _left_out(part: Spending) -> str:
    return ", ".join(f"{name} {count}" for name, count in part.left_out.items())
