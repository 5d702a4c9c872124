"""What a judge found on the criteria of a rubric, with its words as evidence."""

from collections.abc import Sequence
from statistics import median_low
from typing import Literal

from clawgym_data.spec.frozen import Frozen

RubricState = Literal["none", "not_measured", "undecided", "measured"]
"""`none`: the task has no rubric; `not_measured`: no judge was given; `undecided`: the judge gave no usable answer."""


class JudgeVote(Frozen):
    """One vote on one criterion."""

    level: float | None
    """None: the judge gave no usable answer, for the known good text neither."""
    reason: str
    """The judge's words."""
    unusable: tuple[str, ...] = ()
    """Why earlier replies could not be used, with what they began with."""


class CriterionResult(Frozen):
    """The level of one criterion."""

    id: str
    weight: float
    score: float | None
    """Median of the votes; None where one of them is undecided."""
    evidence: str
    votes: tuple[JudgeVote, ...] = ()
    """Empty where the level follows without asking, as for a missing file."""


class RubricResult(Frozen):
    """The judged part of a verdict."""

    judge: str
    """The judge's model."""
    self_judged: bool = False
    """The judge is the evaluated model itself, because the user asked for that."""
    criteria: tuple[CriterionResult, ...]
    score: float | None
    """Weighted mean of the criteria; None where one is undecided, since its weight belongs to no other."""


def criterion_result(name: str, weight: float, votes: Sequence[JudgeVote]) -> CriterionResult:
    """The lower median of the votes, which is a declared level whatever their number.

    Raises:
        StatisticsError: for no votes.
    """
    levels = [vote.level for vote in votes if vote.level is not None]
    middle = median_low(levels) if len(levels) == len(votes) else None
    shown = next(vote for vote in votes if vote.level == middle)
    return CriterionResult(id=name, weight=weight, score=middle, evidence=shown.reason, votes=tuple(votes))


def rubric_result(judge: str, criteria: Sequence[CriterionResult], self_judged: bool = False) -> RubricResult:
    """Combine the criteria: `Σ w·s / Σ w`, or nothing where one of them is undecided."""
    scores = [(criterion.weight, criterion.score) for criterion in criteria if criterion.score is not None]
    score = None
    if len(scores) == len(criteria):
        score = 1.0 if all(s == 1 for _, s in scores) else sum(w * s for w, s in scores) / sum(w for w, _ in scores)
    return RubricResult(judge=judge, self_judged=self_judged, criteria=tuple(criteria), score=score)
