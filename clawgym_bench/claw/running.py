"""A command that runs in a sandbox: wait for it, read its output so far, feed it, kill it."""

import errno
from functools import partial
from typing import Protocol

import anyio.to_thread
from inspect_ai.util import ExecResult, SandboxEnvironment

from clawgym_bench.sandbox import in_thread, thread_limiter
from clawgym_data.sandbox import Call

KEPT_BYTES = 1 << 20
"""Of a command's output; the start is dropped where there is more."""
CALL_SEC = 120
"""For the commands by which a sandbox without a runner of ours is asked about another command."""


class NoAnswer(OSError):  # noqa: N818 - a state, named like one
    """The sandbox lives, but what is run in it to look after a command is refused or killed: the agent's own doing.

    A sandbox that is gone says so itself.
    """


class Running(Protocol):
    """A command that was started, with standard output and standard error in one."""

    exit_code: int | None
    """None while it runs."""
    trouble: str
    """Why it could not be started, as far as the sandbox told; empty where it was."""

    async def wait(self, timeout_sec: float) -> bool:
        """Wait for the end, but no longer than `timeout_sec`; return whether it has ended.

        Raises:
            NoAnswer: nothing can be learnt of it now.
        """
        ...

    def output(self) -> tuple[bytes, int]:
        """Return the end of the output as of the last wait, and how many bytes it had in all."""
        ...

    async def feed(self, data: bytes, eof: bool) -> int:
        """Write to its standard input; return how many bytes were taken.

        Raises:
            BrokenPipeError: it is closed.
        """
        ...

    async def kill(self) -> None:
        """Kill it with all that descends from it."""
        ...


class RunnerCommand:
    """A command under our own runner."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self.exit_code: int | None = None
        self.trouble = ""

    async def wait(self, timeout_sec: float) -> bool:
        """See `Running`."""
        if not self._call.finished:
            # the thread is let go where the attempt is cancelled: the command is killed with the sandbox
            waiting = partial(self._call.wait_for, timeout_sec)
            if timeout_sec > 0 and not await anyio.to_thread.run_sync(
                waiting, abandon_on_cancel=True, limiter=thread_limiter()
            ):
                return False
        if not self._call.finished:
            return False
        done = self._call.wait()
        self.exit_code = done.returncode
        if done.returncode != 0:
            self.trouble = done.stderr.decode(errors="replace").strip()
            if not self.trouble and done.oom_killed and not done.stdout:
                self.trouble = "Cannot allocate memory: the sandbox has used up its memory"
        return True

    def output(self) -> tuple[bytes, int]:
        """See `Running`."""
        return self._call.output()

    async def feed(self, data: bytes, eof: bool) -> int:
        """See `Running`."""
        taken = self._call.feed(data) if data else 0
        if eof:
            self._call.close_input()
        return taken

    async def kill(self) -> None:
        """See `Running`."""
        await in_thread(self._call.kill)
        await self.wait(5)


_START = """\
d=$(mktemp -d /tmp/claw-exec.XXXXXX) && mkfifo "$d/in" || exit 1
cd "$1" 2>"$d/out" || { cat "$d/out" >&2; exit 1; }
setsid /bin/sh -c '
sleep 1000000 >"$1/in" & echo $! >"$1/holder"
timeout -k 5 "$2" /bin/bash -c "$3" <"$1/in" >"$1/out" 2>&1 & echo $! >"$1/pid"
wait $!; echo $? >"$1/code.new"; kill $(cat "$1/holder"); mv "$1/code.new" "$1/code"
' claw "$d" "$2" "$3" </dev/null >/dev/null 2>&1 &
echo "$d"
"""
_WAIT = """\
n=0
while [ ! -e "$1/code" ] && [ "$n" -lt "$2" ]; do
  if [ "$n" -lt 20 ]; then sleep 0.01; else sleep 0.1; fi; n=$((n+1))
done
code=$(cat "$1/code" 2>/dev/null)
echo "${code:-running}"
stat -c %s "$1/out" 2>/dev/null || echo 0
tail -c "$3" "$1/out" 2>/dev/null
[ -z "$code" ] || rm -rf "$1"
"""
_KILL = 'p=$(cat "$1/pid"); kill -s KILL -- "-$p" 2>/dev/null; kill -s KILL "$p" 2>/dev/null; exit 0'
_FEED = '[ -e "$1/code" -o ! -e "$1/in" ] && exit 9; [ -e "/proc/$(cat "$1/holder")" ] || exit 9; exec timeout 5 cat >"$1/in"'
_EOF = 'kill "$(cat "$1/holder")" 2>/dev/null; exit 0'


_TIMEOUT_FAILED = 125
"""Exit code of `timeout` where it cannot start its command."""


class FolderCommand:
    """A command in any other sandbox, where a folder in /tmp holds its output, its input pipe and its exit code.

    The folder goes once the exit code was read.
    """

    def __init__(self, environment: SandboxEnvironment, folder: str, trouble: str) -> None:
        self._environment = environment
        self._folder = folder
        self._output: tuple[bytes, int] = (b"", 0)
        self.exit_code: int | None = 126 if trouble else None
        self.trouble = trouble

    @classmethod
    async def start(
        cls, environment: SandboxEnvironment, command: str, workdir: str, env: dict[str, str], timeout_sec: float
    ) -> "FolderCommand":
        """Start a command in `workdir`."""
        argv = ["/bin/sh", "-c", _START, "sh", workdir, f"{timeout_sec:g}", command]
        done = await environment.exec(argv, env=env, timeout=CALL_SEC, timeout_retry=False)
        return cls(environment, done.stdout.strip(), "" if done.success else _said(done))

    async def wait(self, timeout_sec: float) -> bool:
        """See `Running`."""
        if self.trouble or self.exit_code is not None:
            return True
        rounds = 0 if timeout_sec <= 0 else 20 + int(max(0.0, timeout_sec - 0.2) * 10)
        done = await self._ask(_WAIT, str(rounds), str(KEPT_BYTES), timeout_sec=int(timeout_sec) + CALL_SEC)
        status, size, output = [*done.stdout.split("\n", 2), "", ""][:3]
        if status != "running" and not status.isdecimal():
            raise NoAnswer(errno.EAGAIN, f"the sandbox does not answer: {_said(done)}")
        self._output = (output.encode(), int(size or 0))
        self.exit_code = None if status == "running" else int(status)
        if self.exit_code == _TIMEOUT_FAILED and output.startswith("timeout: fork"):
            self.trouble = output.strip()
        return self.exit_code is not None

    def output(self) -> tuple[bytes, int]:
        """See `Running`."""
        return self._output

    async def feed(self, data: bytes, eof: bool) -> int:
        """See `Running`."""
        if data:
            argv = ["/bin/sh", "-c", _FEED, "sh", self._folder]
            done = await self._environment.exec(argv, input=data, timeout=CALL_SEC, timeout_retry=False)
            if done.returncode == 9:
                raise BrokenPipeError("the standard input is closed")
        if eof:
            await self._ask(_EOF)
        return len(data)

    async def kill(self) -> None:
        """See `Running`."""
        await self._ask(_KILL)
        await self.wait(5)

    async def _ask(self, script: str, *arguments: str, timeout_sec: int = CALL_SEC) -> ExecResult[str]:
        argv = ["/bin/sh", "-c", script, "sh", self._folder, *arguments]
        return await self._environment.exec(argv, timeout=timeout_sec, timeout_retry=False)


def _said(done: ExecResult[str]) -> str:
    return (done.stderr.strip() or done.stdout.strip())[-300:] or f"exit code {done.returncode}"
