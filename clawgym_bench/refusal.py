"""What a user reads where a run is refused before its first sample."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.util import display_type


@contextmanager
def refusals_are_seen() -> Iterator[None]:
    """Inspect prints a refusal through its display; where `--display none` silences that, standard error gets it."""
    try:
        yield
    except PrerequisiteError as error:
        if display_type() == "none":
            print(f"\n{error.message}\n", file=sys.stderr, flush=True)  # noqa: T201 - the only word of the run
        raise
