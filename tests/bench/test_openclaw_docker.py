"""The real OpenClaw in Docker containers: the same tasks, through a relay to the endpoint."""

from pathlib import Path

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage

from clawgym_bench.trajectory import read_trajectories
from clawgym_bench.trajectory.openclaw_compare import compare
from clawgym_bench.trajectory.openclaw_session import sessions_of
from clawgym_data.task import load_task
from tests.bench.docker_engine import require_docker
from tests.bench.openclaw import evaluate_openclaw, instruction_in, openclaw_image, samples_of, steps_of
from tests.bench.scripted import Step
from tests.bench.test_openclaw import BENCH, SOLVED


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    require_docker()
    openclaw_image()
    tasks = [load_task(BENCH / name) for name in SOLVED]
    steps = {task.spec.instruction.strip(): steps_of(task) for task in tasks}

    def play(messages: list[ChatMessage], number: int) -> Step:
        told = instruction_in(messages)
        return next(steps for instruction, steps in steps.items() if instruction in told)[number]

    folder = tmp_path_factory.mktemp("docker")
    return evaluate_openclaw(play, folder, tasks=BENCH, task=",".join(SOLVED), sandbox="docker", flag_max_samples=4)


@pytest.mark.parametrize("name", SOLVED)
def test_a_solution_by_openclaws_own_tools_scores_1(solved: EvalLog, name: str) -> None:
    sample = samples_of(solved)[name]
    assert sample.scores is not None, sample.error
    assert sample.scores["verdict"].as_float() == 1, sample.scores["verdict"].explanation


def test_both_records_agree_call_by_call(solved: EvalLog) -> None:
    comparisons = {item.task: compare(item, sessions_of(item)) for item in read_trajectories(Path(solved.location))}
    assert set(comparisons) == set(SOLVED)
    for name, comparison in comparisons.items():
        assert comparison.agrees, (name, comparison)
        assert comparison.answers_matched == 4
        assert (comparison.results_matched >= 3, comparison.results_not_sent) == (True, 0)
