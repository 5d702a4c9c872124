"""OpenClaw's own record of its work: its session files, taken from the sandbox for comparison with Inspect's."""

import base64
from collections.abc import Iterator
from typing import Any

from inspect_ai.log import transcript
from inspect_ai.util import SandboxEnvironment

SOURCE = "clawgym/openclaw-session"
"""Of the events in a log that hold a session file."""
MAX_FILE_BYTES = 4 << 20
MAX_FILES = 20
READ_SEC = 30
_COLLECT = (
    'cd "$1/.openclaw/agents" 2>/dev/null || exit 0; '
    "find . -type f -path '*/sessions/*.jsonl*' ! -name '*.lock' | sort | head -n \"$2\" | "
    'while IFS= read -r name; do printf "%s\\n" "$name"; head -c "$3" -- "$name" | base64 -w 0; echo; done'
)


async def note_sessions(environment: SandboxEnvironment, home: str) -> int:
    """Put every session file into the log; where the sandbox does not answer any more, only why there is none.

    Returns:
        How many were found.
    """
    command = ["/bin/sh", "-c", _COLLECT, "sh", home, str(MAX_FILES), str(MAX_FILE_BYTES + 1)]
    try:
        done = await environment.exec(command, timeout=READ_SEC, timeout_retry=False)
    except Exception as error:  # whatever the agent has left of its sandbox
        transcript().info({"unread": f"{type(error).__name__}: {error}"[:500]}, source=SOURCE)
        return 0
    files = list(_files(done.stdout))
    for file in files:
        transcript().info(file, source=SOURCE)
    return len(files)


def _files(output: str) -> Iterator[dict[str, Any]]:
    lines = output.split("\n")
    for name, content in zip(lines[::2], lines[1::2], strict=False):
        try:
            data = base64.b64decode(content, validate=True)
        except ValueError:
            continue
        text = data[:MAX_FILE_BYTES].decode("utf-8", "replace")
        yield {"path": name.removeprefix("./"), "text": text, "truncated": len(data) > MAX_FILE_BYTES}
