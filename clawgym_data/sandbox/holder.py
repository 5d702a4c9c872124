"""The processes that hold a sandbox, and the lifeline by which they end with the harness.

Process 1 of a sandbox reads a pipe whose other end only the harness has. However and whenever the harness ends, the
kernel closes that end, process 1 ends, and everything in its namespaces with it. A signal at the death of the parent
cannot do this: bubblewrap, killed between making its child and letting it go on, leaves a child that waits for ever.
"""

import json
import os
import signal
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from clawgym_data.sandbox import arguments, stale
from clawgym_data.sandbox.causes import Facts, SandboxRefused, classify, no_answer, with_error
from clawgym_data.sandbox.config import SandboxConfig
from clawgym_data.sandbox.hostuser import HostUser
from clawgym_data.sandbox.process import is_readable, kill_tree
from clawgym_data.sandbox.spawn import Streams, spawner

START_SEC = 20.0
END_SEC = 10.0
_lifelines: set[int] = set()
"""The ends that this process holds."""


class Holder:
    """Bubblewrap's own process on the host, and process 1 of its sandbox. Use `start`.

    Args:
        process: bubblewrap's.
        lifeline: the harness's end.
        name: of the sandbox, as its processes are marked with it.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", lifeline: int, name: str) -> None:
        self.first_pid = 0
        """Process 1 of the sandbox, as the host numbers it; 0 until it is ready."""
        self._process, self._lifeline, self._name = process, lifeline, name

    @classmethod
    def start(cls, config: SandboxConfig, name: str, host_user: HostUser | None, facts: Facts) -> Self:
        """Start bubblewrap and wait until process 1 is ready.

        Raises:
            SandboxRefused: it does not get ready.
            OSError, RuntimeError: this process may have no more descriptors, processes or threads.
        """
        with ExitStack() as opened:

            def own(descriptor: int) -> int:
                opened.callback(os.close, descriptor)
                return descriptor

            messages = own(_memory_file("messages", b""))
            contents = arguments.data_files(config)
            files = {path: own(_memory_file(path, content)) for path, (_, content) in contents.items()}
            info, info_write = map(own, os.pipe())
            command = arguments.holder_command(config, files, info_write, stale.mark(name))
            if host_user is not None:
                command = [*host_user.command(), *command]
            lifeline_read, lifeline = os.pipe()
            own(lifeline_read)
            _lifelines.add(lifeline)
            streams = Streams(lifeline_read, subprocess.PIPE, messages, passed=(info_write, *files.values()))
            try:
                holder = cls(spawner(restricted=False).spawn(command, streams), lifeline, name)
            except BaseException:
                _let_go(lifeline)
                raise
            try:
                holder._wait_until_ready(facts, messages, info)
            except BaseException:
                holder.end()
                raise
        return holder

    @property
    def pid(self) -> int:
        """Bubblewrap's own process."""
        return self._process.pid

    @property
    def was_killed(self) -> bool:
        """Whether bubblewrap's own process has died by a signal."""
        return (self._process.poll() or 0) < 0

    def end(self) -> None:
        """End the sandbox with everything in it; never raises."""
        _let_go(self._lifeline)
        if self.first_pid:
            with suppress(OSError):
                os.kill(self.first_pid, signal.SIGKILL)
        elif self._process.poll() is None:
            kill_tree(self._process.pid)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SEC)
        if not self.first_pid:  # a child that lost bubblewrap in the middle of its set-up
            stale.end_marked(lambda name: name == self._name)

    def _wait_until_ready(self, facts: Facts, messages: int, info: int) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as ready:
            if not is_readable(ready.fileno(), START_SEC):
                raise SandboxRefused(no_answer(facts, f"did not start a sandbox within {START_SEC:g} s"))
            said = os.read(ready.fileno(), 64)
        if said != arguments.READY or not is_readable(info, 0):
            os.lseek(messages, 0, os.SEEK_SET)
            error = os.read(messages, 1 << 16).decode(errors="replace")
            raise SandboxRefused(classify(with_error(facts, error)))
        self.first_pid = int(json.loads(os.read(info, 1 << 16))["child-pid"])


def _memory_file(name: str, content: bytes) -> int:
    descriptor = os.memfd_create(Path(name).name)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _let_go(lifeline: int) -> None:
    if lifeline in _lifelines:
        _lifelines.discard(lifeline)
        os.close(lifeline)


def _let_go_of_all() -> None:
    """In a fork of the harness: only the harness itself keeps its sandboxes alive."""
    for lifeline in list(_lifelines):
        _let_go(lifeline)


if hasattr(os, "register_at_fork"):  # the packages import on Windows too
    os.register_at_fork(after_in_child=_let_go_of_all)
