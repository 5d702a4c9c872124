"""Trials a second of `claw_agent` with a scripted model under bubblewrap, against Inspect's `local` sandbox.

The same solver, script and scorer (one file is read) run in both, in this process, one after the other; `local` isolates
nothing, and here its commands are one plain `exec` each, without what makes them go on in the background. A last line runs the benchmark itself, grading included, for the size of its logs.

    python benchmarks/agent_speed.py [--trials 64] [--rounds 3] [--tasks tests/fixtures/tasks]
"""

import argparse
import os
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import ExecResult, sandbox

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.claw import Toolset, open_site
from clawgym_bench.claw.running import Running
from clawgym_bench.claw.site import GeneralSite
from clawgym_bench.solvers.claw_agent import Conversation
from clawgym_bench.workspace import bubblewrap_of

NAME = "mockllm/model"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("exec", {"command": "ls"}),
    ("read", {"path": "a.txt"}),
    ("write", {"path": "b.txt", "content": "one\ntwo\n"}),
    ("edit", {"path": "b.txt", "oldText": "two", "newText": "three"}),
    ("exec", {"command": "sort b.txt > c.txt && wc -l c.txt"}),
    ("read", {"path": "c.txt"}),
]


def scripted() -> Model:
    def answer(
        messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        number = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        if number < len(CALLS):
            output = ModelOutput.for_tool_call(NAME, *CALLS[number])
        else:
            output = ModelOutput.from_content(NAME, "done")
        output.usage = ModelUsage(input_tokens=500, output_tokens=50, total_tokens=550)
        return output

    return get_model(NAME, custom_outputs=answer, memoize=False)


class Done:
    """A command that has ended."""

    trouble = ""

    def __init__(self, result: ExecResult[str]) -> None:
        self.exit_code: int | None = result.returncode
        self._output = (result.stdout + result.stderr).encode()

    async def wait(self, timeout_sec: float) -> bool:
        """It has."""
        return True

    def output(self) -> tuple[bytes, int]:
        """All of it."""
        return self._output, len(self._output)

    async def feed(self, data: bytes, eof: bool) -> int:
        """Nothing reads."""
        return 0

    async def kill(self) -> None:
        """Nothing runs."""


class PlainSite(GeneralSite):
    """The least that a command can cost through Inspect's interface."""

    async def start(self, command: str, workdir: str | None, env: dict[str, str], timeout_sec: float) -> Running:
        """Run it to its end."""
        return Done(await sandbox().exec(["/bin/bash", "-c", command], env=env, timeout=int(timeout_sec)))


@solver
def agent() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        site = await open_site(sandbox())
        if bubblewrap_of(sandbox()) is None:
            site = PlainSite(sandbox(), site.root)
        await Conversation(state, get_model(), Toolset(site), site.root, None).run()
        return state

    return solve


@scorer(metrics=[mean()])
def one_file() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=float(await sandbox().read_file("c.txt") == "one\nthree\n"))

    return score


@dataclass(frozen=True)
class Measured:
    """One evaluation."""

    seconds: float
    cpu_seconds: float
    mean: float
    log_bytes: float
    """A trial."""


def measure(task: Task, parallel: int, epochs: int = 1) -> Measured:
    with tempfile.TemporaryDirectory() as logs:
        began, began_cpu = time.perf_counter(), cpu_seconds()
        log = inspect_eval(task, model=scripted(), max_samples=parallel, log_dir=logs, display="none", epochs=epochs)[0]
        seconds, used = time.perf_counter() - began, cpu_seconds() - began_cpu
        assert log.status == "success", log.error
        assert log.results is not None
        assert log.samples is not None
        value = next(iter(log.results.scores[0].metrics.values())).value
        size = Path(log.location.removeprefix("file://")).stat().st_size / len(log.samples)
        return Measured(seconds, used, float(value), size)


def cpu_seconds() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3, help="of both, in turn; the fastest of each counts")
    parser.add_argument("--tasks", default=str(Path(__file__).parent.parent / "tests" / "fixtures" / "tasks"))
    arguments = parser.parse_args()
    trials: int = arguments.trials

    def same(kind: str, count: int = trials) -> Task:
        samples = [Sample(input=f"task {number}", files={"a.txt": "a"}) for number in range(count)]
        return Task(dataset=MemoryDataset(samples), solver=agent(), scorer=one_file(), sandbox=kind)

    for kind in ("bubblewrap", "local"):  # imports and probes are paid for once
        measure(same(kind, 4), 2)
    print(f"{trials} trials of {len(CALLS)} calls, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for parallel in (1, 4, 16):
        mine, theirs = [], []
        for _ in range(arguments.rounds):
            mine.append(measure(same("bubblewrap"), parallel))
            theirs.append(measure(same("local"), parallel))
        assert all(run.mean == 1 for run in mine + theirs)
        fast, reference = (min(runs, key=lambda run: run.seconds) for runs in (mine, theirs))
        cpu, reference_cpu = (min(run.cpu_seconds for run in runs) for runs in (mine, theirs))
        print(
            f"{parallel:2} in parallel: {trials / fast.seconds:.1f} trials a second    "
            f"local: {trials / reference.seconds:.1f}    ratio {reference.seconds / fast.seconds:.2f}    "
            f"CPU a trial {1000 * cpu / trials:.0f} ms, local {1000 * reference_cpu / trials:.0f} ms    "
            f"peak {peak_mb():.0f} MB    log {fast.log_bytes / 1000:.1f} kB a trial"
        )
    whole = measure(clawgym_bench(tasks=arguments.tasks), 4, trials)
    print(
        f"benchmark, 4 in parallel: {trials / whole.seconds:.1f} trials a second with grading    "
        f"peak {peak_mb():.0f} MB    log {whole.log_bytes / 1000:.1f} kB a trial"
    )


if __name__ == "__main__":
    main()
