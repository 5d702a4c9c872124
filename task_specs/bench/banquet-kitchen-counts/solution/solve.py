"""The oracle: gathers what each guest said, decides who comes, what is plated and where, and counts."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
from collections import Counter
from pathlib import Path

CLOSE = dt.datetime(2027, 6, 10, 18)
COURSES = ("starter", "main", "dessert")
MEANS = {
    "vegetarian": {"meat", "fish"},
    "vegan": {"meat", "fish", "milk", "egg"},
    "coeliac": {"gluten"},
    "lactose": {"milk"},
    "nuts": {"nuts"},
    "celery": {"celery"},
    "fish": {"fish"},
    "egg": {"egg"},
}


def text_of(ws, name, encoding="utf-8-sig"):
    return (ws / name).read_bytes().decode(encoding)


def rows(ws, name, separator=",", encoding="utf-8-sig"):
    lines = [line for line in text_of(ws, name, encoding).splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter=separator))


def needs_in(text):
    """The things that a guest cannot have, from what was written."""
    return set().union(*(what for word, what in MEANS.items() if re.search(rf"\b{word}\b", text)))


def answer(at, coming, dishes, remark):
    """A whole answer."""
    chosen = {course: dish.lower().strip("-") for course, dish in zip(COURSES, dishes)}
    return {"at": at, "whole": True, "coming": coming, "dishes": chosen, "needs": needs_in(remark)}


def form(ws):
    for row in rows(ws, "replies/form-export.csv"):
        at = dt.datetime.strptime(row["Timestamp"], "%d/%m/%Y %H:%M:%S")
        dishes = [row[name] for name in ("Starter", "Main course", "Dessert")]
        coming = row["Will you come?"].startswith("Yes")
        yield int(row["Number on your invitation"]), answer(at, coming, dishes, row["Anything we should know?"])


def cards(ws):
    for row in rows(ws, "replies/cards.tsv", "\t", "cp1252"):
        at = dt.datetime.strptime(f"{row['stamp']} 2027", "%d %b %Y")
        dishes = [row[course] for course in COURSES]
        yield int(row["number"]), answer(at, row["coming"] == "yes", dishes, row["written on it"])


def mails(ws):
    """Sender, time, text."""
    found = []
    for path in sorted((ws / "mail").iterdir()):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        at = message["Date"].datetime.replace(tzinfo=None)
        found.append((message["From"], at, " ".join(message.get_content().split())))
    return sorted(found, key=lambda item: item[1])


def mailed(ws):
    """What guests wrote about their own number."""
    for _, at, text in mails(ws):
        number = re.search(r"(?:[Nn]umber|Invitation) (\d{3})", text)
        if not number:
            continue
        said = {"at": at, "whole": False, "coming": None, "dishes": {}, "needs": set()}
        dish = re.search(r"(?:have the|like the) (\w+)", text)
        if re.search(r"stay at home|nobody will sit|not be with us", text):
            said["coming"] = False
        elif "can come after all" in text:
            said["coming"] = True
        elif dish:
            said["dishes"] = {"main": dish[1]}
        else:
            said["needs"] = needs_in(text)
        yield int(number[1]), said


def all_replies(ws):
    """By number what was said, in order of time."""
    said = {}
    for number, reply in [*form(ws), *cards(ws), *mailed(ws)]:
        said.setdefault(number, []).append(reply)
    return {number: sorted(replies, key=lambda reply: reply["at"]) for number, replies in said.items()}


def in_time(reply):
    return reply["at"] <= CLOSE


def all_needs(replies):
    return set().union(*(reply["needs"] for reply in replies))


def last_word(replies):
    """Whether the guest comes, and what was chosen."""
    coming, dishes = False, {}
    for reply in replies:
        if reply["coming"] is False or (reply["coming"] and in_time(reply)):
            coming = reply["coming"]
        if in_time(reply):
            dishes = reply["dishes"] if reply["whole"] else dishes | reply["dishes"]
    return coming, dishes


def kitchen(ws):
    """By dish what is in it, and what is plated instead."""
    table = {}
    for row in rows(ws, "kitchen/dishes.csv", ";"):
        inside = {word for word in row["contains"].split(", ") if word != "-"}
        table[row["dish"]] = (inside, row["if that will not do, plate"])
    return corrected(ws, table)


def corrected(ws, table):
    (text,) = [text for sender, _, text in mails(ws) if sender.startswith("Chef")]
    for dish, what in re.findall(r"The (\w+) has .*?contains (\w+)", text):
        table[dish] = (table[dish][0] | {what}, table[dish][1])
    for dish, what in re.findall(r"The (\w+) is .*?no (\w+) in it", text):
        table[dish] = (table[dish][0] - {what}, table[dish][1])
    return table


def plated(dish, needs, table):
    while table[dish][0] & needs:
        dish = table[dish][1]
    return dish


def first_dishes(ws):
    """The dish that the menu names first in each course."""
    blocks = text_of(ws, "kitchen/menu card.txt").split("\n\n")[1:]
    known = [row["dish"] for row in rows(ws, "kitchen/dishes.csv", ";")]
    firsts = [next(d for d in known if d in block.split("\n")[1].lower()) for block in blocks]
    return dict(zip(COURSES, firsts))


def people(ws):
    return {int(row["number"]): row for row in rows(ws, "guests/guest-list.csv")}


def left_out(person):
    return person["group"] == "band"


def is_child(person):
    age = person["age (children only)"]
    return bool(age) and int(age) < 12


def plan(ws):
    """Table by number, after Hedwig's changes."""
    at = {int(row["guest"]): row["table"] for row in rows(ws, "seating/plan-9-june.csv")}
    number = {person["name"]: n for n, person in people(ws).items()}
    for one, other in swaps(ws):
        at[number[one]], at[number[other]] = at[number[other]], at[number[one]]
    for name, table in re.findall(r"And ([\w ]+) moves to (\w+)", hedwig(ws)):
        at[number[name]] = table
    return at


def hedwig(ws):
    return " ".join(text for sender, _, text in mails(ws) if sender.startswith("Hedwig"))


def swaps(ws):
    """Pairs that change places; what she took back is none."""
    text = hedwig(ws)
    taken_back = re.findall(r"wrong one\. ([\w ]+) stays", text)
    pairs = re.findall(r"morning: ([\w ]+) and ([\w ]+) change places", text)
    pairs += [(two, one) for one, two in re.findall(r"It is ([\w ]+) with whom ([\w ]+) changes places", text)]
    return [pair for pair in pairs if not set(pair) & set(taken_back)]


def derive(ws):
    listed, said, at = people(ws), all_replies(ws), plan(ws)
    table, first, served = kitchen(ws), first_dishes(ws), []
    for number, person in sorted(listed.items()):
        coming, dishes = last_word(said.get(number, []))
        if not coming or left_out(person):
            continue
        wished = {course: dishes.get(course) or first[course] for course in COURSES}
        if is_child(person):
            wished["main"] = "noodles"
        needs = all_needs(said[number])
        served.append((number, at[number], *(plated(wished[course], needs, table) for course in COURSES)))
    return served


def counts(served):
    plates = Counter((row[1], course, dish) for row in served for course, dish in zip(COURSES, row[2:]))
    totals = Counter(dish for row in served for dish in row[2:])
    return {
        "guests": len(served),
        "plates": [dict(zip(("table", "course", "dish"), key)) | {"plates": n} for key, n in sorted(plates.items())],
        "totals": [{"dish": dish, "plates": n} for dish, n in sorted(totals.items())],
    }


def write(ws, served):
    folder = ws / "pass"
    folder.mkdir(exist_ok=True)
    lines = [("guest", "table", *COURSES), *served]
    (folder / "table-plan.csv").write_bytes("".join(",".join(map(str, line)) + "\n" for line in lines).encode())
    (folder / "counts.json").write_bytes((json.dumps(counts(served), indent=2) + "\n").encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
