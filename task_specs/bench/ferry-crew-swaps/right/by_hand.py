"""By hand: the roster changed code by code, decisions in the order in which they fell, a plain note with an ISO date."""

import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
a = solve["derive"](ws)
folder = ws / "outbox"
folder.mkdir(exist_ok=True)

pristine = solve["read_roster"](ws, "roster/november-2027.txt")
lines = (ws / "roster/november-2027.txt").read_bytes().split(b"\r\n")
for (day, name), posts in pristine.items():
    number = next(n for n, line in enumerate(lines) if line.startswith(f"{day:%a %d %b}   {name}".encode()))
    for post, code in posts.items():
        new = a["roster"][day, name][post]
        at = solve["COLUMNS"][solve["POSTS"].index(post)]
        text = lines[number].decode()
        lines[number] = (text[:at] + text[at:].replace(code, new, 1)).encode()
(ws / "roster/november-2027.txt").write_bytes(b"\r\n".join(lines))
rows = sorted(a["table"], key=lambda row: (row[1] or "9", -row[0]))
text = "request,complete,decision\n" + "\n".join(",".join(map(str, row)) for row in rows)
(folder / "decisions.csv").write_text(text, "utf-8")
(folder / "bridge.md").write_text(
    f"""To both bridges, with the new roster.

- Granted: {a["granted"]} requests
- Turned down: {a["refused"]} requests
- Hallgerd: {a["ships"]["H"]}
- Brinny: {a["ships"]["B"]}
- Last: {a["last"].isoformat()}
- Shortest rest: {a["rest"]} min ({a["rested"]})

Fair winds.
""",
    "utf-8",
)
