"""What is known of shell commands: which change nothing, and of which exit code 1 is an answer."""

import re
from collections.abc import Sequence

from clawgym_bench.efficiency.commands import PIPES, Command


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOOKS = _names(
    ": [ [[ awk base64 basename cat cd cmp column comm command cut date df diff dirname du echo egrep env export expr false "
    "fgrep file find fold grep head hexdump hostname id jq less ls md5sum nl od paste pgrep printf ps pwd readlink realpath "
    "rev rg sed seq set sha256sum sleep sort stat strings tac tail test tr tree true type uname uniq wc which whoami zcat "
    "zgrep"
)
"""Programs that write no file by themselves, but for the options below."""
WRITING_OPTIONS = {
    "find": re.compile(r"-(?:delete|exec|execdir|fls|fprintf?|ok|okdir)"),
    "sed": re.compile(r"-[nErsuz]*i.*|--in-place.*"),
    "sort": re.compile(r"-o.*|--output.*"),
    "tree": re.compile(r"-o.*"),
}
GIT_LOOKS = frozenset({"blame", "cat-file", "diff", "grep", "log", "ls-files", "rev-parse", "show", "status"})

QUESTIONS = _names("[ [[ cmp command diff egrep fgrep grep pgrep rg test type which zgrep")
"""Programs whose exit code 1 means no: no match, a difference, not there. A failure of theirs has another code."""
GIT_QUESTIONS = frozenset({"diff", "grep"})

PREPARATIONS = _names(". : cd echo export mkdir printf pwd set sleep source true umask")
"""What a command line begins with, and what says nothing about its end."""


def changes_nothing(commands: Sequence[Command]) -> bool:
    """Whether a command line is known to write no file and to start nothing that goes on."""
    return bool(commands) and all(map(_looks_only, commands))


def _looks_only(command: Command) -> bool:
    if command.targets or command.is_opaque or command.after == "&":
        return False
    if command.program == "git":
        return bool(command.words) and command.words[0] in GIT_LOOKS
    if command.program == "awk" and any(sign in word for word in command.words for sign in (">", "system(", "|")):
        return False
    writing = WRITING_OPTIONS.get(command.program)
    return command.program in LOOKS and not (writing and any(map(writing.fullmatch, command.words)))


def answers_no(commands: Sequence[Command], said: str) -> bool:
    """Whether exit code 1 of a command line is an answer and no failure.

    It is where every command that can have given the code asks a question (`QUESTIONS`), apart from preparations like `cd`
    before it: `grep` that finds nothing, `diff` of files that differ, `test` of what is not so.

    Args:
        commands: of the line.
        said: its output; a `cd` that failed shows there.
    """
    deciding = _deciding(commands)
    asks = [_asks(command) for command in deciding]
    others = [command.program for command, is_question in zip(deciding, asks, strict=True) if not is_question]
    return any(asks) and all(program in PREPARATIONS for program in others) and ": cd: " not in said


def _asks(command: Command) -> bool:
    if command.program == "git":
        return bool(command.words) and command.words[0] in GIT_QUESTIONS
    return command.program in QUESTIONS


def _deciding(commands: Sequence[Command]) -> list[Command]:
    """The commands whose failure would be that of the line: the last one, and those that it hung on by `&&`."""
    has_pipefail = any(command.program == "set" and "pipefail" in command.words for command in commands)
    found: list[Command] = []
    decides = True
    for command in reversed(commands):
        if decides:
            found.append(command)
        if command.after in PIPES:
            decides = has_pipefail
        elif command.after == "&&":
            decides = True
        else:
            break
    return found
