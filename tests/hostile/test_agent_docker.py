"""The same hostile agents in Docker containers: some of them always, all of them with CLAWGYM_DOCKER_HOSTILE=all."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.log._samples import sample_active
from inspect_ai.model import ChatMessage

from tests.bench.docker_engine import require_docker
from tests.bench.scripted import Step, evaluate
from tests.hostile.cases import CASES
from tests.hostile.test_agent import SECRET, Ran, assert_harmless, curious, host_services

CHOSEN = {
    "output is a link to a host file",
    "output is a fifo",
    "output is without rights",
    "inputs removed",
    "200,000 files",
    "a full disk",
    "memory used up",
    "processes used up",
    "a late writer in its own session",
    "kills all it can",
    "overmounts",
    "takes process 1 over",
    "writes where the system lies",
    "reaches for every address",
    "reads graders, specs, environments",
}
IS_WHOLE = os.environ.get("CLAWGYM_DOCKER_HOSTILE") == "all"
CURIOUS = ("reaches for every address", "reads graders, specs, environments")
NAMES = [name for name in (*(case.name for case in CASES), *CURIOUS) if IS_WHOLE or name in CHOSEN]
AT_ONCE = 4


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    require_docker()
    folder = tmp_path_factory.mktemp("hostile-docker")
    os.environ["CLAWGYM_SECRET"] = SECRET
    with tempfile.TemporaryDirectory() as short, host_services(Path(short)) as host:
        cases = [case for case in (*CASES, *curious(host, folder)) if case.name in NAMES]

        def script(messages: list[ChatMessage], number: int) -> Step:
            active = sample_active()
            assert active is not None
            steps = cases[active.epoch - 1].steps
            return steps[number] if number < len(steps) else "done"

        log = evaluate(script, folder, sandbox="docker", flag_epochs=len(cases), flag_max_samples=AT_ONCE)
        yield Ran(log, cases, host, folder, set())
        assert host.reached == []
    del os.environ["CLAWGYM_SECRET"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.fault("agent-escapes-its-zero")
def test_an_agent_gains_nothing_and_harms_nobody(ran: Ran, name: str) -> None:
    assert_harmless(*ran.sample(name))
