"""The shared words of a proof: files, a change of a workspace, and a mutant of what the oracle wrote."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Files = Mapping[str, bytes]
"""Contents by path relative to the workspace."""

Group = Literal["breaking", "neutral", "undetermined", "judge_only"]
"""What requirements and outputs say of a change: it must cost, must not cost, may do either, or only a judge could see it."""


@dataclass(frozen=True, slots=True)
class Change:
    """An edit of a workspace: removals first, then the files written."""

    name: str
    write: Files
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one output, before it has a path: what was done, its class, the new content (None: the file is gone)."""

    what: str
    group: Group
    content: bytes | None
    cell: tuple[str, ...]
    """The column, label, member or part that was touched."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of the oracle's answer, applied over the pristine inputs and the oracle's files."""

    name: str
    """Unique in its task: `renewals.csv: fee of row 3 +1`."""
    group: Group
    change: Change
    cell: tuple[str, ...]
    """The path, then the column, label, member or part that was touched; `("workspace", ...)` for what lies around it."""
