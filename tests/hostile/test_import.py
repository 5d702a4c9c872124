"""Hostile releases: a broken record is reported, and the others are imported whatever it holds."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clawgym_data.importers import ImportReport, LossCode, import_clawgym
from clawgym_data.importers.cli import app
from clawgym_data.importers.prompt_paths import named_files, outside_paths, urls
from clawgym_data.importers.web_needs import web_losses
from clawgym_data.task import load_task
from tests.data.test_import_clawgym import codes, import_one, release


def chain(folder: Path, depth: int, name: str) -> None:
    """A chain of folders, deeper than a path may be long; made and removed step by step."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        for _ in range(depth):
            os.mkdir(name)
            os.chdir(name)
    finally:
        os.chdir(here)


def test_one_broken_record_never_loses_the_rest(tmp_path: Path) -> None:
    split = tmp_path / "split"
    for number in range(12):
        release(split, f"task_{number:02}")
    chain(split / "task_01" / "input_files", 1200, "d")
    chain(split, 1200, "d")
    chain(split / "task_02" / "input_files", 40, "x" * 200)
    chain(split, 40, "x" * 200)
    for name, size in (("task_03/input_files/big", 20 << 30), ("task_04/data_entry.json", 20 << 30)):
        with (split / name).open("ab") as stream:
            stream.truncate(size)
    with (split / "task_05/reward/check.py").open("ab") as stream:
        stream.truncate(5 << 20)
    (split / "task_06/input_files/input/hens.csv").unlink()
    os.mkfifo(split / "task_06/input_files/input/hens.csv")
    (split / "task_07/data_entry.json").unlink()
    os.mkfifo(split / "task_07/data_entry.json")
    (split / "task_08/reward/check.py").write_text("x" + ".a" * 20_000 + "\n")
    (split / "task_09/data_entry.json").write_text('{"user_query": "Write it.", "n": ' + "9" * 5000 + "}")
    (split / "task_10/data_entry.json").write_text("[" * 100_000)
    (split / "loop").symlink_to("loop")
    try:
        report = import_clawgym(split, tmp_path / "out")
    finally:
        deep = [split / "d", split / ("x" * 200), split / "task_01" / "input_files", split / "task_02" / "input_files"]
        subprocess.run(["rm", "-rf", *map(str, deep)], check=True)  # Pytest's own cleaning is recursive
    assert [task.id for task in report.imported] == ["task-00", "task-11"]
    reasons = {folder.original[:40]: folder.reason for folder in report.skipped}
    assert [name for name in reasons if name.startswith("task_")] == [f"task_{n:02}" for n in range(1, 11)]
    assert "more than 180 characters" in reasons["task_01"]
    assert "more than 180 characters" in reasons["task_02"]
    assert "too much" in reasons["task_03"]
    assert "too much" in reasons["task_04"]
    assert "at most 4194304" in reasons["task_05"]
    assert "fifo" in reasons["task_06"]
    assert "regular file" in reasons["task_07"]
    assert "Error" in reasons["task_08"]
    assert "no JSON" in reasons["task_09"]
    assert "no JSON" in reasons["task_10"]
    assert any("File name too long" in reason for reason in reasons.values())
    assert sorted(os.listdir(tmp_path)) == ["out", "split"]


def test_names_that_are_not_utf_8_end_in_the_report_and_never_end_it(tmp_path: Path) -> None:
    split = tmp_path / os.fsdecode(b"spl\xfft")
    release(split, "task_01", license="\udcff", rules="\ud800")
    release(split, os.fsdecode(b"task\xfe02"), task_id=None)
    bad = release(split, "task_03")
    (bad / "input_files" / os.fsdecode(b"\xff.csv")).write_text("x")
    (split / "task_01" / os.fsdecode(b"more\xff")).write_text("x")
    arguments = ["clawgym", str(split), "--out", str(tmp_path / "out"), "--json", str(tmp_path / "r.json")]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    report = ImportReport.model_validate_json((tmp_path / "r.json").read_text("utf-8"))
    assert [task.original for task in report.imported] == ["task_01", "task\\udcfe02"]
    assert [(folder.original, "\\udcff.csv" in folder.reason) for folder in report.skipped] == [("task_03", True)]
    assert codes(report, "task-01")[LossCode.UNKNOWN_FILE] == "more\\udcff"
    assert load_task(tmp_path / "out" / "task-01").spec.provenance.parents == ("spl\\udcfft/task_01",)


def test_a_killed_import_leaves_nothing_that_the_next_one_does_not_remove(tmp_path: Path) -> None:
    for number in range(120):
        release(tmp_path / "split", f"task_{number:03}")
    command = [sys.executable, "-m", "clawgym_data.cli", "data", "import", "clawgym", str(tmp_path / "split")]
    command += ["--out", str(tmp_path / "out")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 120
        while not (tmp_path / "out" / "task-002").exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    left = [name for name in os.listdir(tmp_path) if name.startswith(".out-importing-")]
    assert len(left) == 1
    (tmp_path / ".out-importing-mine").write_text("no folder of ours")
    report = import_clawgym(tmp_path / "split", tmp_path / "out", replace=True)
    assert len(report.imported) == 120
    assert sorted(os.listdir(tmp_path)) == [".out-importing-mine", "out", "split"]


def test_an_import_that_still_runs_keeps_its_folder(tmp_path: Path) -> None:
    release(tmp_path / "split", "task_01")
    other = tmp_path / ".out-importing-other"
    other.mkdir()
    holder = "import fcntl, os, sys\nf = os.open(sys.argv[1], os.O_RDONLY)\nfcntl.flock(f, fcntl.LOCK_EX)\nprint(1, flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(other)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        import_clawgym(tmp_path / "split", tmp_path / "out")
        assert other.is_dir()
        process.communicate(b"\n")
    import_clawgym(tmp_path / "split", tmp_path / "out", replace=True)
    assert not other.exists()


LONG_PROMPTS = (
    "a.",
    "a+",
    "a/",
    "\n",
    " ",
    "to ",
    "download from ",
    "https://a.",
    "- ",
    "input/a.csv is missing ",
    "a" * 99,
)


@pytest.mark.parametrize("part", LONG_PROMPTS)
def test_long_prompts_are_read_in_time_that_grows_with_their_length(part: str) -> None:
    # a pattern that is tried from every place to the end would take minutes here
    prompt = part * (200_000 // len(part))
    named_files(prompt, {"input/hens.csv"})
    web_losses(prompt)
    urls(prompt)
    outside_paths(prompt)


def test_thousands_of_paths_in_a_prompt() -> None:
    prompt = "Read these: " + " ".join(f"input/{number}.csv" for number in range(5000))
    named = named_files(prompt, set())
    assert len(named.missing) == 5000


def test_addresses_and_places_outside_the_workspace_are_reported(tmp_path: Path) -> None:
    prompt = (
        "See https://example.org/a?b=1, and (ftp://example.com/x). Write /root/.openclaw/workspace/out/a.csv, copy it to "
        "/tmp/a.csv and ~/a.csv; use C:\\data\\b.txt, and/or /etc/hosts. Half is 1/2; never write ./tmp/x or a/home/b."
    )
    assert urls(prompt) == ("https://example.org/a?b=1", "ftp://example.com/x")
    assert outside_paths(prompt) == ("/tmp/a.csv", "~/a.csv", "C:\\data\\b.txt", "/etc/hosts")
    report, _ = import_one(tmp_path, user_query=prompt)
    found = codes(report)
    assert "https://example.org" in found[LossCode.NAMES_URL]
    assert "/tmp/a.csv" in found[LossCode.OUTSIDE_PATH]


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("import urllib.request\nurllib.request.urlopen('http://x')", "urllib.request"),
        ("from urllib import request", "urllib.request"),
        ("def f():\n    import http.client as h", "http.client"),
        ("import subprocess\nsubprocess.run(['/usr/bin/curl', 'x'], timeout=3)", "curl"),
        ("import os\nos.system('wget x')", "wget"),
        ("from urllib.parse import quote", None),
        ("import subprocess\nsubprocess.run(['ls', 'curl'], timeout=3)", None),
    ],
)
def test_a_checker_that_reaches_for_a_network_is_reported(tmp_path: Path, source: str, seen: str | None) -> None:
    assert codes(import_one(tmp_path, checker=source)[0]).get(LossCode.CHECKER_NETWORK) == seen


def test_a_long_reward_script_is_read_once(tmp_path: Path) -> None:
    folder = release(tmp_path / "split", "task_0001")
    (folder / "reward" / "reward.sh").write_text("check.py | sum( " * 20_000)
    assert LossCode.OTHER_REWARD_SCRIPT in codes(import_clawgym(tmp_path / "split", tmp_path / "out"))


def test_a_prompt_of_control_characters_reaches_no_terminal(tmp_path: Path) -> None:
    report, folder = import_one(tmp_path, user_query="\x1b[2J\x07 Write \x9b output/a.txt", task_id="task_0001")
    spec = load_task(folder).spec
    assert spec.title.isprintable()
    assert "\x1b" in spec.instruction
    assert json.loads(report.model_dump_json())["imported"][0]["id"] == "task-0001"
