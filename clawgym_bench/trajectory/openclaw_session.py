"""OpenClaw's own record of its work: session files of JSON lines, as the solver `openclaw` leaves them in the log.

The files lie in the agent's reach, so that nothing in them is relied on: what cannot be read is listed.
"""

import json
from collections.abc import Iterator
from typing import Any

from clawgym_bench.openclaw.session import CALL_IDS_SOURCE, SOURCE
from clawgym_bench.trajectory.events import Json, Record, Text, ToolCall, held
from clawgym_bench.trajectory.record import Trajectory

FAILED = ("error", "aborted")
"""Stop reasons of answers that OpenClaw did not get whole."""


class SessionMessage(Record):
    """A message as OpenClaw keeps it."""

    role: Text
    """`user`, `assistant`, `toolResult`, or whatever a later version writes."""
    text: Text = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: Text = ""
    """Of the call that a result answers."""
    name: Text = ""
    """Of the tool that gave a result."""
    is_error: bool = False
    stop_reason: Text = ""


class SessionRecord(Record):
    """One line of a session file."""

    line: int
    """1 for the first."""
    type: Text
    message: SessionMessage | None = None
    """None in records of other types, and where it is no message."""
    data: Json
    """The line, whole."""


class DamagedLine(Record):
    """A line that is no record."""

    session: Text
    line: int
    reason: Text


class Session(Record):
    """One session file."""

    path: Text
    truncated: bool = False
    """Whether the log holds only its beginning, or nothing."""
    unread: Text | None = None
    """Why nothing of it could be read."""
    records: tuple[SessionRecord, ...] = ()
    damaged: tuple[DamagedLine, ...] = ()


def parse_session(path: str, text: str, truncated: bool = False) -> Session:
    """Read a session file; a record of an unknown type is kept, a line that is none is listed.

    Args:
        path: its name, for messages.
        text: its lines.
        truncated: whether it was cut.
    """
    records: list[SessionRecord] = []
    damaged: list[DamagedLine] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            records.append(_record(number, held(json.loads(line))))
        except (ValueError, RecursionError) as error:
            reason = f"{type(error).__name__}: {str(error)[:200]}"
            damaged.append(DamagedLine(session=path, line=number, reason=reason))
    return Session(path=path, truncated=truncated, records=tuple(records), damaged=tuple(damaged))


def sessions_of(trajectory: Trajectory) -> tuple[Session, ...]:
    """The session files of the try that was graded, with the model's own ids of calls."""
    renamed: dict[str, str] = {}
    for event in trajectory.events:
        if event.kind == "environment" and event.source == CALL_IDS_SOURCE and event.attempt == trajectory.attempts:
            renamed |= {name: str(own) for name, own in event.data.items()} if isinstance(event.data, dict) else {}
    return tuple(_with_ids(session, renamed) for session in _sessions(trajectory))


def _with_ids(session: Session, renamed: dict[str, str]) -> Session:
    if not renamed:
        return session
    return session.model_copy(
        update={"records": tuple(_record_with_ids(record, renamed) for record in session.records)}
    )


def _record_with_ids(record: SessionRecord, renamed: dict[str, str]) -> SessionRecord:
    message = record.message
    if message is None:
        return record
    calls = tuple(call.model_copy(update={"id": renamed.get(call.id, call.id)}) for call in message.calls)
    changed = message.model_copy(update={"calls": calls, "call_id": renamed.get(message.call_id, message.call_id)})
    return record.model_copy(update={"message": changed})


def _sessions(trajectory: Trajectory) -> Iterator[Session]:
    for event in trajectory.events:
        if event.kind != "environment" or event.source != SOURCE or event.attempt != trajectory.attempts:
            continue
        if isinstance(event.data, dict):
            told = {"path": "", "text": "", "truncated": False, "unread": None} | event.data
            session = parse_session(str(told["path"]), str(told["text"]), told["truncated"] is True)
            unread = None if told["unread"] is None else str(told["unread"])
            yield session.model_copy(update={"unread": unread, "truncated": session.truncated or unread is not None})


def _record(number: int, data: Any) -> SessionRecord:  # noqa: ANN401 - any JSON value
    if not isinstance(data, dict):
        raise ValueError(f"a {type(data).__name__}; expected an object")
    message = data.get("message")
    found = _message(message) if data.get("type") == "message" and isinstance(message, dict) else None
    return SessionRecord(line=number, type=str(data.get("type")), message=found, data=data)


def _message(message: dict[str, Any]) -> SessionMessage:
    parts = _parts(message.get("content"))
    return SessionMessage(
        role=str(message.get("role")),
        text="\n".join(str(part.get("text")) for part in parts if part.get("type") == "text"),
        calls=tuple(_call(part) for part in parts if part.get("type") == "toolCall"),
        call_id=str(message.get("toolCallId") or ""),
        name=str(message.get("toolName") or ""),
        is_error=message.get("isError") is True,
        stop_reason=str(message.get("stopReason") or ""),
    )


def _parts(content: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - any JSON value
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _call(part: dict[str, Any]) -> ToolCall:
    given = part.get("arguments")
    fault = None if isinstance(given, dict) else f"the arguments are a {type(given).__name__}"
    return ToolCall(
        id=str(part.get("id")),
        name=str(part.get("name")),
        arguments=given if isinstance(given, dict) else {},
        parse_error=fault,
    )
