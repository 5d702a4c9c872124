"""What an engine is said to enforce, from what engines tell of themselves."""

import json
import os
from pathlib import Path

import pytest

from clawgym_data.sandbox.docker import DockerError, call_docker, docker_output, find_engine, sweep_containers

TOLD = {
    "ServerVersion": "26.1.5",
    "Driver": "overlay2",
    "CgroupVersion": "2",
    "MemoryLimit": True,
    "PidsLimit": True,
    "SecurityOptions": ["name=seccomp,profile=builtin", "name=cgroupns"],
    "Runtimes": {"runc": {}, "runsc": {}},
    "DefaultRuntime": "runc",
}


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the command `docker` prints on this machine, for tests of what is made of it."""
    script = tmp_path / "docker"
    script.write_text(f"#!/bin/sh\ncat {tmp_path}/told; cat {tmp_path}/error >&2; exit $(cat {tmp_path}/status)\n")
    script.chmod(0o755)
    (tmp_path / "told").write_text(json.dumps(TOLD))
    (tmp_path / "error").touch()
    (tmp_path / "status").write_text("0")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


def test_each_limit_has_its_enforcer(told: Path) -> None:
    held = find_engine().enforcement("runc")

    assert (held["memory"], held["processes"], held["workspace"]) == ("cgroup-v2", "cgroup-v2", "tmpfs")
    assert (held["syscalls"], find_engine().enforcement("runsc")["syscalls"]) == ("seccomp", "gvisor")
    assert "none" not in held.values()


def test_what_the_engine_cannot_hold_is_held_by_none(told: Path) -> None:
    weak = TOLD | {"MemoryLimit": False, "PidsLimit": False, "SecurityOptions": None, "CgroupVersion": ""}
    (told / "told").write_text(json.dumps(weak))
    held = find_engine().enforcement("runc")

    assert {name for name, enforcer in held.items() if enforcer == "none"} == {
        *("memory", "processes"),
        *("syscalls", "nested_namespaces"),
    }
    assert find_engine().cgroups == "cgroup-v1"


def test_an_engine_that_does_not_answer_says_why(told: Path) -> None:
    (told / "told").write_text(json.dumps({"ServerErrors": ["Cannot connect to the Docker daemon"]}))

    with pytest.raises(DockerError, match="did not answer: Cannot connect"):
        find_engine()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("{}", r"no valid ServerVersion, Driver, .*, DefaultRuntime in '\{\}'; is it a stand-in"),
        (json.dumps(TOLD | {"Runtimes": None}), "no valid Runtimes in .*26.1.5"),
        ('["host"]', "no valid JSON object in "),
        ("Emulate Docker CLI using podman.", "no valid JSON object in 'Emulate Docker"),
    ],
)
def test_what_stands_in_for_docker_is_named(told: Path, words: str, message: str) -> None:
    (told / "told").write_text(words)

    with pytest.raises(DockerError, match=f"did not answer as its engine does: {message}"):
        find_engine()


def test_a_failure_holds_what_docker_said(told: Path) -> None:
    (told / "error").write_text("Error: No such container: x\n")
    (told / "status").write_text("1")
    with pytest.raises(DockerError, match="did not copy: Error: No such container: x") as failure:
        call_docker(["cp"], "copy", 10)
    assert failure.value.is_about("no such container")
    with pytest.raises(DockerError, match="No such container"), docker_output(["cp"], "copy", 10) as output:
        assert json.loads(output.read()) == TOLD
    assert sweep_containers() == []


def test_output_that_is_left_unread_or_late_is_not_waited_for(told: Path) -> None:
    (told / "docker").write_text("#!/bin/sh\nexec cat /dev/zero\n")
    with docker_output(["cp"], "copy", 60) as output:
        assert output.read(10) == b"\0" * 10
    (told / "docker").write_text("#!/bin/sh\nexec sleep 600\n")
    with docker_output(["cp"], "copy", 0.5) as output:
        assert output.read() == b""
    with pytest.raises(DockerError, match=r"not within 0\.5 s"):
        call_docker(["cp"], "copy", 0.5)
