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


SAYS_SHORT = [
    "We need another £112 to pay everyone.",
    "The fund falls £112 below what is promised.",
    "There is not enough money: £112 more is needed.",
    "We owe £112 more than we have.",
    "The bursaries cost £112 more than the fund holds.",
    "The fund ends at -£112, a deficit.",
    "The balance would be minus £112.",
    "The fund would go £112 into the red.",
    "The money does not reach: we are £112 under.",
    "The fund covers all but £112.",
    "After all awards £112 is left unpaid.",
    "£112 remains to be raised.",
    "Can the fund carry the awards? No: it is short by £112.",
    "No doubt about it, the fund is short by £112.",
    "I fear the fund is short by £112.",
    "Last year the fund had £20 left. This year it is short by £112.",
    "Unlike last year, when there was enough, the fund is short by £112.",
    "The old sheet was wrong. The fund is short by £112.",
    "The fund is short by £112. All awards will be paid all the same, as the policy says.",
    "Without a transfer the fund would be £112 short.",
    "We cannot pay all the awards. £112 is missing.",
    "The fund holds £315 and the awards come to £427 in 2026–27, so it is £112 short.",
]
SAYS_ENOUGH = [
    "All can be paid with £112 over.",
    "We can pay everyone and keep £112.",
    "The fund ends with a balance of £112.",
    "The money suffices; £112 will be unspent.",
    "There is £112 more than needed.",
    "No bursary is left unpaid, and £112 remains.",
    "Last year the fund was short by £20. This year it covers all, with £112 left.",
    "Some say the fund is short by £20; they are wrong. It covers every award and £112 is left.",
    "Is the fund short? No: it covers all awards and £112 is left.",
    "No more is needed: the fund covers all, and £112 is left over.",
]


@pytest.mark.parametrize(
    ("text", "left"), [*((text, -112) for text in SAYS_SHORT), *((text, 112) for text in SAYS_ENOUGH)]
)
def test_a_verdict_in_further_words(text: str, left: int) -> None:
    assert verdict(text, left) == 1
    assert verdict(text, -left) == 0


STATES_NOTHING = [
    "It is untrue that the fund is short by £112.",
    "I doubt the fund is short by £112.",
    "The rumour of a £112 shortfall is false.",
    "Some say the fund is £112 short; they are wrong.",
    "The treasurer fears the fund is £112 short.",
    "The fund is short by £112. That is not true.",
    "Nobody can say that the fund is short by £112.",
    "It is untrue that £112 is left.",
    "I doubt that £112 is left.",
    "The fund is short by £112? No, all is well.",
    "Is the fund enough, with £112 left?",
    "Last year the fund was short by £112. This year all can be paid.",
    "Last year the fund was short by £112.",
    "Two years ago £112 was left.",
    "If the fund were short by £112 we would know; everything can be paid.",
    "The fund would be short by £112 had we not received a gift.",
    "The fund avoids being short by £112.",
]
SAYS_NO_AMOUNT = [
    "The fund is short by £112 to £180.",
    "The fund is short by £80 to £112.",
    "The fund is short by £112–£180.",
    "The fund is short by between £112 and £180.",
    "The fund is short by £112 or more.",
    "The fund is short by £112 a month.",
    "£112 is left, or £112 to £180 is left.",
    "£112 or less is left.",
    "The fund covers only £112.",
]


@pytest.mark.parametrize("text", [*STATES_NOTHING, *SAYS_NO_AMOUNT])
def test_what_is_not_stated_is_no_verdict(text: str) -> None:
    assert verdict(text, -112) == verdict(text, 112) == 0


@pytest.mark.parametrize(
    "text",
    [
        "The fund covers all but £112.",
        "The fund covers everything except £112.",
        "£112 is left unpaid.",
        "£112 is left to find.",
        "£112 remains to be raised.",
        "£112 remains outstanding.",
        "The fund is enough only for half, £112 remains to be raised.",
    ],
)
def test_what_is_left_to_pay_is_nothing_left(text: str) -> None:
    assert verdict(text, 112) == 0


def test_a_text_of_very_many_parts_is_answered() -> None:
    # 41 s of a worker's 20 s where every part was read again with all that followed it
    assert verdict("a: " * 80_000, -112) == 0
