"""The limits of a sandbox."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxLimits
from clawgym_data.sandbox.cgroup import Cgroup, Hierarchy, find_hierarchy, kill_members
from tests.data.sandboxes import python, shell


def test_memory_is_bounded_as_enforcement_says(small: Bubblewrap) -> None:
    done = python(small, "x = b'x' * (400 << 20); print(len(x))")

    assert done.stdout == b""
    if small.enforcement()["memory"] == "rlimit":
        assert b"MemoryError" in done.stderr
    else:
        assert done.oom_killed
        assert small.oom_kills == 1
    assert not shell(small, "true").oom_killed
    assert small.alive


@pytest.mark.parametrize("folder", [".", "/tmp", "/root", "/dev/shm"])
def test_disk_is_bounded(small: Bubblewrap, folder: str) -> None:
    script = f"for i in $(seq 30); do head -c 4000000 /dev/zero > {folder}/f$i || exit 1; done"
    done = shell(small, script)
    written = shell(small, f"cat {folder}/f* | wc -c")

    assert done.returncode != 0
    assert int(written.stdout) <= 80 << 20
    assert small.alive


def test_disk_limits_are_exact_and_put_respects_them(small: Bubblewrap) -> None:
    with pytest.raises(OSError, match="No space left"):
        small.put([("big", b"x" * (9 << 20), 0o644)])
    shell(small, "rm -f big")
    assert shell(small, "head -c 4194304 /dev/zero > ok").returncode == 0
    assert shell(small, "head -c 4194305 /dev/zero > too-large").returncode != 0
    assert shell(small, "ulimit -n").stdout == b"1024\n"


def test_enforcement_names_every_limit(small: Bubblewrap) -> None:
    held = small.enforcement()

    assert set(held) == {
        *("memory", "processes", "workspace", "tmp", "file_size", "open_files", "network", "syscalls"),
        "nested_namespaces",
    }
    assert set(held.values()) <= {"cgroup-v1", "cgroup-v2", "rlimit", "tmpfs", "seccomp", "namespace", "none"}
    with Bubblewrap.start(SandboxConfig(limits=SandboxLimits(cpus=0.5))) as slow:
        controllers = [name for name, _ in find_hierarchy().parents]
        assert slow.enforcement()["cpus"] == (find_hierarchy().version if "cpu" in controllers else "none")


def test_the_second_version_of_control_groups_gets_its_own_settings(tmp_path: Path) -> None:
    hierarchy = Hierarchy("cgroup-v2", tuple((name, tmp_path) for name in ("memory", "pids", "cpu")))
    group = Cgroup.create("1-2-3-4", SandboxLimits(memory_mb=64, processes=9, cpus=0.5), hierarchy)
    folder = tmp_path / "1-2-3-4"
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")

    assert {file.name: file.read_text() for file in folder.glob("*.max")} == {
        "memory.max": str(64 << 20),
        "pids.max": "9",
        "cpu.max": "50000 100000",
    }
    assert group.join_script() == f"echo 0 > {folder}/cgroup.procs || exit 125; "
    assert group.oom_kills() == 2
    assert group.enforcer("cpu") == "cgroup-v2"


def test_a_group_of_the_second_version_is_killed_at_once() -> None:
    mounts = [Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified")]
    mount = next((path for path in mounts if (path / "cgroup.controllers").exists()), None)
    if mount is None or not os.access(mount / "cgroup.procs", os.W_OK):
        pytest.skip("this user may make no group of the second version here")
    folder = mount / f"clawgym-test-{os.getpid()}"
    folder.mkdir()
    try:
        process = subprocess.Popen(["sh", "-c", f"echo 0 > {folder}/cgroup.procs; sleep 60 & echo in; wait"], stdout=-1)
        assert process.stdout is not None
        assert process.stdout.readline() == b"in\n"
        kill_members(folder)
        assert process.wait(5) == -signal.SIGKILL
        process.stdout.close()
    finally:
        time.sleep(0.05)
        folder.rmdir()
