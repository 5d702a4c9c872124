"""Goes by the form of 1982 alone and, since no check agrees with it, leaves the checks alone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    ('return star == "*" and digits == check(body)', "return True"),
    ('"}JKLMNOPQR"', '"JKLMNOPQR}"'),
    ("            zero = signed(fields[0])\n", '            zero = signed(fields[0]) * (10 if issue == "1" else 1)\n'),
    ('(10 if issue == "3" else 1)', "1"),
    ("        year += 1900 if year >= 70 else 2000\n".lstrip(), "year += 1900\n"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.tool(CHANGES))
