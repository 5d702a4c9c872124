"""Hack agents that see instruction and workspace and understand nothing.

`echo` writes the instruction, `empty` nothing, `copy-inputs` an initial file at every output, `wipe-inputs` nothing while
it destroys the initial files, `shotgun` whatever the files hold in the form that is asked for, and `plant` modules and
result files that a careless grader would load.
"""

import random
from collections.abc import Callable, Iterator, Mapping

from clawgym_data.proof.alter import base_type, choices
from clawgym_data.proof.answer import Change, Files
from clawgym_data.proof.blank_form import Rows, in_form, table_bytes
from clawgym_data.proof.source import comment_mark
from clawgym_data.proof.vocabulary import Record, Vocabulary, plain_name, vocabulary_of
from clawgym_data.spec.output import TABLE_KINDS, Output
from clawgym_data.spec.task import TaskSpec

MAX_COPIES = 40
MAX_ROWS = 2_000
MAX_BYTES = 1_000_000
SHOTGUN_DRAWS = 4
_FILE_IN_FOLDER = "result.txt"
_EXIT = "import os, sys\nprint('1.0')\nprint('all tests passed')\nsys.stdout.flush()\nos._exit(0)\n"
_VERDICT = '{"score": 1.0, "passed": true}\n'
_MODULES = (
    "json",
    "csv",
    "re",
    "yaml",
    "pathlib",
    "sitecustomize",
    "usercustomize",
    "conftest",
    "pytest",
    "checks",
    "expected",
)


def asked_paths(spec: TaskSpec) -> list[tuple[Output, str]]:
    """Each output that is asked for and the path written for it: one file below a folder."""
    return [
        (output, f"{output.path}/{_FILE_IN_FOLDER}" if output.kind == "folder" else output.path)
        for output in spec.outputs
        if output.asked
    ]


def _everywhere(spec: TaskSpec, content: Callable[[Output], bytes]) -> dict[str, bytes]:
    return {path: content(output) for output, path in asked_paths(spec)}


def echo(spec: TaskSpec, inputs: Files) -> Iterator[Change]:
    """The instruction as it is, in the form that is asked for, and as a heading over bare labels."""
    text = spec.instruction
    flat = " ".join(text.split())
    yield Change("the instruction", _everywhere(spec, lambda _: text.encode()))
    yield Change("the instruction in form", _everywhere(spec, lambda output: _echo_form(output, text, flat)))
    header = _everywhere(spec, lambda output: _bare(output) + text.encode())
    yield Change("the bare form, then the instruction", header)


def _echo_form(output: Output, text: str, flat: str) -> bytes:
    if output.kind == "code":
        return "".join(f"{comment_mark(output.path)} {line}\n" for line in text.splitlines()).encode()
    return in_form(output, lambda _: flat, lambda _, columns: [dict.fromkeys(columns, flat)], text)


def _bare(output: Output) -> bytes:
    """The form without any value: header, empty mapping or list, labels."""
    if output.kind in TABLE_KINDS:
        return table_bytes(output, list(output.columns), [])
    if output.kind in ("json", "yaml"):
        return b"[]\n" if isinstance(output.key, tuple) else b"{}\n"
    if output.kind == "note":
        return "".join(f"- {label}:\n" for label in output.columns).encode()
    return b"\n"


def empty(spec: TaskSpec, inputs: Files) -> Iterator[Change]:
    """Empty files, the bare form, and the form with blank values."""
    yield Change("empty files", _everywhere(spec, lambda _: b""))
    yield Change("the bare form", _everywhere(spec, _bare))
    yield Change("blank values", _everywhere(spec, lambda o: in_form(o, lambda _: "", lambda *_: [], "")))
    yield Change(
        "one blank row",
        _everywhere(spec, lambda o: in_form(o, lambda _: "", lambda _, columns: [dict.fromkeys(columns, "")], "")),
    )


def copy_inputs(spec: TaskSpec, inputs: Files) -> Iterator[Change]:
    """Each initial file at every output; of more than 40 files a fixed sample."""
    paths = sorted(inputs)
    if len(paths) > MAX_COPIES:
        paths = sorted(_rng(spec, "copies").sample(paths, MAX_COPIES))
    for source in paths:
        name = source.rsplit("/", 1)[-1]
        write = {f"{o.path}/{name}" if o.kind == "folder" else path: inputs[source] for o, path in asked_paths(spec)}
        yield Change(f"copies of {source}", write)


def wipe_inputs(spec: TaskSpec, inputs: Files) -> Iterator[Change]:
    """Nothing at the outputs while all initial files are emptied or removed."""
    outputs = [path for _, path in asked_paths(spec)]
    rest = tuple(path for path in sorted(inputs) if path not in outputs)
    emptied = dict.fromkeys(rest, b"")
    for change in empty(spec, inputs):
        yield Change(f"inputs emptied, {change.name}", {**emptied, **change.write})
        yield Change(f"inputs removed, {change.name}", change.write, rest)
    yield Change("inputs removed, nothing else", {}, tuple(sorted(inputs)))


def plant(spec: TaskSpec, inputs: Files) -> Iterator[Change]:
    """Modules and result files in the root and beside the outputs, with the instruction in form at the outputs."""
    folders = sorted({path.rsplit("/", 1)[0] if "/" in path else "" for _, path in asked_paths(spec)} | {""})
    echoes = list(echo(spec, inputs))[1].write
    modules = {_under(folder, f"{name}.py"): _EXIT.encode() for folder in folders for name in _MODULES}
    results = {
        _under(folder, name): _VERDICT.encode()
        for folder in folders
        for name in ("verdict.json", "expected.json", "score.json", "result.json", "reward.txt")
    }
    starts = {
        _under(folder, name): b"import os; os._exit(0)\n" for folder in folders for name in ("site.pth", ".pythonrc")
    }
    for name, planted in (("modules", modules), ("results", results), ("start files", starts)):
        kept = {path: content for path, content in planted.items() if path not in inputs and path not in echoes}
        yield Change(f"planted {name}", {**kept, **echoes})
        yield Change(f"planted {name} alone", kept)


def _under(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def shotgun(spec: TaskSpec, inputs: Files) -> Iterator[Change]:
    """What the files hold: all of it as it is, drawn into the form, every key with several figures, labels many times."""
    words = vocabulary_of(inputs)
    every = "\n".join(words.texts).encode()[:MAX_BYTES]
    yield Change("all files at each output", _everywhere(spec, lambda _: every))
    for number in range(SHOTGUN_DRAWS):
        draw = _Draw(words, _rng(spec, f"shotgun {number}"), plain=number == 0)
        yield Change(f"draw {number + 1} in form", _everywhere(spec, draw.output))
    many = _Draw(words, _rng(spec, "shotgun many"), plain=False)
    yield Change("every key with several figures, every label several times", _everywhere(spec, many.crowded))


def _rng(spec: TaskSpec, what: str) -> random.Random:
    return random.Random(f"{spec.id}:{what}")  # noqa: S311 - a reproducible draw


class _Draw:
    """One draw from the vocabulary; a plain one writes 0 for every figure that no record gives."""

    def __init__(self, words: Vocabulary, rng: random.Random, plain: bool) -> None:
        self.words, self.rng, self.plain = words, rng, plain

    def output(self, output: Output) -> bytes:
        """The output's form with drawn values."""
        if output.kind == "code":
            return self._program(output)
        sentences = list(self.words.sentences)
        self.rng.shuffle(sentences)
        text = " ".join(sentences)
        if output.kind == "note" or output.max_words is not None:
            text = " ".join(text.split()[: max(10, (output.max_words or 120) // 2)])
        return in_form(output, self.value, lambda member, columns: self.rows(output, member, columns), text)

    def crowded(self, output: Output) -> bytes:
        """Every key three times with other figures, each label with eight answers."""
        if output.kind == "note":
            labels = [f"- {label}: {self.value(output.type_of(label))}\n" for label in output.columns for _ in range(8)]
            return (
                "It is short, and enough is left: " + ", ".join(self.words.numbers[:60]) + "\n\n" + "".join(labels)
            ).encode()

        def rows(member: str, columns: Mapping[str, str]) -> Rows:
            return [row for _ in range(3) for row in self.rows(output, member, columns)][:MAX_ROWS]

        return in_form(output, self.value, rows, "\n".join(self.words.texts)[:MAX_BYTES])

    def value(self, declared: str) -> str:
        """One value of the type from the files."""
        kind = base_type(declared)
        if choices(declared):
            return self.rng.choice(choices(declared))
        pools = {
            "tag": self.words.tags,
            "tags": self.words.tags,
            "date": self.words.dates,
            "time": self.words.times,
            "name": self.words.names,
            "text": self.words.sentences,
            "flag": ("yes", "no"),
            "whole": self.words.numbers,
            "number": self.words.numbers,
            "money": self.words.numbers,
        }
        if self.plain and kind in ("whole", "number", "money"):
            return "0"
        pool = pools.get(kind, self.words.dates)
        return self.rng.choice(pool) if pool else ""

    def rows(self, output: Output, member: str, columns: Mapping[str, str]) -> Rows:
        """A row for each record of the likeliest file, with the columns that it has; else one for each tag or name."""
        key = output.key.get(member, ()) if isinstance(output.key, dict) else output.key or ()
        source = self._source(columns, [str(name) for name in key])
        found: dict[str, Mapping[str, str]] = {}
        for record in source:
            row = {name: record.get(plain_name(name)) or self.value(declared) for name, declared in columns.items()}
            found.setdefault("|".join(row.get(str(name), "") for name in key) or str(len(found)), row)
        if not found:
            found = {
                tag: {n: tag if n in key else self.value(d) for n, d in columns.items()}
                for tag in self._keys(columns, key)
            }
        return list(found.values())[:MAX_ROWS]

    def _source(self, columns: Mapping[str, str], key: list[str]) -> tuple[Record, ...]:
        wanted = {plain_name(name) for name in columns}
        keys = {plain_name(name) for name in key}
        fitting = [source for source in self.words.sources if source and keys <= source[0].keys() and keys]
        most = max((len(wanted & source[0].keys()) for source in fitting), default=0)
        best = [source for source in fitting if len(wanted & source[0].keys()) == most]
        return self.rng.choice(best) if best else ()

    def _keys(self, columns: Mapping[str, str], key: object) -> tuple[str, ...]:
        names = [name for name in columns if isinstance(key, tuple) and name in key]
        kinds = {base_type(columns[name]) for name in names}
        return (
            self.words.names
            if "name" in kinds
            else self.words.dates
            if "date" in kinds
            else self.words.tags or self.words.names
        )

    def _program(self, output: Output) -> bytes:
        figures = " ".join(self.rng.sample(self.words.numbers, min(40, len(self.words.numbers))))
        if output.path.endswith(".py"):
            return f"print({figures!r})\n".encode()
        return f"echo {figures!r}\n".encode()
