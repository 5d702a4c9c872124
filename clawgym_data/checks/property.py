"""Check `property`: what holds for the agent's program or function on many generated inputs."""

import json
from typing import Any, Literal

from pydantic import Field, model_validator

from clawgym_data.checks.base import Finding
from clawgym_data.checks.calls import MODULE_PATTERN, answers, calling
from clawgym_data.checks.executed import MAX_SHOWN, Executed, Execution, share_finding, shown_fault
from clawgym_data.checks.view import CaseRun, View

FUNCTION_PATTERN = r"^[a-z_][a-z0-9_]*$"


class Property(Executed):
    """For which share of generated inputs does a property of the output hold?

    Two functions of `checks.py`, run in grader sandboxes and never beside the subject: `inputs(seed, workspace)` returns
    the cases (for a program `args`, `stdin`, `files`; for a function `args`, `kwargs`), drawn from the seed and the pristine
    workspace alone, and `holds(case, output)` says true or false of the text (or JSON value) that one case gave.
    """

    kind: Literal["property"]
    run: tuple[str, ...] = ()
    """The program, or else `module` and `call`."""
    module: str | None = Field(default=None, pattern=MODULE_PATTERN)
    call: str | None = None
    inputs: str = Field(pattern=FUNCTION_PATTERN)
    holds: str = Field(pattern=FUNCTION_PATTERN)
    seed: int = 0
    """Handed to `inputs`."""
    output: Literal["text", "json"] = "text"
    """What a program prints; a function's value is JSON anyway."""

    @model_validator(mode="after")
    def _one_subject(self) -> "Property":
        if bool(self.run) == (self.module is not None) or (self.module is None) != (self.call is None):
            raise ValueError(f"check {self.id} needs either `run` or both `module` and `call`")
        return self

    def executions(self, cases: Any) -> list[Execution]:  # noqa: ANN401
        """One a case for a program, one for all cases of a function."""
        if self.module is not None:
            given = [{"call": self.call, **{n: case[n] for n in ("args", "kwargs") if n in case}} for case in cases]
            return [calling(self.module, given, self.case_limit_sec, self.time_limit_sec)]
        return [
            Execution(
                name=f"input {number + 1}",
                argv=(*self.run, *map(str, case.get("args", []))),
                stdin=str(case.get("stdin", "")),
                files={path: str(text) for path, text in case.get("files", {}).items()},
                limit_sec=self.case_limit_sec,
            )
            for number, case in enumerate(cases)
        ]

    def outputs(self, cases: list[Any], runs: tuple[CaseRun, ...]) -> list[bytes | None]:
        """What each case gave, not parsed yet; None where it gave nothing, which no property holds for."""
        if self.module is None:
            return [run.output if run.problem is None else None for run in runs]
        got = answers(runs[0])
        given = [got.get(number, ("failed", b"")) for number in range(len(cases))]
        return [content if kind == "returned" else None for kind, content in given]

    @property
    def reads_json(self) -> bool:
        """Whether `holds` gets a JSON value instead of a text."""
        return self.module is not None or self.output == "json"

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Credit above the share of inputs for which the property holds untouched.

        Raises:
            ValueError: `holds` could judge none of the outputs that there are.
        """
        got: list[bool | str | None] = view.found
        broken = [item for item in got if isinstance(item, str)]
        if broken and len(broken) == sum(item is not None for item in got):
            raise ValueError(f"{self.holds} could judge no output: {broken[0]}"[:500])
        right, before = [item is True for item in got], [item is True for item in view.pristine_found]
        names = [json.dumps(case, ensure_ascii=False)[:MAX_SHOWN] for case in expected]
        detail = None if all(right) else self._fault(right.index(False), view.runs)
        return share_finding(names, right, before, self.credit_above, detail)

    def _fault(self, number: int, runs: tuple[CaseRun, ...]) -> str:
        if self.module is None:
            return shown_fault(runs[number], "the property does not hold")
        kind, content = answers(runs[0]).get(number, ("failed", b'"the module gave no answer"'))
        if kind == "failed":
            return runs[0].problem or content.decode("utf-8", "replace")[:MAX_SHOWN]
        return "it raised" if kind == "raised" else "the property does not hold"
