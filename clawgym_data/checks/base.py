"""What every check has: its role in the score, and one small question with evidence for the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from clawgym_data.spec.frozen import Frozen, RelativePath, Slug

if TYPE_CHECKING:
    from clawgym_data.checks.view import View


class Role(StrEnum):
    """How a check enters the score."""

    PREREQUISITE = "prerequisite"
    """Weight 0; where it fails, the checks that need it score 0."""
    OUTCOME = "outcome"
    """Weighted; 0 on the untouched workspace."""
    GUARD = "guard"
    """Multiplies the score by its factor where it fails."""
    GATE = "gate"
    """Safety only: multiplies by 0 where it fails, and is a figure of its own."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to a check's question."""

    score: float
    """In [0, 1]."""
    evidence: str
    """What was seen; may be published."""


class CheckBase(Frozen):
    """The fields that all kinds share."""

    id: Slug
    role: Literal["prerequisite", "outcome", "guard", "gate"]
    weight: Annotated[float, Field(ge=0)] = 0.0
    required: bool = False
    """`passed` needs this check to be 1."""
    rests_on: Literal["computed", "form"] | None = None
    """Of an outcome: whether a computed fact or only the form earns it."""
    needs: tuple[Slug, ...] = ()
    """Prerequisites without which this check scores 0."""
    requirements: tuple[Slug, ...] = ()
    factor: Annotated[float, Field(ge=0, lt=1)] = 0.5
    """Of a guard: what the score is multiplied by where it fails."""
    after_turn: Slug | None = None
    """The turn after whose snapshot this check runs; the last by default."""
    time_limit_sec: Annotated[float, Field(gt=0, le=600)] = 20.0

    @model_validator(mode="after")
    def _role_fields(self) -> "CheckBase":
        if self.role == "outcome" and (self.weight <= 0 or self.rests_on is None):
            raise ValueError(f"outcome {self.id} needs a weight above 0 and rests_on: computed or form")
        if self.role != "outcome" and self.weight:
            raise ValueError(f"{self.role} {self.id} has weight {self.weight}; expected 0, only outcomes are weighted")
        return self

    def paths(self) -> tuple[RelativePath, ...]:
        """The files whose contents this check reads."""
        return (self.path,) if hasattr(self, "path") else ()

    def wanted(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
        """The expected value of this check among those of `expected.py`; None for a check that compares with nothing."""
        return None

    def judge(self, view: "View", expected: Any) -> Finding:  # noqa: ANN401 - any JSON value
        """Answer the check's question about a final workspace.

        Args:
            view: the final workspace, the pristine one and the outputs' declarations.
            expected: the value that `expected` names, computed from the pristine workspace; None without one.

        Raises:
            Unreadable: where the agent's file is missing or malformed; it scores 0 with that reason.
        """
        raise NotImplementedError


class ExpectingCheck(CheckBase):
    """A check that compares with a value which `expected.py` names, or with a reviewed constant."""

    expected: str | None = None
    """Key of the dictionary that `expected(workspace)` returns."""
    value: bool | int | float | str | list[str] | None = None
    """A reviewed constant instead."""

    @model_validator(mode="after")
    def _one_source(self) -> "ExpectingCheck":
        if (self.expected is None) == (self.value is None):
            raise ValueError(f"check {self.id} needs either `expected` (a key of expected.py) or `value` (a constant)")
        return self

    def wanted(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
        """The constant, or the value that `expected` names.

        Raises:
            KeyError: where `expected.py` gives no such key.
        """
        return self.value if self.expected is None else look_up(values, self.expected, self.id)


def look_up(values: Mapping[str, Any], name: str, check: str) -> Any:  # noqa: ANN401 - any JSON value
    """The value of that name.

    Raises:
        KeyError: naming the check and the names there are.
    """
    if name not in values:
        raise KeyError(f"check {check}: expected.py gives no {name!r}; it gives {', '.join(sorted(values))}")
    return values[name]


CreditAbove = Annotated[float, Field(ge=0, lt=1)]
"""The share right up to which nothing is earned: credit is `max(0, (s - a) / (1 - a))`."""


def credit(share: float, above: float) -> float:
    """Credit for a share of rows right, where a guesser reaches `above`: `max(0, (s - a) / (1 - a))` (DESIGN 2)."""
    return max(0.0, (share - above) / (1 - above))
