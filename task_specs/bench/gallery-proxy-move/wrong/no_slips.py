"""Everything but the slips people make: paths as they are written only, and with their slash."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

new_lines = solve.new_lines
solve.new_lines = lambda rules: [line.replace(" anycase", "") for line in new_lines(rules) if "route =" not in line]

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.solve(ws))
