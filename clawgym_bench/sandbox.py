"""Inspect's sandbox provider `bubblewrap`: the runner of `clawgym_data` behind Inspect's interface."""

import errno
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeVar, overload

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUnavailableError,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from pydantic import BaseModel

from clawgym_data.sandbox import Bubblewrap, Completed, SandboxConfig, SandboxGone
from clawgym_data.sandbox.arguments import USER_NAME

MAX_THREADS = 512
"""Commands, of all sandboxes of a process, that are waited for at once."""
FILE_SEC = 180.0
_IS_DIRECTORY, _NOT_FOUND, _DENIED = 21, 2, 13
_READ = (
    'if [ -d "$1" ]; then exit 21; fi; if [ ! -e "$1" ]; then exit 2; fi; [ -r "$1" ] || exit 13; '
    'exec head -c "$2" -- "$1"'
)
_WRITE = (
    'if [ -d "$1" ]; then exit 21; fi; mkdir -p -- "$(dirname -- "$1")" || exit 13; '
    'if [ -e "$1" ] && [ ! -w "$1" ]; then exit 13; fi; exec cat > "$1"'
)
T = TypeVar("T")
_limiter: RunVar[anyio.CapacityLimiter] = RunVar("clawgym_sandbox_limiter")


@sandboxenv(name="bubblewrap")
class BubblewrapEnvironment(SandboxEnvironment):
    """One sample's sandbox; `runner` is the sandbox itself, for what Inspect's interface does not have."""

    def __init__(self, runner: Bubblewrap) -> None:
        super().__init__()
        self.runner = runner

    @classmethod
    def default_concurrency(cls) -> int | None:
        """None: a number would make Inspect wait up to a second before each sandbox."""
        return None

    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BaseModel:
        """Rebuild the configuration that a log recorded."""
        return SandboxConfig.model_validate(config)

    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        """Start the sample's sandbox.

        Raises:
            SandboxRefused: none can be started here.
            TypeError: the configuration is not a `SandboxConfig`.
        """
        if config is not None and not isinstance(config, SandboxConfig):
            raise TypeError(f"the bubblewrap sandbox is configured by a SandboxConfig, not by {config!r}")
        with anyio.CancelScope(shield=True):
            runner = await in_thread(partial(_start, config or SandboxConfig()))
        return {"default": cls(runner)}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        """End the sample's sandbox and all that runs in it."""
        with anyio.CancelScope(shield=True):
            for environment in environments.values():
                await in_thread(environment.as_type(cls).runner.close)

    async def restart(self) -> None:
        """Put a new, empty sandbox in the place of this one.

        Raises:
            SandboxRefused: none can be started.
        """
        with anyio.CancelScope(shield=True):
            await in_thread(self.runner.close)
            self.runner = await in_thread(partial(_start, self.runner.config))

    async def exec(  # noqa: PLR0913, PLR0917 - Inspect's signature
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        """Run a command as the sandbox's one user; never retried, since commands may not be repeatable.

        Raises:
            SandboxUserUnsupportedError: another user was asked for.
            SandboxUnavailableError: the sandbox has ended.
            TimeoutError: the time was over; the command and its children are dead.
            PermissionError: the program may not be executed.
        """
        if user is not None and user not in (USER_NAME, str(self.runner.config.uid)):
            raise SandboxUserUnsupportedError(f"the bubblewrap sandbox has no user but {USER_NAME}: not {user!r}")
        data = input.encode("utf-8", "surrogatepass") if isinstance(input, str) else input
        max_bytes = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
        done = await self._call(cmd, data, cwd, env, timeout, max_bytes)
        stdout, stderr = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        if done.timed_out:
            raise _timeout(cmd, timeout, stdout + stderr)
        if done.returncode == 126 and "ermission denied" in stderr:
            raise PermissionError(errno.EACCES, stderr.strip(), cmd[0])
        return ExecResult(done.returncode == 0, done.returncode, stdout, stderr)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Write a file as the sandbox's user, inside it.

        Raises:
            IsADirectoryError: `file` is a folder.
            PermissionError: the user may not write there.
            OSError: for example no room is left.
        """
        data = contents.encode("utf-8", "surrogatepass") if isinstance(contents, str) else contents
        done = await self._call(["/bin/sh", "-c", _WRITE, "sh", file], data, None, None, FILE_SEC, 1 << 16)
        if done.returncode != 0:
            raise _file_error(file, done)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        """Read a file as the sandbox's user, inside it, where a link leads to nothing of the host.

        Raises:
            FileNotFoundError: there is none.
            IsADirectoryError: `file` is a folder.
            PermissionError: the user may not read it.
            OutputLimitExceededError: it is larger than Inspect's limit.
            UnicodeDecodeError: it is read as text and is not UTF-8.
        """
        limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        command = ["/bin/sh", "-c", _READ, "sh", file, str(limit + 1)]
        done = await self._call(command, None, None, None, FILE_SEC, limit + 1)
        if done.returncode != 0:
            raise _file_error(file, done)
        if len(done.stdout) > limit:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None)
        return done.stdout.decode("utf-8") if text else done.stdout

    async def _call(
        self,
        cmd: list[str],
        data: bytes | None,
        cwd: str | None,
        env: dict[str, str] | None,
        timeout_sec: float | None,
        max_output_bytes: int,
    ) -> Completed:
        """Make a call; if the task is cancelled, kill it before the cancellation goes on."""
        begin = partial(
            self.runner.begin,
            cmd,
            input=data,
            cwd=cwd,
            env=env,
            timeout_sec=timeout_sec,
            max_output_bytes=max_output_bytes,
        )
        try:
            with anyio.CancelScope(shield=True):
                call = await in_thread(begin)
        except SandboxGone as gone:
            raise SandboxUnavailableError(str(gone)) from gone
        except (ValueError, OSError) as error:
            return _impossible(error)
        try:
            return await anyio.to_thread.run_sync(call.wait, abandon_on_cancel=True, limiter=thread_limiter())
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await in_thread(call.kill)
            raise


def _start(config: SandboxConfig) -> Bubblewrap:
    runner = Bubblewrap.start(config)
    runner.expect_calls()
    return runner


async def in_thread(function: Callable[[], T]) -> T:
    """Run a short call of a runner outside the event loop."""
    return await anyio.to_thread.run_sync(function, limiter=thread_limiter())


def thread_limiter() -> anyio.CapacityLimiter:
    """Return this event loop's limiter, apart from the default one, which long commands would use up."""
    try:
        return _limiter.get()
    except LookupError:
        _limiter.set(anyio.CapacityLimiter(MAX_THREADS))
        return _limiter.get()


def _impossible(error: Exception) -> Completed:
    """Answer a command that no system could start (a NUL in it, or too long) as a shell would: it is the agent's."""
    message = f"the command cannot be started: {error}".encode(errors="replace")
    return Completed(126, b"", message, timed_out=False, truncated=False, oom_killed=False)


def _timeout(cmd: list[str], timeout_sec: float | None, output: str) -> TimeoutError:
    error = TimeoutError(f"{cmd[0]} was killed after {timeout_sec} s")
    error.truncated_output = output  # type: ignore[attr-defined]  # Inspect shows it to the model
    return error


def _file_error(file: str, done: Completed) -> OSError:
    if done.returncode == _IS_DIRECTORY:
        return IsADirectoryError(errno.EISDIR, "Is a directory", file)
    if done.returncode == _NOT_FOUND:
        return FileNotFoundError(errno.ENOENT, "No such file or directory", file)
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode == _DENIED or "ermission denied" in message:
        return PermissionError(errno.EACCES, message or "Permission denied", file)
    if done.timed_out:
        return TimeoutError(f"{file}: not done within {FILE_SEC:g} s")
    return OSError(f"{file}: {message or f'exit code {done.returncode}'}")
