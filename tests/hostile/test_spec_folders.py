"""Hostile task folders: each is refused before anything of it is run, with what was found where and what was expected."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawgym_data import cli
from clawgym_data.errors import ClawGymError, SpecErrors
from clawgym_data.task import find_tasks, load_task, spec_from_document
from tests.conftest import FIXTURE_TASKS

Damage = Callable[[Path], object]


def edited(name: str, old: str, new: str) -> Damage:
    """One text of the folder with a part replaced."""

    def damage(folder: Path) -> None:
        path = folder / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    return damage


def appended(text: str) -> Damage:
    return lambda folder: (folder / "task.yaml").write_text((folder / "task.yaml").read_text("utf-8") + text, "utf-8")


def linked(name: str, target: str) -> Damage:
    return lambda folder: (folder / name).symlink_to(target)


def placed(name: str, content: bytes = b"") -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)

    return damage


def sparse(name: str, size: int) -> Damage:
    def damage(folder: Path) -> None:
        with (folder / name).open("ab") as stream:
            stream.truncate(size)

    return damage


def bound_socket(folder: Path) -> None:
    here = os.getcwd()
    os.chdir(folder)  # a socket's path may be no longer than 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("expected.sock")
    finally:
        os.chdir(here)


def deep_folders(folder: Path) -> None:
    here = os.getcwd()
    os.chdir(folder / "workspace")
    try:
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(here)


@pytest.fixture(autouse=True)
def no_deep_folder_is_left(tmp_path: Path) -> Iterator[None]:
    """Pytest's own cleaning is recursive."""
    yield
    subprocess.run(["rm", "-rf", *map(str, tmp_path.glob("tasks/*/workspace/d"))], check=True)


def cp1252(folder: Path) -> None:
    path = folder / "task.yaml"
    path.write_bytes(path.read_text("utf-8").replace("market stall", "marché stall", 1).encode("cp1252"))


def in_output(path: str) -> Damage:
    return edited("task.yaml", "path: payout.csv\n    kind: csv", f"path: {json.dumps(path)}\n    kind: csv")


CASES: dict[str, tuple[Damage, list[str]]] = {
    # paths that leave the workspace, or that some system reads as another
    "path-up": (in_output("../x"), ["outputs.0.path", "'../x'", "'..'", "relative POSIX path"]),
    "path-up-inside": (in_output("a/../../x"), ["outputs.0.path", "'..'"]),
    "path-absolute": (in_output("/etc/passwd"), ["outputs.0.path", "is absolute"]),
    "path-nul": (in_output("a\0b"), ["outputs.0.path", "some systems refuse"]),
    "path-backslash": (in_output("a\\..\\b"), ["outputs.0.path", "some systems refuse"]),
    "path-drive": (in_output("C:/x"), ["outputs.0.path", "some systems refuse"]),
    "path-nfd": (in_output("cafe\u0301.csv"), ["outputs.0.path", "not NFC"]),
    "path-expected": (
        edited("task.yaml", "expected: expected.py", "expected: ../../expected.py"),
        ["verification.expected", "'..'"],
    ),
    "path-wrong": (edited("task.yaml", "path: wrong/old_rate.py", "path: /bin/sh"), ["wrong.0.path", "is absolute"]),
    "path-rubric": (
        edited("task.yaml", "  expected: expected.py", "  rubric: ../../r.yaml\n  expected: expected.py"),
        ["verification.rubric", "'..'", "file of the task folder"],
    ),
    # what is no plain file
    "link-passwd": (linked("workspace/passwd", "/etc/passwd"), ["workspace/passwd", "symbolic link", "regular files"]),
    "link-folder": (linked("workspace/etc", "/etc"), ["workspace/etc", "symbolic link"]),
    "link-dangling": (linked("workspace/gone", "nothing"), ["workspace/gone", "symbolic link"]),
    "link-loop": (linked("workspace/loop", "loop"), ["workspace/loop", "symbolic link"]),
    "link-solution": (linked("solution/other.py", "/etc/passwd"), ["solution/other.py", "symbolic link"]),
    "link-checks": (linked("checks.py", "/etc/passwd"), ["checks.py", "symbolic link"]),
    "fifo-workspace": (lambda folder: os.mkfifo(folder / "workspace/pipe"), ["workspace/pipe", "fifo"]),
    "fifo-instruction": (
        lambda folder: ((folder / "instruction.md").unlink(), os.mkfifo(folder / "instruction.md")),
        ["instruction.md", "fifo"],
    ),
    "socket": (bound_socket, ["expected.sock", "socket"]),
    # too much
    "deep": (deep_folders, ["workspace", "more than 180 characters"]),
    "huge-workspace": (sparse("workspace/big.bin", 20 << 30), ["big.bin", "too much", "268435456 bytes"]),
    "huge-spec": (sparse("task.yaml", 100 << 20), ["task.yaml", "more than 4194304 bytes", "ordinary size"]),
    "huge-instruction": (sparse("instruction.md", 20 << 20), ["instruction.md", "20971520 bytes", "at most 4194304"]),
    "huge-beside": (sparse("solution/big.bin", 20 << 30), ["solution/big.bin", "too much"]),
    # names
    "case-twins": (placed("workspace/Rules.TXT"), ["workspace paths", "rules.txt", "appear twice"]),
    "case-twin-folders": (placed("workspace/Sales/x"), ["workspace paths", "'sales'", "appear twice"]),
    "nfd-name": (placed("workspace/cafe\u0301.txt"), ["not NFC"]),
    "name-of-separator": (placed("workspace/a\\b.txt"), ["some systems refuse"]),
    "name-not-utf-8": (placed(os.fsdecode(b"workspace/\xff.txt")), ["\\udcff.txt", "not UTF-8"]),
    "name-reserved": (placed("workspace/aux.txt"), ["'aux.txt'", "some systems refuse"]),
    "name-of-controls": (placed("workspace/\x1b[2J"), ["\\x1b[2J", "some systems refuse"]),
    "empty-folder": (lambda folder: (folder / "workspace/inbox").mkdir(), ["inbox", "empty folder", "a file in it"]),
    # YAML
    "yaml-cp1252": (cp1252, ["task.yaml", "byte ", "not UTF-8", "UTF-8 text"]),
    "yaml-utf-16": (
        lambda folder: (folder / "task.yaml").write_text("a: 1", "utf-16"),
        ["task.yaml", "not UTF-8", "UTF-8 text"],
    ),
    "yaml-alias": (appended("a: &x [1]\nb: *x\n"), ["task.yaml", "line ", "aliases are not allowed", "plain YAML"]),
    "yaml-laughs": (
        appended(
            "a: &a [x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
        ),
        ["task.yaml", "aliases are not allowed"],
    ),
    "yaml-merge": (appended("<<: {id: other}\n"), ["task.yaml", "<<", "no field of this name"]),
    "yaml-tag": (appended("x: !!python/object/apply:os.system [id]\n"), ["task.yaml", "tag ", "not allowed"]),
    "yaml-deep": (appended("x: " + "[" * 100_000 + "\n"), ["task.yaml", "nested more than 60 levels"]),
    "yaml-twice": (appended("id: stall-takings\n"), ["task.yaml", "'id' appears twice"]),
    "yaml-digits": (appended("x: " + "9" * 5000 + "\n"), ["task.yaml", "more than 300 digits"]),
    "yaml-infinite": (edited("task.yaml", "max_score: 0.2", "max_score: 1e999"), ["task.yaml", "JSON"]),
    "yaml-surrogate": (edited("task.yaml", "title: Pay", 'title: "\\ud800"\npersona: Pay'), ["half a surrogate pair"]),
    "yaml-list": (lambda folder: (folder / "task.yaml").write_text("[1]"), ["task.yaml", "a list", "a mapping"]),
    "yaml-turns": (appended("turns: {}\n"), ["turns", "{}", "a list whose first turn"]),
    "yaml-manifest": (appended("workspace: []\n"), ["workspace", "computed from the folder"]),
    # ids
    "check-id-twice": (
        edited("task.yaml", "{id: note, kind", "{id: table, kind"),
        ["['table'] appear twice", "unique ids"],
    ),
    "requirement-twice": (edited("task.yaml", "{id: sold, source", "{id: rows, source"), ["requirement ids ['rows']"]),
    "output-case-twins": (
        edited("task.yaml", "path: note.md\n    kind", "path: PAYOUT.csv\n    kind"),
        ["output paths"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_folder_is_refused_with_its_place(name: str, stall_takings: Path) -> None:
    damage, parts = CASES[name]
    damage(stall_takings)
    with pytest.raises(ClawGymError) as caught:
        load_task(stall_takings)
    message = str(caught.value)
    assert message.startswith(str(stall_takings))
    assert "; expected " in message
    for part in parts:
        assert part in message
    assert message.isprintable() or "\n" in message
    assert len(message) < 20_000


@pytest.mark.parametrize("name", ["~", "~/x", "-rf", "$(id)", "x;y", "a b", ".git"])
def test_a_path_that_only_a_shell_would_read_as_another_is_a_name(name: str, stall_takings: Path) -> None:
    placed(f"workspace/{name}/f", b"1")(stall_takings)
    assert f"{name}/f" in {file.path for file in load_task(stall_takings).files}


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_named(stall_takings: Path) -> None:
    (stall_takings / "expected.py").chmod(0)
    with pytest.raises(ClawGymError, match=r"expected\.py: found Permission denied"):
        load_task(stall_takings)


def clawgym(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    """The command line in this process: exit status, and all that it wrote."""
    monkeypatch.setattr(sys, "argv", ["clawgym", *arguments])
    status = 0
    try:
        cli.main()
    except SystemExit as end:
        status = int(end.code or 0)
    written = capsys.readouterr()
    return status, written.out + written.err


@pytest.mark.parametrize("name", ["path-up", "link-loop", "name-not-utf-8", "name-of-controls", "yaml-tag", "deep"])
def test_the_command_line_shows_no_traceback_and_writes_its_report(
    name: str,
    stall_takings: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    damage, parts = CASES[name]
    damage(stall_takings)
    status, written = clawgym(capsys, monkeypatch, "list", str(stall_takings))
    assert status == 2
    assert parts[0] in written
    assert "Traceback" not in written
    report = tmp_path / "proof.json"
    status, written = clawgym(capsys, monkeypatch, "prove", str(stall_takings), "--json", str(report))
    assert status == 1
    assert "Traceback" not in written
    assert parts[0] in json.loads(report.read_text("utf-8"))["tasks"][0]["failures"][0]


def test_a_task_file_in_a_workspace_is_no_task(stall_takings: Path) -> None:
    for place in ("workspace", "workspace/jobs", "solution/more"):
        placed(f"{place}/task.yaml", b"a: 1\n")(stall_takings)
    assert find_tasks((stall_takings.parent,)) == (stall_takings,)
    assert "jobs/task.yaml" in {file.path for file in load_task(stall_takings).files}


def test_links_between_task_folders_are_not_followed_and_loops_end(stall_takings: Path) -> None:
    root = stall_takings.parent
    (root / "again").symlink_to(root)
    (root / "self").symlink_to("self")
    (root / "other").symlink_to(stall_takings)
    assert find_tasks((root,)) == (stall_takings,)
    with pytest.raises(ClawGymError, match="no task"):
        find_tasks((root / "self",))


def fill(root: Path, first: int, end: int) -> None:
    for number in range(first, end):
        (root / f"box{number}").mkdir()
        for name in range(100):
            (root / f"box{number}/{name}").touch()


def test_nineteen_thousand_files_and_ten_thousand_checks_are_read(stall_takings: Path) -> None:
    fill(stall_takings / "workspace", 0, 190)
    spec = load_task(stall_takings).spec
    assert len(spec.workspace) == 19_000 + 3
    document = spec.model_dump(mode="json", by_alias=True)
    check = document["verification"]["checks"][0]
    document["verification"]["checks"] += [check | {"id": f"more-{number}"} for number in range(10_000)]
    assert len(spec_from_document(document, "row").verification.checks) > 10_000
    document["verification"]["checks"] += [check | {"id": f"more-{number}"} for number in range(10_000)]
    with pytest.raises(ClawGymError, match="appear twice") as caught:
        spec_from_document(document, "row")
    assert len(str(caught.value)) < 2_000
    fill(stall_takings / "workspace", 190, 200)
    with pytest.raises(ClawGymError, match="too much"):
        load_task(stall_takings)


def test_of_countless_faults_the_first_are_shown(stall_takings: Path) -> None:
    document = load_task(stall_takings).spec.model_dump(mode="json", by_alias=True)
    document["context"] = list(range(5000))
    with pytest.raises(SpecErrors) as caught:
        spec_from_document(document, "row")
    assert len(caught.value.errors) == 5000
    assert str(caught.value).count("\n") == 50
    assert str(caught.value).endswith("and 4950 more faults")


def test_a_row_of_a_data_set_names_no_file_below_a_file() -> None:
    document = load_task(FIXTURE_TASKS / "stall-takings").spec.model_dump(mode="json", by_alias=True)
    document["workspace"].append(document["workspace"][0] | {"path": "rules.txt/x"})
    with pytest.raises(ClawGymError, match=r"workspace paths \['rules.txt'\] appear twice"):
        spec_from_document(document, "row")
