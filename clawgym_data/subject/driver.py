"""Runs the cases of a subject one after the other in one sandbox and hands their bytes out.

The subject has the driver's user id and may end it, which costs the subject its cases. It can neither read nor write the
driver's memory and descriptors, because the driver is not dumpable, and the driver knows no expected value. Between two
cases all other processes end and every place that can be written is as it was.

Standard input: JSON with `workspace`, `home`, `brought` (folder and files) and `cases`. Standard output: for each case a
frame of `HEADER` (number, exit, flag, length) and that many bytes.
"""

import base64
import ctypes
import json
import os
import select
import signal
import stat
import struct
import sys
import time
from typing import Any

HEADER = struct.Struct(">IiBI")
FINE, LATE, TOO_MUCH, FAILED = range(4)
MAX_OUTPUT_BYTES = 4 << 20
MAX_TOTAL_BYTES = 48 << 20
PR_SET_DUMPABLE = 4
SCRATCH = ("/tmp", "/dev/shm")  # noqa: S108 - inside the sandbox
END_SEC = 10.0


class Place:
    """The subject's files as they were at first."""

    def __init__(self, workspace: str, home: str, brought_folder: str, brought: dict[str, bytes]) -> None:
        self.workspace, self.home = workspace, home
        self.brought_folder, self.brought = brought_folder, brought
        self.first = self._census()
        self.contents = {path: read_file(os.path.join(workspace, path)) for path, f in self.first.items() if len(f) > 1}
        self.clear_scratch()

    def _census(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        open_folders = [""]
        while open_folders:
            folder = open_folders.pop()
            with os.scandir(os.path.join(self.workspace, folder)) as entries:
                for entry in entries:
                    path = os.path.join(folder, entry.name)
                    facts = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(facts.st_mode):
                        found[path] = (facts.st_mode,)
                        open_folders.append(path)
                    else:
                        found[path] = (facts.st_mode, facts.st_ino, facts.st_ctime_ns, facts.st_mtime_ns, facts.st_size)
        return found

    def restore(self) -> None:
        """Bring everything back to the first state."""
        for folder in [
            self.workspace,
            *(os.path.join(self.workspace, p) for p, f in self.first.items() if len(f) == 1),
        ]:
            make_writable(folder)
        now = self._census()
        for path in sorted(now, reverse=True):
            if now[path] != self.first.get(path) and not len(now[path]) == len(self.first.get(path, ())) == 1:
                remove(os.path.join(self.workspace, path))
        for path in sorted(self.first):
            if now.get(path) == self.first[path]:
                continue
            if path in now and len(now[path]) == len(self.first[path]) == 1:
                os.chmod(os.path.join(self.workspace, path), stat.S_IMODE(self.first[path][0]))
            else:
                self._write_again(path)
        self.clear_scratch()

    def _write_again(self, path: str) -> None:
        target, mode = os.path.join(self.workspace, path), self.first[path][0]
        if stat.S_ISDIR(mode):
            os.mkdir(target)
        else:
            write_file(target, self.contents[path])
        os.chmod(target, stat.S_IMODE(mode))
        facts = os.lstat(target)
        if not stat.S_ISDIR(mode):
            self.first[path] = (facts.st_mode, facts.st_ino, facts.st_ctime_ns, facts.st_mtime_ns, facts.st_size)

    def clear_scratch(self) -> None:
        """Empty the folders that can be written beside the workspace, and put the brought files there again."""
        kept = os.path.relpath(self.workspace, self.home).split("/")[0]
        for folder in (*SCRATCH, self.home):
            for name in os.listdir(folder):
                if folder != self.home or name != kept:
                    remove(os.path.join(folder, name))
        for name, content in self.brought.items():
            write_file(os.path.join(self.brought_folder, name), content)


def make_writable(folder: str) -> None:
    """Undo a folder's mode that would keep its owner out; leave what is no folder."""
    try:
        if os.lstat(folder).st_mode & 0o700 != 0o700 and not os.path.islink(folder):
            os.chmod(folder, 0o700)
    except FileNotFoundError:
        pass


def remove(path: str) -> None:
    """Remove a file, or a folder with all below it, whatever its mode; nothing where there is nothing."""
    try:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            os.unlink(path)
            return
        os.chmod(path, 0o700)
        for name in os.listdir(path):
            remove(os.path.join(path, name))
        os.rmdir(path)
    except FileNotFoundError:
        pass


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
            os.kill(-1, signal.SIGKILL)
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
        os.kill(pid, signal.SIGKILL)
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
    """Run one case from the first state and bring that back; return (exit, flag, bytes)."""
    if left_sec <= 0:
        return -1, FAILED, b"the cases before took too long"
    try:
        for path, text in case["files"].items():
            write_file(os.path.join(place.workspace, path), text.encode("utf-8", "surrogateescape"))
        done = run_case(case, place.workspace)
    except OSError as error:
        done = -1, FAILED, f"the case could not be set up: {error.strerror}".encode()
    place.restore()
    return done


def main() -> None:
    """Serve one request."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    request = json.loads(sys.stdin.buffer.read())
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    brought = {name: base64.b64decode(content) for name, content in request["brought"].items()}
    place = Place(request["workspace"], request["home"], request["brought_folder"], brought)
    spent: dict[str, float] = {}
    total = 0
    for case in request["cases"]:
        begun = time.monotonic()
        code, flag, content = serve(case, place, case["budget_sec"] - spent.get(case["of"], 0.0))
        spent[case["of"]] = spent.get(case["of"], 0.0) + time.monotonic() - begun
        total += len(content)
        if total > MAX_TOTAL_BYTES:
            flag, content = TOO_MUCH, b""
        frame = HEADER.pack(case["number"], code, flag, len(content)) + content
        while frame:
            frame = frame[os.write(out, frame) :]


if __name__ == "__main__":
    main()
