"""Takes materials and height from the register; the reports only for fitness and limits."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
read_reports = solve.read_reports


def without_findings(ws):
    """The reports without what the conservators found and measured."""
    kept = read_reports(ws)
    return {n: {k: v for k, v in fields.items() if k not in ("Materials", "Height")} for n, fields in kept.items()}


solve.read_reports = without_findings
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
