"""Writes the workspace: another patient, other drugs and figures, and other traps that bite, for the same instruction."""

import json
import quopri
import random
from fractions import Fraction
from itertools import count
from pathlib import Path

SLUG = "vet-discharge-plan"
DOGS = ["Biscuit", "Mungo", "Tansy", "Pickle", "Ottoline", "Rhubarb"]
OWNERS = [
    ("Mrs", "Harlow"),
    ("Mr", "Penhale"),
    ("Ms", "Okafor"),
    ("Mrs", "Lindqvist"),
    ("Mr", "Sallow"),
    ("Ms", "Brandt"),
]
BREEDS = ["whippet cross", "spaniel", "terrier", "collie", "young retriever"]
VETS = ["Dr Adeyemi", "Dr Thornbury", "Dr Kasparov-Lane"]
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen".split()
NAMES = {
    "pain": ["Merivox", "Tolpraxin", "Calodrin"],
    "first": ["Dovecin", "Amphexal", "Orpenal"],
    "second": ["Kefumar", "Cefadrel", "Lexorim"],
    "opioid": ["Trapalgin", "Kelvadol", "Sedorphal"],
    "coating": ["Mucovel", "Gastrelin", "Alginor"],
    "sickness": ["Vomarest", "Nausilor", "Emelane"],
    "swelling": ["Bromazyl", "Serrapin", "Tumelex"],
    "steroid": ["Predorine", "Cortavel"],
    "heart": ["Cardelane", "Pimorel"],
    "reacted penam": ["Ampidor", "Penovet"],
    "reacted sulfa": ["Sulfarim", "Trisulon"],
}
CLASSES = {
    "pain": "anti-inflammatory", "first": "penam", "second": "cephem", "opioid": "opioid", "coating": "coating",
    "sickness": "antiemetic", "swelling": "enzyme", "steroid": "steroid", "heart": "heart", "reacted penam": "penam",
    "reacted sulfa": "sulfa",
}  # fmt: skip
FORMS = {  # form, lowest and highest lower end in tenths of mg/kg, hours, strengths, what kidneys ask for
    "pain": ("scored tablet", 12, 24, 24, (8, 20, 50), "half dose"),
    "first": ("scored tablet", 105, 150, 12, (80, 200, 350), "double interval"),
    "second": ("tablet", 150, 210, 12, (75, 150, 240), "double interval"),
    "opioid": ("capsule", 18, 31, 8, (12, 25, 40), ""),
    "coating": ("liquid", 205, 290, 12, (110,), ""),
    "sickness": ("scored tablet", 9, 18, 24, (6, 16, 24), ""),
    "swelling": ("tablet", 31, 49, 12, (20, 35, 60), ""),
    "steroid": ("scored tablet", 3, 6, 24, (5, 10), ""),
    "heart": ("tablet", 2, 4, 12, (5, 10), "half dose"),
    "reacted penam": ("tablet", 80, 120, 12, (50, 200), ""),
    "reacted sulfa": ("tablet", 120, 180, 12, (120, 480), "double interval"),
}
PRESCRIBED = ["pain", "first", "opioid", "coating", "sickness", "swelling"]
WORLDS = [  # long-term medicine, allergic to the first antibiotic, kidneys poor at last, taken back
    ("steroid", True, False, "swelling"),
    ("heart", False, True, "opioid"),
    ("heart", True, True, "swelling"),
    ("steroid", False, False, "opioid"),
]
PARTS = (Fraction(1), Fraction(1, 2), Fraction(3, 4), Fraction(3, 8))


def words(number):
    """`seven days`."""
    return f"{NUMBERS[number]} days"


def tenths(value):
    """A number with a decimal comma, as the formulary prints it."""
    return f"{value // 10},{value % 10}"


def draw_weight(rng):
    """Pounds in tenths, so that the kilograms are not half-way between two tenths; and the kilograms in tenths."""
    while True:
        pounds = rng.randint(330, 680)
        kilograms = Fraction(pounds * 4536, 10000)
        if Fraction(1, 5) < abs(kilograms % 1 - Fraction(1, 2)):
            return pounds, round(kilograms)


def step(form):
    """The smallest part of a piece, or of a millilitre, that can be given."""
    return {"scored tablet": Fraction(1, 2), "liquid": Fraction(1, 10)}.get(form, Fraction(1))


def clear_of_steps(dose, form, strengths):
    """Whether the dose is nowhere near a quantity, so that no rounding decides."""
    parts = [dose / strength / step(form) % 1 for strength in strengths]
    return all(Fraction(1, 25) < part < Fraction(24, 25) for part in parts)


def draw_range(rng, role, weight):
    """Lower and upper end in tenths of mg/kg, or None where no dose is clear of the steps."""
    form, low, high, _, strengths, _ = FORMS[role]
    for _ in range(200):
        bottom = rng.randint(low, high)
        ends = (bottom, bottom + max(2, bottom // 4) + rng.randint(0, 3))
        doses = [Fraction(end * weight, 100) * part for end in ends for part in PARTS]
        if role not in (*PRESCRIBED, "second") or all(clear_of_steps(dose, form, strengths) for dose in doses):
            return ends
    return None


def near(dose, form, strength):
    """The amount in mg that this strength gives at most, 0 where it cannot."""
    quantity = dose / strength // step(form) * step(form)
    return (quantity if form == "liquid" else min(quantity, 3)) * strength


class World:
    """Everything that the files tell."""

    def __init__(self, seed):
        self.long_term, self.allergic, self.poor, self.back = WORLDS[seed % len(WORLDS)]
        for attempt in count():
            self.rng = random.Random(f"{SLUG}:{seed}:{attempt}")
            if self._draw() and self._fair():
                break

    def _draw(self):
        """All that differs between workspaces; false where the weight admits no fair range of some drug."""
        rng = self.rng
        self.drug = {role: rng.choice(names) for role, names in NAMES.items()}
        self.dog, self.other_dog = rng.sample(DOGS, 2)
        self.owners = rng.sample(OWNERS, 3)
        self.records = [f"R-{number}" for number in rng.sample(range(2104, 2960), 3)]
        self.vet = rng.choice(VETS)
        self.pounds, self.weight = draw_weight(rng)
        self.range = {role: draw_range(rng, role, self.weight) for role in FORMS}
        if not all(self.range.values()):
            return False
        self.antibiotic = "second" if self.allergic else "first"
        self.days = {role: rng.randint(*((6, 8) if role in ("first", "coating") else (3, 5))) for role in PRESCRIBED}
        self.longer = self.days["first"] + rng.randint(2, 3)
        self.check_up = rng.choice([9, 11, 16, 17])
        self.corrected = {"steroid": "sickness", "heart": "pain"}[self.long_term]
        self.her = rng.choice([("she", "her"), ("he", "him")])
        self._print_formulary()
        return True

    def _print_formulary(self):
        """What is printed: right for most, wrong where a slip that still holds corrects it."""
        self.printed = dict(self.range)
        for role in ("coating", self.corrected):
            low, high = self.range[role]
            self.printed[role] = (low + max(2, low // 5), high + max(2, low // 5))
        low, high = self.range[self.antibiotic]
        self.withdrawn = (low + low // 4, high + low // 4)

    def dose(self, role):
        """How many mg there are in one giving."""
        low, high = self.range[role]
        part = Fraction(1)
        if role == "pain" and self.poor:
            part = Fraction(1, 2)
        if role == "opioid":
            part = Fraction(3, 4)
        return Fraction((high if role == "coating" else low) * self.weight, 100) * part

    def strengths(self, role):
        """The strengths, the one that comes nearest first."""
        form, *_, strengths, _ = FORMS[role]
        return sorted(strengths, key=lambda strength: -near(self.dose(role), form, strength))

    def given(self, role):
        """The quantity in one giving; of the antibiotics the nearest strength is not to be had."""
        strength = self.strengths(role)[role in ("first", "second")]
        return near(self.dose(role), FORMS[role][0], strength) / strength

    def going_home(self):
        """The roles that are on the schedule."""
        never = {"steroid": "pain", "heart": "sickness"}[self.long_term]
        out = {self.back, never, "first"}
        return [self.antibiotic, *(role for role in PRESCRIBED if role not in out)]

    def _fair(self):
        """Whether every drug can be given, none as often in one quantity as another, and no two strengths tie."""
        quantities = [self.given(role) for role in self.going_home()]
        form, *_, strengths, _ = FORMS[self.antibiotic]
        amounts = {near(self.dose(self.antibiotic), form, strength) for strength in strengths}
        return all(quantities) and len(set(quantities)) == len(quantities) and len(amounts) == len(strengths)


def mail(sender, recipient, date, subject, body):
    """An e-mail as quoted-printable."""
    head = f"From: {sender}\nTo: {recipient}\nDate: {date}\nSubject: {subject}\nMIME-Version: 1.0\n"
    head += 'Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n\n'
    return head.encode() + quopri.encodestring(body.encode())


def event(uid, sequence, day, time, summary):
    """One entry of the diary."""
    lines = ["BEGIN:VEVENT", f"UID:{uid}", f"SEQUENCE:{sequence}", f"DTSTART:202703{day:02d}T{time}00"]
    return [*lines, f"SUMMARY:{summary}", "END:VEVENT"]


def diary(world):
    """Two collections of today that were moved after they were entered."""
    ours, first, third = (f"Collection {record}" for record in world.records)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Surgery diary//EN"]
    lines += event("c-118", 0, 18, "1700", first) + event("c-121", 0, 18, "1530", ours)
    lines += event("v-207", 0, 18, "1715", "Cats' evening") + event("c-118", 2, 19, "0930", first)
    lines += event("c-125", 0, 19, "1700", third) + event("c-121", 1, 18, "1700", ours)
    lines += [*event("c-118", 1, 18, "1830", first), "END:VCALENDAR"]
    return ("\r\n".join(lines) + "\r\n").encode()


def record(world, place):
    """A patient's record; the first is the one that goes home."""
    title, name = world.owners[place]
    ours = place == 0
    other = {"steroid": "heart", "heart": "steroid"}[world.long_term]
    reacted = world.drug["reacted penam" if world.allergic == ours else "reacted sulfa"]
    long_term = [
        {"drug": world.drug[world.long_term if ours else other], "since": "2025-08-11", "until": None},
        {"drug": world.drug[other if ours else world.long_term], "since": "2024-02-05", "until": "2026-06-30"},
    ]
    return {
        "record": world.records[place],
        "name": world.other_dog if place == 2 else world.dog,
        "species": "dog",
        "breed": BREEDS[(place + len(name)) % len(BREEDS)],
        "sex": {"she": "f", "he": "m"}[world.her[0]] if ours else "m",
        "owner": f"{title} {name}",
        "admitted": "2027-03-16",
        "alerts": [f"2024-10: lips and eyelids swelled up an hour after {reacted}"] if place < 2 else [],
        "long_term": long_term if place < 2 else [],
    }


def scale_log(world):
    """Two scales; what was weighed wet or with a collar on carries a remark."""
    rng, (ours, first, third) = world.rng, world.records
    kilograms, pounds = world.weight, world.pounds
    rows = [
        ("2027-03-16 08:55", "table", ours, kilograms + rng.randint(7, 15), "kg", ""),
        ("2027-03-16 09:20", "table", first, kilograms + 61, "kg", ""),
        ("2027-03-17 07:50", "corridor", ours, pounds, "lb", ""),
        ("2027-03-17 08:05", "corridor", third, pounds + 155, "lb", ""),
        ("2027-03-17 17:40", "table", ours, kilograms + rng.randint(10, 19), "kg", "collar on"),
        ("2027-03-18 07:35", "corridor", first, pounds - 64, "lb", ""),
        ("2027-03-18 07:45", "corridor", ours, pounds + rng.randint(25, 45), "lb", "wet from the hose"),
    ]
    lines = [
        f"{when},{scale},{who},{value // 10}.{value % 10},{unit},{remark}"
        for when, scale, who, value, unit, remark in rows
    ]
    return ("\ufeffwhen,scale,record,reading,unit,remark\r\n" + "\r\n".join(lines) + "\r\n").encode()


def lab_reports(world):
    """Creatinine at admission and this morning, on different sides of the limit; one in the other unit."""
    rng = world.rng
    poor, good = rng.randint(162, 189), rng.randint(84, 118)
    before, now = (good, poor) if world.poor else (poor, good)
    body = (
        "Laboratory Wenning\nPatient: {}\nTaken: {}\n\nUrea         {} mmol/l\nCreatinine   {}\nALT          {} U/l\n"
    )
    return {
        "lab/W-70412.txt": body.format(world.records[0], "18 March 2027, 07:20", "7.1", f"{now} umol/l", 44),
        "lab/W-70455.txt": body.format(
            world.records[0], "16 March 2027, 09:05", "6.4", f"{before / 88.4:.2f} mg/dl", 51
        ),
        "lab/W-70419.txt": body.format(world.records[1], "18 March 2027, 07:35", "6.9", f"{before} umol/l", 39),
    }


def formulary(world, printed):
    """cp1252, semicolons, decimal commas."""
    lines = ["Drug;Class;Form;mg/kg from;mg/kg to;Every (h);Strengths (mg);Kidneys"]
    for role in sorted(FORMS, key=lambda role: world.drug[role]):
        form, _, _, hours, strengths, kidneys = FORMS[role]
        low, high = printed[role]
        unit = " per ml" if form == "liquid" else ""
        sizes = " / ".join(map(str, strengths)) + unit
        lines.append(
            f"{world.drug[role]};{CLASSES[role]};{form};{tenths(low)};{tenths(high)};{hours};{sizes};{kidneys}"
        )
    return ("\r\n".join(lines) + "\r\n").encode("cp1252")


def correction(drug, ends):
    """One line of a slip."""
    return f"{drug}: the range is {tenths(ends[0])} to {tenths(ends[1])} mg/kg."


def slips(world):
    """Two slips; the second takes back a line of the first."""
    antibiotic, coating = world.drug[world.antibiotic], world.drug["coating"]
    one = [correction(antibiotic, world.withdrawn), correction(coating, world.range["coating"])]
    two = [f"{antibiotic}: our slip 1 was mistaken. The book is right as printed."]
    two.append(correction(world.drug[world.corrected], world.range[world.corrected]))
    foot = "\n\nPlease paste into the front cover. Doses in the tables are hereby amended.\n"
    return {
        "formulary/slip-1-2026-11.txt": "FORMULARY 2027, CORRECTION SLIP 1\n\n" + "\n".join(one) + foot,
        "formulary/slip-2-2027-02.txt": "FORMULARY 2027, CORRECTION SLIP 2\n\n" + "\n".join(two) + foot,
    }


def interactions(world):
    """Worked from the top; classes and single drugs."""
    rows = [
        ("steroid", "anti-inflammatory", "never"),
        ("sulfa", "coating", "never"),
        ("heart", "antiemetic", "never"),
        ("anti-inflammatory", "antiemetic", "never"),
        ("anti-inflammatory", "opioid", "less"),
        ("antiemetic", "opioid", "less"),
        ("opioid", world.drug["reacted sulfa"], "less"),
        (world.drug[world.antibiotic], "coating", "apart"),
        ("sulfa", "cephem", "apart"),
        ("coating", "antiemetic", "apart"),
        ("coating", world.drug["swelling"], "apart"),
    ]
    return "first\tsecond\trule\n" + "".join("\t".join(row) + "\n" for row in rows)


def shelf(world):
    """The antibiotic's nearest strength runs out of date within the course or is too few, the rest is plenty."""
    lines = ["drug,strength_mg,left,use_by"]
    for role in sorted(FORMS, key=lambda role: world.drug[role]):
        for strength in FORMS[role][4]:
            left, use_by = world.rng.randint(250, 400), f"2028-{world.rng.randint(1, 9):02d}-28"
            if role in ("first", "second") and strength == world.strengths(role)[0]:
                left, use_by = (3, use_by) if world.poor else (left, "2027-03-23")
            lines.append(f"{world.drug[role]},{strength},{left},{use_by}")
    return "\n".join(lines) + "\n"


def charts(world):
    """What was given on the ward on both days, for our patient and another."""
    ours, first, _ = world.records
    drug = world.drug
    rows = [
        (17, "08:00", first, drug["pain"], "given"),
        (17, "16:30", ours, drug[world.antibiotic], "given"),
        (17, "17:05", ours, "", "vomited"),
        (17, "19:00", ours, drug["coating"], "given"),
        (17, "20:15", ours, drug[world.antibiotic], "given"),
        (17, "22:00", ours, drug["opioid"], "given"),
        (18, "06:00", ours, drug["opioid"], "refused"),
        (18, "08:00", ours, drug[world.antibiotic], "refused"),
        (18, "08:10", first, drug["pain"], "given"),
        (18, "08:40", ours, drug[world.corrected], "given"),
        (18, "09:20", ours, "", "vomited"),
        (18, "13:30", ours, drug["coating"], "given"),
        (18, "14:00", ours, drug["opioid"], "given"),
        (18, "14:20", first, "", "vomited"),
    ]
    return {
        f"ward/chart-03-{day}.tsv": "time\trecord\tdrug\tresult\n"
        + "".join("\t".join(row[1:]) + "\n" for row in rows if row[0] == day)
        for day in (17, 18)
    }


def dictations(world):
    """What the machine typed, patient by patient."""
    drug, days = world.drug, world.days
    (_, ours), (_, first), (_, third) = world.owners
    she, her = world.her
    wrong = days["opioid"] + 2
    evening = [
        f"{world.dog} {first}. Teeth done, two out. {drug['pain']} for {words(5)}. {drug['first']} for {words(10)}, top of the range. "
        f"{drug['coating']} for {words(4)}. Nothing else, soft food.",
        f"{world.dog} {ours}. The other one, not the teeth. Lump out, all of it, clean edges. {she.capitalize()} can go home tomorrow. "
        f"{drug['pain']} for {words(days['pain'])}. {drug['first']} for {words(days['first'])}, and if {she} may not have that, "
        f"{drug['second']} instead, for just as long. {drug['opioid']} for {words(wrong)}, no, sorry, that was the cat, "
        f"{words(days['opioid'])}. {drug['coating']} for {words(days['coating'])}, top of the range. "
        f"{drug['sickness']} for {words(days['sickness'])}. {drug['swelling']} for {words(days['swelling'])}. "
        f"And I want to see the wound {words(world.check_up)} after {she} has gone home.",
        f"{world.other_dog} {third}. Nothing to add. {drug['swelling']} for {words(6)}. And somebody has left a mug on the autoclave.",
    ]
    morning = [
        f"{world.dog} {ours}. Brighter than I am. Make the {drug['first']} {words(world.longer)}. "
        f"The {drug[world.back]} I take back, {she} does not need it. All else as I said. Tell them to keep {her} out of the river until then.",
        f"{world.dog} {first}. Make the {drug['first']} {words(12)}. The {drug['pain']} I take back.",
    ]
    head = "[typed by machine, not read by {}]\n\n"
    return {
        "dictation/0317-1810.txt": head.format(world.vet) + "\n\n".join(evening) + "\n",
        "dictation/0318-0915.txt": head.format(world.vet) + "\n\n".join(morning) + "\n",
    }


HANDBOOK = """# 4 Going home

## 4.1 Who

The diary grows: of several entries with one UID the one with the highest SEQUENCE is what was agreed in the end. The record
number leads to everything else.

## 4.2 Weight

We dose by the last weight in the scale log that carries no remark. The corridor scale weighs in pounds; a pound is
0.4536 kg. The weight in kg is rounded to one decimal place, and doses are worked out from the rounded weight.

## 4.3 What was prescribed

The patient's own passages in all dictations, the earlier first. The machine types everything: where the vet corrects himself, his
last word holds. The lower end of the range is meant unless he asks for the top. An alternative is given only in the case for
which he names it; a length that he changes later is then changed for the alternative too.

## 4.4 What does not go home

In this order:

1. what the vet has taken back;
2. allergies: whoever has reacted to a drug gets no drug of its class (classes are in the formulary);
3. interactions marked `never`: the second one is not given.

`formulary/interactions.tsv` is worked from the top. First and second are a drug or a class, and a line applies only between things that the
patient really takes: what still goes home, and the long-term medicines in the record that have not ended. What has dropped out does not
interact with anything further down. Long-term medicines never drop out, and they do not appear on the schedule: the owner has them.

## 4.5 Dose

mg per kg as in the formulary of the year, with its correction slips; a later slip beats an earlier one. Then

- kidneys: where the last creatinine is above 140 umol/l (1 mg/dl is 88.4 umol/l), what the formulary says under Kidneys is done: half of
  the dose, or twice the interval;
- interactions marked `less`: the second one gets three quarters of its dose (once, even if two lines say so).

## 4.6 Quantity

One strength for the whole course, and the same quantity each time: as much as possible without going over the dose, and at most three
tablets or capsules at a time. Scored tablets can be halved, others and capsules cannot; liquids go in steps of 0.1 ml. Of the strengths the
one that comes nearest to the dose is taken; if two come equally near, the one with fewer pieces. A strength counts only if the shelf has
enough of it (tablets, capsules, ml) for all givings at home, and if it may still be used on the day of the last giving (`use_by` is the
last day).

## 4.7 Times

| interval | times |
| --- | --- |
| 8 hours | 06:00, 14:00, 22:00 |
| 12 hours | 08:00, 20:00 |
| 24 hours | 08:00 |

Interactions marked `apart`: the second one has its own times two hours later than in this table, every day.

At home a drug begins at the first of its times after the collection that is at least its interval less two hours after
the last giving on the ward. Refused is not given, and what is followed by vomiting within an hour counts as not given, whatever it was.

The day of the first giving that counts, on the ward or at home, is the first day of the course; it ends with the last of its times on its
last day.

## 4.8 Wound checks

Counted from the day of collection. Not on the days in `diary/closed-days.txt`: then it is the next day that is not among them.
"""
ADVICE = """# What owners take home (our wording is free, the matter is not)

- Give tablets in a bit of food. If a dose was forgotten and less than half of the time to the next one has gone by, give it; otherwise
  skip it. Never two at once.
- If the dog is sick within an hour of a dose, do not give it again; go on with the next one, and ring us if it happens twice.
- The collar stays on, also at night, until we have seen the wound. Lead walks only, ten minutes.
- A little swelling and a quiet dog are to be expected for two days. Ring us for: a wound that opens, smells or bleeds; no food for
  a whole day; black stools; a face that swells (this at once, at any hour).
- Ring 0555 0144, at night too: then the nurse on duty answers.
- The ticked-off schedule comes back to the wound check.
"""
CLOSED = """Spring 2027: closed, or open without a vet who sees wounds

every Saturday
every Sunday
26 March  Good Friday
29 March  Easter Monday
3 May     bank holiday
"""
WARD = """# 3 On the ward

3.1 Bowls are numbered like the kennels.
3.2 What is given is written down when it has been swallowed, and not before.
3.3 Weigh every morning before food. A wet or dressed-up dog weighs what it likes: say so in the remark.
"""


def letters(world):
    """The owner's worry, and an advertisement."""
    title, name = world.owners[0]
    she, _ = world.her
    worry = f"""Hello,

I come for {world.dog} at five. I have to say that I am rather frightened of all those tablets. Last time I mixed up morning and evening, and then I did not dare to ring. On our bathroom scales {she} was {world.weight // 10 + 2} kilos, if that helps. And could {she} not have everything once a day?

{title} {name}
"""
    offer = f"Dear team,\n\n{world.drug['pain']} is now ten per cent off, and you can go right to the top of the range from day one, our customers tell us.\n\nYour Veterica representative\n"
    return {
        "mail/03-17-owner.eml": mail(f"{name} <{name.lower()}@postbox.example>", "ward@fernbrook.example", "Wed, 17 Mar 2027 21:14:00 +0000", f"{world.dog}", worry),
        "mail/03-15-offer.eml": mail("Veterica <offers@veterica.example>", "ward@fernbrook.example", "Mon, 15 Mar 2027 10:00:00 +0000", "Spring offer", offer),
    }  # fmt: skip


def files(world):
    """Content by path."""
    older = {role: (low + 3, high + 5) for role, (low, high) in world.range.items()}
    found = {
        "diary/march.ics": diary(world),
        "diary/closed-days.txt": CLOSED,
        "scale/log-2027-03.csv": scale_log(world),
        "formulary/formulary-2027.csv": formulary(world, world.printed),
        "formulary/old/formulary-2025.csv": formulary(world, older),
        "formulary/interactions.tsv": interactions(world),
        "pharmacy/shelf-2027-03-18.csv": shelf(world),
        "handbook/03-on-the-ward.md": WARD,
        "handbook/04-going-home.md": HANDBOOK,
        "handbook/home-advice.md": ADVICE,
        "notes/whose-turn.txt": "Mon kettle: Bea\nTue bins: Theo\nWed fish tank: nobody, again\nThu hoses: Bea\n",
    }
    found |= {f"records/{world.records[n]}.json": json.dumps(record(world, n), indent=2) + "\n" for n in range(3)}
    return found | lab_reports(world) | slips(world) | charts(world) | dictations(world) | letters(world)


def generate(seed: int, out_dir: Path) -> None:
    """Writes the workspace of a seed."""
    for path, content in files(World(seed)).items():
        target = Path(out_dir) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
