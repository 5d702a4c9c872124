"""The second derivation, from the pristine workspace: sets of pictures are taken away step by step, by hash of what they show."""

import hashlib
import quopri
import re

KINDS = {"1": "OPG", "2": "PA", "3": "BW", "5": "IOU", "6": "IOL"}
WORDS = (("panorama", "OPG"), ("tooth", "PA"), ("bitewing", "BW"), ("upper", "IOU"), ("lower", "IOL"))


def lines_of(workspace, name, codec="utf-8-sig"):
    return (workspace / name).read_bytes().decode(codec).replace("\r\n", "\n").strip().split("\n")


def letter(workspace, name):
    (path,) = (workspace / "office/mail").glob(f"*{name}.eml")
    return " ".join(quopri.decodestring(path.read_bytes().partition(b"\n\n")[2]).decode().split())


def pictures_of(workspace):
    """By path: what the header says, and the hash of what the picture shows."""
    found = {}
    for path in [*(workspace / "ashgrove").glob("*/*"), *(workspace / "quayside").glob("IMG*")]:
        lines = path.read_bytes().decode().split("\n")
        if path.suffix == ".stl":
            head, shown = lines[0].replace("=", " "), lines[1:]
        else:
            head = " ".join(line for line in lines if line[:1] == "#")
            shown = [line for line in lines if line[:1] != "#"]
        said = {
            name: re.search(rf"\b{name} (\S+(?: \d\d:\d\d)?)", head) for name in ("unit", "patient", "kind", "taken")
        }
        record = {name: match[1].replace("T", " ") if match else "" for name, match in said.items()}
        record["shown"] = hashlib.sha256("\n".join(shown).encode()).hexdigest()
        found[path.relative_to(workspace).as_posix()] = record
    return found


def people(workspace):
    """New number by old number, and the new numbers that are closed."""
    slip = letter(workspace, "registry")
    moved = {old: new for new, old in re.findall(r"\b(\d{5}) has (\d{4}/\d)", slip)}
    given_up, stays = re.search(r"(\d+) is given up, .* to (\d+)\.", slip).groups()
    numbers, closed = {}, set()
    for line in lines_of(workspace, "office/register-merged.csv")[1:]:
        new, _, _, _, ashgrove, quayside, status = line.split(";")
        new = stays if new == given_up else new
        numbers |= {old: moved.get(old, new) for old in (ashgrove, quayside) if old}
        closed |= {new} if status == "closed" else set()
    return numbers, closed


def whose(workspace, pictures, numbers, index):
    """New number by path, for the pictures of which it is known."""
    listed = "\n".join(lines_of(workspace, "ashgrove/misfiled.txt"))
    found = {}
    for path, said in pictures.items():
        share, rest = path.split("/", 1)
        if share == "ashgrove":
            old = rest.split("/")[0]
            if old != said["patient"]:
                row = re.search(rf"^{re.escape(rest)}\s+is (\d+)", listed, re.M)
                old = row[1] if row else ""
        else:
            members = [number for number in numbers if number.startswith(f"{said['patient']}/")]
            old = index[rest][1] if rest in index else "".join(members) if len(members) == 1 else ""
        if old in numbers:
            found[path] = numbers[old]
    return found


def when(workspace, pictures, index):
    """Day and time by path, for the pictures of which they are known."""
    told = letter(workspace, "units")
    unit = re.search(r"battery of (\d+)", told)[1]
    found = {}
    for path, said in pictures.items():
        name = path.split("/")[-1]
        if said["unit"] == unit and said["taken"].startswith("2000"):
            day = "-".join(index[name][2].split("/")[::-1]) if name in index else ""
            found[path] = day and f"{day}{said['taken'][10:]}"
        else:
            found[path] = said["taken"]
    return {path: moment for path, moment in found.items() if moment}


def kind_of(path, said):
    if said["kind"]:
        return KINDS[said["kind"]]
    return next(kind for word, kind in WORDS if f"_{word}" in path)


def keeper(workspace, group, pictures):
    """The file that is taken among those of one picture."""
    serials = dict(line.split(",")[::2] for line in lines_of(workspace, "office/units.csv")[1:])
    home = [path for path in group if serials[pictures[path]["unit"]].lower() == path.split("/")[0]]
    return sorted(home or group, key=lambda path: len(path.split("/")[-1]))[0]


def expected(workspace):
    pictures = pictures_of(workspace)
    index = {line.split(";")[0]: line.split(";") for line in lines_of(workspace, "quayside/index.csv", "cp1252")[1:]}
    numbers, closed = people(workspace)
    patient, moment = whose(workspace, pictures, numbers, index), when(workspace, pictures, index)
    known = {path for path in pictures if path in patient and path in moment}
    kinds = {path: kind_of(path, said) for path, said in pictures.items()}
    old = {path for path in known if kinds[path] in ("IOU", "IOL") and moment[path][:10] < "2025-09-01"}
    left = old | {path for path in known if patient[path] in closed}
    groups = {}
    for path in known - left:
        groups.setdefault(pictures[path]["shown"], set()).add(path)
    torn = {path for group in groups.values() if len({patient[p] for p in group}) > 1 for path in group}
    kept = {path: keeper(workspace, group, pictures) for group in groups.values() for path in group - torn}
    target = {path: f"unclear/{path}" for path in (pictures.keys() - known) | torn}
    for path in set(kept.values()):
        like = [
            p
            for p in set(kept.values())
            if (patient[p], moment[p][:10], kinds[p]) == (patient[path], moment[path][:10], kinds[path])
        ]
        number = sorted(like, key=lambda p: moment[p]).index(path) + 1
        target[path] = f"{patient[path]}/{moment[path][:10]}_{kinds[path]}_{number:02d}{path[-4:]}"
    placed = {name: path for path, name in target.items()}
    rows = {path: {"decision": "unclear", "target": target[path]} for path in (pictures.keys() - known) | torn}
    rows |= {path: {"decision": "left", "target": ""} for path in left}
    for path, first in kept.items():
        rows[path] = {"decision": "taken" if path == first else "same", "target": target[first]}
    return {"placed": placed, "rows": rows}
