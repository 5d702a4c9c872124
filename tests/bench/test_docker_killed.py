"""A harness that dies in the middle of its trials: its containers go, those of others stay."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from clawgym_data.sandbox.docker import harness_name, sweep_containers
from clawgym_data.sandbox.stale import start_time
from tests.bench.docker_engine import docker_tag_for_tests, in_docker, require_docker
from tests.bench.inspect_forks import Forks, inspect_forks
from tests.conftest import FIXTURE_TASKS, REPOSITORY
from tests.data.sandboxes import wait_until

TRIALS = 2
POLL_SEC = 0.5
"""Between questions to Docker: each starts its programs."""
STARTED = "begun"


@pytest.fixture(autouse=True)
def _docker(monkeypatch: pytest.MonkeyPatch) -> None:
    require_docker()
    # the forks have a home of their own, and compose may be installed in this one
    monkeypatch.setenv("DOCKER_CONFIG", os.environ.get("DOCKER_CONFIG", str(Path.home() / ".docker")))


def docker(*words: str) -> list[str]:
    return subprocess.run(["docker", *words], capture_output=True, text=True, check=True).stdout.split()


def harness_of(pid: int) -> str:
    """The label of another process of this boot."""
    return harness_name().replace(f".{os.getpid()}.{start_time(os.getpid())}", f".{pid}.{start_time(pid)}")


def left_of(harness: str) -> list[str]:
    label = ["--filter", f"label=clawgym.harness={harness}"]
    containers = docker("ps", "--all", *label, "--format", "{{.Names}}")
    return containers + docker("volume", "ls", *label, "--format", "{{.Name}}")


def begin(forks: Forks, folder: Path, *words: str) -> int:
    given = {**in_docker(), "tasks": str(FIXTURE_TASKS)}
    task = (*(word for name, value in given.items() for word in ("-T", f"{name}={value}")), "--model", "none", *words)
    return forks.start("eval", "clawgym_bench", *task, "--log-dir", str(folder / "logs"), "--display", "plain")


def begin_endless(forks: Forks, folder: Path) -> int:
    """A run whose trials do not end by themselves."""
    recording = folder / "calls.jsonl"
    calls = [{"command": f"echo > {STARTED}"}, {"command": "sleep 600", "yieldMs": 120_000}]
    recording.write_text("".join(json.dumps({"name": "exec", "arguments": call}) + "\n" for call in calls))
    return begin(forks, folder, "-T", f"replay={recording}", "--epochs", str(TRIALS), "--max-samples", str(TRIALS))


def are_in_the_middle(harness: str) -> bool:
    """Whether the agents of all trials have begun."""
    names = docker("ps", "--filter", f"label=clawgym.harness={harness}", "--format", "{{.Names}}")
    agents = [name for name in names if "-default-" in name]
    begun = [subprocess.run(["docker", "exec", name, "test", "-e", STARTED], check=False).returncode for name in agents]
    return len(agents) == TRIALS and not any(begun)


def kill(pid: int, number: signal.Signals) -> None:
    os.kill(pid, number)
    wait_until(lambda: not Path(f"/proc/{pid}").exists(), "the run did not end")


def container_named(label: str) -> str:
    name = f"clawgym-test-{uuid4().hex}"
    docker(
        "create",
        "--name",
        name,
        "--network",
        "none",
        "--label",
        f"clawgym.harness={label}",
        docker_tag_for_tests(),
        "true",
    )
    return name


@pytest.fixture
def of_others() -> Iterator[list[str]]:
    """Containers of a harness that lives, of one on another machine, and of somebody else."""
    boot, _, rest = harness_name().partition(".")
    other = f"{'0' * 8}{boot[8:]}"
    names = [container_named(label) for label in (harness_name(), f"{other}.1.2.3", f"{other}.{rest}", "", "x")]
    yield names
    for name in names:
        with suppress(subprocess.CalledProcessError):
            docker("rm", "--force", name)


def test_containers_of_a_run_that_dies_are_removed_and_no_others(tmp_path: Path, of_others: list[str]) -> None:
    with inspect_forks(tmp_path) as forks:
        runs = {number: begin_endless(forks, tmp_path) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)}
        harness = {number: harness_of(pid) for number, pid in runs.items()}
        for number in runs:
            wait_until(lambda number=number: are_in_the_middle(harness[number]), "no trial went on", POLL_SEC)  # type: ignore[misc]

        kill(runs[signal.SIGINT], signal.SIGINT)
        assert left_of(harness[signal.SIGINT]) == []

        kill(runs[signal.SIGTERM], signal.SIGTERM)
        subprocess.run([".venv/bin/clawgym", "doctor"], cwd=REPOSITORY, capture_output=True, check=True)
        assert left_of(harness[signal.SIGTERM]) == []

        assert are_in_the_middle(harness[signal.SIGKILL])
        kill(runs[signal.SIGKILL], signal.SIGKILL)
        assert len(left_of(harness[signal.SIGKILL])) == TRIALS * 5
        begin(forks, tmp_path, "-T", "solver=noop")
        wait_until(lambda: not left_of(harness[signal.SIGKILL]), "the next start left them", POLL_SEC)

    assert set(of_others) <= set(docker("ps", "--all", "--format", "{{.Names}}"))


def test_a_process_that_got_the_number_of_a_dead_one_keeps_nothing(of_others: list[str]) -> None:
    before = harness_name().rpartition(".")[0] + ".1"
    name = container_named(before)

    assert name in sweep_containers()
    assert sweep_containers() == []
    assert set(of_others) <= set(docker("ps", "--all", "--format", "{{.Names}}"))
