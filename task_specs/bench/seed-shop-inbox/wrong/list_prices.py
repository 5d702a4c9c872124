"""Pays back list prices, all of it to the card."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
money_back = solve.money_back
solve.paid_for = lambda line, order: line["packets"] * line["each"]
solve.money_back = lambda order, lines, edition: (sum(money_back(order, lines, edition)), 0)
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
