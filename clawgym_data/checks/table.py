"""Checks on delimited tables."""

from collections import Counter, defaultdict
from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Literal

from clawgym_data.checks.base import CheckBase, CreditAbove, ExpectingCheck, Finding, credit
from clawgym_data.checks.rows import Key, expected_key, key_names, key_types, row_key, share_right
from clawgym_data.checks.view import View
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.formats.values import normal_form, plain_number
from clawgym_data.spec.frozen import RelativePath


def _keys(view: View, path: str, expected: list[Any]) -> tuple[list[Key], list[Key]]:
    """The keys of the rows and the expected ones, in normal form."""
    output = view.outputs[path]
    key = key_names(output)
    types = key_types(output, key)
    return [row_key(row, key, types) for row in view.table(path).rows], [expected_key(name, types) for name in expected]


class TableReadable(CheckBase):
    """Does the file hold a table with the declared header, even rows and at least one of them?"""

    kind: Literal["table_readable"]
    path: RelativePath
    may_be_empty: bool = False

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 for a readable table."""
        table = view.table(self.path)
        if not table.rows and not self.may_be_empty:
            raise Unreadable(f"{self.path} has a header and no rows")
        return Finding(1.0, f"{self.path}: {len(table.rows)} rows")


class TableKeys(ExpectingCheck):
    """Does the table have exactly the expected keys, each once?"""

    kind: Literal["table_keys"]
    path: RelativePath

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        produced, asked = _keys(view, self.path, expected)
        names, wanted = Counter(produced), Counter(asked)
        if names == wanted:
            return Finding(1.0, f"all {len(wanted)} expected rows, no other")
        missing, surplus = sum((wanted - names).values()), sum((names - wanted).values())
        return Finding(0.0, f"{missing} expected rows missing, {surplus} surplus or doubled")


class TableRows(ExpectingCheck):
    """Which share of the rows is right, in all the named columns together?"""

    kind: Literal["table_rows"]
    path: RelativePath
    credit_above: CreditAbove = 0.0

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """Credit above the guesser's share."""
        output = view.outputs[self.path]
        share, evidence = share_right(expected, view.table(self.path).rows, key_names(output), output)
        return Finding(credit(share, self.credit_above), evidence)


class TableOrder(ExpectingCheck):
    """Do the rows stand in exactly the expected order?"""

    kind: Literal["table_order"]
    path: RelativePath

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        names, wanted = _keys(view, self.path, expected)
        if names == wanted:
            return Finding(1.0, f"{len(names)} rows in the expected order")
        place = next(
            (n for n, (a, b) in enumerate(zip(names, wanted, strict=False), 1) if a != b),
            min(len(names), len(wanted)) + 1,
        )
        return Finding(0.0, f"the order departs from the expected one at row {place}")


class TableBalances(CheckBase):
    """Do the amounts of each group of rows come to zero, none of them nil or no number?"""

    kind: Literal["table_balances"]
    path: RelativePath
    by: str
    """The column whose equal cells make a group, such as a journal's document."""
    amount: str
    """The column that is added up, exactly."""

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        table = view.table(self.path)
        declared = view.outputs[self.path].type_of(self.by)
        sums: dict[Hashable, Fraction] = defaultdict(Fraction)
        for row in table.rows:
            amount = plain_number(row[self.amount], exponent=False)
            if not amount:
                return Finding(0.0, f"{row[self.by][:80]!r} has a line with no amount or nil")
            sums[normal_form(declared, row[self.by])] += Fraction(amount)
        out = sum(1 for total in sums.values() if total)
        if out or not sums:
            return Finding(0.0, f"{out} of {len(sums)} groups by {self.by} do not come to zero")
        return Finding(1.0, f"all {len(sums)} groups by {self.by} come to zero")
