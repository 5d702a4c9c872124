"""Checks on which files there are and what stayed as it was; they compare hashes and never parse anything."""

import unicodedata
from fnmatch import fnmatchcase
from typing import Any, Literal

from pydantic import Field

from clawgym_data.checks.base import CheckBase, CreditAbove, ExpectingCheck, Finding, credit
from clawgym_data.checks.view import View
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.snapshot import EntryKind
from clawgym_data.spec.frozen import RelativePath


class FileExists(CheckBase):
    """Is there a regular file?"""

    kind: Literal["file_exists"]
    path: RelativePath

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1, or the reason why it is none."""
        return Finding(1.0, f"{self.path}: {len(view.content(self.path))} bytes")


class FileAbsent(CheckBase):
    """Is nothing at the path?"""

    kind: Literal["file_absent"]
    path: RelativePath

    def paths(self) -> tuple[RelativePath, ...]:
        """Reads no content."""
        return ()

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        absent = not any(path == self.path or view.meant(path) == self.path for path in view.entries)
        if absent:
            _refuse_cut(view, f"whether {self.path} is gone")
        return Finding(float(absent), f"{self.path} {'is gone' if absent else 'is there'}")


class InputsUnchanged(CheckBase):
    """Is every initial file that is no output byte for byte as it was?"""

    kind: Literal["inputs_unchanged"]
    excepted: tuple[str, ...] = Field(default=(), alias="except")
    """Patterns of initial paths that may change."""

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        watched = [p for p in view.pristine if not _declared(p, view) and not _matches(p, self.excepted)]
        changed, gone = [], []
        for path in watched:
            entry = view.entry(path)
            if entry is None:
                gone.append(path)
            elif entry.kind is not EntryKind.FILE or entry.sha256 != view.pristine[path]:
                changed.append(path)
        if gone and not changed:
            _refuse_cut(view, f"whether {gone[0]} is as it was")
        changed += gone
        if changed:
            return Finding(0.0, f"{len(changed)} initial files changed or gone, first {changed[0]}")
        return Finding(1.0, f"all {len(watched)} initial files are as they were")


class OnlyOutputs(CheckBase):
    """Is nothing in the workspace but the initial files and the outputs?"""

    kind: Literal["only_outputs"]
    allow: tuple[str, ...] = ()
    """Patterns of other paths that may appear."""

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """1 or 0."""
        known = set(view.pristine) | set(view.outputs)
        folders = {"/".join(p.split("/")[:n]) for p in known for n in range(1, p.count("/") + 1)}
        surplus = [
            path
            for path, entry in view.entries.items()
            if not self._expected(view.meant(path), entry.kind is EntryKind.DIRECTORY, known, folders, view)
        ]
        if surplus:
            return Finding(0.0, f"{len(surplus)} things left behind, first {sorted(surplus)[0]!r}")
        _refuse_cut(view, "whether anything else was left")
        return Finding(1.0, "nothing but the outputs was left")

    def _expected(self, path: str, is_folder: bool, known: set[str], folders: set[str], view: View) -> bool:
        if path in known or _declared(path, view) or _matches(path, self.allow):
            return True
        return is_folder and (path in folders or self._empty_allowed(path))

    def _empty_allowed(self, path: str) -> bool:
        return any(fnmatchcase(f"{path}/x", pattern) for pattern in self.allow)


class FilesPlaced(ExpectingCheck):
    """Which share of the files stands where it should, byte for byte?"""

    kind: Literal["files_placed"]
    root: RelativePath
    credit_above: CreditAbove = 0.0

    def judge(self, view: View, expected: Any) -> Finding:  # noqa: ANN401
        """`expected` maps a path under `root` to the initial path whose bytes it must have."""
        if not expected:
            raise ValueError("no files are expected; a check over nothing says nothing")
        _refuse_cut(view, f"what stands under {self.root}")
        found = {
            view.meant(path).removeprefix(f"{self.root}/"): entry
            for path, entry in view.entries.items()
            if entry.kind is not EntryKind.DIRECTORY and unicodedata.normalize("NFC", path).startswith(f"{self.root}/")
        }
        asked = {unicodedata.normalize("NFC", path): view.pristine[source] for path, source in expected.items()}
        right = sum(1 for path, sha256 in asked.items() if path in found and found[path].sha256 == sha256)
        share = right / len(asked.keys() | found.keys())
        surplus = len(found.keys() - asked.keys())
        return Finding(credit(share, self.credit_above), f"{right} of {len(asked)} files in place, {surplus} others")


def _refuse_cut(view: View, question: str) -> None:
    """Refuse to answer where the listing was cut: nobody is then told changed or unchanged without having been seen."""
    if view.truncated:
        raise Unreadable(f"the workspace was not read to its end ({view.truncated}); it cannot be told {question}")


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def _declared(path: str, view: View) -> bool:
    return path in view.outputs or any(
        output.kind == "folder" and path.startswith(f"{name}/") for name, output in view.outputs.items()
    )
