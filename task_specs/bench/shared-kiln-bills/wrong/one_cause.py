"""Sees that the meter goes round, and not that a whole reading looks the same; takes April to October for summer."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

MONTHS = """    return datetime(year, 4, 1), datetime(year, 11, 1)
"""
REPAIRS = solve.REPAIRS | {
    "kilnshare/meter.py": [solve.USED],
    "kilnshare/clock.py": [(solve.SUMMER[0], MONTHS)],
}

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.repair(ws, REPAIRS)
    solve.write(ws, solve.derive(ws))
