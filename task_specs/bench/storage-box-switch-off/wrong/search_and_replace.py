"""Points every line that mentions tern at osprey, overruled and switched-off ones too; lengths and times stay."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def derive(ws):
    group, folder = solve.classes(ws), solve.pools(ws)
    changes = []
    for file in [*solve.fragments(ws), solve.MIRROR]:
        job, name = "", "{}.target" if file != solve.MIRROR else "shares.{}.to"
        for number, line in enumerate(solve.lines_of(ws, file)):
            words = line.strip("[]\r: ")
            if words in group:
                job = words
            elif "tern:" in line:
                old = "tern:" + line.split("tern:")[1].split()[0]
                changes.append((file, number, name.format(job), old, f"osprey:{folder[group[job]]}/{job}"))
    return changes


solve.derive = derive
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
