"""The tasks of a run, found again from the arguments that the log records."""

from functools import cache, lru_cache
from pathlib import Path

from clawgym_data.grading.world import World, make_world
from clawgym_data.locate import bench_tasks
from clawgym_data.task import Task, find_tasks, load_task


@lru_cache(maxsize=8)
def load_set(folder: str | None) -> dict[str, Task]:
    """The tasks below a folder by id; the benchmark's own without one.

    Raises:
        SpecError, SpecErrors: where the folder holds none, or a task is not what it must be.
    """
    root = Path(folder) if folder else bench_tasks()
    tasks = [load_task(path) for path in find_tasks((root,))]
    return {task.id: task for task in tasks}


@cache
def world_of(folder: str | None, task_id: str) -> World:
    """The task's workspace and expected values of seed 0, computed once a process."""
    return make_world(load_set(folder)[task_id])
