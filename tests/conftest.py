"""Fixtures that several test files share: a small proven task, a grader, and views for single checks."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgym_data.grading.grader import Grader

FIXTURE_TASKS = Path(__file__).parent / "fixtures" / "tasks"
REPOSITORY = Path(__file__).parent.parent


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say above the last line what was left out for want of Docker."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = {str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports if report.longrepr}
    for reason in sorted(reason for reason in reasons if reason.startswith("Docker: ")):
        terminalreporter.write_line(reason)


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    with Grader(2) as shared:
        yield shared


@pytest.fixture
def stall_takings(tmp_path: Path) -> Path:
    """A copy of the small task that a test may change."""
    folder = tmp_path / "tasks" / "stall-takings"
    shutil.copytree(FIXTURE_TASKS / "stall-takings", folder)
    return folder
