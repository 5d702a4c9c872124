"""Telling which step of long work runs and how long each took: a spinner on a terminal, lines elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


class Steps:
    """Steps that follow each other on standard error; one ends where the next begins."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._spinner = self._console.status("")
        self._name, self._began = "", 0.0

    def begin(self, name: str) -> None:
        """End the step before, and name the next one."""
        self.end()
        self._name, self._began = name, time.monotonic()
        if self._console.is_terminal:
            self._spinner.update(name)
            self._spinner.start()
        else:
            self._console.print(f"{name} ...", markup=False)

    def end(self) -> None:
        """Tell how long the last step took."""
        name = self._name
        self.stop()
        if name:
            self._console.print(f"{time.monotonic() - self._began:7.1f} s  {name}", markup=False)

    def stop(self) -> None:
        """Leave the last step without a word."""
        self._spinner.stop()
        self._name = ""


@contextmanager
def shown_steps() -> Iterator[Steps]:
    """Steps, the last of which ends with the block; one that fails is not told as done."""
    steps = Steps()
    try:
        yield steps
        steps.end()
    finally:
        steps.stop()
