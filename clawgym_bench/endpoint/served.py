"""The evaluated model behind an endpoint: every call is one of the trial's, within its limits."""

from collections.abc import Awaitable, Callable, Sequence

import anyio
from inspect_ai.model import ChatMessage, Model, ModelOutput

from clawgym_bench.claw.context import text_size
from clawgym_bench.endings import AgentFailed, InfraFailed, LimitReached
from clawgym_bench.endpoint.callids import CallIds
from clawgym_bench.endpoint.memory import MessageMemory
from clawgym_bench.endpoint.requests import ChatRequest
from clawgym_bench.endpoint.server import Refusal
from clawgym_bench.modelcall import call_model, take_turn
from clawgym_bench.question import require_provider

MALFORMED_TURNS = 5
"""After so many turns in a row without one well-formed call the agent has failed."""
OVERFLOWS = 8
"""How often an agent may ask with a conversation that is too long for the model, in a row."""
MAX_CHARACTERS = 32 << 20
"""Of all different messages and tools of a trial: each of them is kept in the log."""
YIELD = "sessions_yield"
"""OpenClaw's tool by which a turn ends until a sub-agent has something to tell."""
DELEGATES = ("sessions_spawn", "sessions_send")
"""Its tools by which another session is given work."""
TOO_LONG = Refusal(
    "This model's maximum context length is exceeded. Please reduce the length of the messages.",
    code="context_length_exceeded",
)
TOO_MUCH = Refusal(f"more than {MAX_CHARACTERS} characters were sent in this trial", status=413)


class ServedModel:
    """Answers requests with the model, and keeps what they show of the agent's work.

    Args:
        model: the evaluated one; whatever a request names, no other is asked.
        before_first: awaited before the first request is answered.
    """

    def __init__(self, model: Model, before_first: Callable[[], Awaitable[None]] | None = None) -> None:
        self._model = model
        self._before_first = before_first
        self._beginning = anyio.Lock()
        self._memory = MessageMemory()
        self.call_ids = CallIds()
        self._malformed = self._overflows = 0
        self.calls = 0
        """Requests that reached the model."""
        self.tool_calls = 0
        """Calls of tools in the answers so far: from the first on, what happens inside may be the agent's doing."""
        self.last: ModelOutput | None = None
        """The newest answer."""
        self.has_delegated = False
        """Whether a call may have begun another conversation, or be answered into this one."""
        self._waiting: dict[str, bool] = {}
        """Conversation -> whether its newest answer calls tools."""
        self.conversation: list[ChatMessage] = []
        """The newest state of the conversation that began first."""

    async def answer(self, request: ChatRequest) -> ModelOutput | Refusal:
        """Ask the model.

        Raises:
            LimitReached, LimitExceededError: a limit of the trial.
            InfraFailed: the provider failed.
            AgentFailed: too many turns in a row held malformed calls only.
        """
        await self._begin()
        await take_turn()
        self._memory.note_tools(request.tools_text)
        messages, mark = self._memory.recall(self.call_ids.own(request.messages))
        if self._memory.characters > MAX_CHARACTERS:
            return TOO_MUCH
        self.calls += 1
        try:
            output = await call_model(self._model, messages, request.tools, request.tool_choice)
        except InfraFailed as error:
            return await self._refused(error, sum(map(text_size, messages)))
        if output is None:
            self._overflows += 1
            if self._overflows >= OVERFLOWS:
                raise LimitReached("context")
            return TOO_LONG
        self._overflows = 0
        self._memory.remember(mark, output.message)
        self._note(messages, output)
        return self.call_ids.told(output)

    async def _refused(self, error: InfraFailed, characters: int) -> Refusal:
        """Tell a request that no provider would take from a provider that takes none, by a question of our own.

        Before the first call of a tool no request can be the agent's doing.

        Raises:
            InfraFailed: the provider answers nothing.
        """
        if self.tool_calls == 0:
            raise error
        await require_provider(self._model, characters)
        return Refusal(str(error), status=502)

    @property
    def is_too_long(self) -> bool:
        """Whether the newest request was a conversation that the model cannot take."""
        return self._overflows > 0

    @property
    def waits_for_tools(self) -> bool:
        """Whether some conversation will go on: its newest answer calls tools, and not only one that yields the turn."""
        return any(self._waiting.values())

    @property
    def has_ended(self) -> bool:
        """Whether the newest answer of the main conversation calls no tool, so that nothing need follow."""
        newest = self.conversation[-1] if self.conversation else None
        return newest is not None and newest.role == "assistant" and not newest.tool_calls

    async def _begin(self) -> None:
        async with self._beginning:
            if self._before_first is not None:
                await self._before_first()
                self._before_first = None

    def _note(self, messages: Sequence[ChatMessage], output: ModelOutput) -> None:
        self.last = output
        calls = output.message.tool_calls or []
        self.tool_calls += len(calls)
        self.has_delegated |= any(call.function in DELEGATES for call in calls)
        self._waiting[_beginning(messages)] = any(call.function != YIELD for call in calls)
        if not self.conversation or self._is_main(messages):
            self.conversation = [*messages, output.message]
        if calls and all(call.parse_error is not None for call in calls):
            self._malformed += 1
            if self._malformed >= MALFORMED_TURNS:
                reason = (calls[0].parse_error or "")[:300]
                raise AgentFailed(f"malformed calls in {self._malformed} turns in a row, the last: {reason}")
        else:
            self._malformed = 0

    def _is_main(self, messages: Sequence[ChatMessage]) -> bool:
        """Whether a request goes on with the first conversation: sub-agents and the agent's programs begin otherwise."""
        return _beginning(messages) == _beginning(self.conversation)


def _beginning(messages: Sequence[ChatMessage]) -> str:
    """What tells conversations apart: the first words of a user; OpenClaw changes the system's on the way."""
    return next((message.text for message in messages if message.role == "user"), "")
