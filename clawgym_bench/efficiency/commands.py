"""A shell's command line as its simple commands: as much of its grammar as telling commands apart needs.

Bodies of here-documents are left out, `sh -c '...'` is what it runs, and what stands before a program (`FOO=1`, `timeout 5`,
`env`, `do`) is passed over. Functions, aliases and variables are not followed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

HERE_DOCUMENT = re.compile(r"<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1")
TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+|\\\n|\#[^\n]*)
    |(?P<redirection>\d*(?:&>>?|>>|>&|>\||<<<|<&|<>|>|<))
    |(?P<operator>&&|\|\||\|&|;;|[|;&\n()])
    |(?P<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s;&|()<>\\'"])+)
    |(?P<stray>.)""",
    re.VERBOSE | re.DOTALL,
)
QUOTED = re.compile(r"\\(.)|'([^']*)'|\"((?:\\.|[^\"\\])*)\"", re.DOTALL)
ASSIGNMENT = re.compile(r"\w+\+?=")
PIPES = ("|", "|&")
NO_FILE = re.compile(r"\d+|-|/dev/(?:null|stdout|stderr|tty)")
"""Where a redirection goes that writes no file."""

_BEFORE = ("!", "{", "do", "else", "elif", "if", "then", "until", "while")
_NO_COMMAND = ("}", "case", "done", "esac", "fi", "for", "function", "select")
_WRAPPERS = ("command", "doas", "env", "exec", "nice", "nohup", "stdbuf", "sudo", "time", "timeout", "xargs")
_OF_WRAPPER = re.compile(r"-.*|\d+(?:\.\d+)?[smhd]?", re.DOTALL)
"""Their options and durations."""
_SHELLS = ("bash", "dash", "sh", "zsh")
_PYTHON = re.compile(r"python[\d.]*")


@dataclass(frozen=True)
class Command:
    """One simple command."""

    program: str
    """Without its folder; Python without its version."""
    words: tuple[str, ...]
    """What follows the program, without quotes and redirections."""
    sources: tuple[str, ...] = ()
    """Files that it is fed with."""
    targets: tuple[str, ...] = ()
    """Files that its output goes to."""
    after: str = ""
    """The operator before it."""
    is_opaque: bool = False
    """Whether commands within its words are run too."""


@dataclass
class _Draft:
    after: str
    words: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)


def commands_of(line: str) -> tuple[Command, ...]:
    """The simple commands of a command line, in order."""
    return tuple(command for draft in _drafts(_without_documents(line)) for command in _finished(draft))


def _without_documents(line: str) -> str:
    """The command line without the bodies of here-documents."""
    lines = line.split("\n")
    last = {text.strip(): place for place, text in enumerate(lines)}
    kept: list[str] = []
    ends: list[str] = []
    for place, text in enumerate(lines):
        if ends:
            if text.strip() == ends[0]:
                ends.pop(0)
            continue
        ends = [word for _, word in HERE_DOCUMENT.findall(text) if last.get(word, 0) > place]
        kept.append(HERE_DOCUMENT.sub("", text) if ends else text)
    return "\n".join(kept)


def _drafts(line: str) -> Iterator[_Draft]:
    draft, redirection = _Draft(""), ""
    for token in TOKEN.finditer(line):
        kind, text = token.lastgroup, token.group()
        if kind == "redirection":
            redirection = text
        elif kind == "operator":
            yield draft
            draft, redirection = _Draft(text), ""
        elif kind == "word" and redirection:
            if "<<<" not in redirection and not NO_FILE.fullmatch(text):
                (draft.targets if ">" in redirection else draft.sources).append(_plain(text))
            redirection = ""
        elif kind != "blank":
            draft.words.append(text)
    yield draft


def _finished(draft: _Draft) -> Iterator[Command]:
    words = _program_first(draft.words)
    if not words or words[0] in _NO_COMMAND:
        return
    program, *rest = (_plain(word) for word in words)
    program = program.rpartition("/")[2] or program
    if program in _SHELLS and (inner := _inner(rest)):
        first, *others = commands_of(inner) or (Command(program, tuple(rest)),)
        yield Command(first.program, first.words, first.sources, first.targets, draft.after, first.is_opaque)
        yield from others
        return
    yield Command(
        program="python" if _PYTHON.fullmatch(program) else program,
        words=tuple(rest),
        sources=tuple(draft.sources),
        targets=tuple(draft.targets),
        after=draft.after,
        is_opaque=any("$(" in word or "`" in word for word in words),
    )


def _program_first(words: Sequence[str]) -> Sequence[str]:
    """The words from the program on."""
    place, is_wrapped = 0, False
    while place < len(words):
        word = words[place]
        if word in _WRAPPERS and place + 1 < len(words) and words[place + 1] not in ("-v", "-V"):
            is_wrapped = True
        elif word not in _BEFORE and not ASSIGNMENT.match(word) and not (is_wrapped and _OF_WRAPPER.fullmatch(word)):
            break
        place += 1
    return words[place:]


def _inner(words: Sequence[str]) -> str:
    """What a shell was given to run with `-c`."""
    places = [place for place, word in enumerate(words) if re.fullmatch(r"-\w*c", word)]
    return words[places[0] + 1] if places and places[0] + 1 < len(words) else ""


def _plain(word: str) -> str:
    """A word without its quotes."""

    def inside(found: re.Match[str]) -> str:
        escaped, single, double = found.groups()
        if double is not None:
            return re.sub(r"\\([\"\\$`])", r"\1", double)
        return single if single is not None else escaped

    return QUOTED.sub(inside, word)
