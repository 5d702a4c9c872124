"""Small trees in the place of whole images."""

import os
from pathlib import Path

from clawgym_bench.image.manifest import COMPILED, entries_of_folder, root_digest
from clawgym_bench.image.store import ROOT, ImageRecord, keep, unfinished


def small_tree(root: Path) -> Path:
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/tool").write_bytes(b"#!/bin/sh\n")
    (root / "usr/bin/tool").chmod(0o755)
    os.link(root / "usr/bin/tool", root / "usr/bin/same")
    (root / "bin").symlink_to("usr/bin")
    (root / os.fsdecode(b"odd-\xff")).write_bytes(b"")
    return root


def digest_of(root: Path) -> str:
    return root_digest(entries_of_folder(root))


def record(digest: str, built: str = "2026-01-01T00:00:00+00:00") -> ImageRecord:
    versions_of = {"openclaw": "1", "node": "2", "suite": "bookworm", "architecture": "amd64"}
    return ImageRecord(name="small", root_digest=digest, recipe="r", bytes=1, built=built, build_sec=1.0, **versions_of)


def made(images: Path, digest: str, built: str = "2026-01-01T00:00:00+00:00", compiled: str | None = None) -> Path:
    with unfinished(images, "small") as work:
        small_tree(work / ROOT)
        if compiled:
            (work / ROOT / COMPILED).mkdir(parents=True)
            (work / ROOT / COMPILED / compiled).write_text("")
        return keep(work, record(digest, built))
