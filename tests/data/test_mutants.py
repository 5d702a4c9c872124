"""Mutants: deterministic, of the class they claim, and spread over all that the outputs declare."""

import csv
import io
import json
import unicodedata
from collections.abc import Mapping
from typing import Any

import pytest

from clawgym_data.formats.day import dates
from clawgym_data.formats.figure import figures
from clawgym_data.formats.note import labelled_answers
from clawgym_data.formats.table import parse_table
from clawgym_data.formats.tree import parse_tree
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.formats.values import same
from clawgym_data.proof.answer import Mutant
from clawgym_data.proof.mutants import MAX_BREAKING, mutants
from clawgym_data.spec.task import TaskSpec

INPUTS = {
    "README.md": b"Ask Wren Tilby about AX-101. The rate is 12.50 from 2026-03-01.\n",
    "data/loans.csv": b"asset,holder,days\nAX-101,Wren Tilby,4\nAX-205,Odo Marsh,9\nAX-333,Pia Quill,2\n",
}
GUARDS = [
    {"id": "inputs", "quote": "leave my files as they are", "layer": "guard"},
    {"id": "surplus", "quote": "nothing else behind", "layer": "guard"},
]


def spec_of(*outputs: Mapping[str, Any], guards: list[dict[str, str]] | None = None) -> TaskSpec:
    return TaskSpec.model_validate_json(
        json.dumps(
            {
                "schema_version": 1,
                "id": "small-task",
                "title": "A small task",
                "split": "bench",
                "category": "analysis-and-reasoning",
                "cluster_id": "small-task",
                "provenance": {"route": "hand-written"},
                "assurance": "proven",
                "turns": [
                    {
                        "id": "main",
                        "message": "Please write the files; leave my files as they are, nothing else behind.",
                    }
                ],
                "requirements": guards if guards is not None else GUARDS,
                "outputs": list(outputs),
                "verification": {
                    "checks": [
                        {
                            "id": "there",
                            "kind": "file_exists",
                            "role": "outcome",
                            "weight": 1,
                            "rests_on": "form",
                            "path": "x",
                        }
                    ]
                },
            }
        )
    )


TABLE: dict[str, Any] = {
    "path": "out/fees.csv",
    "kind": "csv",
    "key": ["asset"],
    "columns": {
        "asset": "tag",
        "holder": "name",
        "fee": "money",
        "days": "whole",
        "due": "date",
        "at": "time",
        "late": "flag",
        "state": "choice(open|closed)",
        "parts": "tags?",
    },
    "order": {"rows": "free", "columns": "free"},
    "tolerance": 0.01,
}
TABLE_ANSWER = (
    b"asset,holder,fee,days,due,at,late,state,parts\n"
    b"AX-101,Wren Tilby,12.50,4,2026-03-01,09:30,yes,open,P-1;P-2\n"
    b"AX-205,Odo Marsh,9.00,9,2026-03-08,14:00,no,closed,\n"
    b"AX-333,Pia Quill,7.25,2,2026-02-28,10:15,no,open,P-3\n"
)
TREE: dict[str, Any] = {
    "path": "out/summary.json",
    "kind": "json",
    "key": {"rows": ["asset"]},
    "columns": {"rows": {"asset": "tag", "days": "whole"}, "total": "money", "limits.days": "whole", "first": "date"},
    "order": {"rows": "free", "members": "free"},
}
TREE_VALUE: dict[str, Any] = {
    "rows": [{"asset": "AX-101", "days": 4}, {"asset": "AX-205", "days": 9}],
    "total": 28.75,
    "limits": {"days": 15},
    "first": "2026-02-28",
}
NOTE: dict[str, Any] = {
    "path": "out/note.md",
    "kind": "note",
    "key": "label",
    "columns": {
        "Days": "whole",
        "Total": "money",
        "Longest": "whole and name",
        "Due": "date",
        "State": "choice(open|closed)",
    },
    "order": {"paragraph": "first", "labels": "free"},
    "max_words": 60,
}
NOTE_ANSWER = (
    "The fees come to £1528.75 — more than last year.\n\n- Days: 15\n- Total: £1528.75\n- Longest: 9 days, Odo Marsh\n"
    "- Due: 8 March 2026\n- State: open\n"
).encode()
CONFIG: dict[str, Any] = {"path": "conf/app.conf", "kind": "text", "in_place": True}
CONFIG_BEFORE = b"# the limits\nlimit = 5\nhost = alpha\n\n# the rest\ndebug = no\nname = kiln\n"
CONFIG_AFTER = b"# the limits\nlimit = 9\nhost = beta\n\n# the rest\ndebug = no\nname = kiln\n"
CODE: dict[str, Any] = {"path": "tool/meter.py", "kind": "code", "in_place": True}
CODE_BEFORE = b'"""Meter."""\n\n\ndef used(a, b):\n    return a - b\n\n\ndef cost(n):\n    if n > 3:\n        return n\n    return 0\n\n\ndef name():\n    return "m"\n'
CODE_AFTER = CODE_BEFORE.replace(b"a - b", b"b - a").replace(b"n > 3", b"n >= 3")

TASKS: dict[str, tuple[dict[str, Any], dict[str, bytes], bytes]] = {
    "table": (TABLE, {}, TABLE_ANSWER),
    "json": (TREE, {}, (json.dumps(TREE_VALUE, indent=2) + "\n").encode()),
    "note": (NOTE, {}, NOTE_ANSWER),
    "config": (CONFIG, {"conf/app.conf": CONFIG_BEFORE}, CONFIG_AFTER),
    "code": (CODE, {"tool/meter.py": CODE_BEFORE}, CODE_AFTER),
}


def made(name: str, seed: int = 0, **changes: Any) -> tuple[Mutant, ...]:
    output, more, answer = TASKS[name]
    return mutants(spec_of(output | changes), INPUTS | more, {output["path"]: answer}, seed)


def of_group(found: tuple[Mutant, ...], group: str, path: str) -> dict[str, bytes | None]:
    """Content of the output in each mutant of a group that touches it; None where it is gone."""
    return {m.name: m.change.write.get(path) for m in found if m.group == group and m.cell[0] == path}


@pytest.mark.parametrize("name", TASKS)
def test_same_arguments_give_the_same_mutants_with_unique_names(name: str) -> None:
    found = made(name)
    assert found == made(name)
    names = [mutant.name for mutant in found]
    assert len(set(names)) == len(names)
    assert all(mutant.change.name == mutant.name for mutant in found)


@pytest.mark.parametrize("name", TASKS)
def test_no_mutant_leaves_the_answer_as_it_is_and_undetermined_ones_are_few(name: str) -> None:
    output, _, answer = TASKS[name]
    found = made(name)
    assert all(m.change.remove or m.change.write.get(output["path"]) != answer for m in found)
    assert 8 <= sum(m.group == "breaking" for m in found) <= MAX_BREAKING
    assert sum(m.group == "undetermined" for m in found) <= 0.2 * len(found)


@pytest.mark.parametrize("name", ["table", "json", "note"])
def test_every_declared_cell_has_a_breaking_mutant(name: str) -> None:
    output = TASKS[name][0]
    touched = {part for m in made(name) if m.group == "breaking" for part in m.cell[1:]}
    declared = {*output["columns"], *(c for d in output["columns"].values() if isinstance(d, dict) for c in d)}
    assert declared <= touched


def table_rows(content: bytes, output: dict[str, Any] = TABLE) -> dict[str, dict[str, str]]:
    table = parse_table(content, spec_of(output).outputs[0])
    rows = {row["asset"]: row for row in table.rows}
    assert len(rows) == len(table.rows), "a key twice"
    return rows


def test_breaking_mutants_of_a_table_say_something_else() -> None:
    before = table_rows(TABLE_ANSWER)
    for name, content in of_group(made("table"), "breaking", TABLE["path"]).items():
        if content is None:
            continue
        try:
            after = table_rows(content)
        except (Unreadable, AssertionError):
            continue
        differing = [
            column
            for key, row in before.items()
            for column, value in row.items()
            if key not in after or not same(TABLE["columns"][column], value, after[key][column], 2 * TABLE["tolerance"])
        ]
        assert differing or after.keys() != before.keys(), name


def test_neutral_mutants_of_a_table_say_the_same() -> None:
    neutral = of_group(made("table"), "neutral", TABLE["path"])
    assert len(neutral) >= 5
    assert all(content is not None and table_rows(content) == table_rows(TABLE_ANSWER) for content in neutral.values())


def test_required_order_makes_reversing_a_breaking_change() -> None:
    found = {m.name: m.group for m in made("table", order={"rows": "required", "columns": "required"})}
    assert found["out/fees.csv: rows reversed"] == found["out/fees.csv: columns reversed"] == "breaking"
    free = {m.name: m.group for m in made("table")}
    assert free["out/fees.csv: rows reversed"] == free["out/fees.csv: columns reversed"] == "neutral"


def test_line_endings_are_free_only_where_the_output_says_so() -> None:
    assert {m.name: m.group for m in made("table")}["out/fees.csv: with CRLF"] == "neutral"
    exact = {m.name: m.group for m in made("table", newline="lf")}
    assert exact["out/fees.csv: with CRLF"] == "breaking"
    assert "out/fees.csv: no last newline" not in exact


def test_equal_values_are_not_exchanged() -> None:
    answer = b"asset,days\nAX-101,4\nAX-205,4\n"
    output = TABLE | {"columns": {"asset": "tag", "days": "whole"}}
    found = mutants(spec_of(output), INPUTS, {TABLE["path"]: answer}, 0)
    assert not [m.name for m in found if "exchanged" in m.name]


def test_a_table_without_rows_or_form_keeps_the_mutants_of_the_file() -> None:
    for answer in (b"asset,holder\n", b"\xff\xfe\x00", b'"open\n'):
        found = mutants(spec_of(TABLE), INPUTS, {TABLE["path"]: answer}, 0)
        assert f"{TABLE['path']}: missing" in {m.name for m in found}


@pytest.mark.parametrize("kind", ["json", "yaml", "toml"])
def test_mutants_of_a_tree_are_of_their_class(kind: str) -> None:
    from clawgym_data.proof.tree_text import write_tree

    path = f"out/summary.{kind}"
    answer = write_tree(TREE_VALUE, kind)
    assert answer is not None
    found = mutants(spec_of(TREE | {"path": path, "kind": kind}), INPUTS, {path: answer}, 0)
    breaking, neutral = of_group(found, "breaking", path), of_group(found, "neutral", path)
    assert len(breaking) >= 15
    assert len(neutral) >= 2
    assert f"{path}: total +0.01" in breaking
    assert f"{path}: rows reversed" in neutral
    for name, content in breaking.items():
        if content is None:
            continue
        try:
            assert tree_rows(parse_tree(content, kind)) != tree_rows(TREE_VALUE), name
        except Unreadable:
            continue
    for name, content in neutral.items():
        assert content is not None
        assert tree_rows(parse_tree(content, kind)) == tree_rows(TREE_VALUE), name


def tree_rows(tree: Any) -> Any:
    if not isinstance(tree, dict) or not isinstance(tree.get("rows"), list):
        return tree
    return tree | {"rows": sorted(map(repr, map(sorted, (row.items() for row in tree["rows"]))))}


def test_an_ini_file_is_altered_by_section_and_option() -> None:
    output = {"path": "app.ini", "kind": "ini", "in_place": True, "columns": {"web.port": "whole", "web.host": "text"}}
    before, after = b"; kept\n[web]\nport = 80\nhost = a\n", b"; kept\n[web]\nport = 8080\nhost = a\n"
    found = mutants(spec_of(output), {"app.ini": before}, {"app.ini": after}, 0)
    contents = {content for content in of_group(found, "breaking", "app.ini").values() if content}
    assert b"; kept\n[web]\nport = 8081\nhost = a\n" in contents
    assert before in contents
    assert b"; kept\n[web]\nhost = a\n" in contents
    assert b"[web]\nport = 8080\nhost = a\n" in contents


def note_values(content: bytes) -> Any:
    text = unicodedata.normalize("NFC", content.decode("utf-8-sig").replace("\r\n", "\n"))
    answers = {label: labelled_answers(text, label) for label in NOTE["columns"]}
    figured = {label: [figures(answer) for answer in answers[label]] for label in ("Days", "Total", "Longest")}
    dated = [dates(answer) for answer in answers["Due"]]
    rest = ([a.endswith("Odo Marsh") for a in answers["Longest"]], answers["State"])
    opening = text.startswith(("The fees", "# A note"))
    return figured, dated, rest, opening, len(text.split()) <= 60


def test_mutants_of_a_note_are_of_their_class() -> None:
    found = made("note")
    for name, content in of_group(found, "breaking", NOTE["path"]).items():
        assert content is None or note_values(content) != note_values(NOTE_ANSWER), name
    neutral = of_group(found, "neutral", NOTE["path"])
    for name, content in neutral.items():
        assert content is not None
        assert note_values(content) == note_values(NOTE_ANSWER), name
    assert {
        "out/note.md: dates in another form",
        "out/note.md: thousands separated",
        "out/note.md: labels reversed",
    } <= set(neutral)


def test_an_opening_figure_is_undetermined_and_its_absence_breaks() -> None:
    groups = {m.name: m.group for m in made("note")}
    assert groups["out/note.md: opening paragraph dropped"] == "breaking"
    assert groups["out/note.md: opening figure +1"] == "undetermined"


def test_an_edited_text_has_its_changes_taken_back_and_its_other_lines_touched() -> None:
    contents = set(of_group(made("config"), "breaking", CONFIG["path"]).values())
    assert CONFIG_BEFORE in contents
    assert CONFIG_AFTER.replace(b"limit = 9", b"limit = 5") in contents
    assert CONFIG_AFTER.replace(b"host = beta", b"host = alpha") in contents
    assert CONFIG_AFTER.replace(b"# the rest\n", b"") in contents
    neutral = of_group(made("config"), "neutral", CONFIG["path"])
    assert set(neutral.values()) == {CONFIG_AFTER.rstrip(b"\n")}


def run_code(content: bytes) -> list[object]:
    scope: dict[str, Any] = {}
    exec(compile(content, "meter", "exec"), scope)
    return [scope["used"](1, 4), scope["cost"](3), scope["cost"](1), scope["name"]()]


def test_mutants_of_code_are_of_their_class() -> None:
    found = made("code")
    breaking, neutral = of_group(found, "breaking", CODE["path"]), of_group(found, "neutral", CODE["path"])
    assert {f"{CODE['path']}: used taken back", f"{CODE['path']}: cost taken back"} <= set(breaking)
    assert f"{CODE['path']}: written by ast.unparse" in neutral
    for content in neutral.values():
        assert content is not None
        assert run_code(content) == run_code(CODE_AFTER)
    for name, content in breaking.items():
        if content is not None:
            try:
                assert run_code(content) != run_code(CODE_AFTER), name
            except (SyntaxError, KeyError, NotImplementedError):
                continue


def test_files_of_a_folder_go_missing_move_and_change_places() -> None:
    output = {"path": "sorted", "kind": "folder"}
    answer = {"sorted/a.txt": INPUTS["README.md"], "sorted/b/c.csv": b"x\n"}
    found = {m.name: m for m in mutants(spec_of(output), INPUTS, answer, 0)}
    assert found["sorted: a.txt missing"].change.remove == ("sorted/a.txt",)
    assert found["sorted: a.txt with one more byte"].group == "breaking"
    assert "sorted: b/c.csv with one more byte" not in found
    assert found["sorted: a.txt and b/c.csv exchanged"].change.write["sorted/a.txt"] == b"x\n"
    assert "README.md: edited" not in found


@pytest.mark.parametrize(
    ("quotes", "groups"),
    [
        ([], {"input": "undetermined", "scratch": "undetermined"}),
        (["leave my files as they are"], {"input": "breaking", "scratch": "undetermined"}),
        (["nothing else behind"], {"input": "undetermined", "scratch": "breaking"}),
        (["leave my files as they are", "nothing else behind"], {"input": "breaking", "scratch": "breaking"}),
    ],
)
def test_guards_decide_what_lies_around_the_outputs(quotes: list[str], groups: dict[str, str]) -> None:
    guards = [{"id": f"guard-{n}", "quote": quote, "layer": "guard"} for n, quote in enumerate(quotes)]
    found = mutants(spec_of(TABLE, guards=guards), INPUTS, {TABLE["path"]: TABLE_ANSWER}, 0)
    assert {m.cell[1]: m.group for m in found if m.cell[0] == "workspace"} == groups


def test_an_output_that_is_not_asked_for_is_left_alone() -> None:
    found = mutants(spec_of(TABLE | {"asked": False}), INPUTS, {TABLE["path"]: TABLE_ANSWER}, 0)
    assert {m.cell[0] for m in found} == {"workspace"}


def test_other_seeds_touch_other_rows() -> None:
    assert {m.name for m in made("table", 0)} != {m.name for m in made("table", 1)}


def test_quoted_cells_with_line_breaks_survive() -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [["asset", "remark"], ["AX-101", 'two\nlines, "quoted"'], ["AX-205", "plain"]]
    )
    output = TABLE | {"columns": {"asset": "tag", "remark": "text"}}
    found = mutants(spec_of(output), INPUTS, {TABLE["path"]: text.getvalue().encode()}, 0)
    before = table_rows(text.getvalue().encode(), output)
    for content in of_group(found, "neutral", TABLE["path"]).values():
        assert content is not None
        assert table_rows(content, output) == before
