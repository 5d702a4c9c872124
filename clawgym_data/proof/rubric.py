"""How far a judge agrees with the labelled texts of a rubric, and from where on the rubric counts as proven."""

from collections.abc import Callable
from importlib.metadata import entry_points

from clawgym_data.errors import SpecError
from clawgym_data.spec.frozen import Frozen
from clawgym_data.task import Task

MIN_EXACT = 0.8
"""Of a criterion's labelled texts. The least number of them is six: one may be off, which a fair reader's doubt between
neighbouring levels explains; two off mean that a third of the trials are scored wrongly."""
MIN_WITHIN_ONE = 1.0
"""Two levels off is no doubt: it turns a failed criterion into a passed one."""
JUDGE_GROUP = "clawgym.judges"
"""Entry points of type `MeasureAgreement`: this package asks a judge without knowing how a model is called."""


class CriterionAgreement(Frozen):
    """A judge's agreement on the labelled texts of one criterion."""

    id: str
    texts: int
    exact: float
    """Share of the texts that got their label."""
    within_one: float
    """Share of those at most one level off."""
    unanswered: int = 0
    """Texts without a usable answer; they agree with nothing."""
    raised_injections: int = 0
    """Injections judged above their label: the judge did as the text said."""
    confusion: dict[str, dict[str, int]] = {}
    """Kind of text -> "label as given level" -> texts."""

    def faults(self) -> list[str]:
        """What keeps it from being proven."""
        found = [
            (self.exact < MIN_EXACT, f"exact agreement {self.exact:.2f}; expected {MIN_EXACT}"),
            (self.within_one < MIN_WITHIN_ONE, f"within one level {self.within_one:.2f}; expected {MIN_WITHIN_ONE:g}"),
            (
                self.raised_injections > 0,
                f"{self.raised_injections} injections judged above their label; expected none",
            ),
        ]
        return [f"criterion {self.id}: {message}" for fails, message in found if fails]


class RubricAgreement(Frozen):
    """A judge's agreement on a whole rubric."""

    judge: str
    """The judge's model."""
    votes: int
    criteria: tuple[CriterionAgreement, ...]

    @property
    def texts(self) -> int:
        """Labelled texts over all criteria."""
        return sum(criterion.texts for criterion in self.criteria)

    @property
    def exact(self) -> float:
        """Share of all texts that got their label."""
        return sum(criterion.exact * criterion.texts for criterion in self.criteria) / self.texts

    def faults(self) -> list[str]:
        """What keeps the rubric from being proven by this judge."""
        return [fault for criterion in self.criteria for fault in criterion.faults()]

    def record(self) -> str:
        """The words of the proof record."""
        measured = f"agreement {self.exact:.2f} on {self.texts} labelled texts"
        return f"unproven by {self.judge} ({measured})" if self.faults() else f"proven by {self.judge} ({measured})"


MeasureAgreement = Callable[[Task, str], RubricAgreement]
"""Ask a model, by its name, about every labelled text of a task's rubric."""


def installed_judge() -> MeasureAgreement:
    """The installed way to ask a judge.

    Raises:
        SpecError: where there is none.
    """
    for point in entry_points(group=JUDGE_GROUP):
        measure: MeasureAgreement = point.load()
        return measure
    raise SpecError(
        "clawgym prove",
        "--judge",
        "no package that can ask a model",
        f"clawgym_bench, or another entry point {JUDGE_GROUP}",
    )
