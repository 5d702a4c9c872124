"""Check `calls`: tests of ours, run against functions of the agent's module."""

import json
import re
from typing import Any, Literal

from pydantic import Field

from clawgym_data.checks.base import ExpectingCheck, Finding
from clawgym_data.checks.executed import Executed, Execution, case_name, share_finding
from clawgym_data.checks.same import same_json
from clawgym_data.checks.view import CaseRun, View
from clawgym_data.formats.tree import parse_tree
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.subject import program_text

MODULE_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_./-]*$"
_ANSWER = re.compile(rb"(\d{1,6}) (returned|raised|failed) (.*)")


class Calls(Executed, ExpectingCheck):
    """For which share of the calls does a function of the agent's module give what it should?

    `expected` is a list of cases: optional `name`, `call` (a function of the module, or `Class.method`), `args`,
    `kwargs`, and either `returns` (a JSON value; tuples count as lists, sets as sorted lists, what JSON has no form for
    as its text) or `raises` (the name of an exception's class or of a base of it).
    """

    kind: Literal["calls"]
    module: str = Field(pattern=MODULE_PATTERN)
    """A file of the workspace (`tools/fees.py`) or a dotted name that can be imported from its root."""
    tolerance: float = Field(default=0.0, ge=0)
    """How far numbers may differ."""
    case_limit_sec: float = Field(default=5.0, gt=0, le=120)

    def executions(self, cases: Any) -> list[Execution]:  # noqa: ANN401
        """One process for all calls; what is expected stays outside."""
        given = [{name: case[name] for name in ("call", "args", "kwargs") if name in case} for case in cases]
        return [calling(self.module, given, self.case_limit_sec, self.time_limit_sec)]

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Credit above the share of calls that are right untouched."""
        got, before = (answers(run) for (run,) in (view.runs, view.pristine_runs))
        right = [self._right(case, got.get(number)) for number, case in enumerate(expected)]
        untouched = [self._right(case, before.get(number)) for number, case in enumerate(expected)]
        names = [_shown(case, number) for number, case in enumerate(expected)]
        detail = view.runs[0].problem
        if not all(right) and detail is None:
            kind, content = got.get(right.index(False), ("failed", b'"the module gave no answer"'))
            detail = {"returned": "another value", "raised": "it raised"}.get(kind, content.decode("utf-8", "replace"))
        return share_finding(names, right, untouched, self.credit_above, detail and detail[:200])

    def _right(self, case: dict[str, Any], answer: tuple[str, bytes] | None) -> bool:
        if answer is None or answer[0] == "failed":
            return False
        try:
            value = parse_tree(answer[1], "json")
        except Unreadable:
            return False
        if "raises" in case:
            return answer[0] == "raised" and isinstance(value, list) and case["raises"] in value
        return answer[0] == "returned" and same_json(value, case["returns"], self.tolerance)


def calling(module: str, calls: list[dict[str, Any]], call_limit_sec: float, limit_sec: float) -> Execution:
    """The one process that imports the module and makes all calls, each in a fork."""
    request = {"module": module, "calls": calls, "limit_sec": call_limit_sec}
    argv = ("python3", "-c", program_text("caller"))
    return Execution(name="calls", argv=argv, stdin=json.dumps(request), limit_sec=limit_sec)


def answers(run: CaseRun) -> dict[int, tuple[str, bytes]]:
    """Call number -> how it ended (`returned`, `raised`, `failed`) and the JSON of what it gave, not parsed yet."""
    found = {}
    for line in run.output.split(b"\n"):
        match = _ANSWER.fullmatch(line)
        if match:
            found[int(match[1])] = (match[2].decode(), match[3])
    return found


def _shown(case: dict[str, Any], number: int) -> str:
    given = ", ".join(json.dumps(value, ensure_ascii=False) for value in case.get("args", []))
    return case_name(case, number) if "name" in case else f"{case['call']}({given[:120]})"
