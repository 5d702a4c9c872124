"""`inspect` many times without its imports: a process that has them made, and forks for each command line it reads.

Each fork is the real command, `inspect_ai._cli.main`, with a hook that notes when samples begin and end.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import REPOSITORY

NOTES = "NOTES_OF_SAMPLES"


@dataclass(frozen=True)
class Note:
    """One beginning or end of a sample."""

    pid: int
    what: str
    sample: tuple[str, int]
    uuid: str


class Forks:
    """The process that forks, and where its children note what their samples do."""

    def __init__(self, process: "subprocess.Popen[str]", notes: Path) -> None:
        self._process, self._notes = process, notes

    def start(self, *words: str) -> int:
        """Begin `inspect WORDS`; returns its process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def notes(self) -> list[Note]:
        """What all samples did so far, oldest first."""
        lines = self._notes.read_text().splitlines() if self._notes.exists() else []
        found = [json.loads(line) for line in lines]
        return [Note(pid, what, (name, epoch), uuid) for pid, what, name, epoch, uuid in found]


@contextmanager
def inspect_forks(folder: Path) -> Iterator[Forks]:
    """Start the process that forks, with home and temporary folders of its own below `folder`."""
    for name in ("home", "tmp"):
        (folder / name).mkdir()
    environment = os.environ | {
        "HOME": str(folder / "home"),
        "XDG_DATA_HOME": str(folder / "home" / "data"),
        "TMPDIR": str(folder / "tmp"),
        "PYTHONPATH": str(REPOSITORY),
        NOTES: str(folder / "notes"),
    }
    command = [sys.executable, "-m", "tests.bench.inspect_forks"]
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True
        )
    with process:
        yield Forks(process, folder / "notes")


def main() -> None:
    """Serve command lines until the input ends."""
    from inspect_ai._cli.main import main as inspect
    from inspect_ai.hooks import Hooks, SampleEnd, SampleStart, hooks

    import clawgym_bench._registry  # noqa: F401 - imported once for all forks

    def note(what: str, name: str | int, epoch: int, uuid: str | None) -> None:
        line = json.dumps([os.getpid(), what, name, epoch, uuid]) + "\n"
        with Path(os.environ[NOTES]).open("a") as file:
            file.write(line)

    @hooks(name="notes", description="notes when samples begin and end")
    class Notes(Hooks):
        async def on_sample_start(self, data: SampleStart) -> None:
            note("begins", data.summary.id, data.summary.epoch, data.summary.uuid)

        async def on_sample_end(self, data: SampleEnd) -> None:
            note("ends", data.sample.id, data.sample.epoch, data.sample.uuid)

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children that were killed are gone at once
    for line in sys.stdin:
        child = os.fork()
        if child:
            print(child, flush=True)  # noqa: T201 - the answer
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(2, 1)
        sys.argv = ["inspect", *json.loads(line)]
        try:
            inspect()
        finally:
            sys.stdout.flush()
            os._exit(0)


if __name__ == "__main__":
    main()
