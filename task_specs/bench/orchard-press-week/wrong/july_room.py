"""Fills a slot up to the figure of the July memo; the September memo gave the printed one back."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
amend = solve.amend


def july(ws, rules):
    text = solve.text(ws, "committee/memo-2026-07-02.txt")
    return amend(ws, rules) | {"room": int(text.split("a slot holds ")[1].split()[0])}


solve.amend = july
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
