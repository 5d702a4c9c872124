"""Lets off the runner that the jury's minutes name, without the chair's correction."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def let_off(ws):
    minutes = (ws / "officials/jury minutes.txt").read_text("utf-8")
    return int(minutes.split("number ")[1][:3])


solve.let_off = let_off
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
