"""Where images lie on this machine: `IMAGES/NAME/DIGEST/{root, image.json}`, with a link `current` beside the digests."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import site_cache_path, user_cache_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from clawgym_bench.image.manifest import COMPILED
from clawgym_data.errors import ClawGymError

CACHE_VARIABLE = "CLAWGYM_CACHE"
RECORD, ROOT, CURRENT, UNFINISHED = "image.json", "root", "current", ".unfinished"
PUBLIC_FOLDER, PUBLIC_FILE = 0o755, 0o644
"""Whoever makes an image: root's sandboxes read it as another user."""
SHORT_DIGEST = 12
"""Digits of a digest that name a folder and a tag."""


class ImageError(ClawGymError):
    """An image cannot be made, found or removed; the message says what to do."""


class ImageRecord(BaseModel):
    """What is known of an image."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    root_digest: str
    """See `clawgym_bench.image.manifest`."""
    recipe: str
    """SHA-256 of the recipe that made it."""
    openclaw: str | None
    node: str | None
    suite: str
    architecture: str
    differences: tuple[str, ...] = ()
    """Debian packages that are not as in the recipe's lock, as text."""
    bytes: int = Field(ge=0)
    """What its files take up on disk."""
    built: str
    """When, as an ISO time."""
    build_sec: float = Field(ge=0)

    @property
    def full_name(self) -> str:
        """Its name with its digest, which never means another image."""
        return f"{self.name}@{self.root_digest[:SHORT_DIGEST]}"

    def versions(self) -> dict[str, str | None]:
        """What a run's log says of it beside the digest."""
        return {
            "name": self.name,
            "openclaw": self.openclaw,
            "node": self.node,
            "suite": self.suite,
            "architecture": self.architecture,
        }


def image_folders() -> list[Path]:
    """Where images are looked for, the first place first: of the variable alone, else of the user and of the machine."""
    chosen = os.environ.get(CACHE_VARIABLE)
    caches = [Path(chosen)] if chosen else [user_cache_path("clawgym"), site_cache_path("clawgym")]
    return [cache.absolute() / "images" for cache in caches]


def folder_to_build_in() -> Path:
    """Where a new image goes: root makes it for every user, where the sandbox's user may read it too."""
    folders = image_folders()
    return folders[-1] if os.geteuid() == 0 else folders[0]


def stored_images() -> dict[Path, ImageRecord]:
    """Every image of this machine that this user may read, by its folder, sorted by name and date.

    Raises:
        ImageError: a record is damaged.
    """
    records = {}
    for path in (path for folder in image_folders() for path in folder.glob(f"*/*/{RECORD}")):
        with suppress(PermissionError):
            if path.parent.name != CURRENT:
                records[path.parent] = read_record(path)
    return dict(sorted(records.items(), key=lambda pair: (pair[1].name, pair[1].built)))


def find_image(name: str) -> Path | None:
    """The folder of an image: `NAME` for the current one of that name, `NAME@DIGEST`, or a path; None where there is none.

    Raises:
        ImageError: it may lie where this user cannot look.
    """
    if "/" in name:
        path = Path(name).absolute()
        places = [path, path.parent]
    else:
        own, _, digest = name.partition("@")
        places = [folder / own / (digest[:SHORT_DIGEST] or CURRENT) for folder in image_folders()]
    failures: list[OSError] = []
    for place in places:
        try:
            (place / RECORD).open("rb").close()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failures.append(error)
        else:
            return place.resolve()
    if failures:
        raise ImageError(
            f"whether {name[:80]} is an image cannot be seen: {failures[0]}; "
            "image.json and the folders above it must be readable for every user (modes 0644 and 0755)"
        )
    return None


def read_record(path: Path) -> ImageRecord:
    """Read an `image.json`.

    Raises:
        ImageError: it is not one.
    """
    try:
        return ImageRecord.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ImageError(f"{path}: {place}: {first['msg']}; build the image again") from error


@contextmanager
def unfinished(images: Path, name: str) -> Iterator[Path]:
    """A folder for making an image in, which nobody else makes meanwhile; what a killed build left is removed first.

    Raises:
        ImageError: another process makes it.
    """
    home = images / name
    for folder in (images.parent, images, home):
        _make_public(folder)
    try:
        with FileLock(home / ".lock", timeout=0):
            work = home / UNFINISHED
            remove_tree(work)
            work.mkdir()
            try:
                yield work
            finally:
                remove_tree(work)
    except Timeout as error:
        raise ImageError(f"another process is making the image {name} in {images}; wait for it") from error


def _make_public(folder: Path) -> None:
    """Make a folder that the sandbox's user may read, whatever the umask; one that is there stays as it is."""
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(PUBLIC_FOLDER)


def keep(work: Path, record: ImageRecord) -> Path:
    """Put a finished image in its place and make it the current one of its name; return its folder.

    Where the same image is there already, runs may be using its tree: only its record is replaced, and what Node compiled,
    which no digest covers and Node can do without.
    """
    home = work.parent
    target = home / record.root_digest[:SHORT_DIGEST]
    (work / RECORD).write_text(record.model_dump_json(indent=1) + "\n", "utf-8")
    (work / RECORD).chmod(PUBLIC_FILE)
    for folder in (work, home, home.parent):
        folder.chmod(PUBLIC_FOLDER)
    if (target / RECORD).exists():
        compiled = work / ROOT / COMPILED
        if compiled.exists():
            remove_tree(target / ROOT / COMPILED)
            compiled.rename(target / ROOT / COMPILED)
        (work / RECORD).rename(target / RECORD)
    else:
        work.rename(target)
    link = home / f".{CURRENT}"
    link.unlink(missing_ok=True)
    link.symlink_to(target.name)
    link.rename(home / CURRENT)
    return target


def remove_image(folder: Path) -> None:
    """Remove an image; its name then has no current one where it was that."""
    current = folder.parent / CURRENT
    if current.is_symlink() and current.resolve() == folder.resolve():
        current.unlink()
    (folder / RECORD).unlink()
    remove_tree(folder)


def remove_tree(folder: Path) -> None:
    """Remove a folder, but nothing that is mounted in it: a killed build may leave the host's /dev there."""
    if folder.exists():
        subprocess.run(["rm", "-rf", "--one-file-system", "--", str(folder)], check=True)


def disk_bytes(root: Path) -> int:
    """What the files of a folder take up; each file once, however many names it has."""
    sizes = {}
    for parent, folders, files in os.walk(root):
        for name in [*folders, *files]:
            found = os.lstat(os.path.join(parent, name))
            sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(sizes.values())


def free_bytes(folder: Path) -> int:
    """What can still be written there."""
    return shutil.disk_usage(folder).free
