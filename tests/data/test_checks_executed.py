"""Checks that execute what the agent made: right, wrong, missing and cheating programs, in real sandboxes."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from clawgym_data.checks.same import same_json
from clawgym_data.grading.grader import Grader
from clawgym_data.grading.verdict import CheckResult, Verdict
from clawgym_data.grading.world import World, make_world, snapshot_of
from clawgym_data.proof.hacks import hack_variants
from clawgym_data.snapshot import Snapshot
from clawgym_data.spec.output import Output
from clawgym_data.task import load_task

FEES = '''"""Fees."""


def fee(days, rate=2):
    if days < 0:
        raise ValueError(days)
    return {"days": days, "fee": days * rate}


def parts(pence, count):
    low, more = divmod(pence, count)
    return [low + 1] * more + [low] * (count - more)


class Ledger:
    @staticmethod
    def codes(text):
        return set(text.split())
'''
STUB = "def fee(days, rate=2):\n    return None\n\n\ndef parts(pence, count):\n    return []\n"
PROGRAM = "import fees, sys\npence, count = map(int, sys.stdin.read().split())\nprint(*fees.parts(pence, count))\n"
SCRIPT = '#!/bin/sh\n. ./rates.conf\nwhile read -r name days; do echo "$name $((days * rate))"; done | sort -r\n'
QUERY = "SELECT name, SUM(days) FROM stays GROUP BY name ORDER BY name;\n"
TESTS = """import unittest

import fees


class Fees(unittest.TestCase):
    def test_fee(self):
        self.assertEqual(fees.fee(3)["fee"], 6)
        self.assertEqual(fees.fee(0)["fee"], 0)

    def test_parts(self):
        self.assertEqual(fees.parts(11, 3), [4, 4, 3])

    def test_refusal(self):
        with self.assertRaises(ValueError):
            fees.fee(-1)
"""
RIGHT = {"fees.py": FEES, "split.py": PROGRAM, "total.sh": SCRIPT, "stays.sql": QUERY, "tests/test_fees.py": TESTS}

CHECKS = """
    - {id: calls, kind: calls, role: outcome, rests_on: computed, weight: 1, module: fees.py, expected: calls, copies: [fees.py], case_limit_sec: 2, time_limit_sec: 20}
    - {id: share, kind: property, role: outcome, rests_on: computed, weight: 1, module: fees, call: parts, inputs: draw, holds: fair, seed: 7, copies: [fees.py], case_limit_sec: 2, time_limit_sec: 20}
    - {id: split, kind: property, role: outcome, rests_on: computed, weight: 1, run: [python3, split.py], inputs: draw_lines, holds: fair_line, copies: [fees.py, split.py, rules.txt, 'sales*'], case_limit_sec: 3}
    - {id: shell, kind: command, role: outcome, rests_on: computed, weight: 1, run: [sh, total.sh], copies: [total.sh, rates.conf], compare: lines, expected: totals, case_limit_sec: 3}
    - {id: query, kind: command, role: outcome, rests_on: computed, weight: 1, run: [python3, "{brought}/run_sql.py", stays.sql], brings: [run_sql.py], copies: [stays.sql], compare: json, expected: stays}
    - {id: tests, kind: kills_mutants, role: outcome, rests_on: computed, weight: 1, run: [python3, -m, unittest, tests/test_fees.py], expected: programs}
"""
RUN_SQL = """import json, sqlite3, sys
table = sqlite3.connect(":memory:")
table.execute("CREATE TABLE stays (name TEXT, days INTEGER)")
table.executemany("INSERT INTO stays VALUES (?, ?)", json.load(sys.stdin))
print(json.dumps(table.execute(open(sys.argv[1]).read()).fetchall()))
"""
CODE = """import random

def draw(seed, workspace):
    rng = random.Random(seed)
    return [{"args": [rng.randrange(1, 999), rng.randrange(1, 9)]} for _ in range(60)]

def fair(case, output):
    pence, count = case["args"]
    return sum(output) == pence and len(output) == count and max(output) - min(output) <= 1

def draw_lines(seed, workspace):
    return [{"stdin": f"{a} {b}"} for a, b in [(7, 2), (100, 3), (5, 5), (99, 10)]]

def fair_line(case, output):
    pence, count = map(int, case["stdin"].split())
    return fair({"args": [pence, count]}, [int(word) for word in output.split()])
"""
CALLS = [
    {"call": "fee", "args": [3], "returns": {"days": 3, "fee": 6}},
    {"call": "fee", "args": [4], "kwargs": {"rate": 2.5}, "returns": {"days": 4, "fee": 10}},
    {"call": "fee", "args": [-1], "raises": "ArithmeticError"},
    {"call": "parts", "args": [5, 2], "returns": [3, 2]},
    {"call": "Ledger.codes", "args": ["b a b"], "returns": ["a", "b"]},
]
CALLS[2]["raises"] = "ValueError"
OTHER_FEES = (
    FEES.replace("    low, more = divmod(pence, count)\n", "")
    .replace("[low + 1] * more + [low] * (count - more)", "[(pence + count - 1 - n) // count for n in range(count)]")
    .replace("days * rate}", "rate * days}")
)
PROGRAMS = {
    "right": [{"fees.py": FEES}, {"fees.py": OTHER_FEES}],
    "wrong": [
        {"fees.py": FEES.replace("days < 0", "days < -1")},
        {"fees.py": FEES.replace("days * rate", "days + rate")},
        {"fees.py": FEES.replace("[low + 1] * more + [low]", "[low] * more + [low + 1]")},
        {"fees.py": FEES.replace("divmod(pence, count)", "pence // count, 0")},
    ],
}
VALUES = {
    "calls": CALLS,
    "totals": [
        {"name": "two", "stdin": "ada 3\nbea 4\n", "stdout": "bea 20\nada 15"},
        {"name": "rate", "stdin": "ada 3\n", "files": {"rates.conf": "rate=7\n"}, "stdout": "ada 21\n", "exit": 0},
        {"name": "rate again", "stdin": "ada 3\n", "stdout": "ada 15\n\n"},
    ],
    "stays": [{"name": "stays", "stdin": '[["b", 2], ["a", 1], ["b", 3]]', "stdout": [["a", 1], ["b", 5.0]]}],
    "programs": PROGRAMS,
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    import shutil

    from tests.conftest import FIXTURE_TASKS

    folder = tmp_path_factory.mktemp("tasks") / "stall-takings"
    shutil.copytree(FIXTURE_TASKS / "stall-takings", folder)
    shutil.rmtree(folder / "solution")
    yaml, expected = folder / "task.yaml", folder / "expected.py"
    yaml.write_text(yaml.read_text("utf-8").replace("  checks:\n", f"  checks:{CHECKS}", 1), "utf-8")
    expected.write_text(
        f"import json\n\ndef expected(workspace):\n    return json.loads({json.dumps(VALUES)!r}) | base(workspace)\n"
        + expected.read_text("utf-8").replace("def expected(", "def base("),
        "utf-8",
    )
    (folder / "checks.py").write_text(CODE, "utf-8")
    (folder / "run_sql.py").write_text(RUN_SQL, "utf-8")
    for path, text in {"fees.py": STUB, "rates.conf": "rate=5\n"}.items():
        (folder / "workspace" / path).write_text(text, "utf-8")
    return make_world(load_task(folder))


def left(world: World, files: Mapping[str, str]) -> Snapshot:
    there = {file.path: (file.content, file.mode) for file in world.files}
    return snapshot_of(there | {path: (text.encode(), 0o644) for path, text in files.items()})


def results(verdict: Verdict) -> dict[str, CheckResult]:
    return {check.id: check for check in verdict.checks}


def scores(world: World, grader: Grader, files: Mapping[str, str]) -> dict[str, float]:
    verdict = grader.grade(world, left(world, files))
    assert not verdict.grader_failed
    return {name: check.score for name, check in results(verdict).items() if check.kind in KINDS}


KINDS = ("calls", "property", "command", "kills_mutants")
ALL = ("calls", "share", "split", "shell", "query", "tests")


def test_right_programs_earn_everything_and_untouched_ones_nothing(world: World, grader: Grader) -> None:
    verdict = grader.grade(world, left(world, RIGHT))
    assert {name: check.score for name, check in results(verdict).items() if check.kind in KINDS} == dict.fromkeys(
        ALL, 1
    )
    assert scores(world, grader, {}) == dict.fromkeys(ALL, 0)
    other = {**RIGHT, "fees.py": OTHER_FEES, "total.sh": SCRIPT.replace("sort -r", "sort")}
    assert scores(world, grader, other) == dict.fromkeys(ALL, 1)


def test_evidence_names_the_first_failing_input_and_no_expected_value(world: World, grader: Grader) -> None:
    files = {
        **RIGHT,
        "fees.py": FEES.replace("* more + [low]", "* min(more, 1) + [low]").replace("days * rate", "days"),
    }
    verdict = grader.grade(world, left(world, files))
    found = results(verdict)
    assert found["calls"].evidence == "3 of 5 cases right (0 untouched); first failing: fee(3); another value"
    assert 'first failing: {"args": [' in found["share"].evidence
    assert 0 < found["share"].score < 1
    assert "10804" not in json.dumps(verdict.public())
    assert '"fee": 6' not in json.dumps(verdict.public())


CHEATS = {
    "raises": "def fee(*given, **named):\n    raise ValueError\nparts = fee\nclass Ledger:\n    codes = fee\n",
    "kills": "import os, signal\nos.kill(-1, signal.SIGKILL)\n",
    "floods": "import os\nwhile True: os.write(1, b'x' * 65536)\n",
    "not python": "\x00)(",
}


@pytest.mark.parametrize("name", CHEATS)
def test_a_module_that_cheats_gains_nothing(world: World, grader: Grader, name: str) -> None:
    files = {"fees.py": CHEATS[name], "split.py": PROGRAM, "tests/test_fees.py": CHEATS[name]}
    expected = dict.fromkeys(ALL, 0.0) | ({"calls": 0.2} if name == "raises" else {})  # as one of five calls should
    assert scores(world, grader, files) == expected


def test_no_forgery_gains_anything(world: World, grader: Grader) -> None:
    outputs = [Output(path=path, kind="code") for path in ("fees.py", "split.py", "tests/test_fees.py")]
    spec = world.task.spec.model_copy(update={"outputs": tuple(outputs)})
    forged = [change for change in hack_variants("forge", spec, world.contents) if "the code kept" not in change.name]
    assert len(forged) >= 9
    for change in forged:
        found = scores(world, grader, {path: content.decode() for path, content in change.write.items()})
        raising = 0.2 if change.name == "answers written where results go" else 0.0
        assert found["calls"] <= raising, change.name
        assert {name: found[name] for name in ALL[1:]} == dict.fromkeys(ALL[1:], 0), change.name


@pytest.mark.parametrize(
    ("tests", "score"),
    [
        (TESTS, 1.0),
        (TESTS.replace("self.assertEqual(fees.parts(11, 3), [4, 4, 3])", "pass"), 0.5),
        (TESTS.replace("[4, 4, 3]", "[3, 4, 4]"), 0.0),  # fails on a right program
        ("import sys; sys.exit(1)", 0.0),
        ("", 0.0),
        ("import random, sys; sys.exit(random.random() < 0.9)", 0.0),
        (
            "import hashlib, sys; sys.exit(hashlib.sha256(open('fees.py','rb').read()).hexdigest() != "
            f"{__import__('hashlib').sha256(FEES.encode()).hexdigest()!r})",
            0.0,
        ),
        ("import os, sys; n = len(os.listdir('/tmp')); open(f'/tmp/{n}', 'w'); sys.exit(n > 5)", 0.0),
    ],
)
def test_tests_of_the_agents_earn_what_they_tell_apart(world: World, grader: Grader, tests: str, score: float) -> None:
    run = {"fees.py": FEES, "tests/test_fees.py": tests}
    assert scores(world, grader, run)["tests"] == score


def test_each_execution_begins_with_the_first_state(world: World, grader: Grader) -> None:
    state = (
        "import os, sys\nfrom pathlib import Path\n"
        "places = [Path('seen'), Path('/tmp/seen'), Path('/dev/shm/seen'), Path.home() / 'seen']\n"
        "if any(place.exists() for place in places) or Path('rules.txt').read_text() == '':\n    sys.exit(1)\n"
        "for place in places:\n    place.write_text('x')\n"
        "Path('rules.txt').write_text(''); os.chmod('sales', 0)\n"
        "if os.fork() == 0:\n    os.setsid()\n    import time; time.sleep(60)\n"
    )
    files = {**RIGHT, "split.py": state + PROGRAM}
    assert scores(world, grader, files)["split"] == 1


def test_one_fatal_case_costs_only_itself(world: World, grader: Grader) -> None:
    killing = PROGRAM.replace("print(", "import os\nif pence == 100: os.kill(-1, 9)\nprint(")
    assert scores(world, grader, {**RIGHT, "split.py": killing})["split"] == 0.75


def test_the_subject_cannot_write_what_its_driver_hands_out(world: World, grader: Grader) -> None:
    forging = (
        "import os\nfor pid in set(os.listdir('/proc')) - {str(os.getpid()), 'self', 'thread-self'}:\n    for fd in range(9):\n"
        "        try: open(f'/proc/{pid}/fd/{fd}', 'wb').write(b'\\0' * 13)\n        except OSError: pass\n"
    )
    assert scores(world, grader, {**RIGHT, "split.py": forging + PROGRAM})["split"] == 1


def test_a_property_that_can_judge_nothing_is_the_graders_failure_only_where_it_always_fails(
    world: World, grader: Grader
) -> None:
    found = results(grader.grade(world, left(world, {**RIGHT, "split.py": "print('three')\n"})))
    assert found["split"].score == 0
    assert "ValueError" in str(found["split"].broken)
    some = PROGRAM.replace("print(", "if pence == 100: print('three')\nelse: print(")
    assert scores(world, grader, {**RIGHT, "split.py": some})["split"] == 0.75


def test_the_mutants_shortcut_finds_the_same_failing_checks(world: World, grader: Grader) -> None:
    wrong = left(world, {**RIGHT, "total.sh": "echo 1\n"})
    whole, quick = grader.grade(world, wrong), grader.grade(world, wrong, until_wrong=True)
    assert quick.score < 1
    assert results(whole)["shell"].score == results(quick)["shell"].score == 0
    assert all(result.score == 1 for name, result in results(quick).items() if results(whole)[name].score == 1)


@pytest.mark.parametrize(
    ("got", "want", "same"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (2**70, 2**70, True),
        (2**70 + 1, 2**70, False),
        (2**53 + 1, float(2**53), False),
        (json.loads("1e400"), json.loads("1e400"), False),
        (10**400, 1e300, False),
        ({"a": [1, None]}, {"a": [1.0, None]}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        (0, None, False),
        ("1", 1, False),
        ([], {}, False),
    ],
)
def test_json_values_are_compared_exactly(got: object, want: object, same: bool) -> None:
    assert same_json(got, want) is same


def test_json_numbers_within_a_tolerance() -> None:
    assert same_json([0.1 + 0.2, 10**400], [0.3, 10**400], 1e-9)
    assert not same_json(0.31, 0.3, 1e-9)
    assert not same_json(10**400, 1.0, 0.5)


def test_a_file_that_a_check_brings_belongs_to_the_task(world: World, tmp_path: Path) -> None:
    import shutil

    from clawgym_data.errors import SpecError

    folder = tmp_path / "stall-takings"
    shutil.copytree(world.task.folder, folder)
    (folder / "run_sql.py").write_text(RUN_SQL + "\n", "utf-8")
    assert load_task(folder).digest != world.task.digest
    (folder / "run_sql.py").unlink()
    with pytest.raises(SpecError, match=r"run_sql\.py"):
        load_task(folder)
