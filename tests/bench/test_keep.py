"""Packing a final workspace, storing it, and reading the same one back."""

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgym_bench.keep import load_workspace, store_workspace
from clawgym_bench.packed import FORMAT, KeptError, pack, unpack
from clawgym_bench.workspace_store import SUFFIX, WorkspaceStore, place_beside
from clawgym_data.canonical import sha256_hex
from clawgym_data.grading.world import pristine_snapshot, snapshot_of
from clawgym_data.outcome import Outcome
from clawgym_data.snapshot import EntryKind, Snapshot, SnapshotLimits, read_folder
from clawgym_data.task import load_task
from tests.conftest import FIXTURE_TASKS

PRISTINE = snapshot_of({"in/a.txt": (b"first\n", 0o644), "in/b.txt": (b"second\n", 0o644), "c.txt": (b"c", 0o644)})


def hostile_folder(root: Path) -> None:
    """What an agent may leave: every kind of entry, names and modes that no one would choose."""
    (root / "in").mkdir()
    (root / "in" / "a.txt").write_bytes(b"first, edited\n")
    (root / "line\nend").write_bytes(b"1")
    (root / "cafe\u0301").write_bytes(b"NFD")
    (root / "caf\u00e9").write_bytes(b"NFC")
    (root / os.fsdecode(b"bytes-\xff\xfe")).write_bytes(b"surrogates")
    (root / "copy-of-input").write_bytes(b"second\n")
    (root / "empty").write_bytes(b"")
    (root / "link").symlink_to("/etc/passwd")
    (root / "dangling\u20ac").symlink_to(os.fsdecode(b"\xff/nowhere"))
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "sock"))
    (root / "sparse").open("wb").truncate(10 << 30)
    (root / "odd-modes").write_bytes(b"x")
    (root / "odd-modes").chmod(0o6755)
    (root / "no-modes").write_bytes(b"x")
    (root / "no-modes").chmod(0o000)
    (root / "closed").mkdir(mode=0o000)
    (root / "one-of-two").write_bytes(b"linked")
    os.link(root / "one-of-two", root / "two-of-two")


def test_a_hostile_workspace_comes_back_entry_by_entry(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    hostile_folder(root)
    snapshot = read_folder(root)
    (root / "closed").chmod(0o700)
    kinds = {entry.kind for entry in snapshot.entries}
    assert kinds >= set(EntryKind) - {EntryKind.HARDLINK}

    packed = pack(snapshot, PRISTINE)
    back = unpack(packed.key, packed.content, PRISTINE)

    assert back.snapshot.entries == snapshot.entries
    assert back.snapshot.digest == snapshot.digest
    assert dict(back.snapshot.blobs) == dict(snapshot.blobs)
    assert back.left_out == ()


def test_a_listing_that_was_cut_comes_back_cut(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / str(number)).write_bytes(b"")
    snapshot = read_folder(tmp_path, SnapshotLimits(max_entries=10))
    packed = pack(snapshot, PRISTINE)

    assert snapshot.truncated
    assert unpack(packed.key, packed.content, PRISTINE).snapshot == snapshot


FILES = st.dictionaries(
    st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=8).filter(
        lambda name: name not in (".", "..")
    ),
    st.tuples(st.binary(max_size=40), st.integers(0, 0o7777)),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(before=FILES, after=FILES)
def test_unpack_inverts_pack(before: dict[str, tuple[bytes, int]], after: dict[str, tuple[bytes, int]]) -> None:
    pristine, snapshot = snapshot_of(before), snapshot_of(after)
    packed = pack(snapshot, pristine)

    assert unpack(packed.key, packed.content, pristine).snapshot == snapshot


def test_only_what_differs_is_stored() -> None:
    untouched = gzip.decompress(pack(PRISTINE, PRISTINE).content)
    after = snapshot_of({"in/a.txt": (b"first\n", 0o644), "c.txt": (b"new", 0o644), "copy": (b"second\n", 0o600)})
    header, _, body = gzip.decompress(pack(after, PRISTINE).content).partition(b"\n")

    assert len(untouched) < 400
    assert body == b"new"
    assert json.loads(header)["removed"] == ["in/b.txt"]
    assert [entry[0] for entry in json.loads(header)["entries"]] == ["c.txt", "copy"]


def test_over_the_cap_outputs_come_first_and_the_rest_is_hash_and_size() -> None:
    after = snapshot_of({"junk": (b"j" * 10, 0o644), "out.csv": (b"o" * 60, 0o644), "huge": (b"h" * 90, 0o644)})
    packed = pack(after, PRISTINE, ("out.csv",), max_bytes=75)
    back = unpack(packed.key, packed.content, PRISTINE)

    assert [(file.path, file.size, file.sha256) for file in packed.left_out] == [("huge", 90, sha256_hex(b"h" * 90))]
    assert "90 bytes do not fit into the 5 left of 75" in packed.left_out[0].reason
    assert back.left_out == packed.left_out
    assert back.snapshot.digest == after.digest
    assert back.snapshot.content("out.csv") == b"o" * 60
    assert back.snapshot.content("junk") == b"j" * 10


def test_a_workspace_without_what_a_check_reads_is_refused_and_another_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = load_task(FIXTURE_TASKS / "stall-takings")
    monkeypatch.setattr(pack, "__defaults__", ((), 50))
    store = WorkspaceStore(str(tmp_path))
    files = {file.path: (file.content, file.mode) for file in task.files}
    junk = store_workspace(
        store, task, snapshot_of(files | {"note.md": (b"n", 0o644), "junk": (b"j" * 99, 0o644)}), Outcome.SCORED
    )
    note = store_workspace(store, task, snapshot_of(files | {"note.md": (b"n" * 99, 0o644)}), Outcome.SCORED)

    assert (junk.left_out, note.left_out) == (1, 1)
    assert "'junk'" in (junk.reason or "")
    assert load_workspace(junk, store, task).content("note.md") == b"n"
    with pytest.raises(KeptError, match=r"check note reads 'note\.md', of which only hash and size were kept"):
        load_workspace(note, store, task)


def test_a_task_that_begins_otherwise_now_is_a_clear_error() -> None:
    packed = pack(PRISTINE, PRISTINE)
    with pytest.raises(KeptError, match="begins with another workspace"):
        unpack(packed.key, packed.content, snapshot_of({"c.txt": (b"d", 0o644)}))


def _flipped(content: bytes) -> bytes:
    return content[:30] + bytes([content[30] ^ 1]) + content[31:]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_flipped, "damaged"),
        (lambda content: content[:-12], "damaged"),
        (lambda content: b"", "damaged"),
        (lambda content: b"no gzip at all", "damaged"),
        (lambda content: gzip.compress(b"other"), "another hash"),
        (lambda content: gzip.compress(bytes(60 << 20), 1), "unpacks to more than"),
    ],
)
def test_damaged_bytes_are_a_clear_error(spoil: Callable[[bytes], bytes], message: str) -> None:
    packed = pack(snapshot_of({"x": (b"some content of the agent", 0o644)}), PRISTINE)
    with pytest.raises(KeptError, match=message):
        unpack(packed.key, spoil(packed.content), PRISTINE)


@pytest.mark.parametrize(
    "change",
    [
        {"entries": [["../x", "file", 420, 1, sha256_hex(b"x"), None]]},
        {"entries": [["/etc/x", "file", 420, 1, sha256_hex(b"x"), None]]},
        {"entries": [["a", "directory", 1 << 20, 0, None, None]]},
        {"entries": [["a", "nonsense", 420, 0, None, None]]},
        {"entries": [["a", "file", 420, 1, sha256_hex(b"elsewhere"), None]]},
        {"contents": [[sha256_hex(b"y"), 1]]},
        {"contents": "x"},
        {"format": FORMAT + 1},
        {"digest": "0" * 64},
    ],
)
def test_a_forged_store_is_refused(change: dict[str, object]) -> None:
    packed = pack(snapshot_of({"x": (b"x", 0o644)}), PRISTINE)
    header, _, body = gzip.decompress(packed.content).partition(b"\n")
    payload = json.dumps(json.loads(header) | change).encode() + b"\n" + body
    with pytest.raises(KeptError):
        unpack(sha256_hex(payload), gzip.compress(payload), PRISTINE)


def test_eight_at_once_store_equal_workspaces_once(tmp_path: Path) -> None:
    store = WorkspaceStore(str(tmp_path / "place"))
    packs = [pack(snapshot_of({"n": (bytes([n]) * 100_000, 0o644)}), PRISTINE) for n in range(4)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(store.write, packs * 20))

    names = sorted(path.name for path in (tmp_path / "place").iterdir())
    assert names == sorted(f"{packed.key}{SUFFIX}" for packed in packs)
    assert all(store.read(packed.key) == packed.content for packed in packs)


def test_an_url_is_a_place_too() -> None:
    store = WorkspaceStore(place_beside("memory://keep-test/logs/run.eval"))
    packed = pack(snapshot_of({"x": (b"x", 0o644)}), PRISTINE)
    store.write(packed)

    assert store.place == "memory://keep-test/logs/clawgym-workspaces"
    assert unpack(packed.key, store.read(packed.key), PRISTINE).snapshot.content("x") == b"x"
    with pytest.raises(KeptError, match="no workspace 000000000000"):
        store.read("0" * 64)


def test_a_key_that_is_a_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeptError, match="is no key"):
        WorkspaceStore(str(tmp_path)).read("../../etc/passwd")


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    # a limit on the size of files makes the write fail halfway, as a full disk does
    script = f"""
import os, resource, signal
from clawgym_bench.packed import pack
from clawgym_bench.workspace_store import WorkspaceStore
from clawgym_data.grading.world import snapshot_of
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
packed = pack(snapshot_of({{"x": (os.urandom(300_000), 0o644)}}), snapshot_of({{}}))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    WorkspaceStore({str(tmp_path / "place")!r}).write(packed)
except OSError as error:
    print("refused", error.errno)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("refused")
    assert list((tmp_path / "place").iterdir()) == []


def test_killed_while_writing_nothing_half_is_read_and_parts_are_swept(tmp_path: Path) -> None:
    place = tmp_path / "place"
    script = f"""
import os
from clawgym_bench.packed import Packed
from clawgym_bench.workspace_store import WorkspaceStore
from clawgym_data.canonical import sha256_hex
store = WorkspaceStore({str(place)!r})
print("ready", flush=True)
for _ in range(60):
    content = os.urandom(16 << 20)
    store.write(Packed(sha256_hex(content), content, ()))
"""
    for _ in range(12):
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            deadline = time.monotonic() + 20
            while not list(place.glob(".*.part")) and time.monotonic() < deadline:
                time.sleep(0.0005)
            writer.send_signal(signal.SIGKILL)
        if list(place.glob(".*.part")):
            break
    parts = list(place.glob(".*.part"))
    assert parts, "no writer was killed in the middle"
    for path in place.glob(f"*{SUFFIX}"):
        assert sha256_hex(path.read_bytes()) == path.name.removesuffix(SUFFIX)
    os.utime(parts[0], (0, 0))
    store = WorkspaceStore(str(place))
    store.write(pack(snapshot_of({"x": (b"x", 0o644)}), PRISTINE))
    assert not parts[0].exists()


def test_nothing_of_the_pristine_workspace_is_kept_of_an_idle_trial(tmp_path: Path) -> None:
    task = load_task(FIXTURE_TASKS / "stall-takings")
    pristine: Snapshot = pristine_snapshot(task.files)
    record = store_workspace(WorkspaceStore(str(tmp_path)), task, pristine, Outcome.SCORED)

    assert record.bytes_stored < 300
    assert load_workspace(record, WorkspaceStore(str(tmp_path)), task).digest == pristine.digest
