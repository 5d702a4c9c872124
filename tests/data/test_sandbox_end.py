"""The end of a sandbox's processes, and of the sandbox."""

import os
import signal
import time
from pathlib import Path

import pytest

from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxGone
from clawgym_data.sandbox.process import descendants
from tests.data.sandboxes import SMALL, python, running_sleeps, shell


def test_nothing_runs_after_end_processes(sandbox: Bubblewrap) -> None:
    shell(sandbox, "setsid sh -c 'sleep 0.4; echo x > out.txt' & setsid sh -c 'trap \"\" TERM HUP; sleep 4713' &")
    waiting = sandbox.begin(["sleep", "4713"])
    sandbox.end_processes()
    time.sleep(0.6)

    assert running_sleeps("4713") == []
    assert waiting.wait().returncode == 128 + signal.SIGKILL
    assert sandbox.snapshot().entries == ()
    assert shell(sandbox, "ps axo pid= | wc -l").stdout.strip() == b"4"


def test_a_fork_bomb_is_bounded_and_ended(small: Bubblewrap) -> None:
    bomb = small.begin(["sh", "-c", "bomb() { bomb | bomb & }; bomb; sleep 60"])
    time.sleep(0.7)
    count = len(descendants(bomb.pid))
    began = time.monotonic()
    small.end_processes()
    bomb.wait()

    assert count <= SMALL.limits.processes
    assert time.monotonic() - began < 8
    assert shell(small, "echo usable").stdout == b"usable\n"


def test_killing_everything_from_inside_leaves_the_sandbox(sandbox: Bubblewrap) -> None:
    shell(sandbox, "kill -9 -1; kill -9 1")
    shell(sandbox, "pkill -9 .")

    assert sandbox.alive
    assert shell(sandbox, "echo usable").stdout == b"usable\n"


def test_process_one_cannot_be_taken_over(sandbox: Bubblewrap) -> None:
    done = shell(sandbox, "cat /proc/1/environ; cat /proc/1/mem; cat /run/sandbox/cat; ls /proc/1/root/; true")
    attach = python(sandbox, "import ctypes; print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))")

    assert done.stdout == b""
    assert done.stderr.count(b"Permission denied") == 4
    assert attach.stdout == b"-1\n"


def test_orphans_are_collected(sandbox: Bubblewrap) -> None:
    shell(sandbox, "for i in 1 2 3 4 5 6; do (sleep 0.05 &) ; done; sleep 0.3")

    assert b"defunct" not in shell(sandbox, "ps ax").stdout


def test_close_may_be_repeated_and_leaves_nothing() -> None:
    sandbox = Bubblewrap.start(SandboxConfig())
    folders = list(sandbox._cgroup.folders.values())
    call = sandbox.begin(["sleep", "4714"])
    sandbox.close()
    sandbox.close()

    assert call.wait().returncode != 0
    assert not sandbox.alive
    assert not any(folder.exists() for folder in folders)
    assert not Path(f"/proc/{sandbox.pid}").exists()
    with pytest.raises(SandboxGone):
        sandbox.call(["true"])
    with pytest.raises(SandboxGone):
        sandbox.snapshot()


def test_descriptors_do_not_pile_up(sandbox: Bubblewrap) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = descriptors()
    for _ in range(20):
        sandbox.call(["true"], input=b"x")
        sandbox.snapshot()
        sandbox.end_processes()
    with Bubblewrap.start(SMALL):
        assert descriptors() <= before + 4
    assert descriptors() == before


def test_the_workspace_is_read_although_the_sandbox_died(sandbox: Bubblewrap) -> None:
    sandbox.put([("a", b"1", 0o644)])
    os.kill(sandbox.pid, signal.SIGKILL)
    while sandbox.alive:
        time.sleep(0.01)

    assert sandbox.snapshot().content("a") == b"1"
    with pytest.raises(SandboxGone):
        sandbox.end_processes()
