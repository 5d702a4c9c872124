"""Which root file system the sandboxes of a run have: an image, or this host's own /usr."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import read_eval_log

from clawgym_bench.image.docker import docker_tag, has_docker_image
from clawgym_bench.image.store import (
    RECORD,
    ROOT,
    SHORT_DIGEST,
    ImageError,
    ImageRecord,
    find_image,
    read_record,
    stored_images,
)
from clawgym_bench.image.versions import DEFAULT_IMAGE
from clawgym_bench.shellpath import shell_path
from clawgym_data.sandbox import SandboxConfig

HOST = "host"
BUILD = "clawgym bench image build"
RETRY = "eval-retry"


@dataclass(frozen=True)
class Root:
    """The root file system of a run's sandboxes; without an image it is the host's."""

    folder: Path | None = None
    """Of the image."""
    record: ImageRecord | None = None

    def in_sandbox(self, config: SandboxConfig) -> SandboxConfig:
        """The bubblewrap sandbox with this root."""
        return config.model_copy(update={"root": str(self.folder / ROOT)}) if self.folder else config

    @property
    def digest(self) -> str:
        """What a log records; `host` stands for whatever a host has."""
        return self.record.root_digest if self.record else HOST

    @property
    def name(self) -> str:
        """How `-T image` names exactly this root."""
        return self.record.full_name if self.record else HOST

    @property
    def docker_tag(self) -> str | None:
        """Of the image in an engine."""
        return docker_tag(self.record) if self.record else None

    def metadata(self) -> dict[str, Any]:
        """What the log's header says of it."""
        return {"root_digest": self.digest, **({"image": self.record.versions()} if self.record else {})}


def choose_root(image: str | None, kind: str, flag: str | None) -> Root:
    """The root for a run.

    Args:
        image: what `-T image` said: NAME, NAME@DIGEST, a path or `host`; None for the default image where there is one.
        kind: of the sandbox.
        flag: the kind that `--sandbox` named, whereby Inspect leaves out our configuration of bubblewrap.

    Raises:
        PrerequisiteError: there is no such image, or it cannot be used so.
    """
    if image is not None and flag == "bubblewrap":
        raise _refusal("--sandbox would undo -T image; leave --sandbox out")
    before = _retried_image()
    root = _find_root(image or before or (HOST if flag == "bubblewrap" else None), kind)
    if before is not None and root.name != before:
        raise _refusal(f"the log ran with the image {before}, and -T image={image} is now {root.name}; begin a new run")
    return root


def _find_root(wanted: str | None, kind: str) -> Root:
    if wanted == HOST:
        if kind == "docker":
            raise _refusal("image is 'host', and a container has no root of this host; leave it out, or name an image")
        return Root()
    try:
        folder = find_image(str(shell_path(wanted)) if wanted and "/" in wanted else wanted or DEFAULT_IMAGE)
        if folder is not None:
            return _usable(Root(folder, read_record(folder / RECORD)), kind)
        if wanted is None and kind != "docker":
            return Root()
        known = ", ".join(record.full_name for record in stored_images().values()) or "none"
    except ImageError as error:
        raise _refusal(str(error)) from error
    raise _refusal(
        f"there is no image {wanted or DEFAULT_IMAGE} (there are: {known}); `{BUILD}` makes one. An image is named by "
        f"NAME, NAME@ and {SHORT_DIGEST} digits of its digest, or its folder, which holds {RECORD}"
    )


def _usable(root: Root, kind: str) -> Root:
    """Refuse an image that is not where this kind of sandbox needs it."""
    assert root.folder is not None
    assert root.record is not None
    if kind == "docker":
        try:
            there = has_docker_image(root.record)
        except FileNotFoundError as error:
            raise _refusal("the sandbox docker needs Docker, which is not installed here") from error
        if not there:
            raise _refusal(f"Docker has no image {root.docker_tag}; `{BUILD}` gives it this machine's")
    elif not (root.folder / ROOT).is_dir():
        raise _refusal(f"the image {root.record.full_name} is in Docker alone; `{BUILD} --again` makes its tree")
    return root


def _retried_image() -> str | None:
    """The image that the logs on the command line of `inspect eval-retry` ran with; None where nothing is retried.

    Raises:
        PrerequisiteError: they do not agree.
    """
    context = click.get_current_context(silent=True)
    if context is None or context.info_name != RETRY:
        return None
    headers = [read_eval_log(_place(log), header_only=True) for log in _files(context.params["log_files"])]
    found = {image_of_log(header.eval.metadata or {}) for header in headers}
    if len(found) > 1:
        raise _refusal(f"the logs ran with different images ({', '.join(sorted(found))}); retry them one by one")
    return found.pop()


def _place(log: str) -> str:
    """A log as the command line names it: an address, or a path from the shell's folder."""
    return log if "://" in log else str(shell_path(log))


def _files(given: Iterable[str] | str) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def image_of_log(metadata: dict[str, Any]) -> str:
    """How `-T image` names the root that a log's header records."""
    image = metadata.get("image")
    return f"{image['name']}@{metadata['root_digest'][:SHORT_DIGEST]}" if image else HOST


def refuse_other_root(actual: str | None, declared: str) -> None:
    """Refuse a trial in another root than the log's header tells of.

    Args:
        actual: the root of the bubblewrap sandbox, as configured.
        declared: the digest in the header.

    Raises:
        PrerequisiteError: they differ.
    """
    found = read_record(Path(actual).parent / RECORD).root_digest if actual else HOST
    if found != declared:
        raise _refusal(f"the sandbox has the root {found}, and the log's header says {declared}; begin a new run")


def _refusal(message: str) -> PrerequisiteError:
    return PrerequisiteError(f"clawgym_bench: {message}")
