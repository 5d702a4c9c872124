"""One sample of an Inspect log as a trajectory.

Left out is what Inspect repeats: changes of its state and store, begins and ends of spans, the final scores, and a raw request.
"""

from datetime import datetime
from itertools import takewhile
from typing import Any

from inspect_ai._util.content import ContentBase
from inspect_ai.event import (
    ApprovalEvent,
    CompactionEvent,
    ErrorEvent,
    Event,
    InfoEvent,
    InputEvent,
    InterruptEvent,
    LoggerEvent,
    ModelEvent,
    SampleInitEvent,
    SampleLimitEvent,
    SandboxEvent,
    ScoreEditEvent,
    ScoreEvent,
    SpanBeginEvent,
    SpanEndEvent,
    StateEvent,
    StepEvent,
    StoreEvent,
    SubtaskEvent,
    ToolEvent,
)
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool

from clawgym_bench.trajectory.conversations import Book, Origin, copy_of
from clawgym_bench.trajectory.drafts import Draft, answer_draft, message_draft, plain
from clawgym_bench.trajectory.spans import Spans

REPEATED = (SampleInitEvent, StateEvent, StoreEvent, StepEvent, SpanEndEvent)
AROUND = (
    *(ApprovalEvent, CompactionEvent, ErrorEvent, InfoEvent, InputEvent, InterruptEvent, LoggerEvent),
    *(SampleLimitEvent, SandboxEvent, ScoreEditEvent, SubtaskEvent),
)
BASE = {"uuid", "span_id", "timestamp", "working_start", "pending", "event", "completed", "source"}
BULKY = {"traceback_ansi", "call", "tools", "input_refs", "error_ansi", "input_ansi"}


class Transcript:
    """Goes through the events of a sample once, in their order.

    Args:
        sample: with its attachments resolved.
    """

    def __init__(self, sample: EvalSample) -> None:
        self.events: list[Draft] = []
        self.book = Book(self.events)
        self._sample = sample
        self._spans = Spans()
        self._drafts: dict[int, Draft] = {}
        self._start = _start_of(sample)
        self._record = _Recorded(sample.messages)
        self._has_calls = False

    def read(self) -> None:
        """Turn every event of the sample into drafts of our events."""
        for event in self._sample.events:
            if isinstance(event, SpanBeginEvent):
                self._spans.begin(event)
        self._has_calls = any(
            isinstance(event, ModelEvent) and self._spans.other_than_the_agents(event) is None
            for event in self._sample.events
        )
        self._spans.begun.clear()
        if not self._has_calls:
            self.book.tail([self._draft(message) for message in self._record.opening()])
        for event in self._sample.events:
            self._enter(event)
        if not self._has_calls:
            self._enter_record(None)
            self.book.tail([self._draft(message) for message in self._sample.messages])
        for retry in self._sample.error_retries or ():
            self._around("error", plain(retry.model_dump(mode="json", exclude=BULKY | {"events"})), None)

    def _enter(self, event: Event) -> None:
        if isinstance(event, SpanBeginEvent):
            self._spans.begin(event)
        elif isinstance(event, ModelEvent):
            self._enter_call(event)
        elif isinstance(event, ToolEvent):
            self._enter_tool(event)
        elif isinstance(event, ScoreEvent):
            if event.intermediate:
                self._enter_around(event)
        elif isinstance(event, AROUND):
            self._enter_around(event)
            if isinstance(event, CompactionEvent):
                self._note_compaction()
            if isinstance(event, InfoEvent) and _begins_another_try(event):
                self.book.attempt += 1
        elif not isinstance(event, REPEATED):
            data = plain(event.model_dump(mode="json", warnings=False))
            fields = {"type": str(data.get("event", type(event).__name__)), "data": data, "at_sec": self._at(event)}
            self.book.emit(Draft("unknown", fields))

    def _enter_call(self, event: ModelEvent) -> None:
        whose = self._spans.other_than_the_agents(event)
        if whose is not None:
            data = plain(event.model_dump(mode="json", exclude_none=True, exclude=BASE | BULKY))
            self._around(whose, data, self._at(event), seconds=self._seconds(event))
            return
        answer = answer_draft(event)
        answer.fields |= {"origin": "model", "completed_sec": self._since_start(event.completed)}
        talk = self.book.call([self._draft(message) for message in event.input], answer, self._at(event))
        if event.tools:
            talk.tools = tuple(plain(tool.model_dump(mode="json", exclude_none=True)) for tool in event.tools)
        origin = self._spans.owner(event.span_id)
        if origin is not None and talk.started_in is None and origin.conversation != talk.id:
            talk.started_in = origin

    def _enter_tool(self, event: ToolEvent) -> None:
        talk, asked = self.book.owner(event.id, event.function)
        if asked is None and not self._has_calls:
            self._enter_record(event.id)
            talk, asked = self.book.owner(event.id, event.function)
        if talk is None or asked is None:
            self._enter_around(event)
            return
        self._spans.own(event, Origin(talk.id, asked.id, event.id))
        draft = self.book.emit(_tool_draft(event), conversation=talk.id, answers=asked.id, at_sec=self._at(event))
        draft.fields |= {"seconds": self._seconds(event), "seen": False}
        talk.results.setdefault(event.id, []).append(draft)

    def _enter_record(self, call_id: str | None) -> None:
        """Enter the trial's messages up to the answer that asks for a call; all of them where it is None."""
        for before, message in self._record.until(call_id):
            answer = copy_of(self._draft(message))
            answer.fields["origin"] = "record"
            self.book.call([self._draft(one) for one in before], answer, None)

    def _enter_around(self, event: Event) -> None:
        data = plain(event.model_dump(mode="json", exclude_none=True, exclude=BASE | BULKY))
        if isinstance(event, InfoEvent):
            data = data.get("data")
        source = event.source if isinstance(event, InfoEvent | CompactionEvent | InterruptEvent) else None
        self._around(event.event, data, self._at(event), source=source, seconds=self._seconds(event))

    def _around(self, what: str, data: Any, at_sec: float | None, **fields: Any) -> None:  # noqa: ANN401 - JSON
        self.book.emit(Draft("environment", {"what": what, "data": data, "at_sec": at_sec, **fields}))

    def _note_compaction(self) -> None:
        """The conversation that was called last goes on shorter."""
        for draft in reversed(self.events):
            if draft.kind == "assistant":
                self.book.talk(draft.fields["conversation"]).is_compacted = True
                return

    def _draft(self, message: ChatMessage) -> Draft:
        """The draft of a message; Inspect holds equal messages once, so that each is digested once."""
        key = id(message)
        if key not in self._drafts:
            self._drafts[key] = message_draft(message)
        return self._drafts[key]

    def _at(self, event: Event) -> float | None:
        return self._since_start(event.timestamp)

    def _since_start(self, moment: datetime | None) -> float | None:
        if moment is None or self._start is None:
            return None
        return round((moment - self._start).total_seconds(), 6)

    def _seconds(self, event: Event) -> float | None:
        completed = getattr(event, "completed", None)
        return None if completed is None else round((completed - event.timestamp).total_seconds(), 6)


class _Recorded:
    """The messages of a trial in which no model was asked, entered as its tools are used."""

    def __init__(self, messages: list[ChatMessage]) -> None:
        self._messages = messages
        self._next = 0

    def opening(self) -> list[ChatMessage]:
        """What stands before the first answer."""
        return list(takewhile(lambda message: message.role != "assistant", self._messages))

    def until(self, call_id: str | None) -> list[tuple[list[ChatMessage], ChatMessageAssistant]]:
        """The next answers, each with what stands before it, up to the one that asks for a call."""
        found: list[tuple[list[ChatMessage], ChatMessageAssistant]] = []
        while self._next < len(self._messages):
            message = self._messages[self._next]
            self._next += 1
            if isinstance(message, ChatMessageAssistant):
                found.append((self._messages[: self._next - 1], message))
                if call_id is not None and any(call.id == call_id for call in message.tool_calls or ()):
                    break
        return found


def _tool_draft(event: ToolEvent) -> Draft:
    result = event.result
    content = result if isinstance(result, str) else result if isinstance(result, list) else [result]
    if not isinstance(content, str) and not all(isinstance(part, ContentBase) for part in content):
        content = str(result)
    return message_draft(
        ChatMessageTool(content=content, tool_call_id=event.id, function=event.function, error=event.error)
    )


def _start_of(sample: EvalSample) -> datetime | None:
    if sample.started_at:
        return datetime.fromisoformat(str(sample.started_at))
    return sample.events[0].timestamp if sample.events else None


def _begins_another_try(event: InfoEvent) -> bool:
    return event.source == "clawgym" and isinstance(event.data, dict) and {"try", "failed"} <= event.data.keys()
