"""`scripts/docker-engine` runs programs of its folder as root: it takes none that somebody else may have put there."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SCRIPT = REPOSITORY / "scripts" / "docker-engine"


def run(folder: Path, word: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"CLAWGYM_DOCKER_FOLDER": str(folder)}
    return subprocess.run([SCRIPT, word], env=environment, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A folder that others may write to, with a program of theirs that says that an engine runs."""
    folder = tmp_path / "engine"
    program = folder / "root" / "usr" / "bin" / "docker"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho run >>{tmp_path}/was-run\n")
    program.chmod(0o755)
    (folder / "docker.sock").touch()
    folder.chmod(0o777)
    return folder


@pytest.mark.parametrize("word", ["start", "stop"])
@pytest.mark.parametrize("is_link", [False, True])
def test_a_folder_that_others_may_have_filled_is_neither_used_nor_removed(
    planted: Path, word: str, is_link: bool
) -> None:
    folder = planted
    if is_link:
        planted.chmod(0o700)
        folder = planted.with_name("link")
        folder.symlink_to(planted)
    done = run(folder, word)

    assert str(folder) not in done.stdout
    assert not (planted.parent / "was-run").exists()
    assert (planted / "docker.sock").exists()
    if word == "stop":
        assert done.returncode == 3
        assert f"{folder} is not a folder that belongs to you" in done.stderr


def test_the_own_folder_is_removed(planted: Path) -> None:
    planted.chmod(0o700)
    done = run(planted, "stop")
    assert done.returncode == 0, done.stderr
    assert not planted.exists()
