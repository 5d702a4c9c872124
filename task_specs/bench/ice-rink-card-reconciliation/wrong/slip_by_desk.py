"""Pairs receipts by desk and slip number, though the exchanged terminal gave some numbers out again."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


by_terminal = solve.till_entries


def till_entries(ws, lines, receipts):
    desks = solve.desk_by_terminal(ws)
    solve.terminal_at = lambda ws, desk, when: desk
    solve.desk_by_terminal = lambda ws: desks | {desk: desk for desk in solve.DESKS}
    return by_terminal(ws, [line | {"terminal": desks[line["terminal"]]} for line in lines], receipts)


solve.till_entries = till_entries
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
