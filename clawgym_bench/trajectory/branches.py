"""Branches: each way through a conversation from its first message to an answer that nothing goes on from.

A conversation that was never rewritten is one branch. After a rewrite the same answers can stand in several.
"""

from collections.abc import Iterator

from clawgym_bench.trajectory.events import AssistantEvent, MessageEvent, Record
from clawgym_bench.trajectory.record import Conversation, Trajectory
from clawgym_bench.trajectory.segments import segments


class Branch(Record):
    """One linear conversation as the model saw it last."""

    conversation: str
    number: int
    """0 for the first branch of its conversation."""
    messages: tuple[MessageEvent, ...]
    """They end with an answer; what came of its calls no answer has seen."""
    own: tuple[int, ...]
    """Places of the answers that the model gave; others were put there by the harness, or by a recording."""
    fresh: tuple[int, ...]
    """Those of them that stand in no branch before this one."""
    is_last: bool
    """Whether it is the conversation's newest branch."""


def branches(trajectory: Trajectory, conversation: Conversation) -> Iterator[Branch]:
    """The branches of a conversation, in the order in which they ended."""
    parts = segments(trajectory, conversation.id)
    continued = {part.continues for part in parts}
    ends = [part.action for part in parts if part.action.id not in continued]
    seen: set[str] = set()
    for number, end in enumerate(ends):
        messages = [*trajectory.messages(end), end]
        own = [
            place
            for place, message in enumerate(messages)
            if isinstance(message, AssistantEvent) and message.origin == "model"
        ]
        fresh = [place for place in own if messages[place].id not in seen]
        seen.update(messages[place].id for place in fresh)
        yield Branch(
            conversation=conversation.id,
            number=number,
            messages=tuple(messages),
            own=tuple(own),
            fresh=tuple(fresh),
            is_last=end is ends[-1],
        )
