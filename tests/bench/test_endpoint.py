"""The model endpoint inside a real sandbox, asked by programs that run there."""

import json
import os
import re
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from clawgym_bench.endings import AgentFailed, InfraFailed, LimitReached
from clawgym_bench.endpoint import Endpoint, ServedModel
from clawgym_bench.endpoint import served as served_module
from clawgym_bench.endpoint.relay import MAX_WAITING_BYTES, relayed_port
from clawgym_bench.endpoint.requests import BadRequest, ChatRequest, parse_request
from clawgym_bench.endpoint.served import TOO_LONG
from clawgym_bench.endpoint.server import MAX_CONNECTIONS, MAX_OPEN, TAKEN, Refusal
from clawgym_data.sandbox import Bubblewrap, SandboxConfig
from tests.bench.openai_server import Reply, error, openai_server
from tests.bench.openai_server import answer as reply_of
from tests.bench.scripted import NAME, output_of, scripted_model

PORT = 18790
CLIENT = """
import http.client, json, sys
asked = json.load(sys.stdin)
link = http.client.HTTPConnection("127.0.0.1", {port}, timeout=30)
link.request(asked.get("method", "POST"), asked.get("path", "/v1/chat/completions"), asked.get("raw") or json.dumps(asked["body"]))
answer = link.getresponse()
print(answer.status)
print(answer.read().decode())
""".replace("{port}", str(PORT))


def body(text: str = "hello", **more: Any) -> dict[str, Any]:
    return {"model": "gpt-anything", "messages": [{"role": "user", "content": text}], **more}


class Inside:
    """Programs in a sandbox with the port."""

    def __init__(self, sandbox: Bubblewrap, endpoint: Endpoint) -> None:
        self.sandbox, self.endpoint = sandbox, endpoint

    async def ask(self, asked: dict[str, Any]) -> tuple[int, str]:
        call = partial(self.sandbox.call, ["python3", "-c", CLIENT], input=json.dumps(asked).encode(), timeout_sec=40)
        done = await anyio.to_thread.run_sync(call)
        assert done.returncode == 0, done.stderr.decode()
        status, _, text = done.stdout.decode().partition("\n")
        return int(status), text

    async def chat(self, **more: Any) -> dict[str, Any]:
        status, text = await self.ask({"body": body(**more)})
        assert status == 200, text
        answer: dict[str, Any] = json.loads(text)
        return answer


@asynccontextmanager
async def served(answer: Any) -> AsyncIterator[Inside]:
    with Bubblewrap.start(SandboxConfig()) as sandbox, sandbox.listen(PORT) as listener:
        endpoint = Endpoint(answer)
        async with endpoint.serving(listener):
            yield Inside(sandbox, endpoint)


def model_that(step: Any) -> Model:
    return scripted_model([step] * 50)


@pytest.mark.asyncio
async def test_an_answer_in_one_piece() -> None:
    async with served(ServedModel(model_that("hello to you")).answer) as inside:
        answer = await inside.chat()
    assert answer["choices"] == [
        {"index": 0, "message": {"role": "assistant", "content": "hello to you"}, "finish_reason": "stop"}
    ]
    assert answer["usage"]["prompt_tokens"] == 100
    assert answer["usage"]["completion_tokens"] == 20


@pytest.mark.asyncio
async def test_a_stream_of_parallel_calls() -> None:
    calls = [("exec", {"command": "ls"}), ("read", {"path": "é"})]
    async with served(ServedModel(model_that(calls)).answer) as inside:
        status, text = await inside.ask({"body": body(stream=True)})
    events = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    assert status == 200
    assert events[-1] == "[DONE]"
    first, last, usage = (json.loads(event) for event in events[:-1])
    told = first["choices"][0]["delta"]["tool_calls"]
    assert [(call["index"], call["function"]["name"]) for call in told] == [(0, "exec"), (1, "read")]
    assert all(re.fullmatch("[A-Za-z0-9]{1,40}", call["id"]) for call in told), "as OpenClaw leaves them"
    assert [json.loads(call["function"]["arguments"]) for call in told] == [{"command": "ls"}, {"path": "é"}]
    assert last["choices"][0]["finish_reason"] == "tool_calls"
    assert usage["usage"]["total_tokens"] == 120


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"raw": "no json"}, 400),
        ({"raw": "[" * 100_000}, 400),
        ({"body": {"messages": []}}, 400),
        ({"body": {"messages": [{"role": "nobody", "content": "x"}]}}, 400),
        ({"body": {"messages": [{"role": "tool"}]}}, 400),
        ({"body": {"messages": "hello"}}, 400),
        ({"body": body(tools=[{"type": "function"}])}, 400),
        ({"body": body(tool_choice=[1])}, 400),
        ({"path": "/v1/embeddings", "body": {}}, 404),
        ({"method": "GET", "path": "/v1/models", "body": {}}, 200),
    ],
)
async def test_what_is_no_request_is_told_so_and_stops_nothing(asked: dict[str, Any], status: int) -> None:
    model = ServedModel(model_that("fine"))
    async with served(model.answer) as inside:
        assert (await inside.ask(asked))[0] == status
        assert model.calls == 0
        assert (await inside.chat())["choices"][0]["message"]["content"] == "fine"


@pytest.mark.asyncio
async def test_half_a_character_reaches_no_log() -> None:
    seen: list[ChatRequest] = []

    async def answer(request: ChatRequest) -> ModelOutput:
        seen.append(request)
        return output_of("fine")

    async with served(answer) as inside:
        await inside.ask({"raw": '{"messages": [{"role": "user", "content": "\\ud800 x"}]}'})
    assert seen[0].messages[0].text == "\\ud800 x"


@pytest.mark.asyncio
async def test_a_failure_behind_the_endpoint_ends_the_work_at_once() -> None:
    began = time.monotonic()

    async def answer(request: ChatRequest) -> ModelOutput:
        raise LimitReached("turn")

    with pytest.raises(LimitReached):
        async with served(answer) as inside:
            await inside.ask({"body": body()})
    assert time.monotonic() - began < 30


@pytest.mark.asyncio
async def test_a_conversation_that_is_too_long_is_an_error_the_client_knows() -> None:
    async def answer(request: ChatRequest) -> Refusal:
        return TOO_LONG

    async with served(answer) as inside:
        for stream in (False, True):
            status, text = await inside.ask({"body": body(stream=stream)})
            assert status == 400
            assert json.loads(text)["error"]["code"] == "context_length_exceeded"


async def ask_and_leave(inside: Inside) -> None:
    sent = json.dumps(body()).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(sent)}\r\n\r\n".encode()
    program = f"import socket, time; s = socket.create_connection(('127.0.0.1', {PORT})); s.sendall({head + sent!r}); time.sleep(0.5)"
    done = await anyio.to_thread.run_sync(partial(inside.sandbox.call, ["python3", "-c", program]))
    assert done.returncode == 0, done.stderr


@pytest.mark.asyncio
async def test_a_call_goes_on_and_counts_although_its_client_leaves() -> None:
    left, ended = anyio.Event(), anyio.Event()

    async def answer(request: ChatRequest) -> ModelOutput:
        await left.wait()
        ended.set()
        return output_of("too late")

    async with served(answer) as inside:
        await ask_and_leave(inside)
        assert (inside.endpoint.open, inside.endpoint.served) == (1, 0)
        left.set()
        with anyio.fail_after(10):
            await ended.wait()
    assert (inside.endpoint.open, inside.endpoint.served) == (0, 1)


@pytest.mark.asyncio
async def test_what_is_under_way_at_the_end_is_ended() -> None:
    async def answer(request: ChatRequest) -> ModelOutput:
        await anyio.sleep_forever()
        raise AssertionError

    async with served(answer) as inside:
        await ask_and_leave(inside)
        assert inside.endpoint.open == 1
    assert inside.endpoint.open == 0


@pytest.mark.asyncio
async def test_nothing_inside_can_take_the_port_away() -> None:
    async with served(ServedModel(model_that("still here")).answer) as inside:
        await anyio.to_thread.run_sync(partial(inside.sandbox.call, ["sh", "-c", "kill -9 -1"]))
        taken = await anyio.to_thread.run_sync(
            partial(
                inside.sandbox.call,
                ["python3", "-c", f"import socket; s = socket.socket(); s.bind(('127.0.0.1', {PORT}))"],
            )
        )
        assert b"Address already in use" in taken.stderr
        assert (await inside.chat())["choices"][0]["message"]["content"] == "still here"


@pytest.mark.asyncio
async def test_eight_trials_at_once_have_a_port_each() -> None:
    async def one(number: int) -> None:
        async with served(ServedModel(model_that(f"trial {number}")).answer) as inside:
            for _ in range(5):
                assert (await inside.chat())["choices"][0]["message"]["content"] == f"trial {number}"

    async with anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(one, number)


@pytest.mark.asyncio
async def test_the_answer_goes_back_with_its_reasoning() -> None:
    asked: list[list[Any]] = []
    thought = ContentReasoning(reasoning="let me look", signature="s1")

    def reply(messages: list[Any], tools: list[ToolInfo], choice: ToolChoice, config: Any) -> ModelOutput:
        asked.append(messages)
        call = ToolCall(id="c0", function="exec", arguments={"command": "ls"})
        message = ChatMessageAssistant(content=[thought, ContentText(text="looking")], tool_calls=[call])
        output = ModelOutput.from_message(message)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = ServedModel(get_model(NAME, custom_outputs=reply, memoize=False))
    async with served(model.answer) as inside:
        first = (await inside.chat())["choices"][0]["message"]
        assert first["reasoning_content"] == "let me look"
        del first["reasoning_content"]
        result = {"role": "tool", "tool_call_id": "c0", "content": "a.txt"}
        await inside.ask({"body": {"messages": [{"role": "user", "content": "hello"}, first, result]}})
    again = asked[1]
    assert again[0].id == asked[0][0].id
    assert again[1].content[0] == thought
    assert [message.role for message in model.conversation] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.asyncio
async def test_a_call_keeps_the_models_id_whatever_a_client_makes_of_it() -> None:
    """OpenClaw sends ids back without what is no letter or digit, and repeated ones altered."""
    calls = [ToolCall(id=own, function="exec", arguments={}) for own in ("call_1", "call_1", "plain")]
    seen: list[list[ChatMessage]] = []

    def script(messages: list[ChatMessage], number: int) -> ModelOutput:
        seen.append(messages)
        return output_of(
            ModelOutput.from_message(
                ChatMessageAssistant(content=[ContentReasoning(reasoning="why")], tool_calls=list(calls))
            )
        )

    model = ServedModel(scripted_model(script))
    first = await model.answer(await parse_request(json.dumps(body()).encode()))
    assert isinstance(first, ModelOutput)
    told = [call.id for call in first.message.tool_calls or []]
    assert len(set(told)) == 3
    assert set(model.call_ids.renamed.values()) == {"call_1"}
    assert all(re.fullmatch("[A-Za-z0-9]{1,40}", name) for name in told)
    back = [
        {"role": "user", "content": "hello"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": n, "type": "function", "function": {"name": "exec", "arguments": "{}"}} for n in told
            ],
        },
        *({"role": "tool", "tool_call_id": name, "content": name} for name in told),
    ]
    await model.answer(await parse_request(json.dumps({"messages": back}).encode()))
    answer = seen[-1][1]
    assert isinstance(answer, ChatMessageAssistant)
    assert [part.type for part in answer.content if not isinstance(part, str)] == ["reasoning"]
    assert [call.id for call in answer.tool_calls or []] == ["call_1", "call_1", "plain"]
    assert [m.tool_call_id for m in seen[-1] if isinstance(m, ChatMessageTool)] == ["call_1", "call_1", "plain"]


@pytest.mark.asyncio
async def test_words_after_a_wordless_call_stay_where_they_were_said() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "exec", "arguments": "{}"}}
    said = [
        {"role": "user", "content": "work"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "result"},
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "and then?"},
    ]
    request = await parse_request(json.dumps({"messages": said}).encode())
    assert [(m.role, m.text) for m in request.messages] == [(m["role"], m["content"] or "") for m in said]


@pytest.mark.asyncio
async def test_arguments_that_are_no_json_arrive_as_they_were_written() -> None:
    raw = '{"command": "ls'
    message = f"Error parsing the following tool call arguments:\n\n{raw}\n\nError details: Unterminated string"
    call = ToolCall(id="c0", function="exec", arguments={}, parse_error=message)
    output = output_of(ModelOutput.from_message(ChatMessageAssistant(content="", tool_calls=[call])))
    model = ServedModel(model_that(output))
    async with served(model.answer) as inside:
        told = (await inside.chat())["choices"][0]["message"]["tool_calls"][0]
    assert told["function"]["arguments"] == raw


@pytest.mark.asyncio
async def test_five_malformed_turns_in_a_row_are_a_failed_agent() -> None:
    call = ToolCall(id="c0", function="exec", arguments={}, parse_error="bad")
    output = output_of(ModelOutput.from_message(ChatMessageAssistant(content="", tool_calls=[call])))
    model = ServedModel(model_that(output))
    request = await parse_request(json.dumps(body()).encode())
    for _ in range(4):
        await model.answer(request)
    with pytest.raises(AgentFailed, match="malformed calls in 5 turns"):
        await model.answer(request)


@pytest.mark.asyncio
async def test_a_program_of_the_agent_is_counted_and_is_not_the_conversation() -> None:
    model = ServedModel(model_that("yes"))
    main = {"messages": [{"role": "system", "content": "You are Claw."}, {"role": "user", "content": "work"}]}
    await model.answer(await parse_request(json.dumps(main).encode()))
    await model.answer(await parse_request(json.dumps(body("translate this")).encode()))
    assert model.calls == 2
    assert [message.text for message in model.conversation] == ["You are Claw.", "work", "yes"]


@pytest.mark.asyncio
async def test_schemas_of_tools_are_read_as_openclaw_writes_them() -> None:
    parameters = {"properties": {"path": {"anyOf": [{"type": "string"}, {"const": 1}], "description": "where"}}}
    tools = [{"type": "function", "function": {"name": "read", "parameters": parameters, "strict": False}}]
    request = await parse_request(json.dumps(body(tools=tools, tool_choice="required")).encode())
    assert request.tools[0].parameters.properties["path"].description == "where"
    assert request.tool_choice == "any"
    with pytest.raises(BadRequest):
        await parse_request(b"{}")
    choice = {"type": "function", "function": {"name": "x" * 100_000}}
    with pytest.raises(BadRequest, match="tool_choice names none of the tools"):
        await parse_request(json.dumps(body(tools=tools, tool_choice=choice)).encode())


# what programs of a hostile agent send

FLOOD = 300
MUST_CLOSE = FLOOD - MAX_CONNECTIONS - 2 * TAKEN
"""Of so many connections that a flood opens."""


def refused_by_provider(request: dict[str, Any], count: int) -> Reply:
    told = json.dumps(request)
    if "poison" in told:
        return error(500 if "broken" in told else 400, "cannot be rendered")
    return reply_of(calls=[("exec", "{}")]) if "work" in told else reply_of("yes")


@pytest.mark.asyncio
@pytest.mark.parametrize("poison", ["poison", "broken poison"])
async def test_a_request_that_no_provider_would_take_is_the_agents_and_not_the_providers(poison: str) -> None:
    with openai_server(refused_by_provider) as provider:
        config = GenerateConfig(max_retries=0)
        real = get_model("openai-api/loopback/m", base_url=provider.url, api_key="none", memoize=False, config=config)
        model = ServedModel(real)
        async with served(model.answer) as inside:
            assert (await inside.ask({"body": body("work")}))[0] == 200
            status, text = await inside.ask({"body": body(poison)})
            assert status == 502
            assert "cannot be rendered" in text
            assert (await inside.ask({"body": body("go on")}))[0] == 200


@pytest.mark.asyncio
async def test_before_any_tool_was_called_a_refusal_is_the_providers() -> None:
    with openai_server(lambda request, count: error(400, "unknown parameter")) as provider:
        model = ServedModel(get_model("openai-api/loopback/m", base_url=provider.url, api_key="none", memoize=False))
        with pytest.raises(InfraFailed, match="unknown parameter"):
            await model.answer(await parse_request(json.dumps(body()).encode()))


@pytest.mark.asyncio
async def test_a_provider_that_breaks_later_is_told_apart_by_a_question_of_our_own() -> None:
    def reply(request: dict[str, Any], count: int) -> Reply:
        return reply_of(calls=[("exec", "{}")]) if count == 0 else error(500, "gone")

    with openai_server(reply) as provider:
        config = GenerateConfig(max_retries=0)
        model = ServedModel(
            get_model("openai-api/loopback/m", base_url=provider.url, api_key="none", memoize=False, config=config)
        )
        request = await parse_request(json.dumps(body("work")).encode())
        await model.answer(request)
        with pytest.raises(InfraFailed, match="gone"):
            await model.answer(request)


@pytest.mark.asyncio
async def test_images_and_sound_are_named_and_not_sent() -> None:
    parts = [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
    ]
    request = await parse_request(json.dumps({"messages": [{"role": "user", "content": parts}]}).encode())
    assert request.messages[0].text.split("\n") == ["look", "[image: not shown]", "[audio: not shown]"]


@pytest.mark.asyncio
async def test_what_a_trial_may_send_in_all_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served_module, "MAX_CHARACTERS", 1000)
    model = ServedModel(model_that("yes"))
    for text, is_answered in (("a" * 600, True), ("a" * 600, True), ("b" * 600, False)):
        given = await model.answer(await parse_request(json.dumps(body(text)).encode()))
        assert isinstance(given, ModelOutput) == is_answered


def tool_named(name: str, description: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": {}}}


@pytest.mark.asyncio
async def test_tools_and_short_messages_count_to_what_a_trial_may_send(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served_module, "MAX_CHARACTERS", 4000)

    async def is_answered(model: ServedModel, asked: dict[str, Any]) -> bool:
        return isinstance(await model.answer(await parse_request(json.dumps(asked).encode())), ModelOutput)

    model = ServedModel(model_that("yes"))
    tools = [tool_named("a", "x" * 2000)]
    assert await is_answered(model, body(tools=tools))
    assert await is_answered(model, body(tools=tools)), "the same list counts once"
    assert not await is_answered(model, body(tools=[tool_named("a", "y" * 2000)]))
    model = ServedModel(model_that("yes"))
    assert not await is_answered(model, {"messages": [{"role": "user", "content": "a"}] * 20})


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "asked",
    [
        body(tools=[[[]] * 100_000]),
        {"messages": [{"role": "user", "content": "a"}] * 4001},
        body(metadata={str(number): number for number in range(100_000)}),
    ],
)
async def test_a_body_of_countless_values_is_refused_before_it_is_read_further(asked: dict[str, Any]) -> None:
    with pytest.raises(BadRequest, match="more than 4000 messages or 100000 values"):
        await parse_request(json.dumps(asked).encode())


@pytest.mark.asyncio
async def test_the_relay_of_a_container_holds_no_more_than_a_body(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The relay's program runs on this host, in the place of a container."""
    (tmp_path / "docker").write_text('#!/bin/sh\nshift 5\nexec "$@"\n')
    (tmp_path / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = f"""
import socket
def begun(length):
    link = socket.create_connection(("127.0.0.1", {port}))
    link.sendall(b"POST /v1/chat/completions HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: %d\\r\\n\\r\\n{{" % length)
    return link
held = [begun(100) for _ in range({MAX_OPEN})]
link, sent = begun(1 << 40), 0
link.settimeout(20)
try:
    while sent < 200 << 20:
        sent += link.send(b"x" * (1 << 20))
except OSError:
    pass
print(sent)
"""

    async def answer(request: ChatRequest) -> ModelOutput:
        raise AssertionError("no request is whole")

    async with relayed_port("none", port) as listener, Endpoint(answer).serving(listener):
        done = await anyio.run_process([sys.executable, "-c", program])
    assert int(done.stdout) <= 2 * MAX_WAITING_BYTES


@pytest.mark.asyncio
async def test_countless_connections_take_nothing_from_the_harness() -> None:
    program = f"""
import socket, time
held = []
for _ in range({FLOOD}):
    held.append(socket.create_connection(("127.0.0.1", {PORT})))
ended, deadline = set(), time.monotonic() + 30
for link in held:
    link.setblocking(False)
while len(ended) < {MUST_CLOSE} and time.monotonic() < deadline:
    time.sleep(0.1)
    for link in set(held) - ended:
        try:
            ended |= {{link}} if link.recv(1) == b"" else set()
        except BlockingIOError:
            pass
        except OSError:
            ended.add(link)
print(len(ended))
time.sleep(2)
"""
    descriptors = 0

    async with served(ServedModel(model_that("yes")).answer) as inside:
        before = len(os.listdir("/proc/self/fd"))
        async with anyio.create_task_group() as group:

            async def flood() -> None:
                done = await anyio.to_thread.run_sync(partial(inside.sandbox.call, ["python3", "-c", program]))
                assert int(done.stdout) >= MUST_CLOSE, (done.stdout, done.stderr)
                group.cancel_scope.cancel()

            group.start_soon(flood)
            while True:
                descriptors = max(descriptors, len(os.listdir("/proc/self/fd")))
                await anyio.sleep(0.05)
    assert descriptors - before <= FLOOD - MUST_CLOSE + 10
