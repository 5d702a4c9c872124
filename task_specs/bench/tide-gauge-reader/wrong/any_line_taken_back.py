"""An X line takes back whatever stands above it, be it a note or another X line."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ('if not line or line[0] == "N":', "if not line:"),
    ("            del kept[-1:]\n", "            kept[-1:] = [line]\n"),
    (
        "    lines = split(content)\n",
        '    lines = [line for line in split(content) if line[0] != "N" and line != "X*88"]\n',
    ),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.tool(CHANGES))
