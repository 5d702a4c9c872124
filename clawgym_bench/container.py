"""A Docker container as the sandbox: files in, its end, and files out, all from outside.

Nothing of the container is run for it: its agent may have used up each process and killed what is run to look after it.
"""

import io
import tarfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import PurePosixPath
from typing import IO, BinaryIO, cast

from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.docker.docker import DockerSandboxEnvironment

from clawgym_data.sandbox import SandboxConfig
from clawgym_data.sandbox.docker import GVISOR, DockerError, call_docker, docker_output
from clawgym_data.snapshot import Snapshot, SnapshotLimits, add_named, read_tar

END_SEC = 60
COPY_SEC = 120
"""A workspace of which so long a copy is not enough is graded by what was copied."""
KEEPER, KEPT = "keep", "/workspace"
"""The service of our compose file that outlives the agent's, and where it has the workspace."""
_NO_FILE = ("could not find the file", "no such file or directory", "not a directory")
_NO_CONTAINER = "no such container"
_IN_PLACE = PurePosixPath(SandboxConfig().workspace).relative_to(SandboxConfig().home)
_DEFAULT_LIMITS = SnapshotLimits()


def container_of(environment: SandboxEnvironment) -> str | None:
    """Name of the container, whether it runs or not; None for another kind of sandbox.

    Inspect's own answer needs a container that runs, and two calls of Docker.
    """
    try:
        own = environment.as_type(DockerSandboxEnvironment)
    except TypeError:
        return None
    return f"{own._project.name}-{own._service}-1"


def was_ended_inside(container: str) -> bool:
    """Whether an agent can have ended its container, and somebody did.

    Under runc no signal from inside reaches process 1. gVisor lets each of them through.

    Raises:
        RuntimeError: Docker does not tell.
        OSError: Docker cannot be run.
    """
    asked = ["inspect", "--format", "{{.State.Status}} {{.HostConfig.Runtime}}", container]
    status, runtime = call_docker(asked, "tell of the container", END_SEC).split()
    return (status, runtime) == ("exited", GVISOR)


def fill_container(container: str, files: Iterable[tuple[str, bytes, int]]) -> None:
    """Write files (path, content, mode) into the workspace of a container that runs, as files of the agent.

    Raises:
        RuntimeError: Docker did not do it.
        OSError: Docker cannot be run.
    """
    call_docker(["cp", "-", f"{container}:{SandboxConfig().home}"], "write the files", COPY_SEC, _archive(files))


def _archive(files: Iterable[tuple[str, bytes, int]]) -> bytes:
    target = io.BytesIO()
    now = time.time()
    known = {"."}
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:

        def add(path: str, mode: int, kind: bytes, content: bytes) -> None:
            member = tarfile.TarInfo(path)
            member.mode, member.type, member.size, member.mtime = mode, kind, len(content), now
            member.uid = member.gid = SandboxConfig().uid
            archive.addfile(member, io.BytesIO(content))

        def add_folder(path: PurePosixPath) -> None:
            for folder in [*reversed(path.parents), path]:
                if str(folder) not in known:
                    add(str(folder), 0o755, tarfile.DIRTYPE, b"")
                    known.add(str(folder))

        add_folder(_IN_PLACE)
        for path, content, mode in files:
            add_folder((_IN_PLACE / path).parent)
            add(str(_IN_PLACE / path), mode, tarfile.REGTYPE, content)
    return target.getvalue()


def ended_container(
    container: str, folder: str, first: Sequence[str] = (), limits: SnapshotLimits = _DEFAULT_LIMITS
) -> Snapshot:
    """Kill all that runs in a container, then read its workspace; without the folder the snapshot is empty.

    Args:
        container: its name.
        folder: its workspace, for containers that are not of our compose file: ours have it in memory, and read from
            the container that still holds it.
        first: paths that are there whatever limit cuts the snapshot.
        limits: of the snapshot.

    Raises:
        RuntimeError: Docker did not do it.
        OSError: Docker cannot be run.
    """
    try:
        call_docker(["kill", container], "end the container", END_SEC)
    except DockerError as failure:
        if not failure.is_about("is not running"):
            raise
    keeper = f"{container.rsplit('-', 2)[0]}-{KEEPER}-1"
    try:
        return _read(keeper, KEPT, first, limits)
    except DockerError as failure:
        if not failure.is_about(_NO_CONTAINER):
            raise
        return _read(container, folder, first, limits)


def _read(container: str, folder: str, first: Sequence[str], limits: SnapshotLimits) -> Snapshot:
    try:
        with _archive_of(container, folder, ".") as archive:
            snapshot = read_tar(cast(BinaryIO, archive), limits)
    except DockerError as failure:
        if not _is_absence(failure):
            raise
        return Snapshot((), {}, None)
    return (
        snapshot if snapshot.is_closed else add_named(snapshot, first, partial(_one_archive, container, folder), limits)
    )


@contextmanager
def _one_archive(container: str, folder: str, path: str) -> Iterator[IO[bytes]]:
    """The archive of one path; an empty one where nothing is there."""
    try:
        with _archive_of(container, folder, path) as archive:
            yield archive
    except DockerError as failure:
        if not _is_absence(failure):
            raise


def _archive_of(container: str, folder: str, path: str) -> AbstractContextManager[IO[bytes]]:
    return docker_output(["cp", f"{container}:{folder}/{path}", "-"], "copy the workspace", COPY_SEC)


def _is_absence(failure: DockerError) -> bool:
    return failure.is_about(*_NO_FILE) and not failure.is_about(_NO_CONTAINER)
