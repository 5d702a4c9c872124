"""Whether the programs that a task needs are in a sandbox, and new enough."""

import re
from collections.abc import Sequence

from clawgym_data.sandbox.bubblewrap import Bubblewrap

PROBE_SEC = 30.0


def probe_tools(sandbox: Bubblewrap, tools: Sequence[tuple[str, str | None]]) -> list[str]:
    """Return a message for each (name, least version or None) that is missing or too old.

    The version is the first dotted number that `NAME --version` writes.
    """
    messages = (_probe(sandbox, name, least) for name, least in tools)
    return [message for message in messages if message is not None]


def _probe(sandbox: Bubblewrap, name: str, least: str | None) -> str | None:
    found = sandbox.call(["/bin/sh", "-c", 'command -v -- "$1"', "sh", name], timeout_sec=PROBE_SEC)
    if found.returncode != 0:
        return f"{name}: not found in the sandbox"
    if least is None:
        return None
    answer = sandbox.call([name, "--version"], timeout_sec=PROBE_SEC, max_output_bytes=1 << 16)
    version = re.search(r"\d+(?:\.\d+)+|\d+", (answer.stdout + answer.stderr).decode(errors="replace"))
    if version is None:
        return f"{name}: `{name} --version` names no version; {least} or newer is needed"
    if _numbers(version[0]) < _numbers(least):
        return f"{name}: version {version[0]} found, {least} or newer is needed"
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))
