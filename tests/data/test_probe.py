import sys

import pytest

from clawgym_data.sandbox.causes import Cause, Facts, classify, describe_limits
from clawgym_data.sandbox.probe import diagnose

UID_MAP = "bwrap: setting up uid map: Permission denied\n"
LOOPBACK = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n"
NO_PERMISSION = "bwrap: No permissions to create new namespace, likely because the kernel does not allow it.\n"
CREATING = "bwrap: Creating new namespace failed: Operation not permitted\n"
CLOSED = "bwrap: Can't find source path /root/x: Permission denied\n"
MASKED = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted\n"

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
