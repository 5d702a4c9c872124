"""Writes the event folder of a golden wedding dinner: guest list, replies on form, card and mail, menu, seating."""

import csv
import io
import quopri
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.header import Header
from pathlib import Path

SLUG = "banquet-kitchen-counts"
CLOSE = datetime(2027, 6, 10, 18)
TABLES = ("Heron", "Otter", "Kingfisher", "Pike", "Moorhen", "Damselfly", "Sandpiper")
COURSES = {"starter": ("beetroot", "trout"), "main": ("lamb", "hake", "barley"), "dessert": ("tart", "sorbet")}
DISHES = {  # what is in a dish, and what is plated instead
    "beetroot": ("nuts milk", "melon"),
    "trout": ("fish milk", "beetroot"),
    "melon": ("", ""),
    "lamb": ("meat celery", "barley"),
    "hake": ("fish milk gluten", "barley"),
    "barley": ("gluten celery", "risotto"),
    "noodles": ("gluten egg", "risotto"),
    "risotto": ("milk", "potato"),
    "potato": ("", ""),
    "tart": ("gluten egg milk nuts", "sorbet"),
    "sorbet": ("", "berries"),
    "berries": ("", ""),
}
WORDS = {
    "vegetarian": "meat fish",
    "vegan": "meat fish milk egg",
    "coeliac": "gluten",
    "lactose": "milk",
    "nuts": "nuts",
    "celery": "celery",
    "fish": "fish",
    "egg": "egg",
}
PHRASES = {
    "vegetarian": ("vegetarian", "I am a vegetarian"),
    "vegan": ("vegan", "vegan, sorry"),
    "coeliac": ("coeliac", "coeliac disease"),
    "lactose": ("lactose", "no lactose please"),
    "nuts": ("allergic to nuts", "no nuts!"),
    "celery": ("celery", "celery allergy"),
    "fish": ("allergic to fish",),
    "egg": ("no egg", "egg allergy"),
}
FIRST = (
    "Adeline Barnaby Clemency Dunstan Effie Fergus Greta Horace Ivy Jocelyn Kester Lavinia Mungo Nell Orlando Pansy "
    "Quentin Rosalind Silas Thora Una Vernon Winifred Xanthe Yorick Zelda Ambrose Beatrix Cuthbert Dorcas Edmund Flora"
).split()
LAST = (
    "Applegarth Brindle Cobbold Dimsdale Everdene Fothering Gosling Hartwhistle Inglebrook Jessamy Kettlewell Lavender "
    "Müllerby Nightingale Oxley Pomfret Quickly Rookwood Sorrel Thistledown"
).split()


@dataclass
class Reply:
    """What somebody said about one guest: a whole answer (form, card) or what a mail names."""

    at: datetime
    via: str
    coming: bool | None = True
    choice: dict = field(default_factory=dict)
    needs: tuple = ()


@dataclass
class Guest:
    """One invitation."""

    number: int
    name: str
    age: int | None
    group: str
    table: str = ""
    replies: list = field(default_factory=list)
    role: str = ""

    @property
    def address(self):
        first, last = self.name.lower().replace("ü", "u").split()
        return f"{first}.{last}@letterbox.example"


class World:
    """Who was asked, what they said, and where they sit."""

    def __init__(self, rng):
        self.rng = rng
        self.invite()
        self.answer()
        self.cast()
        self.seat()

    def invite(self):
        rng = self.rng
        numbers = sorted(rng.sample(range(101, 190), 66))
        names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], 66)
        self.guests = []
        for number, name in zip(numbers, names, strict=True):
            age = rng.randrange(4, 15) if rng.random() < 0.14 else None
            self.guests.append(Guest(number, name, age, rng.choice(("family", "family", "club", "village"))))
        for guest in rng.sample(self.guests, 3):
            guest.group, guest.age = "band", None

    def moment(self, first=17, last=8):
        """Some time between 17 May and 8 June."""
        start, end = datetime(2027, 5, first, 8), datetime(2027, 6, last, 22)
        return start + timedelta(minutes=self.rng.randrange(int((end - start).total_seconds() // 60)))

    def whole(self, via, at, coming=True):
        rng = self.rng
        choice = {c: rng.choice(dishes) if rng.random() < 0.93 else "" for c, dishes in COURSES.items()}
        needs = (rng.choice(list(WORDS)),) if rng.random() < 0.3 else ()
        return Reply(at, via, coming, choice if coming else dict.fromkeys(COURSES, ""), needs if coming else ())

    def answer(self):
        rng = self.rng
        for guest in self.guests:
            if rng.random() < 0.06 and guest.group != "band":
                continue
            via = "card" if rng.random() < 0.3 else "form"
            guest.replies.append(self.whole(via, self.moment(last=1), rng.random() < 0.88 or guest.group == "band"))

    def cast(self):
        """Those who have something more to say."""
        rng = self.rng
        coming = [g for g in self.guests if g.replies and g.replies[0].coming and g.group != "band" and g.age is None]
        away = [g for g in self.guests if g.replies and not g.replies[0].coming]
        roles = (
            "again again again card-later needs-first needs-first needs-chain needs-chain mail-main mail-need late-dish "
            "late-need cancel cancel-late cancel-later"
        ).split()
        chosen = rng.sample(coming, len(roles))
        for guest, role in zip(chosen, roles, strict=True):
            guest.role = role
        for guest, role in zip(rng.sample(away, min(3, len(away))), ("comes", "comes", "late-yes"), strict=False):
            guest.role = role
        for guest in self.guests:
            self.say_more(guest)

    def say_more(self, guest):
        rng, role = self.rng, guest.role
        second = lambda: datetime(2027, 6, rng.randrange(3, 9), rng.randrange(8, 22), rng.randrange(60))
        if role in ("again", "comes"):
            guest.replies.append(self.whole("form", second()))
        elif role == "card-later":
            guest.replies = [self.whole("form", self.moment(last=1)), self.whole("card", second())]
        elif role == "needs-first":
            guest.replies[0].needs = (rng.choice(("vegetarian", "coeliac", "nuts", "celery")),)
            later = self.whole("form", second())
            guest.replies.append(Reply(later.at, "form", True, later.choice, ()))
        elif role == "needs-chain":
            guest.replies[0].needs = ("vegan",)
            guest.replies[0].choice = {"starter": "trout", "main": rng.choice(("hake", "lamb")), "dessert": "tart"}
        elif role == "mail-main":
            old = guest.replies[0].choice["main"]
            guest.replies.append(
                Reply(second(), "mail", None, {"main": rng.choice([d for d in COURSES["main"] if d != old])})
            )
        elif role == "mail-need":
            guest.replies.append(Reply(second(), "mail", None, {}, ("celery",)))
            guest.replies[0].choice["main"] = rng.choice(("lamb", "barley"))
        elif role == "late-dish":
            guest.replies[0].choice["main"] = "lamb"
            guest.replies.append(Reply(datetime(2027, 6, 10, 19, 25), "mail", None, {"main": "hake"}))
        elif role == "late-need":
            guest.replies[0].choice["dessert"] = "tart"
            guest.replies[0].needs = ()
            guest.replies.append(Reply(datetime(2027, 6, 11, 9, 40), "mail", None, {}, ("egg",)))
        elif role == "cancel":
            guest.replies.append(Reply(second(), "mail", False))
        elif role in ("cancel-late", "cancel-later"):
            at = datetime(2027, 6, 11, 13, 5) if role == "cancel-late" else datetime(2027, 6, 11, 15, 40)
            guest.replies.append(Reply(at, "mail", False))
        elif role == "late-yes":
            guest.replies.append(Reply(datetime(2027, 6, 11, 10, 12), "mail", True))

    def comes(self, guest):
        heard = [r for r in sorted(guest.replies, key=lambda r: r.at) if r.at <= CLOSE or r.coming is False]
        said = [reply.coming for reply in heard if reply.coming is not None]
        return bool(said) and said[-1] and guest.group != "band"

    def seat(self):
        """A plan for all who had said yes by 9 June, and Hedwig's changes to it."""
        rng = self.rng
        seated = [g for g in self.guests if any(r.coming and r.at < CLOSE for r in g.replies) and g.group != "band"]
        rng.shuffle(seated)
        for n, guest in enumerate(seated):
            guest.table = TABLES[n % len(TABLES)]
        self.plan = {g.number: g.table for g in seated}
        here = [g for g in seated if self.comes(g)]
        one = rng.choice(here)
        other, third = (
            rng.choice([g for g in here if g.table not in tables]) for tables in ((one.table,), (one.table,))
        )
        mover = rng.choice([g for g in here if g not in (one, other, third)])
        target = rng.choice([t for t in TABLES if t != mover.table])
        self.swap, self.move = (one, other, third), (mover, target)
        one.table, third.table = third.table, one.table
        mover.table = target

    def sound(self):
        answered = [g for g in self.guests if g.role in ("comes", "late-yes")]
        one, other, third = self.swap
        return (
            len(answered) == 3
            and len({one.number, other.number, third.number}) == 3
            and len({g.table for g in self.swap}) == 3
        )


def make_world(seed):
    rng = random.Random(f"{SLUG}:{seed}")
    while True:
        world = World(rng)
        if world.sound():
            return world


# files


def table(rows, separator=",", end="\n"):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    return out.getvalue()


def guest_files(world):
    rows = [("number", "name", "group", "age (children only)")]
    rows += [(g.number, g.name, g.group, g.age or "") for g in world.guests]
    old = [row for row in rows if world.rng.random() < 0.8 or row[0] == "number"]
    return {
        "guests/guest-list.csv": ("\ufeff" + table(rows, end="\r\n")).encode(),
        "guests/old/guest-list-march.csv": ("\ufeff" + table(old, end="\r\n")).encode(),
    }


def spoken(world, needs):
    return ", ".join(world.rng.choice(PHRASES[need]) for need in needs)


def replies_by(world, via):
    found = [(reply.at, guest, reply) for guest in world.guests for reply in guest.replies if reply.via == via]
    return sorted(found, key=lambda item: (item[0], item[1].number))


def form_file(world):
    rows = [
        (
            "Timestamp",
            "Number on your invitation",
            "Will you come?",
            "Starter",
            "Main course",
            "Dessert",
            "Anything we should know?",
        )
    ]
    for at, guest, reply in replies_by(world, "form"):
        answer = "Yes, gladly" if reply.coming else "Sadly not"
        small_talk = ("", "", "", "", "looking forward!", "is there parking?") if reply.coming else ("", "a pity")
        remark = spoken(world, reply.needs) or world.rng.choice(small_talk)
        dishes = [reply.choice[course].capitalize() for course in COURSES]
        rows.append((f"{at:%d/%m/%Y %H:%M}:{world.rng.randrange(60):02d}", guest.number, answer, *dishes, remark))
    return table(rows)


def card_file(world):
    rows = ["stamp\tnumber\tcoming\tstarter\tmain\tdessert\twritten on it"]
    for at, guest, reply in replies_by(world, "card"):
        dishes = [reply.choice[course] or "-" for course in COURSES]
        answer = "yes" if reply.coming else "no"
        rows.append("\t".join((f"{at.day} {at:%b}", str(guest.number), answer, *dishes, spoken(world, reply.needs))))
    return "\r\n".join(["# Reply cards, typed in by Perpetua as they came with the post", *rows, ""]).encode("cp1252")


def mail(sender, address, at, subject, text):
    name = sender if sender.isascii() else Header(sender, "utf-8").encode()
    return (
        f"From: {name} <{address}>\nTo: kitchen@plumandpewter.example\nDate: {at:%a, %d %b %Y %H:%M}:00 +0100\n"
        f"Subject: {subject}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        f"Content-Transfer-Encoding: quoted-printable\n\n{quopri.encodestring(text.encode()).decode()}\n"
    )


SAID = {
    "mail-main": (
        "my main course",
        "Could I have the {main} for my main course after all, please? Invitation {number}. The rest as I wrote.",
    ),
    "mail-need": ("forgot", "I forgot to tick it: I am allergic to celery. Number {number}."),
    "late-dish": ("hake?", "If it is not too late I should like the hake instead of the lamb. Number {number}."),
    "late-need": (
        "egg",
        "My doctor rang this morning: no egg for me from now on, not even a little. Number {number} on your list.",
    ),
    "cancel": ("cannot come", "I am so sorry, number {number} has to stay at home with a broken ankle. Dance for me."),
    "cancel-later": (
        "fever",
        "Number {number} is in bed with a fever and will not be with us tomorrow. Please eat the tart for me.",
    ),
    "late-yes": ("yes!", "My leave has come through: number {number} can come after all! Anything to eat will do."),
    "cancel-late": (
        "not tomorrow",
        "The heifer is calving, so nobody will sit on the chair of number {number} tomorrow. Forgive us.",
    ),
}


def mails(world):
    files, one_other_third = {}, world.swap
    for at, guest, reply in replies_by(world, "mail"):
        subject, text = SAID[guest.role]
        text = text.format(number=guest.number, main=reply.choice.get("main"))
        files[f"mail/{at:%m-%d %H%M} {guest.number}.eml"] = mail(guest.name, guest.address, at, subject, text)
    one, other, third = one_other_third
    mover, target = world.move
    hedwig = ("Hedwig Thornecroft", "hedwig@thornecroft.example")
    chef = ("Chef Anselm", "anselm@plumandpewter.example")
    notes = [
        (
            *hedwig,
            datetime(2027, 6, 9, 20, 15),
            "two chairs",
            f"One change to my plan of this morning: {one.name} and {other.name} change places, table and all.",
        ),
        (
            *hedwig,
            datetime(2027, 6, 10, 8, 30),
            "two chairs, again",
            f"I was thinking of the wrong one. {other.name} stays. It is {third.name} with whom {one.name} changes places. "
            f"And {mover.name} moves to {target}, to be near the door.",
        ),
        (
            *chef,
            datetime(2027, 6, 11, 7, 10),
            "two recipes",
            "The table of dishes is right but for two lines. The sorbet has egg white in it this time, so it contains egg. The "
            "tart is made with oats instead of almonds, so there are no nuts in it any more. The oats are not gluten-free.",
        ),
        (
            "Uncle Wilbur",
            "wilbur@thornecroft.example",
            datetime(2027, 6, 10, 11, 0),
            "my place",
            f"Put {other.name} next to me, wherever that is. We have not spoken since 1998 and it is time.",
        ),
        (
            "Linen Hire",
            "office@linenhire.example",
            datetime(2027, 6, 8, 15, 45),
            "napkins",
            "80 napkins, 9 cloths, damson. The van comes on Saturday at 9.",
        ),
    ]
    for sender, address, at, subject, text in notes:
        files[f"mail/{at:%m-%d %H%M} {sender.split()[-1].lower()}.eml"] = mail(sender, address, at, subject, text)
    return files


def dish_table(world):
    rows = [("dish", "contains", "if that will not do, plate")]
    rows += [(dish, inside.replace(" ", ", ") or "-", instead or "-") for dish, (inside, instead) in DISHES.items()]
    return table(rows, ";")


SHEET = """# Function sheet 27-118, revision 3

*9 June 2027. Replaces revision 2. Thornecroft, golden wedding, Saturday 12 June 2027, the boathouse. Dinner at 19.00.*

**Who.** Whoever is on the guest list and has said yes. No answer means no; Hedwig has rung them all. The band is on the list too, but eats with us in the kitchen: leave it out.

**Replies.** There are three ways: the form, the card and mail to the kitchen. A form or a card is a whole answer and takes the place of anything that the same guest said before, what they need excepted (see below). A card counts from the day stamped on it. A mail changes only what it speaks of.

**Closing.** What came in after Thursday 10 June, 18.00, no longer changes dishes and brings nobody new. Two things count at any time: that somebody cannot come, and what somebody needs.

**No choice.** Who comes but has left a course open gets the first dish that the menu names for it.

**Children** under 12 get noodles as their main course, whatever was ticked. Starter and dessert as the others.

**Needs.** Whatever a guest has told us in any of their replies, early or late, holds. Vegetarian: no meat, no fish. Vegan: no meat, fish, milk or egg. Coeliac: no gluten. Lactose: no milk. The rest is said as it is in the table of dishes.

**Dishes.** If a dish contains something that the guest cannot have, the guest gets the dish named beside it in the kitchen's table of dishes. If that one will not do either, the one beside that, and so on. What Anselm, our chef, says about a dish goes before the table.

**Seating.** Hedwig's plan, newest version, and what she has written since. Nobody else's wishes. An empty chair stays empty.
"""

SHEET_2 = """# Function sheet 27-118, revision 2

*20 May 2027. Thornecroft, golden wedding.*

**Who.** Everybody on the guest list who has not said no, and the band (at Damselfly).

**Replies.** The first answer counts.

**No choice.** The vegetarian dish.

**Children** under 14 get noodles.

**Needs.** As on the last reply.
"""

MENU = """Hedwig & Tobias Thornecroft
fifty years

to begin with
Beetroot, walnuts and curd
or
Trout, smoked over alder

then
Lamb shoulder
or
Hake in breadcrumbs
or
Barley with lovage

to end with
Plum tart
or
Sorbet
"""


def seating(world):
    rng = world.rng
    rows = [("table", "chair", "guest")]
    for name in TABLES:
        at = [number for number, where in sorted(world.plan.items()) if where == name]
        rows += [(name, chair, number) for chair, number in enumerate(at, 1)]
    shifted = dict(zip(world.plan, rng.sample([*world.plan.values()], len(world.plan)), strict=True))
    early = [(where, number) for number, where in shifted.items() if rng.random() < 0.9]
    return {
        "seating/plan-9-june.csv": table(rows),
        "seating/plan-2-june.csv": table([("table", "guest"), *sorted(early)]),
        "seating/room.txt": "Door by Moorhen. Mind the oars. Kingfisher wobbles.\n",
    }


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    world = make_world(seed)
    files = guest_files(world) | mails(world) | seating(world)
    files |= {
        "replies/form-export.csv": form_file(world),
        "replies/cards.tsv": card_file(world),
        "function-sheet/27-118 rev 3.md": SHEET,
        "function-sheet/27-118 rev 2.md": SHEET_2,
        "kitchen/dishes.csv": dish_table(world),
        "kitchen/menu card.txt": MENU,
        "kitchen/shopping.txt": "Plums 11 kg, lovage 6 bunches, ice. Somebody return the copper pan.\n",
    }
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    import sys

    generate(int(sys.argv[1]), sys.argv[2])
