"""A Docker container as the sandbox: files in, its end, and files out, all from outside.

Nothing of the container is run for it: the agent is root in there, may have replaced each program, used up each process
and killed what is run to look after it.
"""

import io
import subprocess
import tarfile
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import IO, BinaryIO, cast

from inspect_ai.util import SandboxEnvironment

from clawgym_data.snapshot import Snapshot, SnapshotLimits, read_tar

END_SEC = 60
COPY_SEC = 120
"""A workspace of which so long a copy is not enough is graded by what was copied."""
MORE_BYTES = 1 << 16
"""More than what follows the last member of an archive that was read to its end."""
_NO_FOLDER = ("could not find the file", "no such file or directory", "not a directory")
_DEFAULT_LIMITS = SnapshotLimits()


async def container_of(environment: SandboxEnvironment) -> str | None:
    """Name of the container; None for another kind of sandbox.

    Raises:
        ConnectionError: it does not run.
    """
    try:
        connection = await environment.connection()
    except NotImplementedError:
        return None
    return connection.container if connection.type == "docker" else None


def fill_container(container: str, folder: str, files: Iterable[tuple[str, bytes, int]]) -> None:
    """Write files (path, content, mode) into a folder of a container that runs.

    Raises:
        RuntimeError: Docker did not do it.
        OSError: Docker cannot be run.
    """
    command = ["docker", "cp", "-", f"{container}:{folder}"]
    try:
        done = subprocess.run(command, input=_archive(files), capture_output=True, check=False, timeout=COPY_SEC)
    except subprocess.TimeoutExpired as late:
        raise RuntimeError(f"Docker did not write the files within {COPY_SEC} s") from late
    if done.returncode != 0:
        raise RuntimeError(f"Docker did not write the files: {done.stderr.decode(errors='replace').strip()[-300:]}")


def _archive(files: Iterable[tuple[str, bytes, int]]) -> bytes:
    target = io.BytesIO()
    now = time.time()
    known = {"."}
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:

        def add(path: str, mode: int, kind: bytes, content: bytes) -> None:
            member = tarfile.TarInfo(path)
            member.mode, member.type, member.size, member.mtime = mode, kind, len(content), now
            archive.addfile(member, io.BytesIO(content))

        for path, content, mode in files:
            for parent in reversed([str(above) for above in PurePosixPath(path).parents]):
                if parent not in known:
                    add(parent, 0o755, tarfile.DIRTYPE, b"")
                    known.add(parent)
            add(path, mode, tarfile.REGTYPE, content)
    return target.getvalue()


def ended_container(container: str, folder: str, limits: SnapshotLimits = _DEFAULT_LIMITS) -> Snapshot:
    """Kill all that runs in a container, then read a folder of it; without the folder the snapshot is empty.

    Raises:
        RuntimeError: Docker did not do it.
        OSError: Docker cannot be run.
    """
    try:
        ended = subprocess.run(
            ["docker", "kill", container], capture_output=True, text=True, check=False, timeout=END_SEC
        )
    except subprocess.TimeoutExpired as late:
        raise RuntimeError(f"Docker did not end the container within {END_SEC} s") from late
    if ended.returncode != 0:
        raise RuntimeError(f"Docker did not end the container: {ended.stderr.strip()[-300:]}")
    with tempfile.TemporaryFile() as told:
        command = ["docker", "cp", f"{container}:{folder}/.", "-"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=told) as copying:
            assert copying.stdout is not None
            return _read(copying, copying.stdout, told, limits)


def _read(copying: subprocess.Popen[bytes], archive: IO[bytes], told: IO[bytes], limits: SnapshotLimits) -> Snapshot:
    is_late = threading.Event()

    def stop() -> None:
        is_late.set()
        copying.kill()

    alarm = threading.Timer(COPY_SEC, stop)
    alarm.start()
    try:
        snapshot = read_tar(cast(BinaryIO, archive), limits)
        if len(archive.read(MORE_BYTES)) == MORE_BYTES:
            # a limit was reached: the rest is left where it is
            copying.kill()
            return snapshot
        code = copying.wait()
    finally:
        alarm.cancel()
    if code == 0 or is_late.is_set():
        return snapshot
    told.seek(0)
    reason = told.read().decode(errors="replace").strip()
    if any(sign in reason.lower() for sign in _NO_FOLDER):
        return Snapshot((), {}, None)
    raise RuntimeError(f"Docker did not copy the workspace: {reason[-300:]}")
