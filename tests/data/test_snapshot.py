import io
import os
import socket
import stat
import subprocess
import tarfile
import threading
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgym_data.snapshot import (
    Entry,
    EntryKind,
    Snapshot,
    SnapshotLimits,
    read_folder,
    read_folder_at,
    read_tar,
    write_folder,
)

NFC, NFD = unicodedata.normalize("NFC", "café.txt"), unicodedata.normalize("NFD", "café.txt")


def kinds(snapshot: Snapshot) -> dict[str, str]:
    return {entry.path: entry.kind.value for entry in snapshot.entries}


def tar_of(folder: Path) -> Snapshot:
    archive = subprocess.run(["tar", "-C", folder, "-cf", "-", "."], capture_output=True, check=True).stdout
    return read_tar(io.BytesIO(archive))


def test_files_folders_and_modes_are_read(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o750)
    (tmp_path / "out" / "a.csv").write_bytes(b"id\r\n1\r\n")
    (tmp_path / "out" / "a.csv").chmod(0o640)
    snapshot = read_folder(tmp_path)

    assert kinds(snapshot) == {"out": "directory", "out/a.csv": "file"}
    assert snapshot.content("out/a.csv") == b"id\r\n1\r\n"
    assert [entry.mode for entry in snapshot.entries] == [0o750, 0o640]
    assert snapshot.truncated is None


@pytest.mark.parametrize("target", ["/etc/passwd", "/", "../outside", "loop"])
@pytest.mark.fault("link-in-the-graders-folders")
def test_a_symbolic_link_is_named_and_not_followed(tmp_path: Path, target: str) -> None:
    (tmp_path / "loop").symlink_to(target)
    snapshot = read_folder(tmp_path)

    assert kinds(snapshot) == {"loop": "symlink"}
    with pytest.raises(KeyError, match="symbolic link to"):
        snapshot.content("loop")


def test_a_link_is_refused_on_the_way_to_the_folder(tmp_path: Path) -> None:
    (tmp_path / "workspace").symlink_to("/etc")
    root_fd = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with pytest.raises(NotADirectoryError):
            read_folder_at(root_fd, "workspace")
        with pytest.raises(ValueError, match="relative"):
            read_folder_at(root_fd, "../..")
    finally:
        os.close(root_fd)


def test_the_root_of_another_process_is_walked_link_by_link(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "inner")
    root = Path(f"/proc/{os.getpid()}/root")

    assert kinds(read_folder(root / str(tmp_path / "inner").lstrip("/"))) == {"a": "file"}
    with pytest.raises(NotADirectoryError):
        read_folder(root / str(tmp_path / "link").lstrip("/"))


def test_special_files_do_not_block_and_lose_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "answer.txt")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "sock"))
    (tmp_path / "right").write_text("42")
    try:
        snapshot = read_folder(tmp_path)
    finally:
        listener.close()

    assert kinds(snapshot) == {"answer.txt": "special", "right": "file", "sock": "special"}
    with pytest.raises(KeyError, match="fifo"):
        snapshot.content("answer.txt")


def test_a_folder_where_a_file_should_be(tmp_path: Path) -> None:
    (tmp_path / "out.csv").mkdir()

    with pytest.raises(KeyError, match="is a directory"):
        read_folder(tmp_path).content("out.csv")


def test_what_its_owner_may_not_read_is_unreadable_for_root_too(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "inner").write_text("x")
    (tmp_path / "file").chmod(0o044)
    (tmp_path / "closed").chmod(0o077)
    try:
        snapshot = read_folder(tmp_path, first=("closed/inner",))
        closed = read_folder(tmp_path / "closed") if os.geteuid() == 0 else None
    finally:
        (tmp_path / "closed").chmod(0o700)

    assert kinds(snapshot) == {"closed": "unreadable", "file": "unreadable"}
    assert closed is None or (closed.entries == () and "0077" in str(closed.truncated))


def test_a_sparse_giant_is_oversized(tmp_path: Path) -> None:
    with (tmp_path / "giant").open("wb") as file:
        file.truncate(10 << 30)
    (tmp_path / "small").write_text("x")

    assert kinds(read_folder(tmp_path)) == {"giant": "oversized", "small": "file"}


def test_the_total_is_bounded(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(name.encode() * 600)
    snapshot = read_folder(tmp_path, SnapshotLimits(max_total_bytes=1000), first=("c",))

    assert kinds(snapshot) == {"a": "oversized", "b": "oversized", "c": "file"}
    assert "1000" in str(snapshot.get("a"))


def test_a_hard_link_to_a_file_outside_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "host").write_text("secret")
    (tmp_path / "tree").mkdir()
    os.link(tmp_path / "host", tmp_path / "tree" / "out")
    (tmp_path / "tree" / "a").write_text("1")
    os.link(tmp_path / "tree" / "a", tmp_path / "tree" / "b")
    snapshot = read_folder(tmp_path / "tree")

    assert kinds(snapshot) == {"a": "file", "b": "file", "out": "hardlink"}
    assert snapshot.content("b") == b"1"
    assert b"secret" not in snapshot.blobs.values()
    with pytest.raises(KeyError, match="2 names"):
        snapshot.content("out")


def test_odd_names_are_kept(tmp_path: Path) -> None:
    for name in (b"new\nline", b"\xff\xfe", NFD.encode()):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(name)
    snapshot = read_folder(tmp_path)

    assert snapshot.content("new\nline") == b"new\nline"
    assert snapshot.content(os.fsdecode(b"\xff\xfe")) == b"\xff\xfe"
    assert snapshot.content(NFC) == NFD.encode()
    assert snapshot.get(NFC) == snapshot.get(NFD)
    assert len(snapshot.digest) == 64


def test_two_names_equal_after_normalisation_answer_neither(tmp_path: Path) -> None:
    (tmp_path / "Å\u0307").write_text("1")
    (tmp_path / unicodedata.normalize("NFD", "Å\u0307")).write_text("2")

    assert read_folder(tmp_path).get("A\u030a\u0307") is not None
    assert read_folder(tmp_path).get("\u212b\u0307") is None


def test_countless_files_are_cut_but_not_the_named_ones(tmp_path: Path) -> None:
    (tmp_path / "out" / NFD.removesuffix(".txt")).mkdir(parents=True)
    (tmp_path / "out" / NFD.removesuffix(".txt") / "z.csv").write_text("1")
    for number in range(3000):
        (tmp_path / f"n{number}").touch()
    named = f"out/{NFC.removesuffix('.txt')}/z.csv"
    snapshot = read_folder(tmp_path, SnapshotLimits(max_entries=100), first=(named, "missing/x", "n7/below"))

    assert len(snapshot.entries) == 100
    assert snapshot.digest != Snapshot(snapshot.entries, snapshot.blobs, None).digest
    assert snapshot.truncated == "more than 100 entries"
    assert snapshot.content(named) == b"1"
    assert snapshot.get("n7") is not None


def test_named_paths_are_read_beyond_the_number(tmp_path: Path) -> None:
    names = [f"f{number}" for number in range(5)]
    for name in names:
        (tmp_path / name).touch()

    assert len(read_folder(tmp_path, SnapshotLimits(max_entries=2), first=names).entries) == 5


@pytest.mark.parametrize("path", ["/etc/passwd", "a/../../b", "", "a//b", "./a"])
def test_a_named_path_must_be_relative(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="relative"):
        read_folder(tmp_path, first=(path,))


def test_depth_is_bounded_and_the_rest_is_kept(tmp_path: Path) -> None:
    (tmp_path / "/".join("d" * 8)).mkdir(parents=True)
    (tmp_path / "e").write_text("x")
    snapshot = read_folder(tmp_path, SnapshotLimits(max_depth=3))

    assert set(kinds(snapshot)) == {"d", "d/d", "d/d/d", "d/d/d/d", "e"}
    assert "deeper than 3" in str(snapshot.truncated)


def test_the_deadline_keeps_what_was_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")

    assert "more than 0 s" in str(read_folder(tmp_path, SnapshotLimits(deadline_sec=0)).truncated)


def test_a_tree_that_changes_meanwhile_never_leads_out(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    stop = threading.Event()

    def swap() -> None:
        victim = tmp_path / "tree" / "x"
        while not stop.is_set():
            victim.write_text("inside")
            victim.unlink()
            victim.symlink_to("/etc/passwd")
            victim.unlink()
            victim.mkdir()
            victim.rmdir()

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for _ in range(300):
            assert set(read_folder(tmp_path / "tree").blobs.values()) <= {b"", b"inside"}
    finally:
        stop.set()
        thread.join()


def test_a_tar_reads_like_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o700)
    (tmp_path / "a" / "x").write_text("hello")
    os.link(tmp_path / "a" / "x", tmp_path / "a" / "y")
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "none").write_text("x")
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "in").write_text("x")
    os.mkfifo(tmp_path / "fifo")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n")).write_bytes(b"odd")
    if os.geteuid() == 0:  # tar itself could not read these as an ordinary user
        (tmp_path / "none").chmod(0)
        (tmp_path / "closed").chmod(0)

    assert kinds(tar_of(tmp_path)) == kinds(read_folder(tmp_path))
    assert tar_of(tmp_path).digest == read_folder(tmp_path).digest
    if os.geteuid() == 0:
        tmp_path.chmod(0o300)
        assert tar_of(tmp_path) == read_folder(tmp_path)
        assert tar_of(tmp_path).is_closed


def test_hostile_tar_members_are_named_and_not_followed() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind, target in (
            ("../../etc/cron", tarfile.REGTYPE, ""),
            ("/abs", tarfile.REGTYPE, ""),
            ("hard", tarfile.LNKTYPE, "/etc/shadow"),
            ("dev", tarfile.BLKTYPE, ""),
            ("deep/er/file", tarfile.REGTYPE, ""),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            archive.addfile(member)
    snapshot = read_tar(io.BytesIO(buffer.getvalue()))

    assert kinds(snapshot) == {
        "../../etc/cron": "special",
        "/abs": "special",
        "hard": "hardlink",
        "dev": "special",
        "deep": "directory",
        "deep/er": "directory",
        "deep/er/file": "file",
    }


def test_a_damaged_tar_keeps_what_came_before() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in ("a", "b"):
            member = tarfile.TarInfo(name)
            member.size = 2000
            archive.addfile(member, io.BytesIO(b"x" * 2000))
    snapshot = read_tar(io.BytesIO(buffer.getvalue()[:3500]))

    assert snapshot.content("a") == b"x" * 2000
    assert snapshot.truncated is not None
    assert read_tar(io.BytesIO(b"not a tar at all")).truncated is not None


def test_write_folder_leaves_out_what_has_no_content(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "locked").mkdir(parents=True)
    (source / "locked" / "x").write_text("1")
    (source / "run.sh").write_text("#!/bin/sh\n")
    (source / "run.sh").chmod(0o4755)
    (source / "link").symlink_to("run.sh")
    (source / "locked").chmod(0o555)
    write_folder(read_folder(source), tmp_path / "copy")

    assert sorted(path.name for path in (tmp_path / "copy").iterdir()) == ["locked", "run.sh"]
    assert stat.S_IMODE((tmp_path / "copy" / "run.sh").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "copy" / "locked").stat().st_mode) == 0o555
    with pytest.raises(FileExistsError):
        write_folder(read_folder(source), tmp_path / "copy")


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x"])
def test_write_folder_never_leaves_its_target(tmp_path: Path, path: str) -> None:
    hostile = Snapshot((Entry(path, EntryKind.FILE, 0o644, 1, "0", None),), {"0": b"x"}, None)

    with pytest.raises(ValueError, match="relative"):
        write_folder(hostile, tmp_path / "target")


names = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12).filter(
    lambda name: name not in (".", "..")
)


@settings(max_examples=25, deadline=None)
@given(files=st.dictionaries(names, st.binary(max_size=40), max_size=5))
def test_writing_and_reading_are_inverse(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    source, copy = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("copies") / "copy"
    for name, content in files.items():
        (source / name).write_bytes(content)
    snapshot = read_folder(source)
    write_folder(snapshot, copy)

    assert read_folder(copy).digest == snapshot.digest
    assert {entry.path: snapshot.content(entry.path) for entry in snapshot.entries} == files
