"""OpenClaw's own record of its work: its sessions, taken from the sandbox for comparison with Inspect's."""

import json
from pathlib import Path

from inspect_ai.log import transcript
from inspect_ai.util import SandboxEnvironment
from pydantic import BaseModel, ConfigDict, TypeAdapter

SOURCE = "clawgym/openclaw-session"
"""Of the events in a log that hold a session."""
CALL_IDS_SOURCE = "clawgym/openclaw-call-ids"
"""Of the event that says which of the model's ids stand in OpenClaw's sessions under another name."""
PROGRAM = (Path(__file__).parent / "collect_sessions.js").read_text("utf-8")
NODE = "/usr/local/bin/node"
MAX_FILE_BYTES = 2 << 20
MAX_BYTES = 6 << 20
"""Of all of them."""
MAX_FILES = 20
READ_SEC = 30


class SessionFile(BaseModel):
    """One session as OpenClaw wrote it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    """Below OpenClaw's folder of agents; for versions that keep sessions in a database as older ones named the file."""
    text: str
    """JSON lines."""
    truncated: bool
    unread: str | None = None
    """Why it could not be read."""


async def note_sessions(environment: SandboxEnvironment, home: str) -> None:
    """Put every session into the log; where the sandbox does not answer any more, only why there is none."""
    agents = f"{home}/.openclaw/agents"
    command = [NODE, "-e", PROGRAM, agents, str(MAX_FILES), str(MAX_FILE_BYTES), str(MAX_BYTES)]
    try:
        done = await environment.exec(command, env={"NODE_NO_WARNINGS": "1"}, timeout=READ_SEC, timeout_retry=False)
        files = TypeAdapter(list[SessionFile]).validate_python(json.loads(done.stdout))
    except Exception as error:  # whatever the agent has left of its sandbox
        files = [SessionFile(path="", text="", truncated=True, unread=f"{type(error).__name__}: {error}"[:500])]
    for file in files:
        transcript().info(file.model_dump(exclude_none=True), source=SOURCE)
