"""What tests of the sandbox share; every sandbox is a real one."""

import os
import re
import shutil
import sys
import sysconfig
import textwrap
import time
from collections.abc import Callable, Collection
from pathlib import Path

import clawgym_data
from clawgym_data.sandbox import Bubblewrap, Completed, SandboxConfig, SandboxLimits
from clawgym_data.sandbox.cgroup import find_hierarchy
from clawgym_data.sandbox.stale import MARK, pid_namespace

SMALL = SandboxConfig(limits=SandboxLimits(memory_mb=128, processes=40, workspace_mb=8, tmp_mb=8, file_mb=4))


def shell(sandbox: Bubblewrap, script: str, timeout_sec: float = 30) -> Completed:
    return sandbox.call(["/bin/sh", "-c", script], timeout_sec=timeout_sec)


def python(sandbox: Bubblewrap, program: str) -> Completed:
    return sandbox.call(["python3", "-I", "-c", textwrap.dedent(program)], timeout_sec=30)


def running(words: bytes) -> list[int]:
    """The processes whose command line holds the words, NUL between them."""
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if words in command_line(folder)]


def wait_until(is_so: Callable[[], bool], message: str, poll_sec: float = 0.02) -> None:
    deadline = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < deadline, message
        time.sleep(poll_sec)


def left_of(killed: Collection[int]) -> list[str]:
    """Processes and control groups of harnesses that are gone.

    Everything names its harness: groups and what joins them, bubblewrap and what it runs by their command lines; process 1
    of a sandbox by the bubblewrap around it, which lives as long.
    """
    name = re.compile(rf"\b{pid_namespace()}-({'|'.join(map(str, killed))})-\d+-\d+".encode())
    commands = {int(folder.name): command_line(folder) for folder in Path("/proc").glob("[0-9]*")}
    found = [f"{pid}: {words!r}" for pid, words in commands.items() if name.search(words)]
    first = [pid for pid, words in commands.items() if words == b"/run/sandbox/cat\0"]
    found += [f"{pid}: an orphan" for pid in first if MARK.encode() not in command_line(Path(f"/proc/{parent(pid)}"))]
    groups = {group for _, folder in find_hierarchy().parents for group in folder.iterdir()}
    return found + [str(group) for group in groups if name.fullmatch(group.name.encode())]


def command_line(folder: Path) -> bytes:
    try:
        return (folder / "cmdline").read_bytes()
    except OSError:
        return b""


def parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def running_sleeps(seconds: str) -> list[int]:
    return running(f"sleep\0{seconds}\0".encode())


def ordinary_user(folder: Path) -> tuple[list[str], dict[str, str]]:
    """How to run Python as a user without privileges: the words before its arguments, and the environment.

    Args:
        folder: where that user may read, for copies of the packages where the tests run as root.
    """
    if os.geteuid() != 0:
        return [sys.executable], dict(os.environ)
    site = Path(sysconfig.get_path("purelib"))
    shutil.copytree(Path(clawgym_data.__file__).parent, folder / "clawgym_data", ignore=_COMPILED)
    for name in ("pydantic", "pydantic_core", "annotated_types", "typing_inspection"):
        shutil.copytree(site / name, folder / name, ignore=_COMPILED)
    shutil.copy(site / "typing_extensions.py", folder)
    interpreter = f"/usr/bin/python3.{sys.version_info.minor}"
    command = ["setpriv", "--reuid", "1234", "--regid", "1234", "--clear-groups", interpreter]
    return command, {"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}


_COMPILED = shutil.ignore_patterns("__pycache__")
