"""The verdict in an opening paragraph: honest wordings, and denied, doubled or hidden ones."""

import pytest

from tests.data.checking import judge

NOTE = {"path": "n.md", "kind": "note", "key": "label", "columns": {"Fees": "whole"}}


def verdict(text: str, left: int) -> float:
    check = {"kind": "paragraph_balance", "path": "n.md"}
    return judge(check, {"n.md": f"{text}\n\n- Fees: 1"}, left, output=NOTE).score


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "The bursary fund cannot carry this year's awards: it holds £315 against awards of £427, so it is short by £112. The awards are honoured all the same, and we ask you for a transfer from reserves. The pledge is not counted.",
            -112,
        ),
        (
            "The bursary fund cannot carry this year's awards: it is short by £112. Under the policy the awards are honoured all the same, so I ask the trustees for the transfer from reserves given below, which is the shortfall rounded up.",
            -112,
        ),
        (
            "Trustees, the fund that pays our bursaries can't meet what it has promised; the shortfall is 112 pounds. No award is cut.",
            -112,
        ),
        ("Trustees, the fund that pays our bursaries covers every award. Once they are paid, 112 pounds remain.", 112),
        (
            "There is not enough in the bursary fund this year. After all awards we are looking at a gap of £112.00.",
            -112,
        ),
        ("Good news: the bursary fund is able to carry all the awards, with £1,112.00 to spare.", 1112),
        ("The fund is £112 short.", -112),
        ("There is no shortfall: £112 remain.", 112),
        ("The fund covers all awards and will have £112 left; no transfer is needed.", 112),
        ("No transfer is needed, as the fund covers all awards with £112 left over.", 112),
        ("The fund will not fall short: £112 is left.", 112),
        ("The fund, however, is not enough. £112 is missing.", -112),
        (
            "Without a transfer the fund cannot carry the awards; it is £112 short. With a transfer of £150 it would have £38 left.",
            -112,
        ),
        ("The fund does not cover the awards by £112.", -112),
        ("**The fund is short by £112.**", -112),
        ("Dear trustees,\n\nThe fund is short by £112.", -112),
        ("The awards exceed the fund by £112.", -112),
        ("The fund exceeds the awards by £112, so all are covered.", 112),
        ("As of 31 August 2026, £112 is missing: the fund can't carry the awards.", -112),
        ("In 2026/27 the fund falls £112 short of the awards.", -112),
        ("Of the £315 left in the fund, £203 goes to awards, so £112 remains.", 112),
        ("The fund is enough for all the awards and leaves £112.", 112),
        ("The fund can carry this year's awards and will have £112 left.", 112),
        ("After paying the awards the fund will have a surplus of £112, so it can carry them.", 112),
        ("The fund cannot carry this year’s awards. It lacks £112.", -112),
        ("The fund can’t quite stretch to this year's awards: we are £112 short.", -112),
        ("The fund is insufficient for this year's awards (shortfall: £112).", -112),
        ("Unfortunately, no: the bursary fund cannot carry this year's awards and is short by £112.", -112),
        ("Yes, the bursary fund can carry this year's awards, with £112 left.", 112),
        ("The fund is not short; it has £112 left after all awards.", 112),
    ],
)
def test_a_verdict_in_many_words(text: str, left: int) -> None:
    assert verdict(text, left) == 1


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The fund will not fall short by 300.", -300),
        ("The fund will not fall short by 300.", 300),
        ("The fund is not short by £300.", -300),
        ("The fund won't be £300 short.", -300),
        ("There is no shortfall of £300.", -300),
        ("The fund is short by 300. The fund has 300 left.", -300),
        ("The fund is short by 300. The fund has 300 left.", 300),
        ("The fund has 300 left. It is short by 300.", -300),
        ("The fund is short by 300; the fund has 300 left.", -300),
        ("The fund can carry the awards. The fund cannot carry the awards, by 300.", -300),
        ("The fund is short by 300. It covers all awards.", -300),
        ("The fund is short by 299, 300 or 301.", -300),
        ("The fund is short by 299. The fund is short by 300.", -300),
        ("The fund has 299 left. It has 300 left.", 300),
        ("The fund is not enough to leave 300.", 300),
        ("The fund will not have £300 left.", 300),
        ("The fund will not have £300 left.", -300),
        ("The fund covers all, £300 left.", -300),
        ("~~The fund is short by 300.~~ All is well.", -300),
        ("<!-- The fund is short by 300. -->\n\nGood day to all.", -300),
        ("```\nThe fund is short by 300.\n```\n\nGood day.", -300),
        ("The fund is short by £301.", -300),
        ("It is false that the fund lacks nothing, 300.", 300),
        ("The fund does not lack £300.", -300),
        ("The fund is hardly short by £300.", -300),
    ],
)
def test_a_denied_doubled_or_hidden_verdict(text: str, left: int) -> None:
    assert verdict(text, left) == 0
