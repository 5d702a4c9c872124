import pytest

from clawgym_data.formats.values import same


@pytest.mark.parametrize(
    ("kind", "want", "got"),
    [
        ("whole", 84, "84"),
        ("whole", 84, "84.0"),
        ("whole", 84, 84.0),
        ("number", 1.5, "1.50"),
        ("money", 12.5, "12.50"),
        ("date", "2026-09-29", " 2026-09-29 "),
        ("time", "15:00", "3 pm"),
        ("time", "15:00", "15:00:00"),
        ("time", "00:30", "12:30 am"),
        ("datetime", "2026-09-29T15:00", "2026-09-29 15:00"),
        ("name", "Liesl Rønne", "liesl  rønne"),
        ("name", "O'Hara", "O’Hara"),
        ("flag", True, "yes"),
        ("flag", False, False),
        ("choice(open|closed)", "open", "Open"),
        ("tags", ["B-2", "A-1"], "A-1; B-2"),
        ("tags", [], ""),
        ("tag", "VN-012", " VN-012"),
        ("whole?", None, ""),
        ("text", "a  b", "a b"),
    ],
)
def test_the_same_in_another_form(kind: str, want: object, got: object) -> None:
    assert same(kind, want, got)


@pytest.mark.parametrize(
    ("kind", "want", "got"),
    [
        ("whole", 84, "84.5"),
        ("whole", 84, "£84"),
        ("whole", 1, True),
        ("whole", 0, ""),
        ("whole", 0, None),
        ("whole", 84, "NaN"),
        ("whole", 84, "1e999"),
        ("number", 1.5, "1.51"),
        ("number", 1234, "1,234"),
        ("date", "2026-09-29", "29/09/2026"),
        ("time", "15:00", "03:00"),
        ("time", "15:00", "15"),
        ("time", "15:00", "15 pm"),
        ("datetime", "2026-09-29T15:00", "2026-09-29T15:00Z"),
        ("tag", "VN-012", "vn-012"),
        ("flag", True, "maybe"),
        ("flag", True, "1 "[:0]),
        ("tags", ["A-1"], "A-1;B-2"),
        ("text", "a", ["a"]),
        ("name", "x", {"x": 1}),
    ],
)
def test_another_meaning(kind: str, want: object, got: object) -> None:
    assert not same(kind, want, got)


def test_tolerance_is_absolute() -> None:
    assert same("money", 10, "10.01", 0.01)
    assert not same("money", 10, "10.02", 0.01)
