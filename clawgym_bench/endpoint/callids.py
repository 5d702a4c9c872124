"""Ids of calls as clients keep them: OpenClaw sends an id back without what is no letter or digit, and a repeated one altered."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ModelOutput

_PLAIN = re.compile(r"[A-Za-z0-9]{1,40}")


class CallIds:
    """Tells the client ids that it leaves as they are, and puts the model's own in their place in what comes back."""

    def __init__(self) -> None:
        self._models: dict[str, str] = {}

    @property
    def renamed(self) -> dict[str, str]:
        """Id that the client was told -> the model's own, where the two differ."""
        return {told: own for told, own in self._models.items() if told != own}

    def told(self, output: ModelOutput) -> ModelOutput:
        """An answer as the client is told it."""
        if not output.message.tool_calls:
            return output
        calls = [replace(call, id=self._name(call.id)) for call in output.message.tool_calls]
        message = output.message.model_copy(update={"tool_calls": calls})
        choice = output.choices[0].model_copy(update={"message": message})
        return output.model_copy(update={"choices": [choice, *output.choices[1:]]})

    def own(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        """What a client sent, with the model's ids."""
        return [self._with_own(message) for message in messages]

    def _name(self, own: str) -> str:
        name = own
        if not _PLAIN.fullmatch(own) or own in self._models:
            name = f"call{len(self._models)}x{hashlib.sha256(own.encode('utf-8', 'replace')).hexdigest()[:16]}"
        self._models[name] = own
        return name

    def _with_own(self, message: ChatMessage) -> ChatMessage:
        known = self._models
        if isinstance(message, ChatMessageTool) and message.tool_call_id in known:
            return message.model_copy(update={"tool_call_id": known[message.tool_call_id]})
        if isinstance(message, ChatMessageAssistant) and any(call.id in known for call in message.tool_calls or []):
            calls = [replace(call, id=known.get(call.id, call.id)) for call in message.tool_calls or []]
            return message.model_copy(update={"tool_calls": calls})
        return message
