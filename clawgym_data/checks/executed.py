"""What the checks have in common that execute what the agent made: as a subject, in a sandbox of its own.

A driver feeds inputs to the subject and only plain bytes come back, which these classes compare with what the subject
cannot know (DESIGN 2). A subject may lie about everything; nothing that it can say is worth more than the right answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pydantic import Field, field_validator

from clawgym_data.checks.base import CheckBase, CreditAbove, Finding, credit
from clawgym_data.checks.view import CaseRun
from clawgym_data.formats.text import decode_text
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.spec.frozen import RelativePath

BROUGHT = "{brought}"
"""In a word of `run`: the folder in which the subject finds the files that `brings` names."""
MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Execution:
    """One process of a subject: what is run, what it is given, and which of its bytes are wanted."""

    name: str
    argv: tuple[str, ...]
    stdin: str = ""
    files: dict[str, str] = field(default_factory=dict)
    """Relative path -> text, written before; they are gone afterwards."""
    output: str | None = None
    """The file that is wanted instead of standard output."""
    limit_sec: float = 10.0


class Executed(CheckBase):
    """A check that executes what the agent made.

    Every execution begins with the workspace's copy as the agent left it and without processes of the one before.
    What already passes on the untouched workspace earns nothing, and costs when it breaks.
    """

    apart: ClassVar[bool] = False
    """Whether each execution needs a sandbox that nothing else was run in, because it finds programs of ours."""
    copies: tuple[str, ...] = ("*",)
    """Patterns of the files that the subject's copy of the workspace holds; `*` also matches `/`."""
    brings: tuple[RelativePath, ...] = ()
    """Files of the task folder that the subject finds in the folder `{brought}`; it can read them: no answers in there."""
    env: dict[str, str] = {}
    """Further environment variables of the subject."""
    credit_above: CreditAbove = 0.0
    case_limit_sec: float = Field(default=10.0, gt=0, le=120)
    time_limit_sec: float = Field(default=120.0, gt=0, le=600)
    """Of all executions together."""

    @field_validator("brings")
    @classmethod
    def _no_solutions(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        hidden = [name for name in names if name.split("/")[0] in ("solution", "right", "wrong")]
        if hidden:
            raise ValueError(
                f"brings {hidden[0]}, which a package leaves out; expected another file of the task folder"
            )
        return names

    def executions(self, cases: Any) -> list[Execution]:  # noqa: ANN401 - the expected value of the check
        """What is run to answer the check."""
        raise NotImplementedError

    def surely_wrong(self, cases: Any, number: int, run: CaseRun) -> bool:  # noqa: ANN401
        """Whether this run alone shows that the check gives less than 1, so that a mutant needs no further runs."""
        return run.problem is not None

    def settles(self, cases: Any, number: int, run: CaseRun) -> bool:  # noqa: ANN401
        """Whether this run alone decides the check's score, so that nothing more of it is run."""
        return False


def share_finding(
    names: Sequence[str], right: Sequence[bool], before: Sequence[bool], above: float, detail: str | None = None
) -> Finding:
    """Credit for the share of cases that are right, above what passes untouched.

    Args:
        names: of the cases; the first that fails becomes evidence.
        right: of the final workspace.
        before: of the untouched one.
        above: the check's `credit_above`.
        detail: more about the first failing case, fit to be published.

    Raises:
        ValueError: there are no cases, or all pass untouched: nothing would be checked.
    """
    if not names:
        raise ValueError("no cases are expected; a check over nothing says nothing")
    if all(before):
        raise ValueError("every case passes on the untouched workspace; nothing would be checked")
    share, untouched = sum(right) / len(right), sum(before) / len(before)
    evidence = f"{sum(right)} of {len(right)} cases right ({sum(before)} untouched)"
    if not all(right):
        evidence += f"; first failing: {names[list(right).index(False)]}"
        evidence += f"; {detail}" if detail else ""
    return Finding(credit(share, max(above, untouched)), evidence)


def output_text(run: CaseRun) -> str | None:
    """What a run printed or wrote, as text; None where it gave nothing usable."""
    if run.problem is not None:
        return None
    try:
        return decode_text(run.output)
    except Unreadable:
        return None


def shown_fault(run: CaseRun, wrong: str = "another text than expected") -> str:
    """Why a run is not right, fit to be published: how it ended and what kind of output came, never what should have.

    Args:
        run: the failing one.
        wrong: what is the matter where a text came.
    """
    if run.problem is not None:
        return run.problem
    kind = "nothing came out" if not run.output.strip() else wrong
    if output_text(run) is None:
        kind = "the output is not UTF-8 text"
    return f"exit status {run.exit}, {kind}"


def case_name(case: dict[str, Any], number: int) -> str:
    """The case's own name, else its number from 1."""
    return str(case.get("name", number + 1))[:MAX_SHOWN]
