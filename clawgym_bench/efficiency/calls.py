"""The calls of the try that was graded, each with what became of it."""

from dataclasses import dataclass, replace
from enum import StrEnum

from clawgym_bench.efficiency.aims import Aim, aim_of
from clawgym_bench.efficiency.commands import Command, commands_of
from clawgym_bench.efficiency.faults import Fault, fault_of
from clawgym_bench.efficiency.told import told_by
from clawgym_bench.efficiency.tools import Act, act_of, command_of, session_of
from clawgym_bench.trajectory import AssistantEvent, ToolCall, ToolEvent, Trajectory


class State(StrEnum):
    """What is known of a call's end."""

    DONE = "done"
    FAILED = "failed"
    PENDING = "pending"
    """Its command goes on."""
    UNANSWERED = "unanswered"
    """The record holds no result: the trial ended before."""


@dataclass(frozen=True)
class Call:
    """One call of a tool."""

    answer: AssistantEvent
    """The answer that asked for it."""
    asked: ToolCall
    result: ToolEvent | None
    commands: tuple[Command, ...]
    """Of its command line, where it has one."""
    aim: Aim
    """For a look at a command that goes on, that of the call which started it."""
    state: State
    fault: Fault | None
    session: str = ""
    """The command that it started and that goes on, or that it looks after."""
    is_end: bool = False
    """Whether it told, for the first time, that this command has ended."""

    @property
    def act(self) -> Act:
        """What its tool does."""
        return act_of(self.asked.name)

    @property
    def text(self) -> str:
        """What it told."""
        return self.result.content if self.result else ""


def calls_of(trajectory: Trajectory) -> list[Call]:
    """The calls of the last try, in the order in which they were asked for, of all its conversations."""
    results: dict[str, dict[str, ToolEvent]] = {}
    for event in trajectory.events:
        if event.kind == "tool" and event.answers is not None:
            results.setdefault(event.answers, {}).setdefault(event.call_id, event)
    book, last = _Book(), trajectory.attempts
    return [
        book.enter(answer, call, results.get(answer.id, {}).get(call.id))
        for answer in trajectory.answers()
        if answer.attempt == last and answer.error is None
        for call in answer.calls
    ]


class _Book:
    """The calls of a trial as they are entered, and which of their commands go on."""

    def __init__(self) -> None:
        self._running: dict[str, Call] = {}

    def enter(self, answer: AssistantEvent, asked: ToolCall, result: ToolEvent | None) -> Call:
        act, session = act_of(asked.name), ""
        commands = commands_of(command_of(asked.arguments)) if act is Act.RUN else ()
        call = Call(answer, asked, result, commands, aim_of(asked, commands), State.UNANSWERED, None)
        if result is None:
            return call
        if act is Act.FOLLOW:
            session = session_of(asked.arguments)
        started = self._running.get(session)
        fault = fault_of(asked, result, started.commands if started else commands)
        call = replace(call, state=State.FAILED if fault else State.DONE, fault=fault, session=session)
        if act is Act.FOLLOW and fault in (None, Fault.EXIT_CODE, Fault.TIMEOUT):
            return self._follow(call, started)
        if act is Act.RUN and fault is None and (goes_on := told_by(asked, result.content).session):
            call = replace(call, state=State.PENDING, session=goes_on)
            self._running[call.session] = call
        return call

    def _follow(self, call: Call, started: Call | None) -> Call:
        """A look at a command tells its end once, which is then that of the call that started it."""
        told = told_by(call.asked, call.text)
        if not told.is_end:
            return call
        self._running.pop(call.session, None)
        call = replace(call, is_end=started is not None)
        if told.killed or started is None:
            return replace(call, state=State.DONE, fault=None)
        return replace(call, aim=started.aim)
