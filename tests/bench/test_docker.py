"""The same tasks under Inspect's docker sandbox; skipped, with the reason, where no engine or image is there."""

import subprocess
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox import self_check
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.container import container_of, ended_container, fill_container
from clawgym_bench.regrade import regrade
from clawgym_bench.sandbox import in_thread
from clawgym_bench.solvers.claw_agent import MALFORMED_TURNS
from clawgym_bench.workspace import WORKSPACE
from clawgym_data.snapshot import EntryKind
from tests.bench.docker_engine import docker_sandbox, require_docker
from tests.bench.scripted import Step, ending_of, evaluate, sample_of, told
from tests.bench.test_claw_agent import SOLVING

# Not applicable: the container has one user, who may not add others.
del test_exec_as_user  # type: ignore[name-defined]  # noqa: F821

for _name in self_check.__all__:
    if _name in globals():
        globals()[_name] = pytest.mark.asyncio(globals()[_name])


@pytest.fixture(autouse=True)
def _docker() -> None:
    require_docker()


@pytest_asyncio.fixture
async def sandbox_env() -> AsyncIterator[SandboxEnvironment]:
    async with docker_sandbox() as environment:
        yield environment


@pytest.fixture(scope="module")
def bench_logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    """Oracle and no-op on every task of the benchmark."""
    require_docker()
    folder = tmp_path_factory.mktemp("docker")
    return {solver: run(solver, folder / solver) for solver in ("oracle", "noop")}


def run(solver: str, folder: Path) -> EvalLog:
    task = clawgym_bench(solver=solver, sandbox="docker")
    return inspect_eval(task, model="none", log_dir=str(folder), display="none", max_samples=2)[0]


@pytest.mark.parametrize(("solver", "score"), [("oracle", 1.0), ("noop", 0.0)])
def test_every_task_of_the_benchmark(bench_logs: dict[str, EvalLog], solver: str, score: float) -> None:
    log = bench_logs[solver]
    assert log.status == "success", log.error
    scores = {str(sample.id): (sample.scores or {})["verdict"] for sample in log.samples or []}
    assert len(scores) >= 6
    assert {name: found.value for name, found in scores.items()} == dict.fromkeys(scores, score)
    assert {(found.metadata or {})["outcome"] for found in scores.values()} == {"scored"}


def test_kept_workspaces_are_graded_again_alike(bench_logs: dict[str, EvalLog], tmp_path: Path) -> None:
    log = bench_logs["oracle"]
    again = regrade(log.location.removeprefix("file://"), None, str(tmp_path), lambda total: lambda name: None)
    assert (again.regraded, again.trials, again.moved) == (len(log.samples or []), len(log.samples or []), [])


@pytest.mark.usefixtures("bench_logs")
def test_no_container_is_left() -> None:
    # those of another run at the same time go away by themselves
    left = first = containers()
    deadline = time.monotonic() + 300
    while left & first and time.monotonic() < deadline:
        time.sleep(1)
        left = containers()
    assert not left & first


def containers() -> set[str]:
    listed = subprocess.run(
        ["docker", "ps", "--all", "--format", "{{.Names}}"], capture_output=True, text=True, check=True
    )
    return {name for name in listed.stdout.split() if "clawgym" in name}


def test_a_scripted_model_solves_a_task_by_tool_calls(tmp_path: Path) -> None:
    log = evaluate(SOLVING, tmp_path, sandbox="docker")
    assert ending_of(log) == ("scored", "", True)
    assert sample_of(log).scores["verdict"].as_float() == 1  # type: ignore[index]
    assert WORKSPACE in sample_of(log).messages[0].text
    assert (log.eval.metadata or {})["sandbox"] == "docker"


def test_malformed_calls_are_the_agents_failure(tmp_path: Path) -> None:
    log = evaluate(lambda messages, number: ("nosuch", {"pfad": "x"}), tmp_path, sandbox="docker")
    outcome, cause, is_graded = ending_of(log)
    assert (outcome, is_graded) == ("agent_failed", True)
    assert f"{MALFORMED_TURNS} turns" in cause


@pytest.mark.parametrize(
    ("limits", "cause"), [({"turn_limit": 2}, "limit: turn"), ({"working_limit": 3}, "limit: working")]
)
def test_at_a_limit_the_workspace_is_graded(tmp_path: Path, limits: dict[str, int], cause: str) -> None:
    slow: Step = ("exec", {"command": "echo x > kept.txt; sleep 2"})
    log = evaluate(lambda messages, number: slow, tmp_path, sandbox="docker", **limits)
    assert ending_of(log) == ("scored", cause, True)


@pytest.mark.fault("agent-escapes-its-zero")
@pytest.mark.parametrize(
    "command",
    [
        "for i in $(seq 400); do sleep 900 & done; wait",
        "for s in TERM INT HUP QUIT KILL; do kill -$s 1; done; pkill -TERM .; kill -9 -1",
        "setsid sh -c 'while :; do kill -9 -1; done' >/dev/null 2>&1 &",
        f"cd /; rm -rf {WORKSPACE}; rm -f /bin/tar; ln -sf /bin/true /bin/sh",
        f"cd /; rm -rf {WORKSPACE}; ln -s /proc/1 {WORKSPACE}",
    ],
    ids=["uses up all processes", "kills all it can", "kills all that starts", "no folder, no shell", "a link"],
)
def test_an_agent_that_breaks_its_container_is_graded(tmp_path: Path, command: str) -> None:
    def script(messages: list[ChatMessage], number: int) -> Step:
        if number == 0:
            return ("exec", {"command": command, "yieldMs": 5000})
        return ("exec", {"command": "true"}) if number < 12 else "done"

    log = evaluate(script, tmp_path, sandbox="docker", working_limit=300)
    outcome, cause, is_graded = ending_of(log)
    assert is_graded, cause
    assert outcome in ("scored", "agent_failed")
    assert sample_of(log).scores["verdict"].as_float() == 0  # type: ignore[index]


@pytest.mark.asyncio
async def test_files_are_put_in_byte_for_byte_with_their_modes(sandbox_env: SandboxEnvironment) -> None:
    files = [
        ("a.sh", b"#!/bin/sh\r\n\xff\0", 0o755),
        ("d\u00e4/" + "long" * 40 + "/e.txt", b"https://example.org/x", 0o444),
        ("a.sh", b"second", 0o600),
        ("empty", b"", 0o644),
    ]
    container = container_of(sandbox_env)
    assert container is not None
    await in_thread(lambda: fill_container(container, []))
    await in_thread(lambda: fill_container(container, files))
    listed = await sandbox_env.exec(["find", ".", "-type", "d", "!", "-perm", "755"], cwd=WORKSPACE)
    assert listed.stdout == ""
    found = await in_thread(lambda: ended_container(container, WORKSPACE))
    assert {
        entry.path: (found.content(entry.path), entry.mode) for entry in found.entries if entry.kind is EntryKind.FILE
    } == {path: (content, mode) for path, content, mode in files}
    with pytest.raises(RuntimeError, match="did not write the files"):
        await in_thread(lambda: fill_container("no-such-container", files))


@pytest.mark.asyncio
async def test_after_the_end_nothing_runs_and_all_is_read(sandbox_env: SandboxEnvironment) -> None:
    made = await sandbox_env.exec(
        [
            "/bin/bash",
            "-c",
            "mkdir -p a/b; echo x > a/b/c; chmod 640 a/b/c; ln -s /etc/passwd link; mkfifo fifo; truncate -s 300M sparse; "
            "echo n > $'\\xff'; mkdir shut; echo s > shut/s; chmod 0 shut; "
            "(setsid sh -c 'trap \"\" TERM HUP; while :; do date +%N > now; done' >/dev/null 2>&1 &) ; sleep 0.5",
        ],
        cwd=WORKSPACE,
    )
    assert made.success, made.stderr
    container = container_of(sandbox_env)
    assert container is not None
    first = await in_thread(lambda: ended_container(container, WORKSPACE))
    assert first.truncated is None
    assert {entry.path: entry.kind for entry in first.entries if entry.kind is not EntryKind.FILE} == {
        "a": EntryKind.DIRECTORY,
        "a/b": EntryKind.DIRECTORY,
        "fifo": EntryKind.SPECIAL,
        "link": EntryKind.SYMLINK,
        "shut": EntryKind.UNREADABLE,
        "sparse": EntryKind.OVERSIZED,
    }
    assert {entry.path for entry in first.entries if entry.kind is EntryKind.FILE} == {"a/b/c", "now", "\udcff"}
    found = first.get("a/b/c")
    assert found is not None
    assert (found.mode, first.content("a/b/c")) == (0o640, b"x\n")
    state = ["docker", "inspect", "--format", "{{.State.Running}}", container]
    assert subprocess.run(state, capture_output=True, text=True, check=True).stdout == "false\n"
    again = await in_thread(lambda: ended_container(container, WORKSPACE))
    assert again.digest == first.digest
    with pytest.raises(RuntimeError, match="did not end the container"):
        await in_thread(lambda: ended_container("no-such-container", WORKSPACE))


def test_an_orphan_writes_nothing_after_the_end(tmp_path: Path) -> None:
    orphan: Step = ("exec", {"command": "setsid sh -c 'sleep 4; echo late > payout.csv' >/dev/null 2>&1 & echo on"})
    log = evaluate([orphan, "done"], tmp_path, sandbox="docker")
    outcome, _, _ = ending_of(log)
    metadata = (sample_of(log).scores or {})["verdict"].metadata or {}
    evidence = {check["id"]: check["evidence"] for check in metadata["verdict"]["checks"]}
    assert outcome == "scored"
    assert "late" not in str(evidence)


def test_no_network_no_privileges_and_nothing_of_ours(tmp_path: Path) -> None:
    look: Step = (
        "exec",
        {
            "command": "ls /sys/class/net; grep -E 'CapEff|NoNewPrivs' /proc/self/status; "
            "find / -xdev \\( -name 'clawgym*' -o -name solve.py -o -name expected.py \\) 2>/dev/null; echo end"
        },
    )
    text = told(evaluate([look, "done"], tmp_path, sandbox="docker"))
    assert "lo\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\nend" in text
