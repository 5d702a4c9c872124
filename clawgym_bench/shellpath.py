"""Paths as a user types them."""

import os
from pathlib import Path

from inspect_ai._util.error import PrerequisiteError


def shell_path(given: str) -> Path:
    """The folder or file that is meant; Inspect's retry runs in another folder than the shell's, which $PWD still names.

    Raises:
        PrerequisiteError: it cannot be a path here: a part is too long, or there is no such user as `~NAME` says.
    """
    try:
        path = Path(given).expanduser()
        from_shell = Path(os.environ.get("PWD", ".")) / path
        return (path if path.exists() or not from_shell.exists() else from_shell).resolve()
    except (OSError, RuntimeError) as error:
        raise PrerequisiteError(f"clawgym_bench: {given[:200]!r} cannot be a path here: {error}") from error
