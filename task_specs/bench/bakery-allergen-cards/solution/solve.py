"""The oracle: follows each product of the plan down to the specifications and along its line, writes matrix and cards."""

import csv
import datetime as dt
import re
import sys
from pathlib import Path

BAKING_DAY = dt.date(2027, 11, 13)
ALLERGENS = "almond barley egg hazelnut milk oats rye sesame soya wheat".split()
BAKED = ("breads", "sweet")


def lines_of(path):
    return path.read_bytes().decode("cp1252" if path.suffix == ".csv" else "utf-8").splitlines()


def day(text):
    return dt.datetime.strptime(text.strip(), "%d.%m.%Y" if "." in text else "%d %B %Y").date()


def on_list(words):
    """Allergens by the words of our list: spelt is a wheat."""
    return {"wheat" if word == "spelt" else word for word in words}


# ---------------------------------------------------------------- specifications


def text_spec(path):
    field = dict(re.split(r":?  +", line, maxsplit=1) for line in lines_of(path) if "  " in line)
    words = {name: field[name].split(", ") for name in ("Contains", "Also on this plant")}
    return {
        "number": field["Your number"],
        "since": day(field["Valid from"]),
        "contains": on_list(w for w in words["Contains"] if " " not in w),
        "may": on_list(w for w in words["Also on this plant"] if " " not in w),
    }


def table_spec(path):
    rows = list(csv.DictReader(lines_of(path), delimiter=";"))
    field = {row["field"]: row["value"] for row in rows if row["field"] != "allergen"}
    marked = lambda column: {row["value"] for row in rows if row["field"] == "allergen" and row[column] == "x"}
    return {
        "number": field["customer no"],
        "since": day(field["valid from"]),
        "contains": marked("present"),
        "may": marked("traces"),
    }


def read_specs(ws):
    """By number all editions, oldest first."""
    found = {}
    for path in (ws / "specs").iterdir():
        spec = text_spec(path) if path.suffix == ".txt" else table_spec(path)
        found.setdefault(spec["number"], []).append(spec)
    return {number: sorted(specs, key=lambda spec: spec["since"]) for number, specs in found.items()}


def edition_in_force(specs):
    return [spec for spec in specs if spec["since"] <= BAKING_DAY][-1]


# ---------------------------------------------------------------- recipes and store


def read_recipes(ws, *names):
    """By name the raw materials and basic recipes that go into it or onto it."""
    found = {}
    for name in names:
        for block in (ws / f"recipes/{name}.yaml").read_text("utf-8").split("- recipe: ")[1:]:
            title, *lines = block.splitlines()
            found[title] = list(ingredients(lines)) + list(finish(lines))
    return found


def ingredients(lines):
    for line in lines:
        if line.startswith("    - "):
            yield line[6:].split("#")[0].strip()


def finish(lines):
    for line in lines:
        if re.match(r"  (?:dusted|rolled|brushed|topped) \w+: ", line):
            yield line.split(": ")[1].split("#")[0].strip()


def replacements(ws):
    """Number -> number that goes in instead on the day of baking."""
    now = {}
    for line in lines_of(ws / "store/notices.txt"):
        put = re.search(r"From (today|tomorrow|Monday \d+ November) (R-\d+) .*? goes in wherever (R-\d+)", line)
        over = re.search(r"(R-\d+) has come after all\. (R-\d+) goes back", line)
        if put and starts_in_time(line, put[1]):
            now[put[3]] = put[2]
        if over:
            now.pop(over[1])
    return now


def starts_in_time(line, word):
    written = int(line.split()[0])
    start = {"today": written, "tomorrow": written + 1}.get(word) or int(word.split()[1])
    return start <= BAKING_DAY.day


def materials(name, recipes, basics, instead):
    """The numbers of the raw materials in a product or a basic recipe."""
    for part in (recipes | basics)[name]:
        if re.fullmatch(r"R-\d+", part):
            yield instead.get(part, part)
        elif part in basics:
            yield from materials(part, recipes, basics, instead)


# ---------------------------------------------------------------- lines


def plan_path(ws):
    return ws / "plan/2027-11-13 v2.txt"


def read_plan(ws):
    """The steps of each line in order of time."""
    found = {}
    for line in lines_of(plan_path(ws)):
        head, step = re.match(r"Line (\w)", line), re.match(r"  \d\d:\d\d  (.*)", line)
        if head:
            steps = found.setdefault(head[1], [])
        elif step:
            steps.append(step[1])
    return found


def cleans(step):
    return step == "wet clean"


def derive(ws):
    """By product the allergens it contains and those it may contain."""
    specs, instead = read_specs(ws), replacements(ws)
    recipes, basics = read_recipes(ws, *BAKED), read_recipes(ws, "basics")
    found = {}
    for steps in read_plan(ws).values():
        before = set()
        for step in steps:
            if cleans(step):
                before = set()
            elif step in recipes:
                known = [edition_in_force(specs[number]) for number in materials(step, recipes, basics, instead)]
                contains = set().union(*(spec["contains"] for spec in known))
                found[step] = contains, set().union(before, *(spec["may"] for spec in known)) - contains
                before |= contains
    return found


def wording(contains, may):
    sentences = [("Contains", contains), ("May contain", may)]
    return " ".join(f"{start} {', '.join(sorted(words))}." for start, words in sentences if words)


def cell(allergen, contains, may):
    return "yes" if allergen in contains else "may" if allergen in may else "no"


def write(ws, answer):
    folder = ws / "stall-13-nov"
    folder.mkdir(exist_ok=True)
    rows = [["product", *ALLERGENS]]
    rows += [[product, *(cell(allergen, *found) for allergen in ALLERGENS)] for product, found in answer.items()]
    (folder / "matrix.csv").write_text("".join(",".join(row) + "\n" for row in rows), "utf-8")
    cards = [f"- {product}: {wording(*found)}\n" for product, found in answer.items()]
    (folder / "cards.md").write_text("".join(cards), "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
