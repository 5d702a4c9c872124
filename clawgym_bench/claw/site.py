"""Where the tools act: files of the workspace and commands, in whatever sandbox the trial has."""

import errno
import posixpath
from collections.abc import Awaitable
from functools import partial
from typing import Protocol, TypeVar

from inspect_ai.util import OutputLimitExceededError, SandboxEnvironment, SandboxUnavailableError

from clawgym_bench.claw.running import KEPT_BYTES, FolderCommand, RunnerCommand, Running
from clawgym_bench.sandbox import BubblewrapEnvironment, in_thread
from clawgym_bench.workspace import WORKSPACE, bubblewrap_of
from clawgym_data.sandbox import SandboxConfig, SandboxGone

HOME = SandboxConfig().home
SHELL_ENVIRONMENT = {"OPENCLAW_SHELL": "exec"}
"""What OpenClaw sets for the commands that `exec` starts."""
_UNUSUAL = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EINVAL, errno.ENXIO})
"""A link or something that is no plain file: answered inside the sandbox, where links lead to nothing of the host."""
T = TypeVar("T")


class Site(Protocol):
    """One trial's files and commands."""

    root: str
    """The workspace, as the agent names it."""

    def absolute(self, path: str) -> str:
        """Return a path of the agent as an absolute one."""
        ...

    async def read(self, path: str, max_bytes: int) -> tuple[bytes, int]:
        """Return the first `max_bytes` of a file and its size.

        Raises:
            OSError: as reading a file does.
        """
        ...

    async def write(self, path: str, content: bytes) -> None:
        """Write a file with its parent folders; the mode of an existing one stays.

        Raises:
            OSError: as writing a file does.
        """
        ...

    async def remove(self, path: str) -> None:
        """Remove a file.

        Raises:
            OSError: as removing a file does.
        """
        ...

    async def start(self, command: str, workdir: str | None, env: dict[str, str], timeout_sec: float) -> Running:
        """Start a shell command."""
        ...


def absolute_path(root: str, path: str) -> str:
    """Return a path of the agent as an absolute one without `.` and `..`.

    Raises:
        ValueError: it is empty or has a NUL.
    """
    if not path.strip() or "\0" in path:
        raise ValueError("the path is empty" if not path.strip() else "the path has a NUL character")
    expanded = HOME + path[1:] if path == "~" or path.startswith("~/") else path
    return posixpath.normpath(posixpath.join(root, expanded))


class GeneralSite:
    """Files and commands through Inspect's interface alone."""

    def __init__(self, environment: SandboxEnvironment, root: str) -> None:
        self._environment = environment
        self.root = root

    def absolute(self, path: str) -> str:
        """See `Site`."""
        return absolute_path(self.root, path)

    async def read(self, path: str, max_bytes: int) -> tuple[bytes, int]:
        """See `Site`."""
        try:
            content = await self._environment.read_file(self.absolute(path), text=False)
        except OutputLimitExceededError as error:
            raise OSError(errno.EFBIG, f"The file is larger than {error.limit_str}", path) from error
        return content[:max_bytes], len(content)

    async def write(self, path: str, content: bytes) -> None:
        """See `Site`."""
        try:
            await self._environment.write_file(self.absolute(path), content)
        except RuntimeError as error:
            if type(error) is not RuntimeError:
                raise
            # so Docker's provider says whatever keeps a path from being written in a sandbox that answers
            raise OSError(errno.EINVAL, str(error)[-300:], path) from error

    async def remove(self, path: str) -> None:
        """See `Site`."""
        done = await self._environment.exec(["rm", "--", self.absolute(path)], timeout=60, timeout_retry=False)
        if not done.success:
            raise OSError(errno.EINVAL, done.stderr.strip().removeprefix("rm: "), path)

    async def start(self, command: str, workdir: str | None, env: dict[str, str], timeout_sec: float) -> Running:
        """See `Site`."""
        folder = self.absolute(workdir) if workdir else self.root
        return await FolderCommand.start(self._environment, command, folder, SHELL_ENVIRONMENT | env, timeout_sec)


class BubblewrapSite(GeneralSite):
    """Files and commands through our runner: plain files of the workspace without starting anything."""

    def __init__(self, environment: BubblewrapEnvironment) -> None:
        super().__init__(environment, environment.runner.config.workspace)
        self._runner = environment.runner

    async def read(self, path: str, max_bytes: int) -> tuple[bytes, int]:
        """See `Site`."""
        inside = self._inside(path)
        if inside is not None:
            try:
                return await in_thread(partial(self._runner.fetch, inside, max_bytes))
            except OSError as error:
                if error.errno not in _UNUSUAL:
                    raise
        return await _alive(super().read(path, max_bytes))

    async def write(self, path: str, content: bytes) -> None:
        """See `Site`."""
        inside = self._inside(path)
        if inside is not None:
            try:
                return await in_thread(partial(self._runner.replace, inside, content))
            except OSError as error:
                if error.errno not in _UNUSUAL:
                    raise
        return await _alive(super().write(path, content))

    async def remove(self, path: str) -> None:
        """See `Site`."""
        await _alive(super().remove(path))

    async def start(self, command: str, workdir: str | None, env: dict[str, str], timeout_sec: float) -> Running:
        """See `Site`."""
        # what the sandbox itself says goes to the standard error, so that it is told apart from the command's
        argv = ["/bin/sh", "-c", 'exec /bin/bash -c "$1" 2>&1', "sh", command]
        begin = partial(
            self._runner.begin_interactive,
            argv,
            cwd=self.absolute(workdir) if workdir else self.root,
            env=SHELL_ENVIRONMENT | env,
            timeout_sec=timeout_sec,
            max_output_bytes=KEPT_BYTES,
        )
        return RunnerCommand(await in_thread(begin))

    def _inside(self, path: str) -> str | None:
        absolute = self.absolute(path)
        return absolute[len(self.root) + 1 :] if absolute.startswith(self.root + "/") else None


async def _alive(call: Awaitable[T]) -> T:
    try:
        return await call
    except SandboxUnavailableError as gone:
        raise SandboxGone(str(gone)) from gone


async def open_site(environment: SandboxEnvironment) -> Site:
    """The site of a sandbox.

    Raises:
        RuntimeError: the sandbox does not answer.
    """
    own = bubblewrap_of(environment)
    if own is not None:
        return BubblewrapSite(own)
    done = await environment.exec(
        ["/bin/sh", "-c", f"cd {WORKSPACE} 2>/dev/null; pwd"], timeout=60, timeout_retry=False
    )
    if not done.success:
        raise RuntimeError(f"the sandbox does not answer: {done.stderr[-300:]}")
    return GeneralSite(environment, done.stdout.strip())
