"""The files a prompt names: those it asks for, and those it takes for granted though nothing ships them."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from clawgym_data.spec.frozen import MAX_PATH_CHARACTERS, path_fault
from clawgym_data.spec.output import OutputKind

MAX_OUTPUTS = 30
MAX_BEFORE = 160
"""Characters before a file's name that say what is done with it."""
INPUT_FOLDERS = frozenset({"input", "inputs", "input_files"})
WORKSPACE = "/root/.openclaw/workspace/"

KINDS: dict[str, OutputKind] = {
    "csv": "csv",
    "tsv": "tsv",
    "json": "json",
    "yaml": "yaml",
    "yml": "yaml",
    "toml": "toml",
    "ini": "ini",
    "py": "code",
    "sh": "code",
    "js": "code",
}
"""By extension; everything else is text."""

_EXTENSIONS = (
    "csv tsv tab json jsonl ndjson geojson yaml yml toml ini cfg conf config env txt text md rst rmd html htm xml svg log"
    " py sh bash js ts jsx tsx css sql java kt go rs rb php pl r c h cpp cs f90 ps1 bat ipynb"
    " ics eml vcf bib tex srt vtt cron crontab service timer diff patch sha256 md5 out err stdout stderr ids list data"
    " bak lock example sample properties gradle csproj pgn sgf puml asset pattern pdf zip gz tar png jpg db sqlite dmp"
    " pem gitignore xlsx docx bin"
)
_EXTENSION = "(?i:" + "|".join(sorted(_EXTENSIONS.split(), key=len, reverse=True)) + ")"
_BEFORE, _AFTER = r"(?<![\w/.:@<>{}\[\]*$~%+-])", r"(?![\w/<{*-]|\.\w)"
"""No match begins inside a run of a path's characters, so that each run is read once, however long it is."""
_PATH = re.compile(rf"{_BEFORE}(?:\./|{WORKSPACE})?((?:[\w.+-]+/)+[\w.+-]*\.{_EXTENSION}){_AFTER}")
_BARE = re.compile(rf"{_BEFORE}([\w+-][\w.+-]*\.{_EXTENSION}){_AFTER}")
_PLACEHOLDER = re.compile(
    r"YYYY|yyyy|XXX|NNN|HHMM|(?:^|[/_.-])(?:[NX]|NN|XX)(?=[/_.-]|$)|\.\.\.|\bpath/to/|relative/path|DATE"
)
_ABSENT_NAME = re.compile(r"(?i)missing|non_?-?existent|does_not_exist|not_there")
_LIBRARIES = re.compile(r"(?i)(?:node|next|vue|express|react|d3|three|chart|nuxt)\.js\Z")
_EXAMPLE = re.compile(r"(?i)(?:\be\.g\.,?|\bfor example,?|\bsuch as|\blike)[\s\"'`(]*\Z")
_MAKES = re.compile(
    r"(?i)\b(?:writ(?:e|es|ing|ten)|sav(?:e|es|ed|ing)|creat(?:e|es|ed|ing)|produc(?:e|es|ed|ing)|generat(?:e|es|ed|ing)"
    r"|add(?:s|ed|ing)?|plac(?:e|es|ed|ing)|put|mov(?:e|es|ed|ing)|draft(?:s|ed|ing)?|prepar(?:e|es|ed|ing)|append(?:s|ed|ing)?)\b"
)
_WRITES = re.compile(
    _MAKES.pattern
    + r"|\b(?:output(?:s|ted|ting)?|stor(?:e|es|ed|ing)|export(?:s|ed|ing)?|emit(?:s|ted)?|build(?:s|ing)?"
    r"|compos(?:e|es|ed|ing)|record(?:s|ed)?|deliver(?:s|ed|ables?)?|implement(?:s|ed|ing)?|copy|downloaded|named|called|new)\b"
)
_READS = re.compile(
    r"(?i)\b(?:read|reads|reading|parse|parses|load|loads|analy[sz]e|inspect|tail|tails|from|against|provided|given|existing|inputs?)"
    r"[\s:\"'`(*-]+(?:the\s+)?(?:file\s+)?[\"'`(]*\Z"
)
_OUTPUT_FOLDERS = frozenset(
    {"output", "outputs", "out", "build", "dist", "report", "reports", "result", "results", "deliverables"}
)
_MOVED = re.compile(rf"(?i)\bto\s+(?:the\s+)?[\"'`]?([\w.+/-]{{1,{MAX_PATH_CHARACTERS}}})")
_SAID_ABSENT = re.compile(r"(?i)(?<!\s)\s{1,9}(?:is|are)\s{1,9}(?:missing|absent)")
_LAST_PATH = re.compile(r"(?<![\w.+/-])[\w.+/-]+\Z")
_URL = re.compile(r"\b(?:https?|ftp|wss?)://[^\s\"'`<>()\[\]{}|\\^]+")
_ROOTS = "root home tmp usr etc var opt mnt media workspace data bin sbin lib proc sys dev run srv app Users"
_OUTSIDE = re.compile(
    rf"{_BEFORE}(?:/(?:{'|'.join(_ROOTS.split())})(?:/[\w./+-]*|(?![\w/-]))|[A-Za-z]:\\[\w.\\+-]*)"
    r"|(?<![\w/~])~/[\w./+-]*"
)
_SENTENCE_END = re.compile(r"[.!?;:]\s|\n")


Role = Literal["made", "written", "read", "open"]


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a prompt names a file."""

    path: str
    role: Role
    """What the words before it say: `made` is the narrower kind of written, `open` none of these."""
    bare: bool
    """A name without a folder."""


def mentions(prompt: str) -> Iterator[Mention]:
    """Every file named with a folder, and every bare name that follows a word such as write, save or create."""
    for pattern, bare in ((_PATH, False), (_BARE, True)):
        for found in pattern.finditer(prompt):
            before = _before(prompt, found.start())
            path = found.group(1)
            if len(path) > MAX_PATH_CHARACTERS or path.startswith("/"):
                continue
            if _PLACEHOLDER.search(path) or _EXAMPLE.search(before) or _LIBRARIES.match(path):
                continue
            sentence = _SENTENCE_END.split(before)[-1]
            role = _role(sentence)
            if not bare or role in ("made", "written"):
                yield Mention(path, role, bare)


def _before(prompt: str, place: int) -> str:
    """The words before a place, none of them cut: `put` is a word of making, `input` is not."""
    start = max(0, place - MAX_BEFORE)
    while 0 < start < place and prompt[start - 1].isalnum():
        start += 1
    return prompt[start:place]


def _role(before: str) -> Role:
    """What the part of the sentence before a name says about it."""
    if _MAKES.search(before):
        return "made"
    if _WRITES.search(before):
        return "written"
    return "read" if _READS.search(before) else "open"


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """The files a prompt names and the workspace does not hold."""

    outputs: tuple[str, ...]
    """Asked for, in the order of the text."""
    missing: tuple[str, ...]
    """Inputs that are read and nowhere made."""
    unsure: tuple[str, ...]
    """Read somewhere and perhaps meant to exist."""


def named_files(prompt: str, shipped: Collection[str]) -> NamedFiles:
    """Sort the files that a prompt names into outputs and missing inputs.

    Args:
        prompt: what the agent reads.
        shipped: the paths of the initial workspace.
    """
    known = set(shipped)
    roles_of: dict[str, list[Role]] = {}
    for mention in mentions(prompt):
        roles_of.setdefault(mention.path, []).append(mention.role)
        if not mention.bare:
            known.add(mention.path)
    tails = {tail for path in known for tail in _tails(path)}
    later, absent = _moved_to(prompt), _absent(prompt)
    outputs: dict[str, str] = {}
    missing: list[str] = []
    unsure: list[str] = []
    for path, roles in roles_of.items():
        if path in shipped or path in tails or path_fault(path):
            continue
        top = path.split("/")[0]
        if top in INPUT_FOLDERS and roles[0] != "made":
            comes = path.rpartition("/")[0].casefold() in later or path.casefold() in absent
            if not comes and not _ABSENT_NAME.search(path):
                missing.append(path)
        elif set(roles) == {"read"} and top not in _OUTPUT_FOLDERS:
            unsure.append(path)
        else:
            outputs.setdefault(path.casefold(), path)
    return NamedFiles(tuple(outputs.values()), tuple(missing), tuple(unsure))


def _tails(path: str) -> Iterator[str]:
    """`config/app.yaml` and `app.yaml` of `input/config/app.yaml`, as which a prompt may also name it."""
    for place, character in enumerate(path):
        if character == "/":
            yield path[place + 1 :]


def _moved_to(prompt: str) -> frozenset[str]:
    """The folders, case folded, to which a prompt has something moved or copied."""
    targets = (found[1].casefold() for found in _MOVED.finditer(prompt))
    return frozenset(target[:place] for target in targets for place, character in enumerate(target) if character == "/")


def _absent(prompt: str) -> frozenset[str]:
    """The paths, case folded, of which a prompt says that they are not there."""
    found: set[str] = set()
    for said in _SAID_ABSENT.finditer(prompt):
        before = prompt[max(0, said.start() - MAX_PATH_CHARACTERS) : said.start()].casefold()
        name = _LAST_PATH.search(before[:-1] if before[-1:] in ("'", '"', "`") else before)
        if name:
            found |= {name[0], *_tails(name[0])}
    return frozenset(found)


def urls(prompt: str) -> tuple[str, ...]:
    """The web addresses that a prompt names, each once."""
    return tuple(dict.fromkeys(found[0].rstrip(".,;:!?*_") for found in _URL.finditer(prompt)))


def outside_paths(prompt: str) -> tuple[str, ...]:
    """The places outside the workspace that a prompt names: absolute paths, the home folder, a drive; each once."""
    named = (found[0].rstrip(".") for found in _OUTSIDE.finditer(prompt))
    return tuple(dict.fromkeys(path for path in named if not f"{path}/".startswith(WORKSPACE)))


def kind_of(path: str) -> OutputKind:
    """The kind of an output by its extension."""
    return KINDS.get(path.rsplit(".", 1)[-1].casefold(), "text")
