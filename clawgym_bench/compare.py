"""`clawgym bench compare`: two runs on the same tasks, task by task."""

from collections.abc import Mapping

from pydantic import BaseModel

from clawgym_bench.figures import Measure, Paired, Trial, code_of, mean_score, paired, pass_of, score_of, task_means
from clawgym_bench.run_log import NOT_RUN, RunLog
from clawgym_data.errors import SpecError, SpecErrors


class Difference(BaseModel):
    """One figure of the second run against the first."""

    figure: str
    """`score`, `code` or `passed`."""
    paired: Paired | None
    """Over the tasks that both runs have a scored trial of; None without one."""
    bounds: tuple[float, float] | None
    """The difference with the unscored trials of common tasks taken against the second run, and for it."""


class Comparison(BaseModel):
    """The second run against the first."""

    first: str
    """Solver, model, and when the run was begun."""
    second: str
    first_logs: list[str]
    second_logs: list[str]
    common_tasks: int
    """Planned in both."""
    only_first: list[str]
    only_second: list[str]
    differences: list[Difference]
    """The headline first; only `code` where the runs were not judged alike."""


def compare_runs(first: RunLog, second: RunLog) -> Comparison:
    """Compare task means over the tasks that both runs planned.

    Raises:
        SpecErrors: results of another version, or other contents of a task.
    """
    _refuse_incomparable(first, second)
    common = set(first.tasks) & set(second.tasks)
    pair = [[trial for trial in run.planned() if trial.task in common] for run in (first, second)]
    measures: dict[str, Measure] = {"score": score_of, "code": code_of, "passed": pass_of}
    judged = [_judged(trials) for trials in pair]
    if judged[0] != judged[1] or (judged[0] and first.identity.roles != second.identity.roles):
        measures = {"code": code_of}
    return Comparison(
        first=first.title,
        second=second.title,
        first_logs=list(first.files),
        second_logs=list(second.files),
        common_tasks=len(common),
        only_first=sorted(set(first.tasks) - common),
        only_second=sorted(set(second.tasks) - common),
        differences=[_difference(name, measure, pair[0], pair[1]) for name, measure in measures.items()],
    )


def _refuse_incomparable(first: RunLog, second: RunLog) -> None:
    versions = first.identity.results_version, second.identity.results_version
    faults = []
    if versions[0] != versions[1]:
        faults.append(SpecError(second.name, "results version", versions[1], f"{versions[0]}, as in {first.name}"))
    known: Mapping[str, str] = first.digests()
    for task, digest in second.digests().items():
        if known.get(task, digest) != digest:
            faults.append(
                SpecError(second.name, f"digest of {task}", digest[:12], f"{known[task][:12]}, as in {first.name}")
            )
    if not set(first.tasks) & set(second.tasks):
        faults.append(SpecError(second.name, "tasks", "none in common", f"a task of {first.name}"))
    if faults:
        raise SpecErrors(tuple(faults))


def _judged(trials: list[Trial]) -> set[str]:
    """The tasks whose headline rests on a judge too."""
    return {trial.task for trial in trials if trial.rubric_state in ("measured", "undecided")}


def _difference(name: str, measure: Measure, first: list[Trial], second: list[Trial]) -> Difference:
    clusters = {trial.task: trial.cluster for trial in (*second, *first) if trial.outcome != NOT_RUN}
    ends = [mean_score(trials, value, measure) for trials, value in ((second, 0), (first, 1), (second, 1), (first, 0))]
    low, high = (None if a is None or b is None else a - b for a, b in (ends[:2], ends[2:]))
    return Difference(
        figure=name,
        paired=paired(task_means(first, measure=measure), task_means(second, measure=measure), clusters),
        bounds=None if low is None or high is None else (low, high),
    )
