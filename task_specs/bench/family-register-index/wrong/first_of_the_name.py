"""Takes the first entry that fits by name and father, though the child died or a second fits as well."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def whose(entries):
    """Person -> the first entry for each pattern."""
    found = {}
    for person, patterns in solve.OWN.items():
        fits = [[n for n, (kind, _, text) in entries.items() if solve.re.match(p, f"{kind} {text}")] for p in patterns]
        found[person] = [numbers[0] for numbers in fits if numbers]
    return found


solve.whose = whose
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
