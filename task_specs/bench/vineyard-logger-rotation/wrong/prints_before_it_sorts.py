"""Does the right things and prints them in the order in which it met them, without -n nothing at all."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

CHANGES = [
    (
        '        print(action, file.decode(), target, sep="\\t")\n',
        '        if dry:\n            print(action, file.decode(), target, sep="\\t")\n',
    ),
    ("return sorted((file.encode(), action, target) for", "return list((file.encode(), action, target) for"),
]

if __name__ == "__main__":
    solve.deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), solve.script(CHANGES))
