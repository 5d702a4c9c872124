"""`Effort`: what one trial took, as figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Literal

from clawgym_bench.efficiency.calls import Call, State, calls_of
from clawgym_bench.efficiency.costs import Times, Tokens, cost_of, times_of, tokens_of
from clawgym_bench.efficiency.faults import Fault
from clawgym_bench.efficiency.recovery import recoveries
from clawgym_bench.efficiency.tools import Act, act_of
from clawgym_bench.efficiency.waste import empty_polls, repeated_looks
from clawgym_bench.toolcall_text import has_call_in_text
from clawgym_bench.trajectory import AssistantEvent, Conversation, Trajectory
from clawgym_data.spec.frozen import Frozen

Speaker = Literal["agent", "sub_agent", "program", "unknown"]
"""Whose a conversation is; unknown: one beside the agent's, of which nothing tells what started it."""


class ModelUse(Frozen):
    """Calls of the model; a judge's and the preflight's are none."""

    turns: int
    """Answers in the agent's main conversation, a note for its own shortened conversation included."""
    calls: int
    """Answers in all conversations."""
    by_speaker: dict[Speaker, int]
    failed: int
    """Calls without an answer; no other figure counts them."""


class ToolUse(Frozen):
    """Calls of tools, of all conversations."""

    calls: int
    by_tool: dict[str, int]
    parallel_share: float | None
    """Of the calls, those that an answer asked for together with others; None without calls."""
    unanswered: int
    """Calls without a result in the log: the trial ended before."""


class Errors(Frozen):
    """Failed calls of tools, and what became of them."""

    calls: int
    """Calls whose result is an error: `faults.fault_of`."""
    by_kind: dict[Fault, int]
    share: float | None
    """Of the calls with a result."""
    recovered: int
    """Failed calls that a later one made good: `recovery.recoveries`."""
    recovery_rate: float | None
    """Of the failed calls; None where there is none."""
    calls_to_recovery: float | None
    """Mean over the recovered ones; 1 is the very next call."""
    malformed: int
    """Failed calls that could not be read, and answers that hold a call as text."""


class Waste(Frozen):
    """Calls that could tell the model nothing new."""

    repeated_looks: int
    """`waste.repeated_looks`."""
    empty_polls: int
    """`waste.empty_polls`."""


class Effort(Frozen):
    """What the graded try of a trial took. Earlier tries ended by no fault of the agent and are in `tries` alone."""

    tries: int
    model: ModelUse
    tools: ToolUse
    errors: Errors
    waste: Waste
    rewrites: int
    """How often the harness dropped, replaced or inserted messages; dropped reasoning alone does not count."""
    tokens: Tokens | None
    cost_usd: float | None
    """None where the log has no prices."""
    seconds: Times


def effort_of(trajectory: Trajectory) -> Effort:
    """What a trial took."""
    last = trajectory.attempts
    asked = [answer for answer in trajectory.answers() if answer.attempt == last and answer.origin == "model"]
    answers = [answer for answer in asked if answer.error is None]
    calls = calls_of(trajectory)
    return Effort(
        tries=last,
        model=_model_use(trajectory, answers, len(asked) - len(answers)),
        tools=_tool_use(calls),
        errors=_errors(calls, _calls_as_text(trajectory, answers)),
        waste=Waste(repeated_looks=len(repeated_looks(calls)), empty_polls=len(empty_polls(calls))),
        rewrites=sum(
            event.kind == "context_rewrite"
            and event.attempt == last
            and bool(event.dropped or event.replaced or event.inserted)
            for event in trajectory.events
        ),
        tokens=tokens_of(answers),
        cost_usd=cost_of(answers),
        seconds=times_of(trajectory),
    )


def _model_use(trajectory: Trajectory, answers: Sequence[AssistantEvent], failed: int) -> ModelUse:
    main = trajectory.main
    speakers = {talk.id: _speaker(talk, trajectory) for talk in trajectory.conversations}
    return ModelUse(
        turns=sum(main is not None and answer.conversation == main.id for answer in answers),
        calls=len(answers),
        by_speaker=dict(Counter(speakers[answer.conversation] for answer in answers)),
        failed=failed,
    )


def _speaker(talk: Conversation, trajectory: Trajectory) -> Speaker:
    """By what started it: a tool that writes files or runs commands had a program of the agent speak."""
    if talk.depth == 0:
        return "agent"
    if talk.started_by == "call" and talk.answer is not None:
        answer = trajectory.by_id[talk.answer]
        names = [call.name for call in answer.calls if call.id == talk.call_id] if answer.kind == "assistant" else []
        return "program" if any(act_of(name) in (Act.RUN, Act.CHANGE) for name in names) else "sub_agent"
    return "sub_agent" if talk.started_by == "span" else "unknown"


def _calls_as_text(trajectory: Trajectory, answers: Sequence[AssistantEvent]) -> int:
    """Answers without a call that hold one as text: the server did not parse it."""
    offered: Mapping[str, set[str]] = {
        talk.id: {str(tool.get("name")) for tool in talk.tools} for talk in trajectory.conversations
    }
    return sum(
        not answer.calls and has_call_in_text(answer.content, offered[answer.conversation]) for answer in answers
    )


def _tool_use(calls: Sequence[Call]) -> ToolUse:
    in_answer = Counter(call.answer.id for call in calls)
    return ToolUse(
        calls=len(calls),
        by_tool=dict(Counter(call.asked.name for call in calls).most_common()),
        parallel_share=_share(sum(count for count in in_answer.values() if count > 1), len(calls)),
        unanswered=sum(call.state is State.UNANSWERED for call in calls),
    )


def _errors(calls: Sequence[Call], calls_as_text: int) -> Errors:
    faults = Counter(call.fault for call in calls if call.fault is not None)
    found = recoveries(calls)
    steps = [one.calls for one in found if one.calls is not None]
    return Errors(
        calls=len(found),
        by_kind=dict(faults),
        share=_share(len(found), sum(call.state is not State.UNANSWERED for call in calls)),
        recovered=len(steps),
        recovery_rate=_share(len(steps), len(found)),
        calls_to_recovery=fmean(steps) if steps else None,
        malformed=faults[Fault.MALFORMED] + calls_as_text,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
