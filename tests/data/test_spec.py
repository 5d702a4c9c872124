import json
from pathlib import Path

import jsonschema
import pytest

from clawgym_data.canonical import canonical_json
from clawgym_data.checks import Check
from clawgym_data.errors import ClawGymError, SpecError, SpecErrors
from clawgym_data.spec.frozen import path_fault
from clawgym_data.spec.schema import schema_text
from clawgym_data.spec.task import TaskSpec
from clawgym_data.task import find_tasks, load_task, spec_from_document
from tests.conftest import FIXTURE_TASKS, REPOSITORY

ALL_TASKS = sorted((REPOSITORY / "task_specs" / "bench").glob("*/task.yaml"))


def test_the_schema_in_the_repository_is_the_models() -> None:
    assert (REPOSITORY / "task_specs" / "schema" / "task.schema.json").read_text("utf-8") == schema_text()


@pytest.mark.parametrize("path", ALL_TASKS, ids=lambda path: path.parent.name)
def test_every_task_loads_fits_the_schema_and_comes_back_equal(path: Path) -> None:
    task = load_task(path.parent)
    document = json.loads(canonical_json(task.spec))
    jsonschema.validate(task.spec.model_dump(mode="json", by_alias=True), json.loads(schema_text()))
    assert spec_from_document(document, "row") == task.spec


def test_the_digest_is_content(stall_takings: Path) -> None:
    before = load_task(stall_takings).digest
    assert load_task(stall_takings).digest == before
    for name in ("workspace/rules.txt", "instruction.md", "expected.py"):
        path = stall_takings / name
        text = path.read_bytes()
        path.write_bytes(text + b"\n")
        assert load_task(stall_takings).digest != before
        path.write_bytes(text)
    (stall_takings / "workspace/rules.txt").chmod(0o755)
    assert load_task(stall_takings).digest != before


def test_a_default_changes_no_canonical_json() -> None:
    spec = load_task(FIXTURE_TASKS / "stall-takings").spec
    assert "difficulty" not in canonical_json(spec)
    assert canonical_json(spec) == canonical_json(TaskSpec.model_validate_json(canonical_json(spec)))


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("schema_version: 1", "schema_version: 2", ["schema_version", "1"]),
        ("category: analysis-and-reasoning", "category: chess", ["category", "'chess'", "analysis-and-reasoning"]),
        ("cluster_id: stall-takings", "cluster_id: Stall", ["cluster_id", "'Stall'"]),
        ("version: 1\n", "version: yes\n", ["version"]),
        ("kind: inputs_unchanged", "kind: inputs_same", ["verification.checks", "inputs_same"]),
        ("needs: [table]", "needs: [tabel]", ["tabel", "prerequisites", "table"]),
        ("requirements: [total]", "requirements: [totals]", ["totals", "total"]),
        ("weight: 10", "weight: 0", ["rows", "weight above 0"]),
        ("key: [grower]", "key: [growers]", ["growers", "grower"]),
        ("payout: whole}", "payout: penny}", ["penny", "whole"]),
        ("path: payout.csv\n    kind: csv", "path: ../payout.csv\n    kind: csv", ["..", "outputs"]),
        ("path: payout.csv\n    kind: csv", "path: /payout.csv\n    kind: csv", ["absolute"]),
        ("assurance: proven", "assurance: proven\nsurprise: 1", ["surprise", "no field of this name"]),
        ("expected: expected.py", "expected: answers.py", ["verification.expected", "answers.py"]),
        ("wrong/one_day.py", "wrong/two_days.py", ["wrong", "two_days.py"]),
        ("id: stall-takings", "id: stall-taking", ["id", "folder's name"]),
        ("max_words: 60}", "max_words: true}", ["max_words"]),
    ],
)
@pytest.mark.fault("declared-but-not-run")
def test_bad_specs_name_the_field_what_was_found_and_what_was_expected(
    stall_takings: Path, old: str, new: str, parts: list[str]
) -> None:
    path = stall_takings / "task.yaml"
    text = path.read_text("utf-8")
    if old == "version: 1\n":
        text = text.replace("schema_version: 1\n", "schema_version: 1\nversion: 1\n")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(ClawGymError) as caught:
        load_task(stall_takings)
    message = str(caught.value)
    assert "stall-takings" in message
    for part in parts:
        assert part in message


def test_several_faults_are_listed_together(stall_takings: Path) -> None:
    path = stall_takings / "task.yaml"
    path.write_text(
        path.read_text("utf-8").replace("split: bench", "split: x").replace("category: analysis", "category: y"),
        "utf-8",
    )
    with pytest.raises(SpecErrors) as caught:
        load_task(stall_takings)
    assert {error.field for error in caught.value.errors} >= {"split", "category"}


@pytest.mark.fault("link-in-a-fixture")
def test_missing_files_and_odd_files_are_refused(stall_takings: Path) -> None:
    (stall_takings / "workspace/link").symlink_to("/etc/passwd")
    with pytest.raises(SpecError, match="symbolic link"):
        load_task(stall_takings)
    (stall_takings / "workspace/link").unlink()
    (stall_takings / "workspace/Rules.TXT").write_text("x")
    with pytest.raises(SpecErrors, match="appear twice"):
        load_task(stall_takings)
    (stall_takings / "workspace/Rules.TXT").unlink()
    (stall_takings / "instruction.md").unlink()
    with pytest.raises(SpecError, match=r"instruction\.md"):
        load_task(stall_takings)


@pytest.mark.fault("service-never-ready")
def test_what_no_runner_offers_is_refused(stall_takings: Path) -> None:
    path = stall_takings / "task.yaml"
    text = path.read_text("utf-8")
    path.write_text(text + "environment: {services: [mail]}\n", "utf-8")
    with pytest.raises(SpecErrors, match="services"):
        load_task(stall_takings)
    path.write_text(text + "environment: {services: [mail]}\nrequires: [services]\n", "utf-8")
    with pytest.raises(SpecError, match="requires"):
        load_task(stall_takings).refuse_unless_runnable()


@pytest.mark.fault("equal-task-ids")
def test_ids_that_differ_by_case_or_place_are_refused(tmp_path: Path, stall_takings: Path) -> None:
    other = tmp_path / "tasks" / "more" / "Stall-Takings"
    other.mkdir(parents=True)
    (other / "task.yaml").write_text("x: 1")
    with pytest.raises(SpecError, match="id"):
        find_tasks((tmp_path / "tasks",))
    with pytest.raises(SpecError, match="no task"):
        find_tasks((other / "nothing",))


@pytest.mark.parametrize(
    "path", ["", "/a", "../a", "a/../b", "a//b", "./a", "a\\b", "a:b", "con.txt", "a.", "x" * 181, "e\u0301", "a\nb"]
)
def test_paths_that_some_system_refuses(path: str) -> None:
    assert path_fault(path)


@pytest.mark.parametrize("path", ["a", "a/b.txt", ".env", "caf\u00e9/\u5b57.md", ".github/x", "a b"])
def test_ordinary_paths(path: str) -> None:
    assert path_fault(path) is None


def test_every_kind_is_in_the_union_once() -> None:
    from typing import get_args

    kinds = [get_args(kind.model_fields["kind"].annotation)[0] for kind in get_args(get_args(Check)[0])]
    assert len(kinds) == len(set(kinds)) >= 20


def test_bytecode_beside_workspace_code_is_no_part_of_the_task(stall_takings: Path) -> None:
    before = load_task(stall_takings).digest
    cache = stall_takings / "workspace" / "sales" / "__pycache__"
    cache.mkdir()
    (cache / "x.cpython-311.pyc").write_bytes(b"\0")
    assert load_task(stall_takings).digest == before


def test_a_task_folder_may_be_named_from_inside(stall_takings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(stall_takings)
    assert load_task(Path()).id == "stall-takings"


@pytest.mark.parametrize("name", ["instruction.md", "expected.py", "solution/solve.py", "workspace"])
@pytest.mark.fault("link-in-a-fixture")
def test_links_in_a_task_folder_bring_nothing_of_the_host_in(stall_takings: Path, tmp_path: Path, name: str) -> None:
    path = stall_takings / name
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SpecError, match="link"):
        load_task(stall_takings)
