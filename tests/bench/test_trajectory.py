"""Trajectories read from logs of real trials with a scripted model."""

import json
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage

from clawgym_bench.run_log import UnreadableLogError
from clawgym_bench.trajectory import AssistantEvent, ToolEvent, Trajectory, read_trajectories, segments
from tests.bench.logs import sample, write_log
from tests.bench.scripted import Step, evaluate, output_of
from tests.bench.test_claw_agent import SOLVING


def trajectory_of(log: EvalLog) -> Trajectory:
    [found] = read_trajectories(log.location)
    return found


def kinds(trajectory: Trajectory) -> list[str]:
    return [event.kind for event in trajectory.events]


def test_a_solved_trial_with_parallel_calls(tmp_path: Path) -> None:
    found = trajectory_of(evaluate(SOLVING, tmp_path))

    assert (found.task, found.outcome, found.score, found.passed) == ("stall-takings", "scored", 1, True)
    assert found.verdict is not None
    assert found.task_digest == found.verdict.task_digest
    assert (found.solver, found.model, found.run.sandbox) == ("claw_agent", "mockllm/model", "bubblewrap")
    assert found.usage_by_model["mockllm/model"].total_tokens == 6 * 120
    assert kinds(found)[:4] == ["system", "user", "assistant", "tool"]
    answers = list(found.answers())
    assert len(answers) == 6
    assert [call.name for call in answers[1].calls] == ["read", "read"]
    results = found.results(answers[1])
    assert [result.call_id for result in results] == ["call_0", "call_1"]
    assert "Commission" in results[0].content
    assert all(result.seconds is not None and result.seen for result in results)
    for before, answer in pairwise(answers):
        chain = (*before.conditioned_on, before.id, *(result.id for result in found.results(before)))
        assert answer.conditioned_on == chain
    assert len(found.conversations) == 1
    assert {tool["name"] for tool in found.conversations[0].tools} > {"read", "write", "exec"}
    assert Trajectory.model_validate_json(found.model_dump_json()) == found


def test_segments_hold_an_answer_and_its_results_in_the_order_of_the_calls(tmp_path: Path) -> None:
    found = trajectory_of(evaluate(SOLVING, tmp_path))

    parts = segments(found)
    assert [len(part.observations) for part in parts] == [1, 2, 1, 1, 1, 0]
    assert [part.continues for part in parts] == [None, *(part.action.id for part in parts[:-1])]
    assert [part.is_followed for part in parts] == [True] * 5 + [False]


def test_a_failure_of_the_provider_begins_another_try(tmp_path: Path) -> None:
    failures = [RuntimeError("boom")]

    def script(messages: list[ChatMessage], number: int) -> Step:
        return failures.pop() if number == 1 and failures else SOLVING[number]

    found = trajectory_of(evaluate(script, tmp_path))

    assert found.attempts == 2
    assert [(talk.id, talk.attempt, talk.depth) for talk in found.conversations] == [("c0", 1, 0), ("c1", 2, 0)]
    assert found.main is not None
    assert found.main.id == "c1"
    failed = [answer for answer in found.answers() if answer.error]
    assert [(answer.attempt, answer.error) for answer in failed] == [(1, "RuntimeError('boom')")]
    assert [len(segments(found, attempt=number)) for number in (1, 2)] == [1, 6]
    notes = [event for event in found.events if event.kind == "environment" and event.source == "clawgym"]
    assert [note.data["try"] for note in notes if isinstance(note.data, dict)] == [1]


def test_a_shortened_conversation_is_rewritten_message_by_message(tmp_path: Path) -> None:
    calls = 0

    def script(messages: list[ChatMessage], number: int) -> Step:
        nonlocal calls
        calls += 1
        if messages[-1].role == "user" and "cut for length" in messages[-1].text:
            return "NOTE: forty commands were to be run"
        return output_of(("exec", {"command": f"seq {calls} 1200"}), usage=(0, 0)) if calls < 30 else "done"

    found = trajectory_of(evaluate(script, tmp_path, context_tokens=20_000))

    assert len(found.conversations) == 1
    rewrites = [event for event in found.events if event.kind == "context_rewrite"]
    edited, summary = rewrites[0], next(event for event in rewrites if event.inserted)
    old, new = ([found.by_id[name] for name in names] for names in zip(*edited.replaced, strict=True))
    assert not edited.dropped
    for before, after in zip(old, new, strict=True):
        assert isinstance(before, ToolEvent)
        assert isinstance(after, ToolEvent)
        assert before.answers == after.answers
        assert len(after.content) < len(before.content)
        assert "characters removed for length" in after.content
    [note] = [found.by_id[name] for name in summary.inserted]
    assert note.kind == "user"
    assert "NOTE: forty commands" in note.content
    results = [found.results(answer) for answer in found.answers() if answer.calls]
    assert all("removed for length" not in result.content for [result] in results)
    new_rows = [part.action.id for part in segments(found) if part.continues is None]
    assert len(new_rows) > len(rewrites) // 2


def test_a_trial_without_a_model_has_the_recorded_calls(tmp_path: Path) -> None:
    recording = tmp_path / "calls.jsonl"
    calls = [("exec", {"command": "ls"}), ("read", {"path": "missing"})]
    recording.write_text("\n".join(json.dumps({"name": name, "arguments": given}) for name, given in calls))

    found = trajectory_of(evaluate([RuntimeError("no model")], tmp_path / "logs", replay=str(recording)))

    assert kinds(found)[:5] == ["user", "assistant", "tool", "assistant", "tool"]
    assert [answer.origin for answer in found.answers()] == ["record", "record"]
    failed = found.events[4]
    assert isinstance(failed, ToolEvent)
    assert failed.error is not None
    assert "No such file" in failed.error.message
    assert isinstance(found.events[3], AssistantEvent)
    assert failed.answers == found.events[3].id


def test_a_damaged_log_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.eval"
    path.write_bytes(b"PK\x03\x04 no log")
    with pytest.raises(UnreadableLogError, match="a whole evaluation log"):
        list(read_trajectories(path))


def test_a_log_is_read_one_trial_at_a_time(tmp_path: Path) -> None:
    whole = write_log(tmp_path / "whole.eval", [sample("t", epoch=number) for number in (1, 2)], ["t"], epochs=2)
    broken = tmp_path / "broken.eval"
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"no JSON" if name == "samples/t_epoch_2.json" else old.read(name))

    trials = read_trajectories(broken)

    assert next(trials).epoch == 1
    with pytest.raises(UnreadableLogError, match="a whole evaluation log"):
        next(trials)
    assert [found.epoch for found in read_trajectories(whole, "t", 2)] == [2]
    other = write_log(tmp_path / "whole.json", [sample("t", epoch=number) for number in (1, 2)], ["t"], epochs=2)
    assert [found.epoch for found in read_trajectories(other)] == [1, 2]
