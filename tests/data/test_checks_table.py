import pytest

from clawgym_data.checks import Unreadable
from tests.data.checking import judge

OUT = {
    "path": "out.csv",
    "kind": "csv",
    "key": ["id"],
    "columns": {"id": "tag", "n": "whole", "who": "name"},
    "order": {"rows": "free", "columns": "required"},
}
ROWS = {"a": {"n": 1, "who": "Ann"}, "b": {"n": 2, "who": "Bo"}}
GOOD = "id,n,who\na,1,Ann\nb,2,Bo\n"
READABLE = {"kind": "table_readable", "path": "out.csv"}
RIGHT = {"kind": "table_rows", "path": "out.csv"}


@pytest.mark.fault("another-encoding")
def test_readable_with_the_mess_of_spreadsheets() -> None:
    messy = '\ufeff"ID","n","Who"\r\n"a","1","Ann"\r\n\r\n"b","2","Bo"'
    assert judge(READABLE, {"out.csv": messy}, output=OUT).score == 1
    assert judge(RIGHT, {"out.csv": messy}, ROWS, output=OUT).score == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "does not exist"),
        (b"", "is empty"),
        (b"id,n\na,1\n", "header"),
        (b"n,id,who\n1,a,Ann\n", "header"),
        (b"id,n,who\na,1\n", "cells in row 2"),
        (b"id,n,who\n", "no rows"),
        (b"\xff\xfe\x00a", "UTF-8"),
        (b"id,n,who\na,1,A\x00nn\n", "NUL"),
        (b'id,n,who\na,1,"Ann\n', "delimited"),
        (b"id,n,who\n" + b"a,1,Ann\n" * 200_000, "more than 100000 rows"),
    ],
)
def test_unreadable_tables_have_a_reason(content: bytes | None, reason: str) -> None:
    files = {} if content is None else {"out.csv": content}
    with pytest.raises(Unreadable, match=reason):
        judge(READABLE, files, output=OUT)


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        ("a,1,Ann\nb,2,Bo\n", 1.0),
        ("b,2,BO\na,1.0,ann\n", 1.0),
        ("a,1,Ann\nb,3,Bo\n", 0.5),
        ("a,2,Bo\nb,1,Ann\n", 0.0),
        ("a,1,Ann\n", 0.5),
        ("a,1,Ann\nb,2,Bo\nb,2,Bo\n", 1 / 3),
        ("a,1,Ann\nb,2,Bo\nc,3,Cy\n", 2 / 3),
        ("a,1,Ann\nb,2,\n", 0.5),
    ],
)
def test_a_row_counts_when_all_its_columns_are_right_together(rows: str, score: float) -> None:
    assert judge(RIGHT, {"out.csv": f"id,n,who\n{rows}"}, ROWS, output=OUT).score == pytest.approx(score)


def test_a_guessers_share_earns_nothing() -> None:
    check = RIGHT | {"credit_above": 0.5}
    assert judge(check, {"out.csv": "id,n,who\na,1,Ann\nb,9,Bo\n"}, ROWS, output=OUT).score == 0
    assert judge(check, {"out.csv": GOOD}, ROWS, output=OUT).score == 1


@pytest.mark.fault("every-row-of-none")
def test_nothing_expected_is_no_full_score() -> None:
    with pytest.raises(ValueError, match="nothing"):
        judge(RIGHT, {"out.csv": GOOD}, {}, output=OUT)


def test_keys_and_order() -> None:
    keys = {"kind": "table_keys", "path": "out.csv"}
    order = {"kind": "table_order", "path": "out.csv"}
    assert judge(keys, {"out.csv": GOOD}, ["b", "a"], output=OUT).score == 1
    assert judge(keys, {"out.csv": GOOD + "a,1,Ann\n"}, ["b", "a"], output=OUT).score == 0
    assert judge(order, {"out.csv": GOOD}, ["a", "b"], output=OUT).score == 1
    assert judge(order, {"out.csv": GOOD}, ["b", "a"], output=OUT).score == 0


JOURNAL = {
    "path": "j.tsv",
    "kind": "tsv",
    "key": ["doc", "account"],
    "columns": {"doc": "tag", "account": "tag", "amount": "money"},
}


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        ("A\t1\t0.10\nA\t2\t0.20\nA\t3\t-0.30\nB\t1\t5\nB\t2\t-5.00\n", 1),
        ("A\t1\t1\nB\t2\t-1\n", 0),
        ("A\t1\t0\nA\t2\t0.00\n", 0),
        ("A\t1\tx\nA\t2\t1\n", 0),
        ("", 0),
    ],
)
def test_a_journal_balances_document_by_document(rows: str, score: float) -> None:
    check = {"kind": "table_balances", "path": "j.tsv", "by": "doc", "amount": "amount"}
    assert judge(check, {"j.tsv": f"doc\taccount\tamount\n{rows}"}, output=JOURNAL).score == score


def test_amounts_are_added_exactly_and_plainly() -> None:
    check = {"kind": "table_balances", "path": "j.tsv", "by": "doc", "amount": "amount"}

    def balanced(*amounts: str) -> float:
        rows = "".join(f"A\t{n}\t{amount}\n" for n, amount in enumerate(amounts))
        return judge(check, {"j.tsv": f"doc\taccount\tamount\n{rows}"}, output=JOURNAL).score

    assert balanced("0.1", "0.2", "-0.3") == 1
    assert balanced(" 5.00 ", "−5") == 1
    assert balanced(str(10**30), "0.5", str(-(10**30))) == 0
    assert balanced("5" + "0" * 300, "-5" + "0" * 300) == 1
    for odd in ("8.4e1", "８４", "8_4", "84,00", "£84", "(84)"):
        assert balanced(odd, "-84") == 0, odd


KEYED = {
    "path": "k.csv",
    "kind": "csv",
    "key": ["id", "n"],
    "columns": {"id": "tag", "n": "whole", "v": "whole"},
}


def test_keys_are_compared_by_the_types_of_their_columns() -> None:
    rows, keys = {"kind": "table_rows", "path": "k.csv"}, {"kind": "table_keys", "path": "k.csv"}
    expected = {"007|7": {"v": 1}, "x|8": {"v": 2}}

    def scores(text: str) -> tuple[float, float]:
        files = {"k.csv": f"id,n,v\n{text}"}
        return (
            judge(rows, files, expected, output=KEYED).score,
            judge(keys, files, list(expected), output=KEYED).score,
        )

    assert scores("007,7,1\nx,8.0,2\n") == (1, 1)
    assert scores("007,7.0,1\nx,08,2\n") == (1, 1)
    assert scores("7,7,1\nx,8,2\n") == (pytest.approx(1 / 3), 0)
    assert scores("007,7,1\n007,7.0,1\nx,8,2\n") == (pytest.approx(1 / 3), 0)


def test_a_bar_in_a_key_joins_nothing() -> None:
    output = KEYED | {"columns": {"id": "tag", "n": "tag", "v": "whole"}}
    rows = {"kind": "table_rows", "path": "k.csv"}
    expected = {r"a\|b|c": {"v": 1}}
    assert judge(rows, {"k.csv": "id,n,v\na|b,c,1\n"}, expected, output=output).score == 1
    assert judge(rows, {"k.csv": "id,n,v\na,b|c,1\n"}, expected, output=output).score == 0
    with pytest.raises(ValueError, match="parts"):
        judge(rows, {"k.csv": "id,n,v\na,b|c,1\n"}, {"a|b|c": {"v": 1}}, output=output)


def test_a_null_key_is_no_key_of_that_name() -> None:
    output = {"path": "o.json", "kind": "json", "key": ["id"], "columns": {"id": "tag", "n": "whole"}}
    rows = {"kind": "tree_rows", "path": "o.json"}
    expected = {"None": {"n": 1}}
    assert judge(rows, {"o.json": '[{"id": "None", "n": 1}]'}, expected, output=output).score == 1
    for text in ('[{"id": null, "n": 1}]', '[{"n": 1}]', '[{"id": ["None"], "n": 1}]'):
        assert judge(rows, {"o.json": text}, expected, output=output).score == 0, text
