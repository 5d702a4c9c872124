import io
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from clawgym_data.snapshot import EntryKind, SnapshotLimits, add_named, read_tar

FEW = SnapshotLimits(max_entries=5, max_total_bytes=1000)


class Folder:
    """A folder of which archives can be had, of the whole and by name; a link on the way to a name is followed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.asked: list[str] = []

    @contextmanager
    def archive(self, path: str) -> Iterator[IO[bytes]]:
        self.asked.append(path)
        target = io.BytesIO()
        if (self.root / path).exists() or (self.root / path).is_symlink():
            with tarfile.open(fileobj=target, mode="w") as archive:
                archive.add(self.root / path, arcname=Path(path).name)
        target.seek(0)
        yield target

    def whole(self) -> io.BytesIO:
        target = io.BytesIO()
        with tarfile.open(fileobj=target, mode="w") as archive:
            archive.add(self.root, arcname=".")
        target.seek(0)
        return target


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "table.csv").write_text("a,b\n")
    (tmp_path / "out" / "table.csv").chmod(0o640)
    return Folder(tmp_path)


def flood(folder: Folder) -> None:
    for number in range(20):
        (folder.root / f"a{number}").touch()


def test_named_paths_are_there_though_countless_files_come_first(folder: Folder) -> None:
    flood(folder)
    cut = read_tar(folder.whole(), FEW)
    whole = add_named(cut, ("out/table.csv", "missing/x", "a19"), folder.archive, FEW)

    assert cut.get("out/table.csv") is None
    assert whole.content("out/table.csv") == b"a,b\n"
    found = whole.get("out/table.csv")
    assert found is not None
    assert found.mode == 0o640
    assert [whole.get(path) is not None for path in ("out", "a19", "missing", "missing/x")] == [
        True,
        True,
        False,
        False,
    ]
    assert whole.truncated == cut.truncated == "more than 5 entries"
    assert set(cut.entries) < set(whole.entries)


def test_named_paths_are_read_where_others_used_the_bytes_up(folder: Folder) -> None:
    (folder.root / "big").write_bytes(b"x" * 999)
    cut = read_tar(folder.whole(), FEW)

    assert cut.truncated is None
    assert [entry.path for entry in cut.entries if entry.kind is EntryKind.OVERSIZED] == ["out/table.csv"]
    assert add_named(cut, ("out/table.csv",), folder.archive, FEW).content("out/table.csv") == b"a,b\n"


def test_what_is_whole_is_not_read_again(folder: Folder) -> None:
    whole = read_tar(folder.whole(), FEW)

    assert add_named(whole, ("out/table.csv", "missing"), folder.archive, FEW) is whole
    assert folder.asked == []


def test_nothing_is_read_below_a_link(folder: Folder) -> None:
    flood(folder)
    (folder.root / "elsewhere").symlink_to("out")
    (folder.root / "closed").mkdir(mode=0)
    whole = add_named(read_tar(folder.whole(), FEW), ("elsewhere/table.csv", "closed/x"), folder.archive, FEW)

    assert whole.get("elsewhere/table.csv") is None
    assert [entry.kind for path in ("elsewhere", "closed") if (entry := whole.get(path))] == ["symlink", "unreadable"]
    assert folder.asked == ["elsewhere", "closed"]


def test_the_deadline_keeps_what_was_read(folder: Folder) -> None:
    flood(folder)
    cut = read_tar(folder.whole(), FEW)

    assert add_named(cut, ("out/table.csv",), folder.archive, SnapshotLimits(deadline_sec=0)).entries == cut.entries


def test_a_named_path_must_be_relative(folder: Folder) -> None:
    flood(folder)
    with pytest.raises(ValueError, match="relative"):
        add_named(read_tar(folder.whole(), FEW), ("../x",), folder.archive, FEW)
