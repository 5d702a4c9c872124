"""Checks on text that is edited in place: the asked-for lines change, the others stay byte for byte."""

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Any, Literal

from pydantic import Field

from clawgym_data.checks.base import CheckBase, CreditAbove, ExpectingCheck, Finding, credit
from clawgym_data.checks.view import View
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.spec.frozen import RelativePath

MAX_LINES = 20_000
Hunk = tuple[int, int, tuple[str, ...]]


def text_hunks(before: str, after: str) -> list[Hunk]:
    """The changed stretches: first line, line after the last, and the lines that stand there now."""
    a, b = before.split("\n"), after.split("\n")
    if len(b) > MAX_LINES:
        raise Unreadable(f"has more than {MAX_LINES} lines")
    opcodes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return [(i1, i2, tuple(b[j1:j2])) for tag, i1, i2, j1, j2 in opcodes if tag != "equal"]


def _line_changes(before: str, after: str) -> set[tuple[int, str]]:
    """Changed lines as (line of the original, replacement), so that neighbouring edits count one by one."""
    changes: set[tuple[int, str]] = set()
    for start, end, lines in text_hunks(before, after):
        if end - start == len(lines):
            changes.update((start + offset, f"={line}") for offset, line in enumerate(lines))
        else:
            changes.add((start, f"{end - start}>" + "\n".join(lines)))
    return changes


def _lines_of(text: str, exact: bool) -> str:
    """The text in NFC, with line feeds only unless line ends count, without empty lines at the end."""
    plain = unicodedata.normalize("NFC", text)
    return (plain if exact else plain.replace("\r\n", "\n").replace("\r", "\n")).rstrip("\r\n")


class EditedText(ExpectingCheck):
    """Which share of the changed lines is right, counting those that should have changed and those that did?"""

    kind: Literal["edited_text"]
    path: RelativePath
    credit_above: CreditAbove = 0.0

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """`expected` is the whole text as it should be; line ends count unless the output says `newline: any`."""
        exact = self.path in view.outputs and view.outputs[self.path].newline != "any"
        before = _lines_of(view.pristine_files[self.path].decode("utf-8-sig"), exact)
        asked = _line_changes(before, _lines_of(str(expected), exact))
        if not asked:
            raise ValueError("the expected text equals the pristine one; nothing would be checked")
        view.text(self.path)  # refuses what is no text
        made = _line_changes(before, _lines_of(view.content(self.path).decode("utf-8-sig"), exact))
        share = len(asked & made) / len(asked | made)
        evidence = f"{len(asked & made)} of {len(asked)} changes right, {len(made - asked)} others"
        return Finding(credit(share, self.credit_above), evidence)


class LinesKept(CheckBase):
    """Are all lines that were not to change still there, in order, byte for byte?"""

    kind: Literal["lines_kept"]
    path: RelativePath
    excepted: tuple[str, ...] = Field(default=(), alias="except")
    """Patterns (from the line's start) of the lines that may change or go."""
    none_added: bool = False
    """Also refuse new lines that match none of the patterns."""

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        patterns = [re.compile(pattern.encode()) for pattern in self.excepted]
        kept = self._fixed(view.pristine_files[self.path], patterns)
        after = self._fixed(view.content(self.path), patterns)
        rest = iter(after)
        lost = [line for line in kept if line not in rest]
        if lost:
            shown = lost[0].decode("utf-8", "replace").strip()[:80]
            return Finding(0.0, f"{len(lost)} lines of {self.path} changed or moved that were to stay, first {shown!r}")
        if self.none_added and len(after) > len(kept):
            return Finding(0.0, f"{len(after) - len(kept)} lines added to {self.path}")
        return Finding(1.0, f"the other {len(kept)} lines are as they were")

    @staticmethod
    def _fixed(content: bytes, patterns: list[re.Pattern[bytes]]) -> list[bytes]:
        lines = content.splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            lines[-1] += b"\n"
        return [line for line in lines if not any(pattern.match(line) for pattern in patterns)]
