"""The oracle: follows every job from labelq's log into the printers' log, repairs the settings, writes timeline and report."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

DAY = "2026-10-14"
LIVE = "2026-10-15"
DEPOT_AHEAD = dt.timedelta(hours=2)
CONFIG = "conf/labelq.toml"
DROPPED = {3: "cancelled", 4: "expired", 7: "duplicate"}
PIECE = r"QH\d+-\d+"


def moment(text):
    return dt.datetime.fromisoformat(text)


def iso(when):
    return when.strftime("%Y-%m-%dT%H:%M:%S")


def rows(path, encoding="utf-8", separator=","):
    return list(csv.DictReader(path.read_text(encoding).splitlines(), delimiter=separator))


def depot_time(stamp):
    return moment(stamp.rstrip("Z")) + DEPOT_AHEAD


def spool_events(ws):
    for path in sorted((ws / "spool").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)


def read_jobs(ws):
    """Piece -> its jobs in order, each {id, accepted, lane, sent, dropped}."""
    jobs = {}
    for event in spool_events(ws):
        if event["ev"] == "accept":
            jobs[event["job"]] = {"id": event["job"], "piece": event["piece"], "lane": event["lane"]} | {
                "accepted": depot_time(event["t"]),
                "dropped": None,
            }
        elif event["ev"] == "drop":
            jobs[event["job"]]["dropped"] = DROPPED[event["why"]]
    pieces = defaultdict(list)
    for job in jobs.values():
        pieces[job["piece"]].append(job)
    return pieces


def clock_errors(ws):
    """Printer -> how far its display is ahead of the hall clock, from the last reading."""
    text = (ws / "printers/clocks.txt").read_text("utf-8")
    errors = {}
    for printer, hall, display in re.findall(r"(LP-\d)\s+([\d:]{8})\s+([\d:]{8})", text):
        errors[printer] = moment(f"{DAY}T{display}") - moment(f"{DAY}T{hall}")
    return errors


def printer_lines(ws):
    """(depot time, printer, text), clocks put right, also from the moment on at which one was set."""
    errors = clock_errors(ws)
    for line in (ws / "printers/syslog.log").read_text("utf-8").splitlines():
        stamp, printer, text = re.fullmatch(r"(\w+ \d+ [\d:]+) (LP-\d) (.*)", line).groups()
        if change := re.search(r"clock set by panel, (\S+) -> (\S+)", text):
            errors[printer] += moment(f"{DAY}T{change[2]}") - moment(f"{DAY}T{change[1]}")
            continue
        yield dt.datetime.strptime(f"2026 {stamp}", "%Y %b %d %H:%M:%S") - errors[printer], printer, text


def prints(ws):
    """Job -> (when it left the printer, printer)."""
    found = {}
    for when, printer, text in printer_lines(ws):
        if done := re.search(r"job (\d+) done", text):
            found[int(done[1])] = (when, printer)
    return found


def firmware(ws):
    """Printer -> (major, minor): the list, overruled by what the printer names when it boots."""
    versions = {row["printer"]: row["firmware"] for row in rows(ws / "printers/inventory-2026-09.csv")}
    for _, printer, text in printer_lines(ws):
        if boot := re.search(r"boot fw (\S+)", text):
            versions[printer] = boot[1]
    return {printer: tuple(map(int, version.split(".")[:2])) for printer, version in versions.items()}


def with_ribbon(ws):
    return {row["printer"] for row in rows(ws / "printers/inventory-2026-09.csv") if row["model"].startswith("TX")}


def stretches(ws, code):
    """(printer, set, cleared) of one code, in depot time."""
    since, found = {}, []
    for when, printer, text in printer_lines(ws):
        if f"{code} set" in text:
            since[printer] = when
        elif f"{code} cleared" in text:
            found.append((printer, since.pop(printer), when))
    return found


def sensor_delay(ws, printer):
    return dt.timedelta(seconds=0 if firmware(ws)[printer] >= (4, 3) else 90)


def without_ribbon(ws):
    found = [(p, start - sensor_delay(ws, p), end) for p, start, end in stretches(ws, "E17") if p in with_ribbon(ws)]
    return [stretch for stretch in found if iso(stretch[1])[:10] == DAY]


def belt_office_mails(ws):
    for path in sorted((ws / "mail").glob("*.eml")):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        if "belts@" in message["From"]:
            yield " ".join(message.get_content().split())


def lane_plan(ws, day):
    """Lane -> (printer, door), as the plan in force on that day and the belt office's mails have it."""
    paths = sorted((ws / "plan").glob("lanes-from-*.csv"))
    path = [p for p in paths if p.stem.removeprefix("lanes-from-") <= day][-1]
    plan = {row["lane"]: [row["printer"], row["door"]] for row in rows(path, separator=";")}
    if day == DAY:
        for text in belt_office_mails(ws):
            if kept := re.search(r"Wednesday the 14th (\w+) still .* from (LP-\d)\.", text):
                plan[kept[1]][0] = kept[2]
            if door := re.search(r"trailer for (\w+) .*Door today at ([\d:]+)", text):
                plan[door[1]][1] = door[2]
    return plan


def carried(ws):
    """Piece -> when somebody brought its label to the lane."""
    found = {}
    for path in sorted((ws / "shift").glob("*.txt")):
        when = ""
        for line in path.read_text("utf-8").splitlines():
            when = line[:5] if re.match(r"\d\d:\d\d", line) else when
            found |= {piece: moment(f"{DAY}T{when}:00") for piece in re.findall(PIECE, line)}
    return found


def door_after(accepted, clock):
    door = moment(f"{accepted:%Y-%m-%d}T{clock}:00")
    return door if door > accepted else door + dt.timedelta(days=1)


def is_blank(gaps, when, printer):
    return any(printer == p and start <= when < end for p, start, end in gaps)


def first_failure(job, printed, home, gaps):
    """What became of a piece's first job; None where its label was good."""
    if job["dropped"]:
        return job["dropped"]
    if job["id"] not in printed:
        return "lost"
    when, printer = printed[job["id"]]
    if printer != home:
        return "misrouted"
    return "blank" if is_blank(gaps, when, printer) else None


def good_times(jobs, printed, home, gaps, brought):
    """When the piece got good labels, from its jobs or by hand."""
    for job in jobs:
        when, printer = printed.get(job["id"], (None, None))
        if when is None or is_blank(gaps, when, printer):
            continue
        if printer == home:
            yield when
        elif job["piece"] in brought:
            yield brought[job["piece"]]


def judge(ws):
    """(missing, late): piece -> row."""
    printed, gaps, plan, brought = prints(ws), without_ribbon(ws), lane_plan(ws, DAY), carried(ws)
    missing, late = {}, {}
    for piece, jobs in read_jobs(ws).items():
        first = jobs[0]
        if iso(first["accepted"])[:10] != DAY or jobs[-1]["dropped"] == "cancelled":
            continue
        home, clock = plan[first["lane"]]
        door = door_after(first["accepted"], clock)
        cause = first_failure(first, printed, home, gaps)
        good = sorted(when for when in good_times(jobs, printed, home, gaps, brought) if when < door)
        if not good:
            missing[piece] = {"accepted": iso(first["accepted"]), "lane": first["lane"], "cause": cause}
        elif cause:
            late[piece] = {"good": iso(good[0])}
    return missing, late


def waiting_time(ws):
    stops = [end - start for _, start, end in stretches(ws, "E03") if iso(start)[:10] == DAY]
    return -(-int(max(stops).total_seconds() + 60) // 60) * 60


def repairs(ws):
    """(section, setting) -> value, for each setting that has let labels go missing."""
    config = tomllib.loads((ws / CONFIG).read_text("utf-8"))
    wanted = {("queue", "ttl_s"): waiting_time(ws), ("dedup", "key"): "job"}
    wanted |= {("routes", lane): printer for lane, (printer, _) in lane_plan(ws, LIVE).items()}
    for printer in config["printers"]:
        section = f"printers.{printer}"
        wanted[section, "on_ribbon_out"] = "hold" if printer in with_ribbon(ws) else "continue"
        wanted[section, "confirm"] = "done" if firmware(ws)[printer] >= (4, 0) else "ack"
    return wanted


def repaired(ws, wanted):
    """The settings' text with values replaced where they stand."""
    lines, section = [], ""
    for line in (ws / CONFIG).read_bytes().decode("utf-8").split("\n"):
        if line.startswith("["):
            section = line.split("]")[0].strip("[")
        name = line.split("=")[0].strip()
        if (section, name) in wanted:
            value = json.dumps(wanted[section, name])
            lines.append(re.sub(r'= ("[^"]*"|\d+)', f"= {value}", line, count=1))
        else:
            lines.append(line)
    return "\n".join(lines)


def gate_pieces(ws):
    return {row["piece"].replace("/", "-") for row in rows(ws / "gate/unreadable-2026-10-14.csv", "cp1252", ";")}


def summary(missing):
    found = []
    for cause in sorted({row["cause"] for row in missing.values()}):
        times = sorted(row["accepted"] for row in missing.values() if row["cause"] == cause)
        found.append({"cause": cause, "labels": len(times), "first": times[0], "last": times[-1]})
    return found


def derive(ws):
    missing, late = judge(ws)
    printed = prints(ws).values()
    gaps = [
        {"printer": p, "from": iso(start), "to": iso(end)}
        | {"blank": sum(printer == p and start <= when < end for when, printer in printed)}
        for p, start, end in without_ribbon(ws)
    ]
    wanted = repairs(ws)
    return {
        "timeline": {
            "missing": [{"piece": piece} | row for piece, row in missing.items()],
            "late": [{"piece": piece} | row for piece, row in late.items()],
            "causes": summary(missing),
            "ribbon": gaps,
        },
        "main_cause": Counter(row["cause"] for row in missing.values()).most_common(1)[0],
        "worst_lane": Counter(row["lane"] for row in missing.values()).most_common(1)[0],
        "gate": len(gate_pieces(ws) & missing.keys()),
        "waiting": wanted["queue", "ttl_s"],
        "config": repaired(ws, wanted),
    }


PROSE = """From Tuesday evening on, our label program worked with settings that did not fit this depot. On Wednesday cartons came down the belts bare, labels lay at printers where nobody looked for them, and some labels were empty paper. Asking for a label again sometimes helped and sometimes did nothing at all.

Five things came together. The program gave up on a label when a printer stood still for as long as it takes to change a roll. It took the second carton of a shipment for a repeat of the first. It still sent two lanes to the printers of the old lane plan. It went on printing when the ribbon was at its end. And when a printer was switched off and on, whatever it had in its memory was gone. The sheet for upgrades asks for one test label, and one test label shows none of this.

From half past five this morning all five are put right. The printer on belt 4 is too old to tell us what it has printed: if it goes dark, please ask for its last labels again. Whoever carries a label over, please write the piece into the shift book, as we can count only those. The sheet for upgrades will get a page on settings."""


def report(answer, prose=PROSE):
    timeline = answer["timeline"]
    return f"""{prose}

- Missing: {len(timeline["missing"])}
- Late: {len(timeline["late"])}
- Main cause: {answer["main_cause"][0]}, {answer["main_cause"][1]}
- Worst lane: {answer["worst_lane"][0]}, {answer["worst_lane"][1]}
- Seen by the gate: {answer["gate"]}
- Waiting time: {answer["waiting"]} seconds
"""


def write(ws, answer):
    (ws / CONFIG).write_bytes(answer["config"].encode("utf-8"))
    folder = ws / "incident"
    folder.mkdir(exist_ok=True)
    (folder / "timeline.json").write_text(json.dumps(answer["timeline"], indent=2) + "\n", "utf-8")
    (folder / "report.md").write_text(report(answer), "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
