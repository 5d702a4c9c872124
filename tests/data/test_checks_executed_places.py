"""What one execution of a subject leaves for the next: nothing, whatever it tries, and its own output is kept."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from clawgym_data.checks.command import Command
from clawgym_data.checks.executed import Executed
from clawgym_data.checks.kills import KillsMutants
from clawgym_data.checks.property import Property
from clawgym_data.checks.view import CaseRun, View
from clawgym_data.grading.subject import NOT_RUN, Subjects, ask
from clawgym_data.grading.world import snapshot_of
from clawgym_data.snapshot import Entry, EntryKind, Snapshot

PLAIN: dict[str, Any] = {"role": "outcome", "weight": 1, "rests_on": "computed", "requirements": ("r",)}
COMMON: dict[str, Any] = {**PLAIN, "expected": "x"}
SCRIPT = Command(id="script", kind="command", run=("python3", "p.py"), **COMMON)
TESTS = KillsMutants(id="tests", kind="kills_mutants", run=("python3", "t.py"), **COMMON)
CASES = [{"stdout": "a"}] * 3
PROGRAMS = {
    "right": [{"prog.py": "x = 1\n"}, {"prog.py": "x = 2 - 1\n"}],
    "wrong": [{"prog.py": f"x = {number}\n"} for number in (2, 3, 4)],
}


def run(
    files: Mapping[str, str], *asked: tuple[Executed, Any], folders: Sequence[str] = ()
) -> dict[str, list[CaseRun]]:
    plain = snapshot_of({path: (text.encode(), 0o644) for path, text in files.items()})
    added = [Entry(path, EntryKind.DIRECTORY, 0o755, 0, None, None) for path in folders]
    whole = Snapshot(tuple(sorted([*plain.entries, *added], key=lambda entry: entry.path)), plain.blobs, None)
    found = Subjects().run([ask(check, cases, whole, {}) for check, cases in asked])
    return {name: list(runs) for name, runs in found.items()}


MARKS = """import ctypes, os, resource
found = []
libc = ctypes.CDLL(None, use_errno=True)
for place in (".", "sub", "data.txt", "/tmp", "/dev/shm", "..", os.path.expanduser("~")):
    facts = os.stat(place)
    found += [place, facts.st_mode, facts.st_mtime_ns == 1, facts.st_atime_ns == 1, os.listxattr(place)]
for place in (".", "sub", "data.txt", "/tmp", "/dev/shm", "..", os.path.expanduser("~")):
    try:
        os.setxattr(place, "user.kept", b"1")
    except OSError as error:
        found.append(error.errno)
    os.chmod(place, 0o770)
    os.utime(place, ns=(1, 1))
queue = ctypes.CDLL("librt.so.1", use_errno=True).mq_open(b"/kept", os.O_RDWR | os.O_CREAT, 0o600, None)
found += [queue, libc.shmget(7, 4096, 0o1600), libc.msgget(7, 0o1600), libc.semget(7, 1, 0o1600)]
found.append(resource.getrlimit(resource.RLIMIT_CORE))
try:
    resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0))
except OSError as error:
    found.append(error.errno)
print(found)
"""


def test_no_mark_on_a_folder_in_the_kernel_or_on_the_driver_reaches_the_next_case() -> None:
    outputs = [
        done.output.decode() for done in run({"p.py": MARKS, "sub/y": "", "data.txt": "x"}, (SCRIPT, CASES))["script"]
    ]
    assert len(set(outputs)) == 1
    assert outputs[0].count(" True") == 0
    assert ", -1, -1, -1, -1, " in outputs[0]


def test_tests_run_where_nothing_ever_ran() -> None:
    """The number of a process counts what ran before; no restoring could hide that."""
    tests = "import os; print(os.getpid(), os.path.exists('/tmp/kept')); open('/tmp/kept', 'w')"
    script = "import os; print(os.path.exists('/tmp/kept'))"
    found = run({"t.py": tests, "p.py": script, "prog.py": ""}, (TESTS, PROGRAMS), (SCRIPT, CASES))
    assert len({done.output for done in found["tests"]}) == 1
    assert len(found["tests"]) == 9
    assert {done.output for done in found["script"]} == {b"False\n"}


@pytest.mark.parametrize(
    "left",
    [
        "import shutil; shutil.rmtree('d'); open('d', 'w').write('x')",
        "import shutil; shutil.rmtree('d'); os.symlink('/tmp', 'd')",
        "os.makedirs('q/r'); open('q/r/s', 'w'); os.chmod('q/r', 0); os.chmod('q', 0)",
        "for _ in range(1500): os.mkdir('d' * 10); os.chdir('d' * 10)",
        "os.chmod('d', 0); os.chmod('.', 0)",
        "os.rename('../../.openclaw', '../../moved')",
    ],
)
def test_a_right_output_counts_whatever_is_left_behind(left: str) -> None:
    program = f"import os\nprint(open('d/e/f').read(), len(os.listdir('.')))\n{left}\n"
    found = run({"p.py": program, "d/e/f": "1"}, (SCRIPT, CASES))["script"]
    assert [(done.problem, done.output) for done in found] == [(None, b"1 2\n")] * 3


def test_once_a_right_program_fails_no_other_is_tried() -> None:
    tests = "if '2 - 1' in open('prog.py').read(): raise SystemExit(3)"
    found = run({"t.py": tests, "prog.py": ""}, (TESTS, PROGRAMS))["tests"]
    end = next(n for n, done in enumerate(found) if done.name.startswith("right program 2"))
    assert [(done.exit, done.problem) for done in found[: end + 1]] == [(0, None)] * end + [(3, None)]
    assert {done.problem for done in found[end + 1 :]} == {NOT_RUN}
    before = [CaseRun(done.name, 0, b"") for done in found]
    view = View(
        entries={}, files={}, pristine={}, pristine_files={}, outputs={}, runs=tuple(found), pristine_runs=tuple(before)
    )
    finding = TESTS.judge(view, PROGRAMS)
    assert finding.score == 0
    assert f"{found[end].name} fails, so that nothing counts" in finding.evidence


def test_time_is_counted_across_sandboxes() -> None:
    program = "import os, time\ntime.sleep(0.4)\nprint('a', flush=True)\nos.rename('../../.openclaw', '../../moved')\n"
    brief = SCRIPT.model_copy(update={"time_limit_sec": 0.5})
    found = run({"p.py": program}, (brief, [{"stdout": "a", "args": [n]} for n in range(4)]))["script"]
    assert found[0].problem is None
    assert "took too long" in str(found[3].problem)


def test_an_empty_folder_is_there_for_the_program() -> None:
    program = "open('out/deep/r.txt', 'w').write('a')\nprint('a')\n"
    found = run({"p.py": program}, (SCRIPT, CASES), folders=["out", "out/deep"])["script"]
    assert [done.output for done in found] == [b"a\n"] * 3


@pytest.mark.parametrize(
    ("program", "case", "said"),
    [
        ("print('b'); raise SystemExit(3)", {"stdout": "secret"}, "exit status 3, another text than expected"),
        ("", {"stdout": "secret"}, "exit status 0, nothing came out"),
        ("import os; os.write(1, b'\\xff')", {"stdout": "secret"}, "exit status 0, the output is not UTF-8 text"),
        ("print('secret')", {"stdout": "secret", "exit": 2}, "exit status 0, not the one expected"),
        ("", {"stdout": "secret", "output": "no.txt"}, "no.txt: No such file or directory"),
    ],
)
def test_evidence_says_how_a_case_failed_and_not_what_was_expected(
    program: str, case: dict[str, Any], said: str
) -> None:
    good = {"name": "good", "args": ["good"], "stdout": "fine"}
    given = f"import sys\nif sys.argv[1:]: print('fine')\nelse:\n    {program or 'pass'}\n"
    runs = run({"p.py": given}, (SCRIPT, [good, case]))["script"]
    before = run({"p.py": ""}, (SCRIPT, [good, case]))["script"]
    view = View({}, {}, {}, {}, {}, runs=tuple(runs), pristine_runs=tuple(before))
    evidence = SCRIPT.judge(view, [good, case]).evidence
    assert evidence.endswith(said)
    assert "secret" not in evidence


def test_evidence_of_a_property_says_how_an_input_failed() -> None:
    check = Property(id="even", kind="property", run=("python3", "p.py"), inputs="draw", holds="is_even", **PLAIN)
    cases = [{"args": ["1"]}, {"args": ["2"]}]
    runs = (CaseRun("input 1", 0, b"1\n"), CaseRun("input 2", 1, b""))
    nothing = (CaseRun("input 1", 1, b""),) * 2
    for found, said in (
        ([False, True], "exit status 0, the property does not hold"),
        ([True, None], "1, nothing came out"),
    ):
        view = View({}, {}, {}, {}, {}, runs=runs, pristine_runs=nothing, found=found, pristine_found=[None, None])
        assert check.judge(view, cases).evidence.endswith(said)
