"""Check `command`: the agent's program, run on cases."""

from typing import Any, Literal

from pydantic import Field

from clawgym_data.checks.base import ExpectingCheck, Finding
from clawgym_data.checks.executed import Executed, Execution, case_name, output_text, share_finding, shown_fault
from clawgym_data.checks.same import same_json
from clawgym_data.checks.view import CaseRun, View
from clawgym_data.formats.tree import parse_tree
from clawgym_data.formats.unreadable import Unreadable


class Command(Executed, ExpectingCheck):
    """For which share of the cases does the program print (or write) what it should?

    `expected` is a list of cases: `name`, `args`, `stdin`, `files` (written before), `stdout`, optional `exit` and `output`
    (a file to compare instead of standard output).
    """

    kind: Literal["command"]
    run: tuple[str, ...] = Field(min_length=1)
    compare: Literal["text", "json", "lines"] = "text"
    """`text`: but for line breaks at the end; `lines`: without their order; `json`: by value."""
    tolerance: float = Field(default=0.0, ge=0)
    """How far numbers may differ where JSON is compared."""

    def executions(self, cases: Any) -> list[Execution]:  # noqa: ANN401
        """One a case.

        Raises:
            ValueError: a case does not say what should come out.
        """
        if not all("stdout" in case for case in cases):
            raise ValueError(f"check {self.id}: a case has no `stdout`, be it the text of the file that `output` names")
        return [
            Execution(
                name=case_name(case, number),
                argv=(*self.run, *map(str, case.get("args", []))),
                stdin=str(case.get("stdin", "")),
                files={path: str(text) for path, text in case.get("files", {}).items()},
                output=case.get("output"),
                limit_sec=self.case_limit_sec,
            )
            for number, case in enumerate(cases)
        ]

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Credit above the share of cases that pass untouched."""
        right = [self.case_right(case, run) for case, run in zip(expected, view.runs, strict=True)]
        before = [self.case_right(case, run) for case, run in zip(expected, view.pristine_runs, strict=True)]
        names = [case_name(case, number) for number, case in enumerate(expected)]
        detail = None if all(right) else self._fault(expected[right.index(False)], view.runs[right.index(False)])
        return share_finding(names, right, before, self.credit_above, detail)

    def _fault(self, case: dict[str, Any], run: CaseRun) -> str:
        if run.problem is None and self.case_right({**case, "exit": run.exit}, run):
            return f"exit status {run.exit}, not the one expected"
        if self.compare == "json" and not _is_json(run.output):
            return shown_fault(run, "the output is not JSON")
        return shown_fault(
            run, "another value than expected" if self.compare == "json" else "another text than expected"
        )

    def surely_wrong(self, cases: Any, number: int, run: CaseRun) -> bool:  # noqa: ANN401
        """A case that is not right."""
        return not self.case_right(cases[number], run)

    def case_right(self, case: dict[str, Any], run: CaseRun) -> bool:
        """Whether one run gave what its case says."""
        if "exit" in case and run.exit != case["exit"]:
            return False
        got, want = output_text(run), case["stdout"]
        if got is None:
            return False
        if self.compare == "json":
            try:
                return same_json(parse_tree(run.output, "json"), want, self.tolerance)
            except Unreadable:
                return False
        got, want = got.rstrip("\n"), str(want).rstrip("\n")
        return sorted(got.split("\n")) == sorted(want.split("\n")) if self.compare == "lines" else got == want


def _is_json(content: bytes) -> bool:
    try:
        parse_tree(content, "json")
    except Unreadable:
        return False
    return True
