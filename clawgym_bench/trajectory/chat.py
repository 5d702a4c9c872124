"""Conversations in OpenAI's chat format, one JSON object a branch: what `datasets` and TRL take."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clawgym_bench.trajectory.branches import branches
from clawgym_bench.trajectory.events import AssistantEvent, MessageEvent, ToolEvent
from clawgym_bench.trajectory.record import Trajectory


def chat_rows(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    """One row a branch of each conversation of each try, with what tells good rows from bad ones.

    Arguments of calls are JSON text, as in OpenAI's format: a table of objects would give every call the arguments of all
    others. Parts that are no text (images, encrypted reasoning) are left out and counted.
    """
    for conversation in trajectory.conversations:
        tools = [openai_tool(tool) for tool in conversation.tools]
        for branch in branches(trajectory, conversation):
            yield {
                "messages": [chat_message(message) for message in branch.messages],
                "tools": tools,
                "own": list(branch.own),
                "fresh": list(branch.fresh),
                "left_out": sum(_no_text(message) for message in branch.messages),
                "task": trajectory.task,
                "task_digest": trajectory.task_digest,
                "epoch": trajectory.epoch,
                "uuid": trajectory.uuid,
                "solver": trajectory.solver,
                "model": trajectory.model,
                "conversation": conversation.id,
                "branch": branch.number,
                "last": branch.is_last,
                "depth": conversation.depth,
                "graded": conversation.attempt == trajectory.attempts,
                "outcome": trajectory.outcome,
                "score": trajectory.score,
                "passed": trajectory.passed,
            }


def chat_message(message: MessageEvent) -> dict[str, Any]:
    """One message; a failed call of a tool says what the agent was told."""
    if isinstance(message, AssistantEvent):
        return _answer(message)
    if isinstance(message, ToolEvent):
        return {"role": "tool", "tool_call_id": message.call_id, "content": told(message)}
    return {"role": message.kind, "content": message.content}


def told(result: ToolEvent) -> str:
    """The text of a tool's result, or of its failure in Inspect's words for a model."""
    return f"Error: {result.error.message}" if result.error else result.content


def openai_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    """A tool's description as a function of OpenAI's."""
    return {
        "type": "function",
        "function": {name: tool[name] for name in ("name", "description", "parameters") if name in tool},
    }


def _answer(message: AssistantEvent) -> dict[str, Any]:
    answer: dict[str, Any] = {"role": "assistant", "content": message.content}
    if message.reasoning:
        answer["reasoning_content"] = message.reasoning
    if message.calls:
        answer["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for call in message.calls
        ]
    return answer


def _no_text(message: MessageEvent) -> int:
    parts: Sequence[Any] = message.parts or ()
    return sum(part.get("type") != "text" and not part.get("reasoning") for part in parts)
