"""Checks on text and notes."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from pydantic import Field

from clawgym_data.checks.base import CheckBase, CreditAbove, ExpectingCheck, Finding, credit, look_up
from clawgym_data.checks.view import View
from clawgym_data.formats.day import only_date
from clawgym_data.formats.figure import stated_figures
from clawgym_data.formats.markdown import unmarked
from clawgym_data.formats.note import labelled_answers, section
from clawgym_data.formats.phrase import contains_phrase, states_phrase
from clawgym_data.formats.text import word_count
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.spec.frozen import RelativePath


class TextWords(CheckBase):
    """Is there text, with a number of words inside the stated limits?"""

    kind: Literal["text_words"]
    path: RelativePath
    min_words: int = Field(default=1, ge=1)
    max_words: int | None = None

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0; what nobody sees counts against the maximum and not for the minimum."""
        words, seen = word_count(view.text(self.path)), word_count(view.prose(self.path))
        inside = self.min_words <= seen and (self.max_words is None or words <= self.max_words)
        hidden = f", {seen} of them seen" if seen != words else ""
        return Finding(float(inside), f"{self.path}: {words} words{hidden}")


def with_second(first: Any, values: Mapping[str, Any], key: str | None, name: str, check: str) -> Any:  # noqa: ANN401
    """`first` alone, or `{"value": first, name: values[key]}` where the check names a second key."""
    return first if key is None else {"value": first, name: look_up(values, key, check)}


def _one_answer(view: View, path: str, label: str) -> str:
    answers = labelled_answers(view.prose(path), label)
    if len(answers) != 1:
        raise Unreadable(f"{path} has {len(answers)} lines labelled {label!r}; expected one")
    return answers[0]


class LabelledFigure(ExpectingCheck):
    """Is the one figure on the labelled line right?"""

    kind: Literal["labelled_figure"]
    path: RelativePath
    label: str
    names: str | None = None
    """Key of a text that must stand on the line too."""

    def wanted(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
        """With `names`, both values under their names."""
        return with_second(super().wanted(values), values, self.names, "names", self.id)

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0; with `names`, `expected` is `{"value": figure, "names": text}`."""
        answer = _one_answer(view, self.path, self.label)
        want, name = (expected["value"], expected["names"]) if self.names else (expected, None)
        tolerance = Decimal(str(view.outputs[self.path].tolerance)) if self.path in view.outputs else Decimal(0)
        found = stated_figures(answer)
        right = len(found) == 1 and not found[0].is_nan() and abs(found[0] - Decimal(str(want))) <= tolerance
        named = name is None or states_phrase(answer, str(name))
        what = (
            f"{len(found)} figures"
            if len(found) != 1
            else "the figure is right"
            if right
            else "the figure is not right"
        )
        return Finding(float(right and named), f"{self.label}: {what}{'' if named else ', the name is not there'}")


class LabelledDate(ExpectingCheck):
    """Is the one date on the labelled line right?"""

    kind: Literal["labelled_date"]
    path: RelativePath
    label: str

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0; `expected` is ISO."""
        found = only_date(_one_answer(view, self.path, self.label))
        right = found is not None and found.isoformat() == expected
        evidence = "the date is right" if right else "no single date" if found is None else "the date is not right"
        return Finding(float(right), f"{self.label}: {evidence}")


class LabelledText(ExpectingCheck):
    """Do the expected words, and none of the others, stand on the labelled line?"""

    kind: Literal["labelled_text"]
    path: RelativePath
    label: str
    others: str | None = None
    """Key of a list of texts that must not stand there."""

    def wanted(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
        """With `others`, both values under their names."""
        return with_second(super().wanted(values), values, self.others, "others", self.id)

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0; with `others`, `expected` is `{"value": text or list, "others": list}`."""
        answer = _one_answer(view, self.path, self.label)
        want, others = (expected["value"], expected["others"]) if self.others else (expected, [])
        wanted = want if isinstance(want, list) else [want]
        if not wanted:
            raise ValueError("no text is expected; a check over nothing says nothing")
        missing = [text for text in wanted if not states_phrase(answer, str(text))]
        surplus = [text for text in others if contains_phrase(answer, str(text))]
        evidence = (
            f"{self.label}: {len(wanted) - len(missing)} of {len(wanted)} there, {len(surplus)} that should not be"
        )
        return Finding(float(not missing and not surplus), evidence)


class TextIncludes(ExpectingCheck):
    """Which share of the expected phrases stands in the text?"""

    kind: Literal["text_includes"]
    path: RelativePath
    under: str | None = None
    """Heading of the only section that counts."""
    absent: str | None = None
    """Key of a list of phrases that must not occur, not even where nobody sees them."""
    credit_above: CreditAbove = 0.0

    def wanted(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
        """With `absent`, both values under their names."""
        return with_second(super().wanted(values), values, self.absent, "absent", self.id)

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Each item of `expected` is a phrase or a list of alternatives; with `absent` it is `{"value", "absent"}`."""
        text, whole = view.prose(self.path), view.text(self.path)
        text = section(text, self.under) if self.under else text
        if view.is_markdown(self.path):
            text, whole = unmarked(text), unmarked(whole)
        want, absent = (expected["value"], expected["absent"]) if self.absent else (expected, [])
        if not want:
            raise ValueError("no phrase is expected; a check over nothing says nothing")
        groups = [group if isinstance(group, list) else [group] for group in want]
        found = sum(any(contains_phrase(text, str(phrase)) for phrase in group) for group in groups)
        searched = text if self.under else whole
        surplus = [phrase for phrase in absent if contains_phrase(searched, str(phrase))]
        score = 0.0 if surplus else credit(found / len(groups), self.credit_above)
        return Finding(score, f"{found} of {len(groups)} found, {len(surplus)} that should not be there")
