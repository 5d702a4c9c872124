"""Trajectories as JSON lines: what is written is read back as it was."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from clawgym_bench.trajectory.record import SCHEMA_VERSION, Trajectory
from clawgym_data.errors import SpecError


def write_jsonl(path: Path, trajectories: Iterable[Trajectory]) -> int:
    """Write one trajectory a line; how many there were."""
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for trajectory in trajectories:
            file.write(trajectory.model_dump_json() + "\n")
            count += 1
    return count


def read_jsonl(path: Path) -> Iterator[Trajectory]:
    """Read what `write_jsonl` wrote, one line at a time.

    Raises:
        SpecError: a line is no trajectory of this version.
    """
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            try:
                yield Trajectory.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                field = ".".join(map(str, first["loc"]))
                found = f"{first['msg']} ({field})" if field else first["msg"]
                raise SpecError(
                    str(path), f"line {number}", found, f"a trajectory of version {SCHEMA_VERSION}"
                ) from error
