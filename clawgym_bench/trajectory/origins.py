"""Where each conversation comes from: the agent's own, a sub-agent's, or one of a program that the agent wrote."""

from collections.abc import Iterator, Sequence

from clawgym_bench.trajectory.conversations import Talk
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
        parent, started_by = talk.parent, "span"
        if parent is None and (talk is root or _holds(talk, instruction)):
            started_by = "trial"
        elif parent is None:
            parent = _teller(talk, events)
            started_by = "call" if parent else "unknown"
            parent = parent or root.id
        above = found.get(parent) if parent else None
        found[talk.id] = Conversation(
            id=talk.id,
            attempt=talk.attempt,
            parent=parent,
            depth=0 if started_by == "trial" else (above.depth if above else 0) + 1,
            started_by=started_by,  # type: ignore[arg-type]
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


def _teller(talk: Talk, events: Sequence[Draft]) -> str | None:
    """The conversation with the last call before whose arguments hold the first message, or a long part of it."""
    text = "\n".join(_told(talk))
    found = None
    for draft in events:
        if draft.fields.get("conversation") == talk.id:
            break
        if draft.kind != "assistant" or draft.fields["attempt"] != talk.attempt:
            continue
        values = [value for call in draft.fields["calls"] for value in call.arguments.values()]
        if any(isinstance(value, str) and _overlap(value, text) for value in values):
            found = draft.fields["conversation"]
    return found


def _overlap(value: str, text: str) -> bool:
    shorter, longer = sorted((value, text), key=len)
    return len(shorter) >= MIN_TOLD_CHARACTERS and shorter in longer
