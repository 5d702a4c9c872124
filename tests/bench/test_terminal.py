"""What names in logs do to a terminal: nothing."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from clawgym_bench.cli import app
from clawgym_bench.show.text import visible
from clawgym_data.outcome import Outcome
from clawgym_data.progress import progress
from tests.bench.calls import SYSTEM, TASK, Recorder, asks, result, says
from tests.bench.logs import sample, verdict, write_log

HOSTILE = "[/] \x1b[2J\x1b]0;owned\x07 \u202e :smile: [red]"
SHOWN = r"[/] \x1b[2J\x1b]0;owned\x07 \u202e :smile: [red]"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log in which every name acts on a terminal that takes it as it is."""
    log = Recorder()
    said = log.call([SYSTEM, TASK], asks(("a", HOSTILE, {HOSTILE: HOSTILE})))
    log.call([*said, result("a", HOSTILE)], says(HOSTILE))
    metadata = {"category": HOSTILE, "cluster_id": HOSTILE, "digest": f"digest-{HOSTILE}"}
    trials = [
        sample(HOSTILE, 1, verdict(HOSTILE, 0.5), metadata=metadata, events=log.events),
        sample(HOSTILE, 2, outcome=Outcome.INFRA_FAILED, metadata=metadata),
    ]
    arguments = {"solver": HOSTILE}
    folder = tmp_path_factory.mktemp("hostile")
    return write_log(folder / "a.eval", trials, [HOSTILE], 2, task_args=arguments, model=HOSTILE, status="error")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["table", "LOG"], 3),
        (["compare", "LOG", "LOG"], 4),
        (["efficiency", "LOG"], 4),
        (["efficiency", "LOG", "--by", "trial"], 6),
        (["efficiency", "LOG", "--by", "category"], 6),
        (["show", "LOG"], 2),
        (["show", "LOG", "--trial", f"{HOSTILE}:1"], 6),
    ],
)
def test_names_in_a_log_are_printed_as_they_stand(hostile: Path, arguments: list[str], expected: int) -> None:
    given = [str(hostile) if word == "LOG" else word for word in arguments]

    done = CliRunner().invoke(app, given, catch_exceptions=False, terminal_width=4000)

    assert done.exit_code == 0
    assert visible(done.output) == done.output
    assert "".join(done.output.split()).count("".join(SHOWN.split())) >= expected


def test_a_step_of_long_work_is_printed_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("export", 1) as advance:
        advance("[/] \x1b[2J")
    assert capsys.readouterr().err == "export: [/] \\x1b[2J (1/1)\n"
