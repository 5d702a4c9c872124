"""Verdicts a second with declarative checks, against starting `python3 check.py` once a task.

The reference is what the original release does for each task: a Python process that reads the workspace and prints
JSON. Here it is the smallest such checker (imports json and csv, opens the outputs), so that the ratio is a lower bound.

    python benchmarks/grading_speed.py [--verdicts 200]
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clawgym_data.grading.grader import Grader
from clawgym_data.grading.program import run_solution
from clawgym_data.grading.world import make_world, snapshot_of
from clawgym_data.locate import bench_tasks
from clawgym_data.snapshot import write_folder
from clawgym_data.task import find_tasks, load_task

CHECKER = "import csv, json, pathlib, re, sys\nws = pathlib.Path(sys.argv[1])\nprint(json.dumps({'files': len([p.read_bytes() for p in ws.rglob('*') if p.is_file()])}))\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verdicts", type=int, default=200)
    count: int = parser.parse_args().verdicts
    tasks = [load_task(folder) for folder in find_tasks((bench_tasks(),))]
    tasks = [task for task in tasks if not any(check.kind == "command" for check in task.spec.verification.checks)]
    worlds = [make_world(task) for task in tasks]
    solved = [
        run_solution(
            world.task.folder, "solution/solve.py", [(f.path, f.content, f.mode) for f in world.files]
        ).snapshot
        for world in worlds
    ]
    cores = os.cpu_count() or 1
    with Grader(cores) as grader, ThreadPoolExecutor(2 * cores) as executor:
        list(executor.map(grader.grade, worlds, solved))  # workers start
        jobs = [(worlds[n % len(worlds)], solved[n % len(worlds)]) for n in range(count)]
        started = time.perf_counter()
        verdicts = list(executor.map(lambda job: grader.grade(*job), jobs))
        ours = count / (time.perf_counter() - started)
        assert all(verdict.score == 1 for verdict in verdicts)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(cores) as executor:
        checker = Path(scratch, "check.py")
        checker.write_text(CHECKER)
        folders = []
        for number, snapshot in enumerate(solved):
            folders.append(Path(scratch, str(number)))
            folders[-1].mkdir()
            write_folder(
                snapshot_of({e.path: (snapshot.blobs[e.sha256], e.mode) for e in snapshot.entries if e.sha256}),
                folders[-1],
            )
        command = [sys.executable, str(checker)]
        started = time.perf_counter()
        runs = min(count, 100)
        list(
            executor.map(
                lambda n: subprocess.run(
                    [*command, str(folders[n % len(folders)])], check=True, stdout=subprocess.DEVNULL
                ),
                range(runs),
            )
        )
        reference = runs / (time.perf_counter() - started)
    print(f"{len(tasks)} tasks with declarative checks, {cores} cores, load {os.getloadavg()[0]:.1f}")
    print(
        f"verdicts: {ours:.0f} a second    python3 check.py: {reference:.1f} a second    ratio {ours / reference:.1f}"
    )


if __name__ == "__main__":
    main()
