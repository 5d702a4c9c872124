"""Trials a second of the benchmark's tasks with `noop` at 1, 2 and 4 in parallel, against Inspect's `local` sandbox.

The reference runs the same number of samples with a solver that does nothing and a scorer that reads one file, in
Inspect's `local` sandbox (no isolation at all). Both run in this process, one after the other.

    python benchmarks/trial_speed.py [--epochs 4]
"""

import argparse
import os
import tempfile
import time

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

from clawgym_bench._registry import clawgym_bench


@solver
def nothing() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return state

    return solve


@scorer(metrics=[mean()])
def one_file() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=float(await sandbox().read_file("a.txt") == "a"))

    return score


def seconds(task: Task, parallel: int, epochs: int) -> float:
    with tempfile.TemporaryDirectory() as logs:
        started = time.perf_counter()
        log = inspect_eval(task, model="none", epochs=epochs, max_samples=parallel, log_dir=logs, display="none")[0]
        assert log.status == "success", log.error
        return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=4)
    epochs: int = parser.parse_args().epochs
    ours = clawgym_bench(solver="noop")
    count = len(ours.dataset)
    reference = Task(
        dataset=MemoryDataset([Sample(input=str(n), files={"a.txt": "a"}) for n in range(count)]),
        solver=nothing(),
        scorer=one_file(),
        sandbox="local",
    )
    seconds(clawgym_bench(solver="noop"), 4, 1)  # workers start, expected values are computed
    print(f"{count} tasks, {epochs} trials each, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for parallel in (1, 2, 4):
        mine, theirs = seconds(clawgym_bench(solver="noop"), parallel, epochs), seconds(reference, parallel, epochs)
        total = count * epochs
        print(
            f"{parallel} in parallel: {total / mine:.1f} trials a second    local: {total / theirs:.1f}    ratio {theirs / mine:.2f}"
        )


if __name__ == "__main__":
    main()
