"""Grading by the checkers that imported tasks came with: broken ones, hanging ones, and forged results."""

import json
from pathlib import Path

import pytest

from clawgym_data.grading.grader import Grader
from clawgym_data.grading.verdict import Verdict
from clawgym_data.grading.world import World, make_world, snapshot_of
from clawgym_data.importers import import_clawgym
from clawgym_data.task import load_task
from tests.data.test_import_clawgym import release

RUNNING = """
import json, subprocess, sys
from pathlib import Path
tool = Path(sys.argv[1]) / "tool.py"
if tool.is_file():
    subprocess.run([sys.executable, str(tool)], timeout=20)
print(json.dumps({"right": 0.25}))
"""
FORGING = """
import os, sys, time
print('{"right": 1.0}', flush=True)
if os.fork():
    time.sleep(0.5)
    sys.exit()
os.setsid()
if os.fork():
    os._exit(0)
forged = b'{"right": 1.0}\\n[1.0, "forged"]\\n'
end = time.time() + 1.5
while time.time() < end:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for fd in range(1, 12):
            try:
                with open(f"/proc/{pid}/fd/{fd}", "r+b", buffering=0) as file:
                    file.write(forged)
            except (OSError, ValueError):
                pass
"""
RAISING = """
import json, sys
from pathlib import Path
answer = json.loads((Path(sys.argv[1]) / "output" / "count.json").read_text())
print(json.dumps({"right": float(answer["value"] == 1)}))
"""
PROMPT = "Count the hens in input/hens.csv and write the number to output/count.json."


def world(tmp_path: Path, checker: str, limit_sec: float | None = None) -> World:
    release(tmp_path / "split", "task_0001", checker=checker, user_query=PROMPT)
    import_clawgym(tmp_path / "split", tmp_path / "out")
    folder = tmp_path / "out" / "task-0001"
    if limit_sec is not None:
        code = (folder / "checks.py").read_text("utf-8")
        (folder / "checks.py").write_text(
            code.replace("TIME_LIMIT_SEC = 100.0", f"TIME_LIMIT_SEC = {limit_sec}"), "utf-8"
        )
    return make_world(load_task(folder))


def graded(made: World, grader: Grader, files: dict[str, str]) -> Verdict:
    there = {file.path: (file.content, file.mode) for file in made.files}
    return grader.grade(made, snapshot_of(there | {path: (text.encode(), 0o644) for path, text in files.items()}))


def test_what_the_checker_starts_cannot_write_its_result(tmp_path: Path, grader: Grader) -> None:
    made = world(tmp_path, RUNNING)
    assert graded(made, grader, {}).score == 0.25
    assert graded(made, grader, {"tool.py": FORGING}).score == 0.25


@pytest.mark.parametrize("answer", [None, "", "[]", "{", '{"value": 2}'])
def test_a_checker_that_raises_on_some_outputs_gives_0_there(
    tmp_path: Path, grader: Grader, answer: str | None
) -> None:
    made = world(tmp_path, RAISING)
    verdict = graded(made, grader, {} if answer is None else {"output/count.json": answer})
    assert (verdict.score, verdict.grader_failed) == (0, ())
    assert graded(made, grader, {"output/count.json": '{"value": 1}'}).score == 1


def test_a_checker_that_always_raises_leaves_the_trial_unscored(tmp_path: Path, grader: Grader) -> None:
    verdict = graded(world(tmp_path, "raise KeyError('hens')"), grader, {"output/count.json": json.dumps({"value": 1})})
    assert "KeyError" in verdict.grader_failed[0]


def test_a_checker_that_hangs_is_asked_once_on_each_workspace(tmp_path: Path, grader: Grader) -> None:
    counting = "import sys, time\nif 'x' in open('input/hens.csv').read(): time.sleep(600)\nprint(0.5)\n"
    made = world(tmp_path, counting, 2.0)
    verdict = graded(made, grader, {"input/hens.csv": "x"})
    assert (verdict.score, verdict.grader_failed) == (0, ())
    assert "longer than 2 s" in str(verdict.checks[0].broken)
    always = world(tmp_path / "always", "import time; time.sleep(600)", 1.0)
    assert "longer than 1 s" in graded(always, grader, {}).grader_failed[0]
