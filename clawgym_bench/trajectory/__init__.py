"""The typed record of an attempt: what was said, called and answered, for any solver."""

from clawgym_bench.trajectory.branches import Branch, branches
from clawgym_bench.trajectory.events import (
    AssistantEvent,
    ContextRewriteEvent,
    EnvironmentEvent,
    Event,
    MessageEvent,
    SystemEvent,
    ToolCall,
    ToolEvent,
    UnknownEvent,
    Usage,
    UserEvent,
)
from clawgym_bench.trajectory.jsonl import read_jsonl, write_jsonl
from clawgym_bench.trajectory.openclaw_compare import Comparison, Difference, compare
from clawgym_bench.trajectory.openclaw_session import Session, parse_session, sessions_of
from clawgym_bench.trajectory.reader import read_trajectories, trajectory_of
from clawgym_bench.trajectory.record import Conversation, Run, Timings, Trajectory
from clawgym_bench.trajectory.segments import Segment, segments

__all__ = [
    "AssistantEvent",
    "Branch",
    "Comparison",
    "ContextRewriteEvent",
    "Conversation",
    "Difference",
    "EnvironmentEvent",
    "Event",
    "MessageEvent",
    "Run",
    "Segment",
    "Session",
    "SystemEvent",
    "Timings",
    "ToolCall",
    "ToolEvent",
    "Trajectory",
    "UnknownEvent",
    "Usage",
    "UserEvent",
    "branches",
    "compare",
    "parse_session",
    "read_jsonl",
    "read_trajectories",
    "segments",
    "sessions_of",
    "trajectory_of",
    "write_jsonl",
]
