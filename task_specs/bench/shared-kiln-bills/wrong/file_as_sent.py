"""Repairs the program, but takes the file in bills/ for what was posted, without the slip that was changed by hand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

REPAIRS = solve.REPAIRS
solve.changed_by_hand = lambda ws: {}

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.repair(ws, REPAIRS)
    solve.write(ws, solve.derive(ws))
