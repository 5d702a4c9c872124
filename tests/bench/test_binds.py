"""Folders of the host inside the sandbox: what may be bound, where it appears, and what is refused by name."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai._util.error import PrerequisiteError

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.binds import with_binds
from clawgym_data.sandbox import Bubblewrap, SandboxConfig
from tests.bench.scripted import evaluate, sample_of, told
from tests.conftest import FIXTURE_TASKS, REPOSITORY

TASK_FOLDER = FIXTURE_TASKS / "stall-takings"


@pytest.fixture
def tools() -> Iterator[Path]:
    """A folder with one program, which any user may read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        program = folder / "node_modules" / ".bin" / "greet"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho hello\n")
        program.chmod(0o755)
        yield folder


def bound(*given: str) -> SandboxConfig:
    return with_binds(SandboxConfig(), list(given), [TASK_FOLDER])


def test_a_bound_program_is_found_and_cannot_be_changed(tools: Path) -> None:
    with Bubblewrap.start(bound(f"{tools}:/opt/tools")) as sandbox:
        assert sandbox.call(["greet"]).stdout == b"hello\n"
        written = sandbox.call(["/bin/sh", "-c", "echo x > /opt/tools/new; rm -rf /opt/tools/node_modules"])
    assert b"Read-only" in written.stderr
    assert (tools / "node_modules/.bin/greet").exists()
    assert not (tools / "new").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="the sandbox's user on the host is another one only for root")
def test_a_folder_that_only_root_may_read_is_refused(tools: Path) -> None:
    tools.chmod(0o700)
    with pytest.raises(PrerequisiteError, match=f"{tools} must be readable by everyone"):
        bound(f"{tools}:/opt/tools")


def test_a_run_with_bound_programs_says_so_and_is_not_rankable(tools: Path, tmp_path: Path) -> None:
    log = evaluate([("exec", {"command": "greet"}), "done"], tmp_path / "logs", bind=f"{tools}:/opt/tools")

    assert "hello" in told(log)
    assert sample_of(log).error is None
    assert log.eval.metadata is not None
    assert log.eval.metadata["binds"] == ["/opt/tools"]
    assert log.eval.metadata["rankable"] is False
    assert "a folder of this host is at /opt/tools" in log.eval.metadata["not_rankable_because"]


def test_what_no_agent_may_see_is_not_bound(tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tools
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "out" / "logs"))
    (tmp_path / "out").mkdir()

    for folder, what in [
        (Path("/"), "this installation"),
        (REPOSITORY, "this installation"),
        (REPOSITORY / "clawgym_bench" / "claw", "this installation"),
        (FIXTURE_TASKS, "the tasks"),
        (TASK_FOLDER / "solution", "the tasks"),
        (tmp_path / "out", "the logs"),
        (home, "your home folder"),
        (home / "node_modules" / "..", "your home folder"),
    ]:
        with pytest.raises(PrerequisiteError, match=f"bind: {folder.resolve()} holds or lies in {what}"):
            bound(f"{folder}:/opt/x")
    part = f"{home}/node_modules"
    assert bound(f"{part}:/opt/x").read_only_binds == ((part, "/opt/x"),)


def test_a_link_is_followed_before_it_is_judged(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(REPOSITORY)
    with pytest.raises(PrerequisiteError, match="this installation"):
        bound(f"{tmp_path}/link:/opt/x")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("/nowhere/at/all:/opt/x", "there is no folder /nowhere/at/all"),
        ("{here}", "expected HOST_PATH:INSIDE_PATH"),
        ("{here}:/usr/lib", "appears at /opt/NAME, not at /usr/lib"),
        ("{here}:/opt", "appears at /opt/NAME, not at /opt"),
        ("{here}:/opt/..", "appears at /opt/NAME"),
        ("{here}:/root/.openclaw/workspace/x", "appears at /opt/NAME"),
        ("{here}:/opt/x,{here}:/opt/x", "two folders would appear at /opt/x"),
    ],
)
def test_impossible_binds_are_refused(tmp_path: Path, given: str, message: str) -> None:
    with pytest.raises(PrerequisiteError, match=message):
        with_binds(SandboxConfig(), given.format(here=tmp_path), [])


def test_binds_are_of_the_bubblewrap_sandbox(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PrerequisiteError, match="bind is for the sandbox bubblewrap"):
        clawgym_bench(tasks=str(FIXTURE_TASKS), sandbox="docker", solver="noop", bind=f"{tools}:/opt/x")
    monkeypatch.setattr("clawgym_bench.task.sandbox_flag", lambda: ("bubblewrap", None))
    with pytest.raises(PrerequisiteError, match="leave --sandbox out"):
        clawgym_bench(tasks=str(FIXTURE_TASKS), solver="noop", bind=f"{tools}:/opt/x")
