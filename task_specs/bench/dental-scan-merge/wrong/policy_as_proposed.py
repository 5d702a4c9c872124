"""Goes by the policy alone: closed patients into a folder of their own, jaw scans of any age taken."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
behind = solve.stays_behind
solve.stays_behind = lambda picture, status: status == "closed" and behind(picture, status)


def derive(ws):
    closed = lambda source: f"closed/{source.rsplit('/', 1)[1]}"
    rows = [(p["source"], p["decision"], p["target"]) for p in solve.decide(ws)]
    return [(s, "taken", closed(s)) if d == "left" else (s, d, t) for s, d, t in rows]


solve.derive = derive
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
