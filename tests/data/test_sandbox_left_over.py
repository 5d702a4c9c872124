"""What a harness that was killed leaves, and what the next start makes of it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxRefused
from clawgym_data.sandbox.cgroup import NO_HIERARCHY, find_hierarchy
from clawgym_data.sandbox.stale import (
    mark,
    next_name,
    pid_namespace,
    start_time,
    sweep,
    sweep_folders,
    temporary_folder,
)
from tests.conftest import REPOSITORY
from tests.data.sandboxes import left_of, ordinary_user, running, running_sleeps, shell, wait_until

HARNESS = """
import json, os, sys, time
from clawgym_data.sandbox import Bubblewrap, SandboxConfig
sandbox = Bubblewrap.start(SandboxConfig())
call = sandbox.begin(["sh", "-c", "setsid sleep 4715 & sleep 4715"])
time.sleep(0.2)
print(json.dumps([sandbox.pid, [str(f) for f in sandbox._cgroup.folders.values()]]), flush=True)
{end}
"""


def start_harness(end: str) -> tuple["subprocess.Popen[bytes]", int, list[Path]]:
    process = subprocess.Popen([sys.executable, "-c", HARNESS.format(end=end)], stdout=subprocess.PIPE, cwd=REPOSITORY)
    assert process.stdout is not None
    pid, folders = json.loads(process.stdout.readline())
    return process, pid, [Path(folder) for folder in folders]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(pid: int) -> None:
    wait_until(lambda: not (running_sleeps("4715") or is_running(pid)), "the sandbox outlived its harness")


def test_a_killed_harness_takes_its_sandbox_along_and_the_sweep_the_rest() -> None:
    process, pid, folders = start_harness("time.sleep(60)")
    assert len(running_sleeps("4715")) >= 2
    process.kill()
    process.communicate()
    wait_until_gone(pid)
    sweep(find_hierarchy())

    assert not any(folder.exists() for folder in folders)


def test_a_killed_harness_leaves_its_temporary_folders_to_the_sweep() -> None:
    program = """
import os, signal
from clawgym_data.sandbox.stale import temporary_folder
with temporary_folder("port") as folder:
    (folder / "model").touch()
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=REPOSITORY)
    left = Path(done.stdout.strip())
    assert (left / "model").exists()
    with temporary_folder("port") as own:
        removed = sweep_folders()
        assert own.exists()

    assert left in removed
    assert own not in removed
    assert not left.exists()
    assert not own.exists()


def test_a_harness_that_ends_without_close_leaves_nothing() -> None:
    process, pid, folders = start_harness("sys.exit()")
    process.communicate()
    wait_until_gone(pid)

    assert not any(folder.exists() for folder in folders)


def test_the_sweep_spares_the_living(sandbox: Bubblewrap) -> None:
    sweep(find_hierarchy())

    assert shell(sandbox, "echo usable").stdout == b"usable\n"
    assert all(folder.exists() for folder in sandbox._cgroup.folders.values())


def test_a_fork_of_the_harness_does_not_keep_its_sandboxes() -> None:
    end = "child = os.fork()\nif child: print(child, flush=True)\ntime.sleep(60)"
    process, pid, _ = start_harness(end)
    assert process.stdout is not None
    child = int(process.stdout.readline())
    process.kill()
    process.wait()
    try:
        wait_until_gone(pid)
        assert is_running(child)
    finally:
        os.kill(child, 9)
        process.stdout.close()


def test_the_sweep_ends_what_the_dead_have_marked_and_nothing_else() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as gone:
        dead = f"{gone.pid}-{start_time(gone.pid)}-0"
    names = {
        "dead": f"{pid_namespace()}-{dead}",
        "number given anew": f"{pid_namespace()}-{os.getpid()}-1-0",
        "living": next_name(),
        "of another namespace": f"1-{dead}",
        "no name": f"{pid_namespace()}-{dead}-more",
    }
    processes = {
        kind: subprocess.Popen(["sh", "-c", "sleep 4717; :", "sh", mark(name)]) for kind, name in names.items()
    }
    try:
        wait_until(lambda: len(running_sleeps("4717")) == len(names), "the processes did not start")
        sweep(NO_HIERARCHY)
        wait_until(lambda: len(running_sleeps("4717")) == 3, "a child was left")
        assert {kind for kind, process in processes.items() if process.poll() is not None} == {
            "dead",
            "number given anew",
        }
    finally:
        for pid in [
            *(process.pid for process in processes.values() if process.poll() is None),
            *running_sleeps("4717"),
        ]:
            os.kill(pid, 9)
        for process in processes.values():
            process.wait()


def test_a_child_that_lost_bubblewrap_in_its_set_up_is_ended(bwrap: Path) -> None:
    version = 'case "$1" in --version) echo bubblewrap 0.9.0; exit;; esac'
    bwrap.write_text(f"#!/bin/sh\n{version}\nsh -c 'sleep 4718; :' sh \"$@\" & sleep 0.2; kill -9 $$\n")
    bwrap.chmod(0o755)
    mine = mark("").encode() + str(pid_namespace()).encode() + b"-" + str(os.getpid()).encode()
    others = running(mine)  # workers of a grader that tests of this process share
    with pytest.raises(SandboxRefused):
        Bubblewrap.start(SandboxConfig())

    assert set(running(mine)) <= set(others)


LOOP = """
import threading
from clawgym_data.sandbox import Bubblewrap, SandboxConfig
def loop():
    while True:
        with Bubblewrap.start(SandboxConfig()) as sandbox:
            sandbox.begin(["sleep", "{seconds}"])
threads = [threading.Thread(target=loop) for _ in range(4)]
print("up", flush=True)
for thread in threads: thread.start()
"""
NEXT = "from clawgym_data.sandbox import Bubblewrap, SandboxConfig; Bubblewrap.start(SandboxConfig()).close()"


@pytest.mark.parametrize("is_ordinary", [False, True])
def test_nothing_is_left_of_harnesses_killed_while_they_start_sandboxes(open_folder: Path, is_ordinary: bool) -> None:
    user, environment = ordinary_user(open_folder) if is_ordinary else ([sys.executable], dict(os.environ))
    folder, seconds = ("/", "4719") if is_ordinary else (str(REPOSITORY), "4720")
    moments = Random("killed while they start sandboxes")
    killed = []
    for _ in range(6):
        command = [*user, "-c", LOOP.format(seconds=seconds)]
        with subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE) as harness:
            assert harness.stdout is not None
            harness.stdout.readline()
            time.sleep(moments.uniform(0.02, 0.3))
            harness.kill()
        killed.append(harness.pid)
    subprocess.run([*user, "-c", NEXT], env=environment, cwd=folder, check=True, timeout=60)

    wait_until(lambda: not left_of(killed) and not running_sleeps(seconds), "something was left")
