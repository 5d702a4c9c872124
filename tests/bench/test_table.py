"""The figures of logs: several epochs, damaged and unfinished files, parts of one run, two runs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry, task_with
from inspect_ai.log import EvalConfig, EvalDataset, ProvenanceData, read_eval_log, write_eval_log
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox
from rich.console import Console

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.attempt import attempt, record_outcome
from clawgym_bench.compare import compare_runs
from clawgym_bench.run_log import read_run_log
from clawgym_bench.sheets import sheets_of
from clawgym_bench.table import RunFigures, figures_of, read_logs, read_merged, read_runs
from clawgym_bench.workspace import WORKSPACE
from clawgym_data.errors import SpecError, SpecErrors
from clawgym_data.outcome import Outcome
from tests.bench.logs import failed, sample, verdict, write_log

CLAWGYM = Path(sys.executable).parent / "clawgym"


@solver
def varied(tasks: str) -> Solver:
    """The oracle, nothing, and the oracle with a forbidden file; the second task's first trial fails by no fault of it."""
    oracle, noop = attempt("oracle", tasks), attempt("noop", tasks)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.sample_id == "second":
            if state.epoch == 1:
                record_outcome(state, Outcome.INFRA_FAILED, "for the test")
                return state
            return await oracle(state, generate)
        if state.epoch == 2:
            return await noop(state, generate)
        state = await oracle(state, generate)
        if state.epoch == 3:
            await sandbox().write_file(f"{WORKSPACE}/leak.txt", "x")
        return state

    return solve


def two_tasks_with_a_gate(first: Path) -> Path:
    """The small task twice, with a gate."""
    path = first / "task.yaml"
    gate = "{id: no-leak, kind: file_absent, role: gate, path: leak.txt}"
    path.write_text(path.read_text().replace("  checks:\n", f"  checks:\n    - {gate}\n", 1))
    second = first.parent / "second"
    subprocess.run(["cp", "-r", str(first), str(second)], check=True)
    path = second / "task.yaml"
    path.write_text(path.read_text().replace("id: stall-takings", "id: second"))
    return first.parent


def test_three_epochs_that_differ_and_a_retry_of_what_is_missing(tmp_path: Path, stall_takings: Path) -> None:
    tasks, logs = str(two_tasks_with_a_gate(stall_takings)), tmp_path / "logs"
    task = task_with(clawgym_bench(solver="noop", tasks=tasks), solver=varied(tasks))
    [log] = inspect_eval(task, model="none", epochs=3, log_dir=str(logs), display="none")
    assert log.status == "success", log.error
    [run] = read_runs([logs])
    # stall-takings: 1, 0, 0 (the gate); second: unscored, 1, 1.
    assert run.mean == pytest.approx((1 / 3 + 1) / 2)
    assert run.bounds == pytest.approx(((1 / 3 + 2 / 3) / 2, (1 / 3 + 1) / 2))
    assert (run.planned, run.scored, run.unscored, run.passed) == (6, 5, {"infra_failed": 1}, 3)
    assert (run.pass_rate, run.pass_bounds) == (pytest.approx(2 / 3), pytest.approx((1 / 2, 2 / 3)))
    assert [run.pass_at[k].value for k in (1, 2, 3)] == pytest.approx([2 / 3, (2 / 3 + 1) / 2, 1])
    assert [run.pass_hat[k].value for k in (1, 2, 3)] == pytest.approx([2 / 3, (0 + 1) / 2, 0])
    assert [run.pass_hat[k].tasks for k in (1, 2, 3)] == [2, 2, 1]
    assert run.pass_hat[3].bounds == (0, 0.5)
    assert (run.safety.value, run.safety.failed_trials) == (pytest.approx((2 / 3 + 1) / 2), 1)
    assert run.safety.bounds == pytest.approx((2 / 3, 5 / 6))
    assert run.rubric.trials == {"none": 5}
    assert run.by_category == {"analysis-and-reasoning": run.mean}

    # cut off before the last trials, and retried by Inspect with the solver of the arguments, which does nothing
    file = Path(log.location)
    cut = read_eval_log(str(file))
    cut.samples = [trial for trial in cut.samples or [] if trial.epoch != 3]
    cut.status = "cancelled"
    write_eval_log(cut, str(file))
    assert figures_of(read_run_log(file)).unscored == {"infra_failed": 1, "not_run": 2}
    [again] = eval_retry(str(file), log_dir=str(logs), display="none")
    assert again.status == "success"
    merged, _ = read_merged([logs])
    figures = figures_of(merged)
    assert (figures.planned, figures.unscored, len(figures.logs)) == (6, {"infra_failed": 1}, 2)
    assert figures.mean == pytest.approx((1 / 3 + 1 / 2) / 2)


def figures(path: Path) -> RunFigures:
    return figures_of(read_run_log(path))


@pytest.mark.fault("unscored-leaves-the-denominator")
def test_trials_that_never_ran_widen_every_bound(tmp_path: Path) -> None:
    samples = [sample("x", 1, verdict("x", 1.0, gate=1)), sample("x", 2, verdict("x", 1.0, gate=1))]
    run = figures(write_log(tmp_path / "a.eval", samples, ["x", "y"], epochs=2, status="started"))
    assert (run.mean, run.bounds, run.pass_bounds, run.planned) == (1.0, (0.5, 1.0), (0.5, 1.0), 4)
    assert (run.unscored, run.outcomes) == ({"not_run": 2}, {"scored": 2, "not_run": 2})
    assert (run.pass_hat[2].value, run.pass_hat[2].tasks, run.pass_hat[2].bounds) == (1.0, 1, (0.5, 1.0))
    assert run.by_category == {"a": 1.0}


def test_ungraded_trials_of_a_task_with_a_gate_widen_the_bounds_of_safety(tmp_path: Path) -> None:
    about = {"category": "a", "cluster_id": "y", "digest": "digest-y", "has_gate": True}
    samples = [
        sample("x", 1, verdict("x", 1.0, gate=1)),
        sample("y", 1, None, Outcome.INFRA_FAILED, metadata=about),
        sample("z", 1, None, Outcome.INFRA_FAILED),
    ]
    run = figures(write_log(tmp_path / "a.eval", samples, ["x", "y", "z"]))
    assert (run.safety.value, run.safety.bounds, run.safety.tasks) == (1.0, (0.5, 1.0), 1)


def test_intervals_come_from_ten_tasks_on(tmp_path: Path) -> None:
    names = [f"t{n}" for n in range(10)]
    samples = [sample(name, 1, verdict(name, float(n % 2))) for n, name in enumerate(names)]
    run = figures(write_log(tmp_path / "a.eval", samples, names))
    assert run.ci95 == pytest.approx((0.5 - 2.262157 / 6, 0.5 + 2.262157 / 6), abs=1e-6)
    assert run.pass_ci95 == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert figures(write_log(tmp_path / "b.eval", samples[:9], names[:9])).ci95 is None


@pytest.mark.fault("unscored-leaves-the-denominator")
def test_an_error_that_nobody_classified_is_not_the_agents(tmp_path: Path) -> None:
    samples = [
        sample("x", 1, verdict("x", 0.0), error=failed()),
        sample("x", 2, verdict("x", 0.0), Outcome.AGENT_FAILED, error=failed()),
        sample("x", 3, None, scores=None, error=failed()),
        sample("x", 4, verdict("x", 1.0), invalidation=ProvenanceData(author="a", reason="wrong key")),
    ]
    run = figures(write_log(tmp_path / "a.eval", samples, ["x"], epochs=4))
    assert (run.mean, run.scored, run.unscored) == (0.0, 1, {"infra_failed": 2, "invalidated": 1})


def test_rubric_states_are_never_averaged_together(tmp_path: Path) -> None:
    samples = [
        sample("x", 1, verdict("x", 1.0, rubric=0.5, rubric_state="measured", score=0.85, passed=False)),
        sample("x", 2, verdict("x", 1.0, rubric_state="undecided"), Outcome.JUDGE_UNDECIDED),
        sample("x", 3, verdict("x", 0.5, rubric_state="undecided"), Outcome.AGENT_FAILED),
        sample("y", 1, verdict("y", 1.0)),
    ]
    run = figures(write_log(tmp_path / "a.eval", samples, ["x", "y"], epochs=3))
    # headline of x: 0.85 alone; code of x: (1 + 1 + 0.5) / 3
    assert run.mean == pytest.approx((0.85 + 1) / 2)
    assert run.code.value == pytest.approx((2.5 / 3 + 1) / 2)
    assert run.rubric.trials == {"measured": 1, "undecided": 2, "none": 1}
    assert (run.rubric.value, run.rubric.tasks) == (0.5, 1)
    assert run.rubric.bounds == pytest.approx((0.5 / 3, 2.5 / 3))
    assert run.unscored == {"judge_undecided": 2, "not_run": 2}
    # a trial whose code does not pass cannot pass, whatever the judge would say
    assert run.pass_at[2].bounds == pytest.approx((0.5 * 1 / 3 * 0 + 0.5 * 2 / 3, 0.5 * 2 / 3 + 0.5))


def test_damaged_and_foreign_files_are_named_and_the_rest_is_shown(tmp_path: Path) -> None:
    folder = tmp_path / "two words"
    good = write_log(folder / "b.eval", [sample("x", 1, verdict("x", 1.0))], ["x"])
    write_log(folder / "c.eval", [], ["x"], task="other/popularity")
    (folder / "a.eval").write_bytes(good.read_bytes()[:400])
    (folder / "d.json").write_text('{"status": "success"')
    runs, lines = read_logs([folder])
    assert [run.files for run in runs] == [(str(good),)]
    text = "\n".join(lines)
    assert "a.eval: found" in text
    assert "c.eval: task: found other/popularity; expected a log of clawgym_bench" in text
    done = subprocess.run([str(CLAWGYM), "bench", "table", str(folder)], capture_output=True, text=True, check=True)
    assert "claw_agent" in done.stdout
    assert "left out" in done.stderr
    with pytest.raises(SpecErrors, match="a whole evaluation log"):
        read_logs([folder / "a.eval"])
    with pytest.raises(SpecError, match="no evaluation log"):
        read_logs([tmp_path / "empty"])


def test_a_log_whose_sample_is_damaged_is_left_out_whole(tmp_path: Path) -> None:
    good = write_log(tmp_path / "a.eval", [sample("x", 1, verdict("x", 1.0))], ["x"])
    content = bytearray(good.read_bytes())
    start = content.find(b"samples/x_epoch_1.json") + 40
    content[start : start + 60] = b"\xff" * 60
    bad = tmp_path / "b.eval"
    bad.write_bytes(content)
    runs, lines = read_logs([tmp_path])
    assert [run.files for run in runs] == [(str(good),)]
    assert "b.eval: found" in lines[0]


def test_unfinished_logs_and_parts_of_one_run_are_pointed_out(tmp_path: Path) -> None:
    first = [sample("x", 1, verdict("x", 1.0))]
    write_log(tmp_path / "a.eval", first, ["x", "y"], status="cancelled")
    write_log(tmp_path / "b.eval", [*first, sample("y", 1, verdict("y", 0.0))], ["x", "y"])
    runs, lines = read_logs([tmp_path, tmp_path / "a.eval"])
    assert len(runs) == 2
    assert "a.eval: cancelled, 1 of 2 trials are there" in lines[0]
    assert "--merge counts each trial once" in lines[1]


def test_slices_of_the_set_are_merged(tmp_path: Path) -> None:
    whole = {"name": "clawgym-bench", "samples": 3}
    for name, shard in (("a", ["x", "y"]), ("b", ["z"])):
        samples = [sample(task, 1, verdict(task, float(task == "z"))) for task in shard]
        write_log(
            tmp_path / f"{name}.eval", samples, shard, dataset=EvalDataset(**whole, sample_ids=shard), task_id=name
        )
    run = figures_of(read_merged([tmp_path])[0])
    assert (run.planned, run.tasks, run.mean) == (3, 3, pytest.approx(1 / 3))


def test_the_newest_scored_trial_counts_once(tmp_path: Path) -> None:
    old = [sample("x", 1, verdict("x", 0.0)), sample("y", 1, None, Outcome.INFRA_FAILED)]
    retried = sample("y", 1, verdict("y", 1.0), uuid="another", completed_at="2026-11-30T11:00:00+00:00")
    write_log(tmp_path / "a.eval", old, ["x", "y"])
    # the trial of x is the same one, carried along
    write_log(
        tmp_path / "b.eval",
        [sample("x", 1, verdict("x", 0.0)), retried],
        ["x", "y"],
        created="2026-11-30T12:00:00+00:00",
    )
    # a later failure by no fault of the agent takes nothing away
    lost = sample("x", 1, None, Outcome.INFRA_FAILED, uuid="third", completed_at="2026-11-30T13:00:00+00:00")
    write_log(tmp_path / "c.eval", [lost], ["x", "y"], created="2026-11-30T14:00:00+00:00")
    run = figures_of(read_merged([tmp_path])[0])
    assert (run.mean, run.scored, run.status) == (0.5, 2, "merged")


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"model": "openai/other"}, r"b\.eval: model: found openai/other; expected openai/some"),
        ({"task_args": {"solver": "noop"}}, r"solver: found noop; expected claw_agent"),
        ({"task_args": {"solver": "claw_agent", "category": "a"}}, r"arguments: found"),
        ({"task_version": "2-A"}, r"results_version: found 2; expected 1"),
        ({"config": EvalConfig(epochs=2)}, r"epochs: found 2; expected 1"),
        ({"config": EvalConfig(epochs=1, token_limit=9)}, r"settings: found .*token_limit"),
        ({"model_generate_config": {"temperature": 1}}, r"settings: found .*temperature"),
        ({"model_roles": {"grader": {"model": "openai/judge"}}}, r"roles: found .*openai/judge"),
        ({"dataset": EvalDataset(name="clawgym-bench", samples=5, sample_ids=["y"])}, r"task_set: found .*of 5"),
        ({"metadata": {"harness": {"program": "claude", "version": "2.0.0"}}}, "settings"),
    ],
)
def test_mixtures_are_refused_by_name(tmp_path: Path, other: dict[str, Any], message: str) -> None:
    one = {"dataset": EvalDataset(name="clawgym-bench", samples=2, sample_ids=["x"])}
    two = {"dataset": EvalDataset(name="clawgym-bench", samples=2, sample_ids=["y"])}
    write_log(tmp_path / "a.eval", [sample("x", 1, verdict("x", 1.0))], ["x"], **one)
    write_log(tmp_path / "b.eval", [sample("y", 1, verdict("y", 1.0))], ["y"], **(two | other))
    with pytest.raises(SpecErrors, match=message):
        read_merged([tmp_path])


def test_how_a_run_proceeds_is_no_mixture(tmp_path: Path) -> None:
    samples = [sample("x", 1, verdict("x", 1.0))]
    write_log(tmp_path / "a.eval", samples, ["x"])
    write_log(tmp_path / "b.eval", samples, ["x"], model_generate_config={"max_connections": 3, "max_retries": 2})
    assert len(read_merged([tmp_path])[0].trials) == 1


def test_two_runs_are_not_one(tmp_path: Path) -> None:
    write_log(tmp_path / "a.eval", [sample("x", 1, verdict("x", 1.0))], ["x"])
    write_log(tmp_path / "b.eval", [sample("x", 1, verdict("x", 0.0), uuid="another")], ["x"])
    with pytest.raises(SpecErrors, match=r"a\.eval and .*b\.eval: x, epoch 1: found different scored trials"):
        read_merged([tmp_path])


def test_one_trial_with_two_gradings_is_refused(tmp_path: Path) -> None:
    write_log(tmp_path / "a.eval", [sample("x", 1, verdict("x", 1.0))], ["x"])
    write_log(tmp_path / "b.eval", [sample("x", 1, verdict("x", 0.5))], ["x"])
    with pytest.raises(SpecErrors, match=r"a\.eval and .*b\.eval: x, epoch 1: found one trial with different scores"):
        read_merged([tmp_path])


def test_another_content_of_a_task_is_refused(tmp_path: Path) -> None:
    write_log(tmp_path / "a.eval", [sample("x", 1, verdict("x", 1.0))], ["x"])
    write_log(tmp_path / "b.eval", [sample("x", 1, verdict("x", 1.0, task_digest="changed"))], ["x"])
    with pytest.raises(SpecErrors, match="digest of x: found changed; expected digest-x"):
        read_merged([tmp_path])


def test_a_task_outside_the_set_is_refused(tmp_path: Path) -> None:
    write_log(tmp_path / "a.eval", [sample("x", 1, verdict("x", 1.0))], ["x"])
    write_log(tmp_path / "b.eval", [sample("y", 1, verdict("y", 1.0))], ["y"])
    with pytest.raises(SpecErrors, match=r"tasks: found y; expected a task of the 1 in the set of .*a\.eval"):
        read_merged([tmp_path])


def ten(path: Path, scores: list[float], **other: Any) -> Path:
    names = [f"t{n}" for n in range(len(scores))]
    samples = [sample(name, 1, verdict(name, score)) for name, score in zip(names, scores, strict=True)]
    return write_log(path, samples, names, **other)


def test_two_runs_are_compared_task_by_task(tmp_path: Path) -> None:
    first = ten(tmp_path / "a" / "a.eval", [0.2] * 10)
    second = ten(tmp_path / "b" / "b.eval", [0.3, 0.5] * 5 + [1.0], model="openai/other")
    command = [str(CLAWGYM), "bench", "compare", str(first), str(second.parent), "--json", str(tmp_path / "c.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "only in the second, left out: t10" in done.stdout
    found = json.loads((tmp_path / "c.json").read_text())
    assert [entry["figure"] for entry in found["differences"]] == ["score", "code", "passed"]
    score = found["differences"][0]["paired"]
    assert (score["tasks"], score["better"], score["p_value"]) == (10, 10, 2 / 2**10)
    assert score["difference"] == pytest.approx(0.2)
    assert score["ci95"] == pytest.approx([0.2 - 2.262157 / 30, 0.2 + 2.262157 / 30], abs=1e-6)
    assert found["differences"][0]["bounds"] == pytest.approx([0.2, 0.2])


def test_unscored_trials_widen_a_comparison(tmp_path: Path) -> None:
    first = read_run_log(ten(tmp_path / "a.eval", [0.5, 0.5]))
    lost = [sample("t0", 1, verdict("t0", 1.0)), sample("t1", 1, None, Outcome.INFRA_FAILED)]
    second = read_run_log(write_log(tmp_path / "b.eval", lost, ["t0", "t1"]))
    score = compare_runs(first, second).differences[0]
    assert score.paired is not None
    assert (score.paired.tasks, score.paired.difference, score.bounds) == (1, 0.5, (0.0, 0.5))


def test_only_code_is_compared_where_one_run_was_not_judged(tmp_path: Path) -> None:
    judged = verdict("x", 1.0, rubric=0.0, rubric_state="measured", score=0.7)
    first = read_run_log(write_log(tmp_path / "a.eval", [sample("x", 1, verdict("x", 1.0))], ["x"]))
    second = read_run_log(write_log(tmp_path / "b.eval", [sample("x", 1, judged)], ["x"]))
    [code] = compare_runs(first, second).differences
    assert code.figure == "code"
    assert code.paired is not None
    assert code.paired.difference == 0


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"task_version": "2-A"}, "results version: found 2; expected 1"),
        ({"digest": "changed"}, "digest of t0: found changed; expected digest-t0"),
    ],
)
def test_runs_that_are_not_comparable_are_refused(tmp_path: Path, other: dict[str, Any], message: str) -> None:
    digest = {"task_digest": other.pop("digest", "digest-t0")}
    first = read_run_log(ten(tmp_path / "a.eval", [0.5]))
    samples = [sample("t0", 1, verdict("t0", 1.0, **digest))]
    second = read_run_log(write_log(tmp_path / "b.eval", samples, ["t0"], **other))
    with pytest.raises(SpecErrors, match=message):
        compare_runs(first, second)


def test_a_table_of_100_columns_cuts_no_figure_and_names_each_log_and_its_date(tmp_path: Path) -> None:
    names = [f"t{n}" for n in range(10)]
    samples = [sample(name, 1, verdict(name, float(n % 2))) for n, name in enumerate(names)]
    files = [write_log(tmp_path / f"a-rather-long-name-of-a-log-file-{n}.eval", samples, names) for n in range(2)]
    runs, _ = read_logs([tmp_path])
    with (tmp_path / "out").open("w") as out:
        console = Console(width=100, file=out)
        for sheet in sheets_of([figures_of(run) for run in runs], categories=True):
            console.print(sheet)
    text = (tmp_path / "out").read_text()
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 100
    assert text.count("2026-11-30 09:00") == 2
    assert all(file.name[-6:] in text for file in files)


def test_trials_under_way_when_a_run_was_cancelled_are_told_as_interrupted(tmp_path: Path) -> None:
    cancelled = sample("b", scores={}, error=failed("CancelledError('Cancelled via cancel scope')"))
    log = write_log(tmp_path / "a.eval", [sample("a", result=verdict("a", 1.0)), cancelled], ["a", "b"])
    run = figures_of(read_run_log(log))
    assert (run.scored, run.unscored) == (1, {"interrupted": 1})
