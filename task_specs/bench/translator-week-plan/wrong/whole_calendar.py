"""Takes all that stands in the calendar for this week's appointments: perhaps, cancelled, free, ended and skipped."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def busy(ws):
    """Every entry, repeated ones in every week."""
    for event in solve.events(ws / "desk/calendar.ics"):
        start = solve.moment(event["DTSTART"])
        length = solve.moment(event["DTEND"]) - start
        weeks = range(20) if "RRULE" in event else range(1)
        yield from ((start + solve.dt.timedelta(weeks=n), start + solve.dt.timedelta(weeks=n) + length) for n in weeks)


solve.busy = busy
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
