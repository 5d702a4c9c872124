"""Takes the cleaned list that lies in the folder, which Tove has since withdrawn."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def corrected_list(ws):
    path = next((ws / "tills").glob("box-*-fixed.csv"))
    return solve.table(path.read_bytes().decode("cp1252"), ";")


solve.corrected_list = corrected_list
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
