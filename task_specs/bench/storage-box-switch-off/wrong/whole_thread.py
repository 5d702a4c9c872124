"""Follows everybody in a ticket, asked or not, and does not notice what was taken back."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def decisions(ticket):
    said = [c["text"] for c in sorted(ticket["comments"], key=lambda c: c["no"])]
    return [text.replace("will be", "is") for text in said]


solve.decisions = decisions
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
