"""Messages and model calls as Inspect records them, as drafts of our events."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai._util.constants import NO_CONTENT
from inspect_ai.event import ModelEvent
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    Content,
    ContentReasoning,
    ContentText,
    Logprobs,
    ModelUsage,
)
from inspect_ai.tool import ToolCallError
from pydantic_core import to_jsonable_python

from clawgym_bench.run_log import HOW_NOT_WHAT
from clawgym_bench.surrogates import without_surrogates
from clawgym_bench.trajectory.events import Failure, Tokens, ToolCall, Usage, held
from clawgym_data.canonical import canonical_json, sha256_hex

TOKEN_ID = re.compile(r"token_id:([0-9]{1,10})")
"""How vLLM writes a token's id in the place of its text, where it is asked to."""


@dataclass(eq=False)
class Draft:
    """An event that may still be completed by what comes later."""

    kind: str
    fields: dict[str, Any] = field(default_factory=dict)
    id: str = ""


def plain(value: Any) -> Any:  # noqa: ANN401 - anything that Inspect logs
    """The value as JSON that any file can hold."""
    return held(to_jsonable_python(value, fallback=str))


def message_draft(message: ChatMessage) -> Draft:
    """The fields of a message, with its digest."""
    fields: dict[str, Any] = {"content": without_surrogates(message.text), "parts": _parts(message.content)}
    if isinstance(message, ChatMessageAssistant):
        fields |= {"reasoning": _reasoning(message.content), "calls": _calls(message)}
    if isinstance(message, ChatMessageTool):
        fields |= {
            "call_id": message.tool_call_id or "",
            "name": message.function,
            "error": failure(message.error),
        }
    return Draft(message.role, fields | {"digest": _digest(message.role, fields)})


def _digest(role: str, fields: dict[str, Any]) -> str:
    """Identity of a message: blanks at the ends, reasoning, ids and a word for no text, which harnesses change, do not count."""
    calls = [[call.name, call.arguments] for call in fields.get("calls", ())]
    error = fields.get("error")
    text = fields["content"].strip()
    said = [role, "" if text == NO_CONTENT else text, calls, error and error.message]
    parts = [part for part in fields["parts"] or () if part["type"] not in ("text", "reasoning")]
    return sha256_hex(canonical_json([*said, parts] if parts else said).encode())


def _parts(content: str | list[Content]) -> tuple[Any, ...] | None:
    if isinstance(content, str) or all(_is_plain(part) for part in content):
        return None
    return tuple(plain(part.model_dump(mode="json", exclude_none=True)) for part in content)


def _is_plain(part: Content) -> bool:
    """Whether content and reasoning say all that the part says."""
    extras = part.model_dump(exclude={"type", "text", "reasoning"}, exclude_defaults=True)
    return isinstance(part, ContentText | ContentReasoning) and not extras


def _reasoning(content: str | list[Content]) -> str | None:
    if isinstance(content, str):
        return None
    parts = [part for part in content if isinstance(part, ContentReasoning)]
    readable = [(part.summary or "") if part.redacted else part.reasoning for part in parts]
    return without_surrogates("\n".join(text for text in readable if text)) or None


def _calls(message: ChatMessageAssistant) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(id=call.id, name=call.function, arguments=plain(call.arguments), parse_error=call.parse_error)
        for call in message.tool_calls or ()
    )


def failure(error: ToolCallError | None) -> Failure | None:
    """Inspect's error of a tool call."""
    return None if error is None else Failure(type=error.type, message=error.message)


def usage_of(usage: ModelUsage | None) -> Usage | None:
    """Inspect's count of tokens."""
    if usage is None:
        return None
    return Usage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.input_tokens_cache_read,
        cache_write_tokens=usage.input_tokens_cache_write,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        total_tokens=usage.total_tokens,
        cost_usd=usage.total_cost,
    )


def answer_draft(call: ModelEvent) -> Draft:
    """The answer of a model call, or its failure."""
    error = call.error or call.output.error
    if call.output.choices and call.error is None and call.pending is None:
        draft = message_draft(call.output.message)
        draft.fields["stop_reason"] = call.output.stop_reason
        draft.fields["tokens"] = _tokens(call)
    else:
        draft = message_draft(ChatMessageAssistant(content=""))
        error = error or (
            "the trial ended before the answer was there" if call.pending else "an answer without choices"
        )
    draft.fields |= {
        "error": error,
        "model": call.model,
        "requested_model": call.requested_model,
        "answered_model": call.output.model or None,
        "sampling": plain(call.config.model_dump(mode="json", exclude_none=True, exclude=HOW_NOT_WHAT)),
        "usage": usage_of(call.output.usage),
        "retries": call.retries or 0,
        "cached": call.cache == "read",
        "working_sec": call.working_time,
    }
    return draft


def _tokens(call: ModelEvent) -> Tokens | None:
    """Token ids and log-probabilities: Inspect keeps the latter, ids only in the raw answer or in the tokens' names."""
    said = _from_logprobs(call.output.choices[0].logprobs)
    raw = (call.call.response or {}) if call.call else {}
    choices = raw.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    ids = _ints(choice.get("token_ids")) or said.get("ids")
    prompt = _ints(choice.get("prompt_token_ids")) or _ints(raw.get("prompt_token_ids"))
    told = said | {"ids": ids, "prompt_ids": prompt}
    return Tokens(**told) if any(part is not None for part in told.values()) else None


def _from_logprobs(logprobs: Logprobs | None) -> dict[str, Any]:
    if logprobs is None:
        return {}
    texts = [one.token for one in logprobs.content]
    ids = [TOKEN_ID.fullmatch(text) for text in texts]
    known = tuple(int(found[1]) for found in ids if found)
    return {
        "texts": tuple(texts),
        "logprobs": tuple(max(one.logprob, -1e30) for one in logprobs.content),
        "ids": known if texts and len(known) == len(texts) else None,
    }


def _ints(value: object) -> tuple[int, ...] | None:
    if isinstance(value, Sequence) and value and all(isinstance(one, int) for one in value):
        return tuple(value)
    return None
