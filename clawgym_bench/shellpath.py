"""Paths as a user types them."""

import os
from pathlib import Path


def shell_path(given: str) -> Path:
    """The folder or file that is meant; Inspect's retry runs in another folder than the shell's, which $PWD still names."""
    path = Path(given).expanduser()
    from_shell = Path(os.environ.get("PWD", ".")) / path
    return (path if path.exists() or not from_shell.exists() else from_shell).resolve()
