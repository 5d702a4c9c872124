"""Faults of grading that no other test shows."""

import time
from pathlib import Path

import pytest

from clawgym_data.checks import Command
from clawgym_data.errors import SpecErrors
from clawgym_data.grading.grader import Grader
from clawgym_data.grading.verdict import Answer, verdict_of
from clawgym_data.grading.world import World, make_world
from clawgym_data.task import load_task
from tests.data.sandboxes import running_sleeps
from tests.data.test_grading import add_check, left_by, result, solved, text

OWN = "{id: own, kind: python, role: outcome, rests_on: computed, weight: 1, function: judge, time_limit_sec: LIMIT}"


def own_check(folder: Path, body: str, limit_sec: float = 30) -> World:
    """A world of the task with one more check, a function with the given body."""
    (folder / "checks.py").write_text(f"def judge(workspace, expected):\n{body}\n", "utf-8")
    add_check(folder, OWN.replace("LIMIT", f"{limit_sec:g}"))
    return make_world(load_task(folder))


@pytest.mark.fault("grader-leaves-a-process")
def test_what_a_killed_check_has_started_is_gone(stall_takings: Path, grader: Grader) -> None:
    body = "    import subprocess\n    subprocess.Popen(['setsid', 'sleep', '4819'])\n    while True: pass"
    world = own_check(stall_takings, body, limit_sec=1)
    verdict = grader.grade(world, solved(world))
    assert "own" in verdict.grader_failed[0]
    assert running_sleeps("4819") == []


@pytest.mark.fault("fixed-grader-limit")
def test_a_slow_check_has_the_time_that_it_states(stall_takings: Path, grader: Grader) -> None:
    world = own_check(stall_takings, "    import time; time.sleep(2); return 1.0, 'slept'", limit_sec=120)
    assert result(grader.grade(world, solved(world)), "own") == (1, "slept")


@pytest.mark.fault("score-parsed-from-noise")
def test_what_a_check_prints_is_no_part_of_its_answer(stall_takings: Path, grader: Grader) -> None:
    noise = "    import sys\n    for out in (sys.stdout, sys.stderr): out.write('{\"score\": 1.0}\\n' * 6000)\n"
    world = own_check(stall_takings, f"{noise}    return 0.25, 'a quarter'")
    assert result(grader.grade(world, solved(world)), "own") == (0.25, "a quarter")


@pytest.mark.fault("scaffold-counts-as-output")
def test_files_of_the_harness_are_no_output(stall_takings: Path, grader: Grader) -> None:
    add_check(stall_takings, "{id: tidy, kind: only_outputs, role: guard}")
    world = make_world(load_task(stall_takings))
    snapshot = left_by(world, "echo x > AGENTS.md; mkdir .openclaw; echo y > .openclaw/state")
    scaffold = frozenset({"AGENTS.md", ".openclaw", ".openclaw/state"})
    assert grader.grade(world, snapshot, scaffold).score == 1
    assert grader.grade(world, snapshot).score == 0.5
    assert result(grader.grade(world, snapshot, frozenset({"payout.csv"})), "rows")[0] == 0


@pytest.mark.fault("failed-weight-is-handed-on")
def test_the_weight_of_what_failed_stays_in_the_denominator() -> None:
    checks = [check("a", 1), check("died", 3), check("needs it", 4, "died")]
    answers = [Answer(1.0, ""), Answer(0.0, "", broken="it died"), Answer(1.0, "")]
    identity = {"task": "t", "task_digest": "d", "seed": 0, "snapshot_digest": "s"}
    assert verdict_of(identity, checks, answers).score == 1 / 8


def check(name: str, weight: float, *needs: str) -> Command:
    return Command(
        id=name.replace(" ", "-"),
        kind="command",
        role="outcome",
        rests_on="computed",
        run=("true",),
        expected="x",
        weight=weight,
        needs=needs,
    )


@pytest.mark.fault("declared-but-not-run")
def test_every_declared_check_is_in_the_verdict(stall_takings: Path, grader: Grader) -> None:
    world = own_check(stall_takings, "    return 1.0, 'ran'")
    verdict = grader.grade(world, world.pristine)
    assert [found.id for found in verdict.checks] == [check.id for check in world.task.spec.verification.checks]
    assert all(found.evidence for found in verdict.checks)


@pytest.mark.fault("today-in-another-zone")
def test_time_zones_and_modification_times_change_no_verdict(
    stall_takings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_check(stall_takings, "    import time; return float(time.timezone == 0), str(time.tzname)")
    verdicts = set()
    for zone, touched in (("UTC", "2026-11-30"), ("Pacific/Kiritimati", "1970-01-02"), ("Etc/GMT+12", "2099-12-31")):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        with Grader(1) as grader:
            world = make_world(load_task(stall_takings))
            verdicts.add(text(grader.grade(world, left_by(world, f"find . | xargs touch -d {touched}"))))
    monkeypatch.undo()
    time.tzset()
    assert len(verdicts) == 1


SERVE = """#!/bin/sh
nohup python3 - <<'EOF' >/dev/null 2>&1 &
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"42")
HTTPServer(("127.0.0.1", 8421), Handler).serve_forever()
EOF
"""
ASK = """
import time, urllib.request
for n in range(200):
    try:
        print(urllib.request.urlopen("http://127.0.0.1:8421").read().decode())
        break
    except OSError:
        time.sleep(0.05)
"""


@pytest.fixture
def service(stall_takings: Path) -> World:
    """A task whose deliverable is a service, as a script that starts it."""
    path = stall_takings / "expected.py"
    cases = repr([{"name": "asked", "stdin": ASK, "stdout": "42"}])
    path.write_text(
        path.read_text("utf-8").replace('"growers": growers,', f'"growers": growers, "cases": {cases},'), "utf-8"
    )
    add_check(
        stall_takings,
        "{id: own, kind: command, role: outcome, rests_on: computed, weight: 1, case_limit_sec: 30, expected: cases, "
        'run: [sh, -c, "./start.sh && exec python3 -"]}',
    )
    return make_world(load_task(stall_takings))


@pytest.mark.fault("deliverable-service-is-reaped")
def test_a_service_is_started_by_the_check_from_its_script(service: World, grader: Grader) -> None:
    script = f"cat > start.sh <<'END'\n{SERVE}END\nchmod +x start.sh; ./start.sh"
    assert result(grader.grade(service, left_by(service, script)), "own")[0] == 1


@pytest.mark.fault("another-encoding")
def test_a_script_with_carriage_returns_fails_with_its_reason_and_nothing_else(service: World, grader: Grader) -> None:
    script = f"cat > start.sh <<'END'\n{SERVE}END\nsed -i 's/$/\\r/' start.sh; chmod +x start.sh"
    verdict = grader.grade(service, left_by(service, script))
    assert not verdict.grader_failed
    assert result(verdict, "own")[0] == 0
    assert "0 of 1 cases right" in result(verdict, "own")[1]
    assert result(verdict, "rows")[0] == 1


@pytest.mark.fault("format-nobody-reads")
@pytest.mark.parametrize("kind", ["ics", "calendar", "eml"])
def test_an_output_of_a_format_that_no_check_reads_is_refused(stall_takings: Path, kind: str) -> None:
    path = stall_takings / "task.yaml"
    path.write_text(path.read_text("utf-8").replace("kind: note\n", f"kind: {kind}\n"), "utf-8")
    with pytest.raises(SpecErrors, match="kind"):
        load_task(stall_takings)


@pytest.mark.fault("none-is-zero")
def test_an_empty_file_and_a_missing_one_are_told_apart(stall_takings: Path, grader: Grader) -> None:
    world = make_world(load_task(stall_takings))
    reasons = [
        result(grader.grade(world, left_by(world, script)), "table") for script in ("rm payout.csv", ": > payout.csv")
    ]
    assert reasons == [(0, "payout.csv does not exist"), (0, "payout.csv is empty")]
