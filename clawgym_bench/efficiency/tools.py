"""What a harness's tools do, by their names and arguments."""

import posixpath
import re
import shlex
from collections.abc import Mapping
from enum import StrEnum

from pydantic import JsonValue

from clawgym_bench.workspace import WORKSPACE


class Act(StrEnum):
    """What a call does."""

    READ = "read"
    """Shows a file."""
    LOOK = "look"
    """Shows folders or matches."""
    CHANGE = "change"
    """Writes, moves or removes files."""
    RUN = "run"
    """Runs a command."""
    FOLLOW = "follow"
    """Looks after commands that go on."""
    OTHER = "other"


ACTS = {
    Act.READ: ("read", "read_file", "view"),
    Act.LOOK: ("find", "glob", "grep", "list", "list_directory", "ls", "search_file_content"),
    Act.CHANGE: ("apply_patch", "edit", "multiedit", "notebookedit", "replace", "write", "write_file"),
    Act.RUN: ("bash", "exec", "exec_command", "local_shell", "run_shell_command", "shell"),
    Act.FOLLOW: ("bashoutput", "killshell", "process", "write_stdin"),
}
"""Names, in lower case, in OpenClaw, `claw_agent`, Claude Code, Codex, opencode and Gemini CLI; any other is `OTHER`."""

PATHS = ("path", "file_path", "filePath", "absolute_path", "notebook_path", "file")
COMMANDS = ("command", "cmd")
SESSIONS = ("sessionId", "session_id", "bash_id", "shell_id")
PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)

_BY_NAME = {name: act for act, names in ACTS.items() for name in names}


def act_of(name: str) -> Act:
    """What the tool of a name does."""
    return _BY_NAME.get(name.lower(), Act.OTHER)


def paths_of(name: str, arguments: Mapping[str, JsonValue]) -> frozenset[str]:
    """The files that a call of a file tool names, each relative to the workspace where it lies there."""
    texts = [value for value in arguments.values() if isinstance(value, str)]
    if name.lower() == "apply_patch":
        return frozenset(normal_path(path) for text in texts for path in PATCHED.findall(text))
    path = _first(arguments, PATHS)
    return frozenset([normal_path(path)]) if isinstance(path, str) and path.strip() else frozenset()


def normal_path(path: str) -> str:
    """One spelling of a path."""
    normal = posixpath.normpath(path.strip())
    return posixpath.relpath(normal, WORKSPACE) if f"{normal}/".startswith(f"{WORKSPACE}/") else normal


def command_of(arguments: Mapping[str, JsonValue]) -> str:
    """The command line of a call that runs one; empty where it has none."""
    command = _first(arguments, COMMANDS)
    if isinstance(command, list):
        return shlex.join(str(word) for word in command)
    return command if isinstance(command, str) else ""


def session_of(arguments: Mapping[str, JsonValue]) -> str:
    """The running command that a call looks after; empty where it names none."""
    session = _first(arguments, SESSIONS)
    return "" if session is None else str(session)


def _first(arguments: Mapping[str, JsonValue], names: tuple[str, ...]) -> JsonValue:
    return next((arguments[name] for name in names if name in arguments), None)
