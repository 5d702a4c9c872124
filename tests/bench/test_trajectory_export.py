"""Exports: JSON lines that read back as they were, Harbor's format, OpenAI's chat format."""

import json
import string
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inspect_ai.model import ChatMessageUser
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from clawgym_bench.cli import app
from clawgym_bench.trajectory import (
    AssistantEvent,
    ContextRewriteEvent,
    Conversation,
    EnvironmentEvent,
    Run,
    SystemEvent,
    ToolCall,
    ToolEvent,
    Trajectory,
    UnknownEvent,
    Usage,
    UserEvent,
)
from clawgym_bench.trajectory.atif import atif_document
from clawgym_bench.trajectory.chat import chat_rows
from clawgym_bench.trajectory.events import Failure, Tokens
from clawgym_bench.trajectory.jsonl import read_jsonl, write_jsonl
from clawgym_data.errors import SpecError
from tests.bench.calls import SYSTEM, TASK, Recorder, asks, result, says
from tests.bench.logs import sample, verdict, write_log

SCHEMA = json.loads((Path(__file__).parent / "atif-1.7.schema.json").read_text("utf-8"))

texts = st.text(max_size=20)
names = st.text(string.ascii_lowercase, max_size=5)
numbers = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(texts, json_values, max_size=3)
tuples_of_names = st.lists(names, max_size=3).map(tuple)
common = {"id": names, "attempt": st.integers(1, 3), "at_sec": st.none() | numbers}
said = common | {
    "conversation": names,
    "digest": names,
    "content": texts,
    "parts": st.none() | st.lists(json_values, max_size=2).map(tuple),
}
calls = st.lists(st.builds(ToolCall, id=texts, name=texts, arguments=objects), max_size=2).map(tuple)
usages = st.builds(Usage, input_tokens=st.integers(0), cost_usd=st.none() | numbers)
tokens = st.builds(
    Tokens,
    ids=st.none() | st.lists(st.integers(), max_size=3).map(tuple),
    logprobs=st.none() | st.lists(numbers, max_size=3).map(tuple),
)
events = st.one_of(
    st.builds(SystemEvent, **said),
    st.builds(UserEvent, **said),
    st.builds(
        AssistantEvent,
        **said,
        origin=st.sampled_from(["model", "input", "record"]),
        reasoning=st.none() | texts,
        calls=calls,
        error=st.none() | texts,
        conditioned_on=tuples_of_names,
        sampling=objects,
        usage=st.none() | usages,
        tokens=st.none() | tokens,
    ),
    st.builds(
        ToolEvent,
        **said,
        call_id=texts,
        name=st.none() | texts,
        error=st.none() | st.builds(Failure, type=texts, message=texts),
        seen=st.booleans(),
    ),
    st.builds(
        ContextRewriteEvent,
        **common,
        conversation=names,
        before=st.none() | names,
        dropped=tuples_of_names,
        replaced=st.lists(st.tuples(names, names), max_size=2).map(tuple),
    ),
    st.builds(EnvironmentEvent, **common, what=names, source=st.none() | texts, data=json_values),
    st.builds(UnknownEvent, **common, type=texts, data=json_values),
)
trajectories = st.builds(
    Trajectory,
    task=texts,
    task_digest=texts,
    epoch=st.integers(1),
    uuid=texts,
    solver=texts,
    model=texts,
    run=st.builds(Run, log=texts, id=texts, created=texts, version=texts, sandbox=texts, limits=objects),
    instruction=texts,
    outcome=texts,
    cause=texts,
    score=st.none() | numbers,
    passed=st.none() | st.booleans(),
    verdict=st.none() | st.just(verdict("t", 0.5, gate=1)),
    workspace=st.none() | objects,
    usage_by_model=st.dictionaries(names, usages, max_size=2),
    conversations=st.lists(
        st.builds(Conversation, id=names, tools=st.lists(objects, max_size=1).map(tuple)), max_size=2
    ).map(tuple),
    events=st.lists(events, max_size=4).map(tuple),
)


@given(st.lists(trajectories, max_size=3))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_back_as_it_was(tmp_path: Path, written: list[Trajectory]) -> None:
    path = tmp_path / "t.jsonl"
    assert write_jsonl(path, written) == len(written)
    assert list(read_jsonl(path)) == written


def test_values_that_no_file_holds_are_mended_where_they_enter(tmp_path: Path) -> None:
    deep: Any = []
    for _ in range(400):
        deep = [deep]
    call = ToolCall(id="c", name="x", arguments={"a\ud800": ["\udcff"], "n": float("nan"), "deep": deep})
    assert call.arguments["a\\ud800"] == ["\\udcff"]
    assert call.arguments["n"] == "nan"
    assert ToolCall.model_validate_json(call.model_dump_json()) == call
    assert json.dumps(call.arguments["deep"]).count("[") == 401


def test_a_line_that_is_no_trajectory_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write_jsonl(path, [worked().trajectory()])
    later = json.loads(path.read_text()) | {"schema_version": 2}
    path.write_text(path.read_text() + json.dumps(later) + "\n")
    with pytest.raises(SpecError, match=r"line 2.*schema_version.*version 1"):
        list(read_jsonl(path))


def worked() -> Recorder:
    """A failed and a repeated first try, a sub-agent, reasoning, an error of a tool, a rewrite."""
    log = Recorder()
    log.call([SYSTEM, TASK], None)
    log.note("clawgym", {"try": 1, "failed": "provider: gone"})
    task = "Count the takings of the second of May."
    said = log.call([SYSTEM, TASK], asks(("a", "read", {"path": "x"}), ("s", "sessions_spawn", {"task": task})))
    sub = log.call([ChatMessageUser(content=task)], asks(("x", "read", {"path": "x"})))
    log.call([*sub, result("x", "12")], says("12"))
    said = log.call([*said, result("a", "y" * 50), result("s", "12")], asks(("b", "exec", {"command": "ls"})))
    short = [*said[:3], result("a", "y..."), *said[4:], result("b", "z")]
    log.call(short, says("done"))
    return log


def test_a_document_of_harbors_format_is_valid_and_linked() -> None:
    document = atif_document(worked().trajectory())

    assert document is not None
    assert not list(Draft202012Validator(SCHEMA).iter_errors(document))
    assert [step["source"] for step in document["steps"]] == ["system", "user", "agent", "agent", "system", "agent"]
    assert [step["step_id"] for step in document["steps"]] == [1, 2, 3, 4, 5, 6]
    first = document["steps"][2]
    assert [call["function_name"] for call in first["tool_calls"]] == ["read", "sessions_spawn"]
    assert [told["content"] for told in first["observation"]["results"]] == ["y" * 50, "12"]
    [sub] = document["subagent_trajectories"]
    assert first["observation"]["results"][1]["subagent_trajectory_ref"] == [{"trajectory_id": sub["trajectory_id"]}]
    assert document["steps"][4]["extra"]["replaced"]
    assert "1 earlier tries" in document["notes"]


def test_harbors_own_models_take_the_document() -> None:
    trajectories = pytest.importorskip("harbor.models.trajectories", reason="Harbor is no dependency")
    document = atif_document(worked().trajectory())
    assert trajectories.Trajectory.model_validate(document).steps


def test_chat_rows_are_branches_whose_fresh_answers_cover_each_answer_once() -> None:
    found = worked().trajectory()

    rows = list(chat_rows(found))

    main = [row for row in rows if row["depth"] == 0 and row["graded"]]
    assert [row["branch"] for row in main] == [0, 1]
    assert [[message["role"] for message in row["messages"]] for row in main] == [
        ["system", "user", "assistant", "tool", "tool", "assistant"],
        ["system", "user", "assistant", "tool", "tool", "assistant", "tool", "assistant"],
    ]
    assert [(row["own"], row["fresh"], row["last"]) for row in main] == [
        ([2, 5], [2, 5], False),
        ([2, 5, 7], [7], True),
    ]
    assert main[1]["messages"][3]["content"] == "y..."
    own = [answer for answer in found.answers() if answer.error is None]
    assert sum(len(row["fresh"]) for row in rows) == len(own)
    call = main[0]["messages"][2]["tool_calls"][0]
    assert (call["id"], call["function"]) == ("a", {"name": "read", "arguments": '{"path": "x"}'})


def export(log: Path, form: str, out: Path) -> list[Path]:
    done = CliRunner().invoke(app, ["export", str(log), "--format", form, "--out", str(out)])
    assert done.exit_code == 0, done.output
    return sorted(out.iterdir())


def logged(folder: Path) -> Path:
    """Two trials of the worked calls as a log."""
    trials: list[Any] = [
        sample("stall", epoch=number, result=verdict("stall", 1.0), events=worked().events) for number in (1, 2)
    ]
    return write_log(folder / "some.eval", trials, ["stall"], epochs=2)


def test_the_command_writes_each_format(tmp_path: Path) -> None:
    log = logged(tmp_path)

    [lines] = export(log, "jsonl", tmp_path / "jsonl")
    assert lines.name == "some.jsonl"
    assert [(found.epoch, found.score, len(found.events)) for found in read_jsonl(lines)] == [(1, 1, 18), (2, 1, 18)]
    documents = export(log, "atif", tmp_path / "atif")
    assert [path.name for path in documents] == [f"some.stall.{number}.atif.json" for number in (1, 2)]
    [chat] = export(log, "chat", tmp_path / "chat")
    assert chat.name == "some.chat.jsonl"
    rows = [json.loads(line) for line in chat.read_text("utf-8").splitlines()]
    assert [row["epoch"] for row in rows] == [1, 1, 1, 2, 2, 2]


def test_datasets_take_the_chat_rows_without_mixing_arguments(tmp_path: Path) -> None:
    [chat] = export(logged(tmp_path), "chat", tmp_path / "chat")

    table = load_dataset("json", data_files=str(chat), split="train", cache_dir=str(tmp_path / "cache"))

    first = table[0]["messages"][2]["tool_calls"]
    assert json.loads(first[0]["function"]["arguments"]) == {"path": "x"}
