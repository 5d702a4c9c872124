"""Edits in a stream, one line after the other, and logs each edit; the record is that log read backwards, padded."""

import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
changes = solve["derive"](ws)
log = []
for file in {change[0]: None for change in reversed(changes)}:
    todo = {line: rest for name, line, *rest in changes if name == file}
    out = []
    for number, line in enumerate((ws / file).read_bytes().split(b"\n")):
        if number in todo:
            setting, old, new = todo[number]
            if isinstance(old, int):
                tail = line.split(b" ", 2)[2]
                line = f"{new % 60} {new // 60} ".encode() + tail
            else:
                head, mark, tail = line.partition(old.encode())
                line = head + new.encode() + tail
            log.append(f"{file:<30}, {setting}, {solve['shown'](old)}, {solve['shown'](new)}")
        out.append(line)
    (ws / file).write_bytes(b"\n".join(out))
(ws / "changes.csv").write_text("\n".join(["file, setting, old, new", *reversed(log)]), "utf-8")
