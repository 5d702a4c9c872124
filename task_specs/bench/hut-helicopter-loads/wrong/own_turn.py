"""Gives everything its turn by letter and weight alone, whatever it has to fly after."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def turns(items):
    """By letter, weight and number; where the other one has had no turn yet, nothing is waited for."""
    for item in items.values():
        if item["after"] and item["after"].isdigit():
            first = items[int(item["after"])]
            if rank(item) < rank(first):
                item["after"] = None
    return sorted(items, key=lambda no: (*rank(items[no]), no))


def rank(item):
    return item["letter"] or "Z", -item["kg"] * item["pieces"]


solve.turns = turns
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
