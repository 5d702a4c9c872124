import pytest

from clawgym_data.checks import Unreadable
from tests.data.checking import judge

NOTE = {
    "path": "n.md",
    "kind": "note",
    "key": "label",
    "columns": {"Fees": "whole", "Due": "date", "Top": "whole and name"},
}


def note(check: dict[str, object], text: str, expected: object) -> float:
    return judge({"path": "n.md"} | check, {"n.md": text}, expected, output=NOTE).score


FEES = {"kind": "labelled_figure", "label": "Fees"}


@pytest.mark.parametrize(
    "text",
    [
        "- Fees: 1786",
        "* **Fees:** £1,786",
        "1. Fees: £1,786.00 from VN-012",
        "- _Fees_: 1786 pounds",
        "\ufeff- Fees: 1786\r\n- Due: x",
    ],
)
def test_a_figure_in_many_forms(text: str) -> None:
    assert note(FEES, text, 1786) == 1


@pytest.mark.parametrize(
    "text",
    ["- Fees: 1787", "- Fees: 1786, up from 1700", "- Fees: -1786", "- Fees: none", "- Fees: 17.86", "- Fees: 11786"],
)
def test_another_figure(text: str) -> None:
    assert note(FEES, text, 1786) == 0


@pytest.mark.parametrize("text", ["Fees 1786", "- Fees: 1\n- Fees: 1786", "- Feed: 1786", ""])
def test_not_exactly_one_labelled_line(text: str) -> None:
    with pytest.raises(Unreadable, match="lines labelled 'Fees'"):
        note(FEES, text, 1786)


def test_a_figure_with_a_name() -> None:
    check = FEES | {"label": "Top", "names": "who"}
    expected = {"value": 445, "names": "Liesl Rønne"}
    assert note(check, "- Top: £445, liesl rønne", expected) == 1
    assert note(check, "- Top: £445, Liesl", expected) == 0


@pytest.mark.parametrize("text", ["29 September 2026", "Tuesday, September 29th, 2026", "2026-09-29", "29 Sept 2026"])
def test_a_date_in_many_forms(text: str) -> None:
    assert note({"kind": "labelled_date", "label": "Due"}, f"- Due: {text}", "2026-09-29") == 1


@pytest.mark.parametrize("text", ["30 September 2026", "29 September", "29 September 2025", "2026-09-29 or 2026-09-30"])
def test_another_date(text: str) -> None:
    assert note({"kind": "labelled_date", "label": "Due"}, f"- Due: {text}", "2026-09-29") == 0


def test_labelled_text_and_others() -> None:
    check = {"kind": "labelled_text", "label": "Top", "others": "o"}
    expected = {"value": "Ann", "others": ["Bo", "Annabel"]}
    assert note(check, "- Top: ann", expected) == 1
    assert note(check, "- Top: Ann or Bo", expected) == 0
    assert note(check, "- Top: Annabel", expected) == 0


def test_includes_under_a_heading() -> None:
    check = {"kind": "text_includes", "under": "Plan", "absent": "a"}
    expected = {"value": ["red", ["blue", "azure"]], "absent": ["green"]}
    assert note(check, "# Plan\nred and azure\n# Rest\ngreen", expected) == 1
    assert note(check, "# Plan\nred\n# Rest\nblue", expected) == 0.5
    assert note(check, "# Plan\nred, blue, green", expected) == 0
    assert note(check, "# Plan\nreddish, blues", expected) == 0


@pytest.mark.parametrize(
    ("text", "left", "score"),
    [
        ("The fund is £112 short.\n\n- Fees: 1", -112, 1),
        ("# T\n\nGood news: the fund covers all, with £112 to spare.", 112, 1),
        ("There is no shortfall: £112 remain.", 112, 1),
        ("The fund covers all, £112 left.", -112, 0),
        ("The fund is £113 short.", -112, 0),
        ("The fund is short.", -112, 0),
    ],
)
def test_paragraph_balance(text: str, left: int, score: float) -> None:
    assert note({"kind": "paragraph_balance"}, text, left) == score


def test_words() -> None:
    check = {"kind": "text_words", "path": "n.md", "max_words": 3}
    assert judge(check, {"n.md": "one two - three"}).score == 1
    assert judge(check, {"n.md": "one two three four"}).score == 0
    assert judge(check, {"n.md": "- * -"}).score == 0
    with pytest.raises(Unreadable, match="does not exist"):
        judge(check, {})
    with pytest.raises(Unreadable, match="UTF-8"):
        judge(check, {"n.md": b"caf\xe9"})


@pytest.mark.parametrize(
    "text", ["- Fees: 1e3", "- Fees: 1k", "- Fees: 1 million", "- Fees: 1½", "- Fees: 0x1", "- Fees: –1"]
)
def test_another_number_that_begins_like_the_right_one(text: str) -> None:
    assert note(FEES, text, 1) == 0


def test_a_currency_before_the_figure_and_a_minus_of_typographers() -> None:
    assert note(FEES, "- Fees: EUR500", 500) == 1
    assert note(FEES, "- Fees: –500", -500) == 1


def test_a_line_of_spaces_costs_nothing() -> None:
    with pytest.raises(Unreadable, match="lines labelled"):
        note(FEES, "- " + " " * 200_000 + "x", 1)


def test_many_guesses_in_the_verdict_count_for_nothing() -> None:
    guesses = " ".join(str(n) for n in range(100, 200))
    assert note({"kind": "paragraph_balance"}, f"The fund is short by {guesses}.", -150) == 0
