"""Calls in a sandbox: what goes in, what comes out, and how they end."""

import os
import signal
import textwrap
import threading
import time

import pytest

from clawgym_data.sandbox import Bubblewrap, Completed
from tests.data.sandboxes import running_sleeps, shell


def test_a_call_returns_what_the_command_wrote(sandbox: Bubblewrap) -> None:
    done = sandbox.call(["sh", "-c", "cat; echo err >&2; exit 7"], input=b"\x00\xffin\r\n")

    assert done == Completed(7, b"\x00\xffin\r\n", b"err\n", timed_out=False, truncated=False, oom_killed=False)


def test_folder_and_environment_are_exactly_what_is_meant(sandbox: Bubblewrap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    done = sandbox.call(["sh", "-c", "pwd; env"], cwd="/usr/bin", env={"A": "x=y\nz", "LD_PRELOAD": "/nowhere.so"})

    assert done.stdout.startswith(b"/usr/bin\n")
    assert b"A=x=y\nz" in done.stdout
    assert b"HOME=/root\n" in done.stdout
    assert b"secret" not in done.stdout
    assert shell(sandbox, "mkdir -p a; pwd").stdout == b"/root/.openclaw/workspace\n"
    assert sandbox.call(["pwd"], cwd="a").stdout == b"/root/.openclaw/workspace/a\n"
    assert sandbox.call(["pwd"], cwd="missing").returncode == 125


def test_programs_that_cannot_run_are_ordinary_failures(sandbox: Bubblewrap) -> None:
    sandbox.put([("a=b", b"#!/bin/sh\necho odd name\n", 0o755)])

    assert sandbox.call(["no-such-program"]).returncode == 127
    assert sandbox.call(["/etc/passwd"]).returncode == 126
    assert sandbox.call(["./a=b"]).stdout == b"odd name\n"
    assert shell(sandbox, "kill -SEGV $$").returncode == 128 + signal.SIGSEGV


def test_output_is_bounded_and_never_blocks_the_command(sandbox: Bubblewrap) -> None:
    script = "head -c 3000000 /dev/zero; echo end; head -c 3000000 /dev/zero >&2"
    done = sandbox.call(["sh", "-c", script], max_output_bytes=1000)

    assert (len(done.stdout), done.stdout[-4:], len(done.stderr)) == (1000, b"end\n", 1000)
    assert done.truncated


def test_large_input_and_output_pass_together(sandbox: Bubblewrap) -> None:
    data = os.urandom(1 << 20) * 5

    assert sandbox.call(["cat"], input=data).stdout == data
    assert sandbox.call(["true"], input=data).returncode == 0
    assert sandbox.call(["cat"], input=b"").stdout == b""


@pytest.mark.fault("background-child-holds-the-call")
def test_a_background_process_with_the_output_open_holds_nothing_up(sandbox: Bubblewrap) -> None:
    began = time.monotonic()
    done = shell(sandbox, "sleep 5 & echo started")

    assert done.stdout == b"started\n"
    assert time.monotonic() - began < 4


def test_a_timeout_kills_the_descendants(sandbox: Bubblewrap) -> None:
    began = time.monotonic()
    done = shell(sandbox, "echo before; sleep 4711 & (trap '' TERM INT HUP; sleep 4711; sleep 4711)", timeout_sec=0.4)

    assert done.timed_out
    assert done.stdout == b"before\n"
    assert time.monotonic() - began < 4
    assert running_sleeps("4711") == []
    assert shell(sandbox, "echo usable").stdout == b"usable\n"


def test_a_call_is_killed_from_another_thread(sandbox: Bubblewrap) -> None:
    call = sandbox.begin(["sh", "-c", "sleep 4712; echo never"])
    threading.Timer(0.2, call.kill).start()
    done = call.wait()
    call.kill()

    assert done.returncode == 128 + signal.SIGKILL
    assert not done.timed_out
    assert running_sleeps("4712") == []
    assert call.wait() is done


def test_a_call_that_forks_without_end_is_killed(small: Bubblewrap) -> None:
    program = """
    import os, time
    while True:
        try:
            if os.fork() == 0: time.sleep(0.02)
        except OSError: pass
    """
    began = time.monotonic()
    done = small.call(["python3", "-I", "-c", textwrap.dedent(program)], timeout_sec=1)

    assert done.timed_out
    assert time.monotonic() - began < 15


def test_calls_from_many_threads_do_not_mix(sandbox: Bubblewrap) -> None:
    calls = [sandbox.begin(["sh", "-c", f"echo {number}; cat"], input=b"x" * number) for number in range(40)]

    assert [call.wait().stdout for call in calls] == [f"{n}\n{'x' * n}".encode() for n in range(40)]
