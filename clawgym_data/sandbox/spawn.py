"""Threads that start processes, because a parent's thread decides what its children are.

A child dies with the *thread* that started it where it asked to die with its parent (`PR_SET_PDEATHSIG`), and inherits
the system call filter of that thread. So one lasting thread starts the sandboxes and another, filtered one, the
commands in them.
"""

import os
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from queue import SimpleQueue

from clawgym_data.sandbox.seccomp import restrict_this_thread

HOST_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
"""For the programs of the host that set a sandbox up; nothing of the caller's environment reaches them."""


@dataclass(frozen=True)
class Streams:
    """The file descriptors of a new process; None is /dev/null, PIPE a pipe."""

    stdin: int | None = None
    stdout: int | None = None
    stderr: int | None = None
    passed: tuple[int, ...] = ()


PIPES = Streams(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
PIPES_WITH_INPUT = Streams(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Spawner:
    """One lasting thread and the processes that it starts."""

    def __init__(self, *, restricted: bool) -> None:
        self._requests: SimpleQueue[tuple[Sequence[str], Streams, Future[subprocess.Popen[bytes]]]] = SimpleQueue()
        started: Future[bool] = Future()
        name = "clawgym-spawn-restricted" if restricted else "clawgym-spawn"
        threading.Thread(target=self._serve, args=(restricted, started), name=name, daemon=True).start()
        self.filtered = started.result()
        """Whether the system call filter is in force for what this spawner starts."""

    def spawn(self, argv: Sequence[str], streams: Streams) -> subprocess.Popen[bytes]:
        """Start a process of the host in a session of its own.

        Raises:
            OSError: the program cannot be started.
        """
        return self.submit(argv, streams).result()

    def submit(self, argv: Sequence[str], streams: Streams) -> Future[subprocess.Popen[bytes]]:
        """Ask for a process as `spawn` does, and return at once."""
        answer: Future[subprocess.Popen[bytes]] = Future()
        self._requests.put((argv, streams, answer))
        return answer

    def _serve(self, restricted: bool, started: Future[bool]) -> None:
        try:
            started.set_result(restrict_this_thread() if restricted else False)
        except OSError as error:
            started.set_exception(error)
            return
        while True:
            argv, streams, answer = self._requests.get()
            try:
                answer.set_result(_start(argv, streams))
            except Exception as error:
                answer.set_exception(error)
            del answer


def _start(argv: Sequence[str], streams: Streams) -> subprocess.Popen[bytes]:
    def or_null(stream: int | None) -> int:
        return subprocess.DEVNULL if stream is None else stream

    return subprocess.Popen(
        argv,
        stdin=or_null(streams.stdin),
        stdout=or_null(streams.stdout),
        stderr=or_null(streams.stderr),
        pass_fds=streams.passed,
        env=HOST_ENVIRONMENT,
        cwd="/",
        bufsize=0,
        start_new_session=True,
    )


@cache
def spawner(*, restricted: bool) -> Spawner:
    """Return this process's spawner, restricted by the system call filter or not."""
    os.register_at_fork(after_in_child=spawner.cache_clear)
    return Spawner(restricted=restricted)
