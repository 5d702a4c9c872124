"""Mutants that every kind of file has: gone, emptied, cut short, and other line endings."""

from collections.abc import Iterator

from clawgym_data.proof.answer import Edit
from clawgym_data.spec.output import Output

NO_LAST_NEWLINE = "no last newline"


def file_edits(content: bytes) -> Iterator[Edit]:
    """The file gone, empty, or cut after half of its bytes."""
    yield Edit("missing", "breaking", None, ("file",))
    if content:
        yield Edit("empty", "breaking", b"", ("file",))
    half = content[: len(content) // 2]
    if half.strip() and half.strip() != content.strip():
        yield Edit("cut short", "breaking", half, ("file",))


def form_edits(output: Output, content: bytes) -> Iterator[Edit]:
    """Other line endings: free with `newline: any`, else a fault."""
    lf = content.replace(b"\r\n", b"\n")
    forms = {"LF": lf, "CRLF": lf.replace(b"\n", b"\r\n")}
    for name, changed in forms.items():
        if changed != content and output.newline != name.lower():
            yield Edit(f"with {name}", "neutral" if output.newline == "any" else "breaking", changed, ("form",))
    if output.newline == "any" and content.endswith(b"\n"):
        yield Edit(NO_LAST_NEWLINE, "neutral", content.rstrip(b"\r\n"), ("form",))
