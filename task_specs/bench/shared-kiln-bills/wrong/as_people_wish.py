"""Repairs every fault, and also grants the wishes of those who are mistaken about the rules."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

REPAIRS = solve.REPAIRS | {
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
