"""Grading what agents leave, in real sandboxes with real workers."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clawgym_data.grading.grader import Grader
from clawgym_data.grading.program import ProgramError, run_solution
from clawgym_data.grading.verdict import Verdict
from clawgym_data.grading.world import World, make_world
from clawgym_data.sandbox import Bubblewrap, SandboxConfig
from clawgym_data.snapshot import Snapshot
from clawgym_data.task import load_task
from tests.conftest import FIXTURE_TASKS


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(load_task(FIXTURE_TASKS / "stall-takings"))


def files(world: World) -> list[tuple[str, bytes, int]]:
    return [(file.path, file.content, file.mode) for file in world.files]


def solved(world: World) -> Snapshot:
    return run_solution(world.task.folder, "solution/solve.py", files(world)).snapshot


def left_by(world: World, script: str) -> Snapshot:
    """The snapshot after the oracle's outputs and then a shell script of the agent's."""
    with Bubblewrap.start(SandboxConfig()) as sandbox:
        snapshot = solved(world)
        sandbox.put([(e.path, snapshot.blobs[e.sha256], e.mode) for e in snapshot.entries if e.sha256])
        done = sandbox.call(["/bin/sh", "-c", script], timeout_sec=60)
        assert done.returncode == 0, done.stderr
        sandbox.end_processes()
        return sandbox.snapshot(first=world.task.spec.output_paths())


def result(verdict: Verdict, check: str) -> tuple[float, str]:
    found = next(item for item in verdict.checks if item.id == check)
    return found.score, found.evidence


def text(verdict: Verdict) -> str:
    return json.dumps(verdict.public(), sort_keys=True)


def test_oracle_noop_and_components(world: World, grader: Grader) -> None:
    verdict = grader.grade(world, solved(world))
    assert (verdict.score, verdict.passed, verdict.guards, verdict.safety) == (1, True, 1, 1)
    assert grader.grade(world, world.pristine).score == 0


def test_no_expected_value_is_published(world: World, grader: Grader) -> None:
    published = text(grader.grade(world, world.pristine))
    assert "10804" not in published
    assert "3004" not in published


def test_the_same_verdict_again_in_another_order_eight_at_once_and_after_a_restart(
    world: World, grader: Grader
) -> None:
    snapshots = [solved(world), world.pristine, left_by(world, "rm payout.csv"), left_by(world, "echo x >> rules.txt")]
    first = [text(grader.grade(world, snapshot)) for snapshot in snapshots]
    with ThreadPoolExecutor(8) as executor:
        again = list(executor.map(lambda n: text(grader.grade(world, snapshots[n % 4])), range(31, -1, -1)))
    assert again == [first[n % 4] for n in range(31, -1, -1)]
    with Grader(1) as restarted:
        assert [text(restarted.grade(make_world(load_task(world.task.folder)), s)) for s in snapshots] == first


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("ln -sf /etc/passwd payout.csv", "no regular file"),
        ("rm payout.csv; ln -s ../../../../../../etc/shadow payout.csv", "no regular file"),
        ("rm payout.csv; ln /etc/passwd payout.csv 2>/dev/null || true", "payout.csv"),
        ("rm payout.csv; mkfifo payout.csv", "no regular file"),
        ("rm payout.csv; mkdir payout.csv", "no regular file"),
        ("chmod 0 payout.csv", "no regular file"),
        ("rm payout.csv; truncate -s 400M payout.csv", "no regular file"),
        (
            "i=0; while [ $i -lt 200000 ]; do echo a,1,1; i=$((i+1)); done > rows; { head -1 payout.csv; cat rows; } > p; mv p payout.csv",
            "rows",
        ),
        ("rm payout.csv; printf 'grower,sold,payout\\n\\377\\376,1,1\\n' > payout.csv", "UTF-8"),
        ("rm payout.csv; echo x > \"$(printf 'payout.csv\\n')\"; echo x > \"$(printf 'pay\\nout.csv')\"", "payout.csv"),
        (": > payout.csv", "empty"),
    ],
)
@pytest.mark.fault("no-file-at-an-output")
def test_hostile_bytes_at_an_output_score_nothing_and_say_why(
    world: World, grader: Grader, script: str, reason: str
) -> None:
    verdict = grader.grade(world, left_by(world, script))
    score, evidence = result(verdict, "table")
    assert score == 0
    assert reason in evidence
    assert result(verdict, "rows")[0] == 0
    assert result(verdict, "total")[0] == 1
    assert not verdict.grader_failed
    assert "root:" not in text(verdict)


@pytest.mark.fault("another-encoding")
def test_an_output_written_under_its_nfd_name_is_found(tmp_path: Path, grader: Grader) -> None:
    import shutil

    folder = tmp_path / "stall-takings"
    shutil.copytree(FIXTURE_TASKS / "stall-takings", folder)
    for name in ("task.yaml", "instruction.md", "solution/solve.py"):
        path = folder / name
        path.write_text(path.read_text("utf-8").replace("payout.csv", "payou\u00e9.csv"), "utf-8")
    world = make_world(load_task(folder))
    snapshot = left_by(world, "mv payou\u00e9.csv payoue\u0301.csv")
    assert grader.grade(world, snapshot).score == 1


def test_a_hundred_thousand_files_do_not_crowd_out_the_outputs(world: World, grader: Grader) -> None:
    snapshot = left_by(world, "mkdir aaa && cd aaa && seq 30000 | xargs touch")
    assert snapshot.truncated
    assert result(grader.grade(world, snapshot), "rows")[0] == 1


def test_inputs_that_a_cut_listing_does_not_show_are_called_neither_changed_nor_unchanged(
    world: World, grader: Grader
) -> None:
    whole = solved(world)
    inputs = {file.path for file in world.files}
    cut = Snapshot(tuple(e for e in whole.entries if e.path not in inputs), whole.blobs, "more than 20000 entries")
    score, evidence = result(grader.grade(world, cut), "untouched")
    assert score == 0
    assert "not read to its end (more than 20000 entries)" in evidence


def test_guards_multiply_and_say_what_changed(world: World, grader: Grader) -> None:
    verdict = grader.grade(world, left_by(world, "echo x >> rules.txt"))
    assert (verdict.ungated, verdict.guards, verdict.score, verdict.passed) == (1, 0.5, 0.5, False)
    assert "rules.txt" in result(verdict, "untouched")[1]


@pytest.mark.fault("orphan-writes-while-graded")
def test_an_agents_process_that_writes_after_the_end_is_gone(world: World, grader: Grader) -> None:
    script = "setsid sh -c 'sleep 1; echo x > payout.csv' >/dev/null 2>&1 </dev/null & sleep 0.1"
    assert grader.grade(world, left_by(world, script)).score == 1


CHECKS = {
    "loops": "    while True: pass",
    "prints": "    print('x' * 100_000_000)\n    return 1.0, ''",
    "nan": "    return float('nan'), ''",
    "three": "    return 3, ''",
    "text": "    return '0.75', ''",
    "nothing": "    return None",
    "nested": "    return {'score': {'value': 1}}, ''",
    "forks": "    import os\n    while True: os.fork()",
    "exits": "    import os\n    os._exit(0)",
    "kills": "    import os, signal\n    os.kill(-1, signal.SIGKILL)",
    "true": "    return True, ''",
}


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.fault("grader-hangs")
@pytest.mark.fault("grader-says-nothing")
def test_a_python_check_that_cannot_answer_is_the_graders_failure(
    stall_takings: Path, grader: Grader, name: str
) -> None:
    (stall_takings / "checks.py").write_text(f"def judge(workspace, expected):\n{CHECKS[name]}\n", "utf-8")
    add_check(
        stall_takings,
        "{id: own, kind: python, role: outcome, rests_on: computed, weight: 1, function: judge, time_limit_sec: 2}",
    )
    world = make_world(load_task(stall_takings))
    verdict = grader.grade(world, world.pristine)
    if name == "prints":
        assert verdict.grader_failed == () or "own" in verdict.grader_failed[0]
        return
    assert "own" in verdict.grader_failed[0]
    assert not verdict.passed


@pytest.mark.fault("checker-raises-on-wrong-output")
def test_a_check_that_breaks_on_the_agents_bytes_alone_scores_nothing(stall_takings: Path, grader: Grader) -> None:
    code = "def judge(workspace, expected):\n    path = workspace / 'payout.csv'\n    return (0.0 if not path.exists() else 1 / int(path.read_text()[-2] != '9')), 'seen'\n"
    (stall_takings / "checks.py").write_text(code, "utf-8")
    add_check(stall_takings, "{id: own, kind: python, role: outcome, rests_on: computed, weight: 1, function: judge}")
    world = make_world(load_task(stall_takings))
    verdict = grader.grade(world, left_by(world, "echo 9 > payout.csv"))
    assert not verdict.grader_failed
    assert result(verdict, "own") == (0, "the check could not be run")
    assert "ZeroDivisionError" in str(next(item for item in verdict.checks if item.id == "own").broken)


@pytest.mark.fault("grader-hangs")
@pytest.mark.parametrize("shipped", [True, False])
def test_a_check_that_breaks_on_the_oracles_answer_too_is_the_graders_failure(
    stall_takings: Path, shipped: bool
) -> None:
    import shutil

    code = "def judge(workspace, expected):\n    return (len((workspace / 'payout.csv').read_text()) / 0 if (workspace / 'payout.csv').exists() else 0.0), ''\n"
    (stall_takings / "checks.py").write_text(code, "utf-8")
    add_check(stall_takings, "{id: own, kind: python, role: outcome, rests_on: computed, weight: 1, function: judge}")
    world = make_world(load_task(stall_takings))
    snapshot = left_by(world, "echo 9 >> payout.csv")
    if not shipped:  # as in a wheel, whose tasks were proven with their solutions: the agent's bytes it must have been
        shutil.rmtree(stall_takings / "solution")
    with Grader(1) as own:
        verdict = own.grade(world, snapshot)
    assert [fault.split(": ")[1] for fault in verdict.grader_failed] == (
        ["on the oracle's workspace"] if shipped else []
    )


@pytest.mark.fault("grader-hangs")
def test_an_exploding_pattern_ends_with_its_worker_and_the_next_check_still_answers(
    stall_takings: Path, grader: Grader
) -> None:
    add_check(
        stall_takings,
        "{id: own, kind: lines_kept, role: guard, path: rules.txt, except: ['(a+)+$'], time_limit_sec: 1}",
    )
    world = make_world(load_task(stall_takings))
    verdict = grader.grade(world, left_by(world, "printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' > rules.txt"))
    own = next(item for item in verdict.checks if item.id == "own")
    assert own.broken == "no answer within 1 s"
    assert result(verdict, "rows")[0] == 1
    assert not verdict.grader_failed


def test_programs_of_the_task_that_fail_say_so(stall_takings: Path) -> None:
    (stall_takings / "expected.py").write_text(
        "def expected(workspace):\n    raise LookupError('no such day')\n", "utf-8"
    )
    with pytest.raises(ProgramError, match="no such day"):
        make_world(load_task(stall_takings))
    (stall_takings / "expected.py").write_text("x = 1\n", "utf-8")
    with pytest.raises(ProgramError, match="no function 'expected'"):
        make_world(load_task(stall_takings))


COMMAND = (
    "{id: own, kind: command, role: outcome, rests_on: computed, weight: 1, run: [python3, add.py], copies: ['add.py'], "
    "case_limit_sec: 2, expected: cases}"
)


@pytest.mark.parametrize(
    ("program", "score"),
    [
        ("print(sum(map(int, open(0).read().split())))", 1.0),
        ("print(3)", 0.0),
        ("import sys; sys.exit(0)", 0.0),
        ("while True: pass", 0.0),
        ("print('x' * 10_000_000)", 0.0),
        ("import os; os.kill(-1, 9)", 0.0),
        ("class E(str):\n    __eq__ = lambda s, o: True\nprint(E('3'))", 0.0),
        ("import socket; socket.create_connection(('127.0.0.1', 22), 1); print(3)", 0.0),
        ("print(len(__import__('os').listdir('.')) + 100)", 0.0),
    ],
)
def test_a_program_is_judged_by_the_bytes_it_prints(
    stall_takings: Path, grader: Grader, program: str, score: float
) -> None:
    path = stall_takings / "expected.py"
    cases = "[{'name': 'a', 'stdin': '1 2', 'stdout': '3'}, {'name': 'b', 'stdin': '20 22', 'stdout': '42'}]"
    path.write_text(
        path.read_text("utf-8").replace('"growers": growers,', f'"growers": growers, "cases": {cases},'), "utf-8"
    )
    (stall_takings / "workspace" / "add.py").write_text("print(3)\n", "utf-8")
    add_check(stall_takings, COMMAND)
    world = make_world(load_task(stall_takings))
    snapshot = left_by(world, f"cat > add.py <<'EOF'\n{program}\nEOF")
    assert result(grader.grade(world, snapshot), "own")[0] == score


def add_check(folder: Path, check: str) -> None:
    path = folder / "task.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("  checks:\n", f"  checks:\n    - {check}\n", 1), "utf-8")


def test_python_answers_to_both_of_its_names() -> None:
    with Bubblewrap.start(SandboxConfig()) as sandbox:
        for name in ("python", "python3"):
            assert sandbox.call([name, "-c", "print(1)"], timeout_sec=30).stdout == b"1\n"


def test_a_worker_killed_from_outside_costs_nobody_anything(world: World) -> None:
    import threading

    with Grader(1) as own:
        text(own.grade(world, world.pristine))
        snapshot = solved(world)
        thread = threading.Thread(target=lambda: own.grade(world, snapshot))
        thread.start()
        thread.join()
        worker = own.pool._free.get()
        assert worker is not None
        assert worker.process.poll() is None  # the thread that used it has ended, the worker has not
        worker.process.kill()
        own.pool._free.put(worker)
        assert own.grade(world, snapshot).score == 1


def test_a_file_of_many_names_cannot_end_the_grading(stall_takings: Path, grader: Grader) -> None:
    (stall_takings / "checks.py").write_text("def judge(workspace, expected):\n    return 0.0, 'seen'\n", "utf-8")
    add_check(stall_takings, "{id: own, kind: python, role: outcome, rests_on: computed, weight: 1, function: judge}")
    world = make_world(load_task(stall_takings))
    script = "head -c 60000000 /dev/urandom > big; i=0; while [ $i -lt 12 ]; do ln big big$i; i=$((i+1)); done"
    verdict = grader.grade(world, left_by(world, script))
    assert not verdict.grader_failed
    assert result(verdict, "own")[0] == 0


def test_a_thread_that_outlives_its_leader_is_ended(world: World) -> None:
    code = (
        "import ctypes, threading, time\n"
        "def write():\n    while True:\n        open('beat', 'a').write('x'); time.sleep(0.05)\n"
        "threading.Thread(target=write).start(); time.sleep(0.3); ctypes.CDLL(None).syscall(60, 0)\n"
    )
    with Bubblewrap.start(SandboxConfig()) as sandbox:
        sandbox.begin(["python3", "-c", code])
        import time

        time.sleep(1.5)
        sandbox.end_processes()
        first = len(sandbox.snapshot().content("beat"))
        time.sleep(0.5)
        assert len(sandbox.snapshot().content("beat")) == first > 0
