"""Messages that came back: a program repeats the conversation in each request, without what only the provider knows."""

import hashlib
import json
from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool

from clawgym_bench.claw.context import text_size
from clawgym_bench.endpoint.replies import written

MESSAGE_CHARACTERS = 300
"""What a log holds of a message or a call beside its text."""


class MessageMemory:
    """Puts the same message object in the place of each message that was seen before after the same messages.

    A log then names each message once, and an answer of the model goes back to it as it came, with its reasoning and the
    provider's signatures, which no client keeps.
    """

    def __init__(self) -> None:
        self._known: dict[str, ChatMessage] = {}
        self._tools: set[str] = set()
        self.characters = 0
        """Of all messages and lists of tools that were new when they came, with what each costs in a log."""

    def recall(self, messages: Sequence[ChatMessage]) -> tuple[list[ChatMessage], str]:
        """The messages, those seen before replaced; and the mark of the conversation that they are."""
        recalled, mark = [], ""
        for message in messages:
            mark = _mark(mark, message)
            if mark not in self._known:
                self._known[mark] = message
                self.characters += _log_size(message)
            recalled.append(self._known[mark])
        return recalled, mark

    def note_tools(self, written: str) -> None:
        """Count a list of tools, once."""
        mark = hashlib.sha256(written.encode()).hexdigest()
        if mark not in self._tools:
            self._tools.add(mark)
            self.characters += len(written)

    def remember(self, mark: str, answer: ChatMessageAssistant) -> None:
        """Keep the model's answer to a conversation."""
        self._known[_mark(mark, answer)] = answer


def _log_size(message: ChatMessage) -> int:
    """Characters of a message in a log: a short one has its names, its id and its place in each later request."""
    size = MESSAGE_CHARACTERS + text_size(message)
    if isinstance(message.content, list):
        size += sum(len(part.reasoning) for part in message.content if part.type == "reasoning")
    if isinstance(message, ChatMessageTool):
        size += len(message.tool_call_id or "") + len(message.function or "")
    if isinstance(message, ChatMessageAssistant):
        size += sum(MESSAGE_CHARACTERS + len(call.id) for call in message.tool_calls or [])
    return size


def _mark(before: str, message: ChatMessage) -> str:
    said: list[object] = [before, message.role, message.text.strip()]
    if isinstance(message, ChatMessageAssistant):
        said += [[call.id, call.function, written(call)] for call in message.tool_calls or []]
    elif isinstance(message, ChatMessageTool):
        said.append(message.tool_call_id)
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode("utf-8", "replace")).hexdigest()
