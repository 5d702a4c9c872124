"""The second derivation: a box as a mapping of paths to texts, one day after the other, and the boxes on which the script is tried."""

import gzip
import hashlib
import json
import random
from calendar import isleap, monthrange
from datetime import date, timedelta

STATIONS = {"03": "lauf-ost", "07": "lauf-ost", "08": "lauf-west", "12": "lauf-west", "31": "hof"}
LEAVES = ("12", "31")


# ---------------------------------------------------------------- what is written in the papers


def ini_of(text):
    """Sections of key and value."""
    sections, current = {}, {}
    for line in text.splitlines():
        line = line.partition(";")[0].strip()
        if line.startswith("["):
            current = sections.setdefault(line[1:-1], {})
        elif "=" in line:
            key, _, value = line.partition("=")
            current[key.strip()] = value.strip()
    return sections


def in_calendar(year, month, day):
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None


def parsed(name):
    """(station, day or None, counter) of a name in incoming, or None."""
    stem, _, ending = name.rpartition(".")
    leaf = stem.startswith("leaf-") and ending == "txt"
    if not leaf and (stem[:2] + ending) not in ("WSCSV", "wscsv"):
        return None
    base, _, counter = (
        stem.partition("_") if leaf else (lambda parts: ("_".join(parts[:2]), "", "_".join(parts[2:])))(stem.split("_"))
    )
    pieces = base.split("-")[1:] if leaf else [base[2:4], base[5:]]
    if [len(piece) for piece in pieces] != ([2, 4, 3] if leaf else [2, 8]):
        return None
    if leaf:
        year, number = int(pieces[1]), int(pieces[2])
        day = date(year, 1, 1) + timedelta(days=number - 1) if 0 < number <= 365 + isleap(year) else None
    else:
        digits = pieces[1]
        day = in_calendar(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    return pieces[0], day, int(counter or 1)


def finished(text, station):
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return lines[-1] == ("EOF" if station in LEAVES or "Lufttemp" in text else "#END")


def coldest(text):
    """The lowest air temperature."""
    rows = [line.strip().split(";" if "Lufttemp" in text else ",") for line in text.split("\n")]
    head = next(row for row in rows if "Lufttemp" in row or "temp_c" in row)
    column = head.index("Lufttemp" if "Lufttemp" in text else "temp_c")
    cells = [row[column].replace(",", ".") for row in rows[rows.index(head) + 1 :] if len(row) > column]
    return min((float(cell) for cell in cells if cell not in ("", "---", "-99.9")), default=1)


class Box:
    """One box; `run` does what is due and returns what is printed."""

    def __init__(self, tree):
        self.tree = dict(tree)
        self.ini = ini_of(tree.get("etc/rotation.ini", ""))
        self.plots = self.ini.get("stations", {})

    def number(self, section, key, default):
        return int(self.ini.get(section, {}).get(key, default))

    def kept(self, station, day, plot, text, today):
        limit = self.number(f"keep {plot}", "days", self.number("keep", "days", 400))
        spring_frost = day.month in (3, 4, 5) and coldest(text) < 0
        harvest = self.harvest(day) and today.year - day.year <= 10
        held = any(
            who in ("*", station) and first <= day.isoformat() <= last
            for who, first, last in map(str.split, self.ini.get("hold", {}).values())
        )
        return (today - day).days <= limit or spring_frost or harvest or held

    def harvest(self, day):
        return date(day.year, 8, 25) <= day <= date(day.year, 10, 31)

    def ending(self, day, today):
        due = (today - day).days > self.number("compress", "after", 30)
        return ".csv.gz" if due and not (self.harvest(day) and day.year == today.year) else ".csv"

    def run(self, today):
        lines, after = [], dict(self.tree)
        for path in self.tree:
            action, target = self.fate(path, today)
            if action:
                lines.append(f"{path}\t{action}\t{target}")
                del after[path]
        moved = [line.split("\t") for line in lines]
        after |= {target: self.tree[path] for path, _, target in moved if target}
        self.tree = after
        return [
            f"{action}\t{path}\t{target}" for path, action, target in sorted(moved, key=lambda cells: cells[0].encode())
        ]

    def fate(self, path, today):
        """(action, target) of one file; no action where it stays."""
        folder, _, name = path.partition("/")
        if folder == "incoming" and "/" not in name and parsed(name):
            return self.fate_of_incoming(path, name, today)
        known = self.archived(path)
        if not known:
            return "", ""
        station, day, plot = known
        if self.arrived(station, day, today) or (path.endswith(".gz") and path[:-3] in self.tree):
            return "delete", ""
        if not self.kept(station, day, plot, self.tree[path], today):
            return "delete", ""
        if path.endswith(".csv") and self.ending(day, today) == ".csv.gz":
            return "compress", path + ".gz"
        return "", ""

    def fate_of_incoming(self, path, name, today):
        station, day, _ = parsed(name)
        if day is None or day > today or station not in self.plots:
            return "quarantine", f"quarantine/{name}"
        best = max(self.candidates(station, day))
        older = any(self.archived(other) and self.archived(other)[:2] == (station, day) for other in self.tree)
        plot = self.plots[station]
        if best[2] != path or (older and not best[0]) or not self.kept(station, day, plot, self.tree[path], today):
            return "delete", ""
        return "archive", f"archive/{plot}/{day.year}/{station}-{day}{self.ending(day, today)}"

    def candidates(self, station, day):
        """(complete, counter, path) of what came for one day."""
        found = [(path, parsed(path[9:])) for path in self.tree if path.startswith("incoming/") and "/" not in path[9:]]
        return [
            (finished(self.tree[path], station), known[2], path)
            for path, known in found
            if known and known[:2] == (station, day)
        ]

    def arrived(self, station, day, today):
        """Whether something complete has come in the place of what the archive has."""
        return station in self.plots and day <= today and any(whole for whole, _, _ in self.candidates(station, day))

    def archived(self, path):
        """(station, day, plot) of a logger file in the archive, or None."""
        pieces = path.split("/")
        if len(pieces) != 4 or pieces[0] != "archive":
            return None
        stem, _, ending = pieces[3].partition(".")
        if ending not in ("csv", "csv.gz") or len(stem) != 13 or not stem.replace("-", "").isdigit():
            return None
        day = in_calendar(*map(int, stem[3:].split("-")))
        return (stem[:2], day, pieces[1]) if day and str(day.year) == pieces[2] else None


# ---------------------------------------------------------------- texts of loggers


def weather(rng, lowest=4.0, whole=True, newline="\n", tail=""):
    """A day of a weather station whose coldest reading is `lowest`."""
    head = rng.choice(["time,temp_c,rh,rain_mm", "time,rh,rain_mm,temp_c", "rain_mm,time,rh,wind,temp_c,volt"])
    rows = [f"# Agrimet W3 fw {rng.randrange(3, 9)}.{rng.randrange(10)}", head]
    cold = rng.randrange(1, 5)
    for hour in range(0, 24, 4):
        warm = lowest if hour == 4 * cold else lowest + rng.randrange(5, 90) / 10
        values = {
            "time": f"{hour:02}:00",
            "temp_c": f"{warm:.1f}",
            "rh": rng.randrange(40, 99),
            "wind": f"{rng.randrange(60) / 10}",
        }
        values |= {"rain_mm": rng.choice(["0.0", "0.2", "-0.0"]), "volt": "12.6"}
        if hour == 0:
            values["temp_c"] = rng.choice(["-99.9", ""])
        rows.append(",".join(str(values[name]) for name in head.split(",")))
    return newline.join([*rows, *(["#END"] if whole else [rows[-1][:3]])]) + newline + tail


def leaf(rng, lowest=4.0, whole=True, newline="\n", tail=""):
    rows = [f"Phyllon LN2;Geraet {rng.randrange(100, 999)};Einheit °C;%", "Zeit;Blattnaesse;Lufttemp;Strahlung"]
    for number, hour in enumerate(range(1, 24, 4)):
        warm = lowest if number == 2 else lowest + rng.randrange(5, 90) / 10
        rows.append(
            f"{hour:02}:00;{rng.randrange(100)};{'---' if number == 4 else f'{warm:.1f}'.replace('.', ',')};-{rng.randrange(1, 9)},5"
        )
    return newline.join([*rows, *(["EOF"] if whole else [])]) + newline + tail


def text_of(rng, station, **given):
    return (leaf if station in LEAVES else weather)(rng, **given)


def sent_name(station, day, counter=1):
    again = f"_{counter}" if counter > 1 else ""
    if station in LEAVES:
        return f"incoming/leaf-{station}-{day:%Y}-{day:%j}{again}.txt"
    name = f"WS{station}_{day:%Y%m%d}{again}.CSV"
    return "incoming/" + (name.lower() if int(station) % 2 else name)


def kept_name(plot, station, day, packed=True):
    return f"archive/{plot}/{day.year}/{station}-{day}.csv{'.gz' if packed else ''}"


def ini(*more, stations=STATIONS):
    return (
        "\n".join(["; box", "[stations]", *(f"{n} = {plot}   ; since 2020" for n, plot in stations.items()), *more])
        + "\n"
    )


# ---------------------------------------------------------------- boxes to try the script on


def names(rng, today):
    """What comes in: both kinds, counters, days that do not exist, stations that nobody knows, files of others."""
    tree = {"etc/rotation.ini": ini()}
    for station in STATIONS:
        tree[sent_name(station, today - timedelta(days=rng.randrange(4)))] = text_of(rng, station, newline="\r\n")
    for station in ("07", "12"):
        day = today - timedelta(days=rng.randrange(31, 60))
        for counter, whole in ((1, False), (2, True), (9, rng.random() < 0.5), (10, True), (11, False)):
            tree[sent_name(station, day, counter)] = text_of(
                rng, station, whole=whole, tail=rng.choice(["", "\n", "  \n"])
            )
        day -= timedelta(days=40)
        for counter in (2, 10):
            tree[sent_name(station, day, counter)] = text_of(rng, station, whole=False)
    tree |= {sent_name(station, today + timedelta(days=1)): text_of(rng, station) for station in ("03", "31")}
    for name in (
        "WS08_20260230.CSV",
        "leaf-12-2026-366.txt",
        "leaf-31-2026-000.txt",
        "WS08_20261301.CSV",
        "WS44_20150104_2.CSV",
    ):
        tree[f"incoming/{name}"] = leaf(rng) if "leaf" in name else weather(rng)
    tree["incoming/leaf-12-2024-366.txt"] = leaf(rng)
    for name in (f"{sent_name('08', today)[9:]}.part", "WS8_20261001.CSV", "read me.txt", "old/WS08_20261001.CSV"):
        tree[f"incoming/{name}"] = weather(rng)
    return tree


def again(rng, today):
    """Days that the archive has already, from a broken connection or a pulled plug."""
    tree = {"etc/rotation.ini": ini("[compress]", "after = 10", stations=STATIONS | {"08": "hof"})}
    for place, station in enumerate(("03", "12", "07", "31", "08")):
        day = today - timedelta(days=(5, 45, 12, 200, 70)[place])
        plot = {"08": "lauf-west"}.get(station, STATIONS[station])
        tree[kept_name(plot, station, day, packed=place != 0)] = text_of(rng, station)
        if place in (1, 2):
            tree[kept_name(plot, station, day, packed=False)] = text_of(rng, station)
        if station != "08":
            tree[sent_name(station, day, 2)] = text_of(rng, station, whole=place % 2 == 0)
            tree[sent_name(station, day)] = text_of(rng, station, whole=False)
    tree["archive/hof/read me.txt"] = "do not delete\n"
    tree["archive/hof/2016/31-2015-06-30.csv"] = "wrong folder\n"
    tree["archive/hof/2015/31-2015-06-30 copy.csv"] = "a copy\n"
    return tree


def ages(rng, today, *more):
    """Both sides of every number, in the archive and from incoming; a day of a harvest and one that a box may hold."""
    tree = {"etc/rotation.ini": ini(*more)}
    for day in (date(today.year - 7, 9, 28), date(2021, 6, 11)):
        tree[kept_name("lauf-west", "08", day)] = weather(rng)
    box = Box(tree)
    for station, plot in list(STATIONS.items())[rng.randrange(2) :]:
        limit = box.number(f"keep {plot}", "days", box.number("keep", "days", 400))
        after = box.number("compress", "after", 30)
        for days in (after, after + 1, limit, limit + 1):
            day = today - timedelta(days=days)
            tree[kept_name(plot, station, day, packed=days >= limit)] = text_of(rng, station)
            tree[sent_name(station, day - timedelta(days=1 if days % 2 else 0))] = text_of(rng, station, whole=True)
    return tree


def exceptions(rng, today):
    """Frost in and out of spring, the window of the harvest in many years, holds."""
    tree = {
        "etc/rotation.ini": ini(
            "[hold]",
            "hail = 07 2022-06-10 2022-06-12 ; open",
            "storm = * 2021-01-20 2021-01-20",
            "[keep hof]",
            "days = 5000",
        )
    }
    days = {
        "03": ("2014-03-01", "2019-05-31", "2021-02-28", "2022-06-01", "2023-12-24"),
        "12": ("2016-04-11", "2020-05-02", "2024-01-03"),
    }
    for station, stamps in days.items():
        for number, stamp in enumerate(stamps):
            day = date.fromisoformat(stamp)
            tree[kept_name(STATIONS[station], station, day)] = text_of(rng, station, lowest=-rng.randrange(1, 60) / 10)
            tree[kept_name(STATIONS[station], station, day + timedelta(days=7 if number % 2 else -7))] = text_of(
                rng, station, lowest=0.0
            )
            tree[sent_name(station, day.replace(day=15, month=4))] = text_of(
                rng, station, lowest=rng.choice([-0.1, 0.0, 0.1])
            )
    for year in (2013, today.year - 11, today.year - 10, 2022, today.year):
        for stamp in ("08-19", "08-20", "08-24", "08-25", "10-31", "11-01"):
            day = date.fromisoformat(f"{year}-{stamp}")
            if day < today:
                tree[kept_name("lauf-west", "08", day, packed=year < today.year)] = weather(rng)
    for stamp in ("2022-06-09", "2022-06-10", "2022-06-12", "2022-06-13", "2021-01-20"):
        day = date.fromisoformat(stamp)
        tree |= {kept_name(STATIONS[station], station, day): text_of(rng, station) for station in ("03", "07", "31")}
    return tree


def case(name, tree, *words):
    """What `run_rotate.py` prints; with -n nothing changes."""
    box = Box(tree)
    printed = [box.run(date.fromisoformat(word)) for word in words[1:] if word != "-n"]
    files = tree if "-n" in words else box.tree
    shown = {"files": {path: hashlib.sha256(text.encode("cp1252")).hexdigest()[:20] for path, text in files.items()}}
    if words[0] == "both":
        shown["printed"] = printed
    return {"name": name, "args": list(words), "files": {"tree.json": json.dumps(tree)}, "stdout": shown}


def trials(rng):
    autumn, winter, spring = "2026-10-20", "2026-12-30", "2027-04-12"
    day = date.fromisoformat
    local = ("[compress]", "after = 20 ; small disk", "[keep]", "days = 300", "[keep lauf-west]", "days = 90")
    local += ("[hold]", "hail = 08 2021-06-10 2021-06-12 ; open")
    mixed = ages(rng, day(winter)) | names(rng, day(winter)) | {"etc/rotation.ini": ini()}
    return {
        "sorting": [
            case("names of all kinds", names(rng, day(autumn)), "files", autumn),
            case("days that are there already", again(rng, day(spring)), "files", spring),
        ],
        "keeping": [
            case("numbers of the papers", ages(rng, day(spring)), "files", spring),
            case("numbers of the box", ages(rng, day(spring), *local), "files", spring),
            case("exceptions", exceptions(rng, day(autumn)), "files", autumn),
        ],
        "printing": [
            case("only looking", mixed, "both", "-n", winter),
            case(
                "new year, and twice",
                again(rng, day(winter)) | exceptions(rng, day(winter)) | mixed,
                "both",
                "2026-12-31",
                *2 * ["2027-01-01"],
            ),
        ],
    }


# ---------------------------------------------------------------- our own box


def our_tree(root):
    tree = {}
    for path in sorted(root.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            tree[path.relative_to(root).as_posix()] = (
                gzip.decompress(content) if path.name.endswith(".gz") else content
            ).decode("cp1252")
    return tree


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    tree = our_tree(workspace / "box")
    rng = random.Random(hashlib.sha256(repr(sorted(tree.items())).encode()).hexdigest())
    plan = [line.split("\t") for line in Box(tree).run(date(2026, 10, 20))]
    return trials(rng) | {"plan": {path: {"action": action, "target": target} for action, path, target in plan}}
