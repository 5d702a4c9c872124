"""The oracle: repairs the modules line by line, lets the program bill the quarter, and compares with what was posted."""

import csv
import email
import email.policy
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

SHELVES = (
    """        text = text.replace(sign, spelt)
    return Fraction(text.replace(",", ".") or 1)
""",
    """        text = text.replace(sign, f" {spelt}")
    numbers = text.replace(",", ".").split()
    if not numbers:
        return Fraction(1)
    return sum(Fraction(number) for number in numbers)
""",
)
READING = (
    """    return int(digits)
""",
    """    tenths = int(digits)
    if not re.search(r"[.,]\\d$", text.strip()):
        tenths *= 10
    return tenths
""",
)
USED = (
    """    return max(0, after - before)
""",
    """    if after < before:
        after += 1_000_000
    return after - before
""",
)
SUMMER = (
    """    dates = {
        2022: ("03-27", "10-30"),
        2023: ("03-26", "10-29"),
        2024: ("03-31", "10-27"),
        2025: ("03-30", "10-26"),
    }
    begins, ends = dates.get(year, ("01-01", "01-01"))
    return tuple(datetime.fromisoformat(f"{year}-{day} 02:00") for day in (begins, ends))
""",
    """    begins, ends = (datetime(year, month, 31, 2) for month in (3, 10))
    begins -= timedelta(days=begins.isoweekday() % 7)
    ends -= timedelta(days=ends.isoweekday() % 7)
    return begins, ends
""",
)
DATE = (
    "from datetime import timedelta\n",
    "from datetime import date, timedelta\n",
)
IN_FORCE = (
    """    changes = [heading for heading in prices if heading <= day.isoformat()]
    return prices[max(changes)]
""",
    """    by_day = {date(*map(int, heading.split("-"))): heading for heading in prices}
    latest = max(change for change in by_day if change <= day)
    return prices[by_day[latest]]
""",
)
SPLIT = (
    """    return {who: round(pence * amount / total) for who, amount in pots}
""",
    """    shares = {who: int(pence * amount / total) for who, amount in pots}
    lost = {who: pence * amount / total - shares[who] for who, amount in pots}
    for who in sorted(shares, key=lambda who: -lost[who])[: pence - sum(shares.values())]:
        shares[who] += 1
    return shares
""",
)
REPAIRS = {
    "kilnshare/book.py": [SHELVES],
    "kilnshare/meter.py": [READING, USED],
    "kilnshare/clock.py": [SUMMER],
    "kilnshare/tariff.py": [DATE, IN_FORCE],
    "kilnshare/shares.py": [SPLIT],
}
REPORT = "bills/2026-q2-corrections.csv"


def repair(ws, repairs):
    for name, changes in repairs.items():
        path = ws / name
        text = path.read_text("utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise LookupError(f"{name} has {text.count(old)} places for {old!r}")
            text = text.replace(old, new)
        path.write_bytes(text.encode())


def run(ws, *arguments):
    command = [sys.executable, "-B", "-m", "kilnshare", *arguments]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    return subprocess.run(command, cwd=ws, capture_output=True, check=True, env=environment).stdout.decode()


def amounts(text):
    rows = csv.DictReader(text.splitlines())
    return {row["member"]: Decimal(row["amount"]) for row in rows if row["member"] != "total"}


def posted(ws):
    """What the slips asked for: the file, but for the one that Fergus changed by hand."""
    sent = amounts((ws / "bills/2026-q2.csv").read_text("utf-8"))
    return sent | changed_by_hand(ws)


def changed_by_hand(ws):
    for raw in re.split(rb"^From .*\n", (ws / "mail/kiln.mbox").read_bytes(), flags=re.M)[1:]:
        text = " ".join(email.message_from_bytes(raw, policy=email.policy.default).get_content().split())
        found = re.search(r"\(([A-Z]+)\).* wrote £([\d.]+) by hand", text)
        if found:
            return {found[1]: Decimal(found[2])}
    return {}


def derive(ws):
    """Rows of member, sent, due and difference, of those whose amount changes."""
    sent, due = posted(ws), amounts(run(ws, "bill", "2026-Q2"))
    pairs = {who: (sent.get(who, Decimal("0.00")), due.get(who, Decimal("0.00"))) for who in sorted({*sent, *due})}
    return [(who, asked, right, right - asked) for who, (asked, right) in pairs.items() if asked != right]


def write(ws, rows):
    lines = ["member,sent,due,difference", *(",".join(map(str, row)) for row in rows)]
    (ws / REPORT).write_bytes(("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    repair(workspace, REPAIRS)
    write(workspace, derive(workspace))
