"""Which figures of an `Effort` are averaged, and how each is shown."""

from collections.abc import Callable
from dataclasses import dataclass

from clawgym_bench.efficiency.costs import Tokens
from clawgym_bench.efficiency.effort import Effort, Speaker

Take = Callable[[Effort], float | None]
"""A figure of one trial; None where it has none."""


@dataclass(frozen=True, slots=True)
class EffortMeasure:
    """One figure of a trial."""

    title: str
    take: Take
    digits: int = 1
    is_share: bool = False
    """Whether it lies in [0, 1]; any other has no upper end."""


def _speaker(name: Speaker) -> Take:
    return lambda effort: effort.model.by_speaker.get(name, 0)


def _tokens(take: Callable[[Tokens], int | None]) -> Take:
    return lambda effort: None if effort.tokens is None else take(effort.tokens)


MEASURES = {
    "turns": EffortMeasure("turns", lambda effort: effort.model.turns),
    "model_calls": EffortMeasure("model calls", lambda effort: effort.model.calls),
    "sub_agent_calls": EffortMeasure("  of sub-agents", _speaker("sub_agent")),
    "program_calls": EffortMeasure("  of the agent's programs", _speaker("program")),
    "unknown_calls": EffortMeasure("  of unknown origin", _speaker("unknown")),
    "failed_model_calls": EffortMeasure("model calls without an answer", lambda effort: effort.model.failed),
    "tool_calls": EffortMeasure("tool calls", lambda effort: effort.tools.calls),
    "parallel_share": EffortMeasure("  in parallel", lambda effort: effort.tools.parallel_share, 3, is_share=True),
    "failed_calls": EffortMeasure("failed calls", lambda effort: effort.errors.calls, 2),
    "failed_share": EffortMeasure("  of the tool calls", lambda effort: effort.errors.share, 3, is_share=True),
    "recovery_rate": EffortMeasure("  recovered", lambda effort: effort.errors.recovery_rate, 3, is_share=True),
    "calls_to_recovery": EffortMeasure("  calls until recovered", lambda effort: effort.errors.calls_to_recovery),
    "malformed": EffortMeasure("malformed calls", lambda effort: effort.errors.malformed, 2),
    "repeated_looks": EffortMeasure("wasted: repeated looks", lambda effort: effort.waste.repeated_looks, 2),
    "empty_polls": EffortMeasure("wasted: empty polls", lambda effort: effort.waste.empty_polls, 2),
    "rewrites": EffortMeasure("context rewrites", lambda effort: effort.rewrites, 2),
    "total_tokens": EffortMeasure("tokens", _tokens(lambda tokens: tokens.total), 0),
    "input_tokens": EffortMeasure("  input", _tokens(lambda tokens: tokens.input), 0),
    "cached_tokens": EffortMeasure("  input from a cache", _tokens(lambda tokens: tokens.cache_read), 0),
    "cache_write_tokens": EffortMeasure("  input into a cache", _tokens(lambda tokens: tokens.cache_write), 0),
    "output_tokens": EffortMeasure("  output", _tokens(lambda tokens: tokens.output), 0),
    "reasoning_tokens": EffortMeasure("    reasoning", _tokens(lambda tokens: tokens.reasoning), 0),
    "cost_usd": EffortMeasure("cost, $", lambda effort: effort.cost_usd, 4),
    "wall_sec": EffortMeasure("seconds", lambda effort: effort.seconds.wall, 2),
    "working_sec": EffortMeasure("  working", lambda effort: effort.seconds.working, 2),
    "waiting_sec": EffortMeasure("  waiting", lambda effort: effort.seconds.waiting, 2),
    "model_sec": EffortMeasure("  in model calls", lambda effort: effort.seconds.model, 2),
    "tools_sec": EffortMeasure("  in tools", lambda effort: effort.seconds.tools, 2),
}
"""By their names in JSON."""

SPENT = ("total_tokens", "cost_usd")
"""What is told for each pass and for each point of score."""
