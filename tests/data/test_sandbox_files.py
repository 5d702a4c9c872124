"""Files of the workspace, from outside and as a snapshot."""

from pathlib import Path

import pytest

from clawgym_data.sandbox import Bubblewrap
from clawgym_data.snapshot import SnapshotLimits
from tests.data.sandboxes import shell


def test_put_is_byte_exact_and_belongs_to_the_user(sandbox: Bubblewrap) -> None:
    files = [
        ("a/b/c.bin", bytes(range(256)), 0o640),
        ("run me.sh", b"#!/bin/sh\necho ran\n", 0o755),
        ("é\n", b"", 0o644),
    ]
    sandbox.put(files)
    snapshot = sandbox.snapshot()

    assert {path: snapshot.content(path) for path, _, _ in files} == {path: content for path, content, _ in files}
    assert [entry.mode for entry in snapshot.entries if entry.sha256] == [0o640, 0o755, 0o644]
    assert sandbox.call(["./run me.sh"]).stdout == b"ran\n"
    assert shell(sandbox, "echo more >> a/b/c.bin; stat -c %U:%G:%a a a/b/c.bin").stdout == (
        b"claw:claw:755\nclaw:claw:640\n"
    )


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x", "", "a//b"])
def test_put_stays_in_the_workspace(sandbox: Bubblewrap, path: str) -> None:
    with pytest.raises(ValueError, match="relative"):
        sandbox.put([(path, b"", 0o644)])


@pytest.mark.fault("link-in-the-graders-folders")
def test_put_follows_no_link_and_replaces_what_is_there(sandbox: Bubblewrap, tmp_path: Path) -> None:
    shell(sandbox, f"ln -s {tmp_path} out; ln -s {tmp_path}/host file; mkfifo fifo")
    sandbox.put([("file", b"1", 0o644), ("fifo", b"2", 0o644)])

    with pytest.raises(NotADirectoryError):
        sandbox.put([("out/x", b"", 0o644)])
    assert list(tmp_path.iterdir()) == []
    assert sandbox.snapshot().content("fifo") == b"2"


def test_the_snapshot_survives_whatever_the_agent_left(sandbox: Bubblewrap) -> None:
    shell(
        sandbox,
        """
        echo 42 > answer; ln -s /etc/shadow link; ln -s / root; mkfifo fifo; mkdir a.csv; touch none; chmod 0 none
        truncate -s 400M sparse; mkdir closed; echo x > closed/in; chmod 0 closed; touch "$(printf 'new\\nline')"
        i=0; mkdir many; cd many; seq 3000 | xargs touch
        """,
    )
    snapshot = sandbox.snapshot(SnapshotLimits(max_entries=500), first=("answer", "sparse", "none"))
    found = {entry.path: entry.kind.value for entry in snapshot.entries if "many/" not in entry.path}

    assert found == {
        "a.csv": "directory",
        "answer": "file",
        "closed": "unreadable",
        "fifo": "special",
        "link": "symlink",
        "many": "directory",
        "none": "unreadable",
        "sparse": "oversized",
    }
    assert snapshot.content("answer") == b"42\n"
    assert snapshot.truncated == "more than 500 entries"
    assert sandbox.snapshot().get("new\nline") is not None


def test_the_snapshot_is_of_the_workspace_even_where_it_was_moved(sandbox: Bubblewrap) -> None:
    shell(sandbox, "echo 1 > a; cd /root; mv .openclaw old; ln -s /etc .openclaw")

    assert [entry.path for entry in sandbox.snapshot().entries] == ["a"]
