"""The lines of each site turned round, tab stops, CRLF and no remarks, names one a line in capitals, what the last route does anyway left out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402


def rest_of(lines):
    """The backend of the route that takes what is left."""
    return next((line.split()[2] for line in lines if line.startswith("route / ")), None)


def turned(lines):
    rest = rest_of(lines)
    found = []
    for line in reversed(lines):
        words = line.split()
        if words[0] == "route" and words[1].startswith("=") and words[2:] == [rest, "anycase"]:
            continue
        found.append("\t".join(words[:3] + sorted(words[3:], reverse=True)))
    return found


def site_text(lines):
    blocks = []
    for line in lines:
        words = line.split()
        if words and words[0] == "site":
            blocks.append([line, []])
        elif words and words[0] == "host":
            blocks[-1][1] += [f"host\t{name.upper()}" for name in reversed(words[1:])]
        elif words and not line.startswith("#"):
            blocks[-1][1].append(line.strip())
    return "\r\n".join(line for head, own in blocks for line in (head, *turned(own)))


ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
texts = solve.solve(ws)
for name in texts:
    if name.endswith(".conf"):
        texts[name] = site_text(texts[name].splitlines())
head, *rows = texts["maps/loom.tsv"].splitlines()
texts["maps/loom.tsv"] = "\r\n".join([head, *sorted(rows, key=lambda row: row[::-1])])
solve.write(ws, texts)
