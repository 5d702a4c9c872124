"""The typed record of an attempt: what was said, called and answered, for any solver."""

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
from clawgym_bench.trajectory.reader import read_trajectories, trajectory_of
from clawgym_bench.trajectory.record import Conversation, Run, Timings, Trajectory
from clawgym_bench.trajectory.segments import Segment, segments

__all__ = [
    "AssistantEvent",
    "ContextRewriteEvent",
    "Conversation",
    "EnvironmentEvent",
    "Event",
    "MessageEvent",
    "Run",
    "Segment",
    "SystemEvent",
    "Timings",
    "ToolCall",
    "ToolEvent",
    "Trajectory",
    "UnknownEvent",
    "Usage",
    "UserEvent",
    "read_trajectories",
    "segments",
    "trajectory_of",
]
