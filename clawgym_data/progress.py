"""What long work and tables look like: bars and the terminal's width on a terminal, plain and wide elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from clawgym_data.errors import showable

PLAIN_WIDTH = 200
"""Columns of tables where standard output is no terminal."""

Advance = Callable[[str], None]
"""Call with a line about the step that was just done."""


@contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """Show the progress of `total` steps on standard error.

    Yields:
        A function to call after each step; it may be called from several threads.
    """
    if not sys.stderr.isatty():
        done = [0]

        def line(text: str) -> None:
            done[0] += 1
            if text:
                print(f"{what}: {showable(text)} ({done[0]}/{total})", file=sys.stderr, flush=True)  # noqa: T201 - progress

        yield line
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        job = bar.add_task(what, total=total)

        def advance(text: str) -> None:
            bar.update(job, advance=1, description=f"{what}: {showable(text)}" if text else what)

        yield advance


def table_width() -> int | None:
    """Columns of tables on standard output; None for those of the terminal."""
    return None if sys.stdout.isatty() else PLAIN_WIDTH


def table_console() -> Console:
    """A console for tables on standard output."""
    return Console(highlight=False, width=table_width())
