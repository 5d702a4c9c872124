import subprocess
import sys
import time
from pathlib import Path

import pytest

from clawgym_data.sandbox import facts as facts_module
from clawgym_data.sandbox.causes import Cause, Facts, classify, describe_limits
from clawgym_data.sandbox.probe import diagnose
from tests.data.sandboxes import ordinary_user, running

UID_MAP = "bwrap: setting up uid map: Permission denied\n"
LOOPBACK = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n"
NO_PERMISSION = "bwrap: No permissions to create new namespace, likely because the kernel does not allow it.\n"
CREATING = "bwrap: Creating new namespace failed: Operation not permitted\n"
CLOSED = "bwrap: Can't find source path /root/x: Permission denied\n"
MASKED = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted\n"
CLOSED_PROGRAM = "setpriv: failed to execute /root/bin/bwrap: Permission denied\n"
NO_FORK = "bwrap: Creating new namespace failed: Resource temporarily unavailable\n"
NO_RAISE = "prlimit: failed to set the NOFILE resource limit: Operation not permitted\n"

CAUSES = [
    (Facts(platform="darwin", bwrap_path=None), Cause.NOT_LINUX, "--sandbox docker"),
    (Facts(platform="win32", bwrap_path=None), Cause.NOT_LINUX, "--sandbox docker"),
    (Facts(bwrap_path=None, distribution=("debian",)), Cause.NOT_INSTALLED, "apt-get install bubblewrap"),
    (Facts(bwrap_path=None, distribution=("rocky", "rhel", "fedora")), Cause.NOT_INSTALLED, "dnf install bubblewrap"),
    (Facts(bwrap_path=None, distribution=("other",)), Cause.NOT_INSTALLED, "package `bubblewrap`"),
    (Facts(bwrap_version=(0, 6, 1)), Cause.TOO_OLD, "newer bubblewrap"),
    (Facts(missing_tools=("nsenter",), distribution=("alpine",)), Cause.TOOL_MISSING, "apk add util-linux"),
    (Facts(apparmor_restricts_userns="1", error=UID_MAP), Cause.APPARMOR, "profile bwrap /usr/bin/bwrap"),
    (Facts(apparmor_restricts_userns="1", error=LOOPBACK), Cause.APPARMOR, "apparmor_parser -r"),
    (Facts(unprivileged_userns_clone="0", error=NO_PERMISSION), Cause.USER_NAMESPACES_OFF, "userns_clone=1"),
    (Facts(max_user_namespaces="0", error=NO_PERMISSION), Cause.USER_NAMESPACES_OFF, "max_user_namespaces=15000"),
    (Facts(error=NO_PERMISSION), Cause.USER_NAMESPACES_OFF, "sysctl"),
    (Facts(in_container=True, error=CREATING), Cause.CONTAINER_SECCOMP, "seccomp=unconfined"),
    (Facts(in_container=True, error=NO_PERMISSION), Cause.CONTAINER_SECCOMP, "seccomp=unconfined"),
    (Facts(in_container=True, apparmor_restricts_userns="1", error=UID_MAP), Cause.CONTAINER_SECCOMP, "docker run"),
    (Facts(in_container=True, error=MASKED), Cause.CONTAINER_MASKED_PROC, "systempaths=unconfined"),
    (Facts(error="bwrap: Can't find source path /opt/x: No such file or directory"), Cause.FOLDER, ""),
    (Facts(in_container=True, error=CLOSED), Cause.FOLDER, "everyone may read"),
    (Facts(in_container=True, error=CLOSED_PROGRAM), Cause.FOLDER, "everyone may read"),
    (Facts(bwrap_fault="did not tell its version within 10 s", bwrap_version=()), Cause.NO_ANSWER, "first in PATH"),
    (Facts(bwrap_fault="cannot be run: Too many open files"), Cause.HOST_LIMIT, "ulimit -Hn"),
    (Facts(error="[Errno 24] Too many open files"), Cause.HOST_LIMIT, "--ulimit nofile"),
    (Facts(in_container=True, error=NO_FORK), Cause.HOST_LIMIT, "--pids-limit"),
    (Facts(apparmor_restricts_userns="1", error=NO_RAISE), Cause.HOST_LIMIT, "limits.conf"),
    (Facts(error="bwrap: something new"), Cause.UNKNOWN, ""),
]


@pytest.mark.parametrize(("facts", "cause", "fix"), CAUSES)
def test_each_cause_is_told_apart_with_its_fix(facts: Facts, cause: Cause, fix: str) -> None:
    finding = classify(facts)

    assert finding.cause is cause
    assert fix in finding.fix
    assert finding.message


def test_every_cause_has_a_case() -> None:
    assert {cause for _, cause, _ in CAUSES} == set(Cause)


def test_an_unknown_message_is_shown() -> None:
    assert "something new" in classify(Facts(error="bwrap: something new")).message


def test_limits_without_an_enforcer_get_a_hint() -> None:
    assert describe_limits({"memory": "cgroup-v2", "processes": "cgroup-v2", "syscalls": "seccomp"}) == ()
    assert "Delegate=yes" in describe_limits({"memory": "rlimit", "processes": "rlimit"})[0]
    assert "seccomp" in describe_limits({"memory": "cgroup-v1", "processes": "cgroup-v1", "syscalls": "none"})[0]


def test_the_sandbox_works_on_the_machine_that_runs_the_tests() -> None:
    diagnosis = diagnose()

    assert sys.platform == "linux"
    assert diagnosis.works, diagnosis.finding
    assert diagnosis.cause is None
    assert diagnosis.enforcement["network"] == "namespace"
    assert diagnosis.enforcement["workspace"] == "tmpfs"


@pytest.mark.parametrize(
    ("script", "cause", "message"),
    [
        ("exec sleep 4731", Cause.NO_ANSWER, "did not tell its version within 1 s"),
        ("{version} sleep 4731", Cause.NO_ANSWER, "did not start a sandbox within 1 s"),
        ("{version} echo ready; sleep 4731", Cause.UNKNOWN, "did not start"),
        ("{version} echo what is this >&2", Cause.UNKNOWN, "what is this"),
        (None, Cause.NO_ANSWER, "cannot be run: Exec format error"),
    ],
)
def test_a_bubblewrap_that_hangs_or_is_none_is_told(
    bwrap: Path, script: str | None, cause: Cause, message: str
) -> None:
    version = 'case "$1" in --version) echo bubblewrap 0.9.0; exit;; esac;'
    bwrap.write_text("" if script is None else f"#!/bin/sh\n{script.format(version=version)}\n")
    bwrap.chmod(0o755)
    diagnosis = diagnose()

    assert (diagnosis.works, diagnosis.cause) == (False, cause)
    assert diagnosis.finding is not None
    assert message in diagnosis.finding.message
    deadline = time.monotonic() + 10
    while running(b"sleep\x004731\0"):
        assert time.monotonic() < deadline, "what hung was left"
        time.sleep(0.02)


def test_a_setting_that_nobody_may_read_is_taken_for_none() -> None:
    files = ("vm/compact_memory", "kernel")  # one that cannot be read, and a folder
    assert [facts_module._setting(name) for name in files] == [None, None]


LIMITED = "from clawgym_data.sandbox import diagnose; d = diagnose(); print(d.cause, d.finding and d.finding.message)"


def test_low_limits_of_the_user_are_told_from_a_forbidden_sandbox(open_folder: Path) -> None:
    user, environment = ordinary_user(open_folder)
    said = {}
    for limit in ("nofile=8", "nofile=16", "nofile=500", "nproc=3", "nproc=5"):
        command = ["prlimit", f"--{limit}:{limit.partition('=')[2]}", *user, "-c", LIMITED]
        done = subprocess.run(
            command, env=environment, cwd="/", capture_output=True, text=True, timeout=60, check=False
        )
        said[limit] = done.stdout or done.stderr
    # an ordinary user of the machine may run other processes, which count too
    assert {limit: text.split()[0] for limit, text in said.items()} == dict.fromkeys(said, "host_limit"), said
    assert "open enough files" in said["nofile=8"]
    assert "hard limit NOFILE" in said["nofile=500"]
    assert "start enough processes" in said["nproc=3"]
