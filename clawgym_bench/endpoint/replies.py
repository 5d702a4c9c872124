"""What the model answered, as a chat completion in one piece or as a stream of chunks."""

import json
import re
import time
from collections.abc import Iterator
from typing import Any

from inspect_ai.model import ContentReasoning, ModelOutput, StopReason
from inspect_ai.tool import ToolCall

MODEL = "inspect"
"""The name under which the evaluated model is served, whichever it is."""
_FINISH: dict[StopReason, str] = {
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
}
_MALFORMED = re.compile(r"\AError parsing the following tool call arguments:\n\n(.*)\n\nError details: .*\Z", re.DOTALL)
"""How Inspect keeps the arguments that it could not read."""

Body = dict[str, Any]


def completion(output: ModelOutput, number: int) -> Body:
    """A whole answer."""
    choice = {"index": 0, "message": {"role": "assistant", **_message(output)}, "finish_reason": _finish(output)}
    return {**_head(number, "chat.completion"), "choices": [choice], "usage": _usage(output)}


def chunks(output: ModelOutput, number: int) -> Iterator[Body]:
    """The same answer as a stream: all of the message, how it ended, what it used."""
    head = _head(number, "chat.completion.chunk")
    delta = {"role": "assistant", **_message(output)}
    for place, call in enumerate(delta.get("tool_calls", [])):
        call["index"] = place
    yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": _finish(output)}]}
    yield {**head, "choices": [], "usage": _usage(output)}


def failure(message: str, kind: str = "invalid_request_error", code: str | None = None) -> Body:
    """An error as OpenAI words it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _head(number: int, kind: str) -> Body:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": int(time.time()), "model": MODEL}


def _message(output: ModelOutput) -> Body:
    message = output.message
    body: Body = {"content": message.text or None}
    reasoning = "\n".join(
        part.reasoning
        for part in (message.content if isinstance(message.content, list) else [])
        if isinstance(part, ContentReasoning) and not part.redacted
    )
    if reasoning:
        body["reasoning_content"] = reasoning
    if message.tool_calls:
        body["tool_calls"] = [_call(call) for call in message.tool_calls]
    return body


def _call(call: ToolCall) -> Body:
    return {"id": call.id, "type": "function", "function": {"name": call.function, "arguments": written(call)}}


def written(call: ToolCall) -> str:
    """The arguments as the model wrote them, also where they are no JSON."""
    if call.parse_error is None:
        return json.dumps(call.arguments, ensure_ascii=False)
    found = _MALFORMED.match(call.parse_error)
    return found[1] if found else json.dumps(call.arguments, ensure_ascii=False)


def _finish(output: ModelOutput) -> str:
    return (
        "tool_calls"
        if output.message.tool_calls and output.stop_reason == "stop"
        else _FINISH.get(output.stop_reason, "stop")
    )


def _usage(output: ModelOutput) -> Body:
    usage = output.usage
    if usage is None:
        return {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    cached = usage.input_tokens_cache_read or 0
    asked = usage.input_tokens + cached + (usage.input_tokens_cache_write or 0)
    return {
        "prompt_tokens": asked,
        "completion_tokens": usage.output_tokens,
        "total_tokens": asked + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
