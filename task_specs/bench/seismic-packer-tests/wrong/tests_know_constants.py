"""Moves everything; the tests are thorough, and take the limits from the constants of delta.py as it stands."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.repair(ws)
    tests = solve.TESTS.replace("import expand, squeeze", "import FULL_EVERY, LARGEST_STEP, expand, squeeze")
    solve.write_tests(ws, tests.format(step="LARGEST_STEP", every="FULL_EVERY"))
