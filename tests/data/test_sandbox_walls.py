"""What a sandbox keeps in, against what agents do by accident or on purpose."""

import socket
from pathlib import Path

import pytest

from clawgym_data.sandbox import Bubblewrap
from clawgym_data.sandbox.seccomp import build_filter
from tests.conftest import REPOSITORY
from tests.data.sandboxes import python, shell


@pytest.mark.fault("graders-readable")
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


@pytest.mark.fault("open-control-endpoint")
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
