"""Check `python`: a function of ours, for what no declarative kind can say."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from clawgym_data.checks.base import CheckBase, Finding, look_up
from clawgym_data.checks.view import View


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
