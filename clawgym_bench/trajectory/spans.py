"""Inspect's spans: whose model calls are whose."""

from dataclasses import dataclass, field

from inspect_ai.event import ModelEvent, SpanBeginEvent, ToolEvent

from clawgym_bench.trajectory.conversations import Origin

JUDGE, PREFLIGHT = "judge", "preflight"


@dataclass
class Spans:
    """The spans of one trial."""

    begun: dict[str, SpanBeginEvent] = field(default_factory=dict)
    owners: dict[str, Origin] = field(default_factory=dict)
    """The tool call that a span surrounds, by the span's id."""

    def begin(self, event: SpanBeginEvent) -> None:
        """Note a span."""
        self.begun[event.id] = event

    def own(self, call: ToolEvent, origin: Origin) -> None:
        """Note a tool call: the spans of the tool and of the agent that it runs are its own."""
        around = [
            span.id
            for span in reversed(self.begun.values())
            if (span.type, span.name, span.parent_id) == ("tool", call.function, call.span_id)
            and span.id not in self.owners
        ]
        for span_id in (*around[:1], call.agent_span_id):
            if span_id:
                self.owners[span_id] = origin

    def above(self, span_id: str | None) -> list[SpanBeginEvent]:
        """A span and those around it, the innermost first."""
        found: list[SpanBeginEvent] = []
        while span_id in self.begun:
            found.append(self.begun[span_id])
            span_id = found[-1].parent_id
        return found

    def other_than_the_agents(self, call: ModelEvent) -> str | None:
        """What a call is where it is none of the agent's: `judge`, `preflight`, or the model's role."""
        around = self.above(call.span_id)
        if any(span.type in ("scorers", "scorer") for span in around):
            return JUDGE
        if any(span.name == PREFLIGHT for span in around):
            return PREFLIGHT
        return call.role

    def owner(self, span_id: str | None) -> Origin | None:
        """The tool call that started what runs in a span."""
        owners = (self.owners.get(span.id) for span in self.above(span_id))
        return next((owner for owner in owners if owner is not None), None)
