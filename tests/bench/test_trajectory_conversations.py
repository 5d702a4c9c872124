"""Which model calls belong together, from calls alone as a black box leaves them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.event import CompactionEvent, ModelEvent
from inspect_ai.event._base import BaseEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
)
from inspect_ai.model._model_output import Logprob, Logprobs
from inspect_ai.tool import ToolInfo

from clawgym_bench.trajectory import AssistantEvent, Trajectory, UnknownEvent, segments, trajectory_of
from clawgym_bench.trajectory.branches import branches
from tests.bench.calls import SYSTEM, TASK, Recorder, asks, header, result, says


def shape(found: Trajectory) -> list[tuple[str, int, str | None, str]]:
    return [(talk.id, talk.depth, talk.parent, talk.started_by) for talk in found.conversations]


def answered(found: Trajectory) -> list[tuple[str, list[str]]]:
    """Conversation and input of each answer, by the texts."""
    return [
        (answer.conversation, [message.content for message in found.messages(answer)]) for answer in found.answers()
    ]


def test_results_of_a_black_box_come_from_the_next_calls_input() -> None:
    log = Recorder()
    said = log.call([SYSTEM, TASK], asks(("a", "read", {"path": "x"}), ("b", "exec", {"command": "ls"})))
    log.call([*said, result("a", "of a"), result("b", "of b")], says("done"))

    found = log.trajectory()

    assert [event.kind for event in found.events] == ["system", "user", "assistant", "tool", "tool", "assistant"]
    first = next(found.answers())
    assert [(tool.call_id, tool.name, tool.content, tool.seconds) for tool in found.results(first)] == [
        ("a", "read", "of a", None),
        ("b", "exec", "of b", None),
    ]
    assert [part.continues for part in segments(found)] == [None, first.id]


def test_interleaved_conversations_are_kept_apart() -> None:
    log = Recorder()
    main = log.call([SYSTEM, TASK], asks(("a", "exec", {"command": "python3 ask.py"})))
    one = log.call([ChatMessageUser(content="Translate one.")], says("eins"))
    two = log.call([ChatMessageUser(content="Translate two.")], says("zwei"))
    one = log.call([*one, ChatMessageUser(content="And in French?")], says("un"))
    log.call([*two, ChatMessageUser(content="And in French?")], says("deux"))
    log.call([*main, result("a", "eins zwei")], says("done"))

    found = log.trajectory()

    assert shape(found) == [
        ("c0", 0, None, "trial"),
        ("c1", 1, "c0", "unknown"),
        ("c2", 1, "c0", "unknown"),
    ]
    assert [answer for answer, _ in answered(found)] == ["c0", "c1", "c2", "c1", "c2", "c0"]
    assert answered(found)[4][1] == ["Translate two.", "zwei", "And in French?"]
    assert not [event for event in found.events if event.kind == "context_rewrite"]


def test_equal_conversations_side_by_side_are_told_apart_by_the_ids_of_their_calls() -> None:
    log = Recorder()
    question: list[ChatMessage] = [ChatMessageUser(content="What is in the file?")]
    one = log.call(question, asks(("one", "read", {"path": "x"})))
    two = log.call(question, asks(("two", "read", {"path": "x"})))
    log.call([*one, result("one", "same")], says("first"))
    log.call([*two, result("two", "same")], says("second"))

    found = log.trajectory()

    assert [talk.id for talk in found.conversations] == ["c0", "c1"]
    first, second = (list(found.answers(name)) for name in ("c0", "c1"))
    assert [answer.content for answer in first + second] == ["", "first", "", "second"]


def test_a_sub_agent_is_linked_to_the_call_that_told_it_what_to_do() -> None:
    log = Recorder()
    task = "Count the takings of the second of May and report the sum."
    main = log.call([SYSTEM, TASK], asks(("s", "sessions_spawn", {"task": task})))
    sub: list[ChatMessage] = [ChatMessageUser(content=f"[Subagent Context] You are a subagent.\n\nTask: {task}")]
    sub = log.call(sub, asks(("x", "read", {"path": "sales"})))
    log.call([*sub, result("x", "12")], says("The sum is 12."))
    log.call([*main, result("s", "The sum is 12.")], says("done"))

    found = log.trajectory()

    assert shape(found) == [("c0", 0, None, "trial"), ("c1", 1, "c0", "call")]
    assert found.conversations[1].call_id == "s"
    assert found.conversations[1].answer == next(found.answers("c0")).id


def quoting(log: Recorder, count: int) -> list[ChatMessage]:
    """A conversation of a program that quotes the instruction, so many answers long."""
    said: list[ChatMessage] = [ChatMessageSystem(content="You help."), ChatMessageUser(content=f"He asks: {TASK.text}")]
    for number in range(count):
        said = [*log.call(said, says(f"part {number}")), ChatMessageUser(content=f"More: {number}")]
    return said


@pytest.mark.parametrize("is_last", [False, True])
def test_a_program_that_quotes_the_instruction_is_not_the_agent(is_last: bool) -> None:
    log = Recorder()
    main = log.call([SYSTEM, TASK], asks(("a", "exec", {"command": "python3 ask.py"})))
    quoting(log, 5)
    if not is_last:
        log.call([*main, result("a", "all parts")], says("done"))

    found = log.trajectory()

    assert shape(found) == [("c0", 0, None, "trial"), ("c1", 1, "c0", "unknown")]
    assert found.main is not None
    assert found.main.id == "c0"


def test_a_program_that_quotes_the_instruction_is_not_the_agent_whose_own_words_differ() -> None:
    log = Recorder()
    own = log.call([SYSTEM, ChatMessageUser(content="Work.")], asks(("a", "exec", {"command": "python3 ask.py"})))
    quoting(log, 5)
    log.call([*own, result("a", "all parts")], says("done"))

    assert shape(log.trajectory()) == [("c0", 0, None, "trial"), ("c1", 1, "c0", "unknown")]


def test_a_sub_agent_that_is_told_the_whole_instruction_is_not_the_agent() -> None:
    log = Recorder()
    main = log.call([SYSTEM, TASK], asks(("s", "sessions_spawn", {"task": TASK.text})))
    quoting(log, 3)
    log.call([*main, result("s", "all parts")], says("done"))

    assert shape(log.trajectory()) == [("c0", 0, None, "trial"), ("c1", 1, "c0", "call")]


def test_a_conversation_begun_anew_on_a_summary_stays_the_agents() -> None:
    log = Recorder()
    offered = [ToolInfo(name="exec", description="Run a command.")]
    log.call([SYSTEM, TASK], asks(("a", "exec", {"command": "ls"})), tools=offered)
    quoting(log, 1)
    summary = ChatMessageUser(content=f"[Summary] The task: {TASK.text} So far: ls was run.")
    said = log.call(
        [ChatMessageSystem(content="Later."), summary], asks(("b", "exec", {"command": "pwd"})), tools=offered
    )
    log.call([*said, result("b", "/")], says("done"), tools=offered)

    found = log.trajectory()

    assert [(talk.id, talk.depth) for talk in found.conversations] == [("c0", 0), ("c1", 1), ("c2", 0)]
    assert found.main is not None
    assert found.main.id == "c2"


def test_what_the_harness_asks_before_the_first_call_is_the_agents() -> None:
    log = Recorder()
    log.call([ChatMessageSystem(content="Find a title."), TASK], says("Growers"))
    main = log.call([SYSTEM, TASK], asks(("a", "exec", {"command": "ls"})))
    log.call([*main, result("a", "x")], says("done"))

    found = log.trajectory()

    assert [talk.depth for talk in found.conversations] == [0, 0]
    assert found.main is not None
    assert found.main.id == "c1"


def test_an_agent_as_a_tool_is_known_by_its_span() -> None:
    log = Recorder()
    log.begin("solvers", "solvers")
    main = log.call([SYSTEM, TASK], asks(("t", "helper", {})), span_id="solvers")
    log.begin("helper", "tool", parent="solvers")
    log.tool("t", "helper", "12", span_id="solvers")
    inner = log.begin("inner", "agent", parent="helper")
    log.call([ChatMessageUser(content="Sum up.")], says("12"), span_id=inner)
    log.end("helper")
    log.call([*main, result("t", "12")], says("done"), span_id="solvers")

    assert shape(log.trajectory()) == [("c0", 0, None, "trial"), ("c1", 1, "c0", "span")]


def test_a_summary_in_the_place_of_all_that_was_said_goes_on_with_the_conversation() -> None:
    log = Recorder()
    said = log.call([SYSTEM, TASK], asks(("a", "exec", {"command": "ls"})))
    said = log.call([*said, result("a", "rules.txt")], asks(("b", "exec", {"command": "cat rules.txt"})))
    log.call([SYSTEM, TASK, ChatMessageUser(content="[Summary] rules were read")], says("done"))

    found = log.trajectory()

    assert len(found.conversations) == 1
    [rewrite] = [event for event in found.events if event.kind == "context_rewrite"]
    assert len(rewrite.dropped) == 3
    assert [part.continues is None for part in segments(found)] == [True, False, True]


def test_a_harness_that_says_it_compacted_goes_on_with_its_conversation() -> None:
    log = Recorder()
    log.call([SYSTEM, TASK], asks(("a", "exec", {"command": "ls"})))
    log.add(CompactionEvent(type="summary", source="some"))
    log.call([ChatMessageUser(content="All that came before in one note.")], says("done"))

    found = log.trajectory()

    assert len(found.conversations) == 1
    assert [event.kind for event in found.events].count("context_rewrite") == 1


def test_dropped_reasoning_is_noted_once_and_is_no_other_conversation() -> None:
    log = Recorder()
    thought = ChatMessageAssistant(
        content=[ContentReasoning(reasoning="list first"), ContentText(text="I look.")],
        tool_calls=asks(("a", "exec", {"command": "ls"})).tool_calls,
    )
    log.call([SYSTEM, TASK], thought)
    bare = asks(("a", "exec", {"command": "ls"}), text="I look.")
    said = log.call([SYSTEM, TASK, bare, result("a", "x")], asks(("b", "exec", {"command": "pwd"})))
    log.call([*said, result("b", "/")], says("done"))

    found = log.trajectory()

    first = next(found.answers())
    assert (first.reasoning, first.content, first.parts) == ("list first", "I look.", None)
    assert len(found.conversations) == 1
    rewrites = [event for event in found.events if event.kind == "context_rewrite"]
    assert [rewrite.reasoning_dropped for rewrite in rewrites] == [(first.id,)]


def test_a_failed_call_and_its_retry_are_one_conversation() -> None:
    log = Recorder()
    log.call([SYSTEM, TASK], None)
    log.call([SYSTEM, TASK], says("done"))

    found = log.trajectory()

    assert [answer.error for answer in found.answers()] == ["the provider failed", None]
    assert len(found.conversations) == 1
    assert len(segments(found)) == 1


def test_calls_of_the_judge_and_of_the_preflight_are_no_answers_of_the_agent() -> None:
    log = Recorder()
    log.begin("solvers", "solvers")
    log.begin("preflight", "preflight", parent="solvers")
    log.call([ChatMessageUser(content="Read hello.txt")], says("no"), span_id="preflight")
    log.call([SYSTEM, TASK], says("done"), span_id="solvers")
    log.begin("scorers", "scorers")
    log.begin("verdict", "scorer", parent="scorers")
    log.call([ChatMessageUser(content="Is the note friendly?")], says("yes"), span_id="verdict", role="judge")

    found = log.trajectory()

    assert [answer.content for answer in found.answers()] == ["done"]
    around = [event for event in found.events if event.kind == "environment"]
    assert [event.what for event in around] == ["preflight", "judge"]
    assert "friendly" in str(around[1].data)


class Later(BaseEvent):
    """Of a later version of Inspect."""

    event: str = "later"
    news: dict[str, float] = {"x": float("nan")}


def test_a_record_of_an_unknown_type_is_kept_whole() -> None:
    log = Recorder()
    log.call([SYSTEM, TASK], says("done"))
    sample = EvalSample(id="stall", epoch=1, input=TASK.text, target="", events=log.events)
    sample.events.append(Later())  # type: ignore[arg-type]

    found = trajectory_of(header(), sample)

    kept = found.events[-1]
    assert isinstance(kept, UnknownEvent)
    assert kept.type == "later"
    assert isinstance(kept.data, dict)
    assert kept.data["news"] == {"x": "nan"}
    assert Trajectory.model_validate_json(found.model_dump_json()) == found


def test_tokens_are_kept_where_the_provider_tells_them() -> None:
    log = Recorder()
    log.call([SYSTEM, TASK], says("done"))
    event = log.events[0]
    assert isinstance(event, ModelEvent)
    said = [Logprob(token="token_id:11", logprob=-0.5), Logprob(token="token_id:7", logprob=-0.25)]
    event.output.choices[0].logprobs = Logprobs(content=said)

    [answer] = log.trajectory().answers()

    assert isinstance(answer, AssistantEvent)
    assert answer.tokens is not None
    assert (answer.tokens.ids, answer.tokens.logprobs, answer.tokens.prompt_ids) == ((11, 7), (-0.5, -0.25), None)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[list[ChatMessage], ChatMessageAssistant | None]]:
    """Calls whose inputs grow from earlier ones, shortened, replaced, mixed and repeated in every way."""
    words = st.sampled_from(["a", "b", "c"])
    known: list[list[ChatMessage]] = [[SYSTEM, TASK]]
    calls: list[tuple[list[ChatMessage], ChatMessageAssistant | None]] = []
    for _ in range(draw(st.integers(1, 8))):
        inputs = list(draw(st.sampled_from(known)))
        for _ in range(draw(st.integers(0, 2))):
            place = draw(st.integers(0, len(inputs)))
            match draw(st.sampled_from(["drop", "user", "tool", "given", "cut"])):
                case "drop":
                    del inputs[place : place + 1]
                case "user":
                    inputs.insert(place, ChatMessageUser(content=draw(words)))
                case "tool":
                    inputs.append(result(draw(words), draw(words)))
                case "given":
                    inputs.insert(place, says(draw(words)))
                case _:
                    del inputs[place:]
        inputs = inputs or [TASK]
        answer = draw(
            st.none() | words.map(says) | st.tuples(words, words).map(lambda w: asks((w[0], "exec", {"command": w[1]})))
        )
        calls.append((inputs, answer))
        known.append([*inputs, answer] if answer else inputs)
    return calls


@given(histories())
@settings(max_examples=200, deadline=None)
def test_each_answer_is_conditioned_on_exactly_what_the_call_was_given(
    calls: list[tuple[list[ChatMessage], ChatMessageAssistant | None]],
) -> None:
    log = Recorder()
    for inputs, answer in calls:
        log.call(inputs, answer)

    found = log.trajectory()

    answers = list(found.answers())
    assert len(answers) == len(calls)
    assert len({event.id for event in found.events}) == len(found.events)
    for answer, (inputs, _) in zip(answers, calls, strict=True):
        given_to_it = [(message.kind, message.content) for message in found.messages(answer)]
        assert given_to_it == [(message.role, message.text) for message in inputs]
        places = [found.events.index(message) for message in found.messages(answer)]
        assert all(place < found.events.index(answer) for place in places)
    own = [answer.id for answer in answers if answer.error is None]
    fresh = [
        branch.messages[place].id
        for talk in found.conversations
        for branch in branches(found, talk)
        for place in branch.fresh
    ]
    assert sorted(fresh) == sorted(own)
