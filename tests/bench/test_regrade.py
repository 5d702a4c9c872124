"""Real runs, graded again from what was kept of them."""

import contextlib
import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log, write_eval_log

from clawgym_bench.cli import app
from clawgym_bench.taskset import load_set, world_of
from clawgym_bench.workspace_store import FOLDER
from clawgym_data.errors import SpecError
from tests.bench.commands import run_command
from tests.bench.judge_endpoint import endpoint, names
from tests.bench.rubric_task import with_rubric_file
from tests.conftest import FIXTURE_TASKS

"""The tests share their run."""

SOLVERS = ("oracle", "noop", "echo")


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run_command(*command, cwd=folder, env={"NO_COLOR": "1"} | environment)


def evaluate(folder: Path, solver: str, *arguments: str, **environment: str) -> None:
    command = ["inspect", "eval", "clawgym_bench", "--model", "none", "--display", "plain", "--log-dir", "logs"]
    done = run(folder, *command, "-T", f"solver={solver}", "-T", "tasks=tasks", *arguments, **environment)
    assert done.returncode == 0, done.stdout + done.stderr


def regrade(folder: Path, *arguments: str) -> tuple[dict[str, Any], str]:
    """By solver what became of its log, and what was printed; in this process, which saves seconds a call."""
    load_set.cache_clear()
    world_of.cache_clear()
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        app(["regrade", "logs", "--json", "found.json", *arguments], standalone_mode=False)
    return found_in(folder), printed.getvalue()


def regrade_in_another_process(folder: Path, *arguments: str, **environment: str) -> tuple[dict[str, Any], str]:
    """The same, as a user calls it."""
    done = run(folder, "clawgym", "bench", "regrade", "logs", "--json", "found.json", *arguments, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return found_in(folder), done.stdout + done.stderr


def found_in(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "found.json").read_text())
    return {solver_of(read_eval_log(one["log"])): one for one in found}


def solver_of(log: EvalLog) -> str:
    return str(log.eval.task_args["solver"])


def logs_in(folder: Path) -> dict[str, EvalLog]:
    logs = [read_eval_log(info.name) for info in list_eval_logs(str(folder))]
    return {solver_of(log): log for log in logs}


def only_sample(log: EvalLog) -> EvalSample:
    assert log.samples is not None
    assert len(log.samples) == 1
    return log.samples[0]


def verdict_in(sample: EvalSample) -> dict[str, Any]:
    assert sample.scores is not None
    return dict((sample.scores["verdict"].metadata or {})["verdict"])


def edit_task(folder: Path, old: str, new: str, name: str = "task.yaml") -> None:
    path = folder / "tasks" / "stall-takings" / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evaluated")
    shutil.copytree(FIXTURE_TASKS / "stall-takings", folder / "tasks" / "stall-takings")
    for solver in SOLVERS:
        evaluate(folder, solver)
    return folder


@pytest.fixture
def runs(evaluated: Path, tmp_path: Path) -> Path:
    """A copy in another place, of which a test may change tasks, logs and store."""
    folder = tmp_path / "elsewhere"
    shutil.copytree(evaluated, folder)
    return folder


def test_the_verdicts_are_identical_in_another_process_and_place(runs: Path) -> None:
    before = {path: path.read_bytes() for path in (runs / "logs").rglob("*") if path.is_file()}
    found, printed = regrade_in_another_process(runs, "--tasks", "tasks")

    for solver in SOLVERS:
        one = found[solver]
        assert (one["trials"], one["regraded"], one["moved"], one["left"]) == (1, 1, [], {})
        assert one["changed_tasks"] == {}
    old, new = logs_in(runs / "logs"), logs_in(runs / "logs-regraded")
    for solver, mean in zip(SOLVERS, (1.0, 0.0, 0.0), strict=True):
        assert verdict_in(only_sample(new[solver])) == verdict_in(only_sample(old[solver]))
        assert new[solver].results is not None
        assert new[solver].results.scores == old[solver].results.scores  # type: ignore[union-attr]
        assert only_sample(new[solver]).scores["verdict"].value == mean  # type: ignore[index]
        assert only_sample(new[solver]).events == only_sample(old[solver]).events
    assert {path: path.read_bytes() for path in (runs / "logs").rglob("*") if path.is_file()} == before
    assert printed.count("1 of 1 trials graded again, 0 moved") == 3
    # the workspaces are beside the new log too, which can itself be graded again
    again = run(runs, "clawgym", "bench", "regrade", "logs-regraded", "--tasks", "tasks", "--out", "third")
    assert again.stdout.count("1 of 1 trials graded again, 0 moved") == 3


def test_a_corrected_check_moves_exactly_the_trials_that_it_concerns(runs: Path) -> None:
    edit_task(runs, '"total": sum(pay.values()),', '"total": sum(pay.values()) + 1,', "expected.py")
    found, printed = regrade(runs, "--tasks", "tasks")

    assert found["noop"]["moved"] == found["echo"]["moved"] == []
    moved = found["oracle"]["moved"][0]
    assert (moved["task"], moved["epoch"], moved["old"], moved["old_outcome"], moved["new_outcome"]) == (
        *("stall-takings", 1, 1.0, "scored", "scored"),
    )
    assert moved["new"] == pytest.approx(12 / 13)
    assert moved["checks"] == {"total": [1.0, 0.0]}
    assert list(found["oracle"]["changed_tasks"]) == ["stall-takings"]
    assert "task stall-takings changed" in printed
    assert "total 1 -> 0" in printed
    log = logs_in(runs / "logs-regraded")["oracle"]
    score = only_sample(log).scores["verdict"]  # type: ignore[index]
    assert score.as_float() == pytest.approx(12 / 13)
    assert [edit.value for edit in score.history] == [1.0, score.value]
    assert score.history[1].provenance is not None
    assert log.results is not None
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(12 / 13)
    assert "10804" not in log.model_dump_json()
    assert log.eval.metadata is not None
    assert log.eval.metadata["regraded"]["changed_tasks"] == found["oracle"]["changed_tasks"]


def test_a_grader_failure_gets_its_chance_and_a_new_one_is_shown(runs: Path) -> None:
    shutil.rmtree(runs / "logs")
    check = "    - {id: own, kind: python, role: outcome, rests_on: computed, weight: 13, function: judge}\n"
    edit_task(runs, "  checks:\n", f"  checks:\n{check}")
    code = runs / "tasks" / "stall-takings" / "checks.py"
    code.write_text("def judge(workspace, expected):\n    return 3, ''\n")
    evaluate(runs, "oracle")
    assert only_sample(logs_in(runs / "logs")["oracle"]).scores["verdict"].reason == "grader_failed"  # type: ignore[index]

    code.write_text("def judge(workspace, expected):\n    return 0.5 * (workspace / 'note.md').exists(), 'seen'\n")
    found, _ = regrade(runs, "--tasks", "tasks")
    moved = found["oracle"]["moved"][0]
    assert (moved["old"], moved["old_outcome"], moved["new_outcome"]) == (None, "grader_failed", "scored")
    assert moved["new"] == 0.75
    sample = only_sample(logs_in(runs / "logs-regraded")["oracle"])
    assert sample.scores is not None
    assert (sample.scores["coverage"].value, sample.store["clawgym_outcome"]) == (1.0, "scored")

    code.write_text("def judge(workspace, expected):\n    return float('nan'), ''\n")
    done = run(runs, "clawgym", "bench", "regrade", "logs-regraded", "--tasks", "tasks", "--out", "third")
    assert "0.750" in done.stdout
    assert "grader_failed" in done.stdout
    assert only_sample(logs_in(runs / "third")["oracle"]).scores["coverage"].value == 0.0  # type: ignore[index]


def test_trials_without_a_kept_workspace_stay_as_they_were_and_are_counted(runs: Path) -> None:
    shutil.rmtree(runs / "logs" / FOLDER)
    edit_task(runs, "weight: 10,", "weight: 5,")
    found, printed = regrade(runs, "--tasks", "tasks")

    for solver in SOLVERS:
        assert (found[solver]["regraded"], found[solver]["moved"]) == (0, [])
        assert sum(found[solver]["left"].values()) == 1
    assert "1 left as they were: no workspace KEY" in printed
    old, new = logs_in(runs / "logs"), logs_in(runs / "logs-regraded")
    assert [only_sample(new[solver]).scores for solver in SOLVERS] == [
        only_sample(old[solver]).scores for solver in SOLVERS
    ]


def test_a_place_that_cannot_be_written_is_recorded_and_changes_no_verdict(runs: Path) -> None:
    shutil.rmtree(runs / "logs")
    (runs / "logs").mkdir()
    (runs / "logs" / FOLDER).write_text("a file where the folder should be")
    evaluate(runs, "oracle")
    score = only_sample(logs_in(runs / "logs")["oracle"]).scores["verdict"]  # type: ignore[index]

    assert score.value == 1.0
    assert (score.metadata or {})["workspace"]["kept"].startswith("no (")
    assert "FileExistsError" in (score.metadata or {})["workspace"]["kept"]
    found, _ = regrade(runs, "--tasks", "tasks")
    assert found["oracle"]["regraded"] == 0


def test_eight_trials_at_once_share_what_is_equal(runs: Path) -> None:
    shutil.rmtree(runs / "logs")
    evaluate(runs, "oracle", "--epochs", "8", "--max-samples", "8")
    assert len(list((runs / "logs" / FOLDER).iterdir())) == 1
    found, printed = regrade(runs, "--tasks", "tasks")
    assert (found["oracle"]["trials"], found["oracle"]["regraded"], found["oracle"]["moved"]) == (8, 8, [])
    assert "(1/1)" in printed
    assert (
        logs_in(runs / "logs-regraded")["oracle"].results.scores[0]  # type: ignore[union-attr]
        == logs_in(runs / "logs")["oracle"].results.scores[0]  # type: ignore[union-attr]
    )


def test_an_interrupted_regrade_goes_on_from_its_journal(runs: Path) -> None:
    regrade(runs, "--tasks", "tasks")
    journal = runs / "logs-regraded" / "clawgym-regrade.jsonl"
    journal.write_text(journal.read_text() + '["half a li')
    for log in (runs / "logs-regraded").glob("*.eval"):
        log.unlink()
    found, _ = regrade_in_another_process(runs, "--tasks", "tasks")
    assert [found[solver]["regraded"] for solver in SOLVERS] == [1, 1, 1]
    assert [only_sample(logs_in(runs / "logs-regraded")[s]).scores["verdict"].value for s in SOLVERS] == [1.0, 0.0, 0.0]  # type: ignore[index]

    # a changed task is graded anew, whatever the journal holds
    edit_task(runs, '"total": sum(pay.values()),', '"total": sum(pay.values()) + 1,', "expected.py")
    found, _ = regrade_in_another_process(runs, "--tasks", "tasks")
    assert found["oracle"]["moved"]


@pytest.mark.parametrize("scorer", [(), ("--scorer", "clawgym_bench/verdict"), ("--scorer", "verdict")])
def test_inspect_score_takes_the_same_path(runs: Path, scorer: tuple[str, ...]) -> None:
    log = next(path for path in (runs / "logs").glob("*.eval") if solver_of(read_eval_log(path)) == "oracle")
    edit_task(runs, '"total": sum(pay.values()),', '"total": sum(pay.values()) + 1,', "expected.py")
    arguments = ["--action", "overwrite", "--output-file", "scored.eval", "--display", "plain", *scorer]
    if scorer:
        arguments += ["-S", "tasks=tasks", "-S", f"workspaces=logs/{FOLDER}"]
    done = run(runs, "inspect", "score", str(log), *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    scores = only_sample(read_eval_log(runs / "scored.eval")).scores
    assert scores is not None
    # without a scorer's arguments Inspect takes the tasks that the log names, which are the unchanged ones
    assert scores["verdict"].as_float() == pytest.approx(12 / 13 if scorer else 1.0)
    assert scorer or scores["coverage"].as_float() == 1.0


def test_inspect_score_without_the_workspaces_says_how(runs: Path) -> None:
    shutil.move(runs / "logs" / FOLDER, runs / "moved")
    log = next((runs / "logs").glob("*.eval"))
    arguments = ["--scorer", "clawgym_bench/verdict", "-S", "tasks=tasks", "--action", "overwrite"]
    done = run(runs, "inspect", "score", str(log), *arguments, "--output-file", "scored.eval", "--display", "plain")
    assert done.returncode == 0, done.stdout + done.stderr
    score = only_sample(read_eval_log(runs / "scored.eval")).scores["verdict"]  # type: ignore[index]
    assert score.reason == "grader_failed"
    assert "-S workspaces=DIR says where they are" in (score.explanation or "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("logs", "--out", "logs"), "another folder: the original stays untouched"),
        (("nowhere",), "no evaluation log"),
        (("logs", "--tasks", "logs"), "no task"),
    ],
)
def test_arguments_are_refused(runs: Path, arguments: tuple[str, ...], message: str) -> None:
    with contextlib.chdir(runs), pytest.raises(SpecError, match=message):
        app(["regrade", *arguments], standalone_mode=False)


def test_judge_results_stand_until_the_rubric_changes(runs: Path) -> None:
    shutil.rmtree(runs / "logs")
    task = runs / "tasks" / "stall-takings"
    with_rubric_file(task)
    with endpoint(lambda text: names(1)) as judge:
        evaluate(runs, "oracle", "--model-role", "judge=openai-api/judge/scripted", **judge.environment)
        asked = len(judge.requests)
        assert asked > 0
        edit_task(runs, '"total": sum(pay.values()),', '"total": sum(pay.values()) + 1,', "expected.py")
        found, _ = regrade(runs, "--tasks", "tasks")
        assert len(judge.requests) == asked
    old = verdict_in(only_sample(logs_in(runs / "logs")["oracle"]))
    new = verdict_in(only_sample(logs_in(runs / "logs-regraded")["oracle"]))
    assert (old["rubric"], new["rubric"], new["judged"]) == (0.5, 0.5, old["judged"])
    assert old["score"] == pytest.approx(0.7 + 0.3 * 0.5)
    assert new["score"] == pytest.approx(0.7 * 12 / 13 + 0.3 * 0.5)
    assert (found["oracle"]["judged_kept"], found["oracle"]["judged_dropped"]) == (1, 0)

    edit_task(runs, "friendly voice?", "very friendly voice?", "rubric.yaml")
    found, printed = regrade(runs, "--tasks", "tasks")
    new = verdict_in(only_sample(logs_in(runs / "logs-regraded")["oracle"]))
    assert (new["rubric"], new["rubric_state"], new["judged"]) == (None, "not_measured", None)
    assert (found["oracle"]["judged_kept"], found["oracle"]["judged_dropped"]) == (0, 1)
    assert "1 dropped since the rubric changed" in printed


def test_a_damaged_log_and_one_of_another_task_are_named_and_the_rest_is_graded(runs: Path) -> None:
    for path in sorted((runs / "logs").glob("*.eval"))[1:]:
        path.unlink()
    (whole,) = (runs / "logs").glob("*.eval")
    (runs / "logs" / "0-damaged.eval").write_bytes(whole.read_bytes()[:3000])
    log = read_eval_log(str(whole))
    log.eval.task = "another"
    write_eval_log(log, str(runs / "logs" / "0-another.eval"))
    printed = io.StringIO()
    command = ["regrade", "logs", "--json", "found.json"]
    with contextlib.chdir(runs), contextlib.redirect_stderr(printed):
        assert app(command, standalone_mode=False) == 1
    said = [
        line.partition(": found")[0].rpartition("/")[2] for line in printed.getvalue().splitlines() if "found" in line
    ]
    assert said == ["0-another.eval: task", "0-damaged.eval"]
    assert [Path(one["log"]).name for one in json.loads((runs / "found.json").read_text())] == [whole.name]
