"""Making an image on this machine: the recipe in a mount and process namespace of its own, then its digest."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clawgym_bench.image.manifest import entries_of_folder, root_digest
from clawgym_bench.image.mirrors import debian_mirrors
from clawgym_bench.image.steps import Steps
from clawgym_bench.image.store import (
    ROOT,
    ImageError,
    ImageRecord,
    disk_bytes,
    folder_to_build_in,
    free_bytes,
    keep,
    unfinished,
)
from clawgym_bench.image.versions import (
    DESCRIPTION,
    NO_OPENCLAW,
    RECIPE,
    differences,
    image_name,
    read_lock,
    recipe_digest,
)

STEP = "== "
NEEDED_BYTES = 3 << 30
"""While it is made: archives, the tree before anything is left out."""
LAST_LINES = 25
ALONE = ("setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
"""Whatever ends this process ends the build, and its mounts with it."""
_PACKAGES = {"mmdebstrap": "mmdebstrap", "npm": "npm", "setpriv": "util-linux", "unshare": "util-linux"}


def obstacles(openclaw: str) -> list[str]:
    """What keeps this machine from making the image itself, each with what to do."""
    if sys.platform != "linux":
        return [f"trees of Debian packages are made on Linux, not on {sys.platform}: use --with docker"]
    needed = [name for name in _PACKAGES if openclaw != NO_OPENCLAW or name != "npm"]
    missing = sorted({_PACKAGES[name] for name in needed if shutil.which(name) is None})
    found = (
        [] if os.geteuid() == 0 else ["only root can make the files of root: run it with sudo, or use --with docker"]
    )
    if missing:
        packages = " ".join(missing)
        found.append(
            f"{', '.join(missing)} not installed: apt-get install {packages} (Debian, Ubuntu), or use --with docker"
        )
    return found


def build_image(openclaw: str, mirrors: Sequence[str], steps: Steps) -> tuple[Path, ImageRecord]:
    """Make an image from Debian's and npm's mirrors; return its folder.

    Args:
        openclaw: a version, or `none`.
        mirrors: as mmdebstrap takes them; none for those of this system, where it is a Debian.
        steps: told of each step.

    Raises:
        ImageError: something is missing, out of reach or does not work.
        OSError: the folder cannot be written.
    """
    name = image_name(openclaw)
    found = obstacles(openclaw)
    if found:
        raise ImageError(f"the image {name} cannot be made here:\n" + "\n".join(f"- {line}" for line in found))
    images = folder_to_build_in()
    with unfinished(images, name) as work:
        if free_bytes(work) < NEEDED_BYTES:
            raise ImageError(
                f"{images}: {free_bytes(work) >> 20} MB are free; {NEEDED_BYTES >> 20} are needed meanwhile"
            )
        began = time.monotonic()
        root = work / ROOT
        script = ["sh", str(RECIPE / "build.sh"), str(root), openclaw, *(mirrors or debian_mirrors())]
        run_recipe([*ALONE, *script], images / f"{name}.log", steps)
        steps.begin("the digest")
        described = json.loads((root / DESCRIPTION).read_text("utf-8"))
        digest = root_digest(entries_of_folder(root))
        record = new_record(name, digest, described, disk_bytes(root), time.monotonic() - began)
        return keep(work, record), record


def new_record(name: str, digest: str, described: dict[str, Any], size: int, build_sec: float) -> ImageRecord:
    """The record of an image that was just made, from what it tells of itself."""
    return ImageRecord(
        name=name,
        root_digest=digest,
        recipe=recipe_digest(),
        openclaw=described["openclaw"],
        node=described["node"],
        suite=described["suite"],
        architecture=described["architecture"],
        differences=differences(described["packages"], read_lock()),
        bytes=size,
        built=datetime.now(UTC).isoformat(timespec="seconds"),
        build_sec=round(build_sec, 1),
    )


def run_recipe(command: Sequence[str], log: Path, steps: Steps) -> None:
    """Run the recipe, tell its steps and keep all that it says in a file.

    Raises:
        ImageError: it failed.
    """
    last: deque[str] = deque(maxlen=LAST_LINES)
    with (
        log.open("w", buffering=1, encoding="utf-8") as file,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            umask=0o022,  # of the image's files, whatever the user's is
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            file.write(line)
            if line.startswith(STEP):
                steps.begin(line.removeprefix(STEP).strip())
            else:
                last.append(line)
    if process.returncode != 0:
        raise ImageError(
            f"the recipe failed with status {process.returncode}; its last words, of {log}:\n{''.join(last)}"
        )
