"""Where each conversation comes from: the agent's own, a sub-agent's, or one of a program that the agent wrote."""

from collections.abc import Iterator, Sequence

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
    roots = _roots(talks, instruction)
    for talk in talks:
        root = roots[talk.attempt]
        origin, started_by = talk.started_in, "span"
        if origin is None and (talk is root or _holds(talk, instruction)):
            started_by = "trial"
        elif origin is None:
            origin = _teller(talk, events)
            started_by = "call" if origin else "unknown"
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


def _roots(talks: Sequence[Talk], instruction: str) -> dict[int, Talk]:
    """By try, the conversation that begins with the instruction, else the first one."""
    roots: dict[int, Talk] = {}
    for talk in talks:
        known = roots.get(talk.attempt)
        if known is None or (not _holds(known, instruction) and _holds(talk, instruction)):
            roots[talk.attempt] = talk
    return roots


def _holds(talk: Talk, instruction: str) -> bool:
    wanted = " ".join(instruction.split())
    return any(wanted in " ".join(text.split()) for text in _told(talk))


def _told(talk: Talk) -> Iterator[str]:
    """What the user says before the first answer."""
    return (draft.fields["content"] for draft in talk.head if draft.kind == "user")


def _teller(talk: Talk, events: Sequence[Draft]) -> Origin | None:
    """The last call before whose arguments hold the first message, or a long part of it."""
    text = "\n".join(_told(talk))
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
