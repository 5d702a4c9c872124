"""Runs the cases of a subject one after the other in one sandbox and hands their bytes out.

The subject has the driver's user id and may end it, which costs the subject its cases. It can neither read nor write the
driver's memory and descriptors, because the driver is not dumpable, and the driver knows no expected value. Between two
cases all other processes end and every place that can be written is as it was.

Standard input: `marshal` with `workspace`, `home`, `brought` (folder and files) and `cases`. Standard output: for each case
a frame of `HEADER` (number, exit, flag, seconds, length) and that many bytes.

A grading starts many drivers, so this one imports no more than it must: `json`, `signal` and `typing` take longer than
Python itself.
"""

from __future__ import annotations

import ctypes
import itertools
import marshal
import os
import select
import stat
import struct
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

HEADER = struct.Struct(">IiBdI")
FINE, LATE, TOO_MUCH, FAILED = range(4)
MAX_OUTPUT_BYTES = 4 << 20
MAX_TOTAL_BYTES = 48 << 20
PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, SECCOMP_SET_MODE_FILTER = 4, 38, 1
SIGKILL = 9
PLACE_LOST = 75
"""Exit status where the first state cannot be brought back."""
SCRATCH = ("/tmp", "/dev/shm")  # noqa: S108 - inside the sandbox
END_SEC = 10.0
_NUMBERS = itertools.count()


class Place:
    """The subject's files as they were at first, and every folder beside them that can be written."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.workspace: str = request["workspace"]
        self._brought = {
            os.path.join(request["brought_folder"], name): content for name, content in request["brought"].items()
        }
        self._roots = [*SCRATCH, self.workspace]
        while self._roots[-1] != request["home"]:
            self._roots.append(os.path.dirname(self._roots[-1]))
        self._root_modes = [stat.S_IMODE(os.lstat(root).st_mode) for root in self._roots]
        for folder in request["folders"]:
            os.makedirs(os.path.join(self.workspace, folder), exist_ok=True)
        self._first = list(self._census())
        self._moment = time.time_ns()
        self.restore()

    def _census(self) -> Iterator[tuple[str, int, bytes | None]]:
        """Every path with its mode and content (None: a folder), a folder before what is in it."""
        open_folders = [self.workspace]
        while open_folders:
            with os.scandir(open_folders.pop()) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    mode = entry.stat(follow_symlinks=False).st_mode
                    is_folder = stat.S_ISDIR(mode)
                    yield entry.path, stat.S_IMODE(mode), None if is_folder else read_file(entry.path)
                    if is_folder:
                        open_folders.append(entry.path)

    def restore(self) -> None:
        """Make everything anew: what is only put right keeps times, attributes and flags that tell of the run before.

        Raises:
            OSError: something cannot be removed or made, so that no further case may run here.
        """
        for root, mode in reversed(list(zip(self._roots, self._root_modes, strict=True))):
            if stat.S_IMODE(os.lstat(root).st_mode) != mode:
                os.chmod(root, mode)
        for root in self._roots:
            for name in os.listdir(root):
                if os.path.join(root, name) not in self._roots:
                    remove(os.path.join(root, name))
        for path, _, content in self._first:
            if content is None:
                os.mkdir(path)
            else:
                write_file(path, content)
        for path, content in self._brought.items():
            write_file(path, content)
        for path, mode, _ in reversed(self._first):
            os.chmod(path, mode)
            os.utime(path, ns=(self._moment, self._moment))
        for root in self._roots:
            os.utime(root, ns=(self._moment, self._moment))


def remove(path: str) -> None:
    """Remove a file, or a folder with all below it, whatever its mode and depth; nothing where there is nothing."""
    try:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            os.unlink(path)
            return
    except FileNotFoundError:
        return
    os.chmod(path, 0o700)
    while names := os.listdir(path):
        for name in names:
            lift(os.path.join(path, name), path)
    os.rmdir(path)


def lift(path: str, top: str) -> None:
    """Remove a file, or a folder whose own folders move up to `top`, so that no path ever gets long."""
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        os.unlink(path)
        return
    os.chmod(path, 0o700)
    for name in os.listdir(path):
        inner = os.path.join(path, name)
        if not stat.S_ISDIR(os.lstat(inner).st_mode):
            os.unlink(inner)
            continue
        os.chmod(inner, 0o700)
        number = next(_NUMBERS)
        while os.path.lexists(f"{top}/{number}"):
            number = next(_NUMBERS)
        os.rename(inner, f"{top}/{number}")
    os.rmdir(path)


def read_file(path: str) -> bytes:
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def write_file(path: str, content: bytes) -> None:
    """Write a new file with its parents."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    remove(path)
    with open(path, "xb") as file:
        file.write(content)


def end_others() -> bool:
    """Kill every other process of the sandbox but its first; return whether none is left."""
    deadline = time.monotonic() + END_SEC
    while time.monotonic() < deadline:
        try:
            os.kill(-1, SIGKILL)
        except ProcessLookupError:
            return True
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        time.sleep(0.0005)
    return False


def run_case(case: dict[str, Any], workspace: str) -> tuple[int, int, bytes]:
    """Run one program; return (exit, flag, bytes)."""
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.dup2(in_read, 0)
            os.dup2(out_write, 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.chdir(workspace)
            os.execvp(case["argv"][0], case["argv"])  # noqa: S606
        finally:
            os._exit(127)
    os.close(in_read)
    os.close(out_write)
    try:
        code, flag, output = converse(
            pid, in_write, out_read, case["stdin"].encode("utf-8", "surrogateescape"), case["limit_sec"]
        )
    finally:
        os.close(out_read)
    if flag != FINE:
        return code, flag, b""
    if case["output"] is not None:
        flag, output = wanted(case["output"], workspace)
    return code, flag, output


def converse(pid: int, in_write: int, out_read: int, given: bytes, limit_sec: float) -> tuple[int, int, bytes]:
    """Feed a process and read what it prints until it ends; return (exit, flag, bytes)."""
    end = os.pidfd_open(pid)
    output = bytearray()
    ended = exchange(end, in_write, out_read, given, output, time.monotonic() + limit_sec)
    os.close(end)
    flag = FINE if ended else LATE
    if not ended:
        os.kill(pid, SIGKILL)
    status = os.waitpid(pid, 0)[1]
    end_others()
    while len(output) <= MAX_OUTPUT_BYTES and read_some(out_read, output):
        pass
    if len(output) > MAX_OUTPUT_BYTES:
        flag = TOO_MUCH
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code, flag, bytes(output)


def exchange(end: int, in_write: int, out_read: int, given: bytes, output: bytearray, deadline: float) -> bool:
    """Write and read until the process ends, the time is over or too much was printed; return whether it ended."""
    poll = select.poll()
    for descriptor, event in ((end, select.POLLIN), (out_read, select.POLLIN), (in_write, select.POLLOUT)):
        os.set_blocking(descriptor, False)
        poll.register(descriptor, event)
    fed, ended, more = 0, False, True
    while not ended and len(output) <= MAX_OUTPUT_BYTES and time.monotonic() < deadline:
        for descriptor, _ in poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            if descriptor == end:
                ended = True
            elif descriptor == out_read:
                if not read_some(out_read, output):
                    poll.unregister(out_read)
            elif more:
                fed, more = feed(in_write, given, fed)
                if not more:
                    poll.unregister(in_write)
                    os.close(in_write)
    if more:
        os.close(in_write)
    return ended


def read_some(descriptor: int, output: bytearray) -> bool:
    """Take what a pipe holds; return whether there was something."""
    try:
        chunk = os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return False
    output += chunk
    return bool(chunk)


def feed(descriptor: int, given: bytes, fed: int) -> tuple[int, bool]:
    """Write what a pipe takes; return how much was written in all, and whether there is more to write."""
    try:
        fed += os.write(descriptor, given[fed : fed + (1 << 16)]) if fed < len(given) else 0
    except BlockingIOError:
        return fed, True
    except BrokenPipeError:
        return len(given), False
    return fed, fed < len(given)


def wanted(path: str, workspace: str) -> tuple[int, bytes]:
    """The bytes of the file that a case wants; return (flag, bytes)."""
    try:
        descriptor = os.open(os.path.join(workspace, path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return FAILED, f"{path}: {error.strerror}".encode()
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return FAILED, f"{path} is no regular file".encode()
        content = file.read(MAX_OUTPUT_BYTES + 1)
    return (TOO_MUCH, b"") if len(content) > MAX_OUTPUT_BYTES else (FINE, content)


def serve(case: dict[str, Any], place: Place, left_sec: float) -> tuple[int, int, bytes]:
    """Run one case from the first state; return (exit, flag, bytes)."""
    if left_sec <= 0:
        return -1, FAILED, b"the cases before took too long"
    try:
        for path, text in case["files"].items():
            write_file(os.path.join(place.workspace, path), text.encode("utf-8", "surrogateescape"))
        return run_case(case, place.workspace)
    except OSError as error:
        return -1, FAILED, f"the case could not be set up: {error.strerror}".encode()


def refuse_calls(number: int, program: bytes) -> None:
    """Install a system call filter, which all processes inherit."""
    libc = ctypes.CDLL(None)
    code = ctypes.create_string_buffer(program, len(program))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    libc.syscall(number, SECCOMP_SET_MODE_FILTER, 0, header)


def main() -> None:
    """Serve one request."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    request = marshal.loads(sys.stdin.buffer.read())  # noqa: S302 - from the grader
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    if request["refused"]:
        refuse_calls(request["refused"][0], request["refused"][1])
    place = Place(request)
    spent: dict[str, float] = {}
    total = 0
    for case in request["cases"]:
        begun = time.monotonic()
        code, flag, content = serve(case, place, case["budget_sec"] - spent.get(case["of"], 0.0))
        total += len(content)
        if total > MAX_TOTAL_BYTES:
            flag, content = TOO_MUCH, b""
        frame = HEADER.pack(case["number"], code, flag, time.monotonic() - begun, len(content)) + content
        while frame:
            frame = frame[os.write(out, frame) :]
        try:
            place.restore()
        except OSError:
            sys.exit(PLACE_LOST)
        spent[case["of"]] = spent.get(case["of"], 0.0) + time.monotonic() - begun


if __name__ == "__main__":
    main()
