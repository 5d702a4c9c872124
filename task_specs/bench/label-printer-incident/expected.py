"""The second derivation: whole seconds of depot time, each printer's log read once as a machine with states, no patterns."""

import json
from email import message_from_bytes, policy

DAY, NEXT = 86_400, 2 * 86_400
"""Seconds are counted from midnight before 13 October, depot time; the 14th begins at DAY and ends at NEXT."""
GATE = "gate/unreadable-2026-10-14.csv"
WHY = {4: "expired", 7: "duplicate"}


def read(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec)


def clock(text):
    parts = [int(part) for part in text.split(":")]
    return parts[0] * 3600 + parts[1] * 60 + (parts[2] if len(parts) > 2 else 0)


def stamp(seconds):
    days, rest = divmod(seconds, DAY)
    return f"2026-10-{13 + days}T{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"


def jobs_of(workspace):
    """(piece, job, lane, accepted, why dropped) in the order of their acceptance."""
    events = []
    for day in (13, 14):
        events += [json.loads(line) for line in read(workspace, f"spool/labelq-2026-10-{day}.jsonl").splitlines()]
    why = {event["job"]: event["why"] for event in events if event["ev"] == "drop"}
    found = []
    for event in events:
        if event["ev"] == "accept":
            day, time = event["t"].rstrip("Z").split("T")
            accepted = (int(day[-2:]) - 13) * DAY + clock(time) + 7200
            found.append((event["piece"], event["job"], event["lane"], accepted, why.get(event["job"])))
    return sorted(found, key=lambda job: (job[3], job[1]))


def displays(workspace):
    """Printer -> seconds to add to what its display shows."""
    latest = read(workspace, "printers/clocks.txt").split("13 October 2026")[1]
    readings = [line.split() for line in latest.splitlines() if line.startswith("LP-")]
    return {printer: clock(hall) - clock(shown) for printer, hall, shown in readings}


def log_by_printer(workspace):
    """Printer -> [(second, words)], in depot time."""
    add, found = displays(workspace), {}
    for line in read(workspace, "printers/syslog.log").splitlines():
        _, day, time, printer, *words = line.split()
        second = (int(day) - 13) * DAY + clock(time) + add[printer]
        if words[1:3] == ["clock", "set"]:
            add[printer] = 0
        found.setdefault(printer, []).append((second, words))
    return found


def models(workspace):
    rows = [line.split(",") for line in read(workspace, "printers/inventory-2026-09.csv").splitlines()[1:]]
    return {row[0]: (row[1][:2], row[2]) for row in rows}


class Machine:
    """One printer: its firmware, when it stood open, when it had no ribbon, what left it when."""

    def __init__(self, kind, listed, log):
        boots = [words[-1] for _, words in log if words[1:3] == ["boot", "fw"]]
        self.firmware = [int(part) for part in (boots[-1] if boots else listed).split(".")]
        self.ribbon = kind == "TX"
        delay = 90 if self.firmware[:2] < [4, 3] else 0
        self.open = self._spans(log, "E03", 0)
        self.gone = self._spans(log, "E17", delay) if self.ribbon else []
        self.left = {int(words[2]): second for second, words in log if words[0] == "prn:"}

    @staticmethod
    def _spans(log, code, delay):
        marks = [(second, words[2]) for second, words in log if words[1] == code]
        return [(a - delay, b) for (a, _), (b, _) in zip(marks[::2], marks[1::2], strict=True)]

    def printed(self, job):
        """The second at which the job's label left it with print on it, else None."""
        second = self.left.get(job)
        return None if second is None or any(a <= second < b for a, b in self.gone) else second


def machines(workspace):
    logs = log_by_printer(workspace)
    return {p: Machine(kind, fw, logs[p]) for p, (kind, fw) in models(workspace).items() if p in logs}


def plan(workspace, date):
    lines = read(workspace, f"plan/lanes-from-{date}.csv").splitlines()[1:]
    return {lane: (printer, clock(door)) for lane, printer, door in (line.split(";") for line in lines)}


def plan_of_the_day(workspace):
    lanes = plan(workspace, "2026-10-14")
    for path in (workspace / "mail").iterdir():
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
        text, words = message.get_content(), message.get_content().split()
        if message["From"].addresses[0].username != "belts":
            continue
        if "the 14th heron still stands" in " ".join(words):
            lanes["heron"] = (words[words.index("LP-1.")].rstrip("."), lanes["heron"][1])
        if "Only today." in text:
            lane = words[words.index("for") + 1]
            lanes[lane] = (lanes[lane][0], clock(words[words.index("at") + 1]))
    return lanes


def brought(workspace):
    found = {}
    for name in ("early 14", "late 14"):
        now = 0
        for word in read(workspace, f"shift/{name}.txt").split():
            if word[2:3] == ":" and word[:2].isdigit() and len(word) == 5:
                now = DAY + clock(word)
            elif word.startswith("QH"):
                found[word.strip(".,:")] = now
    return found


def outcome(jobs, home, door, fleet, carried):
    """(cause of the first job or None, the second at which the piece was good or None)."""
    good = []
    for piece, job, _, _, _ in jobs:
        for name, machine in fleet.items():
            second = machine.printed(job)
            if second is not None:
                good.append(second if name == home else carried.get(piece, NEXT * 9))
    _, job, _, _, why = jobs[0]
    places = [name for name, machine in fleet.items() if job in machine.left]
    if why:
        cause = WHY[why]
    elif not places:
        cause = "lost"
    elif places != [home]:
        cause = "misrouted"
    else:
        cause = "blank" if fleet[home].printed(job) is None else None
    return cause, min((second for second in good if second < door), default=None)


def verdicts(workspace, fleet):
    lanes, carried, pieces = plan_of_the_day(workspace), brought(workspace), {}
    for job in jobs_of(workspace):
        pieces.setdefault(job[0], []).append(job)
    missing, late = {}, {}
    for piece, jobs in pieces.items():
        accepted, lane = jobs[0][3], jobs[0][2]
        if not DAY <= accepted < NEXT or jobs[-1][4] == 3:
            continue
        home, door = lanes[lane]
        door += DAY if door + DAY > accepted else NEXT
        cause, good = outcome(jobs, home, door, fleet, carried)
        if good is None:
            missing[piece] = {"accepted": stamp(accepted), "lane": lane, "cause": cause}
        elif cause:
            late[piece] = {"good": stamp(good)}
    return missing, late


def settings(workspace, fleet):
    """Dotted path -> value, of the settings that change."""
    longest = max(b - a for machine in fleet.values() for a, b in machine.open if DAY <= a < NEXT)
    values = {"queue.ttl_s": ((longest + 60 + 59) // 60) * 60, "dedup.key": "job"}
    old = plan(workspace, "2026-09-28")
    new = plan(workspace, "2026-10-14")
    values |= {f"routes.{lane}": printer for lane, (printer, _) in new.items() if old[lane][0] != printer}
    for name, machine in fleet.items():
        section = read(workspace, "conf/labelq.toml").split(f"[printers.{name}]")[1].split("[")[0]
        if machine.ribbon and '"continue"' in section:
            values[f"printers.{name}.on_ribbon_out"] = "hold"
        if machine.firmware[0] >= 4 and '"ack"' in section:
            values[f"printers.{name}.confirm"] = "done"
    return values


def commonest(names):
    count = {name: names.count(name) for name in names}
    best = max(count, key=count.get)
    return best, count[best]


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    fleet = machines(workspace)
    missing, late = verdicts(workspace, fleet)
    causes = {}
    for name in {row["cause"] for row in missing.values()}:
        times = [row["accepted"] for row in missing.values() if row["cause"] == name]
        causes[name] = {"labels": len(times), "first": min(times), "last": max(times)}
    ribbon = {}
    for name, machine in fleet.items():
        for a, b in machine.gone:
            blank = sum(a <= second < b for second in machine.left.values())
            ribbon[f"{name}|{stamp(a)}"] = {"to": stamp(b), "blank": blank}
    seen = {line.split(";")[1].replace("/", "-") for line in read(workspace, GATE, "cp1252").splitlines()}
    values = settings(workspace, fleet)
    main, worst = (commonest([row[name] for row in missing.values()]) for name in ("cause", "lane"))
    return {
        "missing": missing,
        "late": late,
        "causes": causes,
        "ribbon": ribbon,
        "missing_count": len(missing),
        "late_count": len(late),
        "main_cause": main[0],
        "main_cause_count": main[1],
        "worst_lane": worst[0],
        "worst_lane_count": worst[1],
        "gate": len(seen & set(missing)),
        "waiting": values["queue.ttl_s"],
        "general": {at: value for at, value in values.items() if not at.startswith("printers.")},
        "per_printer": {at: value for at, value in values.items() if at.startswith("printers.")},
    }
