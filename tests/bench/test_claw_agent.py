"""The agent's loop with a scripted model: each outcome, limits, replay, and a task solved by tool calls."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelCost,
    ModelInfo,
    ModelOutput,
)
from inspect_ai.model._model import init_active_model
from inspect_ai.model._model_info import clear_model_info_cache, set_model_info
from inspect_ai.util import sandbox

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.claw import toolset
from clawgym_bench.estimate import estimate
from clawgym_bench.limits import INFRA_RETRIES, Limits
from clawgym_bench.solvers.claw_agent import CALL_AS_TEXT, CUT_CALL, CUT_TEXT, GO_ON, MALFORMED_TURNS
from clawgym_bench.solvers.replay import read_recording
from clawgym_bench.workspace import WORKSPACE, bubblewrap_of
from clawgym_data.errors import SpecError
from tests.bench.scripted import NAME, Step, ending_of, evaluate, output_of, sample_of, scripted_model, told
from tests.conftest import FIXTURE_TASKS

SOLVE = (FIXTURE_TASKS / "stall-takings" / "solution" / "solve.py").read_text("utf-8")
SOLVING: list[Step] = [
    ("exec", {"command": "ls -R"}),
    [("read", {"path": "rules.txt"}), ("read", {"path": "sales/2026-05-02.csv"})],
    ("write", {"path": "/tmp/solve.py", "content": SOLVE}),
    ("exec", {"command": f"python3 /tmp/solve.py {WORKSPACE}"}),
    ("exec", {"command": "cat payout.csv note.md"}),
    "The growers' payouts are in payout.csv.",
]


def test_a_scripted_model_solves_the_task_by_tool_calls(tmp_path: Path) -> None:
    log = evaluate(SOLVING, tmp_path)

    assert ending_of(log) == ("scored", "", True)
    assert sample_of(log).scores["verdict"].as_float() == 1  # type: ignore[index]
    assert log.eval.metadata is not None
    assert log.eval.metadata["run"]["limits"]["standard"] is True
    assert "preflight" not in log.eval.metadata["run"]
    assert "grower,sold,payout" in told(log)
    assert WORKSPACE in sample_of(log).messages[0].text
    assert sample_of(log).output.completion.startswith("The growers")


def test_parallel_calls_run_in_their_order(tmp_path: Path) -> None:
    calls = [("exec", {"command": f"sleep 0.{3 - n}; echo {n} >> log"}) for n in range(3)]
    log = evaluate([calls, ("read", {"path": "log"})], tmp_path)

    assert "0\n1\n2\n" in told(log)


def test_a_model_that_thinks_aloud_is_heard(tmp_path: Path) -> None:
    thought = ContentReasoning(reasoning="the rules \ud800 first", summary="rules", signature="s")
    message = ChatMessageAssistant(content=[thought, ContentText(text="done")])
    log = evaluate([ModelOutput.from_message(message)], tmp_path)

    assert ending_of(log) == ("scored", "", True)
    said = sample_of(log).messages[-1].content[0]
    assert isinstance(said, ContentReasoning)
    assert (said.reasoning, said.summary, said.signature) == ("the rules \\ud800 first", "rules", "s")


def test_an_empty_answer_is_asked_about_once(tmp_path: Path) -> None:
    log = evaluate(["", ""], tmp_path)

    assert ending_of(log) == ("scored", "", True)
    assert told(log).count(GO_ON) == 1


def test_malformed_calls_in_a_row_are_the_agents_failure(tmp_path: Path) -> None:
    log = evaluate(lambda messages, number: ("nosuch" if number % 2 else "read", {"pfad": "x"}), tmp_path)

    outcome, cause, is_graded = ending_of(log)
    assert (outcome, is_graded) == ("agent_failed", True)
    assert cause.startswith(f"malformed calls in {MALFORMED_TURNS} turns in a row")


def test_a_good_call_between_malformed_ones_starts_the_count_again(tmp_path: Path) -> None:
    bad: list[Step] = [("nosuch", {})] * (MALFORMED_TURNS - 1)
    log = evaluate([*bad, ("exec", {"command": "true"}), *bad, "done"], tmp_path)

    assert ending_of(log) == ("scored", "", True)


def test_calls_that_arrive_as_text_are_malformed(tmp_path: Path) -> None:
    text = '<tool_call>\n{"name": "read", "arguments": {"path": "x"}}\n</tool_call>'
    log = evaluate(lambda messages, number: text, tmp_path)

    assert ending_of(log)[0] == "agent_failed"
    assert CALL_AS_TEXT in told(log)


def test_a_turn_cut_by_length_is_not_malformed(tmp_path: Path) -> None:
    cut_call = output_of(("write", {}), stop_reason="max_tokens")
    cut_call.message.tool_calls[0].parse_error = "no end of string"  # type: ignore[index]
    cut_text = ModelOutput.from_content(NAME, "I will now", stop_reason="max_tokens")
    log = evaluate([cut_call] * (MALFORMED_TURNS + 1) + [cut_text, "done"], tmp_path)

    assert ending_of(log) == ("scored", "", True)
    assert told(log).count(CUT_CALL) == MALFORMED_TURNS + 1
    assert CUT_TEXT in told(log)


@pytest.mark.fault("agent-escapes-its-zero")
def test_an_agent_that_exhausts_its_sandbox_has_failed(tmp_path: Path) -> None:
    def script(messages: list[ChatMessage], number: int) -> Step:
        bomb = "for i in $(seq 400); do sleep 90 & done; wait"
        return ("exec", {"command": "true"}) if number else ("exec", {"command": bomb, "yieldMs": 5000})

    outcome, cause, is_graded = ending_of(evaluate(script, tmp_path))

    assert (outcome, is_graded) == ("agent_failed", True)
    assert "exhausted its sandbox" in cause


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"turn_limit": 3}, "limit: turn"),
        ({"token_limit": 300}, "limit: token"),
        ({"working_limit": 1}, "limit: working"),
    ],
)
@pytest.mark.fault("limits-not-recorded")
def test_a_limit_of_its_own_ends_the_trial_and_it_is_graded(
    tmp_path: Path, arguments: dict[str, int], cause: str
) -> None:
    def script(messages: list[ChatMessage], number: int) -> Step:
        return ("exec", {"command": f"sleep 0.4; echo {number} > payout.csv"})

    began = time.monotonic()
    log = evaluate(script, tmp_path, **arguments)

    assert ending_of(log) == ("scored", cause, True)
    assert time.monotonic() - began < 60
    assert log.eval.metadata is not None
    limits = log.eval.metadata["run"]["limits"]
    assert limits["standard"] is False
    assert len(limits["not_standard_because"]) == 1
    assert limits["not_standard_because"][0].split()[0] in {"turns", "tokens", "working_sec"}


@pytest.mark.parametrize("turns", [1, 4])
def test_as_many_turns_as_the_limit_says_are_model_calls_and_no_more(tmp_path: Path, turns: int) -> None:
    asked = []

    def script(messages: list[ChatMessage], number: int) -> Step:
        asked.append(number)
        return ("exec", {"command": f"echo {number} >> turns; cat turns"})

    log = evaluate(script, tmp_path, turn_limit=turns)

    assert ending_of(log) == ("scored", "limit: turn", True)
    assert asked == list(range(turns))
    # the calls of the last turn are run
    assert sample_of(log).messages[-1].text.split() == [str(number) for number in asked]


def test_an_answer_in_the_last_turn_is_an_end_and_no_limit(tmp_path: Path) -> None:
    log = evaluate([("exec", {"command": "true"}), "done"], tmp_path, turn_limit=2)

    assert ending_of(log) == ("scored", "", True)


def test_the_working_limit_ends_a_command_that_hangs(tmp_path: Path) -> None:
    began = time.monotonic()
    log = evaluate([("exec", {"command": "sleep 300", "yieldMs": 120000})], tmp_path, working_limit=2)

    assert ending_of(log) == ("scored", "limit: working", True)
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    ("flag", "value", "cause"),
    [
        ("flag_message_limit", 6, "limit: message"),
        ("flag_token_limit", 300, "limit: token"),
        ("flag_turn_limit", 2, "limit: turn"),
        ("flag_time_limit", 12, "limit: time"),
        ("flag_working_limit", 4, "limit: working"),
    ],
)
@pytest.mark.fault("limits-not-recorded")
def test_limits_by_inspects_flags_hold_and_mark_the_run(tmp_path: Path, flag: str, value: int, cause: str) -> None:
    log = evaluate(lambda messages, number: ("exec", {"command": "sleep 0.4"}), tmp_path, **{flag: value})

    assert ending_of(log) == ("scored", cause, True)
    assert log.eval.metadata is not None
    limits = log.eval.metadata["run"]["limits"]
    name = flag.removeprefix("flag_").replace("_", "-")
    assert (limits["standard"], limits["not_standard_because"]) == (False, [f"--{name} {value}"])
    assert sample_of(log).metadata["inspect_flags"] == [f"--{name} {value}"]
    assert sample_of(log).limit is not None


@pytest.fixture
def priced_model() -> Iterator[None]:
    cost = ModelCost(input=1000, output=10000, input_cache_write=0, input_cache_read=0)
    set_model_info(NAME, ModelInfo(cost=cost))
    yield
    clear_model_info_cache()


@pytest.mark.usefixtures("priced_model")
def test_the_cost_of_a_trial_and_of_a_run_are_capped(tmp_path: Path) -> None:
    # 100 tokens in and 20 out cost 0.30 dollars a turn
    def script(messages: list[ChatMessage], number: int) -> Step:
        return ("exec", {"command": "sleep 0.3"})

    assert ending_of(evaluate(script, tmp_path / "trial", cost_limit=1)) == ("scored", "limit: cost", True)

    log = evaluate(script, tmp_path / "run", cost_limit=1, run_cost_limit=1.5, flag_epochs=3, flag_max_samples=1)
    endings = [(s.scores or {})["verdict"].metadata or {} for s in log.samples or []]
    assert [ending["outcome"] for ending in endings] == ["scored", "infra_failed", "infra_failed"]
    assert endings[2]["cause"] == "budget: the run's cost limit is reached"
    assert (log.samples or [])[2].model_usage == {}


@pytest.mark.usefixtures("priced_model")
def test_the_cost_is_told_before_the_run_where_the_price_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    model = scripted_model(["done"])
    init_active_model(model, GenerateConfig())
    clawgym_bench(tasks=str(FIXTURE_TASKS), run_cost_limit=4)

    # 250,000 tokens in at 1,000 a million and 8,000 out at 10,000
    told = " ".join(capsys.readouterr().err.split())
    assert "about $330.00 for 1 trials ($330.000 each" in told
    assert "at most $4.00 ($10.00 a trial; the run is stopped at $4.00)" in told
    clear_model_info_cache()
    assert estimate(model, 3, Limits()) is None


@pytest.mark.fault("provider-fails")
def test_a_failing_provider_is_tried_anew_in_a_fresh_sandbox_and_then_unscored(tmp_path: Path) -> None:
    def script(messages: list[ChatMessage], number: int) -> Step:
        if number == 0:
            return ("exec", {"command": "ls; echo mess > payout.csv"})
        return RuntimeError("boom")

    log = evaluate(script, tmp_path)

    assert ending_of(log) == ("infra_failed", "provider: RuntimeError: boom", False)
    assert sample_of(log).metadata["infra_retries"] == INFRA_RETRIES
    assert log.status == "error"
    listings = [e.result for e in sample_of(log).events if e.event == "tool"]
    assert listings == ["rules.txt\nsales"] * (INFRA_RETRIES + 1)


def test_a_failure_that_passes_leaves_a_scored_trial(tmp_path: Path) -> None:
    failures = [RuntimeError("boom")]

    def script(messages: list[ChatMessage], number: int) -> Step:
        return failures.pop() if number == 1 and failures else SOLVING[number]

    log = evaluate(script, tmp_path)

    assert ending_of(log) == ("scored", "", True)
    assert sample_of(log).scores["verdict"].as_float() == 1  # type: ignore[index]
    assert sample_of(log).metadata["infra_retries"] == 1


def test_a_sandbox_that_the_host_kills_is_replaced(tmp_path: Path) -> None:
    killed = []

    def script(messages: list[ChatMessage], number: int) -> Step:
        if number == 1 and not killed:
            own = bubblewrap_of(sandbox())
            assert own is not None
            killed.append(own.runner.pid)
            os.kill(own.runner._holder.pid, signal.SIGKILL)  # type: ignore[union-attr]
            time.sleep(0.3)
        return SOLVING[number]

    log = evaluate(script, tmp_path)

    assert killed
    assert ending_of(log) == ("scored", "", True)
    failed = [e.data for e in sample_of(log).events if e.event == "info" and e.source == "clawgym"]
    assert "its process was killed on the host" in str(failed)


@pytest.mark.fault("context-overflow")
def test_a_context_that_no_shortening_fits_is_the_agents_limit(tmp_path: Path) -> None:
    log = evaluate(lambda messages, number: ModelOutput.from_content(NAME, "", stop_reason="model_length"), tmp_path)

    assert ending_of(log) == ("scored", "limit: context", True)


def test_a_long_conversation_is_shortened_and_recorded(tmp_path: Path) -> None:
    longest = []

    def script(messages: list[ChatMessage], number: int) -> Step:
        longest.append(sum(len(message.text) for message in messages))
        if messages[-1].role == "user" and "cut for length" in messages[-1].text:
            return "NOTE: forty commands were to be run"
        done = sum("still to do" in message.text for message in messages)
        if len(longest) > 55:
            return f"done {done}"
        return output_of(("exec", {"command": "seq 1200"}), usage=(0, 0))

    log = evaluate(script, tmp_path, context_tokens=20_000)

    assert ending_of(log) == ("scored", "", True)
    assert max(longest) < 20_000 * 4
    kinds = [event.type for event in sample_of(log).events if event.event == "compaction"]
    assert kinds[0] == "edit"
    assert "summary" in kinds
    assert "NOTE: forty commands" in told(log)
    assert sample_of(log).messages[1].text.startswith("Our market stall")


def test_replay_plays_recorded_calls_without_a_model(tmp_path: Path) -> None:
    recording = tmp_path / "calls.jsonl"
    steps = [step for step in SOLVING if not isinstance(step, str)]
    calls = [call for step in steps for call in (step if isinstance(step, list) else [step])]
    lines = [json.dumps({"name": name, "arguments": given}) for name, given in calls]  # type: ignore[misc]
    lines += ["", json.dumps({"name": "exec", "arguments": {"command": "rm note.md"}, "task": "another"})]
    lines += [json.dumps({"name": "read", "arguments": {"path": "missing"}})]
    recording.write_text("\n".join(lines))
    log = evaluate([RuntimeError("no model is asked")], tmp_path / "logs", replay=str(recording))

    assert ending_of(log) == ("scored", "", True)
    assert sample_of(log).scores["verdict"].as_float() == 1  # type: ignore[index]
    assert "No such file" in told(log)
    assert sample_of(log).model_usage == {}


def test_a_recording_that_is_none_is_refused_with_its_line(tmp_path: Path) -> None:
    recording = tmp_path / "calls.jsonl"
    recording.write_text('{"name": "read"}\n{"nam": "read"}\n')
    with pytest.raises(SpecError, match="line 2"):
        read_recording(recording)
    with pytest.raises(SpecError, match="a file of JSON lines"):
        read_recording(tmp_path / "missing")


def test_the_preflight_marks_a_server_that_parses_no_calls(tmp_path: Path) -> None:
    text = '{"name": "read", "arguments": {"path": "hello.txt"}}'
    log = evaluate(
        lambda messages, number: text if "hello.txt" in messages[-1].text else "done", tmp_path, preflight=True
    )

    assert log.eval.metadata is not None
    assert log.eval.metadata["run"]["preflight"]["suspect"] is True
    assert "holds a tool call as text" in log.eval.metadata["run"]["preflight"]["finding"]
    assert ending_of(log)[0] == "scored"


def test_the_preflight_passes_a_server_that_parses_calls(tmp_path: Path) -> None:
    script = [("read", {"path": "hello.txt"})]
    log = evaluate(script, tmp_path, preflight=True, flag_epochs=3, turn_limit=2)

    assert log.eval.metadata is not None
    assert log.eval.metadata["run"]["preflight"] == {"suspect": False, "finding": "tool calls are parsed"}
    assert [len(s.messages) for s in log.samples or []] == [5, 5, 5]
    spans = [e for s in log.samples or [] for e in s.events if e.event == "span_begin" and e.name == "preflight"]
    assert len(spans) == 1


@pytest.mark.fault("provider-fails")
def test_a_fault_of_ours_is_no_score_of_the_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> str:
        raise KeyError("a fault in a tool")

    description, properties, required, _ = toolset.DECLARED["read"]
    monkeypatch.setitem(toolset.DECLARED, "read", (description, properties, required, broken))
    log = evaluate([("read", {"path": "x"})], tmp_path)

    assert ending_of(log) == ("infra_failed", "solver: KeyError: 'a fault in a tool'", False)
    assert any("traceback" in str(e.data) for e in sample_of(log).events if e.event == "info")
