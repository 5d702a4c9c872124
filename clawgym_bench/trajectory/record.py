"""`Trajectory`: the typed record of one trial, whoever acted in it."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from clawgym_bench.trajectory.events import AssistantEvent, Event, MessageEvent, Object, Record, Text, ToolEvent, Usage
from clawgym_data.grading.verdict import Verdict

SCHEMA_VERSION: Literal[1] = 1


class Run(Record):
    """The run that a trial belongs to."""

    log: Text
    """Name of the log file."""
    id: Text
    """Inspect's id of the task, which a retry keeps."""
    created: Text
    version: Text
    """Of the results: numbers of another first part are not comparable."""
    sandbox: Text
    limits: Object = {}


class Timings(Record):
    """When a trial ran."""

    started_at: Text | None = None
    completed_at: Text | None = None
    total_sec: float | None = None
    working_sec: float | None = None
    """Without waiting for the provider."""


class Conversation(Record):
    """Model calls that continue each other; they may be interleaved with those of others."""

    id: str
    attempt: int = 1
    parent: str | None = None
    """The conversation that started this one, as far as can be told."""
    depth: int = 0
    """0: the agent's own; 1: a sub-agent's, or one that a program of the agent holds with the model; and so on."""
    started_by: Literal["trial", "span", "call", "unknown"] = "trial"
    """How that is known: the agent's own; Inspect's span; the arguments of a call hold its first message; not at all."""
    answer: str | None = None
    """Id of the assistant event whose call started it, where that is known."""
    call_id: Text | None = None
    """Of that call."""
    tools: tuple[Object, ...] = ()
    """Tools that the model was offered, in the form of JSON schema; the last list where it changed."""


class Trajectory(Record):
    """One attempt at a task."""

    schema_version: Literal[1] = SCHEMA_VERSION
    task: Text
    task_digest: Text
    epoch: int
    """Number of the trial of this task."""
    uuid: Text
    """Inspect's, kept when a sample is carried into another log."""
    solver: Text
    model: Text
    run: Run
    instruction: Text
    category: Text | None = None
    cluster: Text | None = None
    outcome: Text
    cause: Text = ""
    score: float | None = None
    """The headline in [0, 1]; None where the trial is unscored."""
    passed: bool | None = None
    verdict: Verdict | None = None
    """The score's components; None where the trial was not graded."""
    workspace: Object | None = None
    """Where the final workspace is kept, as the log records it."""
    timings: Timings = Timings()
    usage_by_model: dict[str, Usage] = {}
    """Of the whole trial, a judge's calls included."""
    usage_by_role: dict[str, Usage] = {}
    conversations: tuple[Conversation, ...] = ()
    events: tuple[Event, ...] = Field(default=())
    """In the order of the log: mostly that in which they began."""

    @property
    def attempts(self) -> int:
        """How many tries the trial took; the last one was graded."""
        return max((event.attempt for event in self.events), default=1)

    @property
    def by_id(self) -> dict[str, Event]:
        """Each event by its id."""
        return {event.id: event for event in self.events}

    @property
    def main(self) -> Conversation | None:
        """The agent's own conversation in the last try: the longest one at depth 0; None where there is none."""
        roots = [one for one in self.conversations if one.depth == 0 and one.attempt == self.attempts]
        return max(roots, key=lambda one: len(list(self.answers(one.id))), default=None)

    def answers(self, conversation: str | None = None) -> Iterator[AssistantEvent]:
        """The assistant events that are no mere input, of one conversation or of all, those that failed included."""
        for event in self.events:
            if event.kind == "assistant" and event.origin != "input" and conversation in (None, event.conversation):
                yield event

    def results(self, answer: AssistantEvent) -> list[ToolEvent]:
        """What the calls of an answer gave, as it was first told; a harness may shorten it later."""
        first: dict[str, ToolEvent] = {}
        for event in self.events:
            if event.kind == "tool" and event.answers == answer.id:
                first.setdefault(event.call_id, event)
        return list(first.values())

    def messages(self, answer: AssistantEvent) -> list[MessageEvent]:
        """What an answer was conditioned on."""
        known = self.by_id
        found = [known[name] for name in answer.conditioned_on]
        return [event for event in found if isinstance(event, MessageEvent)]


__all__ = ["SCHEMA_VERSION", "Conversation", "Run", "Timings", "Trajectory"]
