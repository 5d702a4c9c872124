"""The image in a Docker engine: imported from the tree of this machine, or made by the engine from the same recipe."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from clawgym_bench.image.build import new_record
from clawgym_bench.image.manifest import entries_of_folder, entries_of_tar, root_digest
from clawgym_bench.image.steps import Steps
from clawgym_bench.image.store import (
    ROOT,
    SHORT_DIGEST,
    ImageError,
    ImageRecord,
    disk_bytes,
    folder_to_build_in,
    keep,
    unfinished,
)
from clawgym_bench.image.versions import DESCRIPTION, RECIPE, image_name
from clawgym_data.sandbox.arguments import SEARCH_PATH
from clawgym_data.sandbox.config import SandboxConfig
from clawgym_data.sandbox.docker import DockerError, call_docker, docker_output, harness_label

REPOSITORY = "clawgym-sandbox"
ASK_SEC, COPY_SEC, BUILD_SEC = 60, 1800, 7200
CHANGES = (
    f"ENV PATH={SEARCH_PATH} LANG=C.UTF-8",
    f"WORKDIR {SandboxConfig().workspace}",
    'CMD ["sleep", "infinity"]',
)


def docker_tag(record: ImageRecord) -> str:
    """The tag of exactly this image."""
    return f"{REPOSITORY}:{record.name}-{record.root_digest[:SHORT_DIGEST]}"


def has_engine() -> bool:
    """Whether a Docker engine answers."""
    try:
        _ask(["version"], "answer")
    except (ImageError, OSError):
        return False
    return True


def has_docker_image(record: ImageRecord) -> bool:
    """Whether the engine has this image.

    Raises:
        ImageError: the engine does not answer.
        OSError: there is no such command.
    """
    return bool(_ask(["image", "ls", "--quiet", docker_tag(record)], "list its images").strip())


def import_image(folder: Path, record: ImageRecord) -> None:
    """Give an engine the tree of this machine's image, under its own tag and the one of its name.

    Raises:
        ImageError: the engine does not take it.
    """
    pack = ["tar", "-C", str(folder / ROOT), "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-c", "."]
    changes = [word for change in CHANGES for word in ("--change", change)]
    take = ["docker", "import", *changes, "-", docker_tag(record)]
    with subprocess.Popen(pack, stdout=subprocess.PIPE) as packing:
        assert packing.stdout is not None
        done = subprocess.run(take, stdin=packing.stdout, capture_output=True, text=True, check=False)
        packing.stdout.close()
    if done.returncode != 0 or packing.returncode != 0:
        raise ImageError(f"Docker did not take the image {record.name}: {done.stderr.strip()[-300:]}")
    _name_current(record)


def build_in_docker(openclaw: str, mirrors: Sequence[str], steps: Steps) -> tuple[Path, ImageRecord]:
    """Make an image inside a Docker engine; on Linux its tree is put on this machine too, for bubblewrap.

    Args:
        openclaw: a version, or `none`.
        mirrors: of Debian, as mmdebstrap takes them.
        steps: told of each step.

    Raises:
        ImageError: the engine did not make it.
        OSError: the folder cannot be written.
    """
    name, began = image_name(openclaw), time.monotonic()
    made = f"{REPOSITORY}:{name}-unfinished"
    arguments = [f"OPENCLAW={openclaw}", "MIRRORS=" + "\n".join(mirrors)]
    options = [word for argument in arguments for word in ("--build-arg", argument)]
    with unfinished(folder_to_build_in(), name) as work:
        steps.begin("docker build")
        _ask(["build", "--tag", made, *options, str(RECIPE)], "make the image", BUILD_SEC)
        steps.begin("the digest")
        digest, size = _received(made, work)
        told = _ask(
            ["run", "--rm", *harness_label(), "--network", "none", made, "cat", f"/{DESCRIPTION}"], "tell what it has"
        )
        record = new_record(name, digest, json.loads(told), size, time.monotonic() - began)
        _ask(["tag", made, docker_tag(record)], "name the image")
        _name_current(record)
        _ask(["rmi", made], "forget a name")
        return keep(work, record), record


def remove_from_docker(record: ImageRecord) -> None:
    """Remove the engine's image, where it has it.

    Raises:
        ImageError: a container still uses it.
    """
    if has_docker_image(record):
        own = _ask(["image", "inspect", "--format", "{{.Id}}", docker_tag(record)], "find the image")
        _ask(["rmi", "--force", own.strip()], "remove the image")


def digest_in_docker(record: ImageRecord) -> str:
    """The digest of what the engine has under the image's tag.

    Raises:
        ImageError: the engine does not export it.
    """
    with exported(docker_tag(record)) as tree:
        return root_digest(entries_of_tar(cast(BinaryIO, tree)))


@contextmanager
def exported(image: str) -> Iterator[IO[bytes]]:
    """The tree of an engine's image as an archive.

    Raises:
        ImageError: the engine does not export it.
    """
    container = _ask(["create", *harness_label(), "--network", "none", image], "make a container").strip()
    try:
        with docker_output(["export", container], "export the image", COPY_SEC) as archive:
            yield archive
    except DockerError as failure:
        raise ImageError(str(failure)) from failure
    finally:
        _ask(["rm", container], "remove a container")


def _received(image: str, work: Path) -> tuple[str, int]:
    """Digest and size of an engine's image; on Linux its tree is kept, elsewhere nothing could use it."""
    if sys.platform != "linux":
        with exported(image) as tree:
            digest = root_digest(entries_of_tar(cast(BinaryIO, tree)))
        return digest, int(_ask(["image", "inspect", "--format", "{{.Size}}", image], "tell a size"))
    root = work / ROOT
    root.mkdir()
    unpack = ["tar", "-x", "-p", "--no-same-owner", "--exclude=dev/*", "--exclude=.dockerenv", "-C", str(root)]
    with exported(image) as tree:
        subprocess.run(unpack, stdin=tree, check=True)
    return root_digest(entries_of_folder(root)), disk_bytes(root)


def _name_current(record: ImageRecord) -> None:
    _ask(["tag", docker_tag(record), f"{REPOSITORY}:{record.name}"], "name the image")


def _ask(arguments: Sequence[str], doing: str, limit_sec: float = ASK_SEC) -> str:
    try:
        return call_docker(arguments, doing, limit_sec)
    except DockerError as failure:
        raise ImageError(str(failure)) from failure
