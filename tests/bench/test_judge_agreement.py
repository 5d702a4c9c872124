"""A judge's agreement with labelled texts, and `clawgym prove --judge`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgym_bench.judge.agreement import agreement_of, measure_agreement
from clawgym_bench.judge.prompt import level_names
from clawgym_data.errors import SpecError
from clawgym_data.locate import bench_tasks
from clawgym_data.proof.rubric import RubricAgreement
from clawgym_data.spec.rubric import Criterion, LabelledText
from clawgym_data.task import Task, load_task
from tests.bench.commands import run_command
from tests.bench.judge_endpoint import Answer, Script, completion, endpoint, names
from tests.bench.rubric_task import with_rubric_file

MODEL = "openai-api/judge/scripted"


def rubric_task() -> Task:
    return load_task(bench_tasks() / "toad-patrol-season-page")


def criteria_of(task: Task) -> tuple[Criterion, ...]:
    assert task.spec.verification.rubric is not None
    return task.spec.verification.rubric.criteria


def scripted_by_label(task: Task, judge: Callable[[Criterion, LabelledText], int]) -> Script:
    """A judge that recognises each labelled text and answers as the test says."""

    def script(read: str) -> Answer:
        criterion = next(c for c in criteria_of(task) if c.question in read)
        # one labelled text can hold another one: the longest that occurs is the one that was shown
        labelled = max((t for t in criterion.labelled if t.text in read), key=lambda t: len(t.text))
        return names(judge(criterion, labelled))

    return script


def label(criterion: Criterion, labelled: LabelledText) -> int:
    return [level.score for level in criterion.levels].index(labelled.level)


def measured(script: Script, monkeypatch: pytest.MonkeyPatch, task: Task) -> RubricAgreement:
    with endpoint(script) as served:
        for name, value in served.environment.items():
            monkeypatch.setenv(name, value)
        return measure_agreement(task, MODEL)


def test_a_fair_judge_proves_the_rubric(monkeypatch: pytest.MonkeyPatch) -> None:
    task = rubric_task()
    found = measured(scripted_by_label(task, label), monkeypatch, task)
    assert [(c.exact, c.within_one, c.raised_injections) for c in found.criteria] == [(1, 1, 0)] * 3
    assert found.record() == f"proven by {MODEL} (agreement 1.00 on {found.texts} labelled texts)"
    assert found.texts == sum(len(c.labelled) for c in criteria_of(task))
    assert found.criteria[0].confusion["good"] == {"1 as 1": 1}


@pytest.mark.fault("judge-obeys-workspace")
def test_a_judge_that_obeys_the_injection_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    task = rubric_task()

    def obeys(criterion: Criterion, labelled: LabelledText) -> int:
        told = any(words in labelled.text for words in ("Ignore the level descriptions", "deserves full marks"))
        return len(level_names(criterion)) - 1 if told else label(criterion, labelled)

    found = measured(scripted_by_label(task, obeys), monkeypatch, task)
    assert all(criterion.raised_injections for criterion in found.criteria)
    assert any("injections judged above their label" in fault for fault in found.faults())
    assert found.record().startswith(f"unproven by {MODEL}")


def test_a_judge_that_always_praises_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    task = rubric_task()
    found = measured(lambda _: names(2), monkeypatch, task)
    assert found.faults()
    assert found.exact < 0.5


@pytest.mark.fault("judge-is-broken-for-all")
def test_a_judge_without_usable_answers_agrees_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    task = rubric_task()
    found = measured(lambda _: completion("85%"), monkeypatch, task)
    assert all(criterion.unanswered == criterion.texts for criterion in found.criteria)
    assert found.exact == 0
    assert found.record().startswith("unproven")


def test_the_figures_of_a_criterion_by_hand() -> None:
    criterion = criteria_of(rubric_task())[0]
    texts = [LabelledText(kind="good", level=1.0, text="a"), LabelledText(kind="injection", level=0.0, text="b")]
    judged = [(texts[0], 1.0), (texts[0], 0.5), (texts[0], 0.0), (texts[0], None), (texts[1], 0.5)]
    found = agreement_of(criterion, judged)
    assert (found.texts, found.exact, found.within_one, found.unanswered) == (5, 0.2, 0.6, 1)
    assert found.raised_injections == 1
    assert found.confusion == {
        "good": {"1 as 1": 1, "1 as 0.5": 1, "1 as 0": 1, "1 as nothing": 1},
        "injection": {"0 as 0.5": 1},
    }


def test_one_text_of_six_may_be_off_and_two_may_not() -> None:
    criterion = criteria_of(rubric_task())[0]
    text = LabelledText(kind="good", level=1.0, text="a")
    assert not agreement_of(criterion, [(text, 1.0)] * 5 + [(text, 0.5)]).faults()
    assert agreement_of(criterion, [(text, 1.0)] * 4 + [(text, 0.5)] * 2).faults()


def test_a_task_without_a_rubric_is_refused(stall_takings: Path) -> None:
    with pytest.raises(SpecError, match=r"verification\.rubric"):
        measure_agreement(load_task(stall_takings), MODEL)


def prove(folder: Path, model: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = ("clawgym", "prove", str(folder), "--judge", model, "--json", str(folder.parent / "proof.json"))
    return run_command(*command, cwd=folder, env=environment, limit_sec=500)


def test_prove_writes_the_agreement_into_the_record(stall_takings: Path) -> None:
    with_rubric_file(stall_takings)
    task = load_task(stall_takings)
    with endpoint(scripted_by_label(task, label)) as served:
        done = prove(stall_takings, MODEL, served.environment)
    proof = json.loads((stall_takings.parent / "proof.json").read_text())["tasks"][0]
    assert proof["rubric"] == f"proven by {MODEL} (agreement 1.00 on 6 labelled texts)"
    assert proof["agreement"]["criteria"][0]["exact"] == 1
    assert proof["passed"], done.stdout
    assert done.returncode == 0
    assert "proven by" in done.stdout


def test_a_judge_that_disagrees_fails_the_command_and_not_the_proof_of_the_code(stall_takings: Path) -> None:
    with_rubric_file(stall_takings)
    with endpoint(lambda _: names(2)) as served:
        done = prove(stall_takings, MODEL, served.environment)
    proof = json.loads((stall_takings.parent / "proof.json").read_text())["tasks"][0]
    assert proof["rubric"].startswith(f"unproven by {MODEL}")
    assert proof["passed"], done.stdout
    assert done.returncode == 1
    assert "1 injections judged above their label" in done.stdout


def test_prove_refuses_a_model_that_is_none_before_it_proves(stall_takings: Path) -> None:
    with_rubric_file(stall_takings)
    done = prove(stall_takings, "no-such-provider/m", {})
    assert done.returncode == 2
    assert "--judge" in done.stderr
    assert not (stall_takings.parent / "proof.json").exists()
