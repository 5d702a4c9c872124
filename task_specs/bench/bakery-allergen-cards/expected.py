"""The second derivation, from the pristine workspace: allergen by allergen, from the raw materials that bring it up to the cards."""

from datetime import date

DAY = date(2027, 11, 13)
ALLERGENS = ("almond", "barley", "egg", "hazelnut", "milk", "oats", "rye", "sesame", "soya", "wheat")
MONTHS = "January February March April May June July August September October November December".split()


def text_of(path):
    return path.read_bytes().decode("cp1252").replace("\r", "")


def date_in(text):
    if "." in text:
        day, month, year = map(int, text.split("."))
        return date(year, month, day)
    day, month, year = text.split()
    return date(int(year), MONTHS.index(month) + 1, int(day))


def brings(workspace):
    """By number of a raw material: allergen -> `present` or `traces`, from the edition that holds on the day."""
    newest = {}
    for path in (workspace / "specs").iterdir():
        number, _, edition = path.stem.partition("-ed")
        text = text_of(path)
        since = next(line for line in text.split("\n") if line.lower().startswith("valid from"))
        since = since[10:].strip() if path.suffix == ".txt" else since.split(";")[1]
        if date_in(since) <= DAY and int(edition) > newest.get(number, (0, ""))[0]:
            newest[number] = int(edition), text
    return {number: marks(text) for number, (_, text) in newest.items()}


def marks(text):
    found = {}
    for line in text.replace("spelt", "wheat").split("\n"):
        cells = line.split(";")
        if cells[0] == "allergen" and "x" in cells:
            found[cells[1]] = "present" if cells[2] else "traces"
        for start, how in (("Also on this plant:", "traces"), ("Contains:", "present")):
            if line.startswith(start):
                found |= {word.strip(): how for word in line[len(start) :].split(",") if word.strip() in ALLERGENS}
    return found


def recipes(workspace, *names):
    """By name of a recipe everything that stands behind a dash or the word for its finish."""
    found = {}
    for name in names:
        for line in text_of(workspace / "recipes" / f"{name}.yaml").split("\n"):
            plain = line.split("#")[0].rstrip()
            if plain.startswith("- recipe:"):
                parts = found.setdefault(plain[9:].strip(), set())
            elif plain.startswith("    - "):
                parts.add(plain[6:])
            elif plain.startswith("  ") and not plain.startswith(("  edition:", "  made of:")):
                parts.add(plain.split(": ")[1])
    return found


def store_puts(workspace, number):
    """The number that goes in for a raw material on the day: the last notice about it that has begun."""
    now = number
    for line in text_of(workspace / "store/notices.txt").split("\n"):
        if f"wherever {number} is in a recipe" in line:
            begins, _, rest = line.partition("From ")[2].partition(" R-")
            first = int(line.split()[0]) + (begins == "tomorrow") if begins.startswith("to") else int(begins.split()[1])
            now = f"R-{rest.split()[0]}" if first <= DAY.day else now
        if f"{number} has come after all" in line:
            now = number
    return now


def whole(parts, basics):
    """All raw materials in a set of parts, basic recipes opened until none is left."""
    closed = parts & basics.keys()
    return whole((parts - closed).union(*(basics[name] for name in closed)), basics) if closed else parts


def plan(workspace):
    """By line its steps."""
    newest = max((workspace / "plan").iterdir(), key=lambda path: path.stem.split()[-1])
    blocks = text_of(newest).split("Line ")[1:]
    return [[line.strip()[5:].strip() for line in block.split("\n")[1:] if line.strip()] for block in blocks]


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    bought, basics = brings(workspace), recipes(workspace, "basics")
    inside = {}
    for product, parts in recipes(workspace, "breads", "sweet").items():
        numbers = {part for part in whole(parts, basics) if part.startswith("R-")}
        inside[product] = [bought[store_puts(workspace, number)] for number in numbers]
    state = {}
    for steps in plan(workspace):
        for allergen in ALLERGENS:
            on_the_line = False
            for step in steps:
                hows = {material.get(allergen) for material in inside.get(step, [])}
                if step == "wet clean":
                    on_the_line = False
                elif "present" in hows:
                    state[step, allergen], on_the_line = "yes", True
                elif step in inside:
                    state[step, allergen] = "may" if on_the_line or "traces" in hows else "no"
    products = sorted({product for product, _ in state})
    values = {
        "matrix": {product: {allergen: state[product, allergen] for allergen in ALLERGENS} for product in products}
    }
    for product in products:
        name = product.lower().replace(" ", "_")
        listed = {word: ", ".join(a for a in ALLERGENS if state[product, a] == word) for word in ("yes", "may")}
        values[f"card_{name}"] = f"Contains {listed['yes']}" + (
            f". May contain {listed['may']}" if listed["may"] else ""
        )
        values[f"not_{name}"] = ["spelt", *(a for a in ALLERGENS if state[product, a] == "no")]
        values[f"not_{name}"] += [] if listed["may"] else ["May contain"]
    return values
