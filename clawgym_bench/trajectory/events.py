"""The events of a trajectory: frozen, told apart by `kind`, complete without the log that they were read from."""

import json
import math
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, JsonValue

from clawgym_bench.surrogates import without_surrogates
from clawgym_data.spec.frozen import Frozen

MAX_DEPTH = 64
"""Of JSON in an event: parsers refuse what is nested much deeper, and an agent's arguments can be."""


def held(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """The JSON value as every file and parser takes it.

    Half a character becomes its escape, a number that JSON lacks (NaN, an infinity) its name, and what is nested too deep its
    JSON text.
    """
    return _held(without_surrogates(value), MAX_DEPTH)


def _held(value: Any, depth: int) -> Any:  # noqa: ANN401
    if isinstance(value, dict | list | tuple) and value and depth == 0:
        return json.dumps(value)
    if isinstance(value, dict):
        return {str(name): _held(member, depth - 1) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_held(member, depth - 1) for member in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


Text = Annotated[str, BeforeValidator(without_surrogates)]
"""Text that a UTF-8 file can hold."""
Json = Annotated[JsonValue, BeforeValidator(held)]
Object = Annotated[dict[str, JsonValue], BeforeValidator(held)]


class Record(Frozen):
    """Base of what a trajectory consists of."""

    model_config = ConfigDict(allow_inf_nan=False)


class Usage(Record):
    """Tokens of one call, or of several together, as the provider counts them."""

    input_tokens: int = 0
    """Without those that the next two count."""
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int = 0
    """With reasoning."""
    reasoning_tokens: int | None = None
    total_tokens: int = 0
    cost_usd: float | None = None


class ToolCall(Record):
    """One call that a message asks for."""

    id: Text
    """The provider's; some servers use one id several times in a conversation."""
    name: Text
    arguments: Object
    parse_error: Text | None = None
    """Why the arguments could not be read; then they are whatever the provider made of them."""


class Tokens(Record):
    """What a server that tells its tokens says of an answer; each part is None where it is not told."""

    ids: tuple[int, ...] | None = None
    logprobs: tuple[float, ...] | None = None
    texts: tuple[Text, ...] | None = None
    prompt_ids: tuple[int, ...] | None = None


class Failure(Record):
    """What went wrong in a tool call, in Inspect's kinds."""

    type: Text
    message: Text


class EventBase(Record):
    """What every event has."""

    id: str
    """Unique in the trajectory."""
    attempt: int = 1
    """Number of the try within the trial: a fault that is not the agent's begins another one in a fresh sandbox."""
    at_sec: float | None = None
    """Seconds from the trial's start until it began; None where only its place is known."""


class MessageBase(EventBase):
    """A message of a conversation. It stands where it was first seen; later calls name it by its id."""

    conversation: str
    """Id of the conversation that it was first seen in."""
    digest: str
    """sha256 of role, text, other parts, and calls without their ids. Reasoning is left out, which harnesses drop."""
    content: Text
    """Its text; what is no text stands in `parts`."""
    parts: tuple[Json, ...] | None = None
    """All parts of the content in Inspect's form, where they are more than a text and plain reasoning."""


class SystemEvent(MessageBase):
    """A system message."""

    kind: Literal["system"] = "system"


class UserEvent(MessageBase):
    """A message of the user, or of the harness in the user's place."""

    kind: Literal["user"] = "user"


class AssistantEvent(MessageBase):
    """An answer of a model, with its calls; or one that failed."""

    kind: Literal["assistant"] = "assistant"
    origin: Literal["model", "input", "record"] = "model"
    """`model`: of a recorded call of a model. `input`: it stood in a call's input and no recorded call gave it. `record`: it
    stands in the trial's messages and no model was asked, as for solvers without one. Only the first is the model's own."""
    reasoning: Text | None = None
    """Readable reasoning; None where there is none, or only an encrypted one (see `parts`)."""
    calls: tuple[ToolCall, ...] = ()
    stop_reason: Text | None = None
    error: Text | None = None
    """Why there is no answer; then the content is empty and no later call is conditioned on it."""
    conditioned_on: tuple[str, ...] = ()
    """Ids of the messages that were the call's input, in order."""
    model: Text | None = None
    """The model that Inspect asked."""
    requested_model: Text | None = None
    """The name that a harness asked our endpoint for."""
    answered_model: Text | None = None
    """The name that the provider's answer holds."""
    sampling: Object = {}
    """Inspect's settings of the call that change what is sampled; those at the provider's default are left out."""
    usage: Usage | None = None
    retries: int = 0
    cached: bool = False
    """The answer came from Inspect's cache."""
    tokens: Tokens | None = None
    completed_sec: float | None = None
    """Seconds from the trial's start until the answer was there."""
    working_sec: float | None = None
    """Seconds that the call took without waiting for the provider."""


class ToolEvent(MessageBase):
    """The result of a call."""

    kind: Literal["tool"] = "tool"
    call_id: Text
    name: Text | None = None
    answers: str | None = None
    """Id of the assistant event whose call it answers; None where there is none."""
    error: Failure | None = None
    """The agent was told its message; then the content is mostly empty."""
    seconds: float | None = None
    """None where the harness ran the tool, which tells no times."""
    seen: bool = True
    """Whether a later call of the model had it in its input."""


class ContextRewriteEvent(EventBase):
    """The next call of a conversation is conditioned on something else than all that came before and what is new."""

    kind: Literal["context_rewrite"] = "context_rewrite"
    conversation: str
    before: str | None
    """Id of the newest answer of what was rewritten; None where none was given yet."""
    dropped: tuple[str, ...] = ()
    """Messages that are in the input no more."""
    replaced: tuple[tuple[str, str], ...] = ()
    """(old, new) message in the same place: a shortened tool output, say."""
    inserted: tuple[str, ...] = ()
    """New messages before the last old one: a summary, say."""
    reasoning_dropped: tuple[str, ...] = ()
    """Answers that stand in the input without the reasoning that they came with."""


class EnvironmentEvent(EventBase):
    """Whatever happened around the conversations: sandbox, limits, tries, errors, notes, the judge's calls."""

    kind: Literal["environment"] = "environment"
    what: str
    """Inspect's name of the event, or `judge` and `preflight` for calls of models that are not the agent's."""
    source: Text | None = None
    """Who noted it: `clawgym` and what begins with `clawgym/` is ours."""
    data: Json
    seconds: float | None = None


class UnknownEvent(EventBase):
    """A record of a type that this version does not know, whole."""

    kind: Literal["unknown"] = "unknown"
    type: Text
    data: Json


MessageEvent = SystemEvent | UserEvent | AssistantEvent | ToolEvent
Event = Annotated[
    SystemEvent | UserEvent | AssistantEvent | ToolEvent | ContextRewriteEvent | EnvironmentEvent | UnknownEvent,
    Field(discriminator="kind"),
]
