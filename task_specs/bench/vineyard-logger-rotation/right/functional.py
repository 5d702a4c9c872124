"""Another hand in Python: plain functions over a table of files, shutil and zlib, ini by hand; plan from the bottom up, quoted, with a BOM."""

import csv
import subprocess
import sys
from pathlib import Path

SCRIPT = r'''#!/usr/bin/env python3
import argparse, collections, datetime, itertools, os, re, shutil, sys, zlib

File = collections.namedtuple("File", "path where station day plot rank packed")
ENDS = {"ws": "#END", "leaf": "EOF"}


def text(root, path):
    with open(os.path.join(root, path), "rb") as f:
        data = f.read()
    return (zlib.decompress(data, 31) if path.endswith(".gz") else data).decode("latin-1")


def settings(root):
    out, section = collections.defaultdict(dict), None
    try:
        lines = open(os.path.join(root, "etc", "rotation.ini"), encoding="latin-1").read().splitlines()
    except FileNotFoundError:
        lines = []
    for line in lines:
        line = line.split(";")[0].strip()
        if re.match(r"\[.*\]$", line):
            section = line.strip("[]")
        elif line:
            k, v = line.split("=", 1)
            out[section][k.strip()] = v.strip()
    return out


def make_day(fmt, s):
    try:
        return datetime.datetime.strptime(s, fmt).date()
    except ValueError:
        return None


def look(root, path, ini):
    """What a path says about itself; None for whatever is no logger file."""
    m = re.fullmatch(r"incoming/(WS|ws)(\d\d)_(\d{8})(?:_(\d+))?\.(CSV|csv)", path)
    if m and m[1].isupper() == m[5].isupper():
        kind, station, day, counter = "ws", m[2], make_day("%Y%m%d", m[3]), m[4]
    else:
        m = re.fullmatch(r"incoming/(leaf)-(\d\d)-(\d{4}-\d{3})(?:_(\d+))?\.txt", path)
        if m:
            kind, station, day, counter = "leaf", m[2], make_day("%Y-%j", m[3]), m[4]
    if m:
        lines = text(root, path).split("\n")
        last = next((l.strip() for l in reversed(lines) if l.strip()), "")
        return File(path, "incoming", station, day, ini["stations"].get(station), (last == ENDS[kind], int(counter or 1)), False)
    m = re.fullmatch(r"archive/([^/]+)/(\d{4})/(\d\d)-(\2-\d\d-\d\d)\.csv(\.gz)?", path)
    day = m and make_day("%Y-%m-%d", m[4])
    return File(path, "archive", m[3], day, m[1], None, bool(m[5])) if day else None


def cold(body):
    rows = [re.split("[;,]" if "temp_c" in body else ";", l.strip()) for l in body.splitlines()]
    start = next(i for i, r in enumerate(rows) if {"temp_c", "Lufttemp"} & set(r))
    col = [c in ("temp_c", "Lufttemp") for c in rows[start]].index(True)
    vals = [r[col] for r in rows[start + 1:] if len(r) > col]
    return any(v.startswith("-") and v not in ("---", "-99.9") and float(v.replace(",", ".")) != 0 for v in vals)


def season(day):
    return "0825" <= day.strftime("%m%d") <= "1031"


def expired(root, f, today, ini):
    limit = int(ini["keep " + f.plot].get("days", ini["keep"].get("days", 400)))
    holds = [h.split() for h in ini["hold"].values()]
    return not (
        (today - f.day).days <= limit
        or season(f.day) and today < datetime.date(f.day.year + 11, 1, 1)
        or any(h[0] in ("*", f.station) and h[1] <= f.day.isoformat() <= h[2] for h in holds)
        or f.day.month in (3, 4, 5) and cold(text(root, f.path))
    )


def squeezed(day, today, ini):
    if season(day) and day.year == today.year:
        return False
    return today - datetime.timedelta(days=int(ini["compress"].get("after", 30))) > day


def decide(root, today, ini):
    paths = [os.path.relpath(os.path.join(d, n), root).replace(os.sep, "/") for d, _, ns in os.walk(root) for n in ns]
    files = [f for f in (look(root, p, ini) for p in paths) if f]
    for f in files:
        if f.where == "incoming" and (not f.day or f.day > today or not f.plot):
            yield f.path, "quarantine", "quarantine/" + f.path[9:]
    good = sorted((f for f in files if f.day and f.day <= today and f.plot), key=lambda f: (f.station, f.day))
    for (station, day), group in itertools.groupby(good, key=lambda f: (f.station, f.day)):
        group = list(group)
        new = sorted((f for f in group if f.where == "incoming"), key=lambda f: f.rank)
        old = sorted((f for f in group if f.where == "archive"), key=lambda f: f.packed)
        if new and (new[-1].rank[0] or not old):
            winner = new[-1]
        else:
            winner = old[0]
        for f in group:
            if f is not winner or expired(root, f, today, ini):
                yield f.path, "delete", ""
        if expired(root, winner, today, ini):
            continue
        small = squeezed(day, today, ini)
        if winner.where == "incoming":
            yield winner.path, "archive", f"archive/{winner.plot}/{day.year}/{station}-{day}.csv" + small * ".gz"
        elif small and not winner.packed:
            yield winner.path, "compress", winner.path + ".gz"


def carry_out(root, steps):
    at = lambda p: os.path.join(root, *p.split("/"))
    waiting = []
    for path, action, target in steps:
        if action != "delete":
            with open(at(path), "rb") as f:
                data = f.read()
            if target.endswith(".gz"):
                c = zlib.compressobj(9, zlib.DEFLATED, 31)
                data = c.compress(data) + c.flush()
            waiting.append((target, data))
        os.remove(at(path))
    for target, data in waiting:
        os.makedirs(os.path.dirname(at(target)), exist_ok=True)
        with open(at(target), "wb") as f:
            f.write(data)


ap = argparse.ArgumentParser()
ap.add_argument("-n", dest="dry", action="store_true")
ap.add_argument("root")
ap.add_argument("today", type=datetime.date.fromisoformat)
a = ap.parse_args()
steps = sorted(decide(a.root, a.today, settings(a.root)))
sys.stdout.write("".join("\t".join((s[1], s[0], s[2])) + "\n" for s in steps))
if not a.dry:
    carry_out(a.root, steps)
'''

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
(ws / "rotate").write_bytes(SCRIPT.encode())
done = subprocess.run(
    [sys.executable, "-B", ws / "rotate", "-n", ws / "box", "2026-10-20"], stdout=subprocess.PIPE, check=True
)
rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
with open(ws / "plan.tsv", "w", encoding="utf-8-sig", newline="") as file:
    csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL).writerows([["action", "file", "target"], *rows[::-1]])
