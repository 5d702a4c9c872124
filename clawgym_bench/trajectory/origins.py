"""Where each conversation comes from: the agent's own, a sub-agent's, or one of a program that the agent wrote."""

from collections.abc import Sequence

from clawgym_bench.trajectory.conversations import Origin, Talk
from clawgym_bench.trajectory.drafts import Draft
from clawgym_bench.trajectory.record import Conversation

MIN_TOLD_CHARACTERS = 20
"""Shorter texts stand in a call's arguments by chance."""


def conversations_of(talks: Sequence[Talk], events: Sequence[Draft], instruction: str) -> tuple[Conversation, ...]:
    """The conversations, each with its parent and depth.

    Args:
        talks: as the calls were grouped, in the order in which they began.
        events: of the trial.
        instruction: what the agent's own conversation says.
    """
    found: dict[str, Conversation] = {}
    own = _own(talks, events, instruction)
    for talk in talks:
        origin, started_by = talk.started_in, "span"
        if origin is None and talk in own:
            started_by = "trial"
        elif origin is None:
            origin = _teller(talk, events)
            started_by = "call" if origin else "unknown"
        root = next(one for one in own if one.attempt == talk.attempt)
        parent = origin.conversation if origin else root.id if started_by == "unknown" else None
        found[talk.id] = Conversation(
            id=talk.id,
            attempt=talk.attempt,
            parent=parent,
            depth=found[parent].depth + 1 if parent in found else int(parent is not None),
            started_by=started_by,  # type: ignore[arg-type]
            answer=origin and origin.answer,
            call_id=origin and origin.call_id,
            tools=talk.tools,
        )
    return tuple(found.values())


def _own(talks: Sequence[Talk], events: Sequence[Draft], instruction: str) -> list[Talk]:
    """The agent's own conversations, of each try the root first.

    Programs of the agent and sub-agents may quote the instruction too, but none of them runs before the first call of a tool.
    So the conversations that hold it are the agent's own where they begin before that, and where they go on with one of those
    that the harness has begun anew, on a summary say.
    """
    own: list[Talk] = []
    for attempt in dict.fromkeys(talk.attempt for talk in talks):
        tried = [talk for talk in talks if talk.attempt == attempt]
        holding = [talk for talk in tried if _holds(talk, instruction)]
        early = [talk for talk in holding if _begins_before_calls(talk, events)]
        mine = early or tried[:1]
        for talk in holding:
            if talk not in mine and any(_goes_on_with(talk, one, events) for one in mine):
                mine.append(talk)
        own += mine
    return own


def _begins_before_calls(talk: Talk, events: Sequence[Draft]) -> bool:
    """Whether a conversation began before any answer of its try that asks for a call had come."""
    first, place = _beginning(talk, events)
    began = first.fields.get("at_sec")
    for number, draft in enumerate(events):
        if draft.kind == "assistant" and draft.fields["attempt"] == talk.attempt and _has_asked(draft):
            came = draft.fields.get("completed_sec")
            return place <= number or (began is not None and came is not None and began < came)
    return True


def _has_asked(answer: Draft) -> bool:
    """Whether an answer of the model, and not one that it was given, asks for a call."""
    return bool(answer.fields["calls"]) and answer.fields.get("origin") != "input"


def _goes_on_with(talk: Talk, other: Talk, events: Sequence[Draft]) -> bool:
    """Whether a conversation is another one begun anew: with the same tools, and nobody was asked in the other since."""
    offers = [{tool["name"] for tool in one.tools} or _said(one, "system") for one in (talk, other)]
    _, place = _beginning(talk, events)
    later = (draft for draft in events[place:] if draft.kind == "assistant")
    return (
        bool(offers[0]) and offers[0] == offers[1] and all(one.fields.get("conversation") != other.id for one in later)
    )


def _beginning(talk: Talk, events: Sequence[Draft]) -> tuple[Draft, int]:
    """The first event of a conversation, and its place."""
    return next((draft, place) for place, draft in enumerate(events) if draft.fields.get("conversation") == talk.id)


def _holds(talk: Talk, instruction: str) -> bool:
    wanted = " ".join(instruction.split())
    return any(wanted in " ".join(text.split()) for text in _said(talk, "user"))


def _said(talk: Talk, kind: str) -> list[str]:
    """What the user says before the first answer, or the system."""
    return [draft.fields["content"] for draft in talk.head if draft.kind == kind]


def _teller(talk: Talk, events: Sequence[Draft]) -> Origin | None:
    """The last call before whose arguments hold the first message, or a long part of it."""
    text = "\n".join(_said(talk, "user"))
    found = None
    for draft in events:
        if draft.fields.get("conversation") == talk.id:
            break
        if draft.kind != "assistant" or draft.fields["attempt"] != talk.attempt:
            continue
        for call in draft.fields["calls"]:
            if any(isinstance(value, str) and _overlap(value, text) for value in call.arguments.values()):
                found = Origin(draft.fields["conversation"], draft.id, call.id)
    return found


def _overlap(value: str, text: str) -> bool:
    shorter, longer = sorted((value, text), key=len)
    return len(shorter) >= MIN_TOLD_CHARACTERS and shorter in longer
