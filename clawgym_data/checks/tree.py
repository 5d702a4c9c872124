"""Checks on trees: JSON, YAML, TOML and INI files."""

from typing import Any, Literal

from pydantic import Field

from clawgym_data.checks.base import CheckBase, CreditAbove, ExpectingCheck, Finding, credit
from clawgym_data.checks.rows import key_names, share_right
from clawgym_data.checks.view import View
from clawgym_data.formats.tree import Place, placed_leaves, steps, value_at
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.formats.values import same
from clawgym_data.spec.frozen import RelativePath
from clawgym_data.spec.output import Output


def _objects(value: Any, where: str) -> list[dict[str, Any]]:  # noqa: ANN401 - any tree value
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise Unreadable(f"{where or 'the root'} is not a list of objects")
    return value


def _type_at(output: Output, at: str) -> str:
    if at in output.columns:
        return output.type_of(at)
    return output.type_of(*[step for step in steps(at) if isinstance(step, str)])


class TreeReadable(CheckBase):
    """Does the file parse, with the declared members in it?"""

    kind: Literal["tree_readable"]
    path: RelativePath

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 for a readable tree with every declared member."""
        output, tree = view.outputs[self.path], view.tree(self.path)
        if isinstance(output.key, tuple):
            rows = _objects(tree, "")
            missing = [name for name in output.columns for row in rows if name not in row]
            if missing or not rows:
                raise Unreadable(f"{self.path} {'lacks ' + missing[0] if missing else 'is an empty list'}")
            return Finding(1.0, f"{self.path}: a list of {len(rows)} objects")
        for member, declared in output.columns.items():
            value = value_at(tree, member)
            if isinstance(declared, dict):
                _objects(value, member)
        return Finding(1.0, f"{self.path}: readable, all members there")


class TreeRows(ExpectingCheck):
    """Which share of a list's objects is right, in all the named members together?"""

    kind: Literal["tree_rows"]
    path: RelativePath
    at: str = ""
    """The list's member; empty for a root that is a list."""
    credit_above: CreditAbove = 0.0

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Credit above the guesser's share."""
        output = view.outputs[self.path]
        rows = _objects(value_at(view.tree(self.path), self.at), self.at)
        if not expected:
            return Finding(float(not rows), f"{len(rows)} objects where none is expected")
        share, evidence = share_right(expected, rows, key_names(output, self.at), output, self.at)
        return Finding(credit(share, self.credit_above), evidence)


class TreeValue(ExpectingCheck):
    """Is the value at one place right?"""

    kind: Literal["tree_value"]
    path: RelativePath
    at: str

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        output = view.outputs[self.path]
        right = same(_type_at(output, self.at), expected, value_at(view.tree(self.path), self.at), output.tolerance)
        return Finding(float(right), f"{self.at} is {'right' if right else 'not right'}")


class TreeValues(ExpectingCheck):
    """Which share of several values is right?"""

    kind: Literal["tree_values"]
    path: RelativePath
    credit_above: CreditAbove = 0.0

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Credit above the guesser's share; `expected` maps dotted paths to values."""
        if not expected:
            raise ValueError("no values are expected; a check over nothing says nothing")
        output, tree = view.outputs[self.path], view.tree(self.path)
        wrong = [at for at, want in expected.items() if not self._right(output, tree, at, want)]
        share = 1 - len(wrong) / len(expected)
        evidence = f"{len(expected) - len(wrong)} of {len(expected)} values right"
        return Finding(credit(share, self.credit_above), evidence + (f"; not {wrong[0]}" if wrong else ""))

    @staticmethod
    def _right(output: Output, tree: Any, at: str, want: Any) -> bool:  # noqa: ANN401
        try:
            got = value_at(tree, at)
        except Unreadable:
            return False
        return same(_type_at(output, at), want, got, output.tolerance)


def _same_leaf(before: Any, after: Any) -> bool:  # noqa: ANN401 - any tree value
    """Whether a leaf is as it was: `false` is not 0, and a value that is no number equals itself."""
    alike = before == after or (before != before and after != after)  # noqa: PLR0124 - NaN
    return isinstance(before, bool) == isinstance(after, bool) and alike


class TreeUnchanged(CheckBase):
    """Is every value but the excepted ones as it was at first, with none added?"""

    kind: Literal["tree_unchanged"]
    path: RelativePath
    excepted: tuple[str, ...] = Field(default=(), alias="except")
    """Dotted paths; what lies below them is excepted too. A name with a dot in it is quoted: `hosts."a.example"`."""

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        before = dict(placed_leaves(view.pristine_tree(self.path)))
        after = dict(placed_leaves(view.tree(self.path)))
        excepted = [tuple(steps(name)) for name in self.excepted]
        changed = sorted(
            _shown(place)
            for place in before.keys() | after.keys()
            if not _below(place, excepted)
            and (place not in before or place not in after or not _same_leaf(before[place], after[place]))
        )
        if changed:
            return Finding(0.0, f"{len(changed)} values changed that were to stay, first {changed[0]}")
        return Finding(1.0, "all other values are as they were")


def _below(place: Place, excepted: list[tuple[str | int, ...]]) -> bool:
    names = tuple(name if isinstance(name, int) and kind == "item" else str(name) for kind, name in place)
    return any(names[: len(path)] == path for path in excepted)


def _shown(place: Place) -> str:
    return "".join(f"[{name}]" if kind == "item" else f".{name}" for kind, name in place).removeprefix(".")[:200]
