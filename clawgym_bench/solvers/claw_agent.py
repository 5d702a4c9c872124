"""`claw_agent`: a model in a loop with OpenClaw's tools."""

from pathlib import Path

from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Model,
    ModelOutput,
    execute_tools,
    get_model,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import SandboxUnavailableError, sandbox

from clawgym_bench.claw import ContextWindow, Toolset, open_site
from clawgym_bench.claw.toolset import DECLARED
from clawgym_bench.endings import AgentFailed, LimitReached
from clawgym_bench.modelcall import call_model, require_turn
from clawgym_bench.toolcall_text import has_call_in_text
from clawgym_data.task import Task

SYSTEM_PROMPT = (Path(__file__).parent.parent / "claw" / "system_prompt.md").read_text("utf-8")
MALFORMED_TURNS = 5
"""After so many turns in a row without one well-formed call the agent has failed."""
OVERFLOWS = 3
"""How often the window is made smaller because the provider finds the conversation too long."""
GO_ON = "Your answer was empty. Go on with the task, or say that it is done."
CUT_TEXT = "Your last answer was cut off at its length limit. Go on from there, in shorter answers."
CUT_CALL = "Your answer was cut off at its length limit, so that none of its calls was run. Make smaller calls."
CALL_AS_TEXT = "Your answer held a tool call as text. Nothing was run: call tools through the tool interface."


class Conversation:
    """One trial's exchange with the model."""

    def __init__(self, state: TaskState, model: Model, tools: Toolset, root: str, window_tokens: int | None) -> None:
        self._state, self._model, self._tools = state, model, tools
        described = sum(len(tool.description) + len(str(tool.parameters)) for tool in tools.definitions)
        self._window = ContextWindow.of(model, window_tokens, described)
        state.messages = [
            ChatMessageSystem(content=SYSTEM_PROMPT.replace("{workspace}", root)),
            ChatMessageUser(content=state.input_text),
        ]
        self._malformed = 0
        self._was_nudged = False

    async def run(self) -> None:
        """Go on until the model answers without a call.

        Raises:
            AgentFailed, LimitReached: see there.
            SandboxUnavailableError: there is no sandbox any more.
            LimitExceededError: one of Inspect's limits.
        """
        while True:
            output = await self._generate()
            if output.message.tool_calls:
                await self._run_calls(output)
            elif not self._asks_again(output):
                return

    async def _generate(self) -> ModelOutput:
        for _ in range(OVERFLOWS + 1):
            require_turn()
            if self._window.is_full(self._state.messages):
                self._state.messages = await self._window.compact(self._state.messages, self._model)
            output = await call_model(self._model, self._state.messages, self._tools.definitions)
            if output is not None:
                self._state.output = output
                self._state.messages.append(output.message)
                self._window.count(self._state.messages, output)
                return output
            # the window is smaller than was thought
            self._window.window_tokens = int(0.6 * min(self._window.window_tokens, self._tokens()))
        raise LimitReached("context")

    def _tokens(self) -> int:
        return self._window.tokens(self._state.messages)

    async def _run_calls(self, output: ModelOutput) -> None:
        message = output.message
        calls = message.tool_calls or []
        if output.stop_reason == "max_tokens" and any(call.parse_error for call in calls):
            for call in calls:
                answer = ChatMessageTool(content=CUT_CALL, tool_call_id=call.id, function=call.function)
                self._state.messages.append(answer)
            return
        result = await execute_tools(self._state.messages, self._tools.definitions, max_output=0)
        self._state.messages.extend(result.messages)
        answers = [answer for answer in result.messages if isinstance(answer, ChatMessageTool)]
        _require_sandbox(answers)
        is_malformed = all(answer.error is not None and answer.error.type == "parsing" for answer in answers)
        self._note_form(is_malformed, answers[0].error.message if answers and answers[0].error else "")

    def _asks_again(self, output: ModelOutput) -> bool:
        """Whether an answer without a call is not the end."""
        text = output.message.text
        if output.stop_reason == "max_tokens":
            self._tell(CUT_TEXT)
            return True
        if has_call_in_text(text, DECLARED):
            self._note_form(True, "a call as text")
            self._tell(CALL_AS_TEXT)
            return True
        if text.strip() or output.stop_reason == "content_filter" or self._was_nudged:
            return False
        self._was_nudged = True
        self._tell(GO_ON)
        return True

    def _tell(self, text: str) -> None:
        self._state.messages.append(ChatMessageUser(content=text))

    def _note_form(self, is_malformed: bool, reason: str) -> None:
        self._malformed = self._malformed + 1 if is_malformed else 0
        if self._malformed >= MALFORMED_TURNS:
            raise AgentFailed(f"malformed calls in {self._malformed} turns in a row, the last: {reason[:300]}")


def _require_sandbox(answers: list[ChatMessageTool]) -> None:
    for answer in answers:
        if answer.error is not None and answer.error.type == "sandbox_unavailable":
            raise SandboxUnavailableError(answer.error.message)


async def claw_agent(task: Task, state: TaskState, *, context_tokens: int | None = None) -> None:
    """Let the evaluated model work on the task.

    Args:
        task: what is asked for; the instruction is in the state already.
        state: of the sample.
        context_tokens: what the model takes; by default what Inspect knows of it.
    """
    site = await open_site(sandbox())
    conversation = Conversation(state, get_model(), Toolset(site), site.root, context_tokens)
    await conversation.run()


__all__ = ["Conversation", "claw_agent"]
