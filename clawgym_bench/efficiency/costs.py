"""What a try cost: tokens, money and time."""

from collections.abc import Sequence

from clawgym_bench.trajectory import AssistantEvent, Trajectory, Usage
from clawgym_data.spec.frozen import Frozen


class Tokens(Frozen):
    """Tokens as the provider counts them, of the agent's own calls with its sub-agents' and programs'; the judge's are none."""

    input: int
    """Without the cached ones."""
    cache_read: int
    cache_write: int
    output: int
    """With reasoning."""
    reasoning: int | None
    """None where the provider never tells it."""
    total: int


class Times(Frozen):
    """Seconds; None where the log does not tell."""

    wall: float | None
    """The whole trial with set-up, earlier tries and grading, as Inspect measures it."""
    working: float | None
    """Of these, without waiting."""
    waiting: float | None
    """The difference: for a provider that limits its rate, before its retries, and for what the run's trials share."""
    model: float | None
    """Of the model calls of the graded try, without waiting; those side by side count each."""
    tools: float | None
    """Of the tools of the graded try, side by side ones each; None where the harness ran them, which tells no times."""


def tokens_of(answers: Sequence[AssistantEvent]) -> Tokens | None:
    """The sum over answers; None where there is none, or one whose provider told no usage: a part would look cheap."""
    told = _usages(answers)
    if told is None:
        return None
    reasoning = [usage.reasoning_tokens for usage in told if usage.reasoning_tokens is not None]
    return Tokens(
        input=sum(usage.input_tokens for usage in told),
        cache_read=sum(usage.cache_read_tokens or 0 for usage in told),
        cache_write=sum(usage.cache_write_tokens or 0 for usage in told),
        output=sum(usage.output_tokens for usage in told),
        reasoning=sum(reasoning) if reasoning else None,
        total=sum(usage.total_tokens for usage in told),
    )


def cost_of(answers: Sequence[AssistantEvent]) -> float | None:
    """Dollars of the answers; None where the log lacks the price of one."""
    costs = [usage.cost_usd for usage in _usages(answers) or ()]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known and len(known) == len(costs) else None


def times_of(trajectory: Trajectory) -> Times:
    """The times of a trial."""
    last = trajectory.attempts
    model = [
        answer.working_sec
        for answer in trajectory.answers()
        if answer.attempt == last and answer.working_sec is not None
    ]
    tools = [
        event.seconds
        for event in trajectory.events
        if event.kind == "tool" and event.attempt == last and event.seconds is not None
    ]
    wall, working = trajectory.timings.total_sec, trajectory.timings.working_sec
    return Times(
        wall=wall,
        working=working,
        waiting=None if wall is None or working is None else max(0.0, wall - working),
        model=sum(model) if model else None,
        tools=sum(tools) if tools else None,
    )


def _usages(answers: Sequence[AssistantEvent]) -> list[Usage] | None:
    """Usage of each answer; None where one lacks it, or there is none."""
    told = [answer.usage for answer in answers if answer.usage is not None]
    return told if told and len(told) == len(answers) else None
