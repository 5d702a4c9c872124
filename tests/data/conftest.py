"""Fixtures of the tests of the sandbox."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgym_data.sandbox import Bubblewrap, SandboxConfig, holder
from clawgym_data.sandbox import facts as facts_module
from clawgym_data.sandbox.facts import gather_facts
from tests.data.sandboxes import SMALL


@pytest.fixture
def sandbox() -> Iterator[Bubblewrap]:
    with Bubblewrap.start(SandboxConfig()) as running:
        yield running


@pytest.fixture
def small() -> Iterator[Bubblewrap]:
    with Bubblewrap.start(SMALL) as running:
        yield running


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the sandbox's user on the host may reach, as pytest's own is not."""
    with tempfile.TemporaryDirectory(prefix="clawgym-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def bwrap(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A script that is found as `bwrap` instead of the real one."""
    monkeypatch.setenv("PATH", f"{open_folder}:/usr/bin:/bin")
    monkeypatch.setattr(facts_module, "VERSION_SEC", 1.0)
    monkeypatch.setattr(holder, "START_SEC", 1.0)
    gather_facts.cache_clear()
    yield open_folder / "bwrap"
    gather_facts.cache_clear()
