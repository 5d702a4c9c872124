"""One call with the real tools before the first trial: does this server parse tool calls?"""

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, Model
from inspect_ai.util import span, suspend_token_limit, suspend_turn_limit, suspend_working_limit
from pydantic import BaseModel, ConfigDict

from clawgym_bench.claw.toolset import DECLARED, tool_infos
from clawgym_bench.toolcall_text import has_call_in_text

MODEL_FREE_PROVIDERS = ("mockllm", "none")
"""Scripted models answer for tests, and are not asked unless a run says so."""


class Preflight(BaseModel):
    """What the call found."""

    model_config = ConfigDict(frozen=True)

    suspect: bool
    """Whether scores of the run may say more about the server than about the model."""
    finding: str


async def preflight(model: Model) -> Preflight:
    """Ask for one tool call."""
    async with span("preflight"):
        with suspend_turn_limit(), suspend_token_limit(), suspend_working_limit():
            result = await _ask(model)
        transcript().info(result.model_dump(), source="preflight")
    return result


async def _ask(model: Model) -> Preflight:
    messages: list[ChatMessage] = [
        ChatMessageSystem(content="You work through tools."),
        ChatMessageUser(content="Read the file hello.txt with the tool `read`. Call the tool now, without any words."),
    ]
    try:
        output = await model.generate(messages, tool_infos())
    except Exception as error:
        return Preflight(suspect=True, finding=f"the call failed: {type(error).__name__}: {str(error)[:300]}")
    if output.message.tool_calls:
        return Preflight(suspect=False, finding="tool calls are parsed")
    if has_call_in_text(output.message.text, DECLARED):
        finding = "the answer holds a tool call as text: the server does not parse this model's tool calls"
        return Preflight(suspect=True, finding=f"{finding} (with vLLM: --enable-auto-tool-choice --tool-call-parser)")
    return Preflight(
        suspect=True, finding="no tool call came back: the model or its server may not be able to make one"
    )
