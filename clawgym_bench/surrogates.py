"""Halves of characters (lone surrogates): JSON can name them, no UTF-8 file can hold them, so that no log could be written."""

from dataclasses import replace
from typing import Any

from inspect_ai.model import ModelOutput
from inspect_ai.tool import ToolCall

_TEXTS = {"text": ("text",), "reasoning": ("reasoning", "summary")}
"""Fields with what a model wrote, by the type of content."""
HALF_CHARACTER = "the arguments hold half of a character (a lone surrogate), which no text can hold; nothing was run"


def without_surrogates(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """The same JSON value with every half of a character as its escape."""
    if isinstance(value, dict):
        return {without_surrogates(name): without_surrogates(member) for name, member in value.items()}
    if isinstance(value, list):
        return [without_surrogates(member) for member in value]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def mended_call(call: ToolCall) -> ToolCall:
    """The call, or where it holds half of a character one that is malformed and can be logged."""
    given = [call.id, call.function, call.arguments]
    written = without_surrogates(given)
    if written == given:
        return call
    name, function, arguments = written
    return replace(
        call, id=name, function=function, arguments=arguments, parse_error=call.parse_error or HALF_CHARACTER
    )


def mend_output(output: ModelOutput) -> None:
    """Mend a model's answer in place: Inspect's record of the call holds the same object."""
    for choice in output.choices:
        message = choice.message
        if isinstance(message.content, str):
            message.content = without_surrogates(message.content)
        else:
            for part in message.content:
                for name in _TEXTS.get(part.type, ()):
                    setattr(part, name, without_surrogates(getattr(part, name)))
        if message.tool_calls:
            message.tool_calls = [mended_call(call) for call in message.tool_calls]
