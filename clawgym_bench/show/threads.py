"""What of a trajectory is shown, in which order: its conversations as threads of turns, and notes on what went on around."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from clawgym_bench.explain import explain_unscored, summary
from clawgym_bench.openclaw.session import SOURCE as SESSION_SOURCE
from clawgym_bench.solvers.openclaw import REPORT_SOURCE
from clawgym_bench.trajectory import (
    AssistantEvent,
    Comparison,
    ContextRewriteEvent,
    Conversation,
    EnvironmentEvent,
    Event,
    SystemEvent,
    ToolCall,
    ToolEvent,
    Trajectory,
    UserEvent,
)
from clawgym_data.outcome import Outcome

NOTED = {"info", "error", "sample_limit", "compaction", "interrupt", "input", "approval"}
"""Events around the conversations that are shown where they happened; of the others only the number is."""
Turn = SystemEvent | UserEvent | AssistantEvent | ContextRewriteEvent | EnvironmentEvent


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation."""

    conversation: Conversation
    title: str
    turns: tuple[Turn, ...]


def threads(trajectory: Trajectory) -> list[Thread]:
    """The conversations: the agent's own of the graded try, the others of that try, and then earlier tries."""
    main = trajectory.main
    order = sorted(
        trajectory.conversations,
        key=lambda one: (one.attempt != trajectory.attempts, one.attempt, one is not main, one.depth),
    )
    first = {one.attempt: one.id for one in reversed(order)}
    return [_thread(trajectory, one, with_notes=first[one.attempt] == one.id) for one in order]


def _thread(trajectory: Trajectory, conversation: Conversation, with_notes: bool) -> Thread:
    turns = [
        event
        for event in trajectory.events
        if isinstance(event, Turn)
        and (
            getattr(event, "conversation", None) == conversation.id
            or (with_notes and event.attempt == conversation.attempt and is_note(event))
        )
    ]
    return Thread(conversation, _title(trajectory, conversation), tuple(turns))


def is_note(event: Event) -> bool:
    """Whether an event around the conversations is shown where it happened."""
    own = isinstance(event, EnvironmentEvent) and event.what in NOTED
    return own and getattr(event, "source", None) not in (SESSION_SOURCE, REPORT_SOURCE)


def _title(trajectory: Trajectory, conversation: Conversation) -> str:
    earlier = f"try {conversation.attempt}, not graded: " if conversation.attempt != trajectory.attempts else ""
    count = len(list(trajectory.answers(conversation.id)))
    answers = f"({count} answer{'' if count == 1 else 's'})"
    if conversation.depth == 0:
        return f"{earlier}the agent's conversation {answers}"
    how = {"span": "started by a tool call", "call": "a tool call holds its first message"}
    said = how.get(conversation.started_by, "no call is known that started it")
    return f"{earlier}conversation {conversation.id} at depth {conversation.depth}, {said} {answers}"


def results_by_call(trajectory: Trajectory, answer: AssistantEvent) -> list[tuple[ToolCall, ToolEvent | None]]:
    """Each call of an answer with its result, None where there is none."""
    results = {result.call_id: result for result in trajectory.results(answer)}
    return [(call, results.get(call.id)) for call in answer.calls]


def around(trajectory: Trajectory) -> dict[str, int]:
    """How many events of each kind are not shown."""
    found = Counter(
        event.what if isinstance(event, EnvironmentEvent) else "unknown"
        for event in trajectory.events
        if event.kind in ("environment", "unknown") and not is_note(event)
    )
    return dict(found.most_common())


def why(trajectory: Trajectory) -> list[str]:
    """Why the trial got its score, or none; a line each."""
    known = trajectory.outcome in set(Outcome)
    if trajectory.verdict is not None and known:
        return summary(trajectory.verdict, Outcome(trajectory.outcome), trajectory.cause)
    if known:
        return explain_unscored(Outcome(trajectory.outcome), trajectory.cause).splitlines()
    return [f"{trajectory.outcome}: {trajectory.cause}"]


def figures(trajectory: Trajectory) -> Iterator[tuple[str, str]]:
    """Name and text of what a reader wants to know first."""
    yield "task", f"{trajectory.task}, trial {trajectory.epoch}"
    yield "solver", trajectory.solver
    yield "model", trajectory.model
    yield "run", f"{trajectory.run.created[:16].replace('T', ' ')}, {trajectory.run.log}"
    seconds, working = trajectory.timings.total_sec, trajectory.timings.working_sec
    if seconds is not None:
        yield "time", f"{seconds:,.1f} s" + (f", {working:,.1f} s of it working" if working is not None else "")
    answers = [answer for answer in trajectory.answers() if answer.error is None]
    failed = sum(answer.error is not None for answer in trajectory.answers())
    errors = sum(event.kind == "tool" and event.error is not None for event in trajectory.events)
    yield "answers", f"{len(answers)}" + (f", {failed} calls of the model failed" if failed else "")
    calls = sum(len(answer.calls) for answer in answers)
    yield "tool calls", f"{calls}" + (f", {errors} answered with an error" if errors else "")
    for name, usage in trajectory.usage_by_model.items():
        cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
        cost = f", ${usage.cost_usd:.4f}" if usage.cost_usd is not None else ""
        yield f"all tokens of {name}", f"{usage.input_tokens + cached:,} in, {usage.output_tokens:,} out{cost}"
    if trajectory.attempts > 1:
        yield "tries", f"{trajectory.attempts}; the earlier ones failed by no doing of the agent"


def answer_facts(answer: AssistantEvent) -> Iterator[str]:
    """Who answered, and what there is to know of the call beside it."""
    yield {"model": "assistant", "input": "assistant (given to the model)", "record": "recorded"}[answer.origin]
    if answer.at_sec is not None:
        took = f" for {answer.completed_sec - answer.at_sec:.1f} s" if answer.completed_sec is not None else ""
        yield f"at {answer.at_sec:.1f} s{took}"
    if answer.usage is not None:
        usage = answer.usage
        cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
        yield f"{usage.input_tokens + cached:,} in, {usage.output_tokens:,} out"
    if answer.stop_reason not in (None, "stop", "tool_calls"):
        yield str(answer.stop_reason)
    if answer.model is not None and answer.answered_model not in (None, answer.model, answer.model.split("/")[-1]):
        yield f"answered by {answer.answered_model}"
    if answer.retries:
        yield f"{answer.retries} retries"
    if answer.cached:
        yield "from the cache"


def rewrite_text(event: ContextRewriteEvent) -> str:
    """A rewrite in words."""
    counts = {
        "dropped": len(event.dropped),
        "replaced": len(event.replaced),
        "inserted": len(event.inserted),
        "without their reasoning": len(event.reasoning_dropped),
    }
    said = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    return f"the harness rewrote the conversation: {said} (messages)"


def agreement(comparison: Comparison) -> list[str]:
    """Whether OpenClaw's own record says the same, a line each."""
    if not comparison.sessions:
        return ["OpenClaw's own record: there is none in the log"]
    word = "agrees" if comparison.agrees else "does not agree" if comparison.differences else "is not whole"
    matched = f"{comparison.answers_matched} of {comparison.answers} answers, {comparison.results_matched} results"
    lines = [f"OpenClaw's own record {word}: {matched} found in {len(comparison.sessions)} sessions"]
    if comparison.unknown:
        lines.append(
            f"{len(comparison.unknown)} answers that no session knows: programs of the agent ask the model too"
        )
    lines += [f"not read: {reason}" for reason in comparison.unread]
    lines += [f"cut in the log: {path}" for path in comparison.truncated if path]
    lines += [f"damaged line {one.line} of {one.session}: {one.reason}" for one in comparison.damaged[:5]]
    for one in comparison.differences[:20]:
        where = f"line {one.line} of {one.session}" if one.line else "in no session"
        lines.append(
            f"{one.kind.replace('_', ' ')} ({one.event or 'not in the log'}, {where}): {one.ours!r} / {one.theirs!r}"
        )
    more = len(comparison.differences) - 20
    return [*lines, f"and {more} more differences"] if more > 0 else lines
