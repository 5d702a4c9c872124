"""The sandbox against what agents do by accident or on purpose; every sandbox here is a real one."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import clawgym_data
from clawgym_data.sandbox import (
    Bubblewrap,
    Completed,
    SandboxConfig,
    SandboxGone,
    SandboxLimits,
    SandboxRefused,
    probe_tools,
)
from clawgym_data.sandbox.cgroup import Cgroup, Hierarchy, find_hierarchy, kill_members
from clawgym_data.sandbox.process import descendants
from clawgym_data.sandbox.seccomp import build_filter
from clawgym_data.sandbox.stale import sweep
from clawgym_data.snapshot import SnapshotLimits

REPOSITORY = Path(clawgym_data.__file__).parents[1]
SMALL = SandboxConfig(limits=SandboxLimits(memory_mb=128, processes=40, workspace_mb=8, tmp_mb=8, file_mb=4))


@pytest.fixture
def sandbox() -> Iterator[Bubblewrap]:
    with Bubblewrap.start(SandboxConfig()) as running:
        yield running


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the sandbox's user on the host may reach, as pytest's own is not."""
    with tempfile.TemporaryDirectory(prefix="clawgym-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def small() -> Iterator[Bubblewrap]:
    with Bubblewrap.start(SMALL) as running:
        yield running


def shell(sandbox: Bubblewrap, script: str, timeout_sec: float = 30) -> Completed:
    return sandbox.call(["/bin/sh", "-c", script], timeout_sec=timeout_sec)


def python(sandbox: Bubblewrap, program: str) -> Completed:
    return sandbox.call(["python3", "-I", "-c", textwrap.dedent(program)], timeout_sec=30)


def running_sleeps(seconds: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if command.endswith(f"sleep\0{seconds}\0".encode()):
            found.append(folder.name)
    return found


# --- calls ---------------------------------------------------------------------------------------------------------


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


# --- files ---------------------------------------------------------------------------------------------------------


def test_put_is_byte_exact_and_belongs_to_the_user(sandbox: Bubblewrap) -> None:
    files = [
        ("a/b/c.bin", bytes(range(256)), 0o640),
        ("run me.sh", b"#!/bin/sh\necho ran\n", 0o755),
        ("é\n", b"", 0o644),
    ]
    sandbox.put(files)
    snapshot = sandbox.snapshot()

    assert {path: snapshot.content(path) for path, _, _ in files} == {path: content for path, content, _ in files}
    assert [entry.mode for entry in snapshot.entries if entry.sha256] == [0o640, 0o755, 0o644]
    assert sandbox.call(["./run me.sh"]).stdout == b"ran\n"
    assert shell(sandbox, "echo more >> a/b/c.bin; stat -c %U:%G:%a a a/b/c.bin").stdout == (
        b"claw:claw:755\nclaw:claw:640\n"
    )


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x", "", "a//b"])
def test_put_stays_in_the_workspace(sandbox: Bubblewrap, path: str) -> None:
    with pytest.raises(ValueError, match="relative"):
        sandbox.put([(path, b"", 0o644)])


def test_put_follows_no_link_and_replaces_what_is_there(sandbox: Bubblewrap, tmp_path: Path) -> None:
    shell(sandbox, f"ln -s {tmp_path} out; ln -s {tmp_path}/host file; mkfifo fifo")
    sandbox.put([("file", b"1", 0o644), ("fifo", b"2", 0o644)])

    with pytest.raises(NotADirectoryError):
        sandbox.put([("out/x", b"", 0o644)])
    assert list(tmp_path.iterdir()) == []
    assert sandbox.snapshot().content("fifo") == b"2"


def test_the_snapshot_survives_whatever_the_agent_left(sandbox: Bubblewrap) -> None:
    shell(
        sandbox,
        """
        echo 42 > answer; ln -s /etc/shadow link; ln -s / root; mkfifo fifo; mkdir a.csv; touch none; chmod 0 none
        truncate -s 400M sparse; mkdir closed; echo x > closed/in; chmod 0 closed; touch "$(printf 'new\\nline')"
        i=0; mkdir many; cd many; seq 3000 | xargs touch
        """,
    )
    snapshot = sandbox.snapshot(SnapshotLimits(max_entries=500), first=("answer", "sparse", "none"))
    found = {entry.path: entry.kind.value for entry in snapshot.entries if "many/" not in entry.path}

    assert found == {
        "a.csv": "directory",
        "answer": "file",
        "closed": "unreadable",
        "fifo": "special",
        "link": "symlink",
        "many": "directory",
        "none": "unreadable",
        "sparse": "oversized",
    }
    assert snapshot.content("answer") == b"42\n"
    assert snapshot.truncated == "more than 500 entries"
    assert sandbox.snapshot().get("new\nline") is not None


def test_the_snapshot_is_of_the_workspace_even_where_it_was_moved(sandbox: Bubblewrap) -> None:
    shell(sandbox, "echo 1 > a; cd /root; mv .openclaw old; ln -s /etc .openclaw")

    assert [entry.path for entry in sandbox.snapshot().entries] == ["a"]


# --- the end -------------------------------------------------------------------------------------------------------


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
    done = shell(sandbox, "cat /proc/1/environ; cat /proc/1/mem; cat /run/sandbox/sleep; ls /proc/1/root/; true")
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


HARNESS = """
import json, sys, time
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
    deadline = time.monotonic() + 10
    while running_sleeps("4715") or is_running(pid):
        assert time.monotonic() < deadline, "the sandbox outlived its harness"
        time.sleep(0.02)


def test_a_killed_harness_takes_its_sandbox_along_and_the_sweep_the_rest() -> None:
    process, pid, folders = start_harness("time.sleep(60)")
    assert len(running_sleeps("4715")) >= 2
    process.kill()
    process.communicate()
    wait_until_gone(pid)
    sweep(find_hierarchy())

    assert not any(folder.exists() for folder in folders)


def test_a_harness_that_ends_without_close_leaves_nothing() -> None:
    process, pid, folders = start_harness("sys.exit()")
    process.communicate()
    wait_until_gone(pid)

    assert not any(folder.exists() for folder in folders)


def test_the_sweep_spares_the_living(sandbox: Bubblewrap) -> None:
    sweep(find_hierarchy())

    assert shell(sandbox, "echo usable").stdout == b"usable\n"
    assert all(folder.exists() for folder in sandbox._cgroup.folders.values())


# --- what it keeps in ----------------------------------------------------------------------------------------------


def test_nothing_of_ours_is_visible(sandbox: Bubblewrap) -> None:
    done = shell(
        sandbox,
        "find / -xdev -iname '*clawgym*' 2>/dev/null; find / -xdev -name solve.py 2>/dev/null; cat /proc/mounts",
    )
    listing = shell(sandbox, "ls -A /usr/local /root /tmp /run /home /opt /work /var/tmp 2>/dev/null").stdout

    assert b"clawgym" not in done.stdout
    assert b"solve.py" not in done.stdout
    assert str(REPOSITORY).encode() not in done.stdout
    local = [] if Path("/usr/bin/python").exists() else [b"bin"]  # it holds the name `python` alone
    found = [b"/root:", b".openclaw", b"/run:", b"sandbox", b"/tmp:", b"/usr/local:", *local, b"/var/tmp:"]
    assert listing.split() == found
    assert python(sandbox, "import clawgym_data").returncode == 1


def test_there_is_no_network(sandbox: Bubblewrap) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0clawgym-test")
        abstract.listen()
        done = python(
            sandbox,
            f"""
            import errno, socket
            def attempt(family, address):
                try: return socket.socket(family).connect_ex(address)
                except OSError as error: return error.errno
            print([errno.errorcode[attempt(family, address)] for family, address in (
                (socket.AF_INET, ("127.0.0.1", {server.getsockname()[1]})),
                (socket.AF_INET, ("1.1.1.1", 443)),
                (socket.AF_INET6, ("2606:4700:4700::1111", 443)),
                (socket.AF_UNIX, "\\0clawgym-test"),
            )])
            own = socket.create_server(("127.0.0.1", 0))
            print(socket.socket().connect_ex(own.getsockname()), socket.gethostname(), sorted(n for _, n in socket.if_nameindex()))
            """,
        )

    assert done.stdout.decode().splitlines() == [
        "['ECONNREFUSED', 'ENETUNREACH', 'ENETUNREACH', 'ECONNREFUSED']",
        "0 claw ['lo']",
    ]


def test_privileges_are_gone_and_refused(sandbox: Bubblewrap) -> None:
    status = shell(
        sandbox, "id -u; grep -E '^(CapEff|CapPrm|CapInh|CapAmb|NoNewPrivs|Seccomp|Groups):' /proc/self/status"
    )

    assert status.stdout.decode().split() == [
        "1000",
        *("Groups:",),
        *(word for name in ("CapInh:", "CapPrm:", "CapEff:", "CapAmb:") for word in (name, "0" * 16)),
        *("NoNewPrivs:", "1", "Seccomp:", "2"),
    ]
    for command in (
        "mount -t tmpfs none /tmp",
        "umount /tmp",
        "unshare --user true",
        "unshare --net true",
        "unshare --mount true",
        "nsenter -t 1 -m true",
        "touch /usr/x",
        "touch /x",
        "touch /dev/x",
        "touch /etc/x",
        "mknod /tmp/d c 1 3",
        "chroot / true",
        "hostname other",
        "echo 1 > /proc/sys/kernel/sysrq",
        "echo -1000 > /proc/self/oom_score_adj",
    ):
        assert shell(sandbox, command).returncode != 0, command


def test_filtered_system_calls_are_refused(sandbox: Bubblewrap) -> None:
    done = python(
        sandbox,
        """
        import ctypes, errno, platform
        libc = ctypes.CDLL(None, use_errno=True)
        calls = {
            "x86_64": {"mount": 165, "bpf": 321, "keyctl": 250, "perf": 298, "userfaultfd": 323, "io_uring": 425,
                       "fsopen": 430, "pivot_root": 155, "clone3": 435, "unshare": 272, "x32": 0x40000000 + 39},
            "aarch64": {"mount": 40, "bpf": 280, "keyctl": 219, "perf": 241, "userfaultfd": 282, "io_uring": 425,
                        "fsopen": 430, "pivot_root": 41, "clone3": 435, "unshare": 97},
        }[platform.machine()]
        for name, number in calls.items():
            ctypes.set_errno(0)
            result = libc.syscall(number, 0x10000000 if name == "unshare" else 0, 0, 0, 0, 0)
            print(name, result, errno.errorcode.get(ctypes.get_errno()))
        """,
    )
    refused = dict(line.split(" ", 1) for line in done.stdout.decode().splitlines())

    assert sandbox.enforcement()["syscalls"] == "seccomp"
    assert len(refused) >= 10
    for name, answer in refused.items():
        assert answer == ("-1 ENOSYS" if name in ("clone3", "x32") else "-1 EPERM")


def test_threads_and_ordinary_programs_work_under_the_filter(sandbox: Bubblewrap) -> None:
    done = python(
        sandbox,
        """
        import multiprocessing, sqlite3, subprocess, tempfile, threading
        threads = [threading.Thread(target=print, args=("t",)) for _ in range(3)]
        [t.start() for t in threads]; [t.join() for t in threads]
        with multiprocessing.get_context("fork").Pool(2) as pool: print(sum(pool.map(abs, range(10))))
        print(subprocess.run(["bash", "-c", "echo $((6*7)) | tee /dev/stderr"], capture_output=True, text=True).stdout.strip())
        with tempfile.NamedTemporaryFile() as f: print(sqlite3.connect(f.name).execute("select 1").fetchone()[0])
        """,
    )

    assert done.stdout.decode().split() == ["t", "t", "t", "45", "42", "1"], done.stderr


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_jumps_stay_inside(machine: str) -> None:
    program = build_filter(machine)
    words = [program[at : at + 8] for at in range(0, len(program), 8)]

    assert len(words) * 8 == len(program)
    for index, word in enumerate(words):
        if word[0] in (0x15, 0x35, 0x45):
            assert max(word[2], word[3]) + index + 1 < len(words)
    assert words[-1][0] == words[-2][0] == 0x06


# --- limits --------------------------------------------------------------------------------------------------------


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


# --- other configurations ------------------------------------------------------------------------------------------


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
    command = [sys.executable, "-c", ORDINARY]
    environment = dict(os.environ)
    if os.geteuid() == 0:
        packages = open_folder
        site = Path(sysconfig.get_path("purelib"))
        shutil.copytree(Path(clawgym_data.__file__).parent, packages / "clawgym_data")
        for name in ("pydantic", "pydantic_core", "annotated_types", "typing_inspection"):
            shutil.copytree(site / name, packages / name)
        shutil.copy(site / "typing_extensions.py", packages)
        interpreter = f"/usr/bin/python3.{sys.version_info.minor}"
        command = ["setpriv", "--reuid", "1234", "--regid", "1234", "--clear-groups", interpreter, "-c", ORDINARY]
        environment = {"PYTHONPATH": str(packages), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, env=environment, cwd="/", capture_output=True, text=True, timeout=60, check=False
        )
    finally:
        if os.geteuid() == 0:
            shutil.rmtree(packages)

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
