"""Takes the third amendment, a draft, for one that is in force."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)

read_rules = solve.read_rules


def drafted(ws):
    rules = read_rules(ws)
    return rules | {"rest": 600, "rest_late": 600, "limit": rules["limit"] + 2}


solve.read_rules = drafted
solve.in_order = lambda requests, complete: sorted(requests)
solve.Office.late = lambda self, complete, begin: begin - (complete - solve.LOCAL_NOW) < solve.dt.timedelta(hours=48)
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
