"""Messages that came back: a program repeats the conversation in each request, without what only the provider knows."""

import hashlib
import json
from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool

from clawgym_bench.claw.context import text_size
from clawgym_bench.endpoint.replies import written


class MessageMemory:
    """Puts the same message object in the place of each message that was seen before after the same messages.

    A log then names each message once, and an answer of the model goes back to it as it came, with its reasoning and the
    provider's signatures, which no client keeps.
    """

    def __init__(self) -> None:
        self._known: dict[str, ChatMessage] = {}
        self.characters = 0
        """Of all messages that were new when they came."""

    def recall(self, messages: Sequence[ChatMessage]) -> tuple[list[ChatMessage], str]:
        """The messages, those seen before replaced; and the mark of the conversation that they are."""
        recalled, mark = [], ""
        for message in messages:
            mark = _mark(mark, message)
            if mark not in self._known:
                self._known[mark] = message
                self.characters += text_size(message)
            recalled.append(self._known[mark])
        return recalled, mark

    def remember(self, mark: str, answer: ChatMessageAssistant) -> None:
        """Keep the model's answer to a conversation."""
        self._known[_mark(mark, answer)] = answer


def _mark(before: str, message: ChatMessage) -> str:
    said: list[object] = [before, message.role, message.text.strip()]
    if isinstance(message, ChatMessageAssistant):
        said += [[call.id, call.function, written(call)] for call in message.tool_calls or []]
    elif isinstance(message, ChatMessageTool):
        said.append(message.tool_call_id)
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode("utf-8", "replace")).hexdigest()
