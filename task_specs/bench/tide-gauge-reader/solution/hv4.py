"""Read and write tapes of Hallam & Voss tide gauges: `hv4.py read TAPE`, `hv4.py pack GAUGE HOURS SERIES`."""

import csv
import sys
from datetime import datetime, timedelta

PLUS, MINUS = "{ABCDEFGHI", "}JKLMNOPQR"
LINE = 8


class NoTape(Exception):
    pass


def check(text):
    return f"{sum(map(ord, text.replace(' ', ''))) % 100:02}"


def sound(line):
    body, star, digits = line.rpartition("*")
    return star == "*" and digits == check(body)


def split(content):
    """The lines that count, notes and cancelled ones left out, up to the end line."""
    kept = []
    for line in content.replace("\x7f", "").splitlines():
        line = line.rstrip(" ")
        if not line or line[0] == "N":
            continue
        if line[0] == "X" and sound(line):
            del kept[-1:]
            continue
        kept.append(line)
        if line[0] == "E" and sound(line):
            break
    return kept


def signed(text):
    last = text[-1]
    if last in MINUS:
        return -int(text[:-1] + str(MINUS.index(last)))
    if last in PLUS:
        last = str(PLUS.index(last))
    return int(text[:-1] + last)


def date(digits):
    year = int(digits[:2])
    year += 1900 if year >= 70 else 2000
    return datetime(year, 1, 1) + timedelta(days=int(digits[2:]) - 1)


def value(group, unit, zero):
    if group == "9999":
        return None, "N"
    if group == "////":
        return None, "O"
    return signed(group) * unit + zero, "G"


def read(content):
    """The readings as (time, millimetres, flag), and whether the tape is whole."""
    lines = split(content)
    if not lines or lines[0][0] != "G" or not sound(lines[0]):
        raise NoTape
    readings, day, moment, step, ahead, zero = [], None, None, None, timedelta(), 0
    issue = lines[0].split("*")[0].split()[2]
    for line in lines[1:]:
        fields = line.rpartition("*")[0][1:].split()
        if not sound(line):
            if line[0] != "R":
                return readings, False
            values = [(None, "D")] * LINE
        elif line[0] == "R":
            body = "".join(fields)
            groups = [body[i : i + 4] for i in range(0, len(body), 4)]
            values = [value(group, 10 if issue == "1" else 1, zero) for group in groups]
        else:
            values = []
        if line[0] == "H":
            ahead = timedelta(hours=int(fields[0]))
        elif line[0] == "D":
            day = date(fields[0])
        elif line[0] == "T":
            moment = day + timedelta(hours=int(fields[0][:2]), minutes=int(fields[0][2:])) - ahead
            step = timedelta(minutes=int(fields[1])) / (10 if issue == "3" else 1)
        elif line[0] == "Z":
            zero = signed(fields[0])
        elif line[0] == "E":
            return readings, int(fields[0]) == len(readings)
        for level, flag in values:
            readings.append((moment, level, flag))
            moment += step
    return readings, False


def printed(readings):
    yield "time,level,flag"
    for moment, level, flag in readings:
        metres = "" if level is None else f"{'-' if level < 0 else ''}{abs(level) // 1000}.{abs(level) % 1000:03}"
        yield f"{moment.isoformat()}Z,{metres},{flag}"


def group(level, flag):
    if flag == "O":
        return "////"
    if flag != "G":
        return "9999"
    size = round(abs(float(level)) * 1000)
    return f"{size // 10:03}{(MINUS if level.startswith('-') else PLUS)[size % 10]}"


def stretches(rows):
    """Lists of rows with one even interval of at most 99 minutes."""
    found = []
    for row in rows:
        part = found[-1] if found else []
        gap = row[0] - part[-1][0] if part else None
        even = gap and gap <= timedelta(minutes=99) and (len(part) < 2 or gap == part[1][0] - part[0][0])
        if even:
            part.append(row)
        else:
            found.append([row])
    return found


def pack(gauge, hours, series):
    yield f"G {gauge} 2"
    yield f"H {hours}"
    ahead, count = timedelta(hours=int(hours)), 0
    rows = [(datetime.fromisoformat(row["time"][:-1]), group(row["level"], row["flag"])) for row in series]
    for part in stretches(rows):
        start = part[0][0] + ahead
        step = (part[1][0] - part[0][0]) // timedelta(minutes=1) if len(part) > 1 else 1
        yield f"D {start:%y%j}"
        yield f"T {start:%H%M} {step:02}"
        for i in range(0, len(part), LINE):
            yield "R " + " ".join(text for _, text in part[i : i + LINE])
        count += len(part)
    yield f"E {count:04}"


def main(arguments):
    if arguments[0] == "pack":
        gauge, hours, path = arguments[1:]
        with open(path, encoding="ascii", newline="") as file:
            for line in pack(gauge, hours, csv.DictReader(file)):
                print(f"{line}*{check(line)}")
        return 0
    with open(arguments[1], encoding="latin-1", newline="") as file:
        content = file.read()
    try:
        readings, whole = read(content)
    except NoTape:
        print(f"{arguments[1]}: no HV4 tape", file=sys.stderr)
        return 3
    print("\n".join(printed(readings)))
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
