"""What a program asks of the model: the body of a chat completion request."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import anyio
from inspect_ai.model import ChatMessage, ContentText, messages_from_openai
from inspect_ai.tool import ToolChoice, ToolFunction, ToolInfo, ToolParams

from clawgym_bench.nested import extent
from clawgym_bench.surrogates import without_surrogates

MAX_BODY_BYTES = 8 << 20
MAX_DEPTH = 200
"""Of nested lists and objects in a body: the log could not hold deeper ones."""
MAX_VALUES = 100_000
"""In a body: OpenClaw's have some ten a message. Whoever sends more would have the harness busy for seconds."""
MAX_MESSAGES = 4_000
"""In a body; a trial has a hundred turns."""
_TEXT = ("text", "reasoning")


class BadRequest(Exception):  # noqa: N818 - names an answer of HTTP
    """The body is not a request that can be served; the message goes back to whoever asked."""


@dataclass(frozen=True)
class ChatRequest:
    """One request. The model that it names and its sampling parameters are not taken over: they belong to the run."""

    messages: list[ChatMessage]
    tools: list[ToolInfo]
    tool_choice: ToolChoice | None
    stream: bool
    tools_text: str = ""
    """The tools as they were sent: what a log has to hold of them."""


async def parse_request(body: bytes) -> ChatRequest:
    """Read a request.

    Raises:
        BadRequest: it is none.
    """
    try:
        # in a thread: the other trials go on meanwhile
        data, tools_text = await anyio.to_thread.run_sync(_read, body)
        tools = [_tool(tool) for tool in data.get("tools") or []]
        return ChatRequest(
            messages=[_with_text_only(message) for message in await messages_from_openai(data["messages"])],
            tools=tools,
            tool_choice=_choice(data.get("tool_choice"), tools),
            stream=data.get("stream") is True,
            tools_text=tools_text,
        )
    except BadRequest:
        raise
    except RecursionError as error:
        raise BadRequest("nested too deep") from error
    except Exception as error:  # whatever an agent's program sends: Inspect's reader and pydantic raise many kinds
        raise BadRequest(f"{type(error).__name__}: {error}"[:2000]) from error


def _read(body: bytes) -> tuple[dict[str, Any], str]:
    data = json.loads(body)
    if not isinstance(data, dict) or not isinstance(data.get("messages"), list) or not data["messages"]:
        raise BadRequest("expected an object with a list `messages`")
    found = extent(data)
    if found.depth > MAX_DEPTH:
        raise BadRequest(f"nested more than {MAX_DEPTH} deep")
    if found.values > MAX_VALUES or len(data["messages"]) > MAX_MESSAGES:
        raise BadRequest(f"more than {MAX_MESSAGES} messages or {MAX_VALUES} values")
    data = without_surrogates(data)
    for message in data["messages"]:
        # Inspect's reader takes a wordless call, its result and the words of the next answer for one answer in pieces
        if isinstance(message, dict) and message.get("tool_calls") and message.get("content") is None:
            message["content"] = ""
    return data, json.dumps(data.get("tools") or [])


def _with_text_only(message: ChatMessage) -> ChatMessage:
    """A provider may refuse images, sound or files, and then the whole conversation."""
    if isinstance(message.content, str) or all(part.type in _TEXT for part in message.content):
        return message
    parts = [part if part.type in _TEXT else ContentText(text=f"[{part.type}: not shown]") for part in message.content]
    return message.model_copy(update={"content": parts})


def _tool(tool: dict[str, Any]) -> ToolInfo:
    function = tool["function"]
    given = function.get("parameters") or {}
    parameters = ToolParams.model_validate({**given, "type": "object", "properties": given.get("properties") or {}})
    return ToolInfo(name=function["name"], description=function.get("description") or "", parameters=parameters)


def _choice(choice: Any, tools: Sequence[ToolInfo]) -> ToolChoice | None:  # noqa: ANN401 - any JSON value
    if choice is None or choice == "auto":
        return None
    if choice == "none":
        return "none"
    if choice == "required":
        return "any"
    name = choice["function"]["name"]
    if name not in {tool.name for tool in tools}:
        raise BadRequest("tool_choice names none of the tools")
    return ToolFunction(name=name)
