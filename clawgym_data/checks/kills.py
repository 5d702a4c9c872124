"""Check `kills_mutants`: tests that the agent wrote, run against right and wrong programs of ours."""

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from clawgym_data.checks.base import ExpectingCheck, Finding
from clawgym_data.checks.executed import Executed, Execution, share_finding
from clawgym_data.checks.view import CaseRun, View

MIN_RIGHT, MIN_WRONG = 2, 3
RIGHT_RUNS = 3
"""Times that each right program is tried: tests that fail at random fail one of them."""


class KillsMutants(Executed, ExpectingCheck):
    """Which share of our wrong programs do the agent's tests find, where all right ones pass?

    `expected` has `right` and `wrong`, lists of programs as {path: text}, which take the place of what stands at these
    paths. The right ones must be written differently (other statements, not only another layout), so that tests which
    know a file by its bytes or its syntax fail one of them. They are tried in an order that the tests cannot know; where
    a right one fails, nothing is earned and none is tried any more.
    """

    apart: ClassVar[bool] = True
    kind: Literal["kills_mutants"]
    run: tuple[str, ...] = Field(min_length=1)
    """The tests: exit status 0 where they pass."""
    case_limit_sec: float = Field(default=20.0, gt=0, le=120)

    def executions(self, cases: Any) -> list[Execution]:  # noqa: ANN401
        """One for each wrong program, several for each right one.

        Raises:
            ValueError: too few programs.
        """
        return [
            Execution(name=name, argv=self.run, files=dict(files), limit_sec=self.case_limit_sec)
            for name, files in self._order(cases)
        ]

    def surely_wrong(self, cases: Any, number: int, run: CaseRun) -> bool:  # noqa: ANN401
        """A right program that fails, or a wrong one that passes."""
        return (run.exit == 0) is not self._order(cases)[number][0].startswith("right")

    def settles(self, cases: Any, number: int, run: CaseRun) -> bool:  # noqa: ANN401
        """A right program that fails: nothing is earned then."""
        return run.exit != 0 and self._order(cases)[number][0].startswith("right")

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Credit for the share found, above what the tests find that stand there untouched."""
        order = [name for name, _ in self._order(expected)]
        wrong = [name for name in order if name.startswith("wrong")]
        found, before = (
            {name: run.exit for name, run in zip(order, runs, strict=True)} for runs in (view.runs, view.pristine_runs)
        )
        ruined = [name for name in order if name.startswith("right") and found[name] != 0]
        right = [not ruined and found[name] > 0 for name in wrong]
        sound = all(before[name] == 0 for name in order if name.startswith("right"))
        detail = f"{ruined[0]} fails, so that nothing counts" if ruined else None
        untouched = [sound and before[name] > 0 for name in wrong]
        return share_finding(
            [name.removeprefix("wrong ") for name in wrong], right, untouched, self.credit_above, detail
        )

    def _order(self, cases: Mapping[str, Any]) -> list[tuple[str, Mapping[str, str]]]:
        right, wrong = cases["right"], cases["wrong"]
        if len(right) < MIN_RIGHT or len(wrong) < MIN_WRONG:
            raise ValueError(f"check {self.id}: expected at least {MIN_RIGHT} right and {MIN_WRONG} wrong programs")
        tried = [
            (f"right program {number + 1}, time {time + 1}", files)
            for time in range(RIGHT_RUNS)
            for number, files in enumerate(right)
        ]
        tried += [(f"wrong program {number + 1}", files) for number, files in enumerate(wrong)]
        return sorted(tried, key=lambda item: hashlib.sha256(f"{self.id} {item[0]} {item[1]}".encode()).hexdigest())
