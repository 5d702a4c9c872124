"""The one place that knows where the tasks are."""

from pathlib import Path

from clawgym_data.errors import SpecError

_PACKAGE = Path(__file__).resolve().parent


def task_specs() -> Path:
    """The folder `task_specs`: beside the packages in a source tree, inside `clawgym_data` in a wheel.

    Raises:
        SpecError: where neither is there.
    """
    for folder in (_PACKAGE.parent / "task_specs", _PACKAGE / "task_specs"):
        if (folder / "bench").is_dir():
            return folder
    raise SpecError(str(_PACKAGE), "task_specs", "no such folder", "the tasks beside the packages or in the wheel")


def bench_tasks() -> Path:
    """The folder of the benchmark's tasks."""
    return task_specs() / "bench"
