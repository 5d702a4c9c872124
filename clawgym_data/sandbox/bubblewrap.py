"""The sandbox runner: one process holds the namespaces, each call joins them."""

import atexit
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import TracebackType
from typing import Self
from weakref import WeakSet

from clawgym_data.sandbox import arguments, stale
from clawgym_data.sandbox.causes import Facts, SandboxGone, SandboxRefused, missing_program, refused_by_host
from clawgym_data.sandbox.cgroup import Cgroup, Hierarchy, find_hierarchy
from clawgym_data.sandbox.config import SandboxConfig
from clawgym_data.sandbox.enforcement import enforcement
from clawgym_data.sandbox.entry import Entry
from clawgym_data.sandbox.facts import gather_facts, is_privileged
from clawgym_data.sandbox.files import fetch_file, put_files, replace_content
from clawgym_data.sandbox.holder import Holder
from clawgym_data.sandbox.hostuser import HostUser, next_host_user
from clawgym_data.sandbox.listening import listening_socket, network_command
from clawgym_data.sandbox.process import Call, Completed, is_readable, runs
from clawgym_data.sandbox.spawn import PIPES, PIPES_WITH_INPUT, Streams, spawner
from clawgym_data.snapshot import Snapshot, SnapshotLimits, read_folder_at
from clawgym_data.snapshot.model import DEFAULT_LIMITS

END_SEC = 10.0
MAX_OUTPUT_BYTES = 10 << 20
_NS_GET_PARENT = 0xB702


@cache
def _prepared_hierarchy() -> Hierarchy:
    """Find where control groups can be made and sweep them, once in a process."""
    hierarchy = find_hierarchy()
    stale.sweep(hierarchy)
    return hierarchy


class Bubblewrap:
    """A running sandbox: a private root, no network, no privileges, limited memory, processes and disk.

    The workspace and all else that can be written are in memory and go with the sandbox. Safe to use from several
    threads. Use `start`.
    """

    def __init__(self, config: SandboxConfig) -> None:
        self.config = config
        self.pid = 0
        """Process 1 of the sandbox, as the host numbers it."""
        self._name = stale.next_name()
        self._host_user: HostUser | None = next_host_user() if is_privileged() else None
        self._cgroup = Cgroup.create(self._name, config.limits, _prepared_hierarchy())
        self._holder: Holder | None = None
        self._descriptors: list[int] = []
        self._join: list[str] = []
        self._join_network: list[str] = []
        self._root_fd = self._workspace_fd = self._end_fd = -1
        self._calls: WeakSet[Call] = WeakSet()
        self._entry: Entry | None = None
        self._entering = threading.Lock()
        self._closing = threading.Lock()
        self._closed = False
        self._owner = os.getpid()
        atexit.register(self._close_at_exit)

    @classmethod
    def start(cls, config: SandboxConfig) -> Self:
        """Start a sandbox with an empty workspace.

        Raises:
            SandboxRefused: none can be started here; the message names the cause and the fix.
        """
        facts = gather_facts()
        missing = missing_program(facts)
        if missing is not None:
            raise SandboxRefused(missing)
        with refused_by_host(facts):
            sandbox = cls(config)
            try:
                sandbox._start(facts)
            except BaseException:
                sandbox.close()
                raise
        return sandbox

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether process 1 runs, so that calls can be made."""
        return not self._closed and self._end_fd >= 0 and not is_readable(self._end_fd, 0)

    @property
    def killed_from_outside(self) -> bool:
        """Whether the host's process around the sandbox was killed, which nothing inside can do."""
        return not self._closed and self._holder is not None and self._holder.was_killed

    @property
    def oom_kills(self) -> int:
        """How many of its processes the kernel has killed for memory; 0 where that cannot be known."""
        return self._cgroup.oom_kills()

    def put(self, files: Iterable[tuple[str, bytes, int]]) -> None:
        """Write files into the workspace as the sandbox's user, with their parents; existing files are replaced.

        Args:
            files: (path relative to the workspace, content, mode).

        Raises:
            ValueError: a path is absolute or has a `..` component.
            OSError: a parent is a link or no folder, or the quota is used up.
            SandboxGone: the sandbox is closed.
        """
        self._require_open()
        put_files(self._workspace_fd, files, self._host_user)

    def fetch(self, path: str, max_bytes: int) -> tuple[bytes, int]:
        """Read a plain file of the workspace as the sandbox's user, without starting anything in it.

        Returns:
            The first `max_bytes` of the content, and the size of the file.

        Raises:
            ValueError: the path is absolute or has a `..` component.
            FileNotFoundError, IsADirectoryError, PermissionError: as reading a file does.
            OSError: the file or a parent is a link, or it is no plain file.
            SandboxGone: the sandbox is closed.
        """
        self._require_open()
        return fetch_file(self._workspace_fd, path, max_bytes, self._host_user)

    def replace(self, path: str, content: bytes) -> None:
        """Write a plain file of the workspace as the sandbox's user, without starting anything in it.

        Raises:
            ValueError: the path is absolute or has a `..` component.
            OSError: as `fetch`, or the quota is used up.
            SandboxGone: the sandbox is closed.
        """
        self._require_open()
        replace_content(self._workspace_fd, path, content, self._host_user)

    def call(
        self,
        argv: Sequence[str],
        *,
        input: bytes | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout_sec: float | None = None,
        max_output_bytes: int = MAX_OUTPUT_BYTES,
    ) -> Completed:
        """Run a command and wait for its end, or kill it with all that descends from it at the timeout.

        Args:
            argv: the program, looked up in PATH, and its arguments.
            input: what the command reads; None is an empty input.
            cwd: working folder, relative to the workspace.
            env: variables beside the sandbox's own.
            timeout_sec: None waits for ever.
            max_output_bytes: of each stream the last bytes are kept.

        Raises:
            SandboxGone: the sandbox has ended.
            ValueError: a word has a NUL or cannot be encoded.
            OSError: the command is longer than the system allows.
        """
        return self._prepare(argv, input, cwd, env or {}, timeout_sec, max_output_bytes).run()

    def begin(
        self,
        argv: Sequence[str],
        *,
        input: bytes | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout_sec: float | None = None,
        max_output_bytes: int = MAX_OUTPUT_BYTES,
    ) -> Call:
        """Start a command as `call` does and return at once."""
        call = self._prepare(argv, input, cwd, env or {}, timeout_sec, max_output_bytes)
        threading.Thread(target=call.run, name=f"clawgym-call-{call.pid}", daemon=True).start()
        return call

    def begin_interactive(
        self,
        argv: Sequence[str],
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout_sec: float | None = None,
        max_output_bytes: int = MAX_OUTPUT_BYTES,
    ) -> Call:
        """Start a command as `begin` does, with a standard input that stays open for `Call.feed`."""
        call = self._prepare(argv, b"", cwd, env or {}, timeout_sec, max_output_bytes, interactive=True)
        threading.Thread(target=call.run, name=f"clawgym-call-{call.pid}", daemon=True).start()
        return call

    def listen(self, port: int) -> socket.socket:
        """Open a port on the loopback address inside, to be served from outside; no process of the sandbox holds it.

        Raises:
            SandboxGone: the sandbox has ended.
            OSError: the port is taken.
        """
        self._require_alive()
        return listening_socket(self._join_network, port)

    def end_processes(self) -> None:
        """Kill everything but process 1; on return nothing that was ever called still runs.

        Raises:
            SandboxGone: the sandbox has ended, and with it all its processes.
            TimeoutError: something could not be killed.
        """
        for call in list(self._calls):  # one that is still on its way in would begin after the others have ended
            if not call.finished:
                call.kill()
        deadline = time.monotonic() + END_SEC
        kill_all = [*self._join, *arguments.command_in_sandbox(self.config, ["/bin/sh", "-c", "kill -9 -1"], "/", {})]
        while time.monotonic() < deadline:
            self._require_alive()
            spawner(restricted=True).spawn(kill_all, Streams()).wait()
            if self._wait_until_empty(0.05):
                return
        raise TimeoutError(f"processes of sandbox {self.pid} could not be killed: {self._processes()}")

    def snapshot(self, limits: SnapshotLimits = DEFAULT_LIMITS, first: Sequence[str] = ()) -> Snapshot:
        """Read the workspace, also after the sandbox's processes have died; see `read_folder`.

        Raises:
            SandboxGone: the sandbox is closed.
        """
        self._require_open()
        return read_folder_at(self._workspace_fd, "", limits, first)

    def enforcement(self) -> dict[str, str]:
        """Return what holds each limit: cgroup-v1, cgroup-v2, rlimit (for each process alone), tmpfs, ... or none."""
        return enforcement(self.config, self._cgroup)

    def expect_calls(self) -> None:
        """Have a process ready for each next call, which makes many of them faster; see `entry`."""
        with self._entering:
            if self._entry is None and self._cgroup.folders and not self._closed:
                self._entry = Entry(self._cgroup)
                self._entry.renew()

    def close(self) -> None:
        """Kill everything and remove what is left of the sandbox; may be repeated, never raises."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
        atexit.unregister(self._close_at_exit)
        with self._entering:
            entry, self._entry = self._entry, None
        if entry is not None:
            entry.kill()
        if self._holder is not None:
            self._holder.end()
        if entry is not None:
            entry.close()
        with suppress(OSError):
            self._cgroup.remove()
        for descriptor in self._descriptors:
            with suppress(OSError):
                os.close(descriptor)

    def _close_at_exit(self) -> None:
        """Close the sandbox when the process ends that started it, not when a fork of that does."""
        if os.getpid() == self._owner:
            self.close()

    def _start(self, facts: Facts) -> None:
        self._holder = Holder.start(self.config, self._name, self._host_user, facts)
        self.pid = self._holder.first_pid
        self._open_namespaces()

    def _open_namespaces(self) -> None:
        """Keep hold of the root and the workspace, so that they stay readable whatever happens inside."""
        self._end_fd = self._keep(os.pidfd_open(self.pid))
        self._root_fd = self._keep(os.open(f"/proc/{self.pid}/root", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        workspace = self.config.workspace.lstrip("/")
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        self._workspace_fd = self._keep(os.open(workspace, flags, dir_fd=self._root_fd))
        outer = None
        if not is_privileged():
            outer = f"/proc/{os.getpid()}/fd/{self._keep(_outer_user_namespace(self.pid))}"
        self._join = arguments.joining_command(self.pid, self.config.uid, outer)
        self._join_network = network_command(self.pid, outer)

    def _keep(self, descriptor: int) -> int:
        self._descriptors.append(descriptor)
        return descriptor

    def _prepare(
        self,
        argv: Sequence[str],
        input: bytes | None,
        cwd: str | None,
        env: Mapping[str, str],
        timeout_sec: float | None,
        max_output_bytes: int,
        *,
        interactive: bool = False,
    ) -> Call:
        self._require_alive()
        limits = self.config.limits
        bounds = [f"--fsize={limits.file_mb << 20}", f"--nofile={limits.open_files}", "--core=0"]
        if self._cgroup.enforcer("memory") is None:
            bounds.append(f"--data={limits.memory_mb << 20}")
        if self._cgroup.enforcer("pids") is None:
            bounds.append(f"--nproc={limits.processes}")
        inside = arguments.command_in_sandbox(self.config, argv, cwd, env)
        call = Call(
            self._enter(["prlimit", *bounds, "--", *self._join, *inside], has_input=input is not None),
            input=input,
            timeout_sec=timeout_sec,
            max_output_bytes=max_output_bytes,
            oom_kills=self._cgroup.oom_kills,
            interactive=interactive,
        )
        self._calls.add(call)
        return call

    def _enter(self, command: Sequence[str], *, has_input: bool) -> subprocess.Popen[bytes]:
        """Start a command of the host in the sandbox's control groups."""
        if any("\0" in word for word in command):
            raise ValueError("embedded null byte")
        with self._entering:
            if self._entry is not None:
                process = self._entry.take(command, has_input=has_input)
                self._entry.renew()
                if process is not None:
                    return process
        joining = ["/bin/sh", "-c", f'{self._cgroup.join_script()}exec "$@"', "sh", *command]
        return spawner(restricted=True).spawn(joining, PIPES_WITH_INPUT if has_input else PIPES)

    def _require_alive(self) -> None:
        if not self.alive:
            raise SandboxGone(f"sandbox {self.pid} has ended")

    def _require_open(self) -> None:
        if self._closed:
            raise SandboxGone(f"sandbox {self.pid} is closed")

    def _wait_until_empty(self, timeout_sec: float) -> bool:
        deadline = time.monotonic() + timeout_sec
        while self._processes():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.0005)
        return True

    def _processes(self) -> list[int]:
        """Return the ids, as the sandbox numbers them, of all its processes that run, but for the first."""
        proc = os.open("proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._root_fd)
        try:
            others = [name for name in os.listdir(proc) if name.isdigit() and name != "1"]
            return [int(name) for name in others if runs(name, proc)]
        finally:
            os.close(proc)


def _outer_user_namespace(pid: int) -> int:
    """Open the user namespace around that of a process, which owns its other namespaces."""
    import fcntl

    inner = os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return fcntl.ioctl(inner, _NS_GET_PARENT)
    finally:
        os.close(inner)
