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


FIGURE_RIGHT = [
    ("- Fees: 1786 ~~1700~~", 1786),
    ("<!-- - Fees: 1 -->\n- Fees: 1786", 1786),
    ("```\n- Fees: 1\n```\n- Fees: 1786", 1786),
    ("---\ntitle: Fees\n---\n- Fees: 1786", 1786),
    ("- [x] Fees: 1786", 1786),
    ("- Fees\u00a0: \u00a0£1\u00a0786.00\u00a0", 1786),
    ("- **Fees**: **£1,786**", 1786),
    ("- `Fees`: `1786`", 1786),
    ("- __Fees:__ <b>1786</b> &pound;", 1786),
    ("- FEES: 1786 GBP", 1786),
    ("- Fees: £1'786", 1786),
    ("- Fees: see [1786](notes/5.md)", 1786),
    ("- Fees (pounds): 1786", 1786),
    ("- **Fees** (£): 1786", 1786),
    ("- Fees: 1786, no doubt about it", 1786),
    ("- Fees: 1786 (families are wrong to say less)", 1786),
    ("- Fees: 1786,\n  as agreed", 1786),
    ("- Fees: families – £1786", 1786),
    ("- Fees: families (£1786)", 1786),
    ("- Fees: 1786%", 1786),
    ("- Fees: (500)", -500),
    ("- Fees: £(500.00)", -500),
    ("- Fees: (£500)", -500),
    ("- Fees: minus £500", -500),
    ("- Fees: −500", -500),
    ("- Fees: -£500", -500),
    ("- Fees: 500-", -500),
]
FIGURE_WRONG = [
    ("```\n- Fees: 500\n```", 500),
    ("~~~markdown\n- Fees: 500\n~~~", 500),
    ("<!-- - Fees: 500 -->", 500),
    ("<!--\n- Fees: 500\n-->", 500),
    ("- Fees: ~~500~~", 500),
    ("- Fees: <del>500</del>", 500),
    ("- Fees: <span style='display: none'>500</span> none", 500),
    ("- Fees: (500)", 500),
    ("- Fees: £(500)", 500),
    ("- Fees: minus 500", 500),
    ("- Fees: negative 500", 500),
    ("- Fees: 500-", 500),
    ("- Fees: not 500", 500),
    ("- Fees: over 500", 500),
    ("- Fees: <500", 500),
    ("- Fees: 500+", 500),
    ("- Fees: 500,\n  or 600", 500),
    ("- Fees: 500 or 1.000.000", 500),
    ("- Fees: 500 or 6k", 500),
    ("- Fees: 500-600", 500),
    ("- Fees: 1.786", 1786),
    ("- Fees: 0,500", 500),
    ("- Fees: £5m", 5),
    ("- Fees: 5²", 5),
    ("- Fees: 5 hundred", 5),
    ("> - Fees: 500", 500),
    ("- Fees: 1*500", 500),
    ("- Fees: about 500", 500),
    ("- Fees: roughly £500", 500),
    ("- Fees: ~500", 500),
    ("- Fees: 500 or so", 500),
    ("- Fees: 500 pounds or so", 500),
    ("- Fees: 500, give or take", 500),
    ("- Fees: 500?", 500),
    ("- Fees: 500 pounds?", 500),
    ("- Fees: 500 is wrong", 500),
    ("- Fees: perhaps 500", 500),
    ("- Fees (old): 500", 500),
    ("- Fees: 500\n- Fees (pounds): 600", 500),
]


def test_figures_on_labelled_lines_in_every_form() -> None:
    for text, figure in FIGURE_RIGHT:
        assert note(FEES, text, figure) == 1, text


def test_what_is_hidden_denied_or_negative_is_not_the_figure() -> None:
    for text, figure in FIGURE_WRONG:
        try:
            score = note(FEES, text, figure)
        except Unreadable:
            score = 0
        assert score == 0, text


def test_a_tag_keeps_its_underscore() -> None:
    check = {"kind": "labelled_text", "label": "Top"}
    for text in (
        "- Top: box_7",
        "- Top: `box_7`",
        "- **Top:** _box_7_",
        "- Top: box\\_7",
        "- Top: **box_7**, the blue one",
    ):
        assert note(check, text, "box_7") == 1, text
    for text in ("- Top: box7", "- Top: box_77", "- Top: box_7-b", "- Top: ~~box_7~~ box_8"):
        assert note(check, text, "box_7") == 0, text
    assert note(check, "- Top: `__init__`", "__init__") == 1
    assert note(check, "- Top: Ann,\n  Bo", ["Ann", "Bo"]) == 1


def test_a_denied_or_doubted_name_is_not_the_answer() -> None:
    check = {"kind": "labelled_text", "label": "Top"}
    for text in ("Ann", "Ann, not Bo", "the one and only Ann", "nobody is like Ann", "Not Bo: Ann", "No. 5, Ann"):
        assert note(check, f"- Top: {text}", "Ann") == 1, text
    for text in ("not Ann", "never Ann", "anyone but Ann", "Ann?", "Ann is wrong", "perhaps Ann", "neither Bo nor Ann"):
        assert note(check, f"- Top: {text}", "Ann") == 0, text
    named = FEES | {"names": "who"}
    assert note(named, "- Fees: 5, not Ann", {"value": 5, "names": "Ann"}) == 0
    assert note(check | {"others": "o"}, "- Top: Ann, not Bo", {"value": "Ann", "others": ["Bo"]}) == 0


DUE = {"kind": "labelled_date", "label": "Due"}


def test_one_date_in_two_forms_is_one_date() -> None:
    for text in (
        "Tuesday 29 September 2026",
        "29 September 2026 (2026-09-29)",
        "29 September 2026 (29/09/2026)",
        "September 29, 2026 (Tuesday), 5 pm",
        "**2026-09-29**, at 17:00",
        "29th of September, 2026",
        "2026-09-29, see VN-012",
        "2026/09/29",
        "29-Sep-2026",
        "29-September-2026",
        "September the 29th, 2026",
        "29 September 2026 (week 40)",
        "by 29 September 2026",
        "on or before 29 September 2026",
        "no later than Tuesday, 29 September 2026",
    ):
        assert note(DUE, f"- Due: {text}", "2026-09-29") == 1, text


def test_another_date_in_any_form_spoils_the_right_one() -> None:
    for text in (
        "29 September 2026 or 30/09/2026",
        "29 or 30 September 2026",
        "29/30 September 2026",
        "2026-09-29/30",
        "2026-09-29 or the 30th",
        "29 September 2026 or in October",
        "Monday 29 September 2026",
        "2026-09-29 and 2025-09-29",
        "~~29 September 2026~~",
        "29 September",
        "not 29 September 2026",
        "never on 29 September 2026",
        "before 29 September 2026",
        "two days before Tuesday, 29 September 2026",
        "the day after 29 September 2026",
        "a week from 29 September 2026",
        "not on Tuesday, 29 September 2026",
        "29 September 2026?",
        "29 September 2026 is wrong",
        "29 September 2026 or later",
        "about 29 September 2026",
        "29 September 2026 (week 39)",
        "2026/09/30",
        "30-Sep-2026",
        "29-30-Sep-2026",
    ):
        assert note(DUE, f"- Due: {text}", "2026-09-29") == 0, text


INCLUDES = {"kind": "text_includes"}
PHRASES = [
    ("We paid £500.00 to Ann's aunt.", ["500", "Ann"], 1),
    ("Carried:\n- 500 toads\n", ["500"], 1),
    ("**Ann** _Lee_ came, Bo—Cy too.", ["Ann Lee", "Bo", "Cy"], 1),
    ("In 2025–26 we met.", ["2025-26"], 1),
    ("Soft\u00adware by B\u200bo", ["software", "Bo"], 1),
    ("Done by 29 September 2026.", ["2026", "29 September 2026"], 1),
    ("We paid 1,500.", ["500"], 0),
    ("We paid -500.", ["500"], 0),
    ("We paid 1500.50 and 500.5.", ["500"], 0),
    ("By 5 September 2026 or 2026-05-05.", ["5"], 0),
    ("By 2026/05/05 or 5-May-2026.", ["5"], 0),
    ("We grew by 500% or 500 per cent.", ["500"], 0),
    ("We grew by 500% to 500 toads, 50 % of them young.", ["500", "50 %"], 1),
    ("A well-known fact.", ["known"], 0),
    ("Ann-Marie and O'Ann", ["Ann"], 0),
    ("1,500 toads and -500 toads", ["500 toads"], 0),
    ("150% of AB-12-3 in a.csv.bak", [["50%", "AB-12", "a.csv"]], 0),
    ("<!-- Ann --> ~~Ann~~\n```\nAnn\n```\n[//]: # (Ann)\n[x](Ann.md)", ["Ann"], 0),
]


def test_phrases_are_whole_words_and_whole_figures() -> None:
    for text, phrases, score in PHRASES:
        assert note(INCLUDES, text, phrases) == score, text
    absent = INCLUDES | {"absent": "a"}
    assert note(absent, "Ann <!-- Bo -->", {"value": ["Ann"], "absent": ["Bo"]}) == 0


def test_a_plain_text_file_is_no_markdown() -> None:
    output = {"path": "n.txt", "kind": "text"}
    check = {"kind": "text_includes", "path": "n.txt"}
    assert judge(check, {"n.txt": "<!-- Ann -->"}, ["Ann"], output=output).score == 1


def test_chained_words_are_counted() -> None:
    check = {"kind": "text_words", "path": "n.md", "max_words": 20, "min_words": 3}
    assert judge(check, {"n.md": "a well-known and state-of-the-art idea " * 3}).score == 0
    assert (
        judge(check, {"n.md": "a well-known idea of the day that nobody has ever put into practice before us"}).score
        == 1
    )
    for chained in ("-".join(["word"] * 30), ",".join(["word"] * 30), "\u200b".join(["word"] * 30)):
        assert judge(check, {"n.md": f"{chained} two three"}).score == 0
    assert judge(check, {"n.md": "VN-012-3 2026-09-29 three " * 6}).score == 1
    assert judge(check, {"n.md": "one <!-- two three four -->"}).score == 0


HOSTILE = [
    "1,",
    "`",
    "`a",
    "~~a",
    "<s>",
    "<b hidden>",
    "<!--",
    "](",
    "[",
    "1-1",
    "short by ",
    "- Fees: 1\n",
    "\n ",
    "# ",
]


def test_texts_made_to_be_slow_are_read_in_passing() -> None:
    checks: list[tuple[dict[str, object], object]] = [
        (FEES, 1),
        (DUE | {"label": "Fees"}, "2026-09-29"),
        (INCLUDES, ["500", "word x"]),
        (INCLUDES | {"under": "x"}, ["500"]),
        ({"kind": "paragraph_balance"}, -5),
    ]
    for part in HOSTILE:
        text = part * (50_000 // len(part))
        for check, expected in checks:
            try:
                score = note(check, text, expected)
            except Unreadable:
                score = 0
            assert score == 0, part
    with pytest.raises(Unreadable, match="more than"):
        note(FEES, "- Fees: 1\n" + "x " * 200_000, 1)
