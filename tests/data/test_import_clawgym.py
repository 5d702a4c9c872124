"""The import of the original's release: small folders of our own in its form, whole, broken and hostile."""

import importlib.util
import json
import os
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from clawgym_data.errors import SpecError
from clawgym_data.importers import ImportReport, LossCode, Severity, import_clawgym
from clawgym_data.importers.cli import app
from clawgym_data.importers.loss import SEVERITIES
from clawgym_data.importers.prompt_paths import kind_of, named_files
from clawgym_data.importers.web_needs import web_losses
from clawgym_data.importers.yaml_text import yaml_text
from clawgym_data.strict_yaml import parse_strict_yaml
from clawgym_data.task import load_task

PROMPT = "Count the hens in input/hens.csv and write the number to output/count.txt."
MEAN_CHECKER = """
import json, sys
from pathlib import Path

def grade(workspace):
    answer = Path(workspace) / "output" / "count.txt"
    rows = (Path(workspace) / "input" / "hens.csv").read_text().split()[1:]
    return {"there": float(answer.is_file()), "right": float(answer.is_file() and answer.read_text() == str(len(rows)))}

print(json.dumps(grade(sys.argv[1]), indent=2))
"""
OWN_CHECKER = """
import json, os, sys
root = sys.argv[1] if len(sys.argv) > 1 else "/root/.openclaw/workspace"
there = os.path.isfile(os.path.join(root, "output", "count.txt"))
print(json.dumps({"reward": 0.25 if there else 0.0, "there": there, "unscored": True}))
"""
SCRIPT = "python3 check.py | python3 -c 'd = ...; print(sum(d.values()) / len(d))'\n"


def release(
    root: Path, name: str, *, checker: str | bytes = MEAN_CHECKER, files: dict[str, bytes] | None = None, **entry: Any
) -> Path:
    """Write one released task folder; an entry's field given as None is left out."""
    folder = root / name
    (folder / "reward").mkdir(parents=True)
    fields = {"task_id": name, "user_query": PROMPT, "metadata": {"category": "", "grading_type": "automated"}} | entry
    (folder / "data_entry.json").write_text(
        json.dumps({key: value for key, value in fields.items() if value is not None})
    )
    (folder / "reward" / "check.py").write_bytes(checker if isinstance(checker, bytes) else checker.encode())
    (folder / "reward" / "reward.sh").write_text(SCRIPT)
    for path, content in ({"input/hens.csv": b"name\nAda\nBea\n"} if files is None else files).items():
        target = folder / "input_files" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder


def checks_of(task: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("imported_checks", task / "checks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def codes(report: ImportReport, name: str = "task-0001") -> dict[LossCode, str]:
    task = next(task for task in report.imported if task.id == name)
    return {found.code: found.detail for found in task.losses}


def import_one(tmp_path: Path, **options: Any) -> tuple[ImportReport, Path]:
    release(tmp_path / "split", "task_0001", **options)
    return import_clawgym(tmp_path / "split", tmp_path / "out"), tmp_path / "out" / "task-0001"


def test_a_task_keeps_prompt_files_and_grader_byte_for_byte(tmp_path: Path) -> None:
    source = release(
        tmp_path / "split", "task_0001", files={"input/hens.csv": b"\xff\x00", "tools/run.sh": b"#!/bin/sh\n"}
    )
    (source / "input_files" / "tools" / "run.sh").chmod(0o755)
    import_clawgym(tmp_path / "split", tmp_path / "out")
    task = load_task(tmp_path / "out" / "task-0001")
    assert task.spec.instruction == PROMPT
    assert [(file.path, file.content, file.mode) for file in task.files] == [
        ("input/hens.csv", b"\xff\x00", 0o644),
        ("tools/run.sh", b"#!/bin/sh\n", 0o755),
    ]
    assert (task.folder / "reward" / "check.py").read_text() == MEAN_CHECKER
    assert sorted(task.spec.verification.grader_files) == ["reward/check.py", "reward/reward.sh"]
    assert (task.spec.assurance, task.spec.split, task.spec.category) == ("imported", "imported", "uncategorised")
    assert task.spec.provenance.parents == ("split/task_0001",)
    assert task.spec.provenance.licence == "unknown"
    assert task.spec.output_paths() == ("output/count.txt",)


def test_category_and_licence_come_through_where_the_release_gives_them(tmp_path: Path) -> None:
    report, folder = import_one(tmp_path, license="MIT", metadata={"category": "Analysis & Reasoning"})
    spec = load_task(folder).spec
    assert (spec.category, spec.provenance.licence) == ("analysis-and-reasoning", "MIT")
    assert not {LossCode.NO_CATEGORY, LossCode.NO_LICENCE} & set(codes(report))


def test_the_import_is_deterministic(tmp_path: Path) -> None:
    for number in range(3):
        release(tmp_path / "split", f"task_000{number}")
    reports = [import_clawgym(tmp_path / "split", tmp_path / name) for name in ("one", "two")]
    assert reports[0] == reports[1]
    trees = [
        {p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*") if p.is_file()}
        for n in ("one", "two")
    ]
    assert trees[0] == trees[1]


def test_values_are_averaged_where_the_checker_gives_no_reward_of_its_own(tmp_path: Path) -> None:
    report, folder = import_one(tmp_path)
    checks, workspace = checks_of(folder), folder / "workspace"
    assert checks.original_reward(workspace, None) == (0.0, "0: mean of 2 values; there=0, right=0")
    (workspace / "output").mkdir()
    (workspace / "output" / "count.txt").write_text("3")
    assert checks.original_reward(workspace, None)[0] == 0.5
    (workspace / "output" / "count.txt").write_text("2")
    assert checks.original_reward(workspace, None)[0] == 1.0
    assert LossCode.OWN_REWARD not in codes(report)
    assert LossCode.EXPECTS_FROM_INPUTS in codes(report)


def test_the_checkers_own_reward_counts_and_is_not_averaged_with_its_parts(tmp_path: Path) -> None:
    report, folder = import_one(tmp_path, checker=OWN_CHECKER)
    checks, workspace = checks_of(folder), folder / "workspace"
    assert checks.original_reward(workspace, None)[0] == 0.0
    (workspace / "output").mkdir()
    (workspace / "output" / "count.txt").write_text("3")
    assert checks.original_reward(workspace, None) == (0.25, "0.25: the checker's own reward; there=1, unscored=1")
    assert {LossCode.OWN_REWARD, LossCode.WORKSPACE_PATH} <= set(codes(report))


@pytest.mark.parametrize(
    ("printed", "score"),
    [
        ({"reward": 1.0000000000001}, 1.0),
        ({"a": True, "b": 0}, 0.5),
        (0.5, 0.5),
        ({"reward": True, "why": "private"}, 1.0),
    ],
)
def test_scores(tmp_path: Path, printed: object, score: float) -> None:
    _, folder = import_one(tmp_path, checker=f"print('log'); print({json.dumps(printed)!r})")
    found, evidence = checks_of(folder).original_reward(folder, None)
    assert found == score
    assert "private" not in evidence
    assert ("clamped" in evidence) == (printed == {"reward": 1.0000000000001})


@pytest.mark.parametrize(
    ("checker", "error", "reason"),
    [
        ("print('{\"reward\": NaN}')", ValueError, "reward = nan"),
        ('print(\'{"reward": 1.5, "a": true}\')', ValueError, "gave 1.5"),
        ('print(\'{"a": "yes"}\')', ValueError, "a = 'yes'"),
        ("print('{}')", ValueError, "no values"),
        ("print('fine')", ValueError, "no JSON but 'fine'"),
        ("print('0.0')\nraise KeyError('hens')", RuntimeError, "KeyError: 'hens'"),
    ],
)
@pytest.mark.fault("grader-says-nothing")
def test_a_checker_that_gives_no_score_raises_and_never_gives_0(
    tmp_path: Path, checker: str, error: type[Exception], reason: str
) -> None:
    _, folder = import_one(tmp_path, checker=checker)
    with pytest.raises(error, match=reason):
        checks_of(folder).original_reward(folder, None)


@pytest.mark.fault("grader-leaves-a-process")
def test_a_checker_that_hangs_raises_and_its_children_end(tmp_path: Path) -> None:
    spawn = (
        "import subprocess, sys, time\np = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    )
    _, folder = import_one(tmp_path, checker=spawn + "open('pid', 'w').write(str(p.pid))\ntime.sleep(60)")
    checks = checks_of(folder)
    checks.TIME_LIMIT_SEC = 1.0  # type: ignore[attr-defined]
    with pytest.raises(TimeoutError, match="longer than 1 s"):
        checks.original_reward(folder, None)
    status = Path("/proc") / (folder / "pid").read_text() / "stat"
    deadline = time.monotonic() + 10
    while status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.fault("planted-modules")
def test_a_module_left_by_the_agent_does_not_reach_the_checker(tmp_path: Path) -> None:
    _, folder = import_one(tmp_path)
    workspace = folder / "workspace"
    (workspace / "reward").mkdir()
    for place in (workspace, workspace / "reward"):
        (place / "json.py").write_text("def dumps(*_, **__): return '1.0'\n")
    assert checks_of(folder).original_reward(workspace, None)[0] == 0.0


def test_evidence_stays_short(tmp_path: Path) -> None:
    _, folder = import_one(tmp_path, checker="import json; print(json.dumps({f'key_{n}' * 9: 1 for n in range(400)}))")
    score, evidence = checks_of(folder).original_reward(folder, None)
    assert score == 1.0
    assert len(evidence) < 2000
    assert evidence.endswith("more")


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no-prompt": ({"user_query": None}, "user_query"),
    "number-for-prompt": ({"user_query": 7}, "a int"),
    "half-a-pair": ({"user_query": "\ud800 write it"}, "surrogate"),
    "no-python": ({"checker": "def grade(:"}, "no Python source"),
    "not-utf-8": ({"checker": b"x = '\xff\xfe'"}, "no Python source"),
    "bad-name": ({"files": {"input/a?.txt": b""}}, "some systems refuse"),
    "case-twins": ({"files": {"input/a.txt": b"", "input/A.txt": b""}}, "appear twice"),
    "no-slug": ({"task_id": "___"}, "task_id"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_folder_is_reported_with_its_reason_and_never_half_written(tmp_path: Path, name: str) -> None:
    options, reason = BROKEN[name]
    release(tmp_path / "split", "task_0001")
    release(tmp_path / "split", "task_0002", **options)
    report = import_clawgym(tmp_path / "split", tmp_path / "out")
    assert [task.id for task in report.imported] == ["task-0001"]
    assert [folder.original for folder in report.skipped] == ["task_0002"]
    assert reason in report.skipped[0].reason
    assert sorted(os.listdir(tmp_path)) == ["out", "split"]
    assert os.listdir(tmp_path / "out") == ["task-0001"]


def test_links_missing_parts_and_bad_json_are_refused(tmp_path: Path) -> None:
    split = tmp_path / "split"
    release(split, "good")
    release(split, "link-inside")
    (split / "link-inside" / "input_files" / "passwd").symlink_to("/etc/passwd")
    release(split, "link-as-inputs", files={})
    (split / "link-as-inputs" / "input_files").symlink_to("/etc")
    (split / "link-as-task").symlink_to(split / "good")
    release(split, "no-checker")
    (split / "no-checker" / "reward" / "check.py").unlink()
    release(split, "no-entry")
    (split / "no-entry" / "data_entry.json").unlink()
    release(split, "bad-json")
    (split / "bad-json" / "data_entry.json").write_bytes(b"{\xff")
    release(split, "list")
    (split / "list" / "data_entry.json").write_text("[]")
    report = import_clawgym(split, tmp_path / "out")
    assert [task.id for task in report.imported] == ["good"]
    names = ["bad-json", "link-as-inputs", "link-as-task", "link-inside", "list", "no-checker", "no-entry"]
    assert [folder.original for folder in report.skipped] == names


def test_unknown_fields_and_files_are_reported(tmp_path: Path) -> None:
    folder = release(tmp_path / "split", "task_0001", task_id=None, rules=[1], input_mount_dir="/srv")
    (folder / "notes.txt").write_text("more")
    (folder / "input_files" / "empty").mkdir()
    (folder / "reward" / "reward.sh").write_text("echo 1\n")
    found = codes(import_clawgym(tmp_path / "split", tmp_path / "out"))
    assert found[LossCode.UNKNOWN_FIELD] == "rules"
    assert found[LossCode.UNKNOWN_FILE] == "notes.txt"
    assert found[LossCode.EMPTY_FOLDER] == "input_files/empty"
    assert found[LossCode.MOUNTED_ELSEWHERE] == "/srv"
    assert LossCode.OTHER_REWARD_SCRIPT in found


@pytest.mark.fault("equal-task-ids")
def test_two_folders_with_one_id_are_both_left_out_and_the_others_imported(tmp_path: Path) -> None:
    release(tmp_path / "data" / "eval", "task_0001")
    release(tmp_path / "data" / "train", "Task-0001")
    release(tmp_path / "data" / "train", "task_0002")
    report = import_clawgym(tmp_path / "data", tmp_path / "out")
    assert [task.id for task in report.imported] == ["task-0002"]
    assert [folder.original for folder in report.skipped] == ["eval/task_0001", "train/Task-0001"]
    assert "train/Task-0001 has too" in report.skipped[0].reason
    assert os.listdir(tmp_path / "out") == ["task-0002"]


def test_a_filled_folder_is_refused_unless_tasks_may_be_replaced(tmp_path: Path) -> None:
    report, folder = import_one(tmp_path)
    (folder / "stale.txt").write_text("old")
    (tmp_path / "out" / "mine.txt").write_text("keep")
    with pytest.raises(SpecError, match="contents"):
        import_clawgym(tmp_path / "split", tmp_path / "out")
    assert import_clawgym(tmp_path / "split", tmp_path / "out", replace=True) == report
    assert not (folder / "stale.txt").exists()
    assert (tmp_path / "out" / "mine.txt").read_text() == "keep"


def test_replacing_spares_what_is_no_task(tmp_path: Path) -> None:
    release(tmp_path / "split", "task_0001")
    (tmp_path / "out" / "task-0001").mkdir(parents=True)
    (tmp_path / "out" / "task-0001" / "mine.txt").write_text("keep")
    report = import_clawgym(tmp_path / "split", tmp_path / "out", replace=True)
    assert "something else than a task" in report.skipped[0].reason
    assert (tmp_path / "out" / "task-0001" / "mine.txt").read_text() == "keep"


def test_nothing_to_import_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no released task"):
        import_clawgym(tmp_path, tmp_path / "out")


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("import datetime\nprint(datetime.datetime.now())", LossCode.READS_CLOCK),
        ("import time\nx = time.time()", LossCode.READS_CLOCK),
        ("import os\nos.path.getmtime('a')", LossCode.READS_FILE_TIMES),
        ("open('/etc/hosts')", LossCode.ABSOLUTE_PATH),
        ("import yaml", LossCode.UNGUARDED_IMPORT),
        ("try:\n    import yaml\nexcept ImportError:\n    yaml = None", LossCode.GUARDED_IMPORT),
        ("import subprocess\nsubprocess.run(['ls'])", LossCode.SUBPROCESS_WITHOUT_TIMEOUT),
        ("from subprocess import run as go\ngo(['ls'])", LossCode.SUBPROCESS_WITHOUT_TIMEOUT),
        ("import os, sys\nfor x in os.walk(sys.argv[1]): pass", LossCode.LISTS_WORKSPACE_ROOT),
        (
            "from pathlib import Path\ndef f(w):\n    ws = Path(w)\n    return list(ws.rglob('*'))",
            LossCode.LISTS_WORKSPACE_ROOT,
        ),
        ("import runpy, sys\nrunpy.run_path(sys.argv[1])", LossCode.AGENT_CODE_IN_CHECKER),
        ("import os\nos.environ.get('OPENCLAW_REWARD_PAYLOAD')", LossCode.READS_FINAL_MESSAGE),
        ("r = {}\nr['reward'] = 1", LossCode.OWN_REWARD),
        ("import subprocess\nsubprocess.run(['ls'], timeout=3)", LossCode.USES_SUBPROCESS),
    ],
)
def test_what_a_checkers_source_shows(tmp_path: Path, source: str, code: LossCode) -> None:
    found = codes(import_one(tmp_path, checker=source)[0])
    assert code in found
    untimed = LossCode.SUBPROCESS_WITHOUT_TIMEOUT
    assert code is untimed or untimed not in found


def test_a_harmless_checker_has_only_what_every_imported_task_lacks(tmp_path: Path) -> None:
    source = '"""Never reads /etc/passwd."""\nimport os, time\nreward_dir = os.path.join("w", "reward")\ntime.strftime("%Y", time.gmtime(0))\n'
    found = codes(import_one(tmp_path, checker=source)[0])
    assert set(found) == {LossCode.NO_ORACLE, LossCode.NO_RUBRIC, LossCode.NO_CATEGORY, LossCode.NO_LICENCE}


@pytest.mark.parametrize(
    ("prompt", "code"),
    [
        ("Perform a web search for the latest rates.", LossCode.NEEDS_WEB),
        ("Download the registry from the official site.", LossCode.NEEDS_WEB),
        ("- Internet use is required: find two pages.", LossCode.NEEDS_WEB),
        ("Use a search engine to find it. Work offline otherwise.", LossCode.MAY_NEED_WEB),
        ("Do not use search engines or the internet.", LossCode.BANS_WEB),
        ("Use only these files (no web lookups).", LossCode.BANS_WEB),
        ("Our website sells tea; sum up sales.csv.", LossCode.MENTIONS_WEB),
    ],
)
def test_web_needs(prompt: str, code: LossCode) -> None:
    assert [found.code for found in web_losses(prompt)] == [code]


def test_no_word_of_the_web_is_no_finding() -> None:
    assert web_losses("Sort the list in input/list.txt.") == ()


def test_outputs_of_a_prompt() -> None:
    prompt = (
        "Read input/hens.csv. Write ./output/a.json and output/b.yml; save a note named NOTES.md. Edit config/app.ini in place, "
        "and keep app.ini valid. See https://example.org/x/y.json, e.g. src/demo.py, output/<date>/z.csv, out/log_YYYY.txt. "
        "Output paths: /root/.openclaw/workspace/out/c.sh, /etc/d.conf, output/a.json, OUTPUT/A.json. Use Node.js to build it."
    )
    named = named_files(prompt, {"input/hens.csv", "config/app.ini"})
    assert named.outputs == ("output/a.json", "output/b.yml", "out/c.sh", "NOTES.md")
    assert [kind_of(path) for path in named.outputs] == ["json", "yaml", "code", "text"]
    assert (named.missing, named.unsure) == ((), ())


@pytest.mark.parametrize(
    ("prompt", "missing"),
    [
        ("Inputs:\n- input/app.log (the log)\nWrite output/a.txt.", ("input/app.log",)),
        ("Parse input/app.log. Later create a copy of input/app.log in output/.", ("input/app.log",)),
        ("Create a plan at input/plan.json and check input/plan.json.", ()),
        ("Move each file to input/done/ when read; input/done/a.csv must exist.", ()),
        ("Show what happens with input/missing.csv.", ()),
        ("Use config/hens.csv of input/config/hens.csv.", ()),
    ],
)
def test_missing_fixtures_of_a_prompt(prompt: str, missing: tuple[str, ...]) -> None:
    assert named_files(prompt, {"input/config/hens.csv"}).missing == missing


def test_at_most_30_outputs_are_declared_and_the_rest_is_named(tmp_path: Path) -> None:
    report, folder = import_one(tmp_path, user_query="Write " + ", ".join(f"output/{n}.csv" for n in range(33)))
    assert len(load_task(folder).spec.outputs) == 30
    assert codes(report)[LossCode.OUTPUTS_LEFT_OUT] == "output/30.csv, output/31.csv, output/32.csv"


def test_every_code_has_a_severity_and_counts_go_by_severity(tmp_path: Path) -> None:
    assert set(SEVERITIES) == set(LossCode)
    report, _ = import_one(tmp_path, user_query="Search the web, then write output/a.md. Read input/x.log.")
    severities = [SEVERITIES[code] for code in report.counts()]
    assert severities == sorted(severities, key=list(Severity).index)
    assert report.counts()[LossCode.MISSING_FIXTURE] == 1


TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
DOCUMENTS = st.dictionaries(
    TEXT,
    st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=8
    ),
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS)
def test_the_strict_loader_reads_back_what_is_written(document: dict[str, Any]) -> None:
    assert parse_strict_yaml(yaml_text(document)) == document


def test_command_line(tmp_path: Path) -> None:
    release(tmp_path / "split", "task_0001")
    release(tmp_path / "split", "task_0002", user_query="")
    arguments = [
        "clawgym",
        str(tmp_path / "split"),
        "--out",
        str(tmp_path / "out"),
        "--json",
        str(tmp_path / "report.json"),
    ]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "1 tasks imported" in result.output
    assert "no-oracle" in result.output
    report = ImportReport.model_validate_json((tmp_path / "report.json").read_text())
    assert [folder.original for folder in report.skipped] == ["task_0002"]
    again = CliRunner().invoke(app, arguments)
    assert again.exit_code == 2
    assert CliRunner().invoke(app, [*arguments, "--replace"]).exit_code == 0


def test_command_line_fails_where_nothing_could_be_imported(tmp_path: Path) -> None:
    release(tmp_path / "split", "task_0001", user_query="")
    assert CliRunner().invoke(app, ["clawgym", str(tmp_path / "split"), "--out", str(tmp_path / "out")]).exit_code == 1
