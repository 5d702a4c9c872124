"""What `-T` says is read as Inspect hands it over, and what it cannot mean is refused by name before anything runs."""

from pathlib import Path

import pytest
from inspect_ai._util.config import parse_cli_args
from inspect_ai._util.error import PrerequisiteError

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.arguments import read_arguments
from clawgym_bench.task import MAX_ARGUMENT_BYTES
from clawgym_data.task import load_task
from tests.conftest import FIXTURE_TASKS


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("task=5", "no task 5; there are stall-takings"),
        ("task=no", "task is False; expected text"),
        ("task=1.10", "task is 1.1; expected text"),
        ("task=[[1]]", r"task is \[\[1\]\]; expected text"),
        ("image=5", "there is no image 5 "),
        ("bind=5", "bind is '5'; expected HOST_PATH:INSIDE_PATH"),
        ("tasks=5", "/5: found no task; expected a folder"),
        ("tasks=~nobody-of-this-name/x", "'~nobody-of-this-name/x' cannot be a path"),
        ("tasks=" + 300 * "a", "cannot be a path here: .*too long"),
        ('tasks="a\\0b"', "tasks is .* none of them NUL"),
        ("replay=5", "/5: found .* expected a file of JSON lines"),
        ("solver=5", "solver is 5; expected one of claw_agent, .*inspect_swe/NAME"),
        ("sandbox=5", "sandbox is 5; expected one of bubblewrap, docker"),
        ("category=5", "category is 5; expected one of productivity"),
        ("split=5", "split is 5; expected one of bench"),
        ("profile=5", "profile is 5; expected one of compact, full"),
        ('image=""', "image is ''; expected text"),
        ("context_tokens=abc", "context_tokens is 'abc'; expected a valid integer"),
        ("context_tokens=-5", "context_tokens is -5; expected greater than 0"),
        ("preflight=maybe", "preflight is 'maybe'; expected a valid boolean"),
        ("turn_limit=yes", "turn_limit is True; expected a number"),
        ("turn_limit=1.5", "turn_limit is 1.5; expected a valid integer"),
        ("working_limit=.inf", "working_limit is inf; expected a finite number"),
        ("cost_limit=-1", "cost_limit is -1; expected greater than 0"),
    ],
)
def test_a_value_that_an_argument_cannot_have_is_refused(words: str, message: str) -> None:
    given = {"tasks": str(FIXTURE_TASKS), "solver": "replay" if "replay" in words else "noop"} | parse_cli_args([words])
    with pytest.raises(PrerequisiteError, match=message):
        clawgym_bench(**given)


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        ("task=5", "task", ("5",)),
        ("task=2026-01-31", "task", ("2026-01-31",)),
        ("task=1,b", "task", ("1", "b")),
        ("task=[1, b]", "task", ("1", "b")),
        ('task="no"', "task", ("no",)),
        ("tasks=/a,b", "tasks", "/a,b"),
        ("preflight=false", "preflight", False),
        ("working_limit=7", "working_limit", 7.0),
        ("image=", "image", None),
    ],
)
def test_a_value_that_yaml_reads_as_something_else_is_what_was_typed(words: str, name: str, value: object) -> None:
    assert getattr(read_arguments(parse_cli_args([words])), name) == value


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (MAX_ARGUMENT_BYTES, "the solver openclaw needs an image with OpenClaw"),
        (
            MAX_ARGUMENT_BYTES + 1,
            f"the instruction of the task stall-takings has {MAX_ARGUMENT_BYTES + 1} bytes; .* {MAX_ARGUMENT_BYTES} bytes",
        ),
    ],
)
def test_an_instruction_that_openclaw_cannot_be_given_is_refused(stall_takings: Path, size: int, message: str) -> None:
    before = len(load_task(stall_takings).spec.instruction.encode())
    with (stall_takings / "instruction.md").open("a") as file:
        file.write((size - before) * "x")
    with pytest.raises(PrerequisiteError, match=message):
        clawgym_bench(tasks=str(stall_takings.parent), solver="openclaw", image="host")
