import pytest

from clawgym_data.checks import Unreadable
from tests.data.checking import judge

OUT = {
    "path": "out.json",
    "kind": "json",
    "key": {"items": ["id"]},
    "columns": {"items": {"id": "tag", "n": "whole"}, "total": "whole"},
}
GOOD = '{"items": [{"id": "a", "n": 1}, {"id": "b", "n": 2}], "total": 3}'
ROWS = {"a": {"n": 1}, "b": {"n": 2}}
READABLE = {"kind": "tree_readable", "path": "out.json"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "does not exist"),
        ("", "JSON"),
        ("{", "JSON"),
        ("[]", "total|items"),
        ('{"items": {}, "total": 3}', "list of objects"),
        ('{"items": [], "items": [], "total": 3}', "twice"),
        ('{"items": [NaN], "total": 3}', "NaN"),
        ("[" * 100_000, "deep"),
        ("[" * 500 + "]" * 500, "deep"),
    ],
)
def test_unreadable_trees_have_a_reason(content: str | None, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        judge(READABLE, {} if content is None else {"out.json": content}, output=OUT)


def test_readable_and_right() -> None:
    assert judge(READABLE, {"out.json": GOOD}, output=OUT).score == 1
    assert (
        judge({"kind": "tree_rows", "path": "out.json", "at": "items"}, {"out.json": GOOD}, ROWS, output=OUT).score == 1
    )
    assert (
        judge({"kind": "tree_value", "path": "out.json", "at": "total"}, {"out.json": GOOD}, 3, output=OUT).score == 1
    )
    assert (
        judge({"kind": "tree_value", "path": "out.json", "at": "total"}, {"out.json": GOOD}, 4, output=OUT).score == 0
    )


def test_true_is_not_one_and_a_missing_member_is_not_zero() -> None:
    check = {"kind": "tree_value", "path": "out.json", "at": "total"}
    assert judge(check, {"out.json": '{"total": true}'}, 1, output=OUT).score == 0
    with pytest.raises(Unreadable, match="total"):
        judge(check, {"out.json": "{}"}, 0, output=OUT)


def test_a_list_at_the_root() -> None:
    output = {"path": "out.json", "kind": "json", "key": ["id"], "columns": {"id": "tag", "n": "whole"}}
    rows = '[{"id": "a", "n": 1}, {"id": "b", "n": "2"}]'
    assert judge({"kind": "tree_rows", "path": "out.json"}, {"out.json": rows}, ROWS, output=output).score == 1
    assert judge({"kind": "tree_rows", "path": "out.json"}, {"out.json": "[]"}, ROWS, output=output).score == 0


CONFIG = {"path": "a.yaml", "kind": "yaml", "columns": {"limits.memory": "whole", "mode": "tag"}, "in_place": True}
BEFORE = "# keep\nmode: fast\nlimits:\n  memory: 100\n  cpu: 2\n"


def test_values_and_what_must_stay() -> None:
    after = BEFORE.replace("100", "200")
    values = {"kind": "tree_values", "path": "a.yaml"}
    kept = {"kind": "tree_unchanged", "path": "a.yaml", "except": ["limits.memory"]}
    assert judge(values, {"a.yaml": after}, {"limits.memory": 200, "mode": "fast"}, output=CONFIG).score == 1
    assert judge(values, {"a.yaml": BEFORE}, {"limits.memory": 200, "mode": "fast"}, output=CONFIG).score == 0.5
    assert judge(kept, {"a.yaml": after}, output=CONFIG, pristine={"a.yaml": BEFORE}).score == 1
    assert (
        judge(kept, {"a.yaml": after.replace("cpu: 2", "cpu: 3")}, output=CONFIG, pristine={"a.yaml": BEFORE}).score
        == 0
    )
    assert judge(kept, {"a.yaml": after + "new: 1\n"}, output=CONFIG, pristine={"a.yaml": BEFORE}).score == 0


def test_yaml_aliases_cannot_blow_up() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    with pytest.raises(Unreadable, match="aliases"):
        judge({"kind": "tree_values", "path": "a.yaml"}, {"a.yaml": bomb}, {"mode": "x"}, output=CONFIG)


@pytest.mark.parametrize(
    ("kind", "text"),
    [("toml", "[limits]\nmemory = 200\n"), ("ini", "[limits]\nmemory = 200\n"), ("yaml", "limits: {memory: 200}")],
)
def test_other_trees(kind: str, text: str) -> None:
    output = {"path": "f", "kind": kind, "columns": {"limits.memory": "whole"}}
    assert judge({"kind": "tree_values", "path": "f"}, {"f": text}, {"limits.memory": 200}, output=output).score == 1


def test_deep_yaml_is_refused_before_it_is_built() -> None:
    with pytest.raises(Unreadable, match=r"deep|depth"):
        judge({"kind": "tree_values", "path": "a.yaml"}, {"a.yaml": "[" * 50_000}, {"mode": "x"}, output=CONFIG)


def test_a_time_of_day_in_yaml_is_no_number() -> None:
    output = {"path": "a.yaml", "kind": "yaml", "columns": {"start": "time", "n": "whole"}}
    check = {"kind": "tree_values", "path": "a.yaml"}
    assert judge(check, {"a.yaml": "start: 15:00\nn: 8\n"}, {"start": "15:00", "n": 8}, output=output).score == 1
    assert judge(check, {"a.yaml": "start: 900\nn: 010\n"}, {"start": "15:00", "n": 8}, output=output).score == 0


def test_false_is_not_zero_among_what_must_stay() -> None:
    kept = {"kind": "tree_unchanged", "path": "a.yaml"}
    before = "on_duty: false\nlimit: .nan\n"
    assert judge(kept, {"a.yaml": before}, output=CONFIG, pristine={"a.yaml": before}).score == 1
    assert judge(kept, {"a.yaml": before.replace("false", "0")}, output=CONFIG, pristine={"a.yaml": before}).score == 0
