"""Model calls, and the turns and the working time of a trial.

How much of a call was waiting, for a rate limit say, is known only at its end: the provider's own client waits inside of
it. So a call under way is awaited (it has a limit of its own, `limits.CALL_SEC`), and the time is looked at after it.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import anyio
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.exception import TerminateSampleError
from inspect_ai.model import ChatMessage, Model, ModelOutput
from inspect_ai.tool import ToolChoice, ToolDef, ToolInfo
from inspect_ai.util import Limit, LimitExceededError
from tenacity import RetryError

from clawgym_bench.endings import InfraFailed, LimitReached
from clawgym_bench.surrogates import mend_output

WAIT_SEC = 0.05
_OVERFLOW = re.compile(
    r"context.{0,20}(?:length|window|size|limit)|maximum.{0,20}(?:context|tokens)|too many tokens|prompt is too long"
    r"|input (?:is )?too long|exceeds? .{0,40}(?:tokens|context)",
    re.IGNORECASE,
)
"""How providers word that a conversation is too long, where Inspect does not know their words."""


@dataclass
class _Calls:
    """The calls of one trial: what limits them, and how many are under way."""

    clock: Limit
    limit_sec: float
    turns: Limit
    open: int = 0


_calls: ContextVar[_Calls | None] = ContextVar("clawgym_model_calls", default=None)


@contextmanager
def limited_calls(clock: Limit, limit_sec: float, turns: Limit) -> Iterator[_Calls]:
    """Let the model calls inside be measured by a clock, and be no more than the turns."""
    calls = _Calls(clock, limit_sec, turns)
    token = _calls.set(calls)
    try:
        yield calls
    finally:
        _calls.reset(token)


def require_turn() -> None:
    """Look whether one more turn may begin.

    Inspect counts a turn at its end, so that by itself it would ask the model once more and throw that answer away.

    Raises:
        LimitReached: where all turns are taken.
    """
    calls = _calls.get()
    if calls is not None and _turns_left(calls) <= 0:
        raise LimitReached("turn")


async def take_turn() -> None:
    """Wait until one more turn may begin beside those under way, for callers that have several at once.

    Raises:
        LimitReached: where all turns are taken.
    """
    calls = _calls.get()
    while calls is not None and calls.open and _turns_left(calls) <= calls.open:
        await anyio.sleep(WAIT_SEC)
    require_turn()


def _turns_left(calls: _Calls) -> float:
    limit = calls.turns.limit
    return float("inf") if limit is None else limit - calls.turns.usage


@contextmanager
def model_call() -> Iterator[None]:
    """Surround a model call.

    Raises:
        LimitReached: at its end, where the working time is used up.
    """
    calls = _calls.get()
    if calls is None:
        yield
        return
    calls.open += 1
    try:
        yield
    finally:
        calls.open -= 1
    if calls.clock.usage > calls.limit_sec:
        raise LimitReached("working")


async def call_model(
    model: Model,
    messages: list[ChatMessage],
    tools: Sequence[ToolDef | ToolInfo] = (),
    tool_choice: ToolChoice | None = None,
) -> ModelOutput | None:
    """One model call; None where the conversation is too long for the model.

    Raises:
        InfraFailed: the provider did not answer, after all of Inspect's retries.
        LimitReached, LimitExceededError: a limit of the trial or of the sample.
    """
    try:
        with model_call():
            output = await model.generate(messages, tools, tool_choice)
            mend_output(output)
    except (LimitExceededError, LimitReached, TerminateSampleError, PrerequisiteError):
        raise
    except Exception as raised:
        error = last_cause(raised)
        if is_overflow(error):
            return None
        raise provider_failure(error) from raised
    if output.empty:
        raise InfraFailed(f"provider: an answer without choices{f': {output.error}' if output.error else ''}")
    if output.stop_reason == "model_length" and not output.message.tool_calls:
        return None
    return output


def is_overflow(error: BaseException) -> bool:
    """Whether a provider means that the conversation is too long for the model."""
    return bool(_OVERFLOW.search(_words(error))) and getattr(error, "status_code", 400) in (400, 413, 422)


def provider_failure(error: BaseException) -> InfraFailed:
    """A call that got no answer, as the end of a trial."""
    return InfraFailed(f"provider: {type(error).__name__}: {_words(error)[:500]}")


def _words(error: BaseException) -> str:
    """What the provider said; Inspect puts the request before it, which may say anything."""
    return str(getattr(error, "provider_message", None) or error)


def last_cause(error: BaseException) -> BaseException:
    """What the last try of a call met, where the retries were used up."""
    while isinstance(error, RetryError):
        error = error.last_attempt.exception() or error.__cause__ or Exception("no answer")
    return error
