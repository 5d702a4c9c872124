"""What no declarative check says: a journal is taken only if every document in it comes to zero."""

import csv
import io
from collections import defaultdict
from decimal import Decimal, InvalidOperation


def postings(raw):
    """(document, amount) of each line.

    Raises:
        ValueError, LookupError, csv.Error, InvalidOperation: where the file is no journal.
    """
    text = raw.decode("utf-8-sig")
    lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter="\t") if any(line)]
    header = [name.strip().lower() for name in lines[0]]
    document, amount = header.index("document"), header.index("amount")
    return [(line[document].strip(), Decimal(line[amount].strip())) for line in lines[1:]]


def journal_balances(workspace, expected):
    """1 if there are documents and each one's amounts, none of them nil, come to zero."""
    try:
        posted = postings((workspace / "reconciliation/journal.tsv").read_bytes())
    except (OSError, ValueError, LookupError, csv.Error, InvalidOperation) as error:
        return 0.0, f"no journal that can be added up: {type(error).__name__}"
    sums = defaultdict(Decimal)
    for document, amount in posted:
        if not amount.is_finite() or not amount:
            return 0.0, f"{document} posts nothing on one of its lines"
        sums[document] += amount
    out = sum(1 for total in sums.values() if total)
    if not sums or out:
        return 0.0, f"{out} of {len(sums)} documents do not come to zero"
    return 1.0, f"all {len(sums)} documents come to zero"
