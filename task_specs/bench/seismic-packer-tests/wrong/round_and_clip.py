"""By the table of the move alone: width, order and range; numbers rounded by `round`, and no reading forgotten in places."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CODECS = solve.CODECS.replace("int(value + 0.5) if value >= 0 else -int(0.5 - value)", "round(value)").replace(
    "min(max(nearest(value), least + 1), -least - 1)", "min(max(nearest(value), least), -least - 1)"
)

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.CODECS = CODECS
    solve.repair(ws)
    solve.write_tests(ws, solve.TESTS.format(**solve.present(ws)))
