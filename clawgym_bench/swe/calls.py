"""The model calls of a program with a loop of its own: each is one of the trial's, as a call of `claw_agent` is."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import anyio
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.exception import TerminateSampleError
from inspect_ai._util.http import status_code_of
from inspect_ai.model import ChatMessage, GenerateConfig, GenerateInput, Model, ModelOutput
from inspect_ai.model._model import active_model_context_var
from inspect_ai.tool import ToolChoice, ToolFunction, ToolInfo, internal_tool_type
from inspect_ai.util import LimitExceededError

from clawgym_bench.claw.context import text_size
from clawgym_bench.endings import AgentFailed, InfraFailed, LimitReached
from clawgym_bench.endpoint.served import MALFORMED_TURNS
from clawgym_bench.modelcall import is_overflow, last_cause, model_call, provider_failure, take_turn
from clawgym_bench.question import require_provider
from clawgym_bench.surrogates import mend_output

REFUSALS = frozenset({400, 404, 405, 409, 413, 415, 422})
"""Answers of a provider to what a request holds, which whoever runs inside the sandbox may have written."""


class TrialEnded(Exception):  # noqa: N818 - names a state
    """What the program is told where a call ends its trial; it is stopped before it can act on it."""

    status_code = 400


class HarnessCalls:
    """What the calls of one trial have shown so far.

    Args:
        stop: ends the program; called where a call ends the trial.
        before_first: called at the first call, before the model is asked.
    """

    def __init__(self, stop: Callable[[], None], before_first: Callable[[], Awaitable[None]]) -> None:
        self._stop, self._before_first = stop, before_first
        self._beginning, self._begun = anyio.Lock(), False
        self._malformed = 0
        self.ended_by: Exception | None = None
        """What ends the trial, whatever the program makes of the answer that it gets."""
        self.answers = 0
        self.tool_calls = 0
        """Calls of tools in the answers: before the first one nothing in the sandbox is the agent's doing."""
        self.last: ModelOutput | None = None
        self.refused: Exception | None = None
        """Why the newest call got no answer, where the program was told so: it may shorten the conversation and ask again."""

    async def ask(self, call: "Call") -> ModelOutput:
        """Make a call within the trial's limits.

        Raises:
            Exception: there is no answer; what it means for the trial is noted.
        """
        await self._begin()
        try:
            await take_turn()
            return await self._answer(call)
        except TerminateSampleError as error:
            self._end(error)
            raise
        except (LimitExceededError, LimitReached, PrerequisiteError) as error:
            # Inspect's bridge would cancel the whole sample at a limit, also at one that is a trial's only
            self._end(error)
            raise TrialEnded(str(error)) from error

    @contextmanager
    def in_force(self, model: Model) -> Iterator[None]:
        """Have every agent that asks for the evaluated model inside get it with its calls counted here."""
        token = active_model_context_var.set(CountedModel(model, self))
        try:
            yield
        finally:
            active_model_context_var.reset(token)

    async def filter(
        self,
        model: Model,
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice | None,
        config: GenerateConfig,
    ) -> ModelOutput | GenerateInput | None:
        """Inspect's hook for each call of a bridged agent: takes tools away by which a provider would reach the network."""
        kept = [tool for tool in tools if internal_tool_type(tool) is None]
        if isinstance(tool_choice, ToolFunction) and tool_choice.name not in {tool.name for tool in kept}:
            tool_choice = None
        if not isinstance(model, CountedModel):  # an agent may make itself another model from the evaluated one
            return await CountedModel(model, self).generate(messages, kept, tool_choice, config)
        return None if len(kept) == len(tools) else GenerateInput(messages, kept, tool_choice, config)

    async def _begin(self) -> None:
        async with self._beginning:
            if self._begun:
                return
            try:
                await self._before_first()
            except Exception as error:
                self._end(InfraFailed(f"sandbox: {error}"))
                raise
            self._begun = True

    async def _answer(self, call: "Call") -> ModelOutput:
        try:
            with model_call():
                output = await call.generate()
                mend_output(output)
        except (TerminateSampleError, LimitExceededError, LimitReached, PrerequisiteError):
            raise
        except Exception as raised:
            await self._note_failure(last_cause(raised), call)
            raise
        if output.empty:
            failure = InfraFailed(f"provider: an answer without choices{f': {output.error}' if output.error else ''}")
            await self._note_outage(failure, call)
            raise failure
        self._note(output)
        return output

    def _note(self, output: ModelOutput) -> None:
        calls = output.message.tool_calls or []
        self.answers += 1
        self.tool_calls += len(calls)
        self.last, self.refused = output, None
        is_malformed = bool(calls) and all(call.parse_error is not None for call in calls)
        self._malformed = self._malformed + 1 if is_malformed else 0
        if self._malformed >= MALFORMED_TURNS:
            reason = (calls[0].parse_error or "")[:300]
            self._end(AgentFailed(f"malformed calls in {self._malformed} turns in a row, the last: {reason}"))

    async def _note_failure(self, error: BaseException, call: "Call") -> None:
        status = status_code_of(error)
        if is_overflow(error):
            self.refused = LimitReached("context")
        elif status in REFUSALS or (
            status is None
            and self.tool_calls > 0
            and isinstance(error, Exception)
            and not call.model.should_retry(error)
        ):
            # without a status the request may not even have left: a program of the agent's may have sent an odd one
            self.refused = provider_failure(error)
        else:
            await self._note_outage(provider_failure(error), call)

    async def _note_outage(self, failure: InfraFailed, call: "Call") -> None:
        """Tell a provider that answers nothing from one that breaks at this request.

        Before the first call of a tool no request can be the agent's doing; afterwards a question of our own tells.
        """
        self.refused = failure
        try:
            if self.tool_calls == 0:
                raise failure
            await require_provider(call.model, call.characters)
        except InfraFailed:
            self._end(failure)

    def _end(self, error: Exception) -> None:
        self.ended_by = self.ended_by or error
        self._stop()


@dataclass(frozen=True)
class Call:
    """One call that a program makes."""

    generate: Callable[[], Awaitable[ModelOutput]]
    model: Model
    """Which it asks, not counted: for a question of our own, and for what its provider's client knows of errors."""
    characters: int
    """Of its messages."""


class CountedModel(Model):
    """The evaluated model, whose calls are a trial's."""

    def __init__(self, model: Model, calls: HarnessCalls) -> None:
        vars(self).update(vars(model))
        self._uncounted, self._calls = model, calls

    async def generate(self, input: str | list[ChatMessage], *args: object, **options: object) -> ModelOutput:
        """See `Model.generate`."""
        ask = super().generate
        characters = len(input) if isinstance(input, str) else sum(map(text_size, input))
        return await self._calls.ask(Call(lambda: ask(input, *args, **options), self._uncounted, characters))  # type: ignore[arg-type]
