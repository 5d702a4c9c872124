"""Believes every mail: a neighbour's word about others, and a change that came after closing."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
by_mail = solve.by_mail


def credulous(ws, growers, bookings):
    closing, solve.CLOSING = solve.CLOSING, solve.EXPORTED
    by_mail(ws, growers, bookings)
    solve.CLOSING = closing
    for _, _, body in solve.letters(ws):
        for booking in bookings:
            if f"so that you know: {growers[booking['grower']]['name']} told me" in body:
                booking["withdrawn"] = True


solve.by_mail = credulous
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
