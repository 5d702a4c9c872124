import unicodedata

import pytest

from clawgym_data.formats.values import normal_form, same


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
@pytest.mark.fault("wrong-time-of-day")
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
@pytest.mark.fault("none-is-zero")
@pytest.mark.fault("wrong-time-of-day")
def test_another_meaning(kind: str, want: object, got: object) -> None:
    assert not same(kind, want, got)


def test_tolerance_is_absolute() -> None:
    assert same("money", 10, "10.01", 0.01)
    assert not same("money", 10, "10.02", 0.01)


HONEST = [
    ("time", "12:00", "12 pm"),
    ("time", "00:00", "12 am"),
    ("time", "12:00", "12:00 p.m."),
    ("time", "00:30", "12:30 AM"),
    ("time", "15:00", "3\u00a0pm"),
    ("time", "03:00", "3 am"),
    ("datetime", "2026-03-01T10:00", "2026-03-01 10:00:00"),
    ("datetime", "2026-03-01T10:00Z", "2026-03-01T10:00:00+00:00"),
    ("datetime", "2026-03-01T10:00Z", "2026-03-01T11:00+01:00"),
    ("money", -5, "−5.00"),
    ("number", 0.00001, "1e-05"),
    ("number", 1e16, 1e16),
    ("whole", 10**40, "1" + "0" * 40),
    ("tag", "café", unicodedata.normalize("NFD", "café")),
    ("text", "café au lait", unicodedata.normalize("NFD", "café  au lait")),
    ("name", "Ann-Bo", "ANN‑BO"),
    ("name", "Ann Bo", "Ann\u00a0Bo"),
    ("tags", ["A-1", "B-2"], "B-2;A-1;"),
    ("whole?", None, "\u00a0"),
]
WRONG = [
    ("time", "03:00", "3 pm"),
    ("time", "15:00", "3 am"),
    ("time", "12:00", "12 am"),
    ("time", "00:00", "12 pm"),
    ("time", "00:00", "24:00"),
    ("time", "15:00", "13 pm"),
    ("time", "15:00", "15:60"),
    ("time", "15:00", "15:00Z"),
    ("datetime", "2026-03-01T10:00", "2026-03-01T10:00Z"),
    ("datetime", "2026-03-01T10:00", "2026-03-01T10:00+00:00"),
    ("datetime", "2026-03-01T10:00Z", "2026-03-01T10:00"),
    ("datetime", "2026-03-01T00:00", "2026-03-01"),
    ("datetime", "2026-03-02T00:00", "2026-03-01T24:00"),
    ("datetime", "2026-03-01T10:00", "20260301T1000"),
    ("date", "2026-03-01", "２０２６-03-01"),
    ("whole", 84, "8.4e1"),
    ("money", 84, "8.4e1"),
    ("whole", 1000, "1_000"),
    ("whole", 1000, "1,000"),
    ("whole", 1000, "1.000"),
    ("whole", 1000, "1 000"),
    ("whole", 500, "５００"),
    ("whole", 500, "٥٠٠"),
    ("whole", 500, "(500)"),
    ("money", 500, "500-"),
    ("money", 10**30, str(10**30) + ".5"),
    ("whole", 10**30, str(10**30 + 1)),
    ("number", float("inf"), "inf"),
    ("number", 1, float("nan")),
    ("tag", "7", "007"),
    ("tag", "7", "7.0"),
    ("tags", ["A-1"], {"A-1": 1}),
    ("tags", ["A-1"], "A-1;A-1"),
]


def test_honest_forms_and_other_meanings() -> None:
    for kind, want, got in HONEST:
        assert same(kind, want, got), (kind, want, got)
        assert normal_form(kind, want) == normal_form(kind, got), (kind, want, got)
    for kind, want, got in WRONG:
        assert not same(kind, want, got), (kind, want, got)
        if got == got and want != float("inf"):  # noqa: PLR0124 - what is no number equals itself as a key
            assert normal_form(kind, want) != normal_form(kind, got), (kind, want, got)


def test_a_key_that_cannot_be_read_is_only_like_itself() -> None:
    assert normal_form("whole", "x") == normal_form("whole", "x") != normal_form("whole", "y")
    assert normal_form("tag", None) == normal_form("tag", " ") != normal_form("tag", "None")
    assert normal_form("tag", ["a"]) != normal_form("tag", "['a']")
