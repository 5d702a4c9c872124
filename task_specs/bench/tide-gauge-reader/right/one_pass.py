"""Another hand: a class that takes lines back from its memory, exact fractions, argparse; packs reading by reading with a zero."""

import csv
import subprocess
import sys
from pathlib import Path

TOOL = r'''#!/usr/bin/env python3
import argparse
import re
import sys
from dataclasses import dataclass, field
from datetime import datetime, timezone
from fractions import Fraction
from typing import Optional

ZONED = {c: (n % 10, 1 if n < 10 else -1) for n, c in enumerate("{ABCDEFGHI}JKLMNOPQR")}


def checksum(body: str) -> int:
    total = 0
    for ch in body:
        if ch != " ":
            total += ord(ch)
    return total % 100


def zoned(text: str) -> int:
    if text[-1] in ZONED:
        digit, sign = ZONED[text[-1]]
        return sign * (int(text[:-1]) * 10 + digit)
    return int(text)


@dataclass
class Line:
    kind: str
    body: str
    ok: bool

    @classmethod
    def parse(cls, raw: str) -> "Line":
        match = re.match(r"^(.*)\*(\d\d)$", raw, re.S)
        if match:
            return cls(raw[0], match.group(1)[1:].replace(" ", ""), checksum(match.group(1)) == int(match.group(2)))
        return cls(raw[0], "", False)


@dataclass
class Tape:
    issue: str = ""
    hours: int = 0
    ordinal: int = 0
    zero: int = 0
    clock: Fraction = Fraction(0)
    step: Fraction = Fraction(0)
    out: list = field(default_factory=list)
    whole: bool = False

    def feed(self, line: Line) -> bool:
        """False when the reading is over."""
        if not line.ok and line.kind != "R":
            return False
        handler = getattr(self, "on_" + line.kind.lower(), None)
        return handler(line) is not False if handler else True

    def on_g(self, line: Line) -> None:
        self.issue = line.body[4]

    def on_h(self, line: Line) -> None:
        self.hours = int(line.body)

    def on_d(self, line: Line) -> None:
        yy, ddd = int(line.body[:2]), int(line.body[2:])
        century = 19 if yy > 69 else 20
        self.ordinal = datetime(century * 100 + yy, 1, 1).toordinal() + ddd - 1

    def on_t(self, line: Line) -> None:
        hh, mm, interval = int(line.body[:2]), int(line.body[2:4]), Fraction(int(line.body[4:]))
        self.clock = Fraction(self.ordinal * 1440 + (hh - self.hours) * 60 + mm)
        self.step = interval / 10 if self.issue == "3" else interval

    def on_z(self, line: Line) -> None:
        self.zero = zoned(line.body)

    def on_r(self, line: Line) -> None:
        cells = re.findall(r".{4}", line.body) if line.ok else [""] * 8
        for cell in cells:
            self.out.append((self.clock, *self.level(cell)))
            self.clock += self.step

    def on_e(self, line: Line) -> bool:
        self.whole = int(line.body) == len(self.out)
        return False

    def level(self, cell: str):
        special = {"": "D", "9999": "N", "////": "O"}
        if cell in special:
            return None, special[cell]
        factor = 10 if self.issue == "1" else 1
        return zoned(cell) * factor + self.zero, "G"


def load(path: str) -> Optional[Tape]:
    memory = []
    with open(path, "rb") as handle:
        data = handle.read().replace(b"\x7f", b"").decode("latin-1")
    for raw in re.split(r"\r?\n", data):
        raw = raw.rstrip(" ")
        if raw == "" or raw.startswith("N"):
            continue
        line = Line.parse(raw)
        if line.kind == "X" and line.ok:
            if memory:
                memory.pop()
            continue
        memory.append(line)
        if line.kind == "E" and line.ok:
            break
    if not memory or memory[0].kind != "G" or not memory[0].ok:
        return None
    tape = Tape()
    for line in memory:
        if not tape.feed(line):
            break
    return tape


def when(minutes: Fraction) -> str:
    days, rest = divmod(minutes, 1440)
    seconds = int(rest * 60)
    day = datetime.fromordinal(int(days))
    return f"{day:%Y-%m-%d}T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}Z"


def metres(millimetres: Optional[int]) -> str:
    if millimetres is None:
        return ""
    text = f"{abs(millimetres):04d}"
    return ("-" if millimetres < 0 else "") + text[:-3] + "." + text[-3:]


def cmd_read(args) -> int:
    tape = load(args.tape)
    if tape is None:
        sys.stderr.write("not an HV4 tape\n")
        return 3
    sys.stdout.write("time,level,flag\n")
    for clock, level, flag in tape.out:
        sys.stdout.write(",".join((when(clock), metres(level), flag)) + "\n")
    return 0 if tape.whole else 1


def cmd_pack(args) -> int:
    def punch(body: str) -> None:
        sys.stdout.write(f"{body}*{checksum(body):02d}\r\n")

    zero = 3
    punch("G " + args.gauge + " 2")
    punch("H " + args.hours)
    sys.stdout.write("N PACKED, TWO READINGS A LINE AT MOST\n")
    with open(args.series) as handle:
        rows = [line.rstrip("\n").split(",") for line in handle][1:]
    offset = int(args.hours) * 60
    stamps = [int(datetime.strptime(r[0], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp()) // 60 for r in rows]
    index = 0
    while index < len(rows):
        pair = index + 1 < len(rows) and stamps[index + 1] - stamps[index] < 100
        taken = rows[index : index + 2] if pair else rows[index : index + 1]
        interval = stamps[index + 1] - stamps[index] if pair else 0
        local = stamps[index] + offset
        day = datetime.fromordinal(719163 + local // 1440)
        punch(f"D {day:%y}{day.timetuple().tm_yday:03d}")
        punch(f"T {local % 1440 // 60:02d}{local % 60:02d} {interval:02d}")
        for _, level, flag in taken:
            amount = round(Fraction(level) * 1000) if flag == "G" else 0
            high = abs(amount - zero) > 9999
            if high:
                punch("Z " + coded(0, 5))
            cell = coded(amount - (0 if high else zero), 4) if flag == "G" else {"O": "////"}.get(flag, "9999")
            if not high:
                punch("Z " + coded(zero, 5))
            punch("R" + cell)
        index += len(taken)
    punch(f"E{len(rows):04d}")
    return 0


def coded(value: int, width: int) -> str:
    text = str(abs(value)).zfill(width)
    return text[:-1] + ("}JKLMNOPQR" if value < 0 else "{ABCDEFGHI")[int(text[-1])]


parser = argparse.ArgumentParser()
commands = parser.add_subparsers(dest="command", required=True)
reader = commands.add_parser("read")
reader.add_argument("tape")
packer = commands.add_parser("pack")
for name in ("gauge", "hours", "series"):
    packer.add_argument(name)
if __name__ == "__main__":
    options = parser.parse_args()
    sys.exit(cmd_read(options) if options.command == "read" else cmd_pack(options))
'''

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
(ws / "hv4.py").write_bytes(TOOL.encode())
table = []
for tape in sorted((ws / "tapes").glob("*.hv4"), reverse=True):
    done = subprocess.run([sys.executable, str(ws / "hv4.py"), "read", str(tape)], capture_output=True, text=True)
    if done.returncode == 3:
        continue
    rows = [line.split(",") for line in done.stdout.split()[1:]]
    levels = [float(level) for _, level, _ in rows if level]
    top = next(row for row in rows if row[1] and float(row[1]) == max(levels))
    gauge, whole = tape.name.split("-")[1], {0: "yes", 1: "no"}[done.returncode]
    table.append([tape.name, gauge, whole, len(rows), len(rows) - len(levels), rows[0][0], rows[-1][0], top[1], top[0]])
with open(ws / "extremes.csv", "w", encoding="utf-8-sig", newline="") as file:
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerow("tape,gauge,whole,readings,missing,first,last,highest,highest_at".split(","))
    writer.writerows(table)
