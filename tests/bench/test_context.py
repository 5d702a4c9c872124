import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall

from clawgym_bench.claw.context import (
    DROPPED_HEAD,
    FULL,
    KEPT_OUTPUTS,
    KEPT_TURNS,
    SUMMARY_HEAD,
    ContextWindow,
    estimate_tokens,
    shorten_outputs,
    split_turns,
)
from tests.bench.scripted import NAME, scripted_model


def conversation(turns: int, chars: int) -> list[ChatMessage]:
    messages: list[ChatMessage] = [ChatMessageSystem(content="system"), ChatMessageUser(content="the task")]
    for number in range(turns):
        call = ToolCall(id=str(number), function="exec", arguments={"command": f"number {number}"})
        messages.append(ChatMessageAssistant(content="", tool_calls=[call]))
        messages.append(ChatMessageTool(content=str(number) * chars, tool_call_id=str(number), function="exec"))
    return messages


def test_old_outputs_are_shortened_first_and_only_as_many_as_needed() -> None:
    messages = conversation(9, 10_000)
    shorter = shorten_outputs(messages, 4000)

    sizes = [len(message.text) for message in shorter if message.role == "tool"]
    assert [size < 500 for size in sizes] == [True, True] + [False] * 7
    assert shorter[3].text.startswith("0" * 200)
    assert "9600 characters removed" in shorter[3].text
    assert len(messages[3].text) == 10_000
    all_old = shorten_outputs(messages, 10**6)
    assert sum(len(message.text) > 500 for message in all_old if message.role == "tool") == KEPT_OUTPUTS


def test_turns_are_split_whole() -> None:
    head, older, newest = split_turns(conversation(8, 10))

    assert [message.role for message in head] == ["system", "user"]
    assert len(newest) == 2 * KEPT_TURNS
    assert (older[0].role, newest[0].role) == ("assistant", "assistant")
    assert split_turns(conversation(2, 10))[1] == []


def test_the_providers_count_goes_before_the_estimate() -> None:
    window = ContextWindow(1000, fixed_tokens=100)
    messages = conversation(2, 10)
    assert window.tokens(messages) == 100 + estimate_tokens(messages)

    output = ModelOutput.from_content(NAME, "x")
    output.usage = ModelUsage(input_tokens=300, input_tokens_cache_read=400, output_tokens=20, total_tokens=720)
    window.count(messages, output)
    assert window.tokens(messages) == 720
    more = [*messages, ChatMessageUser(content="x" * 350)]
    assert window.tokens(more) == 720 + estimate_tokens(more[-1:])
    assert window.is_full(more)
    output.usage = None
    window.count(more, output)
    assert window.counted_messages == len(messages)


@pytest.mark.asyncio
async def test_a_summary_takes_the_place_of_older_turns() -> None:
    window = ContextWindow(4000, fixed_tokens=0)
    messages = conversation(30, 700)
    shorter = await window.compact(messages, scripted_model(lambda messages, number: "the note"))

    assert shorter[2].text == SUMMARY_HEAD + "the note"
    assert shorter[3:] == messages[-2 * KEPT_TURNS :]
    assert window.tokens(shorter) < FULL * window.window_tokens


@pytest.mark.asyncio
@pytest.mark.parametrize("reason", ["content_filter", "model_length"])
async def test_older_turns_go_also_where_no_note_can_be_written(reason: str) -> None:
    window = ContextWindow(4000, fixed_tokens=0)
    output = ModelOutput.from_content(NAME, "no", stop_reason=reason)  # type: ignore[arg-type]
    shorter = await window.compact(conversation(30, 700), scripted_model(lambda messages, number: output))

    assert shorter[2].text == DROPPED_HEAD


@pytest.mark.asyncio
async def test_outputs_larger_than_the_window_are_shortened_whatever_their_age() -> None:
    window = ContextWindow(3000, fixed_tokens=0)
    shorter = await window.compact(conversation(1, 40_000), scripted_model(["never asked"]))

    assert window.tokens(shorter) < FULL * window.window_tokens
    assert [message.role for message in shorter] == ["system", "user", "assistant", "tool"]
