"""`clawgym bench efficiency`: what the trials of runs took, from the conversations in their logs."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from clawgym_bench.efficiency.effort import Effort, effort_of
from clawgym_bench.efficiency.faults import Fault
from clawgym_bench.efficiency.measures import MEASURES, SPENT, EffortMeasure, Take
from clawgym_bench.figures import (
    Measure,
    Ratio,
    Trial,
    amount_interval,
    clusters_of,
    grouped,
    interval,
    mean_score,
    pass_of,
    ratio,
    score_of,
    task_means,
)
from clawgym_bench.run_log import UNKNOWN_CATEGORY, RunLog
from clawgym_bench.show.text import visible
from clawgym_bench.trajectory import read_trajectories
from clawgym_data.outcome import Outcome
from clawgym_data.progress import Advance

Efforts = Mapping[tuple[str, int], Effort]
"""Of the trials that count, by task and epoch."""

COUNTED = frozenset(outcome.value for outcome in Outcome if outcome.counted)


class Amount(BaseModel):
    """A mean over trials of a task, then over tasks."""

    value: float | None
    """None without a trial that has it."""
    ci95: tuple[float, float] | None
    """None for fewer than ten tasks, and for amounts in which all clusters agree."""
    tasks: int
    """Tasks behind the value."""
    trials: int


class Spending(BaseModel):
    """What some trials took."""

    planned: int
    """Trials."""
    counted: int
    """Those that ended by the agent's own doing and are behind the figures."""
    left_out: dict[str, int]
    """Outcome -> trials; what infrastructure or a grader ended says nothing about the agent."""
    figures: dict[str, Amount]
    per_pass: dict[str, Ratio | None]
    """Mean amount for a mean pass, over the tasks that have both; None without a pass."""
    per_point: dict[str, Ratio | None]
    """The same for a score of 1."""
    calls_by_tool: dict[str, float]
    """Mean calls of each tool."""
    failed_calls: int
    """In all trials."""
    recovered_calls: int
    failed_by_kind: dict[Fault, int]


class TrialEffort(BaseModel):
    """One trial."""

    task: str
    epoch: int
    category: str
    outcome: str
    score: float | None
    passed: bool | None
    effort: Effort | None
    """None where the trial is left out."""


class RunEfficiency(BaseModel):
    """One run, or several logs of it."""

    solver: str
    model: str
    logs: list[str]
    created: str
    status: str
    results_version: str
    epochs: int
    whole: Spending
    categories: dict[str, Spending]
    tasks: dict[str, Spending]
    trials: list[TrialEffort]


def efficiency_of(run: RunLog, advance: Advance = lambda text: None) -> RunEfficiency:
    """What the trials of a run took.

    Args:
        run: one log, or several that were merged; their conversations are read one trial at a time.
        advance: called after each trial that counts.

    Raises:
        UnreadableLogError: a conversation cannot be read.
    """
    trials, efforts = run.planned(), read_efforts(run, advance)
    known = [trial for trial in trials if trial.category != UNKNOWN_CATEGORY]
    return RunEfficiency(
        solver=run.identity.solver,
        model=run.identity.model,
        logs=list(run.files),
        created=run.created,
        status=run.status,
        results_version=run.identity.results_version,
        epochs=run.epochs,
        whole=spending_of(trials, efforts),
        categories={name: spending_of(group, efforts) for name, group in grouped(known).items()},
        tasks={
            task: spending_of([trial for trial in trials if trial.task == task], efforts)
            for task in sorted({trial.task for trial in trials})
        },
        trials=[_trial(trial, efforts) for trial in sorted(trials, key=lambda trial: (trial.task, trial.epoch))],
    )


def counted_trials(run: RunLog) -> dict[str, tuple[str, int]]:
    """Task and epoch of the trials that count, by uuid."""
    return {
        logged.uuid: (logged.trial.task, logged.trial.epoch) for logged in run.trials if logged.trial.outcome in COUNTED
    }


def read_efforts(run: RunLog, advance: Advance) -> Efforts:
    """What each trial of a run took that counts; see `efficiency_of`."""
    counted = counted_trials(run)
    efforts: dict[tuple[str, int], Effort] = {}
    for file in run.files:
        for trajectory in read_trajectories(file):
            key = counted.get(trajectory.uuid)
            if key is not None and key not in efforts:
                efforts[key] = effort_of(trajectory)
                advance(visible(f"{trajectory.task} {trajectory.epoch}"))
    return efforts


def spending_of(trials: Sequence[Trial], efforts: Efforts) -> Spending:
    """The figures of some planned trials."""
    found = [effort for trial in trials if (effort := efforts.get((trial.task, trial.epoch))) is not None]
    kinds: Counter[Fault] = Counter()
    for effort in found:
        kinds.update(effort.errors.by_kind)
    return Spending(
        planned=len(trials),
        counted=len(found),
        left_out=dict(Counter(trial.outcome for trial in trials if (trial.task, trial.epoch) not in efforts)),
        figures={name: _amount(trials, efforts, measure) for name, measure in MEASURES.items()},
        per_pass={name: _ratio(trials, efforts, MEASURES[name], pass_of) for name in SPENT},
        per_point={name: _ratio(trials, efforts, MEASURES[name], score_of) for name in SPENT},
        calls_by_tool=_calls_by_tool(trials, efforts),
        failed_calls=sum(effort.errors.calls for effort in found),
        recovered_calls=sum(effort.errors.recovered for effort in found),
        failed_by_kind=dict(kinds.most_common()),
    )


def _measured(efforts: Efforts, take: Take) -> Measure:
    """A figure of an effort as a figure of its trial."""

    def measure(trial: Trial) -> float | None:
        effort = efforts.get((trial.task, trial.epoch))
        return None if effort is None else take(effort)

    return measure


def _amount(trials: Sequence[Trial], efforts: Efforts, measure: EffortMeasure) -> Amount:
    taken = _measured(efforts, measure.take)
    means = task_means(trials, measure=taken)
    return Amount(
        value=mean_score(trials, measure=taken),
        ci95=interval(trials, taken) if measure.is_share else amount_interval(means, clusters_of(trials)),
        tasks=len(means),
        trials=sum(taken(trial) is not None for trial in trials),
    )


def _ratio(trials: Sequence[Trial], efforts: Efforts, measure: EffortMeasure, gain: Measure) -> Ratio | None:
    """Over the trials that have both."""
    taken = _measured(efforts, measure.take)
    both = [trial for trial in trials if taken(trial) is not None and gain(trial) is not None]
    return ratio(task_means(both, measure=taken), task_means(both, measure=gain), clusters_of(trials))


def _calls_by_tool(trials: Sequence[Trial], efforts: Efforts) -> dict[str, float]:
    names = {name for effort in efforts.values() for name in effort.tools.by_tool}
    means = {name: mean_score(trials, measure=_measured(efforts, _calls_of_tool(name))) for name in names}
    shown = {name: mean for name, mean in means.items() if mean}
    return dict(sorted(shown.items(), key=lambda item: (-item[1], item[0])))


def _calls_of_tool(name: str) -> Take:
    return lambda effort: effort.tools.by_tool.get(name, 0)


def _trial(trial: Trial, efforts: Efforts) -> TrialEffort:
    return TrialEffort(
        task=trial.task,
        epoch=trial.epoch,
        category=trial.category,
        outcome=trial.outcome,
        score=trial.score,
        passed=trial.passed,
        effort=efforts.get((trial.task, trial.epoch)),
    )
