"""Translates line by line after the table of the upgrade: lines that never had an effect now have one, and nothing is early."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402


def live_rules(rules):
    seen, found = set(), []
    for rule in rules:
        own = [(rule[0], kind, text.lower()) for kind, text in solve.patterns(rule)]
        found.append((rule, [p for p, key in zip(solve.patterns(rule), own) if key not in seen]))
        seen.update(own)
    return found


solve.live_rules = live_rules
solve.needs_early = lambda pattern, later: False

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.solve(ws))
