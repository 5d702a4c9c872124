"""Counts by the fifth edition: its nights, its pairs, both directions, every dead toad, its season."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def as_seen(trips):
    """A trip in either direction counts, and so does every dead toad."""
    return {slip: trip | {"back": False, "chalked": 0} for slip, trip in trips.items()}


all_trips = solve.all_trips
solve.all_trips = lambda ws: as_seen(all_trips(ws))
solve.PAIR, solve.LATE, solve.OPENS = 1, solve.dt.time(21, 0), solve.dt.date(2026, 1, 15)
solve.night_of = lambda start: start.date()
solve.closing_night = lambda ws: solve.dt.date(2026, 5, 15)
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
