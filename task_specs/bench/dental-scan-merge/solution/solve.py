"""The oracle: takes the steps of the imaging policy in their order, copies the pictures, writes the manifest."""

import csv
import datetime as dt
import email
import email.policy
import re
import sys
from collections import defaultdict
from pathlib import Path

SHARES = ("ashgrove", "quayside")
KIND_BY_NUMBER = {"1": "OPG", "2": "PA", "3": "BW", "5": "IOU", "6": "IOL"}
KIND_BY_WORD = {"panorama": "OPG", "tooth": "PA", "bitewing": "BW", "upper": "IOU", "lower": "IOL"}
JAW_SCANS = ("IOU", "IOL")


def rows(path, encoding="utf-8-sig", separator=";"):
    return list(csv.DictReader(path.read_text(encoding).splitlines(), delimiter=separator))


def mail_from(ws, sender):
    for path in (ws / "office/mail").glob("*.eml"):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        if sender in message["From"]:
            return " ".join(message.get_content().split())
    raise LookupError(sender)


# --- the pictures ---


def split_file(path):
    """Header fields, and the image or mesh without the header."""
    text = path.read_text("utf-8")
    if path.suffix == ".stl":
        head, body = text.split("\n", 1)
        return dict(re.findall(r"(\w+)=(\S+)", head)), body
    lines = text.split("\n")
    fields = dict(re.match(r"# (\w+) (.+)", line).groups() for line in lines if line.startswith("#"))
    return fields, "\n".join(line for line in lines if not line.startswith("#"))


def read_pictures(ws):
    index = {row["File"]: row for row in rows(ws / "quayside/index.csv", "cp1252")}
    found = []
    for path in sorted(p for share in SHARES for p in (ws / share).rglob("*") if p.suffix in (".pgm", ".stl")):
        header, body = split_file(path)
        source = path.relative_to(ws).as_posix()
        share = source.split("/")[0]
        found.append(
            {
                "source": source,
                "share": share,
                "header": header,
                "body": body,
                "index": index.get(path.name) if share == "quayside" else None,
                "kind": KIND_BY_NUMBER[header["kind"]] if "kind" in header else kind_by_name(path.stem),
            }
        )
    return found


def kind_by_name(stem):
    return KIND_BY_WORD[re.match(r"[\d-]+_([a-z]+)", stem)[1]]


# --- A, whose ---


def register(ws):
    """By new number what the merged register has, as put right by the registry."""
    people = {row["new_no"]: row for row in rows(ws / "office/register-merged.csv")}
    return put_right(ws, people)


def put_right(ws, people):
    text = mail_from(ws, "registry@")
    gone, kept = re.search(r"(\d+) is given up, and everything goes to (\d+)", text).groups()
    people[kept] = people[kept] | {"also": people.pop(gone)["quayside"]}
    for number, quayside in re.findall(r"(\d{5}) has (\d+/\d)", text):
        people[number] = people[number] | {"quayside": quayside}
    return people


def new_numbers(people):
    """New number by old one."""
    found = {}
    for number, row in people.items():
        found |= {old: number for old in (row["ashgrove"], row["quayside"], row.get("also")) if old}
    return found


def misfiled(ws):
    text = (ws / "ashgrove/misfiled.txt").read_text("utf-8")
    return dict(re.findall(r"^(\S+) +is (\d+)'s", text, re.M))


def at_ashgrove(picture, listed):
    _, folder, _ = picture["source"].split("/")
    if picture["header"]["patient"] == folder:
        return folder
    return listed.get(picture["source"].split("/", 1)[1])


def at_quayside(picture, numbers):
    if picture["index"]:
        return picture["index"]["Patient"]
    return member_of(picture["header"]["patient"], numbers)


def member_of(household, numbers):
    members = [old for old in numbers if old.split("/")[0] == household and "/" in old]
    return members[0] if len(members) == 1 else None


# --- B, when ---


def wrong_clock(ws):
    """The unit whose clock was wrong, and the year by which that is known."""
    text = mail_from(ws, "toothtech")
    return re.search(r"battery of (\d+)", text)[1], re.search(r"dates in the year (\d+)", text)[1]


def taken_at(picture, bad_clock):
    """Day and time, or None."""
    text = picture["header"].get("taken", "").replace("T", " ")
    if not text:
        return None
    moment = dt.datetime.strptime(text, "%Y-%m-%d %H:%M")
    if (picture["header"]["unit"], f"{moment.year}") != bad_clock:
        return moment
    if not picture["index"]:
        return None
    day = dt.datetime.strptime(picture["index"]["Appointment"], "%d/%m/%Y")
    return dt.datetime.combine(day, moment.time())


# --- C to F ---


def stays_behind(picture, status):
    old_scan = picture["kind"] in JAW_SCANS and picture["taken"].date() < dt.date(2025, 9, 1)
    return status == "closed" or old_scan


def home_of(ws):
    return {row["serial"]: row["practice"].lower() for row in rows(ws / "office/units.csv", separator=",")}


def same_picture(picture):
    """What two files of the same picture have in common."""
    return picture["body"]


def settle_copies(pictures, home):
    groups = defaultdict(list)
    for picture in pictures:
        groups[same_picture(picture)].append(picture)
    for group in groups.values():
        if len({p["patient"] for p in group}) > 1:
            for picture in group:
                picture["decision"] = "unclear"
            continue
        at_home = [p for p in group if p["share"] == home[p["header"]["unit"]]] or group
        first = min(at_home, key=lambda p: len(p["source"].rsplit("/", 1)[1]))
        for picture in group:
            picture["decision"], picture["for"] = ("taken" if picture is first else "same"), first


def name_pictures(pictures):
    count = defaultdict(int)
    for picture in sorted(pictures, key=lambda p: p["taken"]):
        day = picture["taken"].date().isoformat()
        count[picture["patient"], day, picture["kind"]] += 1
        number = count[picture["patient"], day, picture["kind"]]
        extension = picture["source"].rsplit(".", 1)[1]
        picture["target"] = f"{picture['patient']}/{day}_{picture['kind']}_{number:02d}.{extension}"


def decide(ws):
    """Every picture with its decision and target."""
    pictures, people, listed, bad_clock = read_pictures(ws), register(ws), misfiled(ws), wrong_clock(ws)
    numbers = new_numbers(people)
    for picture in pictures:
        old = at_ashgrove(picture, listed) if picture["share"] == "ashgrove" else at_quayside(picture, numbers)
        picture["patient"], picture["taken"] = numbers.get(old), taken_at(picture, bad_clock)
        if picture["patient"] is None or picture["taken"] is None:
            picture["decision"] = "unclear"
        elif stays_behind(picture, people[picture["patient"]]["status"]):
            picture["decision"], picture["target"] = "left", ""
    settle_copies([p for p in pictures if "decision" not in p], home_of(ws))
    name_pictures([p for p in pictures if p["decision"] == "taken"])
    for picture in pictures:
        if picture["decision"] == "unclear":
            picture["target"] = f"unclear/{picture['source']}"
        if picture["decision"] == "same":
            picture["target"] = picture["for"]["target"]
    return pictures


def derive(ws):
    return [(p["source"], p["decision"], p["target"]) for p in decide(ws)]


def place(ws, manifest):
    """Copy what is taken or unclear."""
    for source, decision, target in manifest:
        if decision in ("taken", "unclear"):
            path = ws / "handover/images" / target
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((ws / source).read_bytes())


def write(ws, manifest):
    place(ws, manifest)
    lines = ["source,decision,target", *(",".join(row) for row in manifest)]
    (ws / "handover/manifest.csv").write_bytes(("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
