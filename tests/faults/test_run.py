"""Faults of whole runs that no other test shows."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import get_model

from clawgym_bench.figures import Trial, bounds, mean_score
from clawgym_bench.merge import merge_logs
from clawgym_bench.run_log import read_run_log
from clawgym_bench.table import read_runs
from clawgym_data.errors import SpecErrors
from clawgym_data.grading.world import pristine_snapshot
from clawgym_data.task import load_task
from tests.bench.openai_server import Reply, answer, openai_server
from tests.bench.scripted import evaluate, output_of
from tests.conftest import FIXTURE_TASKS
from tests.data.test_grading import add_check
from tests.hostile.cases import HONEST

"""The tests share their run."""

OWN = "{id: own, kind: python, role: outcome, rests_on: computed, weight: 1, function: judge, time_limit_sec: 60}"
SLOW = "    import time\n    time.sleep(2)\n    return float((workspace / 'payout.csv').exists()), 'slow'"
QUOTES = (
    "    import json\n    path = workspace / 'x.json'\n"
    "    return 0.0, json.loads(path.read_text())['x'] if path.exists() else 'nothing'"
)


def add_task(root: Path, name: str, body: str | None = None) -> None:
    folder = root / name
    shutil.copytree(FIXTURE_TASKS / "stall-takings", folder)
    spec = folder / "task.yaml"
    spec.write_text(spec.read_text("utf-8").replace("id: stall-takings", f"id: {name}"), "utf-8")
    if body:
        (folder / "checks.py").write_text(f"def judge(workspace, expected):\n{body}\n", "utf-8")
        add_check(folder, OWN)


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """Three tasks at once: one solved and slowly graded, one not touched, one that leaves half a character."""
    folder = tmp_path_factory.mktemp("replayed")
    add_task(folder / "tasks", "slow", SLOW)
    add_task(folder / "tasks", "idle")
    add_task(folder / "tasks", "half", QUOTES)
    calls: list[dict[str, Any]] = [
        {"name": HONEST[0], "arguments": HONEST[1], "task": "slow"},
        {"name": "exec", "arguments": {"command": "echo of-the-slow-one"}, "task": "slow"},
        {"name": "exec", "arguments": {"command": "echo of-the-idle-one"}, "task": "idle"},
        {"name": "write", "arguments": {"path": "x.json", "content": '{"x": "\\ud800 and \\udfff"}'}, "task": "half"},
    ]
    recording = folder / "calls.jsonl"
    recording.write_text("\n".join(json.dumps(call) for call in calls), "utf-8")
    model = [RuntimeError("no model is asked")]
    return evaluate(model, folder / "logs", tasks=folder / "tasks", replay=str(recording), flag_max_samples=3)


def verdict(sample: EvalSample) -> dict[str, Any]:
    assert sample.scores is not None, sample.error
    found = (sample.scores["verdict"].metadata or {})["verdict"]
    assert isinstance(found, dict)
    return found


@pytest.mark.fault("grading-races-the-next-task")
def test_each_trial_has_the_verdict_and_the_conversation_of_its_own_task(replayed: EvalLog) -> None:
    samples = {str(sample.id): sample for sample in replayed.samples or []}
    for name, sample in samples.items():
        assert (verdict(sample)["task"], verdict(sample)["task_digest"]) == (name, sample.metadata["digest"])
        others = [other for other in samples if other != name and f"of-the-{other}-one" in str(sample.messages)]
        assert others == []
    assert [verdict(samples[name])["score"] for name in ("slow", "idle", "half")] == [1, 0, 0]
    assert "of-the-slow-one" in str(samples["slow"].messages)


@pytest.mark.fault("bytes-end-the-evaluation")
def test_half_a_character_in_evidence_ends_no_evaluation(replayed: EvalLog) -> None:
    assert replayed.status == "success", replayed.error
    again = {str(sample.id): sample for sample in read_eval_log(replayed.location).samples or []}
    own = next(check for check in verdict(again["half"])["checks"] if check["id"] == "own")
    assert own["evidence"] == "\\ud800 and \\udfff"
    assert "\\ud800" in str((again["half"].scores or {})["verdict"].explanation)
    assert len(read_runs([Path(replayed.location)])) == 1


@pytest.mark.fault("scaffold-counts-as-output")
def test_an_idle_trial_leaves_exactly_the_initial_files(replayed: EvalLog) -> None:
    idle = next(sample for sample in replayed.samples or [] if sample.id == "idle")
    task = load_task(FIXTURE_TASKS / "stall-takings")
    assert verdict(idle)["snapshot_digest"] == pristine_snapshot(task.files).digest


@pytest.mark.fault("odd-model-names")
def test_models_with_odd_names_stay_apart(tmp_path: Path) -> None:
    names = ["Org/Model:Free", "Org/Model-Free", "org/model:free..%2F"]
    for name in names:
        model = get_model(f"mockllm/{name}", custom_outputs=lambda *_: output_of("done"), memoize=False)
        assert evaluate(model, tmp_path).status == "success"
    files = sorted(tmp_path.glob("*.eval"))
    assert len(files) == len(names)
    assert sorted(run.model for run in read_runs([tmp_path])) == sorted(f"mockllm/{name}" for name in names)
    with pytest.raises(SpecErrors, match="model"):
        merge_logs([read_run_log(file) for file in files[:2]])


@pytest.mark.fault("unscored-leaves-the-denominator")
def test_one_score_and_three_failures_are_no_perfect_run() -> None:
    ends = {"scored": 1.0, "infra_failed": None, "grader_failed": None, "not_run": None}
    trials = [
        Trial(task=name, cluster=name, category="a", outcome=name, score=score, passed=None)
        for name, score in ends.items()
    ]
    assert (mean_score(trials), bounds(trials)) == (1.0, (0.25, 1.0))


ODD_ARGUMENTS = [
    '{"path": "\\ud800", "content": "\\udfff"}',
    '{"path": "a", "content": "b", "path": "rules.txt"}',
    '{"path": ' + "[" * 5_000 + "]" * 5_000 + "}",
    '{"path": "a", "content": 1e999}',
    "",
    '"\\ud800"',
    '{"\\u0000": "\\ud800"}',
]


@pytest.mark.fault("bytes-end-the-evaluation")
def test_what_a_provider_sends_ends_no_evaluation(tmp_path: Path) -> None:
    def reply(request: dict[str, Any], number: int) -> Reply:
        if number % 2:
            return answer("half \ud800 a character \x00\x1b[2J", [("exec", '{"command": "true"}')])
        if number // 2 < len(ODD_ARGUMENTS):
            return answer(None, [("write", ODD_ARGUMENTS[number // 2])])
        return answer("done \udfff")

    with openai_server(reply) as server:
        model = get_model("openai-api/odd/m", base_url=server.url, api_key="none", memoize=False)
        log = evaluate(model, tmp_path, preflight=False)
        asked = json.dumps(server.requests)
    assert log.status == "success", log.error
    [sample] = read_eval_log(log.location).samples or []
    assert (sample.scores or {})["verdict"].as_float() == 0
    assert ((sample.scores or {})["verdict"].metadata or {})["outcome"] == "scored"
    assert len(server.requests) == 2 * len(ODD_ARGUMENTS) + 1
    assert "half of a character" in asked
