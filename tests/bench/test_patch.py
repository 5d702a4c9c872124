import pytest

from clawgym_bench.claw.patch import PatchError, apply_chunks, parse_patch


def patched(text: str, *lines: str) -> str:
    change = parse_patch("\n".join(["*** Begin Patch", "*** Update File: f", *lines, "*** End Patch"]))[0]
    return apply_chunks(text, change.chunks, change.path)


def test_every_kind_of_section_is_read() -> None:
    text = """*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Delete File: old.txt
*** Update File: a.txt
*** Move to: b.txt
@@ def f():
-x
+y
*** End Patch"""
    added, deleted, updated = parse_patch(text)

    assert (added.kind, added.path, added.content) == ("add", "new.txt", "one\n\ntwo\n")
    assert (deleted.kind, deleted.path) == ("delete", "old.txt")
    assert (updated.path, updated.move_to) == ("a.txt", "b.txt")
    assert (updated.chunks[0].context, updated.chunks[0].old, updated.chunks[0].new) == ("def f():", ("x",), ("y",))


def test_a_patch_in_a_here_document_is_read() -> None:
    assert parse_patch("<<'EOF'\n*** Begin Patch\n*** Delete File: x\n*** End Patch\nEOF")[0].path == "x"


def test_the_context_line_says_which_of_two_places_is_meant() -> None:
    assert patched("a\nx\nb\nx\n", "@@ b", "-x", "+y") == "a\nx\nb\ny\n"


def test_chunks_follow_each_other() -> None:
    assert patched("x\na\nx\n", "@@", "-x", "+1", "@@", " a", "-x", "+2") == "1\na\n2\n"


def test_lines_are_added_at_the_end_where_nothing_is_replaced() -> None:
    assert patched("a\n", "@@", "+b") == "a\nb\n"


def test_the_end_of_the_file_can_be_meant() -> None:
    assert patched("x\na\nx\n", "@@", "-x", "+y", "*** End of File") == "x\na\ny\n"


def test_line_ends_are_kept_and_blanks_at_the_end_forgiven() -> None:
    assert patched("a  \r\nb\r\n", "@@", " a", "-b", "+c") == "a\r\nc\r\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first line"),
        ("*** Begin Patch\n*** Add File: x\n+a", "the last line"),
        ("*** Begin Patch\n*** End Patch", "changes no file"),
        ("*** Begin Patch\n*** Rename File: x\n*** End Patch", "line 2: '\\*\\*\\* Rename File: x' is no header"),
        ("*** Begin Patch\n*** Update File: x\n*** End Patch", "the update of 'x' is empty"),
        ("*** Begin Patch\n*** Update File: x\n@@\nabc\n*** End Patch", "line 4: .* found 'abc'"),
        ("*** Begin Patch\n*** Update File: x\n@@\n*** End Patch", "no lines"),
    ],
)
def test_a_malformed_patch_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(PatchError, match=message):
        parse_patch(text)


def test_lines_that_are_not_there_are_named() -> None:
    with pytest.raises(PatchError, match="f: these lines were not found:\nz"):
        patched("a\n", "@@", "-z", "+y")
    with pytest.raises(PatchError, match="no line 'q' to start from"):
        patched("a\n", "@@ q", "-a", "+y")
