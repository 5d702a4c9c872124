"""The tools `read`, `write`, `edit` and `apply_patch`."""

from inspect_ai.tool import ToolError

from clawgym_bench.claw.patch import FileChange, PatchError, apply_chunks, parse_patch
from clawgym_bench.claw.site import Site

READ_MAX_LINES, READ_MAX_BYTES = 2000, 50 * 1024
"""Of one `read`, as in OpenClaw."""
FILE_MAX_BYTES = 16 << 20
"""The largest file that `read`, `edit` and `apply_patch` look into."""


async def load_text(site: Site, path: str) -> str:
    """The text of a file.

    Raises:
        ToolError: it is too large or no text.
        OSError: it cannot be read.
    """
    content, size = await site.read(path, FILE_MAX_BYTES)
    if size > FILE_MAX_BYTES:
        raise ToolError(f"{path} has {size} bytes, more than the {FILE_MAX_BYTES} that this tool reads; use exec")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(
            f"{path} is no UTF-8 text (byte {error.start}, {size} bytes in all); use exec to look at it"
        ) from error
    if "\0" in text:
        raise ToolError(f"{path} is a binary file of {size} bytes; use exec to look at it")
    return text


async def read(site: Site, path: str, offset: int | None = None, limit: int | None = None) -> str:
    """The lines of a text file from line `offset` on, at most `limit`, with a note where more follow."""
    lines = (await load_text(site, path)).split("\n")
    total = len(lines) - (1 if not lines[-1] else 0)
    first = max(1, offset or 1)
    if first > max(1, total):
        raise ToolError(f"offset {first} is beyond the end of {path}, which has {total} lines")
    chosen = lines[first - 1 :]
    wanted = READ_MAX_LINES if limit is None else min(max(0, limit), READ_MAX_LINES)
    shown, size = 0, 0
    for line in chosen[:wanted]:
        size += len(line.encode()) + 1
        if size > READ_MAX_BYTES:
            break
        shown += 1
    if wanted and not shown and chosen[0]:
        raise ToolError(f"line {first} of {path} alone has more than {READ_MAX_BYTES} bytes; use exec to look at it")
    last = first + shown - 1
    text = "\n".join(chosen[:shown])
    if last < total:
        text += f"\n\n[lines {first}-{last} of {total} shown; use offset={last + 1} to go on]"
    return text


async def write(site: Site, path: str, content: str) -> str:
    """Create or overwrite a file."""
    try:
        data = content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolError("the content has half a character (a lone surrogate), which UTF-8 cannot write") from error
    await site.write(path, data)
    return f"Successfully wrote {len(data)} bytes to {path}"


async def edit(site: Site, path: str, old_text: str, new_text: str) -> str:
    """Replace a piece of text that occurs exactly once."""
    if not old_text:
        raise ToolError("oldText is empty; use write to create a file")
    text = await load_text(site, path)
    found = text.count(old_text)
    if not found and "\r\n" in text:
        # the model sees and writes lines without their carriage returns
        old_text, new_text = (part.replace("\r\n", "\n").replace("\n", "\r\n") for part in (old_text, new_text))
        found = text.count(old_text)
    if found != 1:
        where = "does not occur" if not found else f"occurs {found} times"
        raise ToolError(f"oldText {where} in {path}; it must match exactly once, blanks and line ends included")
    if old_text == new_text:
        raise ToolError("oldText and newText are the same")
    await write(site, path, text.replace(old_text, new_text))
    return f"Successfully replaced text in {path}"


async def apply_patch(site: Site, patch: str) -> str:
    """Change several files; everything is worked out before the first is written."""
    after: dict[str, str | None] = {}
    lines = ["Success. Updated the following files:"]
    try:
        for change in parse_patch(patch):
            lines.append(await _work_out(site, change, after))
    except PatchError as error:
        raise ToolError(str(error)) from error
    for path, content in after.items():
        if content is None:
            await site.remove(path)
        else:
            await write(site, path, content)
    return "\n".join(lines)


async def _work_out(site: Site, change: FileChange, after: dict[str, str | None]) -> str:
    """Note what a change leaves in which path (None: nothing); return its line of the answer."""
    source = site.absolute(change.path)
    if change.kind == "add":
        after[source] = change.content
        return f"A {change.path}"
    text = after[source] if source in after else await load_text(site, change.path)
    if text is None:
        raise PatchError(f"{change.path}: the patch has removed it already")
    if change.kind == "delete":
        after[source] = None
        return f"D {change.path}"
    target = site.absolute(change.move_to) if change.move_to else source
    after[source] = None
    after[target] = apply_chunks(text, change.chunks, change.path)
    return f"M {change.move_to or change.path}"
