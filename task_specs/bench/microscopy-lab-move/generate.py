"""Writes another move of the same three microscopes: other lengths, visits, people and closed days, pure in the seed."""

import quopri
import random
import sys
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path

SLUG = "microscopy-lab-move"
FIRST = date(2027, 6, 1)  # day 0, a Tuesday
TODAY = 9
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
SLIPS = (
    "list as it stands", "first minutes", "talk", "rests in working days", "no closed days", "quiet days free",
    "quiet days closed", "lift", "two moves a day", "moves by the list", "offers", "before the change", "pencilled",
    "called off", "last day", "quarantine of the list", "first quarantine", "log error", "first newsletter",
)  # fmt: skip


@dataclass(frozen=True)
class Step:
    name: str
    instrument: str
    what: str
    length: int
    unit: str  # w working days, c calendar days, q quarantine
    who: str  # own, movers, a firm, or - for a rest
    after: tuple


@dataclass(frozen=True)
class Visit:
    """Days of an engineer, both included."""

    begin: int
    end: int
    engineer: str


@dataclass
class World:
    steps: list
    may: dict
    june: dict
    quarantine: tuple
    closed: set
    quiet: tuple
    lift: tuple
    mail_firm: str
    ics_firm: str
    offered: list = field(default_factory=list)
    confirmed: list = field(default_factory=list)
    changed: list = field(default_factory=list)
    events: list = field(default_factory=list)  # of (visit, status)
    promises: dict = field(default_factory=dict)
    people: list = field(default_factory=list)


# --- the model -------------------------------------------------------------------------------------------------------


def weekday(day):
    return (day + 1) % 7


def free_days(world, slips):
    """Two tests: is it a working day, is it a day for moves?"""
    closed = set() if "no closed days" in slips else set(world.closed)
    quiet = set(range(world.quiet[0], world.quiet[1] + 1))
    lift = set() if "lift" in slips else set(range(world.lift[0], world.lift[1] + 1))
    if "quiet days closed" in slips:
        closed |= quiet
    no_moves = lift if "quiet days free" in slips else lift | quiet

    def works(day):
        return weekday(day) < 5 and day not in closed

    return works, lambda day: works(day) and day not in no_moves


def steps_now(world, slips):
    steps = {step.name: step for step in world.steps}
    changes = (
        [] if "list as it stands" in slips else [world.may] if "first minutes" in slips else [world.may, world.june]
    )
    for change in changes:
        for name, values in change.items():
            steps[name] = replace(steps[name], **values)
    if "talk" in slips:
        steps["E5"] = replace(steps["E5"], length=1)
    if "quarantine of the list" not in slips:
        steps["S3"] = replace(steps["S3"], length=world.quarantine["first quarantine" not in slips])
    return steps


def visits_of(world, firm, slips):
    if firm == world.mail_firm:
        if "offers" in slips:
            return world.offered
        return world.confirmed if "before the change" in slips else world.changed
    wanted = {"confirmed"} | {s for s in ("pencilled", "called off") if s in slips}
    longer = "last day" in slips
    return [Visit(v.begin, v.end + longer, v.engineer) for v, status in world.events if status in wanted]


def last_day(begin, step, works, rests):
    """The last day of a step that begins on that day."""
    day, left = begin, step.length - 1
    while left:
        day += 1
        left -= step.unit in rests or works(day)
    return day


def schedule(world, slips=()):
    """By step: first day, last day, engineer."""
    steps, (works, moves) = steps_now(world, slips), free_days(world, slips)
    rests = () if "rests in working days" in slips else ("c", "q")
    placed = {"R1": (-1, 1, ""), "E1": (7, 7, "")}
    begun = {"E2": 8, ("R3" if "log error" in slips else "R4"): 6}

    def ready(step):
        day = max([TODAY, *(place(name)[1] for name in step.after)]) + 1
        while step.unit not in rests and not works(day):
            day += 1
        return day

    def in_visit(step, day):
        found = []
        for visit in visits_of(world, step.who, slips):
            begin = max(day, visit.begin)
            while not works(begin):
                begin += 1
            end = last_day(begin, step, works, rests)
            if end <= visit.end:
                found.append((begin, end, visit.engineer))
        return min(found, default=(150, 151, ""))  # no visit: a plan that nobody would take

    def place(name):
        if name not in placed:
            step = steps[name]
            if name in begun:
                placed[name] = (begun[name], last_day(begun[name], step, works, rests), "")
            elif step.who == "movers":
                give_moves()
            elif step.who in (world.mail_firm, world.ics_firm):
                placed[name] = in_visit(step, ready(step))
            else:
                day = ready(step)
                placed[name] = (day, last_day(day, step, works, rests), "")
        return placed[name]

    def give_moves():
        waiting = [name for name, step in steps.items() if step.who == "movers"]
        since = {name: ready(steps[name]) for name in waiting}
        if "moves by the list" not in slips:
            waiting.sort(key=lambda name: since[name])
        taken = set()
        for name in waiting:
            day = since[name]
            while not moves(day) or (day in taken and "two moves a day" not in slips):
                day += 1
            taken.add(day)
            placed[name] = (day, day, "")

    for name in steps:
        place(name)
    return {name: placed[name] for name in steps}


def chain(world, made):
    """The steps that set the end, last first; None where a tie leaves it open."""
    steps = steps_now(world, ())
    candidates, found = list(made), []
    while candidates:
        ends = sorted((made[name][1], name) for name in candidates)
        if len(ends) > 1 and ends[-1][0] == ends[-2][0]:
            return None
        found.append(ends[-1][1])
        candidates = steps[found[-1]].after
    return found


def returns(world, made, slips=()):
    """By instrument the day it is back, its working days down, whether the promise is kept."""
    works, _ = free_days(world, slips)
    found = {}
    for instrument in "EKS":
        days = [made[step.name] for step in world.steps if step.instrument == instrument]
        end = max(d[1] for d in days)
        back = end + 1
        while not works(back):
            back += 1
        down = sum(works(day) for day in range(min(d[0] for d in days), end + 1))
        promised = world.promises[instrument]["first newsletter" not in slips]
        found[instrument] = (back, down, back <= promised)
    return found


# --- drawing ---------------------------------------------------------------------------------------------------------

FIRMS = (("Halden Elektronoptik", "Lumenara"), ("Pettersson Vakuum", "Clarivue"), ("Ostwald Beam", "Farbenlicht"))
ENGINEERS = (
    "Bent Aasen", "Kaja Lindahl", "Milan Dvorsky", "Ines Carvalho", "Piet Roos", "Hanna Brandt", "Tomas Eklund",
    "Lucie Amiel", "Arvo Saar", "Greta Falk",
)  # fmt: skip
PEOPLE = ("Dario Pell", "Ilse Vandamme", "Nils Amberg", "Yara Nassif", "Rolf Sandberg", "Petra Lomax", "Odile Marchal")


def draw_steps(rng, beam, light):
    rows = (
        ("R1", "rooms", "floor and paint", 3, "w", "own", ""),
        ("R2", "rooms", "vibration survey", 1, "w", "own", "R1+R4"),
        ("R3", "rooms", "power and gas", rng.choice((3, 4)), "w", "own", "R1"),
        ("R4", "rooms", "air conditioning", rng.choice((4, 5)), "w", "own", "R1"),
        ("E1", "E", "shut down and vent", 1, "w", "own", ""),
        ("E2", "E", "warm up", rng.choice((2, 3)), "c", "-", "E1"),
        ("E3", "E", "take the column apart", 2, "w", beam, "E2"),
        ("E4", "E", "move to the new wing", 1, "w", "movers", "E3+R2"),
        ("E5", "E", "settle", rng.choice((3, 4)), "c", "-", "E4"),
        ("E6", "E", "put together again", rng.choice((2, 3)), "w", beam, "E5+R3"),
        ("E7", "E", "pump down", rng.choice((4, 5)), "c", "-", "E6"),
        ("E8", "E", "resolution test", rng.choice((2, 3)), "w", "own", "E7"),
        ("K1", "K", "back up and shut down", 1, "w", "own", ""),
        ("K2", "K", "take the lasers out", 1, "w", light, "K1"),
        ("K3", "K", "move to the new wing", 1, "w", "movers", "K2+R2"),
        ("K4", "K", "settle", 1, "c", "-", "K3"),
        ("K5", "K", "lasers in, alignment", 2, "w", light, "K4+R3"),
        ("K6", "K", "burn in", rng.choice((3, 4)), "c", "-", "K5"),
        ("K7", "K", "calibration", rng.choice((2, 3)), "w", "own", "K6"),
        ("S1", "S", "take the light sheet apart", rng.choice((1, 2)), "w", "own", ""),
        ("S2", "S", "move to the new wing", 1, "w", "movers", "S1+R1"),
        ("S3", "S", "quarantine", 3, "q", "-", "S2"),
        ("S4", "S", "build it up again", rng.choice((4, 5)), "w", "own", "S3+R3"),
        ("S5", "S", "calibration", rng.choice((2, 3)), "w", "own", "S4"),
    )
    return [Step(*row[:6], tuple(row[6].split("+")) if row[6] else ()) for row in rows]


def next_workday(world, day):
    works, _ = free_days(world, ())
    while not works(day):
        day += 1
    return day


def on_weekdays(begin, end, engineer):
    """A visit without the weekend at its beginning or its end."""
    begin += (0, 0, 0, 0, 0, 2, 1)[weekday(begin)]
    end = max(begin, end)
    return Visit(begin, end - (0, 0, 0, 0, 0, 1, 2)[weekday(end)], engineer)


def draw_visits(rng, world):
    """Visits about the days on which the steps are ready; a far one lets the plan be made while they are drawn."""
    names = rng.sample(ENGINEERS, 8)
    far = [Visit(90, 120, "")]
    world.changed, world.events = far, [(far[0], "confirmed")]
    one, two, three, four = names[:4]
    ready = next_workday(world, max(schedule(world)["E2"][1], TODAY) + 1)
    gone = on_weekdays(ready, next_workday(world, ready + 1), one)
    begin = next_workday(world, gone.end + rng.choice((0, 1)))
    first = on_weekdays(begin, next_workday(world, begin + rng.choice((1, 2, 3))), two)
    world.changed = [first, *far]
    ready = next_workday(world, schedule(world)["E5"][1] + 1)
    second = on_weekdays(ready, ready + rng.choice((4, 5)), three)
    moved = on_weekdays(second.begin + rng.choice((2, 3)), second.end + rng.choice((3, 4)), rng.choice((three, four)))
    third = on_weekdays(moved.end + 5, moved.end + 9, one)
    world.offered = [gone, first, second, third]
    world.confirmed, world.changed = [first, second, third], [first, moved, third]
    draw_events(rng, world, names[4:], far[0])


def draw_events(rng, world, names, far):
    one, two, three, four = names
    ready = next_workday(world, schedule(world)["K1"][1] + 1)
    pencilled = on_weekdays(ready, ready, one)
    begin = next_workday(world, ready + 1)
    first = on_weekdays(begin, begin + rng.choice((0, 1)), two)
    head = [(pencilled, "pencilled"), (first, "confirmed")]
    world.events = [*head, (far, "confirmed")]
    made = schedule(world)
    ready = next_workday(world, max(made["K4"][1], made["R3"][1]) + 1)
    short = on_weekdays(next_workday(world, ready), next_workday(world, ready), one)
    off = on_weekdays(ready + 1, ready + 3, three)
    second = on_weekdays(ready + rng.choice((3, 4, 5)), ready + 8, four)
    late = on_weekdays(second.end + 7, second.end + 9, two)
    world.events = [*head, (short, "confirmed"), (off, "called off"), (second, "confirmed"), (late, "confirmed")]


def draw_promises(rng, world):
    back = {name: row[0] for name, row in returns_without_promise(world).items()}
    flips = rng.sample("EKS", 3)
    world.promises = {}
    for n, name in enumerate(flips):  # one promise kept only as renewed, one broken all along, one never renewed
        early, late = back[name] - rng.randint(2, 7), back[name] + rng.choice((0, 0, 1, 3, 5))
        if n == 0:
            world.promises[name] = (early, late)
        elif n == 1:
            world.promises[name] = (early - 9, early)
        else:
            world.promises[name] = (late, late)


def returns_without_promise(world):
    world.promises = {name: (0, 0) for name in "EKS"}
    return returns(world, schedule(world))


def draw_world(rng):
    beam, light = rng.choice(FIRMS)
    steps = draw_steps(rng, beam, light)
    length = {step.name: step.length for step in steps}
    may = {
        "R3": {"length": length["R3"] + rng.choice((1, 2))},
        "E7": {"length": length["E7"] + rng.choice((3, 4))},
        "S5": {"after": ("S4", "K7")},
    }
    june = {
        "E7": {"length": length["E7"] + rng.choice((1, 2))},
        "K4": {"length": rng.choice((2, 3))},
        "S5": {"after": ("S4", "E8")},
    }
    closed = {rng.choice((24, 27)), rng.choice((29, 34)), 59}
    quiet = rng.choice(((14, 15), (15, 16), (16, 17)))
    lift = rng.choice(((13, 14), (14, 15), (16, 20)))
    quarantine = rng.choice(((5, 7), (6, 8), (5, 9)))
    world = World(steps, may, june, quarantine, closed, quiet, lift, beam, light)
    world.people = rng.sample(PEOPLE, 5)
    draw_visits(rng, world)
    draw_promises(rng, world)
    return world


def sound(world):
    """One chain without ties, a promise of each kind, nothing later than the calendar, and every slip tells."""
    made = schedule(world)
    names = chain(world, made)
    if names is None or len(names) < 8 or max(day[1] for day in made.values()) > 58:
        return False
    kept = {row[2] for row in returns(world, made).values()}
    answer = (made, returns(world, made))
    if kept != {True, False}:
        return False
    return all((schedule(world, (s,)), returns(world, schedule(world, (s,)), (s,))) != answer for s in SLIPS)


# --- writing ---------------------------------------------------------------------------------------------------------


def on(day):
    return FIRST + timedelta(days=day)


def spoken(day, with_weekday=True):
    when = on(day)
    text = f"{when.day} {MONTHS[when.month - 1]}"
    return f"{WEEKDAYS[when.weekday()]} {text}" if with_weekday else text


def mail(sender, to, day, clock, subject, text):
    when = on(day)
    head = f"{WEEKDAYS[when.weekday()]}, {when.day:02d} {MONTHS[when.month - 1][:3]} {when.year} {clock}:00 +0200"
    lines = [f"From: {sender}", f"To: {to}", f"Date: {head}", f"Subject: {subject}", "MIME-Version: 1.0"]
    lines += ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", ""]
    return "\n".join(lines).encode() + b"\n" + quopri.encodestring(text.encode())


def step_file(steps):
    lines = ["step;instrument;what;length;unit;who;waits_for"]
    for s in steps:
        lines.append(";".join((s.name, s.instrument, s.what, str(s.length), s.unit, s.who, "+".join(s.after))))
    return ("\r\n".join(lines) + "\r\n").encode("utf-8-sig")


def first_draft(rng, steps):
    """The list as it was in March: other lengths."""
    return [replace(s, length=max(1, s.length + rng.choice((-1, 0, 0, 1)))) for s in steps if s.name != "R4"]


def plural(count):
    return f"{('no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine')[count]} day{'s' * (count != 1)}"


def minutes(world):
    may, june = world.may, world.june
    settle = {s.name: s.length for s in world.steps}
    values = {
        "who": ", ".join(world.people[:4]),
        "firm": world.mail_firm,
        "r3": plural(may["R3"]["length"]),
        "e7": plural(may["E7"]["length"]),
        "e7_now": plural(june["E7"]["length"]),
        "k4": plural(june["K4"]["length"]),
        "k4_old": plural(settle["K4"]),
        "e5": plural(settle["E5"]),
        "dario": world.people[0].split()[0],
        "ilse": world.people[1].split()[0],
    }
    return MAY.format(**values).encode(), JUNE.format(**values).encode()


def visit_line(visit):
    return f"  {spoken(visit.begin)} to {spoken(visit.end)}: {visit.engineer}"


def mails(world):
    firm = world.mail_firm
    office = f"{firm} Service <service@{firm.split()[0].lower()}.example>"
    us = "Amparo Quiles <quiles@vellinstitute.example>"
    yield "mail/05-26-visits.eml", mail(office, us, -6, "11:20", "Your relocation: possible visits", OFFER.format(
        lines="\n".join(visit_line(v) for v in world.offered), firm=firm))  # fmt: skip
    yield "mail/06-02-visits.eml", mail(office, us, 1, "16:05", "Re: Your relocation: confirmation", CONFIRMED.format(
        lines="\n".join(visit_line(v) for v in world.confirmed), firm=firm))  # fmt: skip
    old, new = world.confirmed[1], world.changed[1]
    yield "mail/06-09-visits.eml", mail(office, us, 8, "08:47", "Re: Re: Your relocation: a change", CHANGED.format(
        old=spoken(old.begin), line=visit_line(new).strip(), firm=firm))  # fmt: skip
    officer = "Anneli Koski, Biosafety <biosafety@vellinstitute.example>"
    yield "mail/05-28-biosafety.eml", mail(officer, us, -4, "09:30", "Light sheet, quarantine", QUARANTINE.format(
        days=world.quarantine[0]))  # fmt: skip
    yield "mail/06-08-biosafety.eml", mail(officer, us, 7, "15:12", "Re: Light sheet, quarantine", SWAB.format(
        days=world.quarantine[1]))  # fmt: skip
    yield "mail/06-07-lift.eml", mail(
        "Building Services <building@vellinstitute.example>", "all@vellinstitute.example", 6, "07:58",
        "Goods lift, new wing",
        LIFT.format(begin=spoken(world.lift[0]), end=spoken(world.lift[1])),
    )  # fmt: skip
    yield (
        "mail/06-04-user.eml",
        mail(
            f"{world.people[4]} <{world.people[4].split()[1].lower()}@vellinstitute.example>",
            us,
            3,
            "22:41",
            "confocal???",
            USER,
        ),
    )
    yield "mail/06-10-movers.eml", mail(
        "Stromberg Removals <office@stromberg.example>", us, 9, "10:02", "Crates", CRATES
    )  # fmt: skip


def stamp(day):
    return f"{on(day):%Y%m%d}"


def event(uid, begin, end, summary, *more):
    lines = ["BEGIN:VEVENT", f"UID:{uid}", f"DTSTART;VALUE=DATE:{stamp(begin)}", f"DTEND;VALUE=DATE:{stamp(end + 1)}"]
    return [*lines, f"SUMMARY:{summary}", *more, "END:VEVENT"]


def calendar(prodid, events):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{prodid}", *sum(events, []), "END:VCALENDAR"]
    return "".join(f"{line}\r\n" for line in lines).encode()


def visit_calendar(rng, world):
    words = {"confirmed": "CONFIRMED", "pencilled": "TENTATIVE", "called off": "CANCELLED"}
    events = []
    for n, (visit, status) in enumerate(world.events, 1):
        what = f"SUMMARY-{n}"
        lines = event(f"{1400 + 17 * n}@visits.example", visit.begin, visit.end, what, f"STATUS:{words[status]}")
        events.append([f"SUMMARY:Visit Vell Institute\\, {visit.engineer}" if what in line else line for line in lines])
    rng.shuffle(events)
    return calendar(f"-//{world.ics_firm}//Visits//EN", events)


def institute_calendar(rng, world):
    names = ["Founder's day", "Bridge day", "Works outing, doors shut"]
    events = [
        event(f"c{day}@vell.example", day, day, names[n].replace(",", "\\,"), "CATEGORIES:CLOSED")
        for n, day in enumerate(sorted(world.closed))
    ]
    begin, end = world.quiet
    note = ["DESCRIPTION:Oral examinations in the new wing. No crates and no trolleys in the corrid", " ors\\, please."]
    events.append(event("q1@vell.example", begin, end, "Examinations", *note, "CATEGORIES:QUIET"))
    events.append(event("e1@vell.example", 17, 17, "Summer party\\, from four o'clock", "CATEGORIES:EVENT"))
    events.append(event("e2@vell.example", 36, 36, "Lecture: The eye of the mole", "CATEGORIES:EVENT"))
    rng.shuffle(events)
    return calendar("-//Vell Institute//House 2027//EN", events)


def newsletters(world):
    names = {"E": "The electron microscope", "K": "The confocal", "S": "The light sheet"}
    first, later = [], []
    for instrument, (old, new) in sorted(world.promises.items()):
        first.append(f"- {names[instrument]} will be back for you by {spoken(old, with_weekday=False)}.")
        if new != old:
            later.append(f"- {names[instrument]} will now be back by {spoken(new, with_weekday=False)}.")
    return (
        NEWS.format(month="May", text=NEWS_MAY, lines="\n".join(first)).encode(),
        NEWS.format(month="June", text=NEWS_JUNE, lines="\n".join(later)).encode(),
    )


def files_of(rng, world):
    files = {
        "quality/SOP-14_v2.md": SOP_2.encode(),
        "quality/SOP-14_v3.md": SOP_3.encode(),
        "quality/SOP-14_v4.md": SOP_4.encode(),
        "move/steps.csv": step_file(world.steps),
        "move/old/steps_march.csv": step_file(first_draft(rng, world.steps)),
        "move/log.txt": LOG.encode(),
        "move/crates.txt": CRATE_NOTE.encode("cp1252"),
        "calendars/institute-2027.ics": institute_calendar(rng, world),
        f"calendars/{world.ics_firm.lower()}-visits.ics": visit_calendar(rng, world),
    }
    files["move/minutes/2027-05-20.md"], files["move/minutes/2027-06-03.md"] = minutes(world)
    files["users/newsletter-2027-05.md"], files["users/newsletter-2027-06.md"] = newsletters(world)
    return files | dict(mails(world))


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


SOP_2 = """# SOP-14 Relocation of instruments

Version 2. Valid from 1 October 2024 to 28 February 2027.

1. The step list is binding once the head of unit has signed it.
2. All lengths are working days, rests included.
3. The movers take two instruments a day if need be.
4. Engineers come when they can; a visit may be split.
"""

SOP_3 = """# SOP-14 Relocation of instruments

Version 3. Valid from 1 March 2027.

**1 Steps.** The list of steps (`move/steps.csv`) says for each step its length and unit, who does it, and for which steps it waits. Decisions of the move meeting change the list; where two meetings decide about the same thing, the later one holds. What was only talked about changes nothing. A quarantine (unit q) is as long as the biosafety officer says in writing, whatever list or minutes have; her last word holds.

**2 Log.** A step that is done according to the log keeps its dates. A step that is begun keeps its first day and ends when its length is over. If the log puts something right, it holds as put right. All other steps begin on the day after the planning at the earliest.

**3 Days.** Working days are Monday to Friday, except those that the calendar of the institute has as CLOSED. A QUIET day is a working day on which nothing is moved; all other work goes on.

**4 Units.** w: working days, one after the other, with weekends and closed days passed over. c and q: calendar days in a row, whatever day it is.

**5 Begin.** A step begins as soon as all the steps for which it waits are over: with unit w on the next working day, with unit c or q on the very next day. One that waits for none begins as soon as 2 allows.

**6 Engineers.** A step that a firm does takes place during one visit of its engineer: all its days lie within that visit. It takes the first days on which that is possible. Only visits count that the firm has confirmed, as it last confirmed them; what is offered, tentative or cancelled does not. The engineer's last day is a working day like the others.

**7 Movers.** Steps of the movers take one day each, and the movers do one a day. Such a step is ready on the day on which it could begin by 5. Days are given out in the order in which the steps are ready (those ready on the same day in the order of the list), to each the first working day from then on that is not quiet, on which the goods lift runs, and which no other has been given.

**8 Back.** An instrument is back on the first working day after its last step. It is down from the first day of its first step to the last day of its last, and that is counted in working days.

**9 Chain.** The chain is found from the end: the step that ends last, then of the steps for which that one waits the one that ends last, and so on to a step that waits for none. It runs through steps that are done as well.
"""

SOP_4 = """# SOP-14 Relocation of instruments

Version 4. Valid from 1 July 2027, for relocations that begin on that day or later; those under way are finished by version 3.

1. As in version 3.
2. Rests, too, are counted in working days.
3. Quiet days are closed for everybody.
4. The movers do up to two instruments a day.
5. Tentative visits are planned in pencil.
"""

MAY = """# Move meeting, 20 May 2027

Present: {who}, A. Quiles

1. **Power and gas (R3).** The gas man wants to see the drawings first. R3 will take {r3}. Decided.
2. **Pumping down (E7).** After what happened in the spring, E7 gets {e7}. Decided.
3. **Light sheet.** S5 uses the power meter of the confocal, so it waits for S4 and K7. Decided.
4. **Coffee machine.** Moves last. Decided with one voice against.
"""

JUNE = """# Move meeting, 3 June 2027

Present: {who}, A. Quiles

1. **Pumping down (E7).** {firm} have read the pump logs and think we are too careful. E7 gets {e7_now}. Decided.
2. **Settling.** The confocal has soft feet: K4 gets {k4} instead of {k4_old}. Decided.
   {ilse} asked whether E5 could not do with one day, too, instead of {e5}. We shall see. Nobody knew.
3. **Light sheet.** {ilse} lends us her own power meter, but {dario} does both E8 and S5. So S5 waits for S4 and E8, and no longer for K7. Decided.
4. **Next meeting** when everything stands.
"""

OFFER = """Dear Amparo Quiles,

for your relocation we could offer you these visits:

{lines}

Please tell us which ones you want, we will then confirm.

{firm} Service
"""

CONFIRMED = """Dear Amparo Quiles,

thank you. We confirm these visits:

{lines}

The other one has gone to somebody else in the meantime, I am sorry.

{firm} Service
"""

CHANGED = """Dear Amparo Quiles,

bad news about the visit that was to begin on {old}: the van is in the garage. We have to move it, and confirm instead:

  {line}

Nothing else changes.

{firm} Service
"""

QUARANTINE = """Amparo,

for the light sheet (S3) I want {days} days of quarantine in the new room before anybody opens it.

Anneli
"""

SWAB = """Amparo,

the swabs from the chamber are back and I am not happy. Make S3 {days} days, please. Weekends are fine, spores don't go home either.

Anneli
"""

LIFT = """Dear all,

the goods lift of the new wing is out of order for its inspection from {begin} to {end}, both days included. The passenger lifts run.

Building Services
"""

USER = """Hi Amparo, I have heard that the confocal comes back a week earlier than planned? Can I book it for the 21st? The porter says so.
"""

CRATES = """Dear customer,

your crates arrive on the day of each move. We do one instrument a day, as agreed, and nothing over 900 kg.

Stromberg
"""

NEWS = """# Imaging Unit, newsletter {month} 2027

{text}

{lines}

Yours, Amparo
"""

NEWS_MAY = "We are moving! This is when you can count on your microscopes again:"
NEWS_JUNE = "Things have shifted a little. What is not named here stays as promised in May."

LOG = """MOVE LOG  (pencil on string, please put it back)

Mon 31 May   R1 begun
Wed  2 June  R1 done
Mon  7 June  R3 begun
Tue  8 June  E1 begun, done the same afternoon
Wed  9 June  E2 begun
Thu 10 June  About Monday: it was R4 that the men began on the 7th. R3 has not begun at all. Sorry. I.
"""

CRATE_NOTE = """Crates: E 210 x 120 x 180 cm, K 140 x 110 x 120 cm, S 160 x 90 x 100 cm
Ladders stay here. Door of B.02 is 125 cm wide – measured twice.
"""

if __name__ == "__main__":
    generate(int(sys.argv[1]), Path(sys.argv[2]))
