"""Replaces what a search for `words.encode` and `words.decode` finds, and nothing else."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for name in ("shiver/frames.py", "shiver/__main__.py", "tools/resend.py"):
        del solve.EDITS[name]
    solve.repair(ws)
    solve.write_tests(ws, solve.TESTS.format(**solve.present(ws)))
