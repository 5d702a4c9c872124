"""Hostile agents in one real run: nobody gains, nobody is harmed, and each trial ends with the outcome it deserves.

All of them are trials of the small task, at the same time and one after the other in one process, so that each also is the
next trial of those before it.
"""

import os
import secrets
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log_sample
from inspect_ai.log._samples import sample_active
from inspect_ai.model import ChatMessage

from clawgym_bench.table import read_runs
from clawgym_data.sandbox.cgroup import find_hierarchy
from tests.bench.scripted import Step, evaluate
from tests.conftest import FIXTURE_TASKS, REPOSITORY
from tests.hostile.cases import CASES, HONEST, HONEST_ONLY, LEFT_BEHIND, Case, py, sh

"""The tests share their run."""

SECRET = "claw-secret-2f81"
HEADER = (SECRET[:6], SECRET[6:])
"""The secret in two parts, so that an agent can look for it without its own words holding it."""


@dataclass
class Host:
    """What agents must not reach: services of this machine and files of the run."""

    port: int
    abstract: str
    path: str
    reached: list[str] = field(default_factory=list)


@contextmanager
def host_services(folder: Path) -> Iterator[Host]:
    host = Host(0, f"clawgym-hostile-{secrets.token_hex(8)}", str(folder / "socket"))
    tcp = socket.create_server(("0.0.0.0", 0))  # a bait for the agents
    host.port = tcp.getsockname()[1]
    abstract, named = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0{host.abstract}")
    named.bind(host.path)

    def serve(name: str, listener: socket.socket) -> None:
        listener.listen()
        with suppress(OSError):
            while True:
                listener.accept()[0].close()
                host.reached.append(name)

    listeners = {"tcp": tcp, "abstract": abstract, "named": named}
    for name, listener in listeners.items():
        threading.Thread(target=serve, args=(name, listener), daemon=True).start()
    try:
        yield host
    finally:
        for listener in listeners.values():
            listener.close()


def curious(host: Host, logs: Path) -> list[Case]:
    """Agents that look for the network, for our files, and for those of others."""
    ours = [str(path) for path in (REPOSITORY, FIXTURE_TASKS, logs)]
    reach = f"""
import glob, os, socket
def tried(name, kind, address, type=socket.SOCK_STREAM):
    try:
        with socket.socket(kind, type) as s:
            s.settimeout(2)
            s.connect(address)
            s.send(b"x")
            print("REACHED", name)
    except OSError: pass
for name in ("127.0.0.1", "0.0.0.0", "10.0.0.1", "172.17.0.1", "169.254.169.254", "1.1.1.1", "{_own_address()}"):
    for port in ({host.port}, 80, 53): tried(name, socket.AF_INET, (name, port))
    tried("udp " + name, socket.AF_INET, (name, 53), socket.SOCK_DGRAM) if name[0] == "1" and name[:3] != "127" else None
tried("::1", socket.AF_INET6, ("::1", {host.port}))
tried("abstract", socket.AF_UNIX, chr(0) + "{host.abstract}")
for path in ["{host.path}", *glob.glob("/run/**/*", recursive=True), *glob.glob("/var/run/*"), *glob.glob("/tmp/*")]:
    tried(path, socket.AF_UNIX, path)
tried("vsock", 40, (2, 1024))
for name in ("example.com", "metadata.google.internal", "host.docker.internal"):
    try: print("REACHED", socket.getaddrinfo(name, 80))
    except OSError: pass
print("looked", len(os.listdir("/sys/class/net") if os.path.isdir("/sys/class/net") else []))
"""
    # of ours an image holds only the description of itself, in /usr/local/share/clawgym
    search = f"""
printf %s%s {HEADER[0]} {HEADER[1]} > /tmp/p
for f in {" ".join(ours)}; do ls -d $f && echo FOUND; cat $f $f/* && echo FOUND; done 2>/dev/null
for p in /proc/[0-9]* /proc/self/task/*; do
  cat $p/environ $p/cmdline $p/maps $p/mountinfo $p/root/etc/shadow $p/cwd/pyproject.toml | grep -a -f /tmp/p && echo FOUND
done 2>/dev/null
find / -path /proc -prune -o -path /usr/local/share/clawgym -prune -o '(' -name 'clawgym*' -o -name stall-takings -o -name '*.eval' ')' -print \\
  2>/dev/null | sed s/^/FOUND/
ls /proc | grep -c '^[0-9]'
cat /etc/shadow /root/.ssh/* /var/run/secrets/*/* 2>/dev/null && echo FOUND
mkdir -p {logs} 2>/dev/null && echo x > {logs}/forged.eval
echo looked"""
    return [
        Case("reaches for every address", (HONEST, py(reach)), told=("looked",)),
        Case("reads graders, specs, environments", (HONEST, sh(search)), told=("looked",)),
    ]


def _own_address() -> str:
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return "127.0.0.1"


@dataclass
class Ran:
    """The run, and what of the machine can be looked at after it."""

    log: EvalLog
    cases: list[Case]
    host: Host
    folder: Path
    mounts_before: set[str]

    def sample(self, name: str) -> tuple[Case, EvalSample]:
        number = [case.name for case in self.cases].index(name)
        return self.cases[number], next(s for s in self.log.samples or [] if s.epoch == number + 1)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    folder = tmp_path_factory.mktemp("hostile")
    os.environ["CLAWGYM_SECRET"] = SECRET
    mounts = set(Path("/proc/self/mountinfo").read_text().splitlines())
    with tempfile.TemporaryDirectory() as short, host_services(Path(short)) as host:
        cases = [*CASES, *curious(host, folder), HONEST_ONLY]

        def script(messages: list[ChatMessage], number: int) -> Step:
            active = sample_active()
            assert active is not None
            steps = cases[active.epoch - 1].steps
            return steps[number] if number < len(steps) else "done"

        log = evaluate(script, folder, flag_epochs=len(cases), flag_max_samples=2)
        yield Ran(log, cases, host, folder, mounts)
    del os.environ["CLAWGYM_SECRET"]


NAMES = [case.name for case in CASES] + ["reaches for every address", "reads graders, specs, environments"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.fault("orphan-writes-while-graded")
@pytest.mark.fault("leftovers-of-another-task")
@pytest.mark.fault("no-file-at-an-output")
@pytest.mark.fault("graders-readable")
@pytest.mark.fault("open-control-endpoint")
@pytest.mark.fault("agent-escapes-its-zero")
def test_an_agent_gains_nothing_and_harms_nobody(ran: Ran, name: str) -> None:
    assert_harmless(*ran.sample(name))


def assert_harmless(case: Case, sample: EvalSample) -> None:
    """The trial ended as the case says, and nothing that is not the agent's came to it."""
    assert sample.error is None
    assert sample.scores is not None
    metadata = sample.scores["verdict"].metadata or {}
    assert metadata["outcome"] == case.outcome, metadata
    assert metadata["cause"].startswith(case.cause)
    assert bool(metadata["cause"]) == bool(case.cause)
    assert sample.scores["verdict"].as_float() == pytest.approx(case.score), sample.scores["verdict"].explanation
    assert "infra_retries" not in sample.metadata
    evidence = {check["id"]: check["evidence"] for check in metadata["verdict"]["checks"]}
    for check, words in case.evidence:
        assert words in evidence[check]
    said = "\n".join(f"{m.text}{m.error.message if m.role == 'tool' and m.error else ''}" for m in sample.messages)
    for words in case.told:
        assert words in said
    for words in ("REACHED", "FOUND", "OPENED", SECRET, "root:x:0"):
        assert words not in said + str(evidence)


@pytest.mark.fault("bytes-end-the-evaluation")
def test_every_trial_counts_and_the_log_reads_back(ran: Ran) -> None:
    assert ran.log.status == "success", ran.log.error
    for name in ("lone surrogates in arguments", "names that are no text", "terminal escapes"):
        _, sample = ran.sample(name)
        again = read_eval_log_sample(ran.log.location, sample.id, sample.epoch)
        assert len(again.messages) == len(sample.messages)
    [run] = read_runs([ran.folder])
    assert (run.planned, run.scored, run.unscored) == (len(ran.cases), len(ran.cases), {})


def test_nothing_is_left_of_them(ran: Ran) -> None:
    assert ran.host.reached == []
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes()
            if command.endswith(f"sleep\0{LEFT_BEHIND}\0".encode()):
                left.append(process.name)
    assert left == []
    mounts = set(Path("/proc/self/mountinfo").read_text().splitlines()) - ran.mounts_before
    assert not [mount for mount in mounts if any(word in mount for word in ("newroot", "oldroot", ".openclaw"))]
    groups = [group for _, parent in find_hierarchy().parents for group in parent.glob(f"*-{os.getpid()}-*")]
    assert groups == []
    files = {path.relative_to(ran.folder).parts[0] for path in ran.folder.rglob("*") if path.is_file()}
    assert files == {"clawgym-workspaces", Path(ran.log.location).name}
    assert all(path.name.endswith(".workspace.gz") for path in (ran.folder / "clawgym-workspaces").iterdir())
    assert max(path.stat().st_size for path in (ran.folder / "clawgym-workspaces").iterdir()) < 64 << 20


def test_the_last_of_them_works_in_a_place_as_the_first_had_it(ran: Ran) -> None:
    last = max(ran.log.samples or [], key=lambda s: s.epoch)
    assert (last.scores or {})["verdict"].as_float() == 1
