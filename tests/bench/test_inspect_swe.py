"""Agents of inspect-swe as trials: with a small program in Claude Code's place, and the real tools where they are."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ModelOutput, get_model
from inspect_ai.tool import ToolCall

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.swe.agents import find_factory, program_of
from clawgym_bench.workspace import WORKSPACE
from tests.bench.openai_server import error, openai_server
from tests.bench.scripted import Call, Step, ending_of, evaluate, sample_of, told
from tests.bench.test_claw_agent import SOLVE
from tests.conftest import FIXTURE_TASKS

pytest.importorskip("inspect_swe", reason="the package inspect-swe is not installed (the extra `swe`)")

PROGRAM = Path(__file__).parent / "claude_stand_in.py"
TOOLS_VARIABLE = "CLAWGYM_SWE_TOOLS"
"""A folder in which `npm install` of the real tools was run; readable by everyone."""
SOLVED = [f"cat > /tmp/solve.py <<'EOF'\n{SOLVE}\nEOF", f"python3 /tmp/solve.py {WORKSPACE}"]


@pytest.fixture
def stand_in() -> Iterator[str]:
    """The bind that puts the small program where `claude` is looked for."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copy(PROGRAM, Path(folder) / "claude")
        (Path(folder) / "claude").chmod(0o755)
        yield f"{folder}:/opt/stand-in"


def numbered(steps: list[Step]) -> Callable[[list[ChatMessage], int], Step]:
    """A script whose calls have ids of their own: real tools drop a call whose id they have seen."""

    def play(messages: list[ChatMessage], number: int) -> Step:
        step = steps[number] if number < len(steps) else "done"
        if not isinstance(step, tuple):
            return step
        call = ToolCall(id=f"call_{number}", function=step[0], arguments=step[1])
        return ModelOutput.from_message(ChatMessageAssistant(content="", tool_calls=[call]), stop_reason="tool_calls")

    return play


def bash(commands: list[str]) -> Callable[[list[ChatMessage], int], Step]:
    return numbered([("Bash", {"command": command}) for command in commands])


def variants(folder: Path, prompts: dict[str, str]) -> Path:
    """Copies of the small task with something more in the instruction, under other ids."""
    for name, more in prompts.items():
        copy = folder / name
        shutil.copytree(FIXTURE_TASKS / "stall-takings", copy)
        spec = copy / "task.yaml"
        spec.write_text(spec.read_text().replace("id: stall-takings", f"id: {name}", 1))
        instruction = copy / "instruction.md"
        instruction.write_text(f"{instruction.read_text().rstrip()} {more}\n")
    return folder


def trial(log: EvalLog, name: str) -> tuple[str, str, EvalSample]:
    sample = next(sample for sample in log.samples or [] if sample.id == name)
    metadata = (sample.scores or {})["verdict"].metadata or {}
    return metadata["outcome"], metadata["cause"], sample


def model_calls(sample: EvalSample) -> list[ModelEvent]:
    return [event for event in sample.events if isinstance(event, ModelEvent)]


def test_a_program_solves_the_task_through_the_bridge(tmp_path: Path, stand_in: str) -> None:
    log = evaluate(bash(["ls", *SOLVED]), tmp_path, solver="inspect_swe/claude_code", bind=stand_in)

    sample = sample_of(log)
    assert ending_of(log) == ("scored", "", True)
    assert sample.scores is not None
    assert sample.scores["verdict"].as_float() == 1
    assert len(model_calls(sample)) == 4
    assert all([tool.name for tool in call.tools] == ["Bash"] for call in model_calls(sample))
    assert "harness-notes.txt" in told(log)
    assert sample.store["clawgym_scaffold"] == ["harness-notes.txt"]
    assert log.eval.metadata is not None
    assert log.eval.metadata["harness"]["version"] == "0.0.1 (stand-in)"
    assert log.eval.metadata["run"]["solver"] == "inspect_swe/claude_code"


def test_whose_doing_an_end_is(tmp_path: Path, stand_in: str) -> None:
    tasks = variants(
        tmp_path / "tasks",
        {
            "crashes-at-once": "CRASH AT ONCE",
            "crashes-at-work": "CRASH AFTER A CALL",
            "is-killed": "KILL",
            "goes-on": "GO ON",
        },
    )

    def script(messages: list[ChatMessage], number: int) -> Step:
        prompt = next(message.text for message in messages if message.role == "user")
        kill: Call = ("Bash", {"command": "kill -9 $PPID; sleep 5"})
        return kill if "KILL" in prompt else ("Bash", {"command": f"echo {number}"})

    log = evaluate(script, tmp_path, tasks=tasks, solver="inspect_swe/claude_code", bind=stand_in, turn_limit=3)

    outcome, cause, sample = trial(log, "crashes-at-once")
    assert (outcome, sample.metadata["infra_retries"]) == ("infra_failed", 2)
    assert "no module of mine" in cause
    for name, why in (("crashes-at-work", "agent 1: a fault of mine"), ("is-killed", "agent 137")):
        outcome, cause, sample = trial(log, name)
        assert (outcome, "infra_retries" in sample.metadata) == ("agent_failed", False)
        assert why in cause
    outcome, cause, sample = trial(log, "goes-on")
    assert (outcome, cause, len(model_calls(sample))) == ("scored", "limit: turn", 3)
    assert [message.role for message in sample.messages][-1] == "assistant"


def test_a_provider_that_fails_is_no_end_of_the_program(
    tmp_path: Path, stand_in: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgym_bench.attempt.INFRA_RETRIES", 0)
    with openai_server(lambda request, count: error(500, "broken")) as server:
        model = get_model("openai-api/loopback/m", base_url=server.url, api_key="none", memoize=False)
        task = clawgym_bench(tasks=str(FIXTURE_TASKS), solver="inspect_swe/claude_code", bind=stand_in, preflight=False)
        [log] = inspect_eval(task, model=model, log_dir=str(tmp_path), display="none", max_retries=0)

    outcome, cause, is_graded = ending_of(log)
    assert (outcome, is_graded) == ("infra_failed", False)
    assert cause.startswith("provider: InternalServerError")
    assert len(model_calls(sample_of(log))) == 1


def test_limits_of_tokens_and_time_end_the_program(tmp_path: Path, stand_in: str) -> None:
    given: dict[str, Any] = {"solver": "inspect_swe/claude_code", "bind": stand_in}
    log = evaluate(bash(["true"] * 9), tmp_path, token_limit=150, **given)
    assert ending_of(log) == ("scored", "limit: token", True)
    assert len(model_calls(sample_of(log))) == 2

    log = evaluate(bash(["sleep 300"]), tmp_path, working_limit=25, **given)
    assert ending_of(log) == ("scored", "limit: working", True)


def test_a_program_that_is_not_there_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    if shutil.which("claude", path="/usr/bin:/bin"):
        pytest.skip("this host has the program in /usr, which the sandbox shows")
    with pytest.raises(PrerequisiteError, match=r"needs the program claude.*pass -T bind=FOLDER:/opt/NAME"):
        clawgym_bench(tasks=str(FIXTURE_TASKS), solver="inspect_swe/claude_code")


def test_agents_are_those_of_the_package() -> None:
    with pytest.raises(PrerequisiteError, match=r"inspect-swe has .*inspect_swe/claude_code.*inspect_swe/opencode"):
        find_factory("inspect_swe/nobody")
    assert program_of("inspect_swe/claude_code") == "claude"
    assert program_of("inspect_swe/codex_cli") == "codex"
    assert program_of("inspect_swe/mini_swe_agent") is None


WORK: dict[str, list[Step]] = {
    "claude_code": [
        ("Bash", {"command": "ls", "description": "look around"}),
        ("Write", {"file_path": "/tmp/solve.py", "content": SOLVE}),
        ("Bash", {"command": SOLVED[1], "description": "work it out"}),
        "Done.",
    ],
    "codex_cli": [("exec_command", {"cmd": "\n".join(SOLVED)}), "Done."],
    # needs rg and node beside it
    "opencode": [
        ("write", {"filePath": "/tmp/solve.py", "content": SOLVE}),
        ("bash", {"command": SOLVED[1], "description": "work it out"}),
        "Done.",
    ],
}


def real_tools(program: str) -> str:
    """The bind of the folder with the real program; the test is skipped where there is none."""
    named, found = os.environ.get(TOOLS_VARIABLE), shutil.which(program)
    if named and (Path(named) / "node_modules" / ".bin" / program).exists():
        return f"{named}:/opt/tools"
    if found is None:
        pytest.skip(f"{program} is neither in PATH nor in the folder that {TOOLS_VARIABLE} names")
    return f"{Path(found).parent.parent}:/opt/tools"


@pytest.mark.parametrize("agent", WORK)
def test_the_real_tool_solves_the_task(tmp_path: Path, agent: str) -> None:
    solver = f"inspect_swe/{agent}"
    bind = real_tools(program_of(solver) or agent)
    if agent == "opencode":
        real_tools("rg")
    log = evaluate(numbered(WORK[agent]), tmp_path, solver=solver, bind=bind)

    sample = sample_of(log)
    assert ending_of(log) == ("scored", "", True), sample.error
    assert sample.scores is not None
    assert sample.scores["verdict"].as_float() == 1
    assert len(model_calls(sample)) == len(WORK[agent])
    assert sample.store["clawgym_scaffold"] == []
