"""Folders of this host that an agent's sandbox shows, read-only: the programs that a solver needs inside."""

import os
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

import click
from inspect_ai._util.error import PrerequisiteError

from clawgym_bench.shellpath import shell_path
from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxRefused
from clawgym_data.sandbox.arguments import SEARCH_PATH

TARGETS = PurePosixPath("/opt")
"""Where folders may appear: nothing of the sandbox's own lies there."""
_PACKAGES = ("clawgym_data", "clawgym_bench", "clawgym_train")
_PROGRAM_FOLDERS = ("", "bin", "node_modules/.bin")
"""Where programs are looked for in each folder: itself, a prefix, or where `npm install` was run."""
HOME = "your home folder"
Bind = tuple[str, str]


def with_binds(config: SandboxConfig, given: str | Sequence[str], task_folders: Iterable[Path]) -> SandboxConfig:
    """The sandbox with the folders that `-T bind` names.

    Args:
        config: the sandbox without them.
        given: `HOST_PATH:INSIDE_PATH`, several of them separated by commas or as a list.
        task_folders: of the run's tasks.

    Raises:
        PrerequisiteError: one cannot be bound, or would show the agent what it must not see.
    """
    parts = given.split(",") if isinstance(given, str) else list(given)
    private = _private_folders(task_folders)
    binds = tuple(_bind(part.strip(), private) for part in parts)
    targets = [PurePosixPath(inside) for _, inside in binds]
    for number, target in enumerate(targets):
        if any(target.is_relative_to(other) or other.is_relative_to(target) for other in targets[:number]):
            raise PrerequisiteError(f"clawgym_bench: bind: two folders would appear at {target}, one inside the other")
    folders = [
        str(PurePosixPath(inside) / name)
        for host, inside in binds
        for name in _PROGRAM_FOLDERS
        if (Path(host) / name).is_dir()
    ]
    variables = dict(config.env)
    variables["PATH"] = ":".join([*folders, variables.get("PATH", SEARCH_PATH)])
    update = {"read_only_binds": (*config.read_only_binds, *binds), "env": tuple(variables.items())}
    with_them = config.model_copy(update=update)
    _require_readable(with_them)
    return with_them


def _require_readable(config: SandboxConfig) -> None:
    try:
        with Bubblewrap.start(config) as sandbox:
            for host, inside in config.read_only_binds:
                if sandbox.call(["/bin/ls", inside]).returncode != 0:
                    raise PrerequisiteError(
                        f"clawgym_bench: bind: {host} must be readable by everyone; the sandbox's user is an unprivileged one"
                    )
    except SandboxRefused as refused:
        raise PrerequisiteError(f"clawgym_bench: bind: {refused}") from refused


def _bind(part: str, private: Sequence[tuple[str, Path]]) -> Bind:
    host, colon, inside = part.rpartition(":")
    folder, target = shell_path(host), PurePosixPath(inside)
    if not (host and colon and inside):
        raise PrerequisiteError(f"clawgym_bench: bind is {part!r}; expected HOST_PATH:INSIDE_PATH")
    if not folder.is_dir():
        raise PrerequisiteError(f"clawgym_bench: bind: there is no folder {host}")
    if target.parent != TARGETS or target.name in ("", ".", ".."):
        raise PrerequisiteError(
            f"clawgym_bench: bind: inside the sandbox a folder appears at {TARGETS}/NAME, not at {inside}"
        )
    for what, path in private:
        if path.is_relative_to(folder) or (what != HOME and folder.is_relative_to(path)):
            raise PrerequisiteError(
                f"clawgym_bench: bind: {folder} holds or lies in {what} ({path}), which no agent may see; "
                "bind the folder of the program alone"
            )
    return str(folder), str(target)


def _private_folders(task_folders: Iterable[Path]) -> list[tuple[str, Path]]:
    """What no agent may see. Of the home folder a part may be bound, since many programs are installed in it."""
    specs = [spec for name in _PACKAGES if (spec := find_spec(name)) is not None and spec.origin is not None]
    installation = [("this installation", Path(str(spec.origin)).parent) for spec in specs]
    tasks = [("the tasks", folder) for folder in task_folders]
    found = [*installation, *tasks, ("the logs", _log_folder()), (HOME, Path.home())]
    return [(what, path.resolve()) for what, path in found]


def _log_folder() -> Path:
    context = click.get_current_context(silent=True)
    flag = context.params.get("log_dir") if context else None
    return Path(str(flag or os.environ.get("INSPECT_LOG_DIR", "logs")))
