"""Starts the new tariff on the day of the first notice, which the second one corrects."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def tariff_start(texts):
    text = next(text for text in texts if "changes from" in text)
    return solve.day_of(text.split("processing day of ")[1].split(".")[0])


solve.tariff_start = tariff_start
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
