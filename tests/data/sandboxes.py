"""What tests of the sandbox share; every sandbox is a real one."""

import os
import shutil
import sys
import sysconfig
import textwrap
from pathlib import Path

import clawgym_data
from clawgym_data.sandbox import Bubblewrap, Completed, SandboxConfig, SandboxLimits

SMALL = SandboxConfig(limits=SandboxLimits(memory_mb=128, processes=40, workspace_mb=8, tmp_mb=8, file_mb=4))


def shell(sandbox: Bubblewrap, script: str, timeout_sec: float = 30) -> Completed:
    return sandbox.call(["/bin/sh", "-c", script], timeout_sec=timeout_sec)


def python(sandbox: Bubblewrap, program: str) -> Completed:
    return sandbox.call(["python3", "-I", "-c", textwrap.dedent(program)], timeout_sec=30)


def running(words: bytes) -> list[int]:
    """The processes whose command line holds the words, NUL between them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if words in command:
            found.append(int(folder.name))
    return found


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
