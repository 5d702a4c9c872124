"""Segments: an answer's actions and what they brought, the unit that training and step-wise figures work on."""

from collections.abc import Mapping, Sequence

from clawgym_bench.trajectory.events import AssistantEvent, Event, Record, ToolEvent, UserEvent
from clawgym_bench.trajectory.record import Trajectory


class Segment(Record):
    """One answer that was there, and what came back before the next one."""

    conversation: str
    action: AssistantEvent
    observations: tuple[ToolEvent | UserEvent, ...]
    """Results of its calls, in the order of the calls, and then what the user or the harness said next."""
    continues: str | None
    """Id of the answer before it, where its input begins with all that this one was conditioned on and said. None: it is a
    conversation's first, or the harness has rewritten the conversation, so that training begins a new row."""
    is_followed: bool
    """Whether a later call was conditioned on it; the last answer of a trial and one that was thrown away are not."""


def segments(trajectory: Trajectory, conversation: str | None = None, attempt: int | None = None) -> list[Segment]:
    """The segments of a trial, in the order in which the answers began; failed calls are no actions.

    Args:
        trajectory: the trial.
        conversation: only of this one.
        attempt: only of this try; the last one was graded.
    """
    answers = [
        answer
        for answer in trajectory.answers(conversation)
        if answer.error is None and attempt in (None, answer.attempt)
    ]
    used = {name for answer in trajectory.answers() for name in answer.conditioned_on}
    known = trajectory.by_id
    said = _next_words(answers, known)
    return [
        Segment(
            conversation=answer.conversation,
            action=answer,
            observations=(*_results(trajectory, answer), *said.get(answer.id, ())),
            continues=_continued(answer, known),
            is_followed=answer.id in used,
        )
        for answer in answers
    ]


def _continued(answer: AssistantEvent, known: Mapping[str, Event]) -> str | None:
    for place, name in reversed(list(enumerate(answer.conditioned_on))):
        before = known[name]
        if before.kind == "assistant" and before.origin != "input":
            return name if before.conditioned_on == answer.conditioned_on[:place] else None
    return None


def _results(trajectory: Trajectory, answer: AssistantEvent) -> list[ToolEvent]:
    order = {call.id: place for place, call in enumerate(answer.calls)}
    return sorted(trajectory.results(answer), key=lambda result: order.get(result.call_id, len(order)))


def _next_words(answers: Sequence[AssistantEvent], known: Mapping[str, Event]) -> dict[str, list[UserEvent]]:
    """What the user said after each answer, by the input of the first call that was conditioned on it."""
    said: dict[str, list[UserEvent]] = {}
    for answer in answers:
        after: str | None = None
        words: dict[str, list[UserEvent]] = {}
        for message in map(known.__getitem__, answer.conditioned_on):
            if message.kind == "assistant":
                after = message.id
            elif message.kind == "user" and after is not None:
                words.setdefault(after, []).append(message)
        for name, texts in words.items():
            said.setdefault(name, texts)
    return said
