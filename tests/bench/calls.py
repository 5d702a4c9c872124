"""Model calls as Inspect records them, for tests of what is read from them without a run."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from inspect_ai.event import Event, InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent, ToolEvent
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
)
from inspect_ai.tool import ToolCall

from clawgym_bench.trajectory import Trajectory, trajectory_of

START = datetime(2026, 11, 30, 10, tzinfo=UTC)
SYSTEM = ChatMessageSystem(content="You work through tools.")
TASK = ChatMessageUser(content="Pay the growers of the market stall by the new rules.")


def asks(*calls: tuple[str, str, dict[str, Any]], text: str = "") -> ChatMessageAssistant:
    """An answer that calls tools: (id, name, arguments)."""
    return ChatMessageAssistant(
        content=text, tool_calls=[ToolCall(id=i, function=name, arguments=given) for i, name, given in calls]
    )


def says(text: str) -> ChatMessageAssistant:
    return ChatMessageAssistant(content=text)


def result(call_id: str, text: str) -> ChatMessageTool:
    return ChatMessageTool(content=text, tool_call_id=call_id)


class Recorder:
    """A sample that grows event by event, a second each."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        event.timestamp = START + timedelta(seconds=len(self.events))
        self.events.append(event)

    def call(
        self, inputs: Sequence[ChatMessage], answer: ChatMessageAssistant | None, **fields: Any
    ) -> list[ChatMessage]:
        """A call and its answer, None where it failed; the conversation after it."""
        output = ModelOutput.from_message(answer) if answer else ModelOutput()
        self.add(
            ModelEvent(
                model="openai/some",
                input=[message.model_copy() for message in inputs],
                tool_choice="auto",
                config=GenerateConfig(),
                output=output,
                error=None if answer else "the provider failed",
                **({"tools": []} | fields),
            )
        )
        return [*inputs, *([answer] if answer else [])]

    def tool(self, call_id: str, name: str, text: str, **fields: Any) -> None:
        self.add(ToolEvent(id=call_id, function=name, arguments={}, result=text, **fields))

    def note(self, source: str, data: Any) -> None:
        self.add(InfoEvent(source=source, data=data))

    def begin(self, name: str, kind: str, parent: str | None = None) -> str:
        """Begin a span; its id."""
        self.add(SpanBeginEvent(id=name, name=name, type=kind, parent_id=parent, span_id=name))
        return name

    def end(self, name: str) -> None:
        self.add(SpanEndEvent(id=name, span_id=name))

    def trajectory(self, **fields: Any) -> Trajectory:
        sample = EvalSample(
            id="stall",
            epoch=1,
            input=TASK.text,
            target="",
            events=self.events,
            started_at=START.isoformat(),
            uuid="u",
            **fields,
        )
        return trajectory_of(header(), sample, "some.eval")


def header() -> EvalLog:
    """A log without samples."""
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created="2026-11-30T09:00:00+00:00",
            task="clawgym_bench",
            task_id="run",
            task_version="1-A",
            task_args={"solver": "openclaw"},
            dataset=EvalDataset(name="clawgym-bench", samples=1, sample_ids=["stall"]),
            model="openai/some",
            config=EvalConfig(),
        ),
    )
