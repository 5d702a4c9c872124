"""The second derivation, from the pristine workspace: everything that was ever stated about an object, the last word wins."""

import quopri
import re
from datetime import datetime, timedelta

HALVES = {"half": 50, "quarter": 25}
BY_HAND = ("name", "date", "made")  # what slips can change


def statements(workspace):
    """(object, field, order, value) from register, slips and reports; a higher order beats a lower one."""
    latest = sorted((workspace / "register").iterdir())[-1]
    header, *rows = (line.split(";") for line in latest.read_bytes().decode("cp1252").splitlines())
    for row in rows:
        for field, value in zip(header, row):
            yield row[0], field.split(" (")[0], (0, ""), value
            if field in BY_HAND:
                yield row[0], f"typed {field}", (0, ""), value
    for path in (workspace / "curator").glob("slips*"):
        for line in path.read_bytes().decode("utf-8-sig").splitlines():
            number, _, words = line.partition("  ")
            if re.fullmatch(r"L?\d+/\d+", number):
                yield number, *slip(words.strip(), path.name)
    for path in (workspace / "conservation").iterdir():
        lines = [line.partition(": ") for line in path.read_text("utf-8").splitlines() if ": " in line]
        stated = {name: value for name, _, value in lines}
        day = datetime.strptime(stated["Date"], "%d %B %Y").date().isoformat()
        for name, value in stated.items():
            yield stated["Object"], f"report {name}", (2, day), value


def slip(words, day):
    """Field, order and value of one slip; to forget one is to state what was typed before."""
    if "forget my slip" in words:
        return "date", (1, day), None
    if "called: " in words:
        return "name", (1, day), words.partition("called: ")[2]
    if "keep the name out" in words:
        return "struck", (1, day), words.partition("names ")[2].partition(" as the maker")[0]
    field, _, value = words.partition(": ")
    return field, (1, day), value


def dossiers(workspace):
    """By object: field -> last word."""
    found, order = {}, {}
    for number, field, rank, value in statements(workspace):
        if (number, field) not in order or rank > order[number, field]:
            order[number, field] = rank
            found.setdefault(number, {})[field] = value
    for dossier in found.values():
        if dossier.get("date") is None:
            dossier["date"] = dossier["typed date"]
    return found


def letters(workspace):
    """Name of the file, who wrote it and the text, by file name, which begins with the day."""
    for path in sorted((workspace / "mail").iterdir()):
        head, _, body = path.read_bytes().partition(b"\n\n")
        sender = head.decode().split("From: ")[1].split("\n")[0]
        yield path.name, sender, " ".join(quopri.decodestring(body).decode().split())


def placed(workspace, found):
    """Object by place, and the day of opening."""
    plan = (workspace / "case/case-4-plan-v3.txt").read_text("utf-8").splitlines()
    places = {line[0]: line[3:] for line in plan if line[1:3] == "  "}
    reserve = next(line for line in plan if line.startswith("Reserve")).split(": ")[1].split(", ")
    usable = [n for n in reserve if found[n]["report Fit for display"] == "yes" and "until" not in found[n]["where"]]
    text = next(text for _, sender, text in letters(workspace) if sender.startswith("Lowri"))
    one, two = re.search(r"so (\w) and (\w) of", text).groups()
    day = re.search(r"open on (\d+) (\w+) instead", text)
    opening = datetime.strptime(f"{day[1]} {day[2]} 2027", "%d %B %Y").date()
    moved = places | {one: places[two], two: places[one]}
    return {p: n if found[n]["report Fit for display"] == "yes" else usable[0] for p, n in moved.items()}, opening


def circa_word(workspace):
    """What Ines said last, in quotation marks, instead of `c.`."""
    said = [text for _, sender, text in letters(workspace) if sender.startswith("Ines")]
    return re.findall(r'"(\w+) 1790"', said[-1])[-1]


def label_date(stated, circa):
    tokens = stated.split()
    if tokens[-1] == "century":
        century, step = int(tokens[2][:2]) - 1, HALVES[tokens[1]]
        start = 100 * century + step * (int(tokens[0][0]) - 1)
        return f"{start} to {start + step}"
    if tokens[0] == "c.":
        return f"{circa} {tokens[1]}"
    return " to ".join(stated.split("-"))


def everyday(workspace):
    lines = (workspace / "style/plain-words.csv").read_text("utf-8").splitlines()[1:]
    return dict(line.split(",") for line in lines)


def made_of(dossier, words):
    stated = dossier.get("report Materials", dossier["materials"])
    return sorted({words.get(word, word) for word in stated.split(", ")})


def centimetres(dossier):
    stated = dossier.get("report Height", dossier["size"])
    whole, rest = divmod(int(stated.split(" ")[0]), 10)
    return whole + (rest >= 5)


def agreement(workspace, number):
    """The lines of the loan agreement by what stands before the colon; empty without one."""
    for path in (workspace / "loans").iterdir():
        lines = dict(line.split(": ", 1) for line in path.read_text("utf-8").splitlines() if ": " in line)
        if lines["Object"] == number:
            return lines
    return {}


def hidden_donors(workspace):
    """Object and name of donors who do not wish to be named."""
    for _, sender, text in letters(workspace):
        if sender.startswith("The family of"):
            name = sender.removeprefix("The family of ").split(" <")[0]
            yield re.search(r"L?\d+/\d+", text)[0], name.partition(" ")[2]


def credit_line(workspace, number, dossier):
    loan = agreement(workspace, number)
    if loan:
        return loan["Credit, to be given word for word"]
    how, year = dossier["acquired"].split(", ")
    if number in dict(hidden_donors(workspace)):
        return f"Given anonymously, {year}"
    if how == "bought":
        return f"Bought, {year}"
    verb, _, donor = how.partition(" of ")
    name = donor.split(" ", 1)[1]
    return f"{ {'gift': 'Given', 'bequest': 'Bequeathed'}[verb] } by {name}, {year}"


def case_card(workspace, found, places, opening):
    shown = [found[number] for number in places.values()]
    lows, highs = zip(*(map(int, re.findall(r"\d+", d["report Humidity"])) for d in shown))
    stays = [int(d["report Display"].split()[0]) for d in shown]
    loans = [agreement(workspace, number) for number in places.values()]
    stays += [int(loan["On display for at most"].split()[0]) for loan in loans if loan]
    return {
        "lux": min(int(d["report Light"].split()[0]) for d in shown),
        "humidity_low": max(lows),
        "humidity_high": min(highs),
        "out_by": (opening + timedelta(days=7 * min(stays))).isoformat(),
    }


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    found, circa, words = dossiers(workspace), circa_word(workspace), everyday(workspace)
    places, opening = placed(workspace, found)
    shown = {place: (number, found[number]) for place, number in sorted(places.items())}
    dates = {place: label_date(d["date"], circa) for place, (_, d) in shown.items()}
    begins = {place: f"{d['name']}, {dates[place]}" for place, (_, d) in shown.items()}
    unnamed = [name for _, name in hidden_donors(workspace)] + [d["struck"] for d in found.values() if "struck" in d]
    every = {f"{d['name']}, {label_date(d['date'], circa)}" for d in found.values()}
    return {
        "named": {p: {"number": n, "title": d["name"], "date": dates[p]} for p, (n, d) in shown.items()},
        "made": {p: {"materials": made_of(d, words), "height_cm": centimetres(d)} for p, (n, d) in shown.items()},
        "owned": {
            p: {"town": d["made"] or None, "credit": credit_line(workspace, n, d)} for p, (n, d) in shown.items()
        },
        "card": case_card(workspace, found, places, opening),
        "beginnings": begins,
        **{f"begins_{place}": words for place, words in begins.items()},
        **{f"not_{place}": [*unnamed, *sorted(every - {words})] for place, words in begins.items()},
    }
