"""Sandboxes of other configurations and of other users."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxRefused, probe_tools
from tests.conftest import REPOSITORY
from tests.data.sandboxes import ordinary_user, shell


def test_a_missing_bind_is_refused_by_name() -> None:
    with pytest.raises(SandboxRefused, match="/no/such/folder"):
        Bubblewrap.start(SandboxConfig(read_only_binds=(("/no/such/folder", "/opt/x"),)))


def test_binds_are_read_only(open_folder: Path) -> None:
    (open_folder / "tool").write_text("x")
    with Bubblewrap.start(SandboxConfig(read_only_binds=((str(open_folder), "/opt/tools"),))) as sandbox:
        assert shell(sandbox, "cat /opt/tools/tool; echo y > /opt/tools/tool").stdout == b"x"
    assert (open_folder / "tool").read_text() == "x"


def test_a_root_file_system_of_its_own(open_folder: Path) -> None:
    root = open_folder / "root"
    (root / "etc").mkdir(parents=True)
    (root / "etc" / "marker").write_text("image")
    (root / "etc" / "passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    (root / "etc" / "os-release").write_text("ID=image\n")
    (root / "usr").symlink_to("/usr")
    for name in ("bin", "sbin", "lib", "lib64"):
        if Path(f"/{name}").is_symlink():
            (root / name).symlink_to(os.readlink(f"/{name}"))
    with Bubblewrap.start(
        SandboxConfig(root=str(root), workspace="/data/work", home="/home/claw", uid=1234)
    ) as sandbox:
        done = shell(sandbox, "cat /etc/marker; id -un; pwd; . /etc/os-release; echo $ID")

    assert done.stdout.decode() == "imageclaw\n/data/work\nimage\n"


def test_probe_tools_names_what_is_missing_or_old(sandbox: Bubblewrap) -> None:
    sandbox.put([("bin/mute", b"#!/bin/sh\n", 0o755)])
    messages = probe_tools(sandbox, [("python3", "3.9"), ("sh", None), ("python3", "99.1"), ("no-such-tool", None)])

    assert len(messages) == 2
    assert messages[0].startswith("python3: version 3.")
    assert messages[1] == "no-such-tool: not found in the sandbox"


ORDINARY = """
import sys, time
from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxLimits, diagnose
print(diagnose().works)
limits = SandboxLimits(memory_mb=128, processes=30, workspace_mb=8)
with Bubblewrap.start(SandboxConfig(limits=limits)) as sandbox:
    sandbox.put([("a/b", b"1\\r\\n", 0o640)])
    print(sandbox.call(["sh", "-c", "id -un; cat a/b; stat -c %U:%a a/b; grep -c . /proc/net/dev"]).stdout)
    print(sandbox.call(["unshare", "-U", "true"]).returncode != 0, sandbox.call(["mount", "-t", "tmpfs", "x", "/tmp"]).returncode != 0)
    print(sandbox.call(["cat", "/proc/1/environ"]).stderr)
    print(sandbox.call(["python3", "-c", "x = b'x' * (400 << 20)"]).returncode != 0)
    bomb = sandbox.begin(["sh", "-c", "bomb() { bomb | bomb & }; bomb; setsid sleep 60 & sleep 60"])
    time.sleep(0.5)
    sandbox.end_processes()
    bomb.wait()
    print(sandbox.call(["sh", "-c", "echo out > a/c"]).returncode, [e.path for e in sandbox.snapshot().entries])
    print(sandbox.call(["sleep", "9"], timeout_sec=0.2).timed_out, sandbox.enforcement()["syscalls"])
"""


def test_an_ordinary_user_has_the_same_sandbox(open_folder: Path) -> None:
    user, environment = ordinary_user(open_folder)
    command = [*user, "-c", ORDINARY]
    done = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, timeout=60, check=False)

    assert done.stdout.splitlines() == [
        "True",
        r"b'claw\n1\r\nclaw:640\n3\n'",
        "True True",
        r"b'cat: /proc/1/environ: Permission denied\n'",
        "True",
        "0 ['a', 'a/b', 'a/c']",
        "True seccomp",
    ], done.stderr


def test_the_packages_import_without_what_only_posix_has() -> None:
    program = (
        "import sys\n"
        "for name in ('fcntl', 'resource', 'pwd', 'grp', 'termios'): sys.modules[name] = None\n"
        "import clawgym_data.snapshot, clawgym_data.sandbox\n"
        "loaded = {'inspect_ai', 'anyio', 'torch'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, check=True)
