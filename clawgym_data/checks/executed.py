"""Checks that execute: the agent's program as a subject in a sandbox of its own, or our own function in a grader sandbox.

What runs stays apart from the verdict: a driver feeds inputs to the subject and only plain bytes come back, which these
classes compare (DESIGN 2).
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from clawgym_data.checks.base import CheckBase, CreditAbove, ExpectingCheck, Finding, credit, look_up
from clawgym_data.checks.view import CaseRun, View
from clawgym_data.formats.text import decode_text
from clawgym_data.formats.tree import parse_tree
from clawgym_data.formats.unreadable import Unreadable


class Command(ExpectingCheck):
    """For which share of the cases does the program print (or write) what it should?

    `expected` is a list of cases: `name`, `args`, `stdin`, `files` (written before), `stdout`, optional `exit` and `output`
    (a file to compare instead of standard output). Cases that pass on the untouched workspace earn nothing and cost
    when they break.
    """

    kind: Literal["command"]
    run: tuple[str, ...] = Field(min_length=1)
    copies: tuple[str, ...] = ("*",)
    """Patterns of the files that the subject's copy of the workspace holds; `*` also matches `/`."""
    compare: Literal["text", "json", "lines"] = "text"
    credit_above: CreditAbove = 0.0
    case_limit_sec: float = Field(default=10.0, gt=0, le=120)
    time_limit_sec: float = Field(default=120.0, gt=0, le=600)

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Credit above the share of cases that pass untouched."""
        if not expected:
            raise ValueError("no cases are expected; a check over nothing says nothing")
        right = [self.case_right(case, run) for case, run in zip(expected, view.runs, strict=True)]
        before = [self.case_right(case, run) for case, run in zip(expected, view.pristine_runs, strict=True)]
        if all(before):
            raise ValueError("every case passes on the untouched workspace; nothing would be checked")
        above = max(self.credit_above, sum(before) / len(before))
        failed = [str(case.get("name", n)) for n, (case, ok) in enumerate(zip(expected, right, strict=True)) if not ok]
        evidence = f"{sum(right)} of {len(right)} cases right ({sum(before)} untouched)"
        problem = next((run.problem for run in view.runs if run.problem), None)
        evidence += f"; first failing: {failed[0]}" if failed else ""
        return Finding(credit(sum(right) / len(right), above), evidence + (f"; {problem}" if problem else ""))

    def case_right(self, case: dict[str, Any], run: CaseRun) -> bool:
        """Whether one run gave what its case says."""
        if run.problem is not None or ("exit" in case and run.exit != case["exit"]):
            return False
        try:
            if self.compare == "json":
                return _plain(parse_tree(run.output, "json")) == _plain(case["stdout"])
            got, want = decode_text(run.output), str(case["stdout"])
        except Unreadable:
            return False
        if self.compare == "lines":
            return sorted(got.split("\n")) == sorted(want.split("\n"))
        return got.rstrip("\n") == want.rstrip("\n")


def _plain(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """One text for equal JSON values: 1 and 1.0 are equal, true and 1 are not."""
    return json.dumps(json.loads(json.dumps(value), parse_int=float), sort_keys=True)


class Python(CheckBase):
    """What does a function of `checks.py` say, run in a grader sandbox over a copy of the final workspace?"""

    kind: Literal["python"]
    function: str = Field(pattern=r"^[a-z_][a-z0-9_]*$")
    expected: str | None = None

    def wanted(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
        """What the function gets as its second argument; None without `expected`."""
        return None if self.expected is None else look_up(values, self.expected, self.id)

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """The function's score and evidence, as the grader sandbox handed them out.

        Raises:
            ValueError: where the function returned something else than a score in [0, 1] with a text.
        """
        found = view.found
        score, evidence = found if isinstance(found, list) and len(found) == 2 else (found, "")
        if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
            raise ValueError(f"{self.function} returned {str(found)[:80]}; expected a score in [0, 1] and a text")
        return Finding(float(score), str(evidence)[:2000])
