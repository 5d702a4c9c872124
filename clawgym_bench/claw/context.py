"""How much of a conversation a model can be given, and making it shorter where that is too much.

Tokens are estimated from the provider's own count of the last call and from characters: no tokenizer is ever fetched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.event import CompactionEvent
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model_info,
)
from inspect_ai.util import suspend_turn_limit

from clawgym_bench.modelcall import call_model

DEFAULT_WINDOW_TOKENS = 128_000
"""Where neither `-T context_tokens` nor Inspect's table of models says how much a model takes."""
CHARS_PER_TOKEN = 3.5
MESSAGE_TOKENS = 6
"""What surrounds each message."""
FULL, ROOMY = 0.75, 0.5
"""Shares of the window: from the first on the conversation is made shorter, down to the second where it can be."""
KEPT_OUTPUTS = 4
"""The newest tool outputs are shortened only where nothing else is left to shorten."""
KEPT_TURNS = 3
"""The newest turns survive a summary."""
SHORT_CHARS = 400
SUMMARY_PROMPT = (
    "The conversation is about to be cut for length. Write for yourself, in at most 400 words: what was asked, which "
    "files and facts matter, what has been done, what is left. Only this note and the last steps will remain."
)
SUMMARY_HEAD = "[Earlier steps were removed for length. Your own note on them:]\n"
DROPPED_HEAD = "[Earlier steps were removed for length and no note on them could be written.]"


def text_size(message: ChatMessage) -> int:
    """Characters of a message, its calls included."""
    size = len(message.text)
    if isinstance(message, ChatMessageAssistant):
        size += sum(len(call.function) + len(str(call.arguments)) for call in message.tool_calls or [])
    if isinstance(message, ChatMessageTool) and message.error is not None:
        size += len(message.error.message)
    return size


def estimate_tokens(messages: Sequence[ChatMessage]) -> int:
    """Tokens of messages, from their characters."""
    return sum(MESSAGE_TOKENS + int(text_size(message) / CHARS_PER_TOKEN) for message in messages)


def shorten_outputs(
    messages: list[ChatMessage], excess_tokens: int, kept_outputs: int = KEPT_OUTPUTS
) -> list[ChatMessage]:
    """Shorten tool outputs, oldest first, until about so many tokens are saved; the newest stay."""
    places = [place for place, message in enumerate(messages) if isinstance(message, ChatMessageTool)]
    result = list(messages)
    for place in places[: len(places) - kept_outputs] if len(places) > kept_outputs else []:
        if excess_tokens <= 0:
            break
        message = messages[place]
        text = message.text
        if len(text) <= 2 * SHORT_CHARS:
            continue
        half = SHORT_CHARS // 2
        short = f"{text[:half]}\n[... {len(text) - 2 * half} characters removed for length ...]\n{text[-half:]}"
        excess_tokens -= int((len(text) - len(short)) / CHARS_PER_TOKEN)
        result[place] = message.model_copy(update={"content": short})
    return result


def split_turns(messages: list[ChatMessage]) -> tuple[list[ChatMessage], list[ChatMessage], list[ChatMessage]]:
    """Split into what comes before the first answer, the older turns, and the newest `KEPT_TURNS` turns."""
    answers = [place for place, message in enumerate(messages) if isinstance(message, ChatMessageAssistant)]
    if not answers:
        return messages, [], []
    newest = answers[-KEPT_TURNS] if len(answers) > KEPT_TURNS else answers[0]
    return messages[: answers[0]], messages[answers[0] : newest], messages[newest:]


@dataclass
class ContextWindow:
    """What one model takes, and how full it is."""

    window_tokens: int
    fixed_tokens: int
    """Of the tools' descriptions, which are no messages."""
    counted_messages: int = 0
    """How many messages the provider's last count covers."""
    counted_tokens: int = 0

    @classmethod
    def of(cls, model: Model, window_tokens: int | None, tools_chars: int) -> "ContextWindow":
        """The window of a model, as given or as Inspect's table has it."""
        info = None if window_tokens else get_model_info(model)
        known = window_tokens or (info.input_tokens if info else None) or DEFAULT_WINDOW_TOKENS
        return cls(known, int(tools_chars / CHARS_PER_TOKEN))

    def tokens(self, messages: list[ChatMessage]) -> int:
        """Tokens of the next call, as far as can be told."""
        if self.counted_messages > len(messages):
            self.counted_messages = self.counted_tokens = 0
        base = self.counted_tokens or self.fixed_tokens
        return base + estimate_tokens(messages[self.counted_messages :])

    def count(self, messages: list[ChatMessage], output: ModelOutput) -> None:
        """Take over the provider's count for a call with these messages and its answer (the last of them)."""
        usage = output.usage
        if usage is None:
            return
        cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        if usage.input_tokens + cached > 0:
            self.counted_tokens = usage.input_tokens + cached + usage.output_tokens
            self.counted_messages = len(messages)

    def is_full(self, messages: list[ChatMessage]) -> bool:
        """Whether the messages have to be made shorter before the next call."""
        return self.tokens(messages) > FULL * self.window_tokens

    async def compact(self, messages: list[ChatMessage], model: Model) -> list[ChatMessage]:
        """Make the messages shorter: old tool outputs first, then a summary in the place of the older turns."""
        before = self.tokens(messages)
        target = int(ROOMY * self.window_tokens)
        shorter = shorten_outputs(messages, before - target)
        self.counted_messages = self.counted_tokens = 0
        kind: Literal["summary", "edit", "trim"] = "edit"
        if self.tokens(shorter) > target:
            head, older, newest = split_turns(shorter)
            if older:
                note = await self._summary(head, older, model)
                kind = "summary" if note else "trim"
                shorter = [*head, ChatMessageUser(content=SUMMARY_HEAD + note if note else DROPPED_HEAD), *newest]
        excess = self.tokens(shorter) - int(FULL * self.window_tokens)
        if excess > 0:
            shorter = shorten_outputs(shorter, excess, kept_outputs=0)
        event = CompactionEvent(type=kind, tokens_before=before, tokens_after=self.tokens(shorter), source="claw_agent")
        transcript()._event(event)
        return shorter

    async def _summary(self, head: list[ChatMessage], older: list[ChatMessage], model: Model) -> str:
        """The model's own note on older turns; empty where it writes none."""
        asked = [*head, *older]
        while older and self.tokens(asked) > FULL * self.window_tokens:
            # whole turns only: an output without its call is refused by most providers
            cut = next(
                (at for at, message in enumerate(older[1:], 1) if isinstance(message, ChatMessageAssistant)), None
            )
            older = older[cut:] if cut else []
            asked = [*head, *older]
        if not older:
            return ""
        with suspend_turn_limit():
            output = await call_model(model, [*asked, ChatMessageUser(content=SUMMARY_PROMPT)])
        return output.completion.strip() if output is not None and output.stop_reason != "content_filter" else ""
