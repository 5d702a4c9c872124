"""The second derivation: one event list for the whole evening, dishes as chains, seats as a line of names."""

import csv
import io
import quopri

COURSES = ("starter", "main", "dessert")
FORBIDDEN = {
    "vegetarian": "meat fish",
    "vegan": "meat fish milk egg",
    "coeliac": "gluten",
    "lactose": "milk",
    "nuts": "nuts",
    "celery": "celery",
    "fish": "fish",
    "egg": "egg",
}
MONTHS = {"May": 5, "Jun": 6}
CLOSING = (6, 10, 18, 0)


def content(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec).lstrip("\ufeff").replace("\r\n", "\n")


def grid(workspace, name, mark, codec="utf-8"):
    lines = [line for line in content(workspace, name, codec).split("\n") if line and line[0] != "#"]
    return list(csv.reader(io.StringIO("\n".join(lines)), delimiter=mark))[1:]


def words_of(text):
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def refused(text):
    """What a remark rules out."""
    return {thing for word in words_of(text) for thing in FORBIDDEN.get(word, "").split()}


def letters(workspace):
    """(moment, sender, words) by moment."""
    found = []
    for path in (workspace / "mail").iterdir():
        head, _, body = path.read_bytes().decode().partition("\n\n")
        fields = dict(line.split(": ", 1) for line in head.split("\n"))
        day, month, _, clock = fields["Date"].split(", ")[1].split()[:4]
        moment = (MONTHS[month], int(day), int(clock[:2]), int(clock[3:5]))
        found.append((moment, fields["From"], " ".join(quopri.decodestring(body).decode().split())))
    return sorted(found)


def events(workspace):
    """(moment, number, coming, dishes, needs) of all replies, sorted; a mail has one dish or none."""
    found = []
    for stamp, number, coming, *dishes, remark in grid(workspace, "replies/form-export.csv", ","):
        day, clock = stamp.split()
        moment = (int(day[3:5]), int(day[:2]), int(clock[:2]), int(clock[3:5]))
        found.append((moment, number, coming == "Yes, gladly", [dish.lower() for dish in dishes], refused(remark)))
    for stamp, number, coming, *dishes, remark in grid(workspace, "replies/cards.tsv", "\t", "cp1252"):
        day, month = stamp.split()
        dishes = ["" if dish == "-" else dish for dish in dishes]
        found.append(((MONTHS[month], int(day), 0, 0), number, coming == "yes", dishes, refused(remark)))
    for moment, _, words in letters(workspace):
        about = [word for word in words_of(words) if len(word) == 3 and word.isdigit()]
        if about and ("umber" in words or "nvitation" in words):
            found.append((moment, about[0], *heard(words)))
    return sorted(found, key=lambda event: event[:2])


def heard(words):
    """(coming or None, changed main course or None, needs) of a mail."""
    if "stay at home" in words or "nobody will sit" in words or "will not be with us" in words:
        return False, None, set()
    if "come after all" in words:
        return True, None, set()
    for opening in ("have the ", "like the "):
        if opening in words:
            return None, words.split(opening)[1].split()[0], set()
    return None, None, refused(words)


def states(workspace):
    """By number: coming, dishes, needs."""
    found = {}
    for moment, number, coming, dishes, needs in events(workspace):
        state = found.setdefault(number, {"coming": False, "dishes": ["", "", ""], "needs": set()})
        state["needs"] |= needs
        early = moment <= CLOSING
        if coming is not None and (early or not coming):
            state["coming"] = coming
        if early and isinstance(dishes, list):
            state["dishes"] = dishes
        elif early and dishes:
            state["dishes"] = [state["dishes"][0], dishes, state["dishes"][2]]
    return found


def chains(workspace):
    """By dish the dishes that are tried in turn, and what is in each."""
    inside, instead = {}, {}
    for dish, contains, other in grid(workspace, "kitchen/dishes.csv", ";"):
        inside[dish], instead[dish] = set(contains.replace("-", "").split(", ")) - {""}, other
    (chef,) = [words for _, sender, words in letters(workspace) if sender.startswith("Chef")]
    for sentence in chef.split(". "):
        if "contains" in sentence:
            inside[sentence.split("The ")[1].split()[0]].add(sentence.split("contains ")[1].strip("."))
        if "there are no" in sentence:
            inside[sentence.split("The ")[1].split()[0]].discard(sentence.split("there are no ")[1].split()[0])
    found = {}
    for dish in inside:
        found[dish] = [dish]
        while instead[found[dish][-1]] != "-":
            found[dish].append(instead[found[dish][-1]])
    return found, inside


def chairs(workspace, names):
    """Table by number."""
    seats = {number: where for where, _, number in grid(workspace, "seating/plan-9-june.csv", ",")}
    first, second = [words for _, sender, words in letters(workspace) if sender.startswith("Hedwig")]
    one = first.split("morning: ")[1].split(" and ")[0]
    partner = second.split("It is ")[1].split(" with whom")[0]
    seats[names[one]], seats[names[partner]] = seats[names[partner]], seats[names[one]]
    mover, where = second.split("And ")[1].split(" moves to ")
    return seats | {names[mover]: where.split(",")[0]}


def openers(workspace):
    """The first dish of each course on the menu card, by the words of its line."""
    known = {row[0] for row in grid(workspace, "kitchen/dishes.csv", ";")}
    blocks = content(workspace, "kitchen/menu card.txt").split("\n\n")[1:]
    return [next(word for word in words_of(block.split("\n")[1]) if word in known) for block in blocks]


def served(workspace):
    listed = grid(workspace, "guests/guest-list.csv", ",")
    seats = chairs(workspace, {name: number for number, name, _, _ in listed})
    said, (tried, inside), first = states(workspace), chains(workspace), openers(workspace)
    found = {}
    for number, _, group, age in listed:
        if group == "band" or not said.get(number, {"coming": False})["coming"]:
            continue
        wanted = [dish or default for dish, default in zip(said[number]["dishes"], first)]
        wanted[1] = "noodles" if age and int(age) < 12 else wanted[1]
        plates = [next(dish for dish in tried[wish] if not inside[dish] & said[number]["needs"]) for wish in wanted]
        found[number] = {"table": seats[number]} | dict(zip(COURSES, plates))
    return found


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    guests = served(workspace)
    plates, totals = {}, {}
    for row in guests.values():
        for course in COURSES:
            key = f"{row['table']}|{course}|{row[course]}"
            plates[key] = {"plates": plates.get(key, {"plates": 0})["plates"] + 1}
            totals[row[course]] = {"plates": totals.get(row[course], {"plates": 0})["plates"] + 1}
    return {
        "numbers": sorted(guests),
        "tables": {number: {"table": row["table"]} for number, row in guests.items()},
        "dishes": {number: {course: row[course] for course in COURSES} for number, row in guests.items()},
        "guests": len(guests),
        "plates": plates,
        "totals": totals,
    }
