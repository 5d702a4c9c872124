"""What the initial files hold: tags, figures, dates, names, sentences and records, for hack agents and wrong answers."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clawgym_data.formats.text import decode_text
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.proof.answer import Files
from clawgym_data.proof.prose import TAG

MAX_FILE_BYTES = 2_000_000
MAX_RECORDS = 20_000
_NUMBER = re.compile(r"(?<![\w.-])\d{1,6}(?:\.\d{1,2})?(?![\w-])")
_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+ [A-ZÀ-Þ][\w'’-]+\b")
_SENTENCE = re.compile(r"[A-ZÀ-Þ][^.!?\n]{10,200}[.!?]")

Record = Mapping[str, str]


@dataclass(frozen=True)
class Vocabulary:
    """Everything in order of first occurrence, each once."""

    texts: tuple[str, ...]
    tags: tuple[str, ...]
    numbers: tuple[str, ...]
    dates: tuple[str, ...]
    times: tuple[str, ...]
    names: tuple[str, ...]
    sentences: tuple[str, ...]
    sources: tuple[tuple[Record, ...], ...]
    """The records of each table and JSON list, by `plain_name` of their columns."""


def plain_name(name: str) -> str:
    """A column's name for comparing: letters and digits only."""
    return re.sub(r"[\W_]+", "", name).lower()


def plain_text(content: bytes) -> str | None:
    """The text of a file, Windows-1252 where it is not UTF-8; None for what holds no text."""
    if len(content) > MAX_FILE_BYTES or b"\x00" in content:
        return None
    try:
        return decode_text(content)
    except Unreadable:
        return content.decode("cp1252", "replace")


def vocabulary_of(files: Files) -> Vocabulary:
    """Collect it from all files that hold text, by path."""
    texts = [text for path in sorted(files) if (text := plain_text(files[path])) is not None]
    every = "\n".join(texts)

    def all_of(pattern: re.Pattern[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(match[0] for match in pattern.finditer(every)))

    sources = [source for text in texts for source in _records(text)]
    return Vocabulary(
        texts=tuple(texts),
        tags=all_of(TAG),
        numbers=all_of(_NUMBER),
        dates=all_of(_DATE),
        times=all_of(_CLOCK),
        names=all_of(_NAME),
        sentences=all_of(_SENTENCE),
        sources=tuple(tuple(source) for source in sources),
    )


def _records(text: str) -> Iterator[list[Record]]:
    try:
        yield from _json_records(json.loads(text))
    except (ValueError, RecursionError):
        yield from _table_records(text)


def _json_records(tree: object) -> Iterator[list[Record]]:
    if isinstance(tree, dict):
        for child in tree.values():
            yield from _json_records(child)
    elif isinstance(tree, list) and tree and all(isinstance(item, dict) for item in tree):
        yield [{plain_name(str(name)): str(value) for name, value in item.items()} for item in tree[:MAX_RECORDS]]


def _table_records(text: str) -> Iterator[list[Record]]:
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    for delimiter in ",;\t":
        if len(lines) > 1 and lines[0].count(delimiter) >= 1 and lines[1].count(delimiter) >= lines[0].count(delimiter):
            reader = csv.reader(io.StringIO("\n".join(lines[: MAX_RECORDS + 1])), delimiter=delimiter)
            try:
                header, *rows = list(reader)
            except csv.Error:
                return
            names = [plain_name(name) for name in header]
            yield [dict(zip(names, row, strict=False)) for row in rows]
            return
