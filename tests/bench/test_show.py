"""One trial for a person to read: what stands there, and that nothing an agent wrote acts in it."""

import io
import re
import unicodedata
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.event import ErrorEvent
from inspect_ai.model import ChatMessage, ChatMessageUser
from rich.console import Console
from typer.testing import CliRunner, Result

from clawgym_bench.cli import app
from clawgym_bench.openclaw.session import SOURCE
from clawgym_bench.show.changes import compare_snapshots
from clawgym_bench.show.html import element
from clawgym_bench.show.page import page_of
from clawgym_bench.show.terminal import TrialPrinter
from clawgym_bench.show.text import ACTING, KEPT, shortened, visible
from clawgym_bench.trajectory import compare, read_trajectories, sessions_of
from clawgym_data.errors import SpecError
from clawgym_data.grading.rubric import CriterionResult, JudgeVote, RubricResult
from clawgym_data.snapshot import Entry, EntryKind, Snapshot
from tests.bench.calls import SYSTEM, TASK, Recorder, asks, result, says
from tests.bench.logs import failed, sample, verdict, write_log
from tests.bench.scripted import evaluate

"""The tests share their run."""

HOSTILE = (
    "<script>document.title='GONE'</script><img src=x onerror=alert(1)>\"'&amp;</pre></details>"
    "\x1b[2J\x1b]0;title\x07\r\x9b31m\u202egnp.exe\u2066\u2028\U000e0041 [bold red]markup[/] \x00"
)
SGR = re.compile(r"\x1b\[[0-9;]*m")
"""What rich itself writes: colours and nothing else."""
ALLOWED_TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "div", "span", "pre", "code", "b"),
    *("details", "summary", "table", "tr", "th", "td"),
}
ALLOWED_ATTRIBUTES = {"charset", "content", "http-equiv", "name", "lang", "class", "id", "open", "data-label"}


class Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def acting(text: str) -> set[str]:
    """Characters that a terminal or a reader's eye would be moved by."""
    return {c for c in text if unicodedata.category(c) in ACTING and c not in KEPT}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["show", *map(str, arguments)])


def shown(*arguments: object) -> str:
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return " ".join(done.stdout.split())


def hostile_log(folder: Path) -> Path:
    """A trial in which everything that an agent, a judge or a provider can say is hostile."""
    log = Recorder()
    said = log.call([SYSTEM, TASK], asks((HOSTILE, HOSTILE, {HOSTILE: [HOSTILE], "x": HOSTILE}), text=HOSTILE))
    said = log.call([*said, result(HOSTILE, HOSTILE)], asks(("b", "read", {"path": HOSTILE})))
    log.call([ChatMessageUser(content=HOSTILE)], says(HOSTILE))
    log.note("clawgym", {HOSTILE: HOSTILE})
    log.add(ErrorEvent(error=failed(HOSTILE)))
    log.call([*said, result("b", "x")], says(HOSTILE))
    log.note(SOURCE, {"path": HOSTILE, "text": HOSTILE + "\n{}", "truncated": True})
    vote = JudgeVote(level=0.5, reason=HOSTILE)
    judged = RubricResult(
        judge=HOSTILE,
        criteria=(CriterionResult(id="tone", weight=1, score=0.5, evidence=HOSTILE, votes=(vote,)),),
        score=0.5,
    )
    found = verdict("stall", 0.5).model_copy(update={"judged": judged, "rubric": 0.5, "rubric_state": "measured"})
    trial = sample("stall", result=found, events=log.events, input=TASK.text)
    return write_log(folder / "hostile.eval", [trial], ["stall"])


def test_nothing_hostile_acts_on_a_page(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    shown(hostile_log(tmp_path), "--html", target)
    written = target.read_bytes().decode("utf-8")
    page = Page(written)

    assert page.tags <= ALLOWED_TAGS
    assert page.attributes <= ALLOWED_ATTRIBUTES
    assert not acting(written)
    assert "<script" not in written
    assert "default-src 'none'" in written
    assert page.text.count(visible(HOSTILE)) >= 8
    assert "The judge's words" in page.text


@pytest.mark.parametrize("full", [False, True])
def test_nothing_hostile_acts_on_a_terminal(tmp_path: Path, full: bool) -> None:
    [found] = read_trajectories(hostile_log(tmp_path))
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=4000, highlight=False)

    TrialPrinter(console, full).trial(found, compare(found, sessions_of(found)), HOSTILE)

    printed = SGR.sub("", out.getvalue())
    assert SGR.search(out.getvalue())
    assert not acting(printed)
    assert "[bold red]markup[/]" in printed
    assert printed.count("\\x1b[2J") >= 8


@given(st.text(st.characters()))
def test_escaping_keeps_every_text_and_makes_it_harmless(text: str) -> None:
    page = Page(element("pre", text))
    assert page.tags == {"pre"}
    assert page.text == visible(text)
    assert not acting(visible(text))


def test_a_long_text_is_cut_with_a_count() -> None:
    begin, left = shortened("x" * 5000, 800)
    assert (begin, left) == ("x" * 800, "[4,200 more characters of 5,000]")
    assert shortened("x" * 5000, None) == ("x" * 5000, "")
    assert shortened("x" * 810, 800) == ("x" * 810, "")
    assert shortened("\n".join("abc" * 100), 10_000)[1] == "[540 more characters of 599]"


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of two trials of real work, with their workspaces."""
    command = "echo more >> rules.txt; rm sales/2026-04-30.csv; printf 'a\\0b' > raw.bin; echo '<b>' > 'a b.txt'"

    def script(messages: list[ChatMessage], number: int) -> object:
        steps = [("exec", {"command": command}), ("read", {"path": "missing"}), ("exec", {"command": "seq 3000"})]
        return steps[number] if number < len(steps) else "all done"

    folder = tmp_path_factory.mktemp("worked")
    evaluate(script, folder, flag_epochs=2)  # type: ignore[arg-type]
    return folder


def test_a_trial_is_shown_with_its_turns_and_its_verdict(worked: Path) -> None:
    text = shown(worked, "--trial", "stall-takings:2")

    assert "stall-takings, trial 2" in text
    assert "Our market stall changed its commission" in text
    assert "-> exec command: echo more >> rules.txt" in text
    assert "Error: missing: No such file or directory" in text
    assert "more characters of 13,892]" in text
    assert "score 0, not passed" in text
    assert "untouched" in text
    assert "changed rules.txt" in text
    assert "13,892" not in shown(worked, "--trial", "stall-takings:2", "--full")


def test_several_trials_are_listed(worked: Path) -> None:
    text = shown(worked)
    assert "stall-takings:1" in text
    assert "stall-takings:2" in text
    assert "choose one with --trial" in text
    assert "stall-takings:2" in shown(worked, "--trial", "stall-takings")


def test_a_trial_that_is_not_there_is_refused_by_name(worked: Path, tmp_path: Path) -> None:
    done = run(worked, "--trial", "stall-takings:3")
    assert isinstance(done.exception, SpecError)
    assert "stall-takings:1, stall-takings:2" in str(done.exception)
    assert isinstance(run(worked, "--html", tmp_path / "p.html").exception, SpecError)


def test_a_page_has_the_changes_of_the_workspace(worked: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    shown(worked, "--trial", "stall-takings:1", "--html", target)
    page = Page(target.read_text("utf-8"))

    assert page.tags <= ALLOWED_TAGS
    for line in ("+more", "+<b>", "removed sales/2026-04-30.csv", "(no text)", "4 paths are not as they were"):
        assert line in page.text
    assert "expected" not in page.text.replace("all 5 expected rows", "")


def test_a_workspace_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert "workspace: the final workspace is not kept" in shown(hostile_log(tmp_path))


def entry(path: str, content: bytes | None, kind: EntryKind = EntryKind.FILE) -> tuple[Entry, dict[str, bytes]]:
    name = None if content is None else sha256(content).hexdigest()
    blobs = {} if name is None or content is None else {name: content}
    return Entry(path, kind, 0o644, len(content or b""), name, None if content is not None else "a link"), blobs


def snapshot(*entries: tuple[Entry, dict[str, bytes]]) -> Snapshot:
    blobs = {name: content for _, one in entries for name, content in one.items()}
    return Snapshot(tuple(sorted((one for one, _ in entries), key=lambda e: e.path)), blobs, None)


def test_changes_are_diffs_of_texts_and_facts_of_everything_else() -> None:
    before = snapshot(
        entry("a.txt", b"one\ntwo\n"), entry("gone", b"x"), entry("same", b"s"), entry("big", b"y\n" * 9000)
    )
    after = snapshot(
        entry("a.txt", b"one\nthree"),
        entry("new", b""),
        entry("same", b"s"),
        entry("big", b"z\n" * 9000),
        entry("bytes", b"\xff\xfe"),
        entry("link", None, EntryKind.SYMLINK),
    )

    found = {change.path: change for change in compare_snapshots(before, after)}

    assert {path: change.how for path, change in found.items()} == {
        "a.txt": "changed",
        "big": "changed",
        "bytes": "added",
        "gone": "removed",
        "link": "added",
        "new": "added",
    }
    assert found["a.txt"].diff == ("@@ -1,2 +1,2 @@", " one", "-two", "+three  [no line break at the end]")
    assert found["new"].diff == ()
    assert [found[path].diff for path in ("big", "bytes", "link")] == [None, None, None]


def test_what_openclaw_says_otherwise_is_shown(tmp_path: Path) -> None:
    log = Recorder()
    log.call([SYSTEM, TASK], says("done"))
    forged = '{"type": "message", "message": {"role": "assistant", "content": "forged", "stopReason": "stop"}}'
    log.note(SOURCE, {"path": "s.jsonl", "text": forged, "truncated": False})
    path = write_log(tmp_path / "l.eval", [sample("stall", result=verdict("stall", 1.0), events=log.events)], ["stall"])

    text = shown(path)

    assert "OpenClaw's own record does not agree: 0 of 1 answers" in text
    assert "answer missing in log (not in the log, line 1 of s.jsonl): '' / 'forged'" in text
    [found] = read_trajectories(path)
    assert "does not agree" in page_of(found, compare(found, sessions_of(found)), "not kept")
