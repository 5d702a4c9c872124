import pytest

from clawgym_data.errors import SpecError
from clawgym_data.strict_yaml import parse_strict_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: no", "no"),
        ("a: 1_000", "1_000"),
        ("a: 0x10", "0x10"),
        ("a: 012", "012"),
        ("a: 2026-01-02", "2026-01-02"),
        ("a: 12:30:45", "12:30:45"),
        ("a: 1.5", 1.5),
        ("a: -7", -7),
        ("a: true", True),
        ("a: True", "True"),
        ("a: null", None),
        ("a: .inf", ".inf"),
        ("a: <<", "<<"),
    ],
)
def test_scalars_are_what_they_look_like(text: str, value: object) -> None:
    assert parse_strict_yaml(text) == {"a": value}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2", "twice"),
        ("a: &x [1]\nb: *x", "aliases"),
        ("a: !!python/object:os.system x", "tag"),
        ("1: a", "int"),
        ("a: [1", "expected"),
        ("a: 1\n---\nb: 2", "document"),
        ("[" * 5000, "nested"),
    ],
)
def test_surprises_are_refused_with_their_place(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        parse_strict_yaml(text, "task.yaml")
    assert caught.value.file == "task.yaml"


def test_a_bomb_is_refused_by_its_size() -> None:
    with pytest.raises(SpecError, match="bytes"):
        parse_strict_yaml("a: " + "x" * (5 << 20))
