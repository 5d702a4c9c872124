"""Packing has many right answers: whether what came out is a whole tape of issue 2 that gives the series again."""

import random
import re
from datetime import datetime, timedelta

SHAPES = {
    "G": r"G *(\d{4}) *2",
    "H": r"H *([+-]\d\d)",
    "D": r"D *(\d{5})",
    "T": r"T *(\d{4}) *(\d\d)",
    "Z": r"Z *(\d{4}[0-9{}A-R])",
    "R": r"R((?: *(?:\d{3}[0-9{}A-R]|////)){1,8})",
    "E": r"E *(\d{4})",
}
FOLLOWERS = {"G": "H", "H": "DZ", "D": "T", "T": "RZ", "R": "RZDE", "Z": "RZDE", "": "G"}
"""Kind -> what may come next; notes apart. T after a Z line stands after its D line only."""


# ---------------------------------------------------------------- inputs


def inputs(seed, workspace):
    """Two series: gaps, changes of the interval, all flags, both ends of the range, midnight by either clock."""
    tapes = sorted((workspace / "tapes").iterdir())
    rng = random.Random(f"{seed}:{[tape.read_bytes() for tape in tapes]}")
    starts = (("1971-12-31T21:05", "+01"), ("2067-03-01T01:30", "-03"))
    return [series(rng, start, hours) for start, hours in starts]


def series(rng, start, hours):
    moment, lines = datetime.fromisoformat(start), ["time,level,flag"]
    for interval, count, gap in ((15, 19, 7), (6, 11, 1440), (60, 9, 4000), (1, 1, 45), (99, 4, 100), (120, 3, 30)):
        for _ in range(count):
            lines.append(f"{moment.isoformat()}Z,{drawn(rng)}")
            moment += timedelta(minutes=interval)
        moment += timedelta(minutes=gap + rng.randrange(5))
    text = "\n".join(lines) + "\n"
    gauge = f"{rng.randrange(1, 800):04}"
    return {"args": ["pack", gauge, hours, "series.csv"], "files": {"series.csv": text}}


def drawn(rng):
    if rng.random() < 0.2:
        return "," + rng.choice("NOD")
    size = rng.choice([0, 1, 50, 9990, 9999, rng.randrange(9990), rng.randrange(3000), rng.randrange(3000)])
    sign = "-" if size and rng.random() < 0.5 else ""
    return f"{sign}{size // 1000}.{size % 1000:03},G"


# ---------------------------------------------------------------- what must hold


def holds(case, output):
    """Whether a packed tape is as the manual wants it and reads as the series that it was made of."""
    series = case["files"]["series.csv"].splitlines()[1:]
    wanted = [re.sub("D$", "N", line) for line in series]
    _, gauge, hours, _ = case["args"]
    return unpacked(output, gauge, hours) == wanted


def unpacked(text, gauge, hours):
    """The lines of the series, or the reason why the text is no whole tape of that gauge."""
    found, last, zero = [], "", 0
    day = moment = step = None
    for line in text.replace("\x7f", "").splitlines():
        line = line.rstrip(" ")
        if not line or (line[0] == "N" and last):
            continue
        kind, fields = line[0], matched(line)
        allowed = FOLLOWERS[last] if last != "Z" or moment else "DZ"
        if fields is None or kind not in allowed:
            return f"out of place or malformed: {line}"
        if (kind == "G" and fields[0] != gauge) or (kind == "H" and fields[0] != hours):
            return f"another gauge or clock: {line}"
        if kind == "D":
            year = int(fields[0][:2])
            day = datetime(year + (1900 if year >= 70 else 2000), 1, 1) + timedelta(days=int(fields[0][2:]) - 1)
        elif kind == "T":
            moment = day + timedelta(hours=int(fields[0][:2]) - int(hours), minutes=int(fields[0][2:]))
            step = timedelta(minutes=int(fields[1]))
        elif kind == "Z":
            zero = number(fields[0])
        elif kind == "R":
            for group in re.findall("....", fields[0].replace(" ", "")):
                found.append(f"{moment.isoformat()}Z,{shown(group, zero)}")
                moment += step
        elif kind == "E":
            return found if int(fields[0]) == len(found) else "another number at the end"
        last = kind
    return "no end"


def matched(line):
    body, star, check = line[:-3], line[-3:-2], line[-2:]
    right = f"{sum(map(ord, body.replace(' ', ''))) % 100:02}"
    found = re.fullmatch(SHAPES.get(line[0], "(?!)"), body)
    return found.groups() if found and star == "*" and check == right else None


def number(text):
    last = text[-1]
    if last.isdigit():
        return int(text)
    size = 10 * int(text[:-1]) + max("{ABCDEFGHI".find(last), "}JKLMNOPQR".find(last))
    return size if last in "{ABCDEFGHI" else -size


def shown(group, zero):
    if group in ("9999", "////"):
        return ",N" if group == "9999" else ",O"
    level = number(group) + zero
    return f"{'-' if level < 0 else ''}{abs(level) // 1000}.{abs(level) % 1000:03},G"
