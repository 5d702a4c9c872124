"""`inspect eval clawgym_bench` as a user types it, in a folder of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.table import read_runs
from tests.bench.commands import run_command
from tests.conftest import FIXTURE_TASKS

BIN = Path(sys.executable).parent


# no proxy or registry can be reached with these: a first run must need no network
ENVIRONMENT = {
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "NO_COLOR": "1",
    "COLUMNS": "1000",
}
EVAL = ("inspect", "eval", "clawgym_bench", "--model", "none", "--display", "plain", "--log-dir", "logs")


def inspect(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return run_command(*EVAL, *arguments, cwd=folder, env=ENVIRONMENT)


def inspect_from_the_shell(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(BIN / EVAL[0]), *EVAL[1:], *arguments],
        cwd=folder,
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def newest(folder: Path) -> EvalLog:
    return read_eval_log(sorted(list_eval_logs(str(folder / "logs")), key=lambda info: info.name)[-1].name)


def test_oracle_noop_and_echo_by_the_bare_name(tmp_path: Path) -> None:
    # a folder of the same name must not take the place of the benchmark
    (tmp_path / "clawgym_bench").mkdir()
    for solver, mean, command in (
        ("oracle", 1.0, inspect_from_the_shell),
        ("noop", 0.0, inspect),
        ("echo", 0.0, inspect_from_the_shell),  # later by seconds, which order the runs
    ):
        done = command(tmp_path, "-T", f"solver={solver}", "-T", f"tasks={FIXTURE_TASKS}")
        assert done.returncode == 0, done.stdout + done.stderr
        log = newest(tmp_path)
        assert log.status == "success"
        assert log.eval.task == "clawgym_bench"
        sample = (log.samples or [])[0]
        assert sample.scores is not None
        assert sample.scores["verdict"].as_float() == mean
        assert sample.scores["coverage"].as_float() == 1
    runs = read_runs([tmp_path / "logs"])
    assert [(run.solver, run.mean, run.planned, run.scored, run.passed) for run in runs] == [
        ("oracle", 1.0, 1, 1, 1),
        ("noop", 0.0, 1, 1, 0),
        ("echo", 0.0, 1, 1, 0),
    ]
    table = subprocess.run(
        [str(BIN / "clawgym"), "bench", "table", "logs", "--json", "table.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "oracle" in table.stdout
    keys = {
        "solver",
        "mean",
        "ci95",
        "bounds",
        "planned",
        "scored",
        "unscored",
        "passed",
        "by_category",
        "seconds_per_trial",
    }
    assert all(keys <= row.keys() for row in json.loads((tmp_path / "table.json").read_text()))


def test_a_log_holds_no_expected_value_and_no_solution(tmp_path: Path) -> None:
    assert inspect(tmp_path, "-T", "solver=noop", "-T", f"tasks={FIXTURE_TASKS}").returncode == 0
    text = newest(tmp_path).model_dump_json()
    assert "10804" not in text
    assert "def derive" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-T", "solver=noop", "-T", "colour=red"), "unknown arguments colour"),
        (("-T", "solver=orakel"), "solver is 'orakel'; expected one of claw_agent"),
        ((), "claw_agent needs a model"),
        (("-T", "replay=nowhere.jsonl"), "nowhere.jsonl"),
        (("-T", "solver=noop", "-T", "turn_limit=0"), "turn_limit is 0; expected greater than 0"),
        (("-T", "solver=noop", "-T", "sandbox=local"), "sandbox is 'local'"),
        (("-T", "solver=noop", "-T", "category=chess"), "category is 'chess'"),
        (("-T", "solver=noop", "-T", "task=nothing"), "no task nothing"),
        (("-T", "solver=noop", "-T", "tasks=/nowhere"), "no task"),
    ],
)
def test_arguments_are_refused_by_name(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = inspect(tmp_path, *arguments)
    assert done.returncode != 0
    assert message in " ".join((done.stdout + done.stderr).split())
    assert not (tmp_path / "logs").exists() or not list((tmp_path / "logs").glob("*.eval"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-T", "sandbox=docker", "--sandbox", "bubblewrap"), "contradict each other"),
        (("-T", "sandbox=bubblewrap", "--sandbox", "docker"), "contradict each other"),
        (("--sandbox", "local"), "on this host"),
        (("--sandbox", "local", "--display", "none"), "on this host"),
    ],
)
def test_sandboxes_that_contradict_or_expose_the_host_are_refused(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = inspect(tmp_path, "-T", "solver=noop", "-T", f"tasks={FIXTURE_TASKS}", *arguments)
    assert done.returncode != 0
    assert "Traceback" not in done.stdout + done.stderr
    said = done.stderr if "none" in arguments else done.stdout + done.stderr
    assert message in " ".join(said.split())
    assert not (tmp_path / "logs").exists() or not list((tmp_path / "logs").glob("*.eval"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "x"}, "unknown arguments model; .*--model names the model"),
        ({"split": "imported"}, "no task satisfies -T split=imported .* the folder that -T tasks=DIR names"),
        (
            {"category": "productivity-and-collaboration", "task": "toad-patrol-season-page"},
            "no task satisfies -T task=toad-patrol-season-page and -T category=.*; there are: category .*toad-patrol",
        ),
        ({"task": " , "}, "no task "),
    ],
)
def test_arguments_that_leave_no_task_are_named(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(PrerequisiteError) as refused:
        clawgym_bench(solver="noop", **arguments)
    assert re.search(message, str(refused.value.message), re.DOTALL)


def test_the_oracle_is_refused_where_solutions_are_missing(tmp_path: Path, stall_takings: Path) -> None:
    for name in ("solution", "right", "wrong"):
        shutil.rmtree(stall_takings / name)
    done = inspect(tmp_path, "-T", "solver=oracle", "-T", f"tasks={stall_takings.parent}")
    assert done.returncode != 0
    assert "they are in the source repository" in " ".join((done.stdout + done.stderr).split())
    assert inspect(tmp_path, "-T", "solver=noop", "-T", f"tasks={stall_takings.parent}").returncode == 0


@pytest.mark.fault("service-never-ready")
def test_a_task_with_a_missing_tool_is_refused_and_never_scored(tmp_path: Path, stall_takings: Path) -> None:
    with (stall_takings / "task.yaml").open("a") as file:
        file.write("environment: {tools: [{name: no-such-tool-here}]}\n")
    done = inspect(tmp_path, "-T", "solver=noop", "-T", f"tasks={stall_takings.parent}")
    assert "no-such-tool-here" in done.stdout + done.stderr
    [run] = read_runs([tmp_path / "logs"])
    assert (run.status, run.planned, run.scored, run.unscored) == ("error", 1, 0, {"infra_failed": 1})


@pytest.mark.fault("unscored-leaves-the-denominator")
def test_a_check_that_cannot_answer_leaves_the_trial_unscored_and_counted(tmp_path: Path, stall_takings: Path) -> None:
    (stall_takings / "checks.py").write_text("def judge(workspace, expected):\n    return 3, ''\n")
    path = stall_takings / "task.yaml"
    check = "{id: own, kind: python, role: outcome, rests_on: computed, weight: 1, function: judge}"
    path.write_text(path.read_text().replace("  checks:\n", f"  checks:\n    - {check}\n", 1))
    shutil.copytree(FIXTURE_TASKS / "stall-takings", stall_takings.parent / "second")
    second = stall_takings.parent / "second" / "task.yaml"
    second.write_text(second.read_text().replace("id: stall-takings", "id: second"))
    assert inspect(tmp_path, "-T", "solver=oracle", "-T", f"tasks={stall_takings.parent}").returncode == 0
    run = read_runs([tmp_path / "logs"])[0]
    assert (run.mean, run.planned, run.scored, run.unscored, run.bounds) == (
        1.0,
        2,
        1,
        {"grader_failed": 1},
        (0.5, 1.0),
    )
    coverage = next(score for score in newest(tmp_path).results.scores if score.name == "coverage")  # type: ignore[union-attr]
    assert coverage.metrics["mean"].value == 0.5


@pytest.mark.fault("contents-read-as-paths")
def test_file_contents_that_look_like_paths_or_urls_arrive_byte_for_byte(tmp_path: Path, stall_takings: Path) -> None:
    contents = {
        "a-path": b"/etc/hostname",
        "a-url": b"https://127.0.0.1/x",
        "data": b"data:text/plain;base64,aGVsbG8=",
        "empty": b"",
        "binary": bytes(range(256)),
        "crlf": b"a\r\nb\r\n",
        "latin": "caf\u00e9".encode("latin-1"),
        "run.sh": b"#!/bin/sh\n",
    }
    for name, content in contents.items():
        (stall_takings / "workspace" / name).write_bytes(content)
    (stall_takings / "workspace" / "run.sh").chmod(0o755)
    listing = "import pathlib, sys, json\nws = pathlib.Path(sys.argv[1])\n"
    listing += "seen = {n: [(ws / n).read_bytes().hex(), oct((ws / n).stat().st_mode & 0o777)] for n in sorted(p.name for p in ws.iterdir() if p.is_file())}\n"
    listing += "(ws / 'note.md').write_text(json.dumps(seen))\n"
    (stall_takings / "solution" / "solve.py").write_text(listing)
    check = "{id: own, kind: python, role: outcome, rests_on: computed, weight: 1, function: judge}"
    (stall_takings / "checks.py").write_text(
        "def judge(workspace, expected):\n    p = workspace / 'note.md'\n    return 0.0, p.read_text() if p.exists() else ''\n"
    )
    path = stall_takings / "task.yaml"
    path.write_text(path.read_text().replace("  checks:\n", f"  checks:\n    - {check}\n", 1))
    assert inspect(tmp_path, "-T", "solver=oracle", "-T", f"tasks={stall_takings.parent}").returncode == 0
    score = (newest(tmp_path).samples or [])[0].scores
    assert score is not None
    evidence = next(c["evidence"] for c in (score["verdict"].metadata or {})["verdict"]["checks"] if c["id"] == "own")
    if len(evidence) >= 2000:
        pytest.fail("the listing was cut")
    seen = json.loads(evidence)
    for name, content in contents.items():
        assert seen[name] == [content.hex(), "0o755" if name == "run.sh" else "0o644"], name


def test_several_tasks_by_id_and_paths_relative_to_the_shell(tmp_path: Path, stall_takings: Path) -> None:
    second = stall_takings.parent / "second"
    shutil.copytree(stall_takings, second)
    path = second / "task.yaml"
    path.write_text(path.read_text().replace("id: stall-takings", "id: second", 1))
    (tmp_path / "calls.jsonl").write_text('{"name": "exec", "arguments": {"command": "ls"}}\n')
    done = inspect(tmp_path, "-T", "replay=calls.jsonl", "-T", "tasks=tasks", "-T", "task=second,stall-takings")
    assert done.returncode == 0, done.stdout + done.stderr
    log = newest(tmp_path)
    assert {str(sample.id) for sample in log.samples or []} == {"second", "stall-takings"}
    place = os.path.relpath(log.location.removeprefix("file://"), tmp_path)
    again = ("inspect", "eval-retry", place, "--log-dir", "again", "--display", "plain")
    retried = run_command(*again, cwd=tmp_path, env={"PWD": str(tmp_path)})
    assert retried.returncode == 0, retried.stdout + retried.stderr
