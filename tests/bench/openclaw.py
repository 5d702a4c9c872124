"""The real OpenClaw in tests: where it is installed, and evaluations with it in this process."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, Model
from inspect_ai.util import SandboxEnvironmentSpec

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.image.store import find_image
from clawgym_bench.image.versions import DEFAULT_IMAGE
from clawgym_data.sandbox import SandboxConfig
from clawgym_data.task import Task
from tests.bench.scripted import Script, Step, scripted_model

STAGE = "/tmp/mine"


def openclaw_image() -> str:
    """The image with OpenClaw; skips the test, with the reason, where there is none."""
    name = os.environ.get("CLAWGYM_TEST_IMAGE", DEFAULT_IMAGE)
    if find_image(name) is None:
        pytest.skip(f"there is no image {name} (`clawgym bench image build` makes one)")
    return name


def evaluate_openclaw(
    script: Script | Model, folder: Path, *, tasks: Path, binds: tuple[tuple[str, str], ...] = (), **arguments: Any
) -> EvalLog:
    """Evaluate with OpenClaw.

    Args:
        script: what the model says, or a model.
        folder: for the log.
        tasks: folder of the tasks.
        binds: (path of this host, path inside) of what is put into the image for one test.
        arguments: those with the prefix `flag_` go to Inspect, the others are those of `-T`.
    """
    flags = {name.removeprefix("flag_"): value for name, value in arguments.items() if name.startswith("flag_")}
    given = {name: value for name, value in arguments.items() if not name.startswith("flag_")}
    if "image" not in given:
        given["image"] = openclaw_image()
    model = script if isinstance(script, Model) else scripted_model(script)
    task = clawgym_bench(tasks=str(tasks), solver="openclaw", preflight=False, **given)
    if binds:
        assert task.sandbox is not None
        assert isinstance(task.sandbox.config, SandboxConfig)
        config = task.sandbox.config.model_copy(update={"read_only_binds": binds})
        task.sandbox = SandboxEnvironmentSpec("bubblewrap", config)
    return inspect_eval(task, model=model, log_dir=str(folder), display="none", **flags)[0]


def steps_of(task: Task) -> list[Step]:
    """Calls of OpenClaw's tools that carry out a task's solution."""
    folder = task.folder / "solution"
    files = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    return [
        [("write", {"path": f"{STAGE}/{name}", "content": text}) for name, text in files.items()],
        (
            "exec",
            {
                "command": f"LC_ALL=C PYTHONDONTWRITEBYTECODE=1 python3 {STAGE}/solve.py . && rm -rf {STAGE} && echo solved"
            },
        ),
        ("exec", {"command": f"ls -la && echo this was {task.id}"}),
        f"{task.id} is done.",
    ]


def instruction_in(messages: Sequence[ChatMessage]) -> str:
    """What OpenClaw tells the model as the user's words."""
    return "\n".join(message.text for message in messages if message.role == "user")


def samples_of(log: EvalLog) -> dict[str, EvalSample]:
    """By the task's id."""
    assert log.samples, log.error
    return {str(sample.id): sample for sample in log.samples}
