"""Inspect's record of a trial beside OpenClaw's own: where do the two differ?

Inspect's is authoritative: it was written outside the agent's reach. A difference shows a fault of the endpoint or of the
reader, or an agent that changed OpenClaw's files.
"""

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from clawgym_bench.trajectory.chat import told
from clawgym_bench.trajectory.events import AssistantEvent, Record, Text, ToolCall, ToolEvent
from clawgym_bench.trajectory.openclaw_session import FAILED, DamagedLine, Session, SessionMessage, SessionRecord
from clawgym_bench.trajectory.record import Trajectory
from clawgym_data.canonical import canonical_json

MAX_SHOWN_CHARACTERS = 200
Kind = Literal[
    "answer_missing_in_session",
    "answer_missing_in_log",
    "text",
    "call_id",
    "call_name",
    "call_arguments",
    "call_missing_in_session",
    "call_missing_in_log",
    "result",
    "result_missing_in_session",
]


class Difference(Record):
    """One place where the records differ."""

    kind: Kind
    event: str | None = None
    """Id of our assistant event; None where we have none."""
    session: Text | None = None
    line: int | None = None
    """Of the session's record of the answer."""
    ours: Text = ""
    theirs: Text = ""


class Comparison(Record):
    """Two records of one trial."""

    sessions: tuple[Text, ...] = ()
    truncated: tuple[Text, ...] = ()
    """Sessions of which the log holds only the beginning, or nothing."""
    unread: tuple[Text, ...] = ()
    """Why there is nothing of a session."""
    answers: int = 0
    """Of the model, in the log."""
    answers_matched: int = 0
    """Those that a session has too, even if with differences."""
    results_matched: int = 0
    results_not_sent: int = 0
    """Results in a session that no call of the model had in its input: the trial ended before."""
    failed: int = 0
    """Calls of the model without an answer, in the log."""
    failed_in_sessions: int = 0
    unknown: tuple[str, ...] = ()
    """Answers in conversations that no session knows anything of: programs of the agent ask the model too."""
    damaged: tuple[DamagedLine, ...] = ()
    differences: tuple[Difference, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many differences of each kind."""
        return dict(Counter(difference.kind for difference in self.differences))

    @property
    def agrees(self) -> bool:
        """Whether both records say the same, as far as the sessions go."""
        return bool(self.sessions) and not (self.differences or self.damaged or self.truncated)


@dataclass(frozen=True, slots=True)
class _Theirs:
    """An answer in a session, with the results that follow it there."""

    session: str
    record: SessionRecord
    message: SessionMessage
    results: tuple[SessionMessage, ...]


def compare(trajectory: Trajectory, sessions: Session | Sequence[Session]) -> Comparison:
    """Compare the answers and results of the graded try, call by call.

    Args:
        trajectory: as read from the log.
        sessions: OpenClaw's files of that try, see `sessions_of`.
    """
    sessions = [sessions] if isinstance(sessions, Session) else list(sessions)
    answers = [answer for answer in trajectory.answers() if answer.attempt == trajectory.attempts]
    ours = [answer for answer in answers if answer.error is None]
    said = [theirs for session in sessions for theirs in _answers(session)]
    theirs = [one for one in said if one.message.stop_reason not in FAILED]
    pairs = _pairs(ours, theirs)
    known = {ours[place].conversation for place in pairs.values()}
    alone = [answer for place, answer in enumerate(ours) if place not in pairs.values()]
    found = [difference for b, a in pairs.items() for difference in _differences(trajectory, ours[a], theirs[b])]
    found += [_missing(answer) for answer in alone if answer.conversation in known]
    found += [_missing_in_log(one) for place, one in enumerate(theirs) if place not in pairs]
    results = [pair for b, a in pairs.items() for pair in _results(trajectory, ours[a], theirs[b])]
    return Comparison(
        sessions=tuple(session.path for session in sessions),
        truncated=tuple(session.path for session in sessions if session.truncated),
        unread=tuple(session.unread for session in sessions if session.unread is not None),
        answers=len(ours),
        answers_matched=len(pairs),
        results_matched=sum(None not in pair for pair in results),
        results_not_sent=sum(a is None for a, _ in results),
        failed=len(answers) - len(ours),
        failed_in_sessions=len(said) - len(theirs),
        unknown=tuple(answer.id for answer in alone if answer.conversation not in known),
        damaged=tuple(line for session in sessions for line in session.damaged),
        differences=tuple(found),
    )


def _answers(session: Session) -> Iterator[_Theirs]:
    messages = [(record, record.message) for record in session.records if record.message is not None]
    for place, (record, message) in enumerate(messages):
        if message.role != "assistant":
            continue
        after: list[SessionMessage] = []
        for _, later in messages[place + 1 :]:
            if later.role == "assistant":
                break
            after += [later] if later.role == "toolResult" else []
        yield _Theirs(session.path, record, message, tuple(after))


def _pairs(ours: Sequence[AssistantEvent], theirs: Sequence[_Theirs]) -> dict[int, int]:
    """Place of our answer by the place of theirs: by all that they say, then by ever less, at last by their neighbours."""
    pairs: dict[int, int] = {}
    for key in (_exactly, _without_ids, _by_first_id):
        taken = set(pairs.values())
        free: dict[Hashable, deque[int]] = {}
        for a, answer in enumerate(ours):
            if a not in taken:
                free.setdefault(key(answer.content, answer.calls), deque()).append(a)
        for b, one in enumerate(theirs):
            wanted = key(one.message.text, one.message.calls)
            if b not in pairs and wanted is not None and free.get(wanted):
                pairs[b] = free[wanted].popleft()
    for b, one in enumerate(theirs):
        before = pairs.get(b - 1) if b and theirs[b - 1].session == one.session else None
        if b in pairs or before is None:
            continue
        after = (a for a in range(before + 1, len(ours)) if ours[a].conversation == ours[before].conversation)
        place = next(after, None)
        if place is not None and place not in pairs.values():
            pairs[b] = place
    return dict(sorted(pairs.items()))


def _exactly(text: str, calls: Sequence[ToolCall]) -> Hashable | None:
    return text.strip(), tuple((call.id, call.name, canonical_json(call.arguments)) for call in calls)


def _without_ids(text: str, calls: Sequence[ToolCall]) -> Hashable | None:
    return text.strip(), tuple((call.name, canonical_json(call.arguments)) for call in calls)


def _by_first_id(text: str, calls: Sequence[ToolCall]) -> Hashable | None:
    return calls[0].id if calls else None


def _differences(trajectory: Trajectory, answer: AssistantEvent, theirs: _Theirs) -> Iterator[Difference]:
    def differs(kind: Kind, ours: str, other: str) -> Difference:
        return Difference(
            kind=kind,
            event=answer.id,
            session=theirs.session,
            line=theirs.record.line,
            ours=_short(ours),
            theirs=_short(other),
        )

    if answer.content.strip() != theirs.message.text.strip():
        yield differs("text", answer.content, theirs.message.text)
    calls, others = answer.calls, theirs.message.calls
    for call, other in zip(calls, others, strict=False):
        compared: tuple[tuple[Kind, str, str], ...] = (
            ("call_id", call.id, other.id),
            ("call_name", call.name, other.name),
            ("call_arguments", canonical_json(call.arguments), canonical_json(other.arguments)),
        )
        # what the model wrote was no object: what each made of it is its own affair
        is_whole = call.parse_error is None
        yield from (differs(*one) for one in compared if one[1] != one[2] and (is_whole or one[0] != "call_arguments"))
    for call in calls[len(others) :]:
        yield differs("call_missing_in_session", f"{call.name} {canonical_json(call.arguments)}", "")
    for other in others[len(calls) :]:
        yield differs("call_missing_in_log", "", f"{other.name} {canonical_json(other.arguments)}")
    for result, given in _results(trajectory, answer, theirs):
        if result is not None and given is None:
            yield differs("result_missing_in_session", told(result), "")
        elif result is not None and given is not None and told(result).strip() != given.text.strip():
            yield differs("result", told(result), given.text)


def _results(
    trajectory: Trajectory, answer: AssistantEvent, theirs: _Theirs
) -> list[tuple[ToolEvent | None, SessionMessage | None]]:
    """Our result and theirs of each call, one of the two None where it is missing."""
    ours = {result.call_id: result for result in trajectory.results(answer)}
    given = {result.call_id: result for result in theirs.results}
    ids = [(call.id, other.id) for call, other in zip(answer.calls, theirs.message.calls, strict=False)]
    pairs = [(ours.get(mine), given.get(other)) for mine, other in ids]
    return [pair for pair in pairs if pair != (None, None)]


def _missing(answer: AssistantEvent) -> Difference:
    return Difference(
        kind="answer_missing_in_session", event=answer.id, ours=_short(_said(answer.content, answer.calls))
    )


def _missing_in_log(theirs: _Theirs) -> Difference:
    return Difference(
        kind="answer_missing_in_log",
        session=theirs.session,
        line=theirs.record.line,
        theirs=_short(_said(theirs.message.text, theirs.message.calls)),
    )


def _said(text: str, calls: Sequence[ToolCall]) -> str:
    return " ".join([text, *(f"{call.name} {canonical_json(call.arguments)}" for call in calls)]).strip()


def _short(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}..."
