"""Processes that have joined a sandbox's control groups before their command is known.

Joining a group waits for the kernel's read-copy-update: measured at 8 ms for each group where joins are rare, as they
are between the tool calls of an agent. So the next call's process joins while the present one runs.
"""

import os
import shlex
import subprocess
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress

from clawgym_data.sandbox.cgroup import Cgroup
from clawgym_data.sandbox.spawn import PIPES_WITH_INPUT, spawner

MAX_LINE_BYTES = 8192
"""Of a command that is sent to a waiting process: fits its pipe, and the shell reads it byte by byte."""
_NEW_LINE = "nl='\n'; "


class Entry:
    """One waiting process at a time; not safe for use by several threads at once."""

    def __init__(self, cgroup: Cgroup) -> None:
        self._script = f'{_NEW_LINE}{cgroup.join_script()}IFS= read -r line || exit 0; eval "exec $line"'
        self._next: Future[subprocess.Popen[bytes]] | None = None

    def renew(self) -> None:
        """Begin to start the next process, unless one waits already; returns at once."""
        if self._next is None:
            self._next = spawner(restricted=True).submit(["/bin/sh", "-c", self._script], PIPES_WITH_INPUT)

    def take(self, command: Sequence[str], *, has_input: bool) -> subprocess.Popen[bytes] | None:
        """Let the waiting process become the command; None where none waits or the command is too long for it."""
        line = _line(command, has_input=has_input)
        if self._next is None or len(line) > MAX_LINE_BYTES:
            return None
        process = self._next.result()
        self._next = None
        if process.stdin is not None and process.poll() is None:
            with suppress(BrokenPipeError):
                os.write(process.stdin.fileno(), line)
                return process
        _end(process)
        return None

    def kill(self) -> None:
        """Kill the process that waits, without waiting for its end, which a join can put off."""
        if self._next is not None:
            self._next.result().kill()

    def close(self) -> None:
        """End the process that waits."""
        if self._next is not None:
            _end(self._next.result())
            self._next = None


def _line(command: Sequence[str], *, has_input: bool) -> bytes:
    words = [shlex.quote(word).replace("\n", "'\"$nl\"'") for word in command]
    return os.fsencode(" ".join(words) + ("" if has_input else " </dev/null") + "\n")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
