"""The same tasks under Inspect's docker sandbox; skipped, with the reason, where no engine or image is there."""

import os
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.regrade import regrade
from clawgym_bench.workspace import WORKSPACE
from clawgym_data.sandbox.docker import call_docker
from clawgym_data.sandbox.stale import start_time
from tests.bench.docker_engine import AT_ONCE, in_docker, require_docker
from tests.bench.scripted import Step, ending_of, evaluate, sample_of
from tests.bench.test_claw_agent import SOLVING


@pytest.fixture(autouse=True)
def _docker() -> None:
    require_docker()


@pytest.fixture(scope="module")
def bench_logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    """Oracle and no-op on every task of the benchmark, as one run."""
    require_docker()
    tasks = [clawgym_bench(solver=solver, **in_docker()) for solver in ("oracle", "noop")]
    logs = inspect_eval(
        tasks,
        model="none",
        log_dir=str(tmp_path_factory.mktemp("docker")),
        display="none",
        max_tasks=2,
        max_samples=AT_ONCE // 2,
    )
    return {log.eval.task_args["solver"]: log for log in logs}


@pytest.mark.parametrize(("solver", "score"), [("oracle", 1.0), ("noop", 0.0)])
def test_every_task_of_the_benchmark(bench_logs: dict[str, EvalLog], solver: str, score: float) -> None:
    log = bench_logs[solver]
    assert log.status == "success", log.error
    scores = {str(sample.id): (sample.scores or {})["verdict"] for sample in log.samples or []}
    assert len(scores) >= 30
    assert {name: found.value for name, found in scores.items()} == dict.fromkeys(scores, score)
    assert {(found.metadata or {})["outcome"] for found in scores.values()} == {"scored"}


def test_kept_workspaces_are_graded_again_alike(bench_logs: dict[str, EvalLog], tmp_path: Path) -> None:
    log = bench_logs["oracle"]
    again = regrade(log.location.removeprefix("file://"), None, str(tmp_path), lambda total: lambda name: None)
    assert (again.regraded, again.trials, again.moved) == (len(log.samples or []), len(log.samples or []), [])


@pytest.mark.usefixtures("bench_logs")
def test_nothing_of_the_runs_is_left() -> None:
    own = f".{os.getpid()}.{start_time(os.getpid())}"
    told = [
        call_docker(
            [*listing, "--filter", "label=clawgym.harness", "--format", '{{.Label "clawgym.harness"}}'], "list", 60
        )
        for listing in (["ps", "--all"], ["volume", "ls"])
    ]
    assert not [label for label in "".join(told).split() if label.endswith(own)]


def test_the_log_says_what_the_engine_enforces(bench_logs: dict[str, EvalLog]) -> None:
    metadata = bench_logs["noop"].eval.metadata or {}
    assert metadata["sandbox"] == "docker"
    assert metadata["docker"]["runtime"]
    held = metadata["enforcement"]
    assert {held[name] for name in ("workspace", "tmp")} == {"tmpfs"}
    unheld = [f"nothing enforces {limit}" for limit, enforcer in held.items() if enforcer == "none"]
    assert [reason for reason in metadata["not_rankable_because"] if reason.startswith("nothing")] == unheld


def test_a_scripted_model_solves_a_task_by_tool_calls(tmp_path: Path) -> None:
    log = evaluate(SOLVING, tmp_path, **in_docker())
    assert ending_of(log) == ("scored", "", True)
    assert sample_of(log).scores["verdict"].as_float() == 1  # type: ignore[index]
    assert WORKSPACE in sample_of(log).messages[0].text


def test_at_a_limit_the_workspace_is_graded(tmp_path: Path) -> None:
    slow: Step = ("exec", {"command": "echo x > kept.txt; sleep 2"})
    log = evaluate(lambda messages, number: slow, tmp_path, **in_docker(), working_limit=3)
    assert ending_of(log) == ("scored", "limit: working", True)
