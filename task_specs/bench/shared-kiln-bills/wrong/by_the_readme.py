"""Repairs what the reports name, but reckons by the README where it differs from the rules."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

LAST = """    shares = {who: round(pence * amount / total) for who, amount in pots}
    shares[pots[-1][0]] += pence - sum(shares.values())
    return shares
"""
REPAIRS = {
    "kilnshare/book.py": [solve.SHELVES],
    "kilnshare/meter.py": [solve.READING, solve.USED],
    "kilnshare/clock.py": [
        ("    return wall - timedelta(hours=1) if begins <= wall < ends else wall\n", "    return wall\n")
    ],
    "kilnshare/tariff.py": [solve.DATE, solve.IN_FORCE],
    "kilnshare/shares.py": [(solve.SPLIT[0], LAST)],
    "kilnshare/bill.py": [
        ("if quarter_of(f.end) == quarter", "if quarter_of(f.start) == quarter"),
        ("in_force(prices, firing.start.date())", "in_force(prices, firing.end.date())"),
        ("sum_ * 3 // 4", "(sum_ * 3 + 2) // 4"),
    ],
}

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.repair(ws, REPAIRS)
    solve.write(ws, solve.derive(ws))
