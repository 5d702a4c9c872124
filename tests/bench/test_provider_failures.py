"""How a trial ends when the provider misbehaves: a real client against a loopback server."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model

from clawgym_bench.limits import INFRA_RETRIES, PROVIDER_RETRIES
from tests.bench.openai_server import Reply, Server, answer, error, openai_server
from tests.bench.scripted import ending_of, evaluate, sample_of, told
from tests.bench.test_claw_agent import SOLVING

TRIES = INFRA_RETRIES + 1


def run(reply: Callable[[dict[str, Any], int], Reply], folder: Path, **arguments: Any) -> tuple[EvalLog, Server]:
    with openai_server(reply) as server:
        model = get_model("openai-api/loopback/m", base_url=server.url, api_key="none", memoize=False)
        log = evaluate(model, folder, preflight=arguments.pop("preflight", False), **arguments)
    return log, server


def solving(request: dict[str, Any]) -> Reply:
    step = SOLVING[sum(message["role"] == "assistant" for message in request["messages"])]
    if isinstance(step, str):
        return answer(step)
    calls = step if isinstance(step, list) else [step]
    return answer(calls=[(name, json.dumps(given)) for name, given in calls])  # type: ignore[misc]


def test_a_rate_limit_that_passes_costs_no_working_time(tmp_path: Path) -> None:
    limited = (1, 2, 3)
    log, server = run(
        lambda request, count: error(429, "slow down") if count in limited else solving(request),
        tmp_path,
        working_limit=60,
    )

    assert ending_of(log) == ("scored", "", True)
    sample = sample_of(log)
    assert sample.scores is not None
    assert sample.scores["verdict"].as_float() == 1
    assert "infra_retries" not in sample.metadata
    waited = sum(server.times[count + 1] - server.times[count] for count in limited)
    assert sample.total_time is not None
    assert sample.working_time is not None
    assert waited > 2
    assert sample.total_time - sample.working_time > 0.9 * waited
    assert log.plan.config.max_retries == PROVIDER_RETRIES


def test_the_trials_own_working_limit_does_not_count_the_wait_for_a_rate_limit(tmp_path: Path) -> None:
    limited = (1, 2, 3)
    # what is worked on takes well under the limit, what is waited for more than it
    log, server = run(
        lambda request, count: error(429, "slow down", Retry_After="5") if count in limited else solving(request),
        tmp_path,
        working_limit=8,
    )

    assert ending_of(log) == ("scored", "", True)
    assert sum(server.times[count + 1] - server.times[count] for count in limited) > 8


def test_an_error_for_ever_leaves_the_trial_unscored(tmp_path: Path) -> None:
    log, server = run(lambda request, count: error(500, "broken"), tmp_path, flag_max_retries=0)

    outcome, cause, is_graded = ending_of(log)
    assert (outcome, is_graded) == ("infra_failed", False)
    assert cause.startswith("provider: InternalServerError")
    assert len(server.requests) % TRIES == 0
    assert log.status == "error"
    assert cause in str(sample_of(log).error)


def test_a_refused_key_leaves_the_trial_unscored(tmp_path: Path) -> None:
    log, _ = run(lambda request, count: error(401, "no such key"), tmp_path)

    assert ending_of(log)[0] == "infra_failed"
    assert "AuthenticationError" in ending_of(log)[1]


@pytest.mark.fault("provider-fails")
def test_a_server_that_hangs_leaves_the_trial_unscored(tmp_path: Path) -> None:
    began = time.monotonic()
    log, server = run(lambda request, count: Reply(wait_sec=4), tmp_path, flag_max_retries=0, flag_attempt_timeout=1)

    assert ending_of(log)[0] == "infra_failed"
    assert ending_of(log)[1].startswith("provider: ")
    assert len(server.requests) % TRIES == 0
    assert time.monotonic() - began < 60


def test_a_reply_that_breaks_off_leaves_the_trial_unscored(tmp_path: Path) -> None:
    def cut(request: dict[str, Any], count: int) -> Reply:
        reply = answer("a long answer")
        reply.cut_after = 40
        return reply

    log, _ = run(cut, tmp_path, flag_max_retries=0)

    assert ending_of(log)[0] == "infra_failed"


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": None}])
def test_a_reply_without_choices_leaves_the_trial_unscored(tmp_path: Path, body: dict[str, Any]) -> None:
    log, _ = run(
        lambda request, count: Reply(body=answer("x").body | {"choices": []} | body), tmp_path, flag_max_retries=0
    )

    assert ending_of(log)[0] == "infra_failed"


def test_empty_replies_end_the_work(tmp_path: Path) -> None:
    log, server = run(lambda request, count: answer(""), tmp_path)

    assert ending_of(log) == ("scored", "", True)
    assert len(server.requests) == 2


def test_malformed_arguments_are_told_and_in_a_row_the_agents_failure(tmp_path: Path) -> None:
    log, _ = run(lambda request, count: answer(calls=[("read", '{"path": ')]), tmp_path)

    assert ending_of(log)[0] == "agent_failed"
    assert "rror parsing" in told(log)


def test_arguments_cut_by_length_are_told_and_the_work_goes_on(tmp_path: Path) -> None:
    def reply(request: dict[str, Any], count: int) -> Reply:
        return (
            answer(calls=[("write", '{"path": "a", "content": "abc')], finish="length") if count < 7 else answer("done")
        )

    log, _ = run(reply, tmp_path)

    assert ending_of(log) == ("scored", "", True)
    assert "none of its calls was run" in told(log)


@pytest.mark.parametrize(
    "overflow",
    [
        error(400, "This model's maximum context length is 4096 tokens.", "context_length_exceeded"),
        error(400, "prompt is too long: 212 tokens > 200 maximum"),
        error(413, "the request exceeds the available context size"),
    ],
)
def test_a_conversation_that_never_fits_is_the_agents_limit(tmp_path: Path, overflow: Reply) -> None:
    log, _ = run(lambda request, count: overflow, tmp_path)

    assert ending_of(log) == ("scored", "limit: context", True)


@pytest.mark.fault("context-overflow")
def test_a_conversation_that_fits_after_shortening_goes_on(tmp_path: Path) -> None:
    def reply(request: dict[str, Any], count: int) -> Reply:
        if len(json.dumps(request["messages"])) > 40_000:
            return error(400, "maximum context length exceeded", "context_length_exceeded")
        if "cut for length" in str(request["messages"][-1]["content"]):
            return answer("a note")
        return answer(calls=[("exec", '{"command": "seq 1500"}')]) if count < 30 else answer("done")

    log, _ = run(reply, tmp_path)

    assert ending_of(log) == ("scored", "", True)
    assert any(event.event == "compaction" for event in sample_of(log).events)


def test_a_request_that_the_provider_refuses_is_no_limit_of_the_agent(tmp_path: Path) -> None:
    log, _ = run(lambda request, count: error(400, "unknown parameter: tools"), tmp_path)

    assert ending_of(log)[0] == "infra_failed"


def test_the_preflight_sends_the_real_tools_and_marks_the_run(tmp_path: Path) -> None:
    log, server = run(lambda request, count: answer("I cannot."), tmp_path, preflight=True)

    names = [tool["function"]["name"] for tool in server.requests[0]["tools"]]
    assert names == ["read", "write", "edit", "apply_patch", "exec", "process"]
    assert server.requests[1]["tools"] == server.requests[0]["tools"]
    assert log.eval.metadata is not None
    assert log.eval.metadata["run"]["preflight"]["suspect"] is True
