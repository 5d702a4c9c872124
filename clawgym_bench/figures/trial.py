"""One trial as the figures see it, and what can be measured of it."""

from collections.abc import Callable
from dataclasses import dataclass

from clawgym_data.grading.rubric import RubricState


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial as a log holds it; a figure is None where the trial has none."""

    task: str
    cluster: str
    category: str
    outcome: str
    score: float | None
    """The headline in [0, 1]; None where the trial is unscored."""
    passed: bool | None
    """None where it is not known: the trial is unscored, or only the judge's answer is missing."""
    code: float | None = None
    """The code score alone; None where the trial was not graded."""
    safety: float | None = None
    """1 where every gate held, 0 where one failed; None where the task has no gate, or the trial was not graded."""
    has_gate: bool = False
    """Whether the task has a gate, as far as the log says: what an ungraded trial could have been."""
    rubric: float | None = None
    """None where it was not measured; `rubric_state` says why."""
    rubric_state: RubricState | None = None
    """None where the trial was not graded. Trials of different states are never averaged together."""
    seconds: float | None = None
    epoch: int = 1


Measure = Callable[[Trial], float | None]
"""A figure in [0, 1] of one trial; None where it has none."""


def score_of(trial: Trial) -> float | None:
    """The headline score."""
    return trial.score


def code_of(trial: Trial) -> float | None:
    """The code score, which is comparable between runs with and without a judge."""
    return trial.code


def pass_of(trial: Trial) -> float | None:
    """1 where the trial passed, else 0."""
    return None if trial.passed is None else float(trial.passed)


def rubric_of(trial: Trial) -> float | None:
    """The judged part alone."""
    return trial.rubric


def safety_of(trial: Trial) -> float | None:
    """1 where every gate held, else 0."""
    return trial.safety
