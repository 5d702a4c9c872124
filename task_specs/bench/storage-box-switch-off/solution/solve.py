"""The oracle: reads the configuration as the machines do, decides each job's move, edits the values where they stand."""

import csv
import datetime as dt
import io
import json
import re
import sys
from collections import namedtuple
from pathlib import Path

TODAY = "2026-11-12"
OLD_BOX, NEW_BOX = "tern", "osprey"
CRONTAB, MIRROR = "etc/cron/backup.tab", "etc/mirror.yaml"
HOURS = {"w": 168, "d": 24, "h": 1, "weeks": 168, "days": 24, "months": 720}
DAY_CODES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

Place = namedtuple("Place", "file line value pinned")  # where a setting stands that counts
Start = namedtuple("Start", "job line minutes days pinned")


def lines_of(ws, file):
    return (ws / file).read_bytes().decode("utf-8").split("\n")


def pin_holds(line):
    """Whether the comment `line` protects the line below it."""
    pin = re.match(r"\s*[;#].*\bpin (\d{4}-\d\d-\d\d)", line)
    return bool(pin) and pin[1] >= TODAY


def fragments(ws):
    return sorted(path.relative_to(ws).as_posix() for path in (ws / "etc/backup.d").glob("*.ini"))


def ini_settings(ws):
    """(job, option) -> the place read last."""
    found = {}
    for file in fragments(ws):
        section, lines = "", lines_of(ws, file)
        for number, line in enumerate(lines):
            if head := re.match(r"\[(.+)\]", line):
                section = head[1]
            elif option := re.match(r"(\w+)\s*=\s*(\S+)", line):
                found[section, option[1]] = Place(file, number, option[2], number > 0 and pin_holds(lines[number - 1]))
    return {key: place for key, place in found.items() if key[0] != "defaults"}


def share_settings(ws):
    found, share, inside = {}, "", False
    lines = lines_of(ws, MIRROR)
    for number, line in enumerate(lines):
        if re.match(r"\w", line):
            inside = line.startswith("shares:")
        elif inside and (head := re.match(r"  ([\w-]+):\s*$", line)):
            share = head[1]
        elif inside and (option := re.match(r"    (\w+): (\S+)", line)):
            name = {"to": "target"}.get(option[1], option[1])
            found[share, name] = Place(MIRROR, number, option[2], pin_holds(lines[number - 1]))
    return found


def settings(ws):
    return ini_settings(ws) | share_settings(ws)


def is_on(config, job):
    return (job, "enabled") not in config or config[job, "enabled"].value in ("yes", "true")


def box(config, job):
    return config[job, "target"].value.split(":")[0]


def read_ticket(ws, number):
    return json.loads((ws / f"tickets/CHG-{number}.json").read_text("utf-8"))


def decisions(ticket):
    """The approver's comments in order, without those taken back."""
    said = {c["no"]: c["text"] for c in ticket["comments"] if c["by"] == ticket["approver"]}
    gone = {int(n) for text in said.values() for n in re.findall(r"take back no\. (\d+)", text)}
    return [said[n] for n in sorted(said) if n not in gone]


def classes(ws):
    text = latest_export(ws).read_bytes().decode("cp1252")
    return {
        row["job"]: row["class"] or "office" for row in csv.DictReader(io.StringIO(text), delimiter=";") if row["job"]
    }


def latest_export(ws):
    return max((ws / "inventory").glob("export-*.csv"))


def pools(ws):
    listed = json.loads((ws / "inventory/osprey-pools.json").read_text("utf-8"))["pools"]
    folder = {pool["class"]: pool["folder"] for pool in listed}
    for text in decisions(read_ticket(ws, 117)):
        folder.update(re.findall(r"The pool for (\w+) on osprey is (/[\w/]+)", text))
    return folder


def exceptions(ws):
    """Job -> `box:folder` that the thread of the move names."""
    found = {}
    for text in decisions(read_ticket(ws, 117)):
        for job, other, folder in re.findall(r"([\w-]+) goes to (\w+), folder (/[\w/]+)", text):
            found[job] = f"{other}:{folder}"
    return found


def kept_hours(ws):
    """Hours by class: the policy in force, as changed by tickets in force."""
    table = re.findall(r"\| (\w+) \| (\d+) (\w+) \|", (ws / "policy/retention-ed3.md").read_text("utf-8"))
    hours = {name: int(amount) * HOURS[unit] for name, amount, unit in table}
    for ticket in retention_tickets(ws):
        for text in decisions(ticket):
            for name, amount, unit in re.findall(r"(\w+) is kept for (\d+) (\w+)", text):
                hours[name] = int(amount) * HOURS[unit]
    return hours


def retention_tickets(ws):
    paths = sorted((ws / "tickets").glob("*.json"))
    every = [json.loads(path.read_text("utf-8")) for path in paths]
    return [
        t for t in every if t["title"].startswith("How long") and t["status"] == "approved" and t["in_force"] <= TODAY
    ]


def in_unit(hours, unit):
    """The length in `unit`, or in the next smaller one in which it is whole."""
    for smaller in "wdh"["wdh".index(unit) :]:
        if hours % HOURS[smaller] == 0:
            return f"{hours // HOURS[smaller]}{smaller}"
    raise ValueError(hours)


def moves(ws, config):
    """Job -> new target, for every job that leaves the old box."""
    leaving = sorted({job for job, _ in config if is_on(config, job) and box(config, job) == OLD_BOX})
    group, folder, special = classes(ws), pools(ws), exceptions(ws)
    return {job: f"{special.get(job, f'{NEW_BOX}:{folder[group[job]]}')}/{job}" for job in leaving}


def unfolded(text):
    return text.replace("\r\n", "\n").replace("\n ", "")


def maintenance(ws):
    """(days, start, end) in minutes after midnight, for the entries that count."""
    found = []
    for block in unfolded((ws / "calendar/machines.ics").read_bytes().decode("utf-8")).split("BEGIN:VEVENT")[1:]:
        entry = {line.split(":")[0].split(";")[0]: line.split(":", 1)[1] for line in block.split("\n") if ":" in line}
        if counts(entry):
            rule = dict(part.split("=") for part in entry["RRULE"].split(";"))
            start = minutes_of(entry["DTSTART"])
            length = re.match(r"PT(\d+)M", entry.get("DURATION", ""))
            end = start + int(length[1]) if length else minutes_of(entry["DTEND"])
            days = {DAY_CODES.index(code) for code in rule["BYDAY"].split(",")} if "BYDAY" in rule else set(range(7))
            found.append((days, start, end))
    return found


def counts(entry):
    until = re.search(r"UNTIL=(\d{8})", entry.get("RRULE", ""))
    still = "RRULE" in entry and (not until or until[1] > TODAY.replace("-", ""))
    return entry["LOCATION"] == NEW_BOX and entry["STATUS"] == "CONFIRMED" and still


def minutes_of(stamp):
    moment = dt.datetime.strptime(stamp, "%Y%m%dT%H%M%S")
    return moment.hour * 60 + moment.minute


def cron_days(field):
    if field == "*":
        return frozenset(range(7))
    first, _, last = field.partition("-")
    return frozenset(range(int(first), int(last or first) + 1))


def starts(ws):
    lines = lines_of(ws, CRONTAB)
    found = []
    for number, line in enumerate(lines):
        if entry := re.match(r"(\d+) (\d+) \* \* (\S+)\s+backup\s+\S*run-job (\S+)", line):
            minutes = int(entry[2]) * 60 + int(entry[1])
            found.append(Start(entry[4], number, minutes, cron_days(entry[3]), pin_holds(lines[number - 1])))
    return found


def new_starts(ws, config, moved):
    """Start -> new minutes, for every newcomer to the new box that has to give way."""
    running = [s for s in starts(ws) if is_on(config, s.job)]
    newcomers = [s for s in running if moved.get(s.job, "").startswith(f"{NEW_BOX}:")]
    fixed = [s for s in running if box(config, s.job) == NEW_BOX] + [s for s in newcomers if s.pinned]
    taken = {(day, s.minutes) for s in fixed for day in s.days}
    windows = maintenance(ws)

    def free(minutes, days):
        closed = any(days & when and first <= minutes < last for when, first, last in windows)
        return not closed and not any((day, minutes) in taken for day in days)

    changed = {}
    for start in newcomers:
        if start.pinned:
            continue
        minutes = start.minutes
        while not free(minutes, start.days):
            minutes = minutes // 15 * 15 + 15
        taken |= {(day, minutes) for day in start.days}
        if minutes != start.minutes:
            changed[start] = minutes
    return changed


def derive(ws):
    """Every change as (file, line number, setting, old, new); a start time as minutes after midnight."""
    config = settings(ws)
    moved, hours, group = moves(ws, config), kept_hours(ws), classes(ws)
    changes = []
    for job, target in moved.items():
        keep = config[job, "keep"]
        wanted = hours[group[job]]
        amount, unit = int(keep.value[:-1]), keep.value[-1]
        wishes = {"target": target}
        if amount * HOURS[unit] != wanted:
            wishes["keep"] = in_unit(wanted, unit)
        for option, new in wishes.items():
            place = config[job, option]
            if not place.pinned:
                name = f"shares.{job}.{option.replace('target', 'to')}" if place.file == MIRROR else f"{job}.{option}"
                changes.append((place.file, place.line, name, place.value, new))
    for start, minutes in new_starts(ws, config, moved).items():
        changes.append((CRONTAB, start.line, f"{start.job}.start", start.minutes, minutes))
    return sorted(changes)


def edited_line(line, old, new):
    if isinstance(old, int):
        return re.sub(r"^\d+ \d+", f"{new % 60} {new // 60}", line)
    return re.sub(r"([=:]\s*)" + re.escape(old), lambda found: found[1] + new, line, count=1)


def edit(ws, changes):
    for file in sorted({change[0] for change in changes}):
        lines = lines_of(ws, file)
        for _, number, _, old, new in (change for change in changes if change[0] == file):
            lines[number] = edited_line(lines[number], old, new)
        (ws / file).write_bytes("\n".join(lines).encode("utf-8"))


def shown(value):
    return f"{value // 60:02d}:{value % 60:02d}" if isinstance(value, int) else value


def record_rows(changes):
    return [(file, name, shown(old), shown(new)) for file, _, name, old, new in changes]


def write(ws, changes):
    edit(ws, changes)
    rows = [("file", "setting", "old", "new"), *record_rows(changes)]
    (ws / "changes.csv").write_bytes("".join(",".join(row) + "\n" for row in rows).encode("utf-8"))


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
