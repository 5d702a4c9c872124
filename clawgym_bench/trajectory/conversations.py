"""Which model calls continue which: conversations, told apart by the messages that they are conditioned on.

Each conversation is a tree of messages. A call that goes on where a branch ends continues it; one that shares answers with a
conversation without doing so is conditioned on a rewritten one; any other begins a conversation of its own.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any, NamedTuple

from clawgym_bench.trajectory.drafts import Draft


class Origin(NamedTuple):
    """The tool call that started a conversation."""

    conversation: str
    answer: str
    """Id of the assistant event."""
    call_id: str


@dataclass(eq=False)
class Node:
    """A message after all those above it."""

    draft: Draft
    parent: "Node | None" = None
    below: dict[str, "Node"] = field(default_factory=dict)

    def add(self, draft: Draft) -> "Node":
        """The node of a message after this one."""
        return self.below.setdefault(draft.fields["digest"], Node(draft, self))

    def chain(self) -> list["Node"]:
        """From the first message to this one."""
        found: list[Node] = []
        node: Node = self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]


@dataclass(eq=False)
class Talk:
    """One conversation as it grows."""

    id: str
    attempt: int
    head: list[Draft]
    """The input of its first call."""
    root: Node = field(default_factory=lambda: Node(Draft("root")))
    tips: list[Node] = field(default_factory=list)
    """Where calls ended that no later one goes on from, the newest last."""
    answers: set[str] = field(default_factory=set)
    """Digests of the model's answers."""
    results: dict[str, list[Draft]] = field(default_factory=dict)
    """Results of tools, by the id of their call, that no call of the model has seen yet."""
    reasonless: set[str] = field(default_factory=set)
    is_compacted: bool = False
    """Whether the harness said that it made the conversation shorter, since the last call."""
    tools: tuple[dict[str, Any], ...] = ()
    started_in: Origin | None = None
    """The tool call that this conversation runs in, where Inspect's spans tell."""

    def walk(self, inputs: Sequence[Draft]) -> tuple[Node, int]:
        """The last node that the messages share with this tree, and how many they share."""
        node = self.root
        for depth, message in enumerate(inputs):
            below = node.below.get(message.fields["digest"])
            if below is None:
                return node, depth
            node = below
        return node, len(inputs)

    def end_at(self, node: Node) -> None:
        """Note where a call ended."""
        above = set(map(id, node.chain()))
        self.tips = [tip for tip in self.tips if id(tip) not in above] + [node]

    def nearest(self, inputs: Sequence[Draft]) -> list[Draft]:
        """The branch that a rewritten input was made from: the newest that ends in its last answer, or what shares most."""
        last = next((_digest(message) for message in reversed(inputs) if message.kind == "assistant"), None)
        for tip in reversed(self.tips):
            if _digest(tip.draft) == last:
                return [node.draft for node in tip.chain()]
        said = Counter(_digest(message) for message in inputs)
        chains = [[node.draft for node in tip.chain()] for tip in reversed(self.tips)]
        return max(chains, key=lambda chain: (Counter(map(_digest, chain)) & said).total(), default=[])

    def newly_reasonless(self, after: Sequence[Draft], inputs: Sequence[Draft]) -> tuple[str, ...]:
        """Answers that stand in an input without their reasoning for the first time."""
        lost = [
            draft.id
            for draft, message in zip(after, inputs, strict=True)
            if draft.fields.get("reasoning") and not message.fields.get("reasoning") and draft.id not in self.reasonless
        ]
        self.reasonless.update(lost)
        return tuple(lost)


class Book:
    """The conversations of one trial.

    Args:
        events: where new events are appended, each with its id.
    """

    def __init__(self, events: list[Draft]) -> None:
        self.events = events
        self.talks: list[Talk] = []
        self.attempt = 1
        self._answered: set[tuple[str, str]] = set()

    def emit(self, draft: Draft, **fields: Any) -> Draft:  # noqa: ANN401 - fields of the event
        """Append an event."""
        draft.id = f"e{len(self.events)}"
        draft.fields |= {"attempt": self.attempt, **fields}
        self.events.append(draft)
        return draft

    def call(self, inputs: Sequence[Draft], answer: Draft, at_sec: float | None) -> Talk:
        """Enter a call: its new input messages, whether they were rewritten, and the answer."""
        talk = self._find(inputs)
        if talk is None:
            talk = Talk(f"c{len(self.talks)}", self.attempt, list(inputs))
            self.talks.append(talk)
        end = self._enter(talk, inputs, at_sec)
        ids = tuple(node.draft.id for node in end.chain())
        self.emit(answer, conversation=talk.id, conditioned_on=ids, at_sec=at_sec)
        talk.is_compacted = False
        if answer.fields.get("error") is None:
            end = end.add(answer)
            talk.answers.add(answer.fields["digest"])
        talk.end_at(end)
        return talk

    def tail(self, inputs: Sequence[Draft]) -> None:
        """Enter messages that no call has seen: a record's end, or all of one in which nobody answered."""
        talk = self._find(inputs) or Talk(f"c{len(self.talks)}", self.attempt, list(inputs))
        if talk not in self.talks:
            self.talks.append(talk)
        talk.end_at(self._enter(talk, inputs, None, seen=False))

    def owner(self, call_id: str, name: str) -> tuple[Talk | None, Draft | None]:
        """The conversation and the answer that asked for a call, the newest one that has no result of it yet."""
        for draft in reversed(self.events):
            if draft.kind != "assistant" or draft.fields["attempt"] != self.attempt:
                continue
            asked = any((call.id, call.name) == (call_id, name) for call in draft.fields["calls"])
            if asked and (draft.id, call_id) not in self._answered:
                self._answered.add((draft.id, call_id))
                return self.talk(draft.fields["conversation"]), draft
        return None, None

    def talk(self, name: str) -> Talk:
        """A conversation by its id."""
        return self.talks[int(name[1:])]

    def _find(self, inputs: Sequence[Draft]) -> Talk | None:
        """The conversation that a call belongs to."""
        talks = [(talk, *talk.walk(inputs)) for talk in self.talks if talk.attempt == self.attempt]
        ends = [
            (depth, _same_ids(node, inputs), place) for place, (_, node, depth) in enumerate(talks) if _is_end(node)
        ]
        if ends:
            return talks[max(ends)[2]][0]
        said = [message.fields["digest"] for message in inputs if message.kind == "assistant"]
        shared = [
            (sum(digest in talk.answers for digest in said), depth, place)
            for place, (talk, _, depth) in enumerate(talks)
        ]
        if shared and max(shared)[0] > 0:
            return talks[max(shared)[2]][0]
        cut = [talk for talk, _, depth in talks if talk.is_compacted or 0 < len(talk.head) <= depth < len(inputs)]
        return cut[-1] if cut else None

    def _enter(self, talk: Talk, inputs: Sequence[Draft], at_sec: float | None, seen: bool = True) -> Node:
        node, depth = talk.walk(inputs)
        path = [one.draft for one in node.chain()]
        before = [] if _is_end(node) else talk.nearest(inputs)
        pairs = _aligned(before, inputs)
        same = {new: before[old] for old, new in pairs if _digest(before[old]) == _digest(inputs[new])}
        for place in range(depth, len(inputs)):
            draft = same.get(place)
            if draft is None or draft in path:
                draft = self._bound(talk, node, inputs[place], seen)
            if not draft.id:
                self.emit(draft, conversation=talk.id, at_sec=at_sec)
            path.append(draft)
            node = node.add(draft)
        after = [one.draft for one in node.chain()]
        changes = _changes(before, after, pairs) | {"reasoning_dropped": talk.newly_reasonless(after, inputs)}
        if any(changes.values()):
            last = [draft.id for draft in before or after if draft.kind == "assistant"]
            self.emit(
                Draft("context_rewrite", changes),
                conversation=talk.id,
                before=last[-1] if last else None,
                at_sec=at_sec,
            )
        return node

    def _bound(self, talk: Talk, above: Node, message: Draft, seen: bool) -> Draft:
        """The event of a message that is new here: the tool's own record where there is one."""
        if message.kind == "assistant":
            return Draft("assistant", {**message.fields, "origin": "input"})
        if message.kind != "tool":
            return Draft(message.kind, dict(message.fields))
        call_id = message.fields["call_id"]
        asked, name = _asking(above, call_id)
        waiting = talk.results.get(call_id, [])
        result = next((draft for draft in waiting if draft.fields["answers"] == asked), None)
        if result is None:
            told = message.fields["name"] or name
            return Draft("tool", {**message.fields, "name": told, "answers": asked, "seen": seen})
        waiting.remove(result)
        shown = {field: message.fields[field] for field in ("content", "parts", "digest", "error")}
        result.fields |= {**shown, "seen": seen}
        return result


def copy_of(draft: Draft) -> Draft:
    """A draft of its own with the same fields."""
    return replace(draft, fields=dict(draft.fields))


def _is_end(node: Node) -> bool:
    return node.parent is not None and not node.below


def _same_ids(node: Node, inputs: Sequence[Draft]) -> int:
    """In how many answers the calls have the same ids too: equal conversations that run side by side differ in them."""
    pairs = zip(node.chain(), inputs, strict=False)
    return sum(
        [call.id for call in above.draft.fields["calls"]] == [call.id for call in message.fields["calls"]]
        for above, message in pairs
        if message.kind == "assistant"
    )


def _asking(above: Node, call_id: str) -> tuple[str | None, str | None]:
    """Id of the nearest answer above that asks for a call, and the tool's name."""
    for node in reversed(above.chain()):
        for call in node.draft.fields.get("calls", ()):
            if call.id == call_id:
                return node.draft.id, call.name
    return None, None


def _aligned(old: Sequence[Draft], new: Sequence[Draft]) -> list[tuple[int, int]]:
    """Places of the same message, or of one in the place of another, before and after a rewrite.

    Equal messages are not told apart by content alone, so that what stays at the beginning and the end is matched first.
    """
    head = _common(old, new)
    end = len(new)
    if old and old[-1].kind == "assistant":
        answers = [place for place in range(head, len(new)) if _digest(new[place]) == _digest(old[-1])]
        end = answers[-1] + 1 if answers else end
    tail = _common(old[head:][::-1], new[head:end][::-1])
    return [
        *((place, place) for place in range(head)),
        *((head + a, head + b) for a, b in _paired(old[head : len(old) - tail], new[head : end - tail])),
        *((len(old) - tail + place, end - tail + place) for place in range(tail)),
    ]


def _paired(old: Sequence[Draft], new: Sequence[Draft]) -> list[tuple[int, int]]:
    """Places of the same messages, and of those between them where as many of the same roles stand on both sides."""
    if _roles(old) == _roles(new):
        return [(place, place) for place in range(len(old))]
    matcher = SequenceMatcher(None, list(map(_digest, old)), list(map(_digest, new)), autojunk=False)
    return [
        (start + step, first + step)
        for what, start, end, first, stop in matcher.get_opcodes()
        if what == "equal" or _roles(old[start:end]) == _roles(new[first:stop])
        for step in range(end - start)
    ]


def _common(old: Sequence[Draft], new: Sequence[Draft]) -> int:
    """How many messages are the same at the beginning."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _digest(pair[0]) == _digest(pair[1]), pairs))


def _changes(old: list[Draft], new: list[Draft], pairs: list[tuple[int, int]]) -> dict[str, tuple[Any, ...]]:
    """What a rewrite dropped, replaced and inserted; what is new at the end is no rewrite."""
    before, after = [draft.id for draft in old], [draft.id for draft in new]
    kept = set(before) & set(after)
    replaced = [(before[a], after[b]) for a, b in pairs if before[a] not in kept and after[b] not in kept]
    gone, come = {a for a, _ in replaced}, {b for _, b in replaced}
    settled = max((place for place, name in enumerate(after) if name in kept or name in come), default=0)
    return {
        "dropped": tuple(name for name in before if name not in kept and name not in gone),
        "replaced": tuple(replaced),
        "inserted": tuple(name for name in after[:settled] if old and name not in kept and name not in come),
    }


def _roles(drafts: Sequence[Draft]) -> list[tuple[str, object]]:
    return [(draft.kind, draft.fields.get("call_id")) for draft in drafts]


def _digest(draft: Draft) -> str:
    return str(draft.fields["digest"])
