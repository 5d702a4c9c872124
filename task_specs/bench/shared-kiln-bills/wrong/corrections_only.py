"""Works the corrections out with a repaired copy and hands the program back as it was."""

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ws, copy)
        solve.repair(copy, solve.REPAIRS)
        solve.write(ws, solve.derive(copy))
