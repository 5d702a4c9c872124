"""The patch format of `apply_patch`, as pure functions.

    *** Begin Patch
    *** Add File: path          then lines with `+`
    *** Delete File: path
    *** Update File: path       then optionally `*** Move to: path`, and chunks: `@@ context`, lines with ` `, `-`, `+`
    *** End Patch

The format is that of OpenAI's Codex, which OpenClaw takes over.
"""

from dataclasses import dataclass, field

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, DELETE, UPDATE = "*** Add File: ", "*** Delete File: ", "*** Update File: "
MOVE, END_OF_FILE = "*** Move to: ", "*** End of File"


class PatchError(Exception):
    """A patch is not one, or does not fit its file; the message says where."""


@dataclass(frozen=True)
class Chunk:
    """One replaced piece of a file."""

    context: str | None
    """A line after which the piece is looked for."""
    old: tuple[str, ...]
    new: tuple[str, ...]
    at_end: bool


@dataclass(frozen=True)
class FileChange:
    """What a patch does with one file."""

    kind: str
    """add, delete or update."""
    path: str
    move_to: str | None = None
    content: str = ""
    """Of an added file."""
    chunks: tuple[Chunk, ...] = ()


@dataclass
class _Lines:
    """The lines of a patch and where the reader is."""

    lines: list[str]
    at: int = 0
    stop: int = field(default=0)

    def peek(self) -> str | None:
        return self.lines[self.at] if self.at < self.stop else None

    def take(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]

    def error(self, message: str) -> PatchError:
        return PatchError(f"invalid patch, line {self.at + 1}: {message}")


def parse_patch(text: str) -> tuple[FileChange, ...]:
    """Read a patch.

    Raises:
        PatchError: it is malformed or changes nothing.
    """
    lines = text.strip().replace("\r\n", "\n").split("\n")
    if lines[0].strip() in ("<<EOF", "<<'EOF'", '<<"EOF"') and lines[-1].strip() == "EOF":
        lines = lines[1:-1]
    if not lines or lines[0].strip() != BEGIN:
        raise PatchError(f"the first line of a patch is '{BEGIN}'")
    if lines[-1].strip() != END:
        raise PatchError(f"the last line of a patch is '{END}'")
    reader = _Lines(lines, at=1, stop=len(lines) - 1)
    changes: list[FileChange] = []
    while reader.peek() is not None:
        changes.append(_parse_file(reader))
    if not changes:
        raise PatchError("the patch changes no file")
    return tuple(changes)


def _parse_file(reader: _Lines) -> FileChange:
    header = reader.take().strip()
    if header.startswith(ADD):
        content = []
        while (line := reader.peek()) is not None and line.startswith("+"):
            content.append(reader.take()[1:] + "\n")
        return FileChange("add", header[len(ADD) :], content="".join(content))
    if header.startswith(DELETE):
        return FileChange("delete", header[len(DELETE) :])
    if not header.startswith(UPDATE):
        reader.at -= 1
        raise reader.error(f"{header!r} is no header; expected '{ADD}PATH', '{DELETE}PATH' or '{UPDATE}PATH'")
    path, move_to = header[len(UPDATE) :], None
    following = reader.peek()
    if following is not None and following.strip().startswith(MOVE):
        move_to = reader.take().strip()[len(MOVE) :]
    chunks: list[Chunk] = []
    while (line := reader.peek()) is not None and (not line.startswith("***") or line.strip() == END_OF_FILE):
        if not line.strip():
            reader.take()
            continue
        chunks.append(_parse_chunk(reader, is_first=not chunks))
    if not chunks and move_to is None:
        raise reader.error(f"the update of {path!r} is empty")
    return FileChange("update", path, move_to, chunks=tuple(chunks))


def _parse_chunk(reader: _Lines, *, is_first: bool) -> Chunk:
    context = None
    first = reader.peek() or ""
    if first.rstrip() == "@@":
        reader.take()
    elif first.startswith("@@ "):
        context = reader.take()[3:]
    elif not is_first:
        raise reader.error(f"expected a chunk that starts with '@@', found {first!r}")
    old: list[str] = []
    new: list[str] = []
    started = reader.at
    while (line := reader.peek()) is not None and not line.startswith(("@@", "***")):
        mark, rest = line[:1], line[1:]
        if mark not in ("", " ", "-", "+"):
            raise reader.error(f"a line of a chunk starts with ' ', '-' or '+', found {line!r}")
        reader.take()
        if mark != "+":
            old.append(rest)
        if mark != "-":
            new.append(rest)
    at_end = (reader.peek() or "").strip() == END_OF_FILE
    if at_end:
        reader.take()
    if reader.at == started:
        raise reader.error("the chunk has no lines")
    return Chunk(context, tuple(old), tuple(new), at_end)


def apply_chunks(text: str, chunks: tuple[Chunk, ...], path: str) -> str:
    """Return the text with all chunks replaced, in order; line ends of the text are kept.

    Raises:
        PatchError: a chunk's context or old lines are not there.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    had_final_end = text.endswith("\n") or not text
    lines = text.replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    at = 0
    for chunk in chunks:
        if chunk.context is not None:
            found = _find(lines, (chunk.context,), at, at_end=False)
            if found is None:
                raise PatchError(f"{path}: no line {chunk.context!r} to start from")
            at = found + 1
        if not chunk.old:
            place = at if chunk.context is not None else len(lines)
        else:
            position = _find(lines, chunk.old, at, at_end=chunk.at_end)
            if position is None:
                raise PatchError(f"{path}: these lines were not found:\n" + "\n".join(chunk.old))
            place = position
        lines[place : place + len(chunk.old)] = chunk.new
        at = place + len(chunk.new)
    return ending.join(lines) + (ending if lines and (had_final_end or chunks) else "")


def _find(lines: list[str], wanted: tuple[str, ...], start: int, *, at_end: bool) -> int | None:
    """Return where the lines stand, compared exactly, then without blanks at the end, then at both ends."""
    last = len(lines) - len(wanted)
    order = [last, *range(start, last)] if at_end and last >= start else list(range(start, last + 1))
    for same in (str, str.rstrip, str.strip):
        target = [same(line) for line in wanted]
        for position in order:
            if [same(line) for line in lines[position : position + len(wanted)]] == target:
                return position
    return None
