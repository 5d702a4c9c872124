"""The second derivation, from the pristine workspace: merged configuration, fractions of weeks, a grid of busy minutes."""

import json
from configparser import ConfigParser
from datetime import date, datetime
from fractions import Fraction

TODAY = date(2026, 11, 12)
FRAGMENTS = {
    "station": "etc/backup.d/00-station.ini",
    "studios": "etc/backup.d/30-studios.ini",
    "logger": "etc/backup.d/60-logger.ini",
    "local": "etc/backup.d/85-local.ini",
}
MIRROR, CRONTAB = "etc/mirror.yaml", "etc/cron/backup.tab"
LENGTH = {
    "h": Fraction(1, 24),
    "d": Fraction(1),
    "w": Fraction(7),
    "days": Fraction(1),
    "weeks": Fraction(7),
    "months": Fraction(30),
}


def read(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec)


def pinned_by(comment):
    """Whether the text of a line is a comment whose pin still holds."""
    words = comment.strip().replace("(", " ").split()
    if words[:1] not in (["#"], [";"]) or "pin" not in words:
        return False
    return date.fromisoformat(words[words.index("pin") + 1].strip(":,")) >= TODAY


def ini_jobs(workspace):
    """Job -> option -> value, all fragments merged by the library."""
    merged = ConfigParser(interpolation=None, inline_comment_prefixes=(";",), default_section="no such section")
    for name in FRAGMENTS.values():
        merged.read_string(read(workspace, name))
    return {job: dict(merged[job]) for job in merged.sections() if job != "defaults"}


def share_jobs(workspace):
    blocks = read(workspace, MIRROR).split("shares:\n")[1].split("notify:")[0]
    jobs, job = {}, ""
    for line in blocks.splitlines():
        words = line.split("#")[0].split()
        if line.startswith("   ") and words:
            jobs[job][words[0].rstrip(":")] = words[1]
        elif words:
            job = words[0].rstrip(":")
            jobs[job] = {}
    for options in jobs.values():
        options["target"] = options.pop("to")
    return jobs


def place(workspace, job, option):
    """The file and the number of the line that decides, and whether it is pinned."""
    for name in reversed(FRAGMENTS.values()):
        lines = read(workspace, name).splitlines()
        if f"[{job}]" in lines:
            start = lines.index(f"[{job}]")
            for number in range(start + 1, len(lines)):
                if lines[number].startswith("["):
                    break
                if lines[number].split("=")[0].strip() == option:
                    return name, number, pinned_by(lines[number - 1])
    lines = read(workspace, MIRROR).splitlines()
    wanted = {"target": "to:"}.get(option, f"{option}:")
    start = lines.index(f"  {job}:")
    number = next(n for n in range(start, len(lines)) if lines[n].split()[:1] == [wanted])
    return MIRROR, number, pinned_by(lines[number - 1])


def thread(workspace, name):
    """The approver's standing words in one ticket, oldest first."""
    ticket = json.loads(read(workspace, name))
    standing = {}
    for comment in sorted(ticket["comments"], key=lambda c: c["no"]):
        if comment["by"] == ticket["approver"]:
            words = comment["text"].replace(",", " ").replace(";", " ").split()
            if "take" in words and "back" in words:
                standing.pop(int(words[words.index("no.") + 1]))
            else:
                standing[comment["no"]] = [word.rstrip(".:") for word in words]
    return ticket, list(standing.values())


def word_after(words, *phrase):
    for start in range(len(words) - len(phrase)):
        if tuple(words[start : start + len(phrase)]) == phrase:
            return words[start + len(phrase)]
    return None


def kept_days(workspace):
    """Class -> days."""
    days = {}
    for line in read(workspace, "policy/retention-ed3.md").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 4 and cells[2].split()[:1] and cells[2].split()[0].isdigit():
            amount, unit = cells[2].split()
            days[cells[1]] = int(amount) * LENGTH[unit]
    for path in sorted((workspace / "tickets").iterdir()):
        ticket, spoken = thread(workspace, f"tickets/{path.name}")
        if ticket["status"] != "approved" or date.fromisoformat(ticket["in_force"]) > TODAY:
            continue
        for words in spoken:
            amount = word_after(words, "is", "kept", "for")
            if amount:
                at = words.index("kept")
                days[words[at - 2]] = int(amount) * LENGTH[words[at + 3]]
    return days


def job_classes(workspace):
    rows = [line.split(";") for line in read(workspace, "inventory/export-2026-11-10.csv", "cp1252").splitlines()[1:]]
    return {row[0]: row[2] or "office" for row in rows}


def destinations(workspace):
    """Class -> osprey folder, and job -> place, as the thread of the move leaves them."""
    listed = json.loads(read(workspace, "inventory/osprey-pools.json"))
    folder = {pool["class"]: pool["folder"] for pool in listed["pools"]}
    special = {}
    for words in thread(workspace, "tickets/CHG-117.json")[1]:
        if "pool" in words:
            folder[word_after(words, "pool", "for")] = word_after(words, "osprey", "is")
        elif "goes" in words:
            special[words[words.index("goes") - 1]] = f"{word_after(words, 'goes', 'to')}:{word_after(words, 'folder')}"
    return folder, special


def written(days, unit):
    for name in ("w", "d", "h"):
        count = days / LENGTH[name]
        if LENGTH[name] <= LENGTH[unit] and count.denominator == 1:
            return f"{count}{name}"
    raise ValueError(days)


def closed_minutes(workspace):
    """Minutes of the week (Sunday 00:00 is 0) in which osprey is under maintenance."""
    closed = set()
    for event in read(workspace, "calendar/machines.ics").split("END:VEVENT"):
        field = dict(line.split(":", 1) for line in event.splitlines() if ":" in line)
        field = {name.split(";")[0]: value for name, value in field.items()}
        rule = field.get("RRULE")
        if field.get("LOCATION") != "osprey" or field["STATUS"] != "CONFIRMED" or not rule:
            continue
        if "UNTIL=" in rule and datetime.strptime(rule.split("UNTIL=")[1][:8], "%Y%m%d").date() <= TODAY:
            continue
        first = stamp(field["DTSTART"])
        last = stamp(field["DTEND"]) if "DTEND" in field else first + int(field["DURATION"].strip("PTM"))
        codes = rule.split("BYDAY=")[1].split(";")[0].split(",") if "BYDAY=" in rule else "SU MO TU WE TH FR SA".split()
        for code in codes:
            day = "SU MO TU WE TH FR SA".split().index(code)
            closed |= set(range(day * 1440 + first, day * 1440 + last))
    return closed


def stamp(text):
    return int(text[9:11]) * 60 + int(text[11:13])


def cron_lines(workspace):
    """(line number, job, minute of the day, days, pinned) of every backup job."""
    lines = read(workspace, CRONTAB).split("\n")
    for number, line in enumerate(lines):
        words = line.split()
        if "backup" in words[5:6] and words[0].isdigit():
            ends = [int(n) for n in words[4].split("-")] if words[4] != "*" else [0, 6]
            days = range(ends[0], ends[-1] + 1)
            yield number, words[7], int(words[1]) * 60 + int(words[0]), days, pinned_by(lines[number - 1])


def later_starts(workspace, residents, newcomers):
    """Line number -> (job, old, new) in minutes of the day."""
    busy, waiting, moved = closed_minutes(workspace), [], {}
    taken = set()
    for number, job, start, days, pinned in cron_lines(workspace):
        if job in residents or (job in newcomers and pinned):
            taken |= {day * 1440 + start for day in days}
        elif job in newcomers:
            waiting.append((number, job, start, days))
    busy |= taken
    for number, job, start, days in waiting:
        quarters = range(start - start % 15 + 15, 1440, 15)
        new = next(t for t in [start, *quarters] if not busy & {day * 1440 + t for day in days})
        busy |= {day * 1440 + new for day in days}
        if new != start:
            moved[number] = (job, start, new)
    return moved


def value_changes(workspace, jobs, leaving):
    """(file, line number, name of the setting, old, new)."""
    folder, special = destinations(workspace)
    days, group = kept_days(workspace), job_classes(workspace)
    for job in leaving:
        keep, wanted = jobs[job]["keep"], days[group[job]]
        new_keep = keep if int(keep[:-1]) * LENGTH[keep[-1]] == wanted else written(wanted, keep[-1])
        target = special.get(job, "osprey:" + folder[group[job]]) + "/" + job
        for option, new in (("target", target), ("keep", new_keep)):
            name, number, pinned = place(workspace, job, option)
            if new != jobs[job][option] and not pinned:
                setting = (
                    f"{job}.{option}" if name != MIRROR else f"shares.{job}.{'to' if option == 'target' else option}"
                )
                yield name, number, setting, jobs[job][option], new


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    jobs = {**ini_jobs(workspace), **share_jobs(workspace)}
    active = {job for job, options in jobs.items() if options.get("enabled", "yes") in ("yes", "true")}
    on = lambda box: {job for job in active if jobs[job]["target"].startswith(f"{box}:")}
    changes = list(value_changes(workspace, jobs, sorted(on("tern"))))
    new_target = {
        job: new
        for _, _, setting, _, new in changes
        for job in jobs
        if setting in (f"{job}.target", f"shares.{job}.to")
    }
    newcomers = {job for job, target in new_target.items() if target.startswith("osprey:")}
    texts = {name: read(workspace, name).split("\n") for name in (*FRAGMENTS.values(), MIRROR, CRONTAB)}
    rows = {}
    for name, number, setting, old, new in changes:
        texts[name][number] = texts[name][number].replace(old, new, 1)
        rows[f"{name}|{setting}"] = {"old": old, "new": new}
    for number, (job, old, new) in later_starts(workspace, on("osprey"), newcomers).items():
        rest = texts[CRONTAB][number].split(" ", 2)[2]
        texts[CRONTAB][number] = f"{new % 60} {new // 60} {rest}"
        rows[f"{CRONTAB}|{job}.start"] = {
            "old": f"{old // 60:02d}:{old % 60:02d}",
            "new": f"{new // 60:02d}:{new % 60:02d}",
        }
    whole = {name: "\n".join(lines) for name, lines in texts.items()}
    return {
        **{key: whole[name] for key, name in FRAGMENTS.items()},
        "crontab": whole[CRONTAB],
        "mirror": whole[MIRROR],
        "mirror_values": {key.split("|")[1]: row["new"] for key, row in rows.items() if key.startswith(MIRROR)},
        "record_keys": sorted(rows),
        "record_rows": rows,
    }
