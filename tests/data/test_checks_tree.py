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


@pytest.mark.fault("none-is-zero")
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


def kept(kind: str, before: str, after: str, *excepted: str) -> float:
    output = {"path": "f", "kind": kind, "in_place": True}
    check = {"kind": "tree_unchanged", "path": "f", "except": list(excepted)}
    return judge(check, {"f": after}, output=output, pristine={"f": before}).score


def test_places_in_a_tree_never_collide() -> None:
    assert kept("json", '{"a.b": 1}', '{"a": {"b": 1}}') == 0
    assert kept("json", '{"a": {"b": 1}}', '{"a.b": 1}') == 0
    assert kept("json", '{"a[0]": 1}', '{"a": [1]}') == 0
    assert kept("yaml", "1: a", '"1": a') == 0
    assert kept("json", '{"a": {}}', '{"a": []}') == 0
    assert kept("json", '{"a.b": 1, "c": 2}', '{ "c": 2,\r\n"a.b": 1}') == 1
    assert kept("json", '{"a.b": 1, "c": 2}', '{"a.b": 5, "c": 2}', '"a.b"') == 1
    assert kept("json", '{"a.b": 1, "a": {"b": 2}}', '{"a.b": 5, "a": {"b": 2}}', "a.b") == 0
    assert kept("json", '{"a": [1, {"b": 2}]}', '{"a": [1, {"b": 9}]}', "a[1].b") == 1
    assert kept("yaml", "years: {2026: 1, 2027: 2}", "years: {2026: 5, 2027: 2}", "years.2026") == 1


def test_the_default_section_of_an_ini_file_counts() -> None:
    before = "[DEFAULT]\na = 1\n"
    assert kept("ini", before, "[DEFAULT]\na: 1") == 1
    assert kept("ini", before, "[DEFAULT]\na = 2\n") == 0
    assert kept("ini", "[x]\nb = 1\n", "[DEFAULT]\na = 1\n[x]\nb = 1\n") == 0
    assert kept("ini", "[DEFAULT]\na = 1\n[x]\nb = 1\n", "[x]\na = 1\nb = 1\n") == 0


@pytest.mark.parametrize(
    ("kind", "text", "reason"),
    [
        ("yaml", "total: 3\ntotal: 4\n", "twice"),
        ("yaml", "total: 3\nx: {a: 1, a: 1}\n", "twice"),
        ("yaml", "total: !!int 3\n", "tag"),
        ("yaml", "total: !!bool x\n", "tag"),
        ("yaml", "total: 3\n" + "".join(f"- a{n}\n" for n in range(10)), "YAML"),
        ("yaml", "a: [" + "x," * 150_000 + "]", "values"),
        ("yaml", "".join(f"k{n}: {{id: A-{n}, n: {n}}}\n" for n in range(150_000)), "characters"),
        ("toml", "a = [" + "1," * 800_000 + "]", "characters"),
        ("toml", "total = 3\ntotal = 4\n", "TOML"),
        ("ini", "[a]\ntotal = 3\ntotal = 4\n", "INI"),
        ("ini", "[a]\nb = 3\n[a]\nc = 4\n", "INI"),
        ("json", '{"total": 1e999}', "too large"),
        ("json", '{"total": -Infinity}', "not JSON"),
        ("json", '{"x": {"a": 1, "a": 1}, "total": 3}', "twice"),
        ("json", '{"total": ' + "1" * 5000 + "}", "JSON"),
    ],
)
def test_what_is_ambiguous_or_endless_is_unreadable(kind: str, text: str, reason: str) -> None:
    output = {"path": "f", "kind": kind, "columns": {"total": "whole"}}
    with pytest.raises(Unreadable, match=reason):
        judge({"kind": "tree_value", "path": "f", "at": "total"}, {"f": text}, 3, output=output)


def test_odd_names_have_a_place_too() -> None:
    output = {"path": "f", "kind": "yaml", "columns": {"years.2026": "whole"}}
    values = {"kind": "tree_values", "path": "f"}
    text = 'years: {2026: 5, "2027": 6}\nhosts: {a.example: 7, "b": "xy"}\n'
    right = {"years.2026": 5, "years.2027": 6, 'hosts."a.example"': 7}
    assert judge(values, {"f": text}, right, output=output).score == 1
    assert judge(values, {"f": text}, {"hosts.a.example": 7, "hosts.b[0]": "x"}, output=output).score == 0


def test_decomposed_characters_in_escapes_are_the_same_text() -> None:
    output = {"path": "f", "kind": "json", "columns": {"a": "tag", "b": "text"}}
    text = r'{"a": "cafe\u0301", "b": "cafe\u0301"}'
    assert (
        judge({"kind": "tree_values", "path": "f"}, {"f": text}, {"a": "café", "b": "café"}, output=output).score == 1
    )
