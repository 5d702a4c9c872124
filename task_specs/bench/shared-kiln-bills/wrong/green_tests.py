"""Repairs until the tests that came with the program are green, two of which contradict the rules."""

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
    "kilnshare/meter.py": [solve.USED],
    "kilnshare/clock.py": [solve.SUMMER],
    "kilnshare/shares.py": [(solve.SPLIT[0], LAST)],
    "kilnshare/bill.py": [("if quarter_of(f.end) == quarter", "if quarter_of(f.start) == quarter")],
}

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.repair(ws, REPAIRS)
    solve.write(ws, solve.derive(ws))
