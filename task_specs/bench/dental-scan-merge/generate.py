"""Writes two other picture shares for the same merger: other patients, pictures and muddles, pure in the seed."""

import quopri
import random
import sys
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path

SLUG = "dental-scan-merge"
BOUND = date(2025, 9, 1)
WORDS = {
    "OPG": ("panorama",),
    "BW": ("bitewing-left", "bitewing-right"),
    "PA": ("tooth",),
    "IOU": ("upper",),
    "IOL": ("lower",),
}
NUMBERS = {"OPG": 1, "PA": 2, "BW": 3, "IOU": 5, "IOL": 6}
SURNAMES = (
    "Abernathy", "Blackwood", "Castellan", "Dunmore", "Ellery", "Farrant", "Goodrick", "Hallam", "Inchbald", "Jessop",
    "Kettlewell", "Loxley", "Merriman", "Nettleship", "Osgood", "Penhale", "Quarrell", "Rushworth", "Stannard",
)  # fmt: skip
GIVEN = (
    "Ada", "Bernard", "Clement", "Dorothea", "Edmund", "Frances", "Gilbert", "Harriet", "Isobel", "Jonah", "Katherine",
    "Leopold", "Marian", "Norbert", "Olive", "Percival", "Rhoda", "Silas",
)  # fmt: skip


@dataclass(frozen=True)
class Patient:
    """As the registry has it; `ashgrove` and `quayside` are empty where the patient was never there."""

    number: int
    surname: str
    given: str
    born: str
    ashgrove: str
    quayside: str
    status: str = "active"


@dataclass(frozen=True)
class Picture:
    """A file of a share. `patient` is what its header says; `slot` is the row of the Quayside index, or None."""

    path: str
    unit: str
    patient: str
    kind: str
    taken: datetime | None
    body: str
    imported: str = ""
    slot: tuple | None = None


@dataclass
class World:
    rng: random.Random
    patients: dict
    units: dict
    pictures: list
    misfiled: list
    flat_from: date
    next_image: int


# --- people and units ------------------------------------------------------------------------------------------------


def draw_patients(rng):
    """By role; `bride` is the number that the registrar gives up, `left` and `right` have each other's Quayside number."""
    surnames, given = rng.sample(SURNAMES, 15), rng.sample(GIVEN, 15)
    numbers = sorted(rng.sample(range(30110, 30990), 15))
    rng.shuffle(numbers)
    north = [str(n) for n in rng.sample(range(4102, 4996), 8)]
    homes = [f"{n:04d}" for n in rng.sample(range(203, 988), 8)]
    wife_born = born(rng)
    rows = {
        "both": (north[0], f"{homes[0]}/1"),
        "plain": (north[1], ""),
        "wife": (north[2], ""),
        "bride": ("", f"{homes[1]}/1"),
        "gone": (north[3], ""),
        "neighbour": (north[4], ""),
        "mother": ("", f"{homes[2]}/1"),
        "son": ("", f"{homes[2]}/2"),
        "left": ("", f"{homes[3]}/1"),
        "right": (north[5], f"{homes[4]}/1"),
        "moved": ("", f"{homes[5]}/1"),
        "quiet": (north[6], f"{homes[6]}/1"),
    }
    found = {}
    for role, (ashgrove, quayside) in rows.items():
        status = "closed" if role in ("gone", "moved") else "active"
        found[role] = Patient(numbers.pop(), surnames.pop(), given.pop(), born(rng), ashgrove, quayside, status)
    found["wife"] = replace(found["wife"], born=wife_born)
    found["bride"] = replace(found["bride"], born=wife_born, given=found["wife"].given)
    found["son"] = replace(found["son"], surname=found["mother"].surname)
    return found


def born(rng):
    return f"{date(1938, 1, 1) + timedelta(days=rng.randint(0, 27000)):%d/%m/%Y}"


def draw_units(rng):
    """Serial number by name of the unit; the names stand for what it is and where."""
    serials = [str(n) for n in rng.sample(range(21000, 89000), 6)]
    names = ("A-xray", "A-panorama", "A-mouth", "Q-xray", "Q-panorama", "Q-mouth")
    return dict(zip(names, serials))


def unit_for(practice, kind):
    return f"{practice}-{'panorama' if kind == 'OPG' else 'mouth' if kind in ('IOU', 'IOL') else 'xray'}"


# --- pictures --------------------------------------------------------------------------------------------------------


def draw_facet(rng):
    corners = "".join(
        f"      vertex {rng.randint(-400, 400) / 10} {rng.randint(-400, 400) / 10} {rng.randint(0, 90) / 10}\n"
        for _ in range(3)
    )
    return f"  facet normal 0 0 1\n    outer loop\n{corners}    endloop\n  endfacet\n"


def draw_body(rng, kind):
    """Mesh or image without the header."""
    if kind in ("IOU", "IOL"):
        return "".join(draw_facet(rng) for _ in range(4))
    rows = (" ".join(str(rng.randint(0, 255)) for _ in range(8)) for _ in range(6))
    return "8 6\n255\n" + "\n".join(rows) + "\n"


def some_day(rng, first=date(2026, 1, 12), last=date(2027, 7, 30)):
    day = first + timedelta(days=rng.randint(0, (last - first).days))
    return day - timedelta(days=max(0, day.weekday() - 4))


def at(rng, day):
    return datetime(day.year, day.month, day.day, rng.randint(8, 16), rng.randint(0, 59))


def ashgrove(world, role, kind, taken, word=0, filed=None, patient=None, note=""):
    """A picture in the folder of the patient of that role, filed on a day that may be another."""
    rng, folder = world.rng, world.patients[role].ashgrove
    day = filed or (taken.date() if taken else some_day(rng))
    extension = "stl" if kind in ("IOU", "IOL") else "pgm"
    path = f"ashgrove/{folder}/{day}_{WORDS[kind][word]}{note}.{extension}"
    unit = world.units[unit_for("A", kind)]
    picture = Picture(path, unit, patient or folder, kind, taken, draw_body(rng, kind))
    world.pictures.append(picture)
    return picture


def quayside(world, role, kind, taken, indexed=True, appointment=None):
    rng = world.rng
    world.next_image += rng.randint(1, 7)
    extension = "stl" if kind in ("IOU", "IOL") else "pgm"
    number = true_quayside(world, role)
    slot = (number, appointment or taken.date(), NUMBERS[kind]) if indexed else None
    path, unit = f"quayside/IMG_{world.next_image:04d}.{extension}", world.units[unit_for("Q", kind)]
    picture = Picture(path, unit, number.split("/")[0], kind, taken, draw_body(rng, kind), slot=slot)
    world.pictures.append(picture)
    return picture


def true_quayside(world, role):
    """The number that the Quayside share uses; the registry has those of `left` and `right` exchanged."""
    return world.patients[{"left": "right", "right": "left"}.get(role, role)].quayside


def copied(world, old, new):
    """Make `new` a copy of the picture `old`, imported from the other practice or not."""
    world.pictures.remove(new)
    other = new.path.split("/")[0] != old.path.split("/")[0]
    day = (old.taken.date() + timedelta(days=world.rng.randint(20, 60))).isoformat() if other else ""
    world.pictures.append(replace(new, unit=old.unit, taken=old.taken, body=old.body, imported=day))


def fill_ashgrove(world):
    rng = world.rng
    visit = at(rng, some_day(rng))
    upper = ashgrove(world, "both", "IOU", visit)
    again = ashgrove(world, "both", "IOU", visit, note=rng.choice((" (1)", "_neu", "-copy")))
    copied(world, upper, again)
    visit = at(rng, some_day(rng)).replace(minute=rng.randint(20, 50))
    ashgrove(world, "plain", "BW", visit, word=0)
    ashgrove(world, "plain", "BW", visit - timedelta(minutes=rng.randint(3, 9)), word=1)
    day = some_day(rng)
    ashgrove(world, "plain", "OPG", at(rng, day), filed=day + timedelta(days=rng.randint(1, 20)))
    old = some_day(rng, date(2025, 2, 3), date(2025, 8, 29))
    ashgrove(world, "plain", "IOU", at(rng, old), filed=BOUND + timedelta(days=rng.randint(2, 9)))
    ashgrove(world, "wife", "OPG", at(rng, some_day(rng)))
    for kind in rng.sample(("BW", "OPG", "IOL"), rng.choice((1, 1, 2))):
        ashgrove(world, "gone", kind, at(rng, some_day(rng)))
    ashgrove(world, "neighbour", "IOL", at(rng, BOUND))
    plain, neighbour = world.patients["plain"].ashgrove, world.patients["neighbour"].ashgrove
    lost = ashgrove(world, "neighbour", "PA", at(rng, some_day(rng)), patient=plain)
    world.misfiled.append((lost.path.split("/", 1)[1], plain))
    ashgrove(world, "neighbour", "OPG", at(rng, some_day(rng)), patient=world.patients["right"].ashgrove)
    world.misfiled.append((f"{neighbour}/{some_day(rng)}_tooth.pgm", world.patients["gone"].ashgrove))
    stranger = str(int(max(p.ashgrove for p in world.patients.values())) + rng.randint(2, 5))
    world.patients["stranger"] = Patient(0, "", "", "", stranger, "")
    ashgrove(world, "stranger", "BW", at(rng, some_day(rng)), word=1)
    if rng.random() < 0.7:
        ashgrove(world, "right", rng.choice(("PA", "OPG")), None)
    for role in rng.sample(("plain", "wife", "quiet"), rng.choice((0, 1, 2))):
        ashgrove(world, role, "PA" if role == "plain" else "BW", at(rng, some_day(rng)))


def fill_quayside(world):
    rng = world.rng
    visit = at(rng, some_day(rng)).replace(minute=rng.randint(20, 50))
    quayside(world, "both", "BW", visit)
    quayside(world, "both", "BW", visit - timedelta(minutes=rng.randint(3, 9)))
    quayside(world, "mother", "OPG", at(rng, some_day(rng)))
    day = some_day(rng)
    quayside(world, "son", "BW", at(rng, day), appointment=day - timedelta(days=rng.choice((1, 7, 14))))
    quayside(world, "son", "PA", at(rng, some_day(rng)), indexed=False)
    quayside(world, "left", "IOU", at(rng, some_day(rng)), indexed=False)
    quayside(world, "right", "BW", at(rng, some_day(rng)))
    flat = world.flat_from + timedelta(days=rng.randint(1, 4))
    reset = datetime(2000, 1, rng.randint(2, 4), 9, rng.randint(0, 59))
    quayside(world, "left", "OPG", reset, appointment=flat)
    quayside(world, "right", "OPG", reset + timedelta(minutes=rng.randint(70, 190)), indexed=False)
    quayside(world, "bride", "BW", at(rng, some_day(rng, date(2026, 1, 12), date(2026, 5, 29))))
    if rng.random() < 0.6:
        quayside(world, "moved", rng.choice(("IOL", "BW")), at(rng, some_day(rng)))
    for role in rng.sample(("both", "mother", "left"), rng.choice((0, 1, 1))):
        quayside(world, role, "BW", at(rng, some_day(rng)))
    one = quayside(world, "mother", "PA", at(rng, some_day(rng)))
    copied(world, one, quayside(world, "right", "PA", one.taken))


def cross(world):
    """Pictures that one practice sent to the other: an original on each side."""
    rng = world.rng
    for kind, role in zip(rng.sample(("IOL", "PA", "OPG"), 2), ("both", "quiet")):
        visit = at(rng, some_day(rng))
        home, away = ashgrove(world, role, kind, visit), quayside(world, role, kind, visit)
        if role == "both":
            copied(world, home, away)
        else:
            filed = away.taken.date() + timedelta(days=rng.randint(3, 30))
            world.pictures.remove(home)
            copied(world, away, ashgrove(world, role, kind, visit, filed=filed))


def draw_world(rng):
    world = World(
        rng, draw_patients(rng), draw_units(rng), [], [], some_day(rng, date(2026, 11, 2), date(2027, 3, 1)), 0
    )
    world.next_image = rng.randint(120, 380)
    fill_ashgrove(world)
    parts = [fill_quayside, cross]
    rng.shuffle(parts)
    for part in parts:
        part(world)
    return world


def sound(world):
    """All paths differ, and no two pictures of a patient share day and kind but for the pairs that are meant to."""
    paths = [p.path for p in world.pictures]
    days = [(p.path.split("/")[1] if "ashgrove" in p.path else p.patient, p.kind, p.taken.date()) for p in dated(world)]
    crowded = [day for day in set(days) if days.count(day) > 1]
    ghost = f"ashgrove/{world.misfiled[1][0]}"
    return len({*paths, ghost}) == len(paths) + 1 and len(crowded) == 3 and len(paths) <= 30


def dated(world):
    return [p for p in world.pictures if p.taken]


# --- writing ---------------------------------------------------------------------------------------------------------


def picture_file(world, picture):
    south = picture.path.startswith("quayside")
    if picture.path.endswith(".stl"):
        fields = [f"unit={picture.unit}", f"patient={picture.patient}"]
        fields += [f"kind={NUMBERS[picture.kind]}"] if south else []
        fields += [f"taken={picture.taken:%Y-%m-%dT%H:%M}"] if picture.taken else []
        fields += [f"imported={picture.imported}"] if picture.imported else []
        return f"solid {' '.join(fields)}\n{picture.body}endsolid\n".encode()
    lines = ["P2", f"# unit {picture.unit}", f"# patient {picture.patient}"]
    lines += [f"# kind {NUMBERS[picture.kind]}"] if south else []
    lines += [f"# taken {picture.taken:%Y-%m-%d %H:%M}"] if picture.taken else []
    lines += [f"# imported {picture.imported}"] if picture.imported else []
    return ("\n".join(lines) + "\n" + picture.body).encode()


def index_file(world):
    lines = ["File;Patient;Appointment;Kind;Remark"]
    rows = [p for p in world.pictures if p.slot]
    world.rng.shuffle(rows)
    for picture in rows:
        number, day, kind = picture.slot
        remark = world.rng.choice(("", "", "", "naïve about floss", "via fax", "crown, café au lait"))
        lines.append(f"{picture.path.split('/')[1]};{number};{day:%d/%m/%Y};{kind};{remark}")
    return ("\r\n".join(lines) + "\r\n").encode("cp1252")


def registry(world):
    lines = ["new_no;surname;given;born;ashgrove;quayside;status"]
    rows = [p for p in world.patients.values() if p.number]
    for p in sorted(rows, key=lambda p: p.number):
        lines.append(f"{p.number};{p.surname};{p.given};{p.born};{p.ashgrove};{p.quayside};{p.status}")
    return ("\r\n".join(lines) + "\r\n").encode("utf-8-sig")


def units(world):
    what = {"xray": "small X-ray", "panorama": "panorama", "mouth": "mouth scanner"}
    lines = ["serial,what,practice"]
    for name, serial in sorted(world.units.items(), key=lambda item: item[1]):
        lines.append(f"{serial},{what[name[2:]]},{'Ashgrove' if name[0] == 'A' else 'Quayside'}")
    return ("\n".join(lines) + "\n").encode()


def misfiled(world):
    lines = [f"{path}   is {number}'s" for path, number in world.misfiled[:1]]
    lines += [f"{path}   is {number}'s  (put right in June, T.)" for path, number in world.misfiled[1:]]
    world.rng.shuffle(lines)
    return ("Pictures in the wrong folder. I never dare move them.  Tilda\n\n" + "\n".join(lines) + "\n").encode()


def mail(sender, to, sent, subject, text):
    days, months = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), ("Jul", "Aug")
    head = f"{days[sent.weekday()]}, {sent.day:02d} {months[sent.month - 7]} {sent:%Y %H:%M}:00 +0100"
    lines = [f"From: {sender}", f"To: {to}", f"Date: {head}", f"Subject: {subject}", "MIME-Version: 1.0"]
    lines += ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", ""]
    return "\n".join(lines).encode() + b"\n" + quopri.encodestring(text.encode())


def spoken(day):
    months = "January February March April May June July August September October November December".split()
    return f"{day.day} {months[day.month - 1]} {day.year}"


def mails(world):
    people, us = world.patients, "Hester Mowbray <hester@ashgrovequayside.example>"
    wife, bride, left, right = (people[role] for role in ("wife", "bride", "left", "right"))
    values = {"wife": wife.number, "bride": bride.number, "given": wife.given}
    values |= {"one": left.number, "other": right.number, "a": right.quayside, "b": left.quayside}
    yield "office/mail/2027-08-11-registry.eml", mail(
        "Registry <registry@ashgrovequayside.example>", us, datetime(2027, 8, 11, 15, 20), "Two slips in the merged register",
        REGISTRAR.format(**values),
    )  # fmt: skip
    first, last = world.flat_from, world.flat_from + timedelta(days=7)
    yield "office/mail/2027-08-05-units.eml", mail(
        "Kit Ambrose <kit@toothtech.example>", us, datetime(2027, 8, 5, 9, 2), "Your X-ray units",
        CLOCK.format(serial=world.units["Q-panorama"], first=spoken(first), last=spoken(last), lamp=world.units["A-xray"]),
    )  # fmt: skip
    yield (
        "office/mail/2027-08-18-server.eml",
        mail(
            "Imaging Cloud <hello@imagingcloud.example>", us, datetime(2027, 8, 18, 8, 0), "Your import window", SERVER
        ),
    )


def files_of(world):
    files = {picture.path: picture_file(world, picture) for picture in world.pictures}
    files |= {
        "office/imaging-policy.md": POLICY.encode(),
        "office/partners-2027-07-14.md": PARTNERS.encode(),
        "office/register-merged.csv": registry(world),
        "office/units.csv": units(world),
        "ashgrove/misfiled.txt": misfiled(world),
        "quayside/index.csv": index_file(world),
        "quayside/kinds.txt": KINDS.encode(),
    }
    return files | dict(mails(world))


def generate(seed: int, out_dir: Path) -> None:
    """Write the workspace of that seed."""
    rng = random.Random(f"{SLUG}:{seed}")
    world = draw_world(rng)
    while not sound(world):
        world = draw_world(rng)
    for name, content in files_of(world).items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


POLICY = """# Imaging policy for the merger

Proposal of Dr Sibthorpe, 2 July 2027, for the partners. The steps are taken in this order.

**A. Whose.** At Ashgrove a picture belongs to the patient whose number its folder bears. If its header names another patient, it is unclear, unless Tilda's list of misfiled pictures says whose it is. At Quayside it belongs to the patient under whom the index has it. A header there names only the household (0312), not the member of it (0312/2); a picture that is missing from the index belongs to the patient of that household if the merged register has just one, and is unclear otherwise. The merged register, as put right by the registry since, turns the old numbers into the new one. Whoever is not in it is unclear.

**B. When.** The day and time in the header count. If our technician has told us that the clock of the unit was wrong, the day of the appointment in the Quayside index takes their place. File names bear the day of filing, which is nobody's business. A picture without a day is unclear.

**C. What stays behind.** Pictures of closed patients are moved to a folder `closed` by their old names.

**D. The same picture.** Two files are the same picture if image or mesh are the same; headers do not matter (in a .pgm file the lines that begin with #, in a .stl file the first line). If they belong to different patients, all of them are unclear. If they belong to one, only one file is taken: the one that lies at the practice whose unit took it, by our list of units, and if several lie there, the one with the shortest file name.

**E. Names.** `30001/2027-01-31_BW_01.pgm`: a folder for each patient, with the new number; then the day, the kind, and a number of two digits that counts the pictures of that patient, day and kind by the time at which they were taken. The extension stays. Kinds are OPG (panorama), BW (bitewing, left or right), PA (single tooth), IOU (upper jaw scan) and IOL (lower jaw scan). Ashgrove has the kind in the file name, Quayside by number in the header.

**F. Unclear.** Unclear pictures go under `unclear/` by the path that they have in this folder, as in `unclear/quayside/IMG_0001.pgm`.
"""

PARTNERS = """# Partners' meeting, 14 July 2027

1. **Name of the practice.** Ashgrove and Quayside, in the order of the alphabet. Nobody is happy, so it is fair.
2. **Imaging policy.** Adopted as proposed, but for C. The data protection officer does not want closed patients on the new server at all: their pictures are left behind. So are jaw scans, upper and lower, that were taken before 1 September 2025, since teeth move. X-rays of any age are taken.
3. **Thumbnails.** Dr Holt asked for small previews. The server makes its own.
4. **Fish tank.** Goes to Quayside.
"""

KINDS = """1 panorama
2 single tooth
3 bitewing (left and right are the same to me)
4 not used, was photographs
5 upper jaw, scan
6 lower jaw, scan
"""

REGISTRAR = """Dear Hester,

two slips have turned up in the merged register. The file itself is frozen until the move, so please keep this beside it.

{bride} and {wife} are one and the same {given}, who married in between. {bride} is given up, and everything goes to {wife}.

The Quayside numbers of {one} and {other} have been exchanged. {one} has {a}, and {other} has {b}.

The registry
"""

CLOCK = """Dear Hester,

as asked, what I know about your units. The battery of {serial}, the panorama at Quayside, was flat from {first} to {last}, and each morning its clock began again on 1 January 2000. Whatever it dates in the year 2000 was taken in those days. After that it was fine.

{lamp} needed a new lamp in May. Its clock was right all the time.

Kit Ambrose, Toothtech
"""

SERVER = """Dear customer,

your import window opens on Sunday 22 August at 23:00 and takes about an hour. Folders whose names are no patient number are offered to you for sorting by hand. We wish you a pleasant migration.
"""

if __name__ == "__main__":
    generate(int(sys.argv[1]), Path(sys.argv[2]))
