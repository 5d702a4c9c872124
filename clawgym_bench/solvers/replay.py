"""`replay`: a recorded list of tool calls, played through the agent's tools without a model."""

import json
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, execute_tools
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolCall
from inspect_ai.util import sandbox
from pydantic import BaseModel, ConfigDict, ValidationError

from clawgym_bench.claw import Toolset, open_site
from clawgym_bench.surrogates import mended_call
from clawgym_data.errors import SpecError
from clawgym_data.task import Task


class RecordedCall(BaseModel):
    """One line of a recording."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    arguments: dict[str, Any] = {}
    task: str | None = None
    """The task that the call belongs to; None: every task."""


def read_recording(path: Path) -> tuple[RecordedCall, ...]:
    """Read a recording: one JSON object a line, empty lines left out.

    Raises:
        SpecError: the file cannot be read, or a line is no call.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(str(path), "", str(error), "a file of JSON lines with name and arguments") from error
    calls = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            calls.append(RecordedCall.model_validate(json.loads(line)))
        except (json.JSONDecodeError, ValidationError) as error:
            raise SpecError(str(path), f"line {number}", str(error), '{"name": ..., "arguments": {...}}') from error
    return tuple(calls)


async def replay(task: Task, state: TaskState, *, calls: tuple[RecordedCall, ...] = ()) -> None:
    """Play the calls of this task, one a turn; a call that fails is answered as a model would be, and the next follows."""
    tools = Toolset(await open_site(sandbox()))
    state.messages = [ChatMessageUser(content=state.input_text)]
    chosen = [call for call in calls if call.task in (None, task.id)]
    for number, call in enumerate(chosen):
        given = mended_call(ToolCall(id=f"replay-{number}", function=call.name, arguments=call.arguments))
        state.messages.append(ChatMessageAssistant(content="", tool_calls=[given]))
        state.messages.extend((await execute_tools(state.messages, tools.definitions, max_output=0)).messages)
    state.output = ModelOutput.from_content("replay", "done")


__all__ = ["RecordedCall", "read_recording", "replay"]
