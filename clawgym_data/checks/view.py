"""What a check may look at: the final workspace, the pristine one, the outputs as declared, and what executions gave."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from clawgym_data.formats.markdown import visible
from clawgym_data.formats.table import Table, parse_table
from clawgym_data.formats.text import decode_text
from clawgym_data.formats.tree import parse_tree
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.snapshot import Entry, EntryKind
from clawgym_data.spec.output import TABLE_KINDS, TREE_KINDS, Output

Parsed = TypeVar("Parsed")

MAX_TEXT_BYTES = 1024 * 1024
"""A text or note with more is not read: no task asks for that much, and every check on it would take its time."""


def _short_text(content: bytes) -> str:
    if len(content) > MAX_TEXT_BYTES:
        raise Unreadable(f"is a text of more than {MAX_TEXT_BYTES} bytes")
    return decode_text(content)


MAX_PROSE_BYTES = 256 * 1024
"""The same of what is read as Markdown."""


def _prose(content: bytes) -> str:
    if len(content) > MAX_PROSE_BYTES:
        raise Unreadable(f"is a text of more than {MAX_PROSE_BYTES} bytes")
    return visible(decode_text(content))


@dataclass(frozen=True, slots=True)
class CaseRun:
    """What one execution in a subject sandbox gave."""

    name: str
    exit: int
    output: bytes
    """Standard output, or the file that the case names."""
    problem: str | None = None
    """Why there is no usable output: timed out, too much, no such file."""


@dataclass
class View:
    """Parsed once per file; only the files that the task's checks name carry contents."""

    entries: Mapping[str, Entry]
    """Everything in the final workspace, by path as it was found."""
    files: Mapping[str, bytes]
    """Contents of readable files that some check reads, by the path it names."""
    pristine: Mapping[str, str]
    """Initial files: path -> sha256."""
    pristine_files: Mapping[str, bytes]
    """Initial contents of the same paths, where they exist."""
    outputs: Mapping[str, Output]
    truncated: str | None = None
    """Why the listing of the final workspace is incomplete, or None."""
    runs: tuple[CaseRun, ...] = ()
    pristine_runs: tuple[CaseRun, ...] = ()
    found: Any = None
    """Of a `python` or `property` check: what its function returned in the grader sandbox."""
    pristine_found: Any = None
    """The same of the untouched workspace."""
    _parsed: dict[tuple[str, str], Any] = field(default_factory=dict)

    def entry(self, path: str) -> Entry | None:
        """The entry at a path, else the only one that equals it in NFC."""
        exact = self.entries.get(path)
        alike = () if exact is not None else self.alike.get(unicodedata.normalize("NFC", path), ())
        return exact or (self.entries[alike[0]] if len(alike) == 1 else None)

    @property
    def alike(self) -> Mapping[str, Sequence[str]]:
        """The paths of the final workspace by their NFC form."""
        if ("alike", "") not in self._parsed:
            found: dict[str, list[str]] = {}
            for path in self.entries:
                found.setdefault(unicodedata.normalize("NFC", path), []).append(path)
            self._parsed["alike", ""] = found
        index: Mapping[str, Sequence[str]] = self._parsed["alike", ""]
        return index

    def meant(self, path: str) -> str:
        """The NFC form of a path that was found, unless another one has that form: then no more than its own name."""
        form = unicodedata.normalize("NFC", path)
        return form if len(self.alike.get(form, ())) <= 1 else path

    def content(self, path: str) -> bytes:
        """The bytes of a regular file of the final workspace.

        Raises:
            Unreadable: missing, a folder, a link, a fifo, too large or unreadable.
        """
        entry = self.entry(path)
        if entry is None:
            raise Unreadable(f"{path} does not exist")
        if entry.kind is not EntryKind.FILE:
            raise Unreadable(f"{path} is no regular file: {entry.reason or entry.kind.value}")
        return self.files[path]

    def text(self, path: str) -> str:
        """The decoded text; see `decode_text`."""
        return self._once("text", path, _short_text)

    def is_markdown(self, path: str) -> bool:
        """Whether the text at a path is read as Markdown: a note, a file of that name, or one that is not declared."""
        output = self.outputs.get(path)
        return path.lower().endswith((".md", ".markdown")) or output is None or output.kind == "note"

    def prose(self, path: str) -> str:
        """What a reader sees of a text: of Markdown without comments, code blocks, struck-out and hidden parts."""
        return self._once("prose", path, _prose) if self.is_markdown(path) else self.text(path)

    def table(self, path: str) -> Table:
        """The table as its output declares it."""
        output = self._output(path, TABLE_KINDS)
        return self._once("table", path, lambda content: parse_table(content, output))

    def tree(self, path: str) -> Any:  # noqa: ANN401 - any tree value
        """The tree as its output declares it."""
        output = self._output(path, TREE_KINDS)
        return self._once("tree", path, lambda content: parse_tree(content, output.kind))

    def pristine_tree(self, path: str) -> Any:  # noqa: ANN401 - any tree value
        """The tree that stood at the path at first."""
        return parse_tree(self.pristine_files[path], self._output(path, TREE_KINDS).kind)

    def _output(self, path: str, kinds: tuple[str, ...]) -> Output:
        output = self.outputs.get(path)
        if output is None or output.kind not in kinds:
            raise LookupError(f"{path} is not declared under outputs with a kind of {', '.join(kinds)}")
        return output

    def _once(self, form: str, path: str, parse: Callable[[bytes], Parsed]) -> Parsed:
        key = (form, path)
        if key not in self._parsed:
            content = self.content(path)
            try:
                self._parsed[key] = parse(content)
            except Unreadable as reason:
                self._parsed[key] = Unreadable(f"{path} {reason}")
        value: Parsed | Unreadable = self._parsed[key]
        if isinstance(value, Unreadable):
            raise value
        return value
