"""Trajectories written down call by call, for tests of what is computed from them."""

from typing import Any

from clawgym_bench.trajectory import (
    AssistantEvent,
    ContextRewriteEvent,
    Conversation,
    Event,
    Run,
    Timings,
    ToolCall,
    ToolEvent,
    Trajectory,
    Usage,
    UserEvent,
)
from clawgym_bench.trajectory.events import Failure
from clawgym_data.canonical import sha256_hex

Asked = tuple[str, dict[str, Any], str | Failure | None]
"""Tool, arguments, and what it told: a text, an error, or nothing any more."""


def exec_(command: str, told: str | Failure | None = "(no output)") -> Asked:
    return "exec", {"command": command}, told


def read(path: str, told: str | Failure | None = "text") -> Asked:
    return "read", {"path": path}, told


def write(path: str, told: str | Failure | None = "Successfully wrote 1 bytes") -> Asked:
    return "write", {"path": path, "content": "x"}, told


def edit(path: str, told: str | Failure | None = "Successfully replaced text") -> Asked:
    return "edit", {"path": path, "oldText": "a", "newText": "b"}, told


def poll(told: str, session: str = "s1", action: str = "poll") -> Asked:
    return "process", {"action": action, "sessionId": session}, told


def refused(message: str, kind: str = "unknown") -> Failure:
    return Failure(type=kind, message=message)


class Story:
    """A trial that grows turn by turn; each call costs 100 tokens in and 20 out unless it is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.conversations: dict[str, Conversation] = {}
        self.said: dict[str, list[str]] = {}
        self.attempt = 1
        self.main = "c0"
        self.begin(self.main)

    def begin(self, name: str, **fields: Any) -> None:
        """Begin a conversation."""
        self.conversations[name] = Conversation(id=name, attempt=self.attempt, **fields)
        user = UserEvent(id=self._next(), attempt=self.attempt, conversation=name, digest=name, content="Do it.")
        self.events.append(user)
        self.said[name] = [user.id]

    def turn(self, *asked: Asked, talk: str | None = None, **fields: Any) -> str:
        """An answer with its calls and their results, by default in the main conversation; its id."""
        talk = talk or self.main
        usage = Usage(input_tokens=100, output_tokens=20, total_tokens=120)
        given: dict[str, Any] = {"usage": usage, "working_sec": 2.0, "digest": "a", "content": ""} | fields
        answer = AssistantEvent(
            id=self._next(),
            attempt=self.attempt,
            conversation=talk,
            conditioned_on=tuple(self.said[talk]),
            calls=tuple(ToolCall(id=f"t{n}", name=name, arguments=args) for n, (name, args, _) in enumerate(asked)),
            **given,
        )
        self.events.append(answer)
        self.said[talk].append(answer.id)
        for number, (name, _, told) in enumerate(asked):
            if told is not None:
                self._tell(answer, f"t{number}", name, told)
        return answer.id

    def _tell(self, answer: AssistantEvent, call_id: str, name: str, told: str | Failure) -> None:
        content, error = ("", told) if isinstance(told, Failure) else (told, None)
        result = ToolEvent(
            id=self._next(),
            attempt=self.attempt,
            conversation=answer.conversation,
            digest=sha256_hex(f"{content}{error}".encode()),
            content=content,
            error=error,
            call_id=call_id,
            name=name,
            answers=answer.id,
            seconds=0.5,
        )
        self.events.append(result)
        self.said[answer.conversation].append(result.id)

    def shorten(self, event_id: str) -> None:
        """The harness shortens a message of the main conversation."""
        talk = self.main
        old = next(event for event in self.events if event.id == event_id)
        new = old.model_copy(update={"id": self._next(), "content": "short", "seconds": None})
        self.events.append(new)
        self.said[talk] = [new.id if name == event_id else name for name in self.said[talk]]
        rewrite = ContextRewriteEvent(
            id=self._next(),
            attempt=self.attempt,
            conversation=talk,
            before=self.said[talk][-1],
            replaced=((event_id, new.id),),
        )
        self.events.append(rewrite)

    def result_of(self, answer: str) -> str:
        """Id of the first result of an answer's calls."""
        return next(event.id for event in self.events if event.kind == "tool" and event.answers == answer)

    def again(self) -> None:
        """Begin another try."""
        self.attempt += 1
        self.main = f"c{len(self.conversations)}"
        self.begin(self.main)

    def trajectory(self, **fields: Any) -> Trajectory:
        given: dict[str, Any] = {"timings": Timings(total_sec=30.0, working_sec=24.0)} | fields
        return Trajectory(
            task="stall",
            task_digest="d",
            epoch=1,
            uuid="u",
            solver="claw_agent",
            model="openai/some",
            run=Run(log="a.eval", id="run", created="2026-11-30", version="1-A", sandbox="bubblewrap"),
            instruction="Do it.",
            outcome="scored",
            conversations=tuple(self.conversations.values()),
            events=tuple(self.events),
            **given,
        )

    def _next(self) -> str:
        return f"e{len(self.events)}"
