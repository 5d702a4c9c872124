"""Writes a workspace for this task: the same bakery, stall and products, other recipes, specifications, swaps and lines."""

import random
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

SLUG = "bakery-allergen-cards"
BAKING_DAY = date(2027, 11, 13)
ALLERGENS = ("almond", "barley", "egg", "hazelnut", "milk", "oats", "rye", "sesame", "soya", "wheat")

# name: what it is, supplier, what it contains, what may be in it besides
MATERIALS = {
    "strong": ("wheat flour, strong", "Tarrant Mill", ("wheat",), ("barley", "rye", "soya")),
    "spelt": ("spelt flour, wholemeal", "Tarrant Mill", ("spelt",), ("oats", "rye", "barley")),
    "rye": ("rye flour, dark", "Tarrant Mill", ("rye",), ("barley", "oats")),
    "oats": ("oat flakes", "Tarrant Mill", ("oats",), ("barley", "rye")),
    "malt": ("malt syrup", "Goss and Pryor", ("barley",), ()),
    "improver": ("dough improver", "Goss and Pryor", (), ("milk", "egg", "soya")),
    "butter": ("butter", "Elwy Dairies", ("milk",), ()),
    "margarine": ("baking margarine", "Goss and Pryor", (), ("milk", "soya")),
    "blend": ("butter blend", "Elwy Dairies", ("milk", "soya"), ()),
    "powder": ("milk powder", "Elwy Dairies", ("milk",), ()),
    "egg": ("whole egg, pasteurised", "Elwy Dairies", ("egg",), ("milk",)),
    "almond": ("almonds, ground", "Rookwood Nuts", ("almond",), ("hazelnut",)),
    "hazel": ("hazelnut paste", "Rookwood Nuts", ("hazelnut",), ("almond", "sesame")),
    "sesame": ("sesame seed", "Rookwood Nuts", ("sesame",), ()),
    "sunflower": ("sunflower seed", "Rookwood Nuts", (), ("sesame", "almond")),
    "pumpkin": ("pumpkin seed", "Rookwood Nuts", (), ("hazelnut", "soya")),
    "drops": ("chocolate drops", "Goss and Pryor", ("soya",), ("milk", "hazelnut")),
    "fruit": ("raisins", "Rookwood Nuts", (), ("almond", "sesame")),
}
GRAMS = {  # of what there is more or less than of seeds and fillings
    "flour": (3000, 7000),
    "water": (1800, 4200),
    "yeast": (60, 160),
    "salt": (70, 140),
    "sugar": (300, 900),
    "rapeseed oil": (100, 300),
    "malt syrup": (40, 120),
    "dough improver": (30, 70),
    "": (250, 1600),
}
LINES = {
    "A": ("Anchor Cob", "Miller Rye", "Seed Crown", "Oat Tin", "Plain Baguette"),
    "B": ("Harbour Brioche", "Almond Twist", "Custard Bun", "Hazel Knot", "Fruit Wheel"),
}
SWEET = ("Harbour Brioche", "Almond Twist", "Custard Bun", "Hazel Knot", "Fruit Wheel")


@dataclass(frozen=True)
class Spec:
    edition: int
    since: date
    contains: tuple
    may: tuple


@dataclass(frozen=True)
class Recipe:
    name: str
    edition: int
    made_of: tuple  # materials and basic recipes
    finish: tuple  # (word, material or basic recipe)


@dataclass(frozen=True)
class World:
    numbers: dict  # material -> number
    specs: dict  # material -> editions
    basics: dict
    recipes: dict
    archive: dict
    drafts: dict
    swaps: dict  # now, later, over -> (material, material instead)
    plans: tuple  # version 1 and 2: line -> steps


# What a hurried reader may miss; each of these changes the answer on every seed.
BLIND = (
    "spelt future first basics nested finish swap later over supplier line sweep clean plan carries archive drafts other_line"
).split()


# ---------------------------------------------------------------- the rules, as a reader with blind spots sees them


def spec_of(world, material, blind):
    editions = world.specs[material]
    if "first" in blind:
        return editions[0]
    return editions[-1] if "future" in blind else [e for e in editions if e.since <= BAKING_DAY][-1]


def swapped(world, material, blind):
    active = {"now": "swap" not in blind, "later": "later" in blind, "over": "over" in blind}
    return next((new for name, (old, new) in world.swaps.items() if old == material and active[name]), material)


def parts_of(world, recipe, blind, depth=0):
    """The materials in a recipe."""
    for part in (*recipe.made_of, *(() if "finish" in blind else (part for _, part in recipe.finish))):
        if part in world.numbers:
            yield swapped(world, part, blind)
        elif part in world.basics and "basics" not in blind and not (depth and "nested" in blind):
            yield from parts_of(world, world.basics[part], blind, depth + 1)


def named(words, blind):
    return {"wheat" if word == "spelt" and "spelt" not in blind else word for word in words} - {"spelt"}


def recipe_of(world, product, blind):
    source = world.archive if "archive" in blind else world.drafts if "drafts" in blind else world.recipes
    return source.get(product, world.recipes[product])


def own(world, product, blind):
    """What the product contains, and what its materials may bring."""
    specs = [spec_of(world, m, blind) for m in parts_of(world, recipe_of(world, product, blind), blind)]
    contains = named({word for spec in specs for word in spec.contains}, blind)
    return contains, set() if "supplier" in blind else named({word for spec in specs for word in spec.may}, blind)


def answer(world, blind=frozenset()):
    """By product what it contains and what it may contain."""
    steps = world.plans[0 if "plan" in blind else 1]
    found = {}
    for line, order in steps.items():
        lingering = set()
        for step in order:
            if step == "wet clean" and "clean" not in blind or step == "dry sweep" and "sweep" in blind:
                lingering = set()
            elif step not in ("wet clean", "dry sweep"):
                contains, may = own(world, step, blind)
                found[step] = contains, (may | (set() if "line" in blind else lingering)) - contains
                lingering = lingering | contains | (found[step][1] if "carries" in blind else set())
    if "other_line" in blind:
        everything = set().union(*(contains for contains, _ in found.values()))
        return {product: (contains, everything - contains) for product, (contains, _) in found.items()}
    return found


# ---------------------------------------------------------------- drawing a world


def draw_specs(rng):
    specs, future = {}, rng.sample(("strong", "rye", "oats", "hazel", "egg"), 2)
    changed = ["strong", "margarine", *rng.sample(("improver", "drops", "butter"), 2)]
    for material, (_, _, contains, may) in MATERIALS.items():
        may = tuple(sorted(rng.sample(may, min(len(may), rng.choice((1, 1, 2))))))
        new = {"improver": ("soya", "wheat"), "margarine": ("milk",), "butter": ("milk",)}
        editions = [Spec(rng.randint(1, 4), date(2026, rng.randint(2, 11), rng.randint(1, 28)), contains, may)]
        if material in changed:
            now = tuple(sorted({*contains, *new.get(material, ())}))
            other = [word for word in MATERIALS[material][3] or ("soya", "egg") if word not in (*now, *may)]
            since = date(2027, rng.randint(6, 11), rng.randint(1, 9))
            editions.append(Spec(editions[0].edition + 1, since, now, tuple(other[:1])))
        if material in future:
            more = rng.choice([word for word in ("milk", "sesame", "almond") if word not in contains])
            since = rng.choice((date(2027, 11, 15), date(2027, 12, 1), date(2028, 1, 1)))
            editions.append(Spec(editions[-1].edition + 1, since, tuple(sorted({*contains, more})), may))
        specs[material] = tuple(editions)
    return specs


def draw_basics(rng):
    seeds = rng.sample(("sesame", "sunflower", "pumpkin"), 2)
    fat = rng.choice(("butter", "margarine"))
    return {
        "sourdough": Recipe("sourdough", rng.randint(1, 5), ("rye", "water"), ()),
        "seed mix": Recipe("seed mix", rng.randint(1, 5), (*seeds, rng.choice(("oats", "malt"))), ()),
        "egg wash": Recipe("egg wash", rng.randint(1, 5), ("egg", rng.choice(("powder", "water"))), ()),
        "custard": Recipe("custard", rng.randint(1, 5), ("powder", "sugar", "egg wash"), ()),
        "crumble": Recipe("crumble", rng.randint(1, 5), ("strong", fat, rng.choice(("almond", "oats")), "sugar"), ()),
    }


def draw_recipe(rng, product, edition):
    fat = rng.choice(("butter", "margarine"))
    maybe = lambda *parts: tuple(part for part in parts if rng.randrange(2))
    dust = lambda *parts: (("dusted with", rng.choice(parts)),) if rng.randrange(3) else ()
    flour = rng.choice(("strong", "strong", "spelt"))
    doughs = {
        "Anchor Cob": (("strong", "sourdough", *maybe("improver", "malt")), dust("rye", "oats")),
        "Miller Rye": (("rye", "sourdough", *maybe("malt", "spelt")), dust("rye", "oats")),
        "Seed Crown": (
            (flour, "seed mix", *maybe("malt", "improver")),
            (("rolled in", rng.choice(("sesame", "seed mix"))),),
        ),
        "Oat Tin": (("spelt", "oats", *maybe("malt", "powder")), dust("oats", "rye")),
        "Plain Baguette": ((rng.choice(("strong", "strong", "spelt")), *maybe("improver", "malt")), ()),
        "Harbour Brioche": (("strong", "egg", fat, *maybe("powder")), (("brushed with", "egg wash"),)),
        "Almond Twist": ((flour, fat, "almond", *maybe("egg")), (("brushed with", rng.choice(("egg wash", "malt"))),)),
        "Custard Bun": ((flour, "custard", *maybe("improver")), maybe_finish(rng, "crumble")),
        "Hazel Knot": (("strong", fat, "hazel", *maybe("drops")), maybe_finish(rng, "crumble")),
        "Fruit Wheel": (
            (flour, "fruit", *maybe("improver", "butter")),
            (("brushed with", rng.choice(("malt", "egg wash"))),),
        ),
    }
    made_of, finish = doughs[product]
    plain = ("sugar", "yeast", "salt") if product in SWEET else ("water", "yeast", "salt", *maybe("rapeseed oil"))
    return Recipe(product, edition, (*made_of, *plain), finish)


def maybe_finish(rng, part):
    return (("topped with", part),) if rng.randrange(2) else ()


def draw_plans(rng):
    """The two versions of the plan: line -> products and cleanings in order."""
    second = {line: rng.sample(products, len(products)) for line, products in LINES.items()}
    one, two = rng.randrange(5), rng.randrange(5)
    first = {line: list(products) for line, products in second.items()}
    first["A"][one], first["B"][two] = second["B"][two], second["A"][one]
    for line in "AB":
        rng.shuffle(first[line])
    return tuple({line: with_cleanings(rng, order) for line, order in plan.items()} for plan in (first, second))


def with_cleanings(rng, order):
    sweep, wet = rng.sample((1, 2, 3, 4), 2)
    steps = list(order)
    for at, what in sorted(((sweep, "dry sweep"), (wet, "wet clean")), reverse=True):
        steps.insert(at, what)
    return tuple(steps)


def draw_world(rng):
    numbers = dict(zip(MATERIALS, (f"R-{n}" for n in rng.sample(range(201, 299), len(MATERIALS)))))
    products = (*LINES["A"], *LINES["B"])
    recipes = {product: draw_recipe(rng, product, rng.randint(3, 7)) for product in products}
    older = rng.sample(products, 4)
    coming = rng.sample(products, 2)
    swap_now = rng.choice((("butter", "blend"), ("margarine", "blend")))
    return World(
        numbers=numbers,
        specs=draw_specs(rng),
        basics=draw_basics(rng),
        recipes=recipes,
        archive={product: draw_recipe(rng, product, recipes[product].edition - 1) for product in older},
        drafts={product: draw_recipe(rng, product, recipes[product].edition + 1) for product in coming},
        swaps={"now": swap_now, "later": ("malt", "improver"), "over": ("sunflower", "almond")},
        plans=draw_plans(rng),
    )


def sound(world):
    """Whether the world is one that the task wants: every blind spot shows, every material is used, no two cards are alike."""
    right = answer(world)
    cards = {(tuple(sorted(contains)), tuple(sorted(may))) for contains, may in right.values()}
    used = {part for product in right for part in parts_of(world, world.recipes[product], frozenset())}
    if len(cards) < len(right) or len(used & set(MATERIALS)) < 15:
        return False
    return all(answer(world, frozenset((spot,))) != right for spot in BLIND)


# ---------------------------------------------------------------- the papers


def day_of(day):
    return f"{day.day} {day:%B} {day.year}"


def spec_file(world, material, spec):
    """A specification as its supplier writes it: the mill and the nut house as text, the two others as tables."""
    title, supplier, _, _ = MATERIALS[material]
    number = world.numbers[material]
    name = f"specs/{number}-ed{spec.edition}"
    if supplier in ("Tarrant Mill", "Rookwood Nuts"):
        lines = [supplier.upper(), "Product specification", "", f"Your number  {number}", f"Product      {title}"]
        lines += [f"Edition      {spec.edition}", f"Valid from   {day_of(spec.since)}", ""]
        lines += [f"Contains:            {', '.join(spec.contains) or 'none of the allergens on your list'}"]
        lines += [f"Also on this plant:  {', '.join(spec.may) or 'none of the allergens on your list'}"]
        return f"{name}.txt", ("\n".join(lines) + "\n").encode()
    rows = [("field", "value", "present", "traces"), ("supplier", supplier, "", ""), ("customer no", number, "", "")]
    rows += [
        ("product", title, "", ""),
        ("edition", spec.edition, "", ""),
        ("valid from", f"{spec.since:%d.%m.%Y}", "", ""),
    ]
    for allergen in ALLERGENS:
        mark = ("x", "") if allergen in spec.contains else ("", "x") if allergen in spec.may else ("", "")
        rows.append(("allergen", allergen, *mark))
    return f"{name}.csv", "".join(";".join(map(str, row)) + "\r\n" for row in rows).encode("cp1252")


def grams_of(rng, title):
    low, high = next(grams for word, grams in GRAMS.items() if word in title)
    return rng.randrange(low, high, 10)


def recipe_text(world, recipe, rng):
    lines = [f"- recipe: {recipe.name}", f"  edition: {recipe.edition}", "  made of:"]
    for part in recipe.made_of:
        if part in world.numbers:
            title = MATERIALS[part][0]
            lines.append(f"    - {world.numbers[part]}  # {title}, {grams_of(rng, title)} g")
        else:
            lines.append(f"    - {part}  # {grams_of(rng, part)} g")
    for word, part in recipe.finish:
        if part in world.numbers:
            lines.append(f"  {word}: {world.numbers[part]}  # {MATERIALS[part][0]}")
        else:
            lines.append(f"  {word}: {part}")
    return "\n".join(lines) + "\n"


def recipe_files(world, rng):
    groups = {
        "breads": ("what runs on the bread side", [r for n, r in world.recipes.items() if n not in SWEET]),
        "sweet": ("what runs on the sweet side", [r for n, r in world.recipes.items() if n in SWEET]),
        "basics": ("what other recipes are made of", world.basics.values()),
        "archive": ("replaced, kept for complaints", world.archive.values()),
        "drafts": ("on trial, not baked for sale yet", world.drafts.values()),
    }
    for name, (remark, recipes) in groups.items():
        yield f"recipes/{name}.yaml", f"# {remark}\n" + "\n".join(recipe_text(world, recipe, rng) for recipe in recipes)


def notices(world):
    number = world.numbers
    (old, new), (later, instead), (over, other) = (world.swaps[name] for name in ("now", "later", "over"))
    what = lambda material: f"{number[material]} ({MATERIALS[material][0]})"
    return f"""STORE, NOTICE BOARD

2 November   {what(over)} is out of stock. From today {what(other)} goes in wherever {number[over]} is in a recipe.
4 November   The scales in the flour room are back from calibration.
8 November   {what(old)} does not come before Christmas. From tomorrow {what(new)} goes in wherever {number[old]} is in a recipe, until I write otherwise.
9 November   {number[over]} has come after all. {number[other]} goes back to where it was, and everything is as in the recipes.
10 November  From Monday 15 November {what(instead)} goes in wherever {number[later]} is in a recipe.
11 November  Who has taken the blue dustpan?
"""


RULES = """ALLERGEN RULES
Edition 6, in force since 1 October 2027

What these rules call an allergen is one of the ten words that our cards know: almond, barley, egg, hazelnut, milk, oats, rye, sesame, soya, wheat. Spelt is a wheat; on a card it is called wheat.

1. Recipe. What is baked for sale is in recipes/breads.yaml and recipes/sweet.yaml. A recipe may be made of basic recipes, and those of others (recipes/basics.yaml). What a product is dusted, rolled, brushed or topped with is a part of it.

2. Raw materials. Each has a number. Where the store has put up a notice (store/), what it says goes in instead, as long as it holds on the day of baking. Yeast, salt, sugar, water and rapeseed oil have no number; they bring none of the ten.

3. Specification. What is in a raw material is told by its supplier's specification (specs/), in the latest edition that is valid on the day of baking.

4. Contains. A product contains every allergen that is present in one of its raw materials.

5. May contain. A product may contain what it does not contain but what
   - the specification of one of its raw materials lists as traces, or as being on the same plant, or
   - another product contains that has run before it on the same line on the same day, if the line has not been wet cleaned since. A dry sweep takes away crumbs, not allergens. Every line is wet cleaned in the night. What a product only may contain does not travel on.

6. Plan. The order on the lines is that of the latest version of the plan for the day (plan/).

7. Wording. "Contains", then the allergens that it contains, in alphabetical order, in small letters, with commas between them, then a full stop. After it "May contain" and those that it may contain, in the same form. If there are none, that sentence is left out.
"""
OLD_RULES = """ALLERGEN RULES
Edition 4, in force from 1 May 2024 to 30 September 2027

1. A product contains what stands on the bags of its raw materials.
2. It may contain everything that is used on our premises and that it does not contain.
3. Spelt, kamut and emmer are given under their own names.
"""


def plan_file(version, plan):
    lines = [f"PLAN FOR SATURDAY 13 NOVEMBER, version {version}", ""]
    for line, steps in plan.items():
        minute = 150
        lines += [f"Line {line}"]
        for step in steps:
            lines.append(f"  {minute // 60:02d}:{minute % 60:02d}  {step}")
            minute += 20 if step in ("wet clean", "dry sweep") else 45
        lines.append("")
    return "\n".join(lines)


def old_cards(world):
    rows = ["product;in it;traces"]
    for product, (contains, may) in answer(world, frozenset(("first", "swap", "plan"))).items():
        rows.append(f"{product};{'/'.join(sorted(contains))};{'/'.join(sorted(may)) or '-'}")
    return "\r\n".join(rows) + "\r\n"


def mill_mail(world):
    newer = [
        m for m, (_, supplier, _, _) in MATERIALS.items() if supplier == "Tarrant Mill" and len(world.specs[m]) > 1
    ]
    numbers = " and ".join(world.numbers[m] for m in newer) or "none of your flours"
    return f"""From: Tarrant Mill, quality
To: Marguerite
Date: Tue, 9 Nov 2027 10:12
Subject: specifications

Dear Marguerite,

as you asked: since your last cards there are further editions for {numbers}. I have sent them all to your folder. Please look at the day from which each is valid; we print them early so that you can plan.

Best wishes
Oonagh
"""


def stall_mail():
    return """From: Bryn (stall)
To: Marguerite
Date: Wed, 10 Nov 2027 19:40
Subject: Saturday

Somebody asked for the twist without nuts last week. I said that we don't do that, was that right? And could the cards be a bit larger this time? Half my customers hold them at arm's length.
"""


def materials_list(world):
    rows = ["number;raw material;supplier;shelf"]
    for n, (material, (title, supplier, _, _)) in enumerate(MATERIALS.items()):
        rows.append(f"{world.numbers[material]};{title};{supplier};{'ABCD'[n % 4]}{n // 4 + 1}")
    rows[1:] = sorted(rows[1:])
    return "\r\n".join(rows) + "\r\n"


def files_of(rng, world):
    files = dict(recipe_files(world, rng))
    files |= dict(spec_file(world, material, spec) for material, specs in world.specs.items() for spec in specs)
    files |= {
        f"plan/2027-11-13 v{version}.txt": plan_file(version, plan) for version, plan in enumerate(world.plans, 1)
    }
    files |= {
        "quality/allergen-rules-ed6.txt": RULES,
        "quality/allergen-rules-ed4.txt": OLD_RULES,
        "quality/cards-2027-05.csv": old_cards(world),
        "store/notices.txt": notices(world),
        "store/raw-materials.csv": materials_list(world),
        "mail/11-09 mill.txt": mill_mail(world),
        "mail/11-10 stall.txt": stall_mail(),
    }
    return {name: text if isinstance(text, bytes) else text.encode() for name, text in files.items()}


def generate(seed: int, out_dir: Path) -> None:
    """Write the workspace of that seed."""
    rng = random.Random(f"{SLUG}:{seed}")
    world = draw_world(rng)
    while not sound(world):
        world = draw_world(rng)
    for name, content in files_of(rng, world).items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    generate(int(sys.argv[1]), Path(sys.argv[2]))
