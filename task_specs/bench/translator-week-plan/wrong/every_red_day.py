"""Keeps every day free that the calendar of Denmark names, bank days and flag days too."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def days_off(ws):
    """The days of all entries."""
    return {solve.moment(event["DTSTART"]).date() for event in solve.events(ws / "desk/denmark-2027.ics")}


solve.days_off = days_off
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
