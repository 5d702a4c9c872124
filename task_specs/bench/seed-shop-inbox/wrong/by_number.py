"""Lets the cases help themselves in the order of their numbers."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
by_first_mail = solve.receivers


def receivers(answer):
    """The letters still go by the first mail."""
    return by_first_mail(
        answer | {"cases": dict(sorted(answer["cases"].items(), key=lambda item: answer["people"][item[0]]["first"]))}
    )


solve.turns = lambda cases: [cases[number] for number in sorted(cases)]
solve.receivers = receivers
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
