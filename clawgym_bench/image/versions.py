"""What the recipe can make: its versions of OpenClaw, its lock of Debian packages, its own fingerprint."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from clawgym_bench.image.store import ImageError

RECIPE = Path(__file__).parent / "recipe"
LOCK = RECIPE / "packages.lock"
DEFAULT_OPENCLAW = "2026.4.1"
NO_OPENCLAW = "none"
PREFIX, PLAIN = "openclaw-", "plain"
DESCRIPTION = "usr/local/share/clawgym/image.json"
"""In an image: what `recipe/finish.py` wrote of it."""
_NOT_OURS = {"__pycache__"}


def openclaw_versions() -> list[str]:
    """Versions of OpenClaw with a lock of their own."""
    return sorted(folder.name.removeprefix(PREFIX) for folder in RECIPE.glob(f"{PREFIX}*"))


def image_name(openclaw: str) -> str:
    """Name of the image with a version of OpenClaw, or with `none`.

    Raises:
        ImageError: there is no lock of that version.
    """
    if openclaw == NO_OPENCLAW:
        return PLAIN
    if openclaw not in openclaw_versions():
        known = ", ".join([*openclaw_versions(), NO_OPENCLAW])
        raise ImageError(f"--openclaw {openclaw}: there is no lock of that version; there are {known}")
    return f"{PREFIX}{openclaw}"


DEFAULT_IMAGE = image_name(DEFAULT_OPENCLAW)


def recipe_digest() -> str:
    """SHA-256 over the files of the recipe, by which an image is known to be of this recipe."""
    digest = hashlib.sha256()
    for path in sorted(path for path in RECIPE.rglob("*") if path.is_file() and not _NOT_OURS & set(path.parts)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(RECIPE).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()


def read_lock(path: Path = LOCK) -> dict[str, str]:
    """Debian packages with the versions that the recipe was tried with.

    Raises:
        ImageError: a line is not `NAME=VERSION`.
    """
    packages = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        name, equals, version = line.partition("=")
        if not (name and equals and version):
            raise ImageError(f"{path}: line {number}: found {line!r}; expected NAME=VERSION")
        packages[name] = version
    return packages


def differences(found: Mapping[str, str], locked: Mapping[str, str]) -> tuple[str, ...]:
    """What an image's packages have otherwise than the lock, a package a text."""
    return tuple(
        f"{name} {found.get(name, 'absent')} (lock: {locked.get(name, 'absent')})"
        for name in sorted({*found, *locked})
        if found.get(name) != locked.get(name)
    )


def written_lock(packages: Mapping[str, str]) -> str:
    """The text of a lock with these packages."""
    head = "# Debian packages of the image, as `clawgym bench image build` got them on amd64; a build names what differs.\n"
    return head + "".join(f"{name}={version}\n" for name, version in sorted(packages.items()))
