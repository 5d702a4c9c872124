"""OpenClaw's session files beside Inspect's record of the same trial."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.model import ChatMessageUser

from clawgym_bench.openclaw.session import SOURCE
from clawgym_bench.trajectory import Comparison, Trajectory, compare, parse_session, sessions_of
from tests.bench.calls import SYSTEM, TASK, Recorder, asks, result, says

HEAD = [
    {"type": "session", "version": 4, "id": "trial", "cwd": "/root/.openclaw/workspace"},
    {"type": "model_change", "provider": "clawgym", "modelId": "inspect", "id": "a", "parentId": None},
    {"type": "brand_new", "data": {"x": 1}},
]


def message(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, "content": content, **fields}}


def answer(text: str = "", *calls: tuple[str, str, dict[str, Any]], stop: str = "stop") -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    parts += [{"type": "toolCall", "id": i, "name": name, "arguments": given} for i, name, given in calls]
    return message("assistant", parts, stopReason="toolUse" if calls else stop)


def tool_result(call_id: str, text: str) -> dict[str, Any]:
    return message("toolResult", [{"type": "text", "text": text}], toolCallId=call_id, toolName="exec", isError=False)


SESSION = [
    *HEAD,
    message("user", TASK.text),
    answer("", ("a", "exec", {"command": "ls"}), ("b", "read", {"path": "x"})),
    tool_result("a", "rules.txt"),
    tool_result("b", "of x"),
    answer("done"),
]


def lines(records: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(record) for record in records) + "\n"


def logged(records: list[dict[str, Any]], more: str = "", **data: Any) -> Trajectory:
    """The calls of `SESSION` in Inspect's record, with a session file as the solver leaves it."""
    log = Recorder()
    said = log.call([SYSTEM, TASK], asks(("a", "exec", {"command": "ls"}), ("b", "read", {"path": "x"})))
    log.call([*said, result("a", "rules.txt"), result("b", "of x")], says("done"))
    log.note(SOURCE, {"path": "main/sessions/trial.jsonl", "text": lines(records) + more, "truncated": False, **data})
    return log.trajectory()


def compared(found: Trajectory) -> Comparison:
    return compare(found, sessions_of(found))


def test_two_records_of_the_same_work_agree() -> None:
    found = logged(SESSION)

    told = compared(found)

    assert told.agrees
    assert (told.answers, told.answers_matched, told.results_matched) == (2, 2, 2)
    [session] = sessions_of(found)
    assert [record.type for record in session.records][:3] == ["session", "model_change", "brand_new"]
    assert session.records[2].data == HEAD[2]


@pytest.mark.parametrize(
    ("place", "record", "kind"),
    [
        (4, answer("", ("z", "exec", {"command": "ls"}), ("b", "read", {"path": "x"})), "call_id"),
        (4, answer("", ("a", "exec", {"command": "rm"}), ("b", "read", {"path": "x"})), "call_arguments"),
        (4, answer("", ("a", "run", {"command": "ls"}), ("b", "read", {"path": "x"})), "call_name"),
        (4, answer("I look.", ("a", "exec", {"command": "ls"}), ("b", "read", {"path": "x"})), "text"),
        (5, tool_result("a", "nothing here"), "result"),
        (7, answer("all done"), "text"),
    ],
)
def test_what_differs_is_named(place: int, record: dict[str, Any], kind: str) -> None:
    told = compared(logged([*SESSION[:place], record, *SESSION[place + 1 :]]))

    assert not told.agrees
    assert kind in told.counts
    assert told.answers_matched == 2
    assert all(difference.line is not None and difference.event is not None for difference in told.differences)


def test_what_is_missing_on_either_side_is_named() -> None:
    assert compared(logged(SESSION[:7])).counts == {"answer_missing_in_session": 1}
    assert compared(logged([*SESSION[:6], SESSION[7]])).counts == {"result_missing_in_session": 1}
    forged = [*SESSION, answer("", ("f", "exec", {"command": "forged"})), answer("more")]
    assert compared(logged(forged)).counts == {"answer_missing_in_log": 2}
    fewer = [*SESSION[:4], answer("", ("a", "exec", {"command": "ls"})), SESSION[5], SESSION[7]]
    assert compared(logged(fewer)).counts == {"call_missing_in_session": 1}


def test_calls_of_a_program_are_known_to_no_session_and_no_difference() -> None:
    log = Recorder()
    log.call([SYSTEM, TASK], says("done"))
    log.call([ChatMessageUser(content="Translate one.")], says("eins"))
    log.note(SOURCE, {"path": "t.jsonl", "text": lines([*HEAD, answer("done")]), "truncated": False})

    told = compared(log.trajectory())

    assert told.agrees
    assert len(told.unknown) == 1


def test_failed_calls_and_results_that_were_not_sent_are_counted() -> None:
    log = Recorder()
    log.call([SYSTEM, TASK], None)
    log.call([SYSTEM, TASK], asks(("a", "exec", {"command": "ls"})))
    records = [*HEAD, answer(stop="error"), answer("", ("a", "exec", {"command": "ls"})), tool_result("a", "x")]
    log.note(SOURCE, {"path": "t.jsonl", "text": lines(records), "truncated": False})

    told = compared(log.trajectory())

    assert told.agrees
    assert (told.failed, told.failed_in_sessions, told.results_not_sent) == (1, 1, 1)


def test_damaged_and_cut_files_are_told_and_break_nothing() -> None:
    found = logged(SESSION, more='{"type": "mess\n[1]\n' + "[" * 100_000 + "\n" + "1" * 5000 + "\n", truncated=True)

    told = compared(found)

    assert [line.line for line in told.damaged] == [9, 10, 11, 12]
    assert told.truncated == ("main/sessions/trial.jsonl",)
    assert not told.agrees
    assert told.answers_matched == 2


def test_a_session_that_could_not_be_read_is_no_agreement() -> None:
    log = Recorder()
    log.call([SYSTEM, TASK], says("done"))
    assert not compared(log.trajectory()).agrees
    log.note(SOURCE, {"path": "", "text": "", "truncated": True, "unread": "TimeoutError"})

    told = compared(log.trajectory())

    assert (told.unread, told.agrees) == (("TimeoutError",), False)


hostile = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "message", "role", "content", "id", "name", "arguments", "text", "toolCallId"])
            | st.text(max_size=3),
            inner | st.sampled_from(["message", "assistant", "toolResult", "toolCall", "text"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(hostile.map(json.dumps) | st.text(max_size=30), max_size=5))
@settings(max_examples=150, deadline=None)
def test_whatever_stands_in_a_file_breaks_nothing(written: list[str]) -> None:
    session = parse_session("s.jsonl", "\n".join(written))
    compare(logged(SESSION), session)
    assert len(session.records) + len(session.damaged) <= sum(line.count("\n") + 1 for line in written)
