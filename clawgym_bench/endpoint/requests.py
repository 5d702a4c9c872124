"""What a program asks of the model: the body of a chat completion request."""

import json
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import ChatMessage, ContentText, messages_from_openai
from inspect_ai.tool import ToolChoice, ToolFunction, ToolInfo, ToolParams

from clawgym_bench.surrogates import without_surrogates

MAX_BODY_BYTES = 16 << 20
_TEXT = ("text", "reasoning")
MAX_DEPTH = 200
"""Of nested lists and objects in a body: the log could not hold deeper ones."""


class BadRequest(Exception):  # noqa: N818 - names an answer of HTTP
    """The body is not a request that can be served; the message goes back to whoever asked."""


@dataclass(frozen=True)
class ChatRequest:
    """One request. The model that it names and its sampling parameters are not taken over: they belong to the run."""

    messages: list[ChatMessage]
    tools: list[ToolInfo]
    tool_choice: ToolChoice | None
    stream: bool


async def parse_request(body: bytes) -> ChatRequest:
    """Read a request.

    Raises:
        BadRequest: it is none.
    """
    try:
        data = without_surrogates(json.loads(body))
        if not isinstance(data, dict) or not isinstance(data.get("messages"), list) or not data["messages"]:
            raise BadRequest("expected an object with a list `messages`")
        if _depth(data) > MAX_DEPTH:
            raise BadRequest(f"nested more than {MAX_DEPTH} deep")
        return ChatRequest(
            messages=[_with_text_only(message) for message in await messages_from_openai(data["messages"])],
            tools=[_tool(tool) for tool in data.get("tools") or []],
            tool_choice=_choice(data.get("tool_choice")),
            stream=data.get("stream") is True,
        )
    except BadRequest:
        raise
    except RecursionError as error:
        raise BadRequest("nested too deep") from error
    except Exception as error:  # whatever an agent's program sends: Inspect's reader and pydantic raise many kinds
        raise BadRequest(f"{type(error).__name__}: {error}"[:2000]) from error


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


def _choice(choice: Any) -> ToolChoice | None:  # noqa: ANN401 - any JSON value
    if choice is None or choice == "auto":
        return None
    if choice == "none":
        return "none"
    if choice == "required":
        return "any"
    return ToolFunction(name=choice["function"]["name"])


def _depth(value: Any) -> int:  # noqa: ANN401 - any JSON value
    deepest, level = 0, [value]
    while level:
        deepest += 1
        level = [
            member
            for outer in level
            for member in (outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ())
        ]
    return deepest
