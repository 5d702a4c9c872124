"""What travels to a grading worker, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clawgym_data.checks import CheckBase
from clawgym_data.checks.view import CaseRun
from clawgym_data.snapshot import Entry
from clawgym_data.spec.output import Output


@dataclass(frozen=True, slots=True)
class Job:
    """All that the checks of one verdict may look at."""

    checks: tuple[CheckBase, ...]
    expected: tuple[Any, ...]
    """One value for each check."""
    outputs: Mapping[str, Output]
    entries: tuple[Entry, ...]
    files: Mapping[str, bytes]
    """Contents of the final files that some check reads."""
    pristine: Mapping[str, str]
    pristine_files: Mapping[str, bytes]
    runs: Mapping[str, tuple[CaseRun, ...]] = field(default_factory=dict)
    """Check id -> what its cases gave."""
    pristine_runs: Mapping[str, tuple[CaseRun, ...]] = field(default_factory=dict)
    truncated: str | None = None
    """Why the listing of the final workspace is incomplete, or None."""
    found: Mapping[str, Any] = field(default_factory=dict)
    """Check id -> what its function returned."""
    pristine_found: Mapping[str, Any] = field(default_factory=dict)
