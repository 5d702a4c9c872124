"""`clawgym bench image`: make the sandbox's root, show what is there, remove it."""

import json
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table

from clawgym_bench.image.build import build_image, obstacles
from clawgym_bench.image.docker import (
    build_in_docker,
    digest_in_docker,
    docker_tag,
    has_docker_image,
    has_engine,
    import_image,
    remove_from_docker,
)
from clawgym_bench.image.manifest import entries_of_folder, root_digest
from clawgym_bench.image.steps import Steps, shown_steps
from clawgym_bench.image.store import (
    RECORD,
    ROOT,
    ImageError,
    ImageRecord,
    find_image,
    image_folders,
    read_record,
    remove_image,
    stored_images,
)
from clawgym_bench.image.versions import (
    DEFAULT_IMAGE,
    DEFAULT_OPENCLAW,
    DESCRIPTION,
    LOCK,
    image_name,
    recipe_digest,
    written_lock,
)
from clawgym_data.progress import table_console

app = typer.Typer(no_args_is_help=True, help="The sandbox's root file system: Debian, Node and OpenClaw, pinned.")


class Way(StrEnum):
    """How an image is made."""

    HOST = "host"
    DOCKER = "docker"


@app.command()
def build(
    openclaw: Annotated[str, typer.Option(help="Version of OpenClaw, or `none`.")] = DEFAULT_OPENCLAW,
    way: Annotated[
        Way | None,
        typer.Option("--with", help="Make it on this host (Debian or Ubuntu, as root) or in a Docker engine."),
    ] = None,
    mirror: Annotated[
        list[str] | None,
        typer.Option(help="Of Debian: an address, or a line of sources.list; a dated archive gives older versions."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Make it even where this recipe's image is there.")] = False,
) -> None:
    """Make the image that `inspect eval clawgym_bench` then uses, and give it to the Docker engine where one answers."""
    name = image_name(openclaw)
    with shown_steps() as steps:
        found = None if again else _up_to_date(name)
        folder, record = found or _made(openclaw, way, mirror or [], steps)
        if has_engine() and not has_docker_image(record):
            steps.begin("docker import")
            import_image(folder, record)
    _tell(folder, record)


def _up_to_date(name: str) -> tuple[Path, ImageRecord] | None:
    """The image of a name, where it is there and of this recipe."""
    folder = find_image(name)
    if folder is None:
        return None
    record = read_record(folder / RECORD)
    is_there = (folder / ROOT).is_dir() or (has_engine() and has_docker_image(record))
    return (folder, record) if is_there and record.recipe == recipe_digest() else None


def _made(openclaw: str, way: Way | None, mirrors: list[str], steps: Steps) -> tuple[Path, ImageRecord]:
    found = obstacles(openclaw)
    if way is Way.HOST or (way is None and not (found and has_engine())):
        return build_image(openclaw, mirrors, steps)
    return build_in_docker(openclaw, mirrors, steps)


def _tell(folder: Path, record: ImageRecord) -> None:
    typer.echo(f"{record.full_name}: {record.bytes >> 20} MB, built in {record.build_sec:.0f} s, in {folder}")
    typer.echo(f"root_digest {record.root_digest}")
    if record.differences:
        count = len(record.differences)
        typer.echo(
            f"{count} {'package differs' if count == 1 else 'packages differ'} from the lock: {', '.join(record.differences)}"
        )


@app.command()
def show(
    image: Annotated[
        str | None, typer.Argument(help="NAME, NAME@DIGEST or a path: the record of this one, as JSON.")
    ] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Compute each digest again, in Docker too.")] = False,
) -> None:
    """List the images of this machine; exit status 1 where one is not what its digest says."""
    images = stored_images() if image is None else {_found(image): read_record(_found(image) / RECORD)}
    if not images:
        typer.echo(f"no image in {' or '.join(map(str, image_folders()))}; `clawgym bench image build` makes one")
        return
    engine_has = {record.root_digest: has_engine() and has_docker_image(record) for record in images.values()}
    if image is None:
        table_console().print(_table(images, engine_has))
    else:
        typer.echo(next(iter(images.values())).model_dump_json(indent=1))
    if verify:
        damages = [_damages(folder, record, engine_has[record.root_digest]) for folder, record in images.items()]
        typer.echo("\n".join(chain.from_iterable(damages)) or "every image is what its digest says", err=True)
        if any(damages):
            raise typer.Exit(1)


def _table(images: dict[Path, ImageRecord], engine_has: dict[str, bool]) -> Table:
    table = Table(Column("image", no_wrap=True), "OpenClaw", "Node", "Debian", "MB", "Docker", "folder")
    for folder, record in images.items():
        table.add_row(
            *(record.full_name, record.openclaw or "-", record.node or "-", record.suite, str(record.bytes >> 20)),
            *("yes" if engine_has[record.root_digest] else "no", str(folder)),
        )
    return table


def _damages(folder: Path, record: ImageRecord, in_docker: bool) -> list[str]:
    found = {}
    if (folder / ROOT).is_dir():
        found[str(folder / ROOT)] = root_digest(entries_of_folder(folder / ROOT))
    if in_docker:
        found[docker_tag(record)] = digest_in_docker(record)
    return [
        f"{place}: its digest is {digest}, not {record.root_digest}; remove the image and build it again"
        for place, digest in found.items()
        if digest != record.root_digest
    ]


@app.command()
def lock(
    image: Annotated[str, typer.Argument(help="An image of this machine.")] = DEFAULT_IMAGE,
) -> None:
    """Write an image's Debian versions into the recipe's lock; for who maintains the recipe."""
    described = json.loads((_found(image) / ROOT / DESCRIPTION).read_text("utf-8"))
    LOCK.write_text(written_lock(described["packages"]), "utf-8")
    typer.echo(f"{LOCK}: {len(described['packages'])} packages")


@app.command()
def remove(
    image: Annotated[str, typer.Argument(help="NAME@DIGEST as `show` lists it, or NAME for the current one.")],
) -> None:
    """Remove an image from this machine and its Docker engine; logs that name it cannot be retried any more."""
    folder = _found(image)
    record = read_record(folder / RECORD)
    if has_engine():
        remove_from_docker(record)
    remove_image(folder)
    typer.echo(f"removed {record.full_name}")


def _found(image: str) -> Path:
    folder = find_image(image)
    if folder is None:
        raise ImageError(f"there is no image {image}; `clawgym bench image show` lists those that are there")
    return folder
