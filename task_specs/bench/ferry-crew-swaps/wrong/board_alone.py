"""Believes the board: whoever clicked, and nothing that was said elsewhere."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def clicked(ws, requests):
    said = [*solve.board_words(ws)]
    withdrawn = {number for number, _, _, did in said if did == "withdraw"}
    return {number: at for number, _, at, did in said if did == "agree"}, withdrawn


solve.completions = clicked
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
