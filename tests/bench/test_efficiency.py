"""What trials took: each figure against numbers worked by hand, and the command on a real log."""

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelOutput
from typer.testing import CliRunner

from clawgym_bench.cli import app
from clawgym_bench.efficiency import Fault, calls_of, effort_of, empty_polls, recoveries, repeated_looks
from clawgym_bench.efficiency.commands import commands_of
from clawgym_bench.efficiency.effort import Effort
from clawgym_bench.efficiency.summary import Spending, spending_of
from clawgym_bench.figures import Trial, amount_interval, ratio
from clawgym_bench.trajectory import Usage
from clawgym_data.outcome import Outcome
from tests.bench.logs import sample, write_log
from tests.bench.scripted import evaluate
from tests.bench.stories import Asked, Story, edit, exec_, poll, read, refused, write

EXIT_1 = "\n\n(Command exited with code 1)"
GONE = refused("x: No such file or directory")


def told_by(*asked: Asked) -> Story:
    """A trial with one call in each turn."""
    story = Story()
    for call in asked:
        story.turn(call)
    return story


def faults_of(*asked: Asked) -> list[Fault | None]:
    return [call.fault for call in calls_of(told_by(*asked).trajectory())]


@pytest.mark.parametrize(
    ("line", "programs"),
    [
        ("cd x && FOO=1 python3.11 a.py >out.txt 2>&1; ls", ["cd", "python", "ls"]),
        ("grep '|' f | wc -l", ["grep", "wc"]),
        ("cat <<'EOF' > f\nit's | not\nEOF\nls", ["cat", "ls"]),
        ("cat <<A <<B >f; pwd\nit's\nA\n'\nB\nls", ["cat", "pwd", "ls"]),
        ("cat <<A\nls", ["cat", "ls"]),
        ("for f in *.csv; do wc -l \"$f\"; done", ["wc"]),
        ("timeout 5s env A=1 /usr/bin/sort b", ["sort"]),
        ("bash -lc 'cd a && make test'", ["cd", "make"]),
        ("echo \"a;b\" # rm -rf x", ["echo"]),
        ("(cd a; ls) || true", ["cd", "ls", "true"]),
        ("echo it's", ["echo"]),
        ("  ", []),
    ],
)  # fmt: skip
def test_a_command_line_is_its_simple_commands(line: str, programs: list[str]) -> None:
    assert [command.program for command in commands_of(line)] == programs


def test_files_of_redirections_are_known() -> None:
    [command] = commands_of("python3 a.py <in.csv >out.csv 2>/dev/null")
    assert (command.words, command.sources, command.targets) == (("a.py",), ("in.csv",), ("out.csv",))


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        (exec_("python3 a.py", f"Traceback{EXIT_1}"), Fault.EXIT_CODE),
        (exec_("python3 a.py", "it says (Command exited with code 1) and goes on"), None),
        (exec_("grep x a.txt", f"(no output){EXIT_1}"), None),
        (exec_("grep x a.txt", "grep: a.txt: No such file\n\n(Command exited with code 2)"), Fault.EXIT_CODE),
        (exec_("cd sales && grep x a.txt | sort | grep y", f"(no output){EXIT_1}"), None),
        (exec_("cd nowhere && grep x a.txt", f"/bin/bash: line 1: cd: nowhere: No such file{EXIT_1}"), Fault.EXIT_CODE),
        (exec_("python3 a.py && grep x out.txt", f"(no output){EXIT_1}"), Fault.EXIT_CODE),
        (exec_("python3 a.py; diff a b", f"1c1{EXIT_1}"), None),
        (exec_("grep x a.txt; python3 a.py", f"(no output){EXIT_1}"), Fault.EXIT_CODE),
        (exec_("grep x a | python3 b.py", f"(no output){EXIT_1}"), Fault.EXIT_CODE),
        (exec_("python3 a.py | grep x", f"(no output){EXIT_1}"), None),
        (exec_("set -o pipefail; python3 a.py | grep x", f"(no output){EXIT_1}"), Fault.EXIT_CODE),
        (exec_("git diff --exit-code", f"changed{EXIT_1}"), None),
        (exec_("[ -f a ] && echo there", f"(no output){EXIT_1}"), None),
        (exec_("sleep 9", "(no output)\n\n(Command timed out after 2 seconds and was killed)"), Fault.TIMEOUT),
        (read("a", refused("a: No such file or directory")), Fault.MISSING),
        (edit("a", refused("oldText does not occur in a; it must match exactly once")), Fault.REFUSED),
        (("read", {}, refused("Required parameter path not provided", "parsing")), Fault.MALFORMED),
        # OpenClaw's words
        (exec_("nope", '{"status": "error", "tool": "exec", "error": "sh: nope\\n\\nCommand not found"}'), Fault.EXIT_CODE),
        (exec_("sleep 9", '{"status": "error", "tool": "exec", "error": "Command timed out after 2 seconds."}'), Fault.TIMEOUT),
        (read("a", '{\n  "status": "error",\n  "tool": "read",\n  "error": "ENOENT: no such file, access a"\n}'), Fault.MISSING),
        (read("deep.json", '{"status": "error", "tool": ' + '{"a": ' * 5000), None),
        (read("log.json", '{"status": "error", "message": "what the file says"}'), None),
        (("read", {}, 'Validation failed for tool "read":\n  - path: must have required properties'), Fault.MALFORMED),
        (poll("No session found for s9", "s9"), Fault.REFUSED),
        # Claude Code's and Codex's
        (("Bash", {"command": "python3 a.py"}, refused("Exit code 2\nTraceback")), Fault.EXIT_CODE),
        (("Bash", {"command": "grep x a"}, refused("Exit code 1")), None),
        (("exec_command", {"cmd": "make"}, "Chunk ID: b\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\n"), Fault.EXIT_CODE),
        (("exec_command", {"cmd": "make"}, "Chunk ID: b\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"), None),
        # what a command or a file says in the words of a harness
        (exec_("cat a", "(Command exited with code " + "1" * 5000 + ")"), None),
        (("Bash", {"command": "cat a"}, refused("Exit code " + "1" * 5000)), Fault.REFUSED),
        (exec_("cat a", "boom\n\nProcess exited with code 1."), None),
        (exec_("cat a", "Process exited with code 2\nOutput:\n"), None),
        (exec_("cat a", "it said (Command exited with code 1)"), None),
        (poll("boom\n\nProcess exited with code 1.", action="log"), None),
        (read("a", "No session found for s9"), None),
        (read("a", 'Validation failed for tool "exec":\n  - command: missing'), None),
    ],
)  # fmt: skip
def test_which_results_are_errors(asked: Asked, fault: Fault | None) -> None:
    assert faults_of(asked) == [fault]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        # the second failure is made good by the very next call, the first by the one after that
        ([edit("a", refused("no match")), edit("./a", refused("no match")), write("a")], [2, 1]),
        ([edit("a", refused("no match")), write("b")], [None]),
        ([read("a.txt", GONE), read("docs/a.txt")], [1]),
        ([read("a.txt", GONE), read("b.txt")], [None]),
        ([read("/root/.openclaw/workspace/a", refused("binary")), read("a")], [1]),
        ([exec_("python3 a.py", EXIT_1), exec_("ls"), exec_("cd /tmp && python3 /tmp/a.py x.csv")], [2]),
        ([exec_("python3 a.py", EXIT_1), exec_("python3 b.py")], [None]),
        ([exec_("python3 -c 'print(a)'", EXIT_1), exec_("python3 -c 'print(1)'")], [1]),
        ([exec_("git commit -m x", EXIT_1), exec_("git add x")], [None]),
        ([exec_("python3 -m pytest", EXIT_1), exec_("python3 -m json.tool")], [None]),
        ([exec_("python3 a.py", EXIT_1), *[exec_("ls")] * 5, exec_("python3 a.py")], [None]),
        ([exec_("python3 a.py", EXIT_1), *[exec_("ls")] * 4, exec_("python3 a.py")], [5]),
        ([("read", {}, refused("no path", "parsing")), read("a")], [1]),
        ([exec_("python3 a.py", EXIT_1), exec_("python3 a.py", None)], [None]),
    ],
)  # fmt: skip
def test_recoveries_by_hand(asked: list[Asked], expected: list[int | None]) -> None:
    assert [one.calls for one in recoveries(calls_of(told_by(*asked).trajectory()))] == expected


def test_a_call_of_the_same_answer_makes_nothing_good() -> None:
    story = Story()
    story.turn(exec_("python3 a.py", EXIT_1), exec_("python3 a.py", "(no output)"))
    assert [one.calls for one in recoveries(calls_of(story.trajectory()))] == [None]


GOES_ON = "Command still running (session s1). Use process (list/poll/log/write/kill) for follow-up."
STILL = "(no new output)\n\nProcess still running."


def test_the_end_of_a_command_in_the_background_is_told_once() -> None:
    story = told_by(
        exec_("python3 a.py", GOES_ON),
        poll(STILL),
        poll("Traceback\n\nProcess exited with code 1."),
        poll("(no new output)\n\nProcess exited with code 1."),
        exec_("python3 a.py", GOES_ON.replace("s1", "s2")),
        poll("done\n\nProcess exited with code 0.", "s2"),
        exec_("sleep 60", GOES_ON.replace("s1", "s3")),
        poll("Killed session s3.", "s3", "kill"),
        poll("(no new output)\n\nProcess exited with code 137.", "s3"),
    )
    calls = calls_of(story.trajectory())

    assert [call.fault for call in calls if call.fault] == [Fault.EXIT_CODE]
    assert [one.calls for one in recoveries(calls)] == [3]
    assert [calls.index(call) for call in empty_polls(calls)] == [1, 3, 8]


QUOTED = "worker 3: Process exited with code 0, restarting"


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ([f"{QUOTED}\n\nProcess still running.", "boom\n\nProcess exited with code 1."], Fault.EXIT_CODE),
        (["Killed session 3 of the pool\n\nProcess still running.", "\n\nProcess exited with code 1."], Fault.EXIT_CODE),
        ([f"{STILL}\n\nNo new output for 15s; it waits.", "x\n\nProcess exited with signal SIGKILL."], Fault.EXIT_CODE),
        (["x\n\nProcess exited with signal SIGKILL.\n\nThe command was terminated, but external side effects may."], Fault.TIMEOUT),
        (["x\n\nProcess stopped by request (signal SIGTERM).", "x\n\nProcess exited with code 143."], None),
        (["Termination requested for session s1.", "x\n\nProcess exited with signal SIGTERM."], None),
        (["Session s1 had exited with code 1 already."], Fault.EXIT_CODE),
        (["x\n\nProcess exited with unknown exit code."], None),
    ],
)  # fmt: skip
def test_the_end_of_a_command_is_where_the_harness_tells_it(told: list[str], fault: Fault | None) -> None:
    calls = calls_of(told_by(exec_("python3 a.py", GOES_ON), *map(poll, told)).trajectory())
    assert [call.fault for call in calls if call.fault] == [fault] * (fault is not None)
    assert sum(call.is_end for call in calls) == 1


def test_a_log_of_a_command_does_not_end_it() -> None:
    said = f"{QUOTED}\n\nProcess exited with code 1."
    story = told_by(exec_("python3 a.py", GOES_ON), poll(said, action="log"), poll("\n\nProcess exited with code 0."))
    assert [call.is_end for call in calls_of(story.trajectory())] == [False, False, True]


@pytest.mark.parametrize(
    "asked",
    [
        exec_("python3 a.py", GOES_ON),
        exec_("python3 a.py", f"some output\n\n{GOES_ON}"),
        exec_("python3 a.py", "Command still running (session kind-nudibranch, pid 5). Use process (list/poll) for follow-up."),
        ("Bash", {"command": "a"}, "Command running in background with ID: b1. Output is being written to: /tmp/b1"),
        ("exec_command", {"cmd": "a"}, "Chunk ID: b\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"),
    ],
)  # fmt: skip
def test_a_command_that_goes_on_is_pending(asked: Asked) -> None:
    assert [call.state.value for call in calls_of(told_by(asked).trajectory())] == ["pending"]


@pytest.mark.parametrize(
    ("asked", "wasted"),
    [
        ([read("a"), read("a")], [1]),
        ([read("a"), read("a"), read("a")], [1, 2]),
        ([read("a"), read("./a")], []),
        ([read("a"), write("a"), read("a")], []),
        ([read("a"), write("b"), read("a")], [2]),
        ([read("a"), edit("a", refused("no match")), read("a")], [2]),
        ([read("a"), exec_("python3 x.py"), read("a")], []),
        ([read("a"), exec_("ls -la; cat b | sort"), read("a")], [2]),
        ([exec_("ls", "a"), write("b"), exec_("ls", "a")], []),
        ([exec_("ls", "a"), exec_("ls", "a b")], []),
        ([exec_("ls > a"), exec_("ls > a")], []),
        ([exec_("find . -delete"), exec_("find . -delete")], []),
        ([exec_("sed -n 1p a", "x"), exec_("sed -n 1p a", "x")], [1]),
        ([exec_("sed -i s/a/b/ a"), exec_("sed -i s/a/b/ a")], []),
        ([exec_('echo "$(rm a)"'), exec_('echo "$(rm a)"')], []),
        ([exec_("cat a", f"gone{EXIT_1}"), exec_("cat a", f"gone{EXIT_1}")], []),
        ([read("a"), exec_("python3 x.py", GOES_ON), read("a"), read("a")], []),
        ([exec_("python3 x.py", GOES_ON), poll("Process exited with code 0."), read("a"), read("a")], [3]),
        ([exec_("cat b", f"Q: what is '{GOES_ON}'? A: ..."), read("a"), read("a")], [2]),
        ([exec_("cat b", f"{GOES_ON}\nmore"), read("a"), read("a")], [2]),
        ([read("a"), ("memory_search", {"query": "a"}, "x"), read("a")], []),
        # at the end: the first look at what was written verifies, the second is wasted
        ([write("a"), read("a"), read("a")], [2]),
    ],
)  # fmt: skip
def test_repeated_looks_by_hand(asked: list[Asked], wasted: list[int]) -> None:
    calls = calls_of(told_by(*asked).trajectory())
    assert [calls.index(call) for call in repeated_looks(calls)] == wasted


def test_a_look_at_what_the_harness_took_from_the_conversation_is_no_waste() -> None:
    story = Story()
    first = story.turn(read("a"))
    story.shorten(story.result_of(first))
    story.turn(read("a"))
    story.turn(read("a"))

    assert len(repeated_looks(calls_of(story.trajectory()))) == 1


def test_the_effort_of_a_trial_by_hand() -> None:
    story = Story()
    story.turn(exec_("ls"))  # a try that ended by no fault of the agent
    story.again()
    priced = Usage(input_tokens=50, cache_read_tokens=40, output_tokens=10, reasoning_tokens=4, total_tokens=100)
    first = story.turn(read("a"), read("b", GONE))
    spawned = story.turn(("sessions_spawn", {"task": "Count the lines of all files."}, "12"))
    story.begin("c2", depth=1, parent="c1", started_by="call", answer=spawned, call_id="t0")
    story.turn(talk="c2", usage=priced)
    written = story.turn(write("ask.py"))
    story.begin("c3", depth=1, parent="c1", started_by="call", answer=written, call_id="t0")
    story.turn(talk="c3")
    story.begin("c4", depth=1, parent="c1", started_by="unknown")
    story.turn(talk="c4")
    story.turn(error="the provider failed", usage=None, working_sec=None)
    story.shorten(story.result_of(first))
    story.turn(exec_("python3 a.py", f"x{EXIT_1}"))
    story.turn(exec_("python3 a.py", None))

    effort = effort_of(story.trajectory())

    assert effort.tries == 2
    assert (effort.model.turns, effort.model.calls, effort.model.failed) == (5, 8, 1)
    assert effort.model.by_speaker == {"agent": 5, "sub_agent": 1, "program": 1, "unknown": 1}
    assert effort.tools.by_tool == {"read": 2, "exec": 2, "sessions_spawn": 1, "write": 1}
    assert (effort.tools.calls, effort.tools.parallel_share, effort.tools.unanswered) == (6, 2 / 6, 1)
    assert effort.errors.by_kind == {Fault.MISSING: 1, Fault.EXIT_CODE: 1}
    assert (effort.errors.calls, effort.errors.share, effort.errors.recovered) == (2, 2 / 5, 0)
    assert (effort.errors.recovery_rate, effort.errors.calls_to_recovery) == (0, None)
    assert effort.rewrites == 1
    assert effort.tokens is not None
    assert effort.tokens.model_dump() == {
        "input": 7 * 100 + 50,
        "cache_read": 40,
        "cache_write": 0,
        "output": 7 * 20 + 10,
        "reasoning": 4,
        "total": 7 * 120 + 100,
    }
    assert effort.cost_usd is None
    # eight answers of 2 s, five results of 0.5 s; 30 s in all, of which 24 working
    assert effort.seconds.model_dump() == {"wall": 30, "working": 24, "waiting": 6, "model": 16, "tools": 2.5}


def test_unknown_tokens_and_prices_are_no_zeros() -> None:
    story = Story()
    story.turn(exec_("ls"), usage=Usage(input_tokens=1, output_tokens=1, total_tokens=2, cost_usd=0.25))
    assert effort_of(story.trajectory()).cost_usd == 0.25
    story.turn(exec_("ls"), usage=Usage(input_tokens=1, output_tokens=1, total_tokens=2))
    assert effort_of(story.trajectory()).cost_usd is None
    story.turn(usage=None)
    effort = effort_of(story.trajectory())
    assert (effort.tokens, effort.model.turns) == (None, 3)
    assert (effort_of(Story().trajectory()).seconds.model, effort_of(Story().trajectory()).tokens) == (None, None)


def test_calls_as_text_and_unreadable_ones_are_malformed() -> None:
    story = Story()
    story.conversations["c0"] = story.conversations["c0"].model_copy(update={"tools": ({"name": "exec"},)})
    story.turn(content='{"name": "exec", "arguments": {"command": "ls"}}')
    story.turn(("exec", {}, refused("no command", "parsing")))
    story.turn(exec_("ls"))

    errors = effort_of(story.trajectory()).errors

    assert (errors.malformed, errors.calls, errors.recovered, errors.calls_to_recovery) == (2, 1, 1, 1)


def trial(task: str, outcome: str = "scored", **fields: Any) -> Trial:
    given = {"cluster": task, "category": "a", "score": 1.0, "passed": True} | fields
    return Trial(task=task, outcome=outcome, **given)


def effort(turns: int) -> Effort:
    """Of a trial with so many turns of 120 tokens, which cost half a dollar each."""
    story = Story()
    for _ in range(turns):
        story.turn(usage=Usage(input_tokens=100, output_tokens=20, total_tokens=120, cost_usd=0.5))
    return effort_of(story.trajectory())


def test_means_are_over_trials_of_a_task_and_then_over_tasks() -> None:
    trials = [
        trial("one"),
        trial("one", epoch=2, score=0.0, passed=False),
        trial("two", score=0.5, passed=False),
        trial("three", Outcome.INFRA_FAILED.value, score=None, passed=None),
    ]
    efforts = {("one", 1): effort(2), ("one", 2): effort(4), ("two", 1): effort(5)}

    found = spending_of(trials, efforts)

    assert (found.planned, found.counted, found.left_out) == (4, 3, {"infra_failed": 1})
    turns = found.figures["turns"]
    assert (turns.value, turns.tasks, turns.trials, turns.ci95) == ((3 + 5) / 2, 2, 3, None)
    # 480 tokens a trial; half of "one" and nothing of "two" pass: 0.25; scores 0.5 and 0.5
    assert price(found.per_pass, "total_tokens") == pytest.approx(480 / 0.25)
    assert price(found.per_point, "total_tokens") == pytest.approx(480 / 0.5)
    assert price(found.per_pass, "cost_usd") == pytest.approx(2 / 0.25)
    assert found.figures["recovery_rate"].value is None


def price(prices: dict[str, Any], name: str) -> float:
    return float(prices[name].value)


def test_nothing_is_told_for_a_pass_where_none_passed() -> None:
    found: Spending = spending_of([trial("one", score=0.0, passed=False)], {("one", 1): effort(2)})
    assert found.per_pass == {"total_tokens": None, "cost_usd": None}
    assert spending_of([trial("one")], {}).figures["turns"].value is None


def test_intervals_of_amounts_by_hand() -> None:
    values = {f"t{n}": float(n) for n in range(1, 11)}
    alone = {task: task for task in values}
    # the mean 5.5, the variance of the values 55/6, Student's t of 9 degrees 2.2622
    reach = 2.2622 * sqrt(55 / 6 / 10)
    assert amount_interval(values, alone) == pytest.approx((5.5 - reach, 5.5 + reach), abs=1e-3)
    assert amount_interval({task: value for task, value in values.items() if value < 10}, alone) is None
    assert amount_interval(dict.fromkeys(values, 3.0), alone) is None
    low, _ = amount_interval({task: 100.0 * (task == "t1") for task in values}, alone) or (1.0, 0.0)
    assert low == 0
    together = {task: "one" if value < 6 else "two" for task, value in values.items()}
    wide = amount_interval(values, together)
    assert wide is not None
    assert wide[1] - wide[0] > 2 * reach


def test_a_ratio_counts_what_was_spent_without_a_gain() -> None:
    tasks = [f"t{n}" for n in range(10)]
    spent = {task: 100.0 + 20 * (n % 2) for n, task in enumerate(tasks)}
    passed = {task: float(n % 2) for n, task in enumerate(tasks)}
    found = ratio(spent, passed, {task: task for task in tasks})
    assert found is not None
    # 110 for 0.5; the linearised values are 220 + (100 - 0) / 0.5 = 420 and 220 + (120 - 220) / 0.5 = 20
    reach = 2.2622 * sqrt(200**2 * 10 / 9 / 10)
    assert (found.value, found.tasks) == (220, 10)
    assert found.ci95 == pytest.approx((220 - reach, 220 + reach), abs=0.1)
    assert ratio(spent, dict.fromkeys(tasks, 0.0), {task: task for task in tasks}) is None


def test_the_command_on_a_real_log(tmp_path: Path) -> None:
    script: list[Any] = [
        [("read", {"path": "rules.txt"}), ("read", {"path": "missing.txt"})],
        ("exec", {"command": "python3 solve.py"}),
        ("write", {"path": "solve.py", "content": "print(1)"}),
        ("exec", {"command": "python3 solve.py"}),
        ("exec", {"command": "grep nothing rules.txt"}),
        ("exec", {"command": "grep nothing rules.txt"}),
        ("read", {}),
        "done",
    ]
    evaluate(script, tmp_path / "logs")
    left_out = sample("stall-takings", outcome=Outcome.INFRA_FAILED)
    write_log(tmp_path / "logs" / "other.eval", [left_out], ["stall-takings"])
    target = tmp_path / "figures.json"

    done = CliRunner().invoke(
        app, ["efficiency", str(tmp_path / "logs"), "--by", "trial", "--json", str(target)], catch_exceptions=False
    )

    assert done.exit_code == 0
    runs = {run["solver"] + str(run["whole"]["counted"]): run for run in json.loads(target.read_text("utf-8"))}
    assert runs["claw_agent0"]["whole"]["left_out"] == {"infra_failed": 1}
    run = runs["claw_agent1"]
    figures = {name: amount["value"] for name, amount in run["whole"]["figures"].items()}
    expected = {"turns": 8, "model_calls": 8, "tool_calls": 8, "failed_calls": 3, "recovery_rate": 1 / 3}
    expected |= {"calls_to_recovery": 2, "malformed": 1, "repeated_looks": 1, "total_tokens": 8 * 120}
    assert {name: figures[name] for name in expected} == pytest.approx(expected)
    assert figures["parallel_share"] == pytest.approx(2 / 8)
    assert run["whole"]["failed_by_kind"] == {"missing": 1, "exit_code": 1, "malformed": 1}
    assert run["trials"][0]["effort"]["tools"]["by_tool"] == {"exec": 4, "read": 3, "write": 1}
    assert run["whole"]["per_pass"]["total_tokens"] is None
    for shown in ("mean of a trial", "wasted: repeated looks", "infra_failed 1", "stall-takings 1"):
        assert shown in done.output


def test_a_run_without_a_model_has_calls_and_no_turns(tmp_path: Path) -> None:
    recording = tmp_path / "calls.jsonl"
    calls = [("read", {"path": "missing"}), ("read", {"path": "sub/missing"}), ("exec", {"command": "ls"})]
    recording.write_text("\n".join(json.dumps({"name": name, "arguments": given}) for name, given in calls))
    log = evaluate([ModelOutput()], tmp_path / "logs", replay=str(recording))

    done = CliRunner().invoke(app, ["efficiency", log.location], catch_exceptions=False)

    assert done.exit_code == 0
    assert "tool calls" in done.output
