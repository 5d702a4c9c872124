"""What the model calls and the end of a program with a loop of its own mean for a trial, without such a program."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.model._model import init_active_model
from inspect_ai.tool import INTERNAL_TOOL_TYPE, ToolFunction, ToolInfo
from inspect_ai.util import turn_limit, working_limit

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.endings import AgentFailed, InfraFailed, LimitReached
from clawgym_bench.modelcall import limited_calls
from clawgym_bench.sandbox import BubblewrapEnvironment
from clawgym_bench.swe import probe
from clawgym_bench.swe.calls import CountedModel, HarnessCalls, TrialEnded
from clawgym_bench.swe.ending import raise_unless_done
from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxGone, SandboxLimits
from clawgym_data.sandbox.docker import harness_name
from tests.bench.openai_server import Reply, answer, error, openai_server
from tests.bench.scripted import Step, output_of, scripted_model
from tests.conftest import FIXTURE_TASKS

EXIT = "Error executing claude code agent {}: some words"
ASKED = [ChatMessageUser(content="work")]


@dataclass
class Stopped:
    """Counts what would end the program, and what comes before its first call."""

    stops: int = 0
    begins: list[str] = field(default_factory=list)

    def calls(self) -> HarnessCalls:
        return HarnessCalls(self.stop, self.begin)

    def stop(self) -> None:
        self.stops += 1

    async def begin(self) -> None:
        self.begins.append("begun")


@pytest.fixture
def environment() -> Iterator[BubblewrapEnvironment]:
    config = SandboxConfig(limits=SandboxLimits(memory_mb=64, processes=16))
    with Bubblewrap.start(config) as runner:
        yield BubblewrapEnvironment(runner)


async def asked(reply: Reply, calls: HarnessCalls) -> Exception | ModelOutput:
    """What the program's call gets, with a provider that answers so."""
    with openai_server(lambda request, count: reply) as server:
        config = GenerateConfig(max_retries=0)
        model = get_model("openai-api/loopback/m", config=config, base_url=server.url, api_key="none", memoize=False)
        try:
            return await CountedModel(model, calls).generate(ASKED)
        except Exception as raised:
            return raised


async def after(step: object, environment: BubblewrapEnvironment, failure: Exception | None = None) -> None:
    """The end of a program after the model's one answer or after none."""
    calls = Stopped().calls()
    if step is not None:
        await CountedModel(scripted_model([step]), calls).generate(ASKED)  # type: ignore[list-item]
    await raise_unless_done(calls, failure, environment)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("reply", "name"),
    [
        (error(429, "slow down"), "RateLimitError"),
        (error(500, "broken"), "InternalServerError"),
        (error(503, "overloaded"), "InternalServerError"),
        (error(401, "no such key"), "AuthenticationError"),
    ],
)
async def test_a_provider_that_fails_ends_the_trial_at_once(reply: Reply, name: str) -> None:
    seen = Stopped()
    calls = seen.calls()

    assert isinstance(await asked(reply, calls), Exception)
    assert seen.stops == 1
    assert isinstance(calls.ended_by, InfraFailed)
    assert str(calls.ended_by).startswith(f"provider: {name}")


@pytest.mark.asyncio
async def test_an_answer_without_choices_ends_the_trial() -> None:
    seen = Stopped()
    calls = seen.calls()
    await asked(Reply(body=answer("x").body | {"choices": []}), calls)

    assert seen.stops == 1
    assert isinstance(calls.ended_by, InfraFailed)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error(400, "unknown parameter: tools"), InfraFailed),
        (error(400, "prompt is too long: 212 tokens > 200 maximum"), LimitReached),
    ],
)
async def test_a_refused_request_is_told_to_the_program_which_may_go_on(
    reply: Reply, kind: type[Exception], environment: BubblewrapEnvironment
) -> None:
    seen = Stopped()
    calls = seen.calls()
    assert isinstance(await asked(reply, calls), Exception)
    assert (seen.stops, calls.ended_by) == (0, None)

    # gave up before the agent could act
    with pytest.raises(kind):
        await raise_unless_done(calls, None, environment)

    # asked again, and was answered
    await asked(answer("done"), calls)
    assert calls.refused is None
    await raise_unless_done(calls, None, environment)
    assert seen.begins == ["begun"]


@pytest.mark.asyncio
async def test_an_odd_request_is_no_failure_of_the_provider_once_the_agent_may_have_sent_it(
    environment: BubblewrapEnvironment,
) -> None:
    seen = Stopped()
    calls = seen.calls()
    steps: list[Step] = [("Bash", {}), ValueError("cannot be translated")]
    for number in range(2):
        with suppress(ValueError):
            await CountedModel(scripted_model(lambda *_, at=number: steps[at]), calls).generate(ASKED)
    assert seen.stops == 0
    with pytest.raises(AgentFailed, match="ValueError: cannot be translated"):
        await raise_unless_done(calls, None, environment)

    gone = get_model("openai-api/loopback/m", base_url="http://127.0.0.1:9/v1", api_key="none", memoize=False)
    gone.config.max_retries = 0
    with pytest.raises(Exception, match="ConnectionError"):
        await CountedModel(gone, calls).generate(ASKED)
    assert isinstance(calls.ended_by, InfraFailed)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "broken", [error(500, "roles must alternate"), error(401, "odd"), Reply(body=answer("x").body | {"choices": []})]
)
async def test_a_request_that_breaks_a_healthy_provider_is_the_agents_once_it_has_acted(
    broken: Reply, environment: BubblewrapEnvironment
) -> None:
    def reply(request: dict[str, object], count: int) -> Reply:
        return broken if "poison" in str(request) else answer(calls=[("Bash", "{}")])

    seen = Stopped()
    calls = seen.calls()
    with openai_server(reply) as server:
        config = GenerateConfig(max_retries=0)
        model = get_model("openai-api/loopback/m", config=config, base_url=server.url, api_key="none", memoize=False)
        counted = CountedModel(model, calls)
        await counted.generate(ASKED)
        with pytest.raises(Exception, match=r"RetryError|odd|without choices"):
            await counted.generate([ChatMessageUser(content="poison")])
    assert (seen.stops, calls.ended_by, calls.answers) == (0, None, 1)
    with pytest.raises(AgentFailed, match=r"harness: it ended after its request was refused \(provider: "):
        await raise_unless_done(calls, None, environment)


@pytest.mark.asyncio
async def test_a_provider_that_answers_nothing_any_more_is_no_doing_of_an_agent_that_has_acted() -> None:
    calls = Stopped().calls()
    await asked(answer(calls=[("Bash", "{}")]), calls)
    await asked(error(500, "broken"), calls)
    assert isinstance(calls.ended_by, InfraFailed)


@pytest.mark.asyncio
async def test_no_call_is_answered_before_what_comes_before_the_first_is_done() -> None:
    done: list[str] = []

    async def slow() -> None:
        await anyio.wait_all_tasks_blocked()
        done.append("listed")

    async def ask() -> None:
        await model.generate(ASKED)
        done.append("answered")

    model = CountedModel(scripted_model(["a", "b"]), HarnessCalls(lambda: None, slow))
    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        group.start_soon(ask)
    assert done == ["listed", "answered", "answered"]


@pytest.mark.asyncio
async def test_calls_side_by_side_are_no_more_than_the_turns() -> None:
    async def ask(model: Model) -> None:
        with suppress(TrialEnded):
            await model.generate(ASKED)

    with openai_server(lambda request, count: answer("done")) as server:
        model = get_model("openai-api/loopback/m", base_url=server.url, api_key="none", memoize=False)
        counted = CountedModel(model, Stopped().calls())
        with turn_limit(2) as turns, working_limit(None) as clock, limited_calls(clock, 60, turns):
            async with anyio.create_task_group() as group:
                for _ in range(4):
                    group.start_soon(ask, counted)
        assert len(server.requests) == 2


@pytest.mark.asyncio
async def test_words_of_the_request_are_none_of_the_provider() -> None:
    with openai_server(lambda request, count: error(400, "unknown parameter: tools")) as server:
        model = get_model("openai-api/loopback/m", base_url=server.url, api_key="none", memoize=False)
        calls = Stopped().calls()
        with pytest.raises(Exception, match="unknown parameter"):
            await CountedModel(model, calls).generate("what is the maximum context length of this model?")
    assert str(calls.refused) == "provider: ModelGenerateError: Error code: 400 - unknown parameter: tools"


@pytest.mark.asyncio
async def test_malformed_calls_in_a_row_are_the_agents_failure() -> None:
    seen = Stopped()
    calls = seen.calls()
    for _ in range(5):
        assert seen.stops == 0
        await asked(answer(calls=[("Bash", '{"comm')]), calls)

    assert isinstance(calls.ended_by, AgentFailed)
    assert str(calls.ended_by).startswith("malformed calls in 5 turns in a row")


@pytest.mark.asyncio
async def test_after_an_act_of_the_agent_a_refused_request_is_no_failure_from_outside(
    environment: BubblewrapEnvironment,
) -> None:
    calls = Stopped().calls()
    await asked(answer(calls=[("Bash", "{}")]), calls)
    await asked(error(400, "unknown parameter: image"), calls)

    with pytest.raises(AgentFailed, match="unknown parameter: image"):
        await raise_unless_done(calls, RuntimeError(EXIT.format(1)), environment)


@pytest.mark.asyncio
async def test_tools_by_which_the_provider_would_reach_the_network_are_taken_away() -> None:
    calls = Stopped().calls()
    search = ToolInfo(name="web_search", description="", options={INTERNAL_TOOL_TYPE: "web_search"})
    own = ToolInfo(name="WebFetch", description="")
    model = CountedModel(scripted_model([]), calls)

    given = await calls.filter(model, ASKED, [search, own], ToolFunction(name="web_search"), GenerateConfig())  # type: ignore[arg-type]
    assert isinstance(given, tuple)
    assert (given.tools, given.tool_choice) == ([own], None)
    assert await calls.filter(model, ASKED, [own], "auto", GenerateConfig()) is None  # type: ignore[arg-type]


@pytest.mark.asyncio
async def test_every_model_that_an_agent_makes_itself_is_counted() -> None:
    calls = Stopped().calls()
    evaluated = scripted_model(["first", "second"])
    init_active_model(evaluated, GenerateConfig())
    with calls.in_force(evaluated):
        await get_model().generate(ASKED)
    assert get_model() is evaluated
    await calls.filter(evaluated, ASKED, [], None, GenerateConfig())  # type: ignore[arg-type]

    assert calls.answers == 2


@pytest.mark.asyncio
@pytest.mark.parametrize("status", [1, 137, -11])
async def test_a_program_that_fails_after_an_act_of_the_agent_is_its_own(
    status: int, environment: BubblewrapEnvironment
) -> None:
    with pytest.raises(AgentFailed, match=f"agent {status}: some words"):
        await after(("Bash", {}), environment, RuntimeError(EXIT.format(status)))


@pytest.mark.asyncio
@pytest.mark.parametrize("status", [1, 137])
async def test_before_an_act_of_the_agent_nothing_is_its_doing(status: int, environment: BubblewrapEnvironment) -> None:
    with pytest.raises(InfraFailed, match=f"agent {status}: some words"):
        await after(None, environment, RuntimeError(EXIT.format(status)))
    with pytest.raises(InfraFailed, match="it never asked the model"):
        await after(None, environment)


@pytest.mark.asyncio
async def test_a_model_that_refuses_ends_the_work_also_where_the_program_calls_it_an_error(
    environment: BubblewrapEnvironment,
) -> None:
    refusal = output_of("I will not.", stop_reason="content_filter")
    await after(refusal, environment, RuntimeError("Error executing claude code agent 1: "))


@pytest.mark.asyncio
async def test_a_sandbox_that_has_ended_is_infrastructure(environment: BubblewrapEnvironment) -> None:
    environment.runner.close()
    with pytest.raises(SandboxGone):
        await after(("Bash", {}), environment, RuntimeError("Failed to poll"))


def test_a_container_whose_program_does_not_answer_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docker = tmp_path / "docker"
    docker.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/asked\n[ "$1" != run ] || exec sleep 60\n')
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(probe, "PROBE_SEC", 0.5)
    with pytest.raises(subprocess.TimeoutExpired):
        probe._in_container("claude --version", "an-image")

    run, removal = (tmp_path / "asked").read_text().splitlines()
    name = run.split("--name ")[1].split()[0]
    assert f"--label clawgym.harness={harness_name()} " in run
    assert removal == f"rm --force {name}"


def test_without_the_package_the_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_swe", None)
    with pytest.raises(PrerequisiteError, match=r"needs the package inspect-swe.*pip install 'inspect-swe>="):
        clawgym_bench(tasks=str(FIXTURE_TASKS), solver="inspect_swe/claude_code")


def test_the_names_are_told_where_a_solver_is_misspelt() -> None:
    with pytest.raises(PrerequisiteError, match=r"expected one of claw_agent.*inspect_swe/NAME"):
        clawgym_bench(tasks=str(FIXTURE_TASKS), solver="claude_code")


def test_the_model_is_itself_in_all_else() -> None:
    model: Model = scripted_model(["x"])
    counted = CountedModel(model, Stopped().calls())
    assert (str(counted), counted.name, counted.api, counted.config) == (
        str(model),
        model.name,
        model.api,
        model.config,
    )
