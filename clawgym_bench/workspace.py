"""The workspace inside whatever sandbox Inspect gave us: put files in, end all processes, take the snapshot."""

import io
from collections.abc import Iterable

import anyio
from inspect_ai.util import SandboxEnvironment, sandbox

from clawgym_bench.container import container_of, ended_container, fill_container
from clawgym_bench.sandbox import BubblewrapEnvironment
from clawgym_data.sandbox import SandboxConfig
from clawgym_data.snapshot import Snapshot, read_tar

WORKSPACE = SandboxConfig().workspace
PREPARE_LIMIT_SEC = 120
ARCHIVE = "/tmp/.clawgym-snapshot.tar"  # noqa: S108 - inside the sandbox
FileList = Iterable[tuple[str, bytes, int]]


def bubblewrap_of(environment: SandboxEnvironment) -> BubblewrapEnvironment | None:
    """Our own provider behind Inspect's proxy; None for another one."""
    try:
        return environment.as_type(BubblewrapEnvironment)
    except TypeError:
        return None


async def place(files: FileList) -> None:
    """Write files into the workspace byte for byte, with their modes.

    `Sample.files` is not used: it replaces content that looks like a path or a URL, and carries no mode.
    """
    environment = sandbox()
    own = bubblewrap_of(environment)
    if own is not None:
        await anyio.to_thread.run_sync(own.runner.put, list(files))
        return
    container = container_of(environment)
    if container is not None:
        await anyio.to_thread.run_sync(fill_container, container, list(files))
        return
    for path, content, mode in files:
        await environment.write_file(f"{WORKSPACE}/{path}", content)
        done = await environment.exec(["chmod", f"{mode:o}", f"{WORKSPACE}/{path}"], timeout=PREPARE_LIMIT_SEC)
        if not done.success:
            raise RuntimeError(f"cannot set the mode of {path}: {done.stderr[-300:]}")


async def finish(first: tuple[str, ...]) -> Snapshot:
    """End every process of the agent, then take the snapshot of the workspace.

    Args:
        first: paths that are read before all others, so that countless files cannot crowd them out.
    """
    environment = sandbox()
    own = bubblewrap_of(environment)
    if own is not None:
        await anyio.to_thread.run_sync(own.runner.end_processes)
        return await anyio.to_thread.run_sync(lambda: own.runner.snapshot(first=first))
    container = container_of(environment)
    if container is not None:
        return await anyio.to_thread.run_sync(ended_container, container, WORKSPACE, first)
    await environment.exec(["/bin/sh", "-c", "kill -9 -1"], timeout=PREPARE_LIMIT_SEC, timeout_retry=False)
    done = await environment.exec(
        ["tar", "-c", "-f", ARCHIVE, "--format=pax", "--one-file-system", "-C", WORKSPACE, "."],
        timeout=PREPARE_LIMIT_SEC,
        timeout_retry=False,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"cannot archive the workspace: {done.stderr[-300:]}")
    content = await environment.read_file(ARCHIVE, text=False)
    return await anyio.to_thread.run_sync(lambda: read_tar(io.BytesIO(content)))
