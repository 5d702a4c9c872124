"""Trajectories in the Agent Trajectory Interchange Format of Harbor (its RFC 0001), version 1.7."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from importlib.metadata import version
from typing import Any

from clawgym_bench.trajectory.chat import openai_tool, told
from clawgym_bench.trajectory.events import AssistantEvent, ContextRewriteEvent, Event, MessageBase, ToolEvent, Usage
from clawgym_bench.trajectory.record import Conversation, Trajectory

VERSION = "ATIF-v1.7"
Document = dict[str, Any]


def atif_document(trajectory: Trajectory) -> Document | None:
    """The graded try as one document; None where nothing was said in it.

    The agent's own conversation makes the steps, those of sub-agents and of programs stand in `subagent_trajectories`. A
    result that was shortened later stands as it was first told; where the harness rewrote the conversation, a step of the
    system says so. Earlier tries are left out and counted in the notes.
    """
    main = trajectory.main
    if main is None:
        return None
    document = _conversation(trajectory, main)
    others = [
        _conversation(trajectory, one)
        for one in trajectory.conversations
        if one.attempt == main.attempt and one.id != main.id
    ]
    others = [other for other in others if other["steps"]]
    if not document["steps"]:
        return None
    if others:
        document["subagent_trajectories"] = others
    if trajectory.attempts > 1:
        document["notes"] = f"{trajectory.attempts - 1} earlier tries failed by no doing of the agent and are left out."
    document["extra"] |= {
        "task": trajectory.task,
        "task_digest": trajectory.task_digest,
        "epoch": trajectory.epoch,
        "outcome": trajectory.outcome,
        "cause": trajectory.cause,
        "score": trajectory.score,
        "passed": trajectory.passed,
        "run": trajectory.run.id,
        "log": trajectory.run.log,
    }
    return document


def _conversation(trajectory: Trajectory, conversation: Conversation) -> Document:
    events = [event for event in trajectory.events if getattr(event, "conversation", None) == conversation.id]
    steps = [step for event in events if (step := _step(trajectory, conversation, event)) is not None]
    answers = [answer for answer in trajectory.answers(conversation.id) if answer.error is None]
    started = {"started_by": conversation.started_by, "parent": conversation.parent, "call": conversation.call_id}
    return {
        "schema_version": VERSION,
        "session_id": trajectory.uuid,
        "trajectory_id": f"{trajectory.uuid}/{conversation.id}",
        "agent": {
            "name": trajectory.solver,
            "version": version("clawgym"),
            "model_name": trajectory.model,
            "tool_definitions": [openai_tool(tool) for tool in conversation.tools],
        },
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
        "final_metrics": _final(answer.usage for answer in answers) | {"total_steps": len(steps)},
        "extra": {"conversation": started},
    }


def _step(trajectory: Trajectory, conversation: Conversation, event: Event) -> Document | None:
    when = _time(trajectory, event)
    if isinstance(event, ContextRewriteEvent):
        extra = event.model_dump(mode="json", exclude={"kind", "attempt", "at_sec", "conversation", "id"})
        return when | {"source": "system", "message": "The harness rewrote the conversation.", "extra": extra}
    if isinstance(event, AssistantEvent):
        return when | _agent_step(trajectory, conversation, event)
    if isinstance(event, ToolEvent) or not isinstance(event, MessageBase):
        return None
    source = "system" if event.kind == "system" else "user"
    return when | {"source": source, "message": event.content, "extra": {"id": event.id}}


def _agent_step(trajectory: Trajectory, conversation: Conversation, answer: AssistantEvent) -> Document:
    is_own = answer.origin == "model"
    step: Document = {
        "source": "agent",
        "message": answer.content,
        "llm_call_count": int(is_own),
        "extra": {
            "id": answer.id,
            "stop_reason": answer.stop_reason,
            "error": answer.error,
            "sampling": answer.sampling,
        },
    }
    if answer.origin == "input":
        step["is_copied_context"] = True
    if is_own and answer.model and answer.model != trajectory.model:
        step["model_name"] = answer.model
    if is_own and answer.reasoning:
        step["reasoning_content"] = answer.reasoning
    if answer.calls:
        step["tool_calls"] = [
            {
                "tool_call_id": call.id,
                "function_name": call.name,
                "arguments": call.arguments,
                **({"extra": {"parse_error": call.parse_error}} if call.parse_error else {}),
            }
            for call in answer.calls
        ]
    results = [_result(trajectory, answer, result) for result in trajectory.results(answer)]
    if results:
        step["observation"] = {"results": results}
    if is_own and (answer.usage or answer.tokens):
        step["metrics"] = _metrics(answer)
    return step


def _result(trajectory: Trajectory, answer: AssistantEvent, result: ToolEvent) -> Document:
    found: Document = {"source_call_id": result.call_id, "content": told(result)}
    started = [
        {"trajectory_id": f"{trajectory.uuid}/{one.id}"}
        for one in trajectory.conversations
        if (one.answer, one.call_id) == (answer.id, result.call_id)
    ]
    if started:
        found["subagent_trajectory_ref"] = started
    extra = {"seconds": result.seconds, "error": result.error and result.error.type}
    return found | {"extra": {name: value for name, value in extra.items() if value is not None}}


def _metrics(answer: AssistantEvent) -> Document:
    metrics: Document = _counted(answer.usage) if answer.usage else {}
    tokens = answer.tokens
    if tokens is not None:
        metrics |= {
            "prompt_token_ids": tokens.prompt_ids,
            "completion_token_ids": tokens.ids,
            "logprobs": tokens.logprobs,
        }
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in metrics.items() if value is not None
    }


def _counted(usage: Usage) -> Document:
    cached = usage.cache_read_tokens or 0
    return {
        "prompt_tokens": usage.input_tokens + cached + (usage.cache_write_tokens or 0),
        "completion_tokens": usage.output_tokens,
        "cached_tokens": cached,
        "cost_usd": usage.cost_usd,
    }


def _final(usages: Iterable[Usage | None]) -> Document:
    counted = [_counted(usage) for usage in usages if usage is not None]
    costs = [one["cost_usd"] for one in counted if one["cost_usd"] is not None]
    return {
        "total_prompt_tokens": sum(one["prompt_tokens"] for one in counted),
        "total_completion_tokens": sum(one["completion_tokens"] for one in counted),
        "total_cached_tokens": sum(one["cached_tokens"] for one in counted),
        **({"total_cost_usd": sum(costs)} if costs else {}),
    }


def _time(trajectory: Trajectory, event: Event) -> Document:
    start = trajectory.timings.started_at
    if start is None or event.at_sec is None:
        return {}
    return {"timestamp": (datetime.fromisoformat(start) + timedelta(seconds=event.at_sec)).isoformat()}
