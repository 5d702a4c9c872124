import unicodedata

import pytest

from clawgym_data.checks import Unreadable
from tests.data.checking import judge

BEFORE = "# jobs\n\na 1\nb 2\nc 3\nd 4\n"
WANT = BEFORE.replace("a 1", "a 9").replace("d 4", "d 8")
EDIT = {"kind": "edited_text", "path": "t.conf"}
OUT = {"path": "t.conf", "kind": "text", "in_place": True}


@pytest.mark.parametrize(
    ("after", "score"),
    [
        (WANT, 1.0),
        (WANT.rstrip("\n"), 1.0),
        (BEFORE, 0.0),
        (BEFORE.replace("a 1", "a 9"), 0.5),
        (WANT.replace("b 2", "b 7"), 2 / 3),
        (WANT.replace("# jobs\n", ""), 2 / 3),
        ("", 0.0),
    ],
)
def test_edits_count_line_by_line(after: str, score: float) -> None:
    assert judge(EDIT, {"t.conf": after}, WANT, output=OUT, pristine={"t.conf": BEFORE}).score == pytest.approx(score)


@pytest.mark.fault("another-encoding")
def test_line_ends_count_where_the_output_says_so() -> None:
    before, want = BEFORE.replace("\n", "\r\n"), WANT.replace("\n", "\r\n")
    lost = want.replace("a 9\r\n", "a 9\n")
    exact = OUT | {"newline": "crlf"}
    assert judge(EDIT, {"t.conf": want}, want, output=exact, pristine={"t.conf": before}).score == 1
    assert judge(EDIT, {"t.conf": lost}, want, output=exact, pristine={"t.conf": before}).score == pytest.approx(1 / 3)
    assert judge(EDIT, {"t.conf": lost}, want, output=OUT, pristine={"t.conf": before}).score == 1


def test_lines_that_stay() -> None:
    kept = {"kind": "lines_kept", "path": "t.conf", "except": ["a ", "d "]}
    pristine = {"t.conf": BEFORE}
    assert judge(kept, {"t.conf": WANT}, output=OUT, pristine=pristine).score == 1
    assert judge(kept, {"t.conf": WANT.replace("# jobs\n", "")}, output=OUT, pristine=pristine).score == 0
    assert judge(kept, {"t.conf": WANT.replace("b 2\nc 3", "c 3\nb 2")}, output=OUT, pristine=pristine).score == 0
    assert judge(kept, {"t.conf": WANT + "e 5\n"}, output=OUT, pristine=pristine).score == 1
    assert judge(kept | {"none_added": True}, {"t.conf": WANT + "e 5\n"}, output=OUT, pristine=pristine).score == 0
    with pytest.raises(Unreadable, match="does not exist"):
        judge(kept, {}, output=OUT, pristine=pristine)


PRISTINE = {"in/a.txt": "a", "in/b.txt": "b"}
UNCHANGED = {"kind": "inputs_unchanged", "role": "guard", "weight": 0}
ONLY = {"kind": "only_outputs", "role": "guard", "weight": 0}


@pytest.mark.parametrize(
    ("files", "unchanged", "only"),
    [
        (PRISTINE | {"t.conf": "x"}, 1, 1),
        ({"in/a.txt": "a"}, 0, 1),
        (PRISTINE | {"in/a.txt": "A"}, 0, 1),
        (PRISTINE | {"t.conf": "x", "in/scratch.py": ""}, 1, 0),
        (PRISTINE | {"tmp/x": ""}, 1, 0),
    ],
)
def test_guards_over_files(files: dict[str, str], unchanged: int, only: int) -> None:
    assert judge(UNCHANGED, files, output=OUT, pristine=PRISTINE).score == unchanged
    assert judge(ONLY, files, output=OUT, pristine=PRISTINE).score == only


def test_allowed_extras_and_a_folder_of_outputs() -> None:
    files = PRISTINE | {"src/__pycache__/x.pyc": "", "sorted/2026/a.txt": "a"}
    output = {"path": "sorted", "kind": "folder"}
    assert judge(ONLY | {"allow": ["src/*"]}, files, output=output, pristine=PRISTINE).score == 1
    assert judge(ONLY, files, output=output, pristine=PRISTINE).score == 0


def test_files_placed() -> None:
    check = {"kind": "files_placed", "root": "sorted"}
    expected = {"2026/a.txt": "in/a.txt", "2025/b.txt": "in/b.txt"}
    good = {"sorted/2026/a.txt": "a", "sorted/2025/b.txt": "b"}
    assert judge(check, good, expected, pristine=PRISTINE).score == 1
    assert judge(check, good | {"sorted/x": "x"}, expected, pristine=PRISTINE).score == pytest.approx(2 / 3)
    assert judge(check, good | {"sorted/2026/a.txt": "b"}, expected, pristine=PRISTINE).score == 0.5
    assert judge(check, {}, expected, pristine=PRISTINE).score == 0


def test_exists_and_absent() -> None:
    assert judge({"kind": "file_exists", "path": "x"}, {"x": ""}).score == 1
    assert judge({"kind": "file_absent", "path": "x"}, {"x": ""}).score == 0
    assert judge({"kind": "file_absent", "path": "x"}, {}).score == 1
    with pytest.raises(Unreadable, match="does not exist"):
        judge({"kind": "file_exists", "path": "x"}, {})


NFC = "in/café.txt"
NFD = unicodedata.normalize("NFD", NFC)


def test_decomposed_names_are_the_names_that_were_meant() -> None:
    output = {"path": "café/out.txt", "kind": "text"}
    made = unicodedata.normalize("NFD", "café/out.txt")
    pristine = {NFC: "x"}
    assert judge(ONLY, {NFD: "x", made: "y"}, output=output, pristine=pristine).score == 1
    assert judge(UNCHANGED, {NFD: "x", made: "y"}, output=output, pristine=pristine).score == 1
    assert judge(UNCHANGED, {NFD: "z"}, output=output, pristine=pristine).score == 0
    assert judge(ONLY, {NFC: "x", NFD: "x"}, output=output, pristine=pristine).score == 0
    assert judge({"kind": "file_exists", "path": "café/out.txt"}, {made: "y"}, output=output).score == 1
    assert judge({"kind": "file_absent", "path": "café/out.txt"}, {made: "y"}, output=output).score == 0
    placed = {"kind": "files_placed", "root": "café"}
    assert judge(placed, {made: "x"}, {"out.txt": NFC}, pristine=pristine).score == 1
    assert judge(placed, {made: "x", "café/out.txt": "x"}, {"out.txt": NFC}, pristine=pristine).score == 0.5


def test_decomposed_text_is_the_text_that_was_asked_for() -> None:
    before, want = "café 1\nnaïve 2\nb 3\n", "café 9\nnaïve 2\nb 3\n"
    for newline in ("any", "lf"):
        output = OUT | {"newline": newline}
        for first, last in ((before, unicodedata.normalize("NFD", want)), (unicodedata.normalize("NFD", before), want)):
            assert judge(EDIT, {"t.conf": last}, want, output=output, pristine={"t.conf": first}).score == 1
    crlf = want.replace("\n", "\r\n")
    assert judge(EDIT, {"t.conf": crlf}, want, output=OUT, pristine={"t.conf": before}).score == 1
    assert judge(EDIT, {"t.conf": crlf}, want, output=OUT | {"newline": "lf"}, pristine={"t.conf": before}).score < 0.4
    assert judge(EDIT, {"t.conf": "\ufeff" + want}, want, output=OUT, pristine={"t.conf": before}).score == 1


def test_a_listing_that_was_cut_proves_nothing() -> None:
    cut = {"output": OUT, "pristine": PRISTINE, "truncated": "more than 20000 entries"}
    absent = {"kind": "file_absent", "role": "guard", "weight": 0, "path": "x"}
    placed = {"kind": "files_placed", "root": "in"}
    for check, files in ((UNCHANGED, {"in/a.txt": "a"}), (ONLY, PRISTINE), (absent, PRISTINE)):
        with pytest.raises(Unreadable, match="not read to its end"):
            judge(check, files, **cut)
    with pytest.raises(Unreadable, match="not read to its end"):
        judge(placed, PRISTINE, {"a.txt": "in/a.txt"}, **cut)
    assert judge(UNCHANGED, PRISTINE, **cut).score == 1
    changed = judge(UNCHANGED, {"in/a.txt": "A"}, **cut)
    assert changed.score == 0
    assert "in/a.txt" in changed.evidence
    assert judge(ONLY, PRISTINE | {"n1": ""}, **cut).score == 0
    assert judge(absent, {"x": ""}, **cut).score == 0
