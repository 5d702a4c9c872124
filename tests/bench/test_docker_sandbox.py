"""One container as a trial has it: Inspect's own conformance checks, files in and out, walls and limits."""

from collections.abc import AsyncIterator, Iterator
from uuid import uuid4

import pytest
import pytest_asyncio
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox import self_check
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

from clawgym_bench.container import KEPT, container_of, ended_container, fill_container
from clawgym_bench.sandbox import in_thread
from clawgym_bench.workspace import WORKSPACE
from clawgym_data.sandbox.docker import call_docker, find_engine
from clawgym_data.snapshot import EntryKind, SnapshotLimits
from tests.bench.docker_engine import docker_sandbox, docker_tag_for_tests, require_docker, shared_docker_sandbox

# Not applicable: the container has one user, who may not add others.
del test_exec_as_user  # type: ignore[name-defined]  # noqa: F821

pytestmark = pytest.mark.asyncio


@pytest.fixture(scope="module")
def sandbox_env() -> Iterator[SandboxEnvironment]:
    """For all that leave the container as it was."""
    with shared_docker_sandbox() as environment:
        yield environment


@pytest_asyncio.fixture
async def own_sandbox() -> AsyncIterator[SandboxEnvironment]:
    require_docker()
    async with docker_sandbox() as environment:
        yield environment


def name_of(environment: SandboxEnvironment) -> str:
    container = container_of(environment)
    assert container is not None
    return container


async def sh(environment: SandboxEnvironment, script: str) -> str:
    done = await environment.exec(["/bin/bash", "-c", script], cwd=WORKSPACE)
    return done.stdout + done.stderr


async def test_every_other_check_of_inspect_is_collected() -> None:
    assert {name for name in self_check.__all__ if name not in globals()} == {"test_exec_as_user"}


async def test_the_agent_is_an_ordinary_user_who_owns_workspace_and_home(sandbox_env: SandboxEnvironment) -> None:
    assert (await sh(sandbox_env, "id -u; id -g; id -G; pwd; echo ~ $USER")).split() == [
        *("1000", "1000", "1000"),
        *(WORKSPACE, "/root", "claw"),
    ]
    owners = "stat -c '%u:%g %a' . ~ ~/.openclaw /tmp /var/tmp"
    await in_thread(lambda: fill_container(name_of(sandbox_env), []))
    assert (await sh(sandbox_env, owners)).splitlines() == [*["1000:1000 755"] * 3, *["0:0 1777"] * 2]


async def test_privileges_and_network_are_gone(sandbox_env: SandboxEnvironment) -> None:
    status = await sh(sandbox_env, "grep -E '^(Cap|NoNew|Seccomp:)' /proc/self/status; ls /sys/class/net")
    assert dict(line.split(":\t") for line in status.splitlines()[:-1]) == {
        **dict.fromkeys(("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), "0" * 16),
        **{"NoNewPrivs": "1", "Seccomp": "2"},
    }
    assert status.splitlines()[-1] == "lo"
    refused = ("unshare -U true", "unshare -n true", "mount -t tmpfs none /tmp", "chroot / true", "chown 0 .")
    assert await sh(sandbox_env, "; ".join(f"{command} 2>/dev/null && echo done" for command in refused)) == ""


async def test_no_signal_from_inside_ends_process_1_and_nobody_looks_into_it(sandbox_env: SandboxEnvironment) -> None:
    said = await sh(
        sandbox_env,
        "for s in $(seq 1 31); do kill -$s 1; done; (sleep 0.1 &); sleep 0.5; cat /proc/1/environ; ls /proc/1/fd; "
        "python3 -c 'import ctypes; print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))'; ps -A -o stat= | grep -c Z",
    )
    assert said.splitlines()[:2] == ["-1", "0"]
    assert said.count("Permission denied") == 2


async def test_only_memory_can_be_written_and_no_more_than_its_share(sandbox_env: SandboxEnvironment) -> None:
    written = await sandbox_env.exec(["find", "/", "-xdev", "-writable"])
    assert set(written.stdout.split()) <= {"/root", "/tmp", "/var/tmp", "/run", "/var/run"}
    assert (await sh(sandbox_env, "touch /usr/x /etc/x /x")).count("Read-only file system") == 3
    for folder in (WORKSPACE, "/root", "/tmp", "/var/tmp", "/run", "/dev/shm"):
        fill = f"for f in 1 2; do head -c 300M /dev/zero > {folder}/$f; done; du -bc {folder}/[12] | tail -1; rm {folder}/[12]"
        said = await sh(sandbox_env, fill)
        assert "No space left" in said
        assert int(said.split()[0]) <= 512 << 20


async def test_limits_hold(sandbox_env: SandboxEnvironment) -> None:
    assert (await sh(sandbox_env, "ulimit -n; ulimit -c; ulimit -f")).split() == ["1024", "0", "524288"]
    asked = ["inspect", "--format", "{{json .HostConfig.Memory}} {{.HostConfig.MemorySwap}} {{.HostConfig.PidsLimit}}"]
    stated = await in_thread(lambda: call_docker([*asked, name_of(sandbox_env)], "tell", 60))
    assert stated.split() == [str(2 << 30), str(2 << 30), "256"]
    forks = (
        "import os, time\nn = 0\nwhile True:\n    if os.fork() == 0: time.sleep(60)\n    n += 1; print(n, flush=True)"
    )
    said = await sandbox_env.exec(["python3", "-c", forks])
    assert 200 < int(said.stdout.split()[-1]) < 256
    assert "Resource temporarily unavailable" in said.stderr
    await sandbox_env.exec(["/bin/sh", "-c", "kill -9 -1"])
    eater = await sandbox_env.exec(["python3", "-c", "b = []\nwhile True: b.append(bytearray(64 << 20))"])
    assert eater.returncode == 137
    assert find_engine().enforcement("runc")["memory"].startswith("cgroup")


async def test_files_are_put_in_byte_for_byte_with_their_modes(own_sandbox: SandboxEnvironment) -> None:
    files = [
        ("a.sh", b"#!/bin/sh\r\n\xff\0", 0o755),
        ("d\u00e4/" + "long" * 40 + "/e.txt", b"https://example.org/x", 0o444),
        ("a.sh", b"second", 0o600),
        ("empty", b"", 0o644),
    ]
    container = name_of(own_sandbox)
    await in_thread(lambda: fill_container(container, []))
    await in_thread(lambda: fill_container(container, files))
    assert await sh(own_sandbox, "find . -not -user 1000 -o -type d -not -perm 755") == ""
    found = await in_thread(lambda: ended_container(container, WORKSPACE))
    assert {
        entry.path: (found.content(entry.path), entry.mode) for entry in found.entries if entry.kind is EntryKind.FILE
    } == {path: (content, mode) for path, content, mode in files}
    with pytest.raises(RuntimeError, match="did not write the files"):
        await in_thread(lambda: fill_container("no-such-container", files))


async def test_after_the_end_nothing_runs_and_all_is_read(own_sandbox: SandboxEnvironment) -> None:
    said = await sh(
        own_sandbox,
        "mkdir -p a/b; echo x > a/b/c; chmod 640 a/b/c; ln -s /etc/passwd link; mkfifo fifo; truncate -s 300M sparse; "
        "echo n > $'\\xff'; mkdir shut; echo s > shut/s; chmod 0 shut; "
        "(setsid sh -c 'trap \"\" TERM HUP; while :; do date +%N > now; done' >/dev/null 2>&1 &) ; sleep 0.5",
    )
    assert said == ""
    container = name_of(own_sandbox)
    first = await in_thread(lambda: ended_container(container, WORKSPACE))
    assert first.truncated is None
    assert {entry.path: entry.kind for entry in first.entries if entry.kind is not EntryKind.FILE} == {
        "a": EntryKind.DIRECTORY,
        "a/b": EntryKind.DIRECTORY,
        "fifo": EntryKind.SPECIAL,
        "link": EntryKind.SYMLINK,
        "shut": EntryKind.UNREADABLE,
        "sparse": EntryKind.OVERSIZED,
    }
    assert {entry.path for entry in first.entries if entry.kind is EntryKind.FILE} == {"a/b/c", "now", "\udcff"}
    found = first.get("a/b/c")
    assert found is not None
    assert (found.mode, first.content("a/b/c")) == (0o640, b"x\n")
    state = await in_thread(lambda: call_docker(["inspect", "--format", "{{.State.Running}}", container], "tell", 60))
    assert state == "false\n"
    assert (await in_thread(lambda: ended_container(container, WORKSPACE))).digest == first.digest


async def test_named_outputs_are_read_however_many_other_files_there_are(own_sandbox: SandboxEnvironment) -> None:
    await sh(own_sandbox, "mkdir a z; cd a; seq 3000 | xargs touch; echo x > ../z/out.csv; ln -s z ../link")
    few = SnapshotLimits(max_entries=100)
    named = ("z/out.csv", "missing.csv", "link/out.csv")
    found = await in_thread(lambda: ended_container(name_of(own_sandbox), WORKSPACE, named, few))
    assert found.truncated == "more than 100 entries"
    assert found.content("z/out.csv") == b"x\n"
    assert [path for path in named if found.get(path)] == ["z/out.csv"]


async def test_a_container_of_another_compose_file_is_read_from_itself() -> None:
    require_docker()
    name = f"{uuid4().hex}-other-1"
    try:
        image = docker_tag_for_tests()
        call_docker(["run", "--detach", "--name", name, "--network", "none", image, "sleep", "60"], "run", 60)
        call_docker(["exec", name, "sh", "-c", f"echo x > {WORKSPACE}/out.csv"], "run", 60)
        assert ended_container(name, WORKSPACE, ("out.csv",)).content("out.csv") == b"x\n"
        assert ended_container(name, "/nowhere", ("out.csv",)).entries == ()
        assert ended_container(name, KEPT).truncated is None
    finally:
        call_docker(["rm", "--force", "--volumes", name], "remove a container", 60)
    with pytest.raises(RuntimeError, match="did not end the container"):
        ended_container(name, WORKSPACE)
