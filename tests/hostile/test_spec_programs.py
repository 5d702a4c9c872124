"""Hostile programs and contents of a task: never a wrong number, a hang, or harm to the machine."""

import json
import os
from pathlib import Path

import pytest

from clawgym_data.errors import ClawGymError
from clawgym_data.grading.grader import Grader
from clawgym_data.grading.program import run_function
from clawgym_data.grading.verdict import CheckResult, Verdict
from clawgym_data.grading.world import generate_files, make_world
from clawgym_data.task import load_task
from tests.bench.scripted import evaluate, sample_of
from tests.conftest import REPOSITORY
from tests.data.test_proof import proof_of

LOOKS_AROUND = f"""
    import os, socket
    seen = []
    for path in {[str(REPOSITORY), str(Path.home() / ".ssh"), "/etc/shadow"]!r}:
        try:
            seen += [path] if os.listdir(path) or True else []
        except NotADirectoryError:
            seen += [path] if open(path).read() else []
        except OSError:
            pass
    for root, folders, names in os.walk("/"):
        folders[:] = [f for f in folders if os.path.join(root, f) not in ("/proc", "/sys", "/usr")]
        seen += [os.path.join(root, n) for n in names if n in ("solve.py", "old_rate.py", "task.yaml")]
    for address in (("1.1.1.1", 53), ("127.0.0.1", 22), ("169.254.169.254", 80)):
        try:
            socket.create_connection(address, 1)
            seen.append(str(address))
        except OSError:
            pass
"""
WRITES = """
    import os
    for folder in (workspace, "/tmp", "/usr", "/etc", os.path.expanduser("~"), "/"):
        try:
            open(os.path.join(folder, "left-by-a-check"), "w").write("1.0")
        except OSError:
            pass
"""

ANSWERLESS = {
    "minus": "return -1, ''",
    "hair-above": "return 1.0000001, ''",
    "missing": "return [], ''",
    "none": "return None, ''",
    "complex": "return 1j, ''",
    "deep": "r = 0.5\n    for _ in range(100_000): r = [r]\n    return r, ''",
    "huge": "return 10 ** 6000, ''",
    "system-exit": "raise SystemExit(0)",
    "killed-parent": "import os, time\n    os.kill(os.getppid(), 9)\n    time.sleep(30)",
    "flood": "import os\n    for _ in range(1500): os.write(1, b'1' * 65536)\n    os._exit(0)",
}
ANSWERING = {
    "looked": LOOKS_AROUND + "    return float(bool(seen)), str(seen)",
    "wrote": WRITES + "    return 0.0, 'written'",
    "found": "import os\n    found = [f for f in (workspace, '/tmp') if 'left-by-a-check' in os.listdir(f)]\n    return float(len(found)), str(found)",
    "printed": "import os\n    os.write(1, b'[1.0, \"\"]\\n')\n    return 0.0, 'its own'",
    "halves": "return 0.0, 'half a pair \\ud800 and a bell \\x07'",
}


def with_checks(folder: Path, bodies: dict[str, str]) -> None:
    functions = [
        f"def {name.replace('-', '_')}(workspace, expected):\n    {body.strip()}\n" for name, body in bodies.items()
    ]
    (folder / "checks.py").write_text("\n".join(functions), "utf-8")
    checks = [
        f"{{id: {name}, kind: python, role: outcome, rests_on: computed, weight: 1, function: {name.replace('-', '_')}, time_limit_sec: 10}}"
        for name in bodies
    ]
    path = folder / "task.yaml"
    text = path.read_text("utf-8").replace("  checks:\n", "  checks:\n    - " + "\n    - ".join(checks) + "\n", 1)
    path.write_text(text, "utf-8")


def result(verdict: Verdict, name: str) -> CheckResult:
    return next(item for item in verdict.checks if item.id == name)


def test_checkers_that_give_no_score_are_the_graders_failure(stall_takings: Path, grader: Grader) -> None:
    with_checks(stall_takings, ANSWERLESS | ANSWERING)
    world = make_world(load_task(stall_takings))
    verdict = grader.grade(world, world.pristine)
    assert [failure.split(":")[0] for failure in verdict.grader_failed] == list(ANSWERLESS)
    assert all(result(verdict, name).score == 0 for name in ANSWERLESS | ANSWERING)
    assert not verdict.passed
    assert result(verdict, "looked").evidence == "[]"
    assert result(verdict, "found").evidence == "[]"
    assert result(verdict, "printed").evidence == "its own"
    assert "\\ud800" in result(verdict, "halves").evidence
    assert json.loads(verdict.model_dump_json())["score"] == 0
    for folder in ("/tmp", "/usr", "/etc", str(Path.home()), "/", str(stall_takings), os.getcwd()):
        assert not Path(folder, "left-by-a-check").exists()


EXPECTED = {
    "loops": ("while True: pass", "took more than 2 s"),
    "exits": ("import os\n    os._exit(0)", "gave no JSON value"),
    "quits": ("raise SystemExit('no')", "no"),
    "raises": ("return {}['x']", "KeyError: 'x'"),
    "nan": ("return {'rows': float('nan')}", "not JSON compliant"),
    "list": ("return [1]", "returned a list; expected a dict"),
    "bytes": ("return {'rows': b'x'}", "not JSON serializable"),
    "kills": ("import os, signal\n    os.kill(-1, signal.SIGKILL)", "expected() failed"),
    "floods": ("print('x' * 100_000_000)\n    raise ValueError('after')", "ValueError: after"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_expected_values_that_do_not_come_are_named(
    name: str, stall_takings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, message = EXPECTED[name]
    (stall_takings / "expected.py").write_text(f"def expected(workspace):\n    {body}\n", "utf-8")
    if name == "loops":
        monkeypatch.setitem(run_function.__kwdefaults__, "time_limit_sec", 2.0)
    with pytest.raises(ClawGymError) as caught:
        make_world(load_task(stall_takings))
    assert f"{stall_takings}/expected.py: expected() " in str(caught.value)
    assert message in str(caught.value)
    assert "Traceback" not in str(caught.value)[:100]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"growers": growers,', "", "expected.py gives no 'growers'; it gives best, others, rows, total"),
        (
            '"growers": growers,',
            '"growers": {"a": 1},',
            "checks.growers.expected: found {'a': 1} (seed 0); expected a list",
        ),
        ('"rows": {g: {', '"rows": [1], "more": {g: {', "checks.rows.expected: found [1] (seed 0); expected a mapping"),
        ('"rows": {g: {', '"rows": {"a": 1}, "more": {g: {', "checks.rows.expected: found {'a': 1}"),
        (
            '"total": sum(pay.values()),',
            '"total": None,',
            "checks.total.expected: found None (seed 0); expected a number",
        ),
    ],
)
def test_expected_values_of_another_form_fail_the_proof_once(
    stall_takings: Path, grader: Grader, old: str, new: str, message: str
) -> None:
    path = stall_takings / "expected.py"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    proof = proof_of(stall_takings, grader)
    faults = [*proof.lint, *proof.failures]
    assert len(faults) == 1
    assert message in faults[0]


GENERATOR = """
import shutil
from pathlib import Path
FILES = {files!r}
def generate(seed, out_dir):
    for name, text in FILES.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("Adeyemi", "Adeyemi" + "i" * seed), "utf-8")
{more}
"""


def with_generator(folder: Path, more: str, seeds: str = "[0]") -> None:
    root = folder / "workspace"
    files = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in root.rglob("*") if path.is_file()}
    lines = "\n".join(f"    {line}" for line in more.splitlines())
    (folder / "generate.py").write_text(GENERATOR.format(files=files, more=lines), "utf-8")
    path = folder / "task.yaml"
    path.write_text(path.read_text("utf-8") + f"proven_seeds: {seeds}\n", "utf-8")


GENERATED = {
    "link": ("(Path(out_dir) / 'link').symlink_to('/etc/passwd')", "link: "),
    "fifo": ("import os\nos.mkfifo(Path(out_dir) / 'pipe')", "pipe: "),
    "name": ("(Path(out_dir) / 'a:b').write_text('x')", "some systems refuse: 'a:b'"),
    "bytes": ("open(bytes(Path(out_dir)) + b'/\\xff', 'w').write('x')", "not UTF-8"),
    "twins": ("(Path(out_dir) / 'RULES.TXT').write_text('x')", "twice (case folded)"),
    "empty": ("(Path(out_dir) / 'inbox').mkdir()", "the empty folder inbox"),
    "many": ("for n in range(30_000): (Path(out_dir) / f'{n}').touch()", "20000"),
    "loops": ("while True: pass", "took more than 4 s"),
    "raises": ("raise OSError('no disk')", "no disk"),
}


@pytest.mark.parametrize("name", GENERATED)
def test_generators_that_make_no_workspace_are_named(
    name: str, stall_takings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more, message = GENERATED[name]
    with_generator(stall_takings, more)
    if name == "loops":
        monkeypatch.setitem(run_function.__kwdefaults__, "time_limit_sec", 4.0)
    with pytest.raises(ClawGymError) as caught:
        generate_files(load_task(stall_takings), 0)
    assert f"{stall_takings}/generate.py" in str(caught.value)
    assert message in str(caught.value)


def test_a_generator_writes_nowhere_else(stall_takings: Path) -> None:
    with_generator(stall_takings, WRITES.replace("workspace, ", "").replace("\n    ", "\n"))
    task = load_task(stall_takings)
    assert generate_files(task, 0) == task.files
    assert not any(Path(folder, "left-by-a-check").exists() for folder in ("/tmp", "/usr", "/etc", Path.home(), "/"))


STRANGE = {
    "path.txt": b"/etc/passwd",
    "url.txt": b"https://example.org/index.html",
    "data.txt": b"data:text/plain;base64,aGVsbG8=",
    "home.txt": b"~/.ssh/id_rsa",
    "file.txt": b"file:///etc/passwd",
    "binary.bin": bytes(range(256)) * 4,
    "latin.csv": "caf\u00e9;1\r\n".encode("cp1252"),
    "zero.bin": b"\0",
    "nothing": b"",
    "task.yaml": b"id: other\n",
}


def test_contents_that_are_paths_urls_or_no_text_reach_the_agent_as_they_are(
    stall_takings: Path, grader: Grader, tmp_path: Path
) -> None:
    for name, content in STRANGE.items():
        (stall_takings / "workspace" / name).write_bytes(content)
    assert load_task(stall_takings).id == "stall-takings"
    log = evaluate([], tmp_path / "logs", tasks=stall_takings.parent, solver="noop")
    scores = sample_of(log).scores
    assert scores is not None
    verdict = (scores["verdict"].metadata or {})["verdict"]
    untouched = next(check for check in verdict["checks"] if check["id"] == "untouched")
    assert untouched["score"] == 1  # byte for byte, since the guard compares hashes
    assert f"all {len(STRANGE) + 3} initial files" in untouched["evidence"]
    assert proof_of(stall_takings, grader).failures == ()
