"""Trials under gVisor; skipped where the engine does not have it."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog
from inspect_ai.log._samples import sample_active
from inspect_ai.model import ChatMessage

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.taskset import load_set
from clawgym_data.sandbox.docker import GVISOR
from clawgym_data.task import load_task
from tests.bench.docker_engine import AT_ONCE, in_docker, require_docker, require_gvisor
from tests.bench.openclaw import evaluate_openclaw, steps_of
from tests.bench.scripted import Step, evaluate
from tests.conftest import FIXTURE_TASKS
from tests.hostile.cases import HONEST, py, sh

TASKS = 4


@pytest.fixture
def gvisor() -> dict[str, str]:
    require_gvisor()
    return {**in_docker(), "runtime": GVISOR}


def scores_of(log: EvalLog) -> list[tuple[object, object]]:
    assert log.status == "success", log.error
    found = [(sample.scores or {})["verdict"] for sample in sorted(log.samples or [], key=lambda sample: sample.epoch)]
    return [(score.value, (score.metadata or {})["outcome"]) for score in found]


def test_the_oracle_is_right_under_gvisor_and_the_log_says_so(gvisor: dict[str, str], tmp_path: Path) -> None:
    task = clawgym_bench(solver="oracle", task=list(load_set(None))[::8][:TASKS], **gvisor)
    [log] = inspect_eval(task, model="none", log_dir=str(tmp_path), display="none", max_samples=AT_ONCE)
    assert scores_of(log) == [(1.0, "scored")] * TASKS
    metadata = log.eval.metadata or {}
    assert metadata["docker"]["runtime"] == GVISOR
    assert (metadata["enforcement"]["syscalls"], log.eval.task_args["runtime"]) == ("gvisor", GVISOR)


def test_an_agent_in_gvisor_is_graded_whatever_it_does_to_its_container(gvisor: dict[str, str], tmp_path: Path) -> None:
    kernel = py("print(open('/proc/version').read(), open('/proc/1/status').read())")
    agents: list[list[Step]] = [
        [HONEST, kernel],
        [HONEST, sh("kill -9 1"), sh("true")],
        [sh("kill -9 1"), sh("true")],
        [HONEST, py("b = []\nwhile True: b.append(bytearray(64 << 20))"), sh("true")],
    ]

    def script(messages: list[ChatMessage], number: int) -> Step:
        active = sample_active()
        assert active is not None
        steps = agents[active.epoch - 1]
        return steps[number] if number < len(steps) else "done"

    log = evaluate(script, tmp_path, flag_epochs=len(agents), flag_max_samples=AT_ONCE, **gvisor)
    said = "".join(message.text for message in (log.samples or [])[0].messages)
    assert "Linux version 4.4.0" in said or "gvisor" in said.lower()
    scores = scores_of(log)
    assert scores[:3] == [(1.0, "scored"), (1.0, "agent_failed"), (0.0, "agent_failed")]
    assert scores[3][0] == 1.0


def test_openclaw_works_under_gvisor_and_its_container_is_the_agents_to_end(
    gvisor: dict[str, str], tmp_path: Path
) -> None:
    task = load_task(FIXTURE_TASKS / "stall-takings")
    agents: list[list[Step]] = [steps_of(task), [("exec", {"command": "kill -9 1"}), "done"]]

    def script(messages: list[ChatMessage], number: int) -> Step:
        active = sample_active()
        assert active is not None
        return agents[active.epoch - 1][number]

    log = evaluate_openclaw(
        script,
        tmp_path,
        tasks=FIXTURE_TASKS,
        task=task.id,
        sandbox="docker",
        runtime=GVISOR,
        flag_epochs=len(agents),
        flag_max_samples=len(agents),
    )
    assert scores_of(log) == [(1.0, "scored"), (0.0, "agent_failed")]


def test_a_runtime_that_is_not_there_is_refused_by_name() -> None:
    require_docker()
    with pytest.raises(PrerequisiteError, match="no runtime 'kata'; it has "):
        clawgym_bench(solver="noop", tasks=str(FIXTURE_TASKS), runtime="kata", **in_docker())
    with pytest.raises(PrerequisiteError, match="runtime is for the sandbox docker"):
        clawgym_bench(solver="noop", tasks=str(FIXTURE_TASKS), runtime=GVISOR)
