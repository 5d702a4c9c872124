"""Tool calls that arrive as text, because the server did not parse them."""

import re
from collections.abc import Collection

_TAGS = re.compile(
    r"<tool_call>|<\|tool_call\|>|<\|tool_calls_section_begin\|>|\[TOOL_CALLS\]|<function=|<invoke name=|<\|python_tag\|>"
)
_OBJECT = re.compile(
    r'\{\s*"(?:name|function|tool)"\s*:\s*"(?P<name>[A-Za-z_]+)"\s*,\s*"(?:arguments|parameters|args)"\s*:'
)


def has_call_in_text(text: str, tools: Collection[str]) -> bool:
    """Whether an answer holds what a model writes to call one of the tools."""
    if _TAGS.search(text):
        return True
    return any(found["name"] in tools for found in _OBJECT.finditer(text))
