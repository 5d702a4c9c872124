"""A short functional tool that takes lines back from the end and splits packed lines elsewhere; rows by highest level."""

import io
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path

TOOL = r'''"""Usage: hv4.py read TAPE | hv4.py pack GAUGE HOURS SERIES"""
import sys, calendar, time, itertools

DIGIT = {}
for n in range(10):
    DIGIT["{ABCDEFGHI"[n]] = DIGIT[str(n)] = ("+", str(n))
    DIGIT["}JKLMNOPQR"[n]] = ("-", str(n))
code = lambda n, plus: ("{ABCDEFGHI" if plus else "}JKLMNOPQR")[n]
value = lambda s: int(DIGIT[s[-1]][0] + s[:-1] + DIGIT[s[-1]][1])
check = lambda s: "%02d" % (sum(bytes(s.replace(" ", ""), "latin-1")) % 100)
good = lambda s: s[-3:] == "*" + check(s[:-3])


def lines(path):
    text = open(path, "rb").read().translate(None, b"\x7f\r").decode("latin-1")
    found = [s.rstrip() for s in text.split("\n")]
    found = [s for s in found if s and s[0] != "N"]
    end = next((i for i, s in enumerate(found) if s[0] == "E" and good(s)), len(found) - 1)
    take, kept = 0, []
    for s in found[end::-1]:
        if s[0] == "X" and good(s):
            take += 1
        elif take:
            take -= 1
        else:
            kept.insert(0, s)
    return kept


def read(path):
    tape = lines(path)
    if not (tape and tape[0].startswith("G") and good(tape[0])):
        return 3
    print("time,level,flag")
    issue, zero, count = tape[0][-4], 0, 0
    for s in tape[1:]:
        body = s[1:-3].replace(" ", "")
        if s[0] == "R":
            cells = [body[i:i + 4] for i in range(0, len(body), 4)] if good(s) else ["D"] * 8
            for cell in cells:
                flag = {"D": "D", "9999": "N", "////": "O"}.get(cell, "G")
                level = "" if flag != "G" else "%.3f" % ((value(cell) * (10 if issue == "1" else 1) + zero) / 1000 or 0)
                print(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now)), level, flag, sep=",")
                now, count = now + step, count + 1
        elif not good(s):
            return 1
        elif s[0] == "H":
            ahead = int(body) * 3600
        elif s[0] == "Z":
            zero = value(body)
        elif s[0] == "D":
            year = int(body[:2])
            day = calendar.timegm((year + (1900 if year > 69 else 2000), 1, int(body[2:]), 0, 0, 0))
        elif s[0] == "T":
            now = day + int(body[:2]) * 3600 + int(body[2:4]) * 60 - ahead
            step = int(body[4:]) * (6 if issue == "3" else 60)
        elif s[0] == "E":
            return int(int(body) != count)
    return 1


def pack(gauge, hours, path):
    show = lambda s: print(s + "*" + check(s))
    show("G " + gauge + " 2")
    show("H" + hours)
    rows = [s.split(",") for s in open(path).read().split()[1:]]
    at = [calendar.timegm(time.strptime(t, "%Y-%m-%dT%H:%M:%SZ")) for t, _, _ in rows]
    i = 0
    while i < len(rows):
        step = at[i + 1] - at[i] if i + 1 < len(rows) else 60
        step = step if step < 6000 else 60
        local = time.gmtime(at[i] + int(hours) * 3600)
        show(time.strftime("D %y%j", local))
        show(time.strftime("T %H%M ", local) + "%02d" % (step // 60))
        begun, line = at[i] - i * step, []
        while i < len(rows) and at[i] - i * step == begun:
            _, level, flag = rows[i]
            size = level.replace("-", "").replace(".", "")
            line.append(size[:3] + code(int(size[3]), "-" not in level) if flag == "G" else "////" if flag == "O" else "9999")
            i += 1
            if len(line) == 5:
                show("R" + "".join(line))
                line = []
        if line:
            show("R" + "".join(line))
    show("E %04d" % len(rows))
    return 0


if __name__ == "__main__":
    sys.exit({"read": read, "pack": pack}[sys.argv[1]](*sys.argv[2:]))
'''

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
(ws / "hv4.py").write_bytes(TOOL.encode())
read = runpy.run_path(str(ws / "hv4.py"))["read"]
table = []
for tape in (ws / "tapes").iterdir():
    with redirect_stdout(io.StringIO()) as out:
        status = read(tape)
    if status < 3:
        rows = [line.split(",") for line in out.getvalue().split()[1:]]
        known = [row for row in rows if row[1]]
        top = sorted(known, key=lambda row: (-float(row[1]), row[0]))[0]
        gauge, whole = tape.read_bytes()[2:6].decode(), ["Yes", "No"][status]
        ends = rows[0][0], rows[-1][0]
        table.append((tape.name, gauge, whole, str(len(rows)), str(len(rows) - len(known)), *ends, top[1], top[0]))
table.sort(key=lambda row: -float(row[7]))
header = ("tape", "gauge", "whole", "readings", "missing", "first", "last", "highest", "highest_at")
(ws / "extremes.csv").write_bytes("\r\n".join(",".join(row) for row in [header, *table]).encode())
