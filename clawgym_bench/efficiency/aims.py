"""What a call is to achieve: calls with one aim are tries of the same thing."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass

from clawgym_bench.efficiency.commands import Command
from clawgym_bench.efficiency.looks import PREPARATIONS
from clawgym_bench.efficiency.tools import Act, act_of, paths_of, session_of
from clawgym_bench.trajectory import ToolCall

SUBCOMMANDS = frozenset(
    {"apt", "apt-get", "cargo", "docker", "git", "go", "npm", "pip", "pip3", "poetry", "uv", "yarn"}
)
"""Programs whose next word says what they do."""
PATTERN_FIRST = frozenset({"awk", "egrep", "fgrep", "grep", "jq", "perl", "rg", "sed", "zgrep"})
"""Programs whose first argument is no file."""
_NO_NAME = re.compile(r"-.*|\d+|.*[\s$`*?{}()<>=;'\"].*|", re.DOTALL)
"""Options, numbers, programs and patterns."""


@dataclass(frozen=True)
class Aim:
    """What a call is to achieve."""

    act: Act
    what: str = ""
    """For a command its first words (`git commit`, `python -m pytest`), for tools that are no file tools their name."""
    names: frozenset[str] = frozenset()
    """The files: paths for file tools, names without folders for commands, which change their folder."""

    def is_that_of(self, other: "Aim") -> bool:
        """Whether both do the same with the same file: they share one, or neither names any."""
        shares = bool(self.names & other.names) or not (self.names or other.names)
        return (self.act, self.what) == (other.act, other.what) and shares

    def is_elsewhere(self, other: "Aim") -> bool:
        """Whether both do the same with files of one name in different folders."""
        mine, theirs = ({posixpath.basename(name) for name in aim.names} for aim in (self, other))
        return (self.act, self.what) == (other.act, other.what) and bool(mine & theirs)


def aim_of(call: ToolCall, commands: Sequence[Command]) -> Aim:
    """The aim of a call.

    Args:
        call: as the model asked for it.
        commands: of its command line, where it has one.
    """
    act = act_of(call.name)
    if act is Act.RUN:
        return _aim_of_command(commands)
    if act is Act.FOLLOW:
        return Aim(act, names=frozenset([session_of(call.arguments)]) - {""})
    what = "" if act in (Act.READ, Act.CHANGE) else call.name.lower()
    return Aim(act, what, paths_of(call.name, call.arguments))


def _aim_of_command(commands: Sequence[Command]) -> Aim:
    """By the first command that is no preparation."""
    chosen = [command for command in commands if command.program not in PREPARATIONS] or list(commands)
    if not chosen:
        return Aim(Act.RUN)
    command, words = chosen[0], list(chosen[0].words)
    what = [command.program]
    if command.program in SUBCOMMANDS:
        what += [word for word in words if not word.startswith("-")][:1]
    elif command.program == "python" and words[:1] == ["-m"]:
        what += words[:2]
    return Aim(Act.RUN, " ".join(what), _names(command, words, what[1:]))


def _names(command: Command, words: Sequence[str], passed: Sequence[str]) -> frozenset[str]:
    operands = [word for word in words if not word.startswith("-") and word not in passed]
    if command.program in PATTERN_FIRST:
        operands = operands[1:]
    files = [*operands, *command.sources, *command.targets]
    return frozenset(posixpath.basename(posixpath.normpath(name)) for name in files if not _NO_NAME.fullmatch(name))
