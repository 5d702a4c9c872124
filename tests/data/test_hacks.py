"""Hack agents: deterministic, confined to what is asked for, and without understanding."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from clawgym_data.formats.figure import figures
from clawgym_data.formats.table import parse_table
from clawgym_data.proof.answer import Change
from clawgym_data.proof.hack_informed import SHUFFLE_DRAWS
from clawgym_data.proof.hacks import BOUNDS, HACKS, NEEDS_ANSWER, hack_variants
from clawgym_data.spec.task import TaskSpec
from clawgym_data.task import load_task

INSTRUCTION = "Please write the fees of all loans; leave my files as they are."
INPUTS = {
    "README.md": b"Ask Wren Tilby about AX-101. The rate is 12.50 from 2026-03-01.\n",
    "data/loans.csv": b"asset,holder,days\nAX-101,Wren Tilby,4\nAX-205,Odo Marsh,9\nAX-333,Pia Quill,2\n",
    "data/scan.bin": b"\x00\x01",
    "conf/app.conf": b"limit = 5\nhost = alpha\ndebug = no\n",
    "tool/meter.py": b"def used(a, b):\n    c = a - b\n    return c\n\n\ndef name():\n    return 'm'\n",
}
TABLE: dict[str, Any] = {
    "path": "out/fees.csv",
    "kind": "csv",
    "key": ["asset"],
    "columns": {"asset": "tag", "holder": "name", "days": "whole", "late": "flag"},
}
TREE: dict[str, Any] = {
    "path": "out/summary.json",
    "kind": "json",
    "key": {"rows": ["asset"]},
    "columns": {"rows": {"asset": "tag", "days": "whole"}, "total": "money", "most": "money", "limits.days": "whole"},
}
NOTE: dict[str, Any] = {
    "path": "out/note.md",
    "kind": "note",
    "key": "label",
    "columns": {"Days": "whole", "Total": "money", "Longest": "name"},
}
OUTPUTS: tuple[dict[str, Any], ...] = (
    TABLE,
    TREE,
    NOTE,
    {"path": "out/list.txt", "kind": "text"},
    {"path": "conf/app.conf", "kind": "text", "in_place": True},
    {"path": "tool/meter.py", "kind": "code", "in_place": True},
    {"path": "sorted", "kind": "folder"},
    {"path": "out/log.txt", "kind": "text", "asked": False},
)
ANSWER = {
    "out/fees.csv": b"asset,holder,days,late\nAX-101,Wren Tilby,4,no\nAX-205,Odo Marsh,9,yes\nAX-333,Pia Quill,4,no\n",
    "out/summary.json": json.dumps(
        {
            "rows": [{"asset": "AX-101", "days": 4}, {"asset": "AX-205", "days": 9}],
            "total": 28.75,
            "most": 12.5,
            "limits": {"days": 15},
        },
        indent=2,
    ).encode(),
    "out/note.md": b"It comes to 28.75 for 3 loans.\n\n- Days: 17\n- Total: 28.75\n- Longest: Odo Marsh\n",
    "out/list.txt": b"The fees of Tilby: 12.50, AX-101\n",
    "conf/app.conf": b"limit = 9\nhost = beta\ndebug = no\n",
    "tool/meter.py": b"def used(a, b):\n    c = b - a\n    return c\n\n\ndef name():\n    return 'm'\n",
    "sorted/a.txt": b"a\n",
    "sorted/b.txt": b"b\n",
    "out/log.txt": b"done\n",
}


def spec_of(*outputs: Mapping[str, Any]) -> TaskSpec:
    check = {"id": "there", "kind": "file_exists", "role": "outcome", "weight": 1, "rests_on": "form", "path": "x"}
    document = {
        "schema_version": 1,
        "id": "small-task",
        "title": "A small task",
        "split": "bench",
        "category": "analysis-and-reasoning",
        "cluster_id": "small-task",
        "provenance": {"route": "hand-written"},
        "assurance": "proven",
        "turns": [{"id": "main", "message": INSTRUCTION}],
        "outputs": list(outputs),
        "verification": {"checks": [check]},
    }
    return TaskSpec.model_validate_json(json.dumps(document))


SPEC = spec_of(*OUTPUTS)


def variants(name: str) -> tuple[Change, ...]:
    return hack_variants(name, SPEC, INPUTS, ANSWER)


def rows(content: bytes) -> list[dict[str, str]]:
    return list(parse_table(content, SPEC.outputs[0]).rows)


@pytest.mark.parametrize("name", HACKS)
def test_same_arguments_give_the_same_variants_under_unique_names(name: str) -> None:
    found = variants(name)
    assert found or name == "forge"  # which needs something that is executed
    assert found == variants(name)
    assert len({change.name for change in found}) == len(found)


@pytest.mark.parametrize("name", HACKS)
def test_an_output_that_is_not_asked_for_is_never_written(name: str) -> None:
    assert not [change.name for change in variants(name) if "out/log.txt" in change.write]


def test_every_agent_has_a_bound_and_unknown_names_are_refused() -> None:
    assert set(BOUNDS) == set(HACKS)
    with pytest.raises(KeyError):
        hack_variants("guess", SPEC, INPUTS)


@pytest.mark.parametrize("name", sorted(NEEDS_ANSWER))
def test_agents_that_need_the_answer_have_no_variant_without_it(name: str) -> None:
    assert hack_variants(name, SPEC, INPUTS) == ()


@pytest.mark.parametrize("name", sorted(set(HACKS) - NEEDS_ANSWER))
def test_the_others_never_look_at_the_answer(name: str) -> None:
    assert hack_variants(name, SPEC, INPUTS) == variants(name)


@pytest.mark.parametrize("name", ["echo", "empty", "copy-inputs", "shotgun"])
def test_blind_agents_write_every_output_that_is_asked_for_and_nothing_else(name: str) -> None:
    asked = {output["path"] for output in OUTPUTS if output.get("asked", True)}
    for change in variants(name):
        assert {path.split("/")[0] if path.startswith("sorted/") else path for path in change.write} == asked
        assert not change.remove


def test_echo_puts_the_instruction_into_the_form() -> None:
    plain, formed, _ = variants("echo")
    assert plain.write["out/fees.csv"] == INSTRUCTION.encode()
    assert [row["holder"] for row in rows(formed.write["out/fees.csv"])] == [INSTRUCTION]
    assert json.loads(formed.write["out/summary.json"])["rows"] == [{"asset": INSTRUCTION, "days": INSTRUCTION}]
    assert f"- Total: {INSTRUCTION}" in formed.write["out/note.md"].decode()


def test_copies_are_taken_from_each_input() -> None:
    assert {change.write["out/fees.csv"] for change in variants("copy-inputs")} == set(INPUTS.values())
    many = {f"in/{n}.txt": str(n).encode() for n in range(100)}
    assert len(hack_variants("copy-inputs", SPEC, many)) == 40


def test_wiping_leaves_no_input_as_it_was() -> None:
    for change in variants("wipe-inputs"):
        untouched = [path for path in INPUTS if path not in change.remove and change.write.get(path) == INPUTS[path]]
        assert not untouched
        assert not [path for path in INPUTS if path not in change.remove and path not in change.write]


def test_shotgun_takes_its_rows_from_the_records_of_the_inputs() -> None:
    formed = [change.write["out/fees.csv"] for change in variants("shotgun") if "in form" in change.name]
    for content in formed:
        assert [row["asset"] for row in rows(content)] == ["AX-101", "AX-205", "AX-333"]
        assert [row["holder"] for row in rows(content)] == ["Wren Tilby", "Odo Marsh", "Pia Quill"]


def test_plant_overwrites_no_input() -> None:
    for change in variants("plant"):
        assert not [path for path in change.write if path in INPUTS and path not in ANSWER]
    assert any("out/json.py" in change.write and "sitecustomize.py" in change.write for change in variants("plant"))


def test_shape_keeps_keys_and_blanks_the_rest() -> None:
    zero, blank, null = variants("shape")
    assert [(row["asset"], row["days"], row["holder"]) for row in rows(zero.write["out/fees.csv"])] == [
        ("AX-101", "0", ""),
        ("AX-205", "0", ""),
        ("AX-333", "0", ""),
    ]
    assert json.loads(null.write["out/summary.json"]) == {
        "rows": [{"asset": "AX-101", "days": None}, {"asset": "AX-205", "days": None}],
        "total": None,
        "most": None,
        "limits": {"days": None},
    }
    note = blank.write["out/note.md"].decode()
    assert "- Total:" in note
    assert not figures(note)
    assert "Odo" not in note
    assert blank.write["out/list.txt"].decode().split() == ["The", "fees", "of", ":", ","]
    assert blank.write["conf/app.conf"] == b"limit = \nhost = \ndebug = no\n"
    assert b"return 0" in zero.write["tool/meter.py"]
    assert b"return 'm'" in zero.write["tool/meter.py"]


def test_constant_writes_the_majority_and_nothing_where_there_is_none() -> None:
    majority = next(change for change in variants("constant") if change.name == "majority")
    found = rows(majority.write["out/fees.csv"])
    assert [(row["days"], row["late"], row["holder"]) for row in found] == [("4", "no", "")] * 3
    assert json.loads(majority.write["out/summary.json"])["total"] == 0
    yes = next(change for change in variants("constant") if change.name == "yes to all")
    assert [row["late"] for row in rows(yes.write["out/fees.csv"])] == ["yes"] * 3


def test_shuffle_keeps_the_values_and_moves_them() -> None:
    draws = variants("shuffle")
    assert len(draws) == SHUFFLE_DRAWS
    for change in draws:
        for column in TABLE["columns"]:
            before, after = rows(ANSWER["out/fees.csv"]), rows(change.write["out/fees.csv"])
            assert Counter(row[column] for row in before) == Counter(row[column] for row in after)
        tree = json.loads(change.write["out/summary.json"])
        assert sorted(row["days"] for row in tree["rows"]) == [4, 9]
        assert sorted([tree["total"], tree["most"], tree["limits"]["days"]]) == [12.5, 15, 28.75]
        note = change.write["out/note.md"].decode()
        assert sorted(map(float, figures(note))) == [3, 17, 28.75, 28.75]
        assert {change.write["sorted/a.txt"], change.write["sorted/b.txt"]} == {b"a\n", b"b\n"}
    assert len({change.write["out/fees.csv"] for change in draws}) > 10


def test_shuffle_takes_a_single_change_back() -> None:
    output = {"path": "conf/app.conf", "kind": "text", "in_place": True}
    answer = {"conf/app.conf": INPUTS["conf/app.conf"].replace(b"5", b"9")}
    draws = hack_variants("shuffle", spec_of(output), INPUTS, answer)
    assert {change.write["conf/app.conf"] for change in draws} == {INPUTS["conf/app.conf"]}
    both = {change.write["conf/app.conf"] for change in variants("shuffle")}
    assert both == {ANSWER["conf/app.conf"], b"limit = beta\nhost = 9\ndebug = no\n"}


def test_forge_only_where_something_is_executed(stall_takings: Path) -> None:
    spec = load_task(stall_takings).spec
    assert hack_variants("forge", spec, {}) == ()
    path = stall_takings / "task.yaml"
    text = path.read_text("utf-8").replace("outputs:\n", "outputs:\n  - {path: add.py, kind: code}\n", 1)
    check = "{id: own, kind: command, role: outcome, rests_on: computed, weight: 1, run: [python3, add.py], expected: cases}"
    path.write_text(text.replace("  checks:\n", f"  checks:\n    - {check}\n", 1), "utf-8")
    variants = hack_variants("forge", load_task(stall_takings).spec, {"add.py": b"print(1)\n"})
    assert len({change.name for change in variants}) == len(variants) >= 8
    assert all("add.py" in change.write for change in variants)
