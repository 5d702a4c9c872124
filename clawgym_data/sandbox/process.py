"""Running one process: bounded output, and an end that nothing in it can put off."""

import os
import select
import selectors
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

DRAIN_SEC = 0.25
"""How long output is still read after the process ended while something else holds its pipes."""
KILL_ROUNDS = 50
KILL_SEC = 5.0
_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True)
class Completed:
    """How a call ended."""

    returncode: int
    """As a shell gives it: 128 + n for death by signal n."""
    stdout: bytes
    stderr: bytes
    timed_out: bool
    truncated: bool
    """Whether the start of an output was dropped."""
    oom_killed: bool
    """Whether the kernel killed something in the sandbox for memory during the call, where that can be known."""


class _Tail:
    """The last bytes of a stream."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._lock = threading.Lock()
        self.total_bytes = 0
        """Of all that was written, dropped or not."""
        self.truncated = False

    def write(self, chunk: bytes) -> None:
        with self._lock:
            self._chunks.append(chunk)
            self._size += len(chunk)
            self.total_bytes += len(chunk)
            while self._size - len(self._chunks[0]) >= self._max_bytes:
                self._size -= len(self._chunks.popleft())
                self.truncated = True

    def content(self) -> bytes:
        with self._lock:
            content = b"".join(self._chunks)
        if len(content) > self._max_bytes:
            self.truncated = True
            return content[-self._max_bytes :] if self._max_bytes else b""
        return content

    def with_total(self) -> tuple[bytes, int]:
        """Return the content and how many bytes there were before and with it."""
        with self._lock:
            content, total = b"".join(self._chunks), self.total_bytes
        return content[-self._max_bytes :] if self._max_bytes else b"", total


class Call:
    """A process that was started; its output is read from then on, so that it never waits for a reader."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        *,
        input: bytes | None,
        timeout_sec: float | None,
        max_output_bytes: int,
        oom_kills: Callable[[], int],
        interactive: bool = False,
    ) -> None:
        self._process = process
        self._input = memoryview(input or b"")
        self._interactive = interactive
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
        self._input_lock = threading.Lock()
        self._deadline = None if timeout_sec is None else time.monotonic() + timeout_sec
        self._stdout, self._stderr = _Tail(max_output_bytes), _Tail(max_output_bytes)
        self._oom_kills = oom_kills
        self._oom_kills_before = oom_kills()
        self._timed_out = False
        self._finished = threading.Event()
        self._result: Completed | None = None

    @property
    def pid(self) -> int:
        """The process on the host that the call's processes descend from."""
        return self._process.pid

    @property
    def finished(self) -> bool:
        """Whether the call has ended, so that `wait` returns at once."""
        return self._finished.is_set()

    def wait_for(self, timeout_sec: float) -> bool:
        """Wait for the end of the call, but no longer; return whether it has ended."""
        return self._finished.wait(timeout_sec)

    def output(self) -> tuple[bytes, int]:
        """Return what is kept of standard output so far, and of how many bytes that is the end."""
        return self._stdout.with_total()

    def feed(self, data: bytes) -> int:
        """Write to the standard input of an interactive call, as much as its pipe takes at once.

        Returns:
            How many bytes were taken.

        Raises:
            BrokenPipeError: nobody reads them: the input is closed or the call has ended.
        """
        with self._input_lock:
            stream = self._process.stdin
            if not self._interactive or stream is None or stream.closed:
                raise BrokenPipeError("the standard input is closed")
            try:
                return os.write(stream.fileno(), data)
            except BlockingIOError:
                return 0

    def close_input(self) -> None:
        """End the standard input."""
        with self._input_lock:
            if self._process.stdin is not None:
                self._process.stdin.close()

    def wait(self) -> Completed:
        """Wait for the end of the call.

        Raises:
            ChildProcessError: it could not be observed to its end.
        """
        self._finished.wait()
        if self._result is None:
            raise ChildProcessError(f"the call of process {self.pid} was lost")
        return self._result

    def kill(self) -> None:
        """Kill the call's processes, the youngest generation with the oldest; safe from any thread."""
        if self._process.returncode is None:
            kill_tree(self._process.pid)

    def run(self) -> Completed:
        """Read the output until the end, in the calling thread; once only, `wait` is for everyone else."""
        try:
            self._pump()
            self._result = self._complete()
        except BaseException:
            self.kill()
            self._process.wait()
            raise
        finally:
            self.close_input()
            for stream in (self._process.stdout, self._process.stderr):
                if stream is not None:
                    stream.close()
            self._finished.set()
        return self._result

    def _complete(self) -> Completed:
        code = self._process.wait()
        stdout, stderr = self._stdout.content(), self._stderr.content()
        return Completed(
            returncode=code if code >= 0 else 128 - code,
            stdout=stdout,
            stderr=stderr,
            timed_out=self._timed_out,
            truncated=self._stdout.truncated or self._stderr.truncated,
            oom_killed=self._oom_kills() > self._oom_kills_before,
        )

    def _pump(self) -> None:
        end = os.pidfd_open(self._process.pid)
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(end, selectors.EVENT_READ)
                self._register_streams(selector)
                while not self._process_ended(selector, end):
                    pass
                self._drain(selector)
        finally:
            os.close(end)

    def _register_streams(self, selector: selectors.BaseSelector) -> None:
        for stream, tail in ((self._process.stdout, self._stdout), (self._process.stderr, self._stderr)):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ, tail)
        if self._process.stdin is not None and not self._interactive:
            selector.register(self._process.stdin, selectors.EVENT_WRITE)

    def _process_ended(self, selector: selectors.BaseSelector, end: int) -> bool:
        left = None if self._deadline is None else self._deadline - time.monotonic()
        if left is not None and left <= 0 and not self._timed_out:
            self._timed_out = True
            self.kill()
        events = selector.select(None if self._timed_out else left)
        for key, _ in events:
            if key.fileobj != end:
                self._transfer(selector, key)
        return any(key.fileobj == end for key, _ in events)

    def _drain(self, selector: selectors.BaseSelector) -> None:
        """Read what is left, up to the end of the pipes or the grace time."""
        deadline = time.monotonic() + DRAIN_SEC
        while any(isinstance(key.data, _Tail) for key in selector.get_map().values()):
            events = [key for key, _ in selector.select(max(0, deadline - time.monotonic())) if key.data is not None]
            for key in events:
                self._transfer(selector, key)
            if time.monotonic() >= deadline:
                return

    def _transfer(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        if isinstance(key.data, _Tail):
            with suppress(BlockingIOError):
                chunk = os.read(key.fd, _CHUNK_BYTES)
                if chunk:
                    key.data.write(chunk)
                else:
                    selector.unregister(key.fileobj)
            return
        try:
            self._input = self._input[os.write(key.fd, self._input[:_CHUNK_BYTES]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._input = self._input[:0]
        if not self._input and self._process.stdin is not None:
            selector.unregister(key.fileobj)
            self._process.stdin.close()


def kill_tree(pid: int) -> None:
    """Kill everything that descends from a process, which then ends by itself, or else the process.

    All are stopped first, until no new one turns up, so that none can start another while the rest is killed. The
    process itself is spared where it has a child, because it is the child's only parent that is sure to collect it.
    """
    try:
        end = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        _signal(pid, signal.SIGSTOP)
        stopped: list[int] = []
        for _ in range(KILL_ROUNDS):
            found = [child for child in descendants(pid) if child not in stopped]
            if not found:
                break
            for child in found:
                _signal(child, signal.SIGSTOP)
            stopped += found
        for child in stopped or [pid]:
            _signal(child, signal.SIGKILL)
        _resume_until_ended(pid, end)
    finally:
        os.close(end)


def _resume_until_ended(pid: int, end: int) -> None:
    """Let a stopped process go on; nsenter, seeing its child stopped, may stop itself once more."""
    deadline = time.monotonic() + KILL_SEC
    while time.monotonic() < deadline:
        _signal(pid, signal.SIGCONT)
        if is_readable(end, 0.005):
            return
    _signal(pid, signal.SIGKILL)


def is_readable(descriptor: int, timeout_sec: float) -> bool:
    """Wait until a descriptor can be read (a pidfd: until its process ended), or the time is over."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(timeout_sec * 1000))


def descendants(pid: int) -> list[int]:
    """Return the processes below `pid` as /proc shows them now, parents before their children."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as status:
                children.setdefault(int(status.read().rpartition(b")")[2].split()[1]), []).append(int(name))
    found = [pid]
    for parent in found:
        found += children.get(parent, [])
    return found[1:]


def runs(name: str, proc_fd: int) -> bool:
    """Whether the process of that name in an open /proc has not ended, be it that its parent has yet to learn of it."""
    try:
        descriptor = os.open(f"{name}/stat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc_fd)
    except FileNotFoundError:
        return False
    with open(descriptor, "rb") as status:
        try:
            return status.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
        except ProcessLookupError:
            return False


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
