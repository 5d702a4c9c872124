"""Writes the office folder of a small half-marathon: box read-outs, officials' papers, entries and a mailbox."""

import csv
import io
import json
import quopri
import random
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from email.header import Header
from email.utils import parsedate_to_datetime
from pathlib import Path

SLUG = "half-marathon-results"
RACE = date(2026, 10, 4)
MINUTE = 600  # all times are tenths of a second since midnight, local
HOUR = 60 * MINUTE
BOUNDS = (20, 35, 45, 55)
FIRST = {
    "F": "Aslaug Bethany Corisande Dagny Eluned Floris Gwenda Hesper Ilka Jorunn Keziah Loveday Marit Nerys Ottilie "
    "Petronel Rhoswen Signe Tirzah Una Verity Wilmot Ysanne Zillah Britta Cerys Dorte Elspeth Freya Greta".split(),
    "M": "Alaric Bertil Cormac Dafydd Eskil Fergal Gethin Halvard Ingram Jarle Kenelm Lorcan Magnus Ninian Oswin "
    "Piran Quill Roald Steinar Torquil Ulric Vidar Wystan Yorick Anselm Brock Caspian Denzil Emrys Finlo".split(),
}
SURNAMES = (
    "Abram Bexley Cattermole Dunnock Ellerby Fothergill Garstang Höglund Imrie Jessop Kirkbride Løvås Mossop Nankivell "
    "Orrell Pengelly Quayle Rawnsley Sköld Threlkeld Unsworth Varley Wolstenholme Yewdale Ackroyd Birkett Crossley "
    "Daintree Eskdale Furnace Gaitskell Hawkshead Ibbotson Jopling Kellet Lonsdale Müller Naylor Oddy Postlethwaite"
).split()
CLUBS = {"MER": "Merrow Harriers", "FEN": "Fenside Striders", "QUA": "Quarry Road Runners", "TID": "Tidewater AC"}
NO_CLUB = ""


def half(tenths):
    """A clock reading with tenths."""
    seconds, rest = divmod(tenths, 10)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest}"


def english(day):
    return f"{day.day} {day:%B %Y}"


@dataclass
class Runner:
    """One number, with what the person who wore it did."""

    bib: int
    sex: str
    first: str
    last: str
    born: date
    club: str
    wave: int
    chip: str
    worn: str = ""
    role: str = ""
    start_reads: list = field(default_factory=list)
    start: int = 0
    finish: int = 0
    penalty: int = 0

    @property
    def name(self):
        return f"{self.first} {self.last}"

    def seconds(self):
        """The final time, rounded up."""
        return -(-(self.finish - self.start) // 10) + self.penalty


class World:
    """Everything that the files of one seed show."""

    def __init__(self, rng):
        self.rng = rng
        self.clock_sign = rng.choice((1, -1))
        self.clock_error = self.clock_sign * 10 * rng.randrange(34, 78)
        self.guns = {1: 9 * HOUR + 30 * MINUTE}
        self.guns[2] = self.guns[1] + 10 * rng.randrange(250, 290)
        self.guns[3] = self.guns[1] + 10 * rng.randrange(680, 720)
        self.enter()
        self.cast()
        self.run()
        self.read_boxes()

    def enter(self):
        rng = self.rng
        bibs = sorted(rng.sample(range(101, 190), 66))
        chips = rng.sample(range(2000, 9000), len(bibs) + 4)
        self.spares = [f"K{number}" for number in chips[len(bibs) :]]
        people = [(first, sex) for sex in "FM" for first in FIRST[sex]]
        people = rng.sample(people, len(people)) + rng.sample(people, 10)
        surnames = rng.sample(SURNAMES, len(SURNAMES)) + rng.sample(SURNAMES, len(SURNAMES))
        self.runners = []
        for n, bib in enumerate(bibs):
            (first, sex), born = people[n], date(rng.randrange(1958, 2009), rng.randrange(1, 10), rng.randrange(1, 29))
            club = rng.choice([*CLUBS, NO_CLUB])
            runner = Runner(bib, sex, first, surnames[n], born, club, rng.choice((1, 2, 2, 3, 3)), f"K{chips[n]}")
            runner.worn = runner.chip
            self.runners.append(runner)

    def cast(self):
        """Who plays which part; the rest just run."""
        roles = (
            "back away away away drop drop spare spare-late mixed-up mixed-down sold moved cut seen-2 seen-1 hand "
            "hand-child only-b only-b early no-read slow-start too-slow tester tester penalty dsq let-off warned dob "
            "dob-late turning turning birthday twin twin blamed"
        ).split()
        chosen = self.rng.sample(self.runners, len(roles))
        for runner, role in zip(chosen, roles, strict=True):
            runner.role = role
        self.dress()

    def one(self, role):
        return self.all(role)[0]

    def all(self, role):
        return [runner for runner in self.runners if runner.role == role]

    def dress(self):
        """What a part asks of birth date, wave, club and chip."""
        rng = self.rng
        self.one("spare").worn, self.one("spare-late").worn = self.spares[1], self.spares[0]
        up, down = self.one("mixed-up"), self.one("mixed-down")
        up.worn, down.worn = down.chip, up.chip
        self.one("moved").wave = 1
        for role in ("early", "blamed", "slow-start", "too-slow"):
            self.one(role).wave = rng.choice((2, 3))
        for runner in self.all("turning"):
            runner.born = date(RACE.year - rng.choice(BOUNDS), rng.choice((11, 12)), rng.randrange(1, 28))
        self.one("birthday").born = date(RACE.year - rng.choice(BOUNDS), 10, 4)
        self.one("penalty").club = "QUA"
        one, other = self.all("twin")
        other.sex, other.born, other.first = one.sex, one.born + timedelta(days=70), rng.choice(FIRST[one.sex])
        self.buy()
        for role in ("dob", "dob-late"):
            runner = self.one(role)
            runner.born = date(RACE.year - rng.choice((36, 37, 46, 47)), 3, rng.randrange(1, 28))

    def buy(self):
        """The person who took over a number on the morning of the race."""
        seller, rng = self.one("sold"), self.rng
        sex = "F" if seller.sex == "M" else "M"
        self.buyer = Runner(
            0, sex, rng.choice(FIRST[sex]), "Tregaskis", date(rng.randrange(1960, 1999), 5, 11), "", 0, ""
        )

    def wave_run(self, runner):
        return 3 if runner.role == "moved" else runner.wave

    def run(self):
        """Start and finish of everybody, by the true clock."""
        rng, taken = self.rng, set()
        for runner in self.runners:
            if runner.role in ("back", "away"):
                continue
            self.start_of(runner)
            runner.penalty = {"penalty": 120, "let-off": 60}.get(runner.role, 0)
            while True:
                runner.finish = runner.start + rng.randrange(46_000, 84_000)
                if runner.seconds() not in taken:
                    break
            taken |= {runner.seconds()}
        self.finish_by_hand(taken)
        self.finish_together(taken)

    def start_of(self, runner):
        rng, gun = self.rng, self.guns[self.wave_run(runner)]
        crossed = gun + rng.randrange(21, 1100)
        warm_up = [gun - rng.randrange(200, 6000) for _ in range(rng.choice((0, 0, 1, 2)))]
        late = {
            "slow-start": rng.randrange(6 * MINUTE, 9 * MINUTE),
            "too-slow": rng.randrange(11 * MINUTE, 13 * MINUTE),
        }
        crossed = gun + late.get(runner.role, crossed - gun)
        reads = {
            "early": [gun - rng.randrange(150, 700)],
            "no-read": [],
            "drop": [*warm_up, crossed],
        }.get(runner.role, [*warm_up, *([crossed - rng.randrange(8, 21)] if rng.random() < 0.3 else []), crossed])
        runner.start_reads = sorted(reads)
        counts = [read for read in runner.start_reads if gun <= read <= gun + 10 * MINUTE]
        runner.start = counts[-1] if counts else gun

    def finish_by_hand(self, taken):
        for role in ("hand", "hand-child"):
            runner = self.one(role)
            while True:
                runner.finish = (runner.start + self.rng.randrange(50_000, 80_000)) // 10 * 10
                if runner.seconds() not in taken:
                    break
            taken |= {runner.seconds()}

    def finish_together(self, taken):
        """Two who differ by tenths: one on the full second, one just short of it."""
        one, other = self.all("twin")
        net = 10 * next(s for s in range(6100, 8000) if not {s - 1, s, s + 1} & taken)
        one.finish, other.finish = one.start + net, other.start + net - self.rng.randrange(2, 8)

    def read_boxes(self):
        """What each box wrote, by its own clock: lists of (time, chip)."""
        rng = self.rng
        self.boxes = {name: [] for name in ("S", "T1", "T2", "A", "B")}
        for runner in self.runners:
            if runner.role in ("back", "away"):
                continue
            self.boxes["S"] += [(read, runner.worn) for read in runner.start_reads]
            for box, share in (("T1", 0.3), ("T2", 0.71)):
                missed = {"cut": "T2", "seen-2": "T2", "seen-1": "T1", "drop": "T2"}.get(runner.role)
                if box != missed:
                    passed = runner.start + int(share * (runner.finish - runner.start))
                    self.boxes[box] += [(passed + extra, runner.worn) for extra in rng.choice(((0,), (0,), (0, 9)))]
            self.read_finish(runner)
        for box in self.boxes:
            self.boxes[box].append((self.guns[1] + {"S": 4, "T1": 11_700, "T2": 27_800}.get(box, 39_000), "K0001"))
            self.boxes[box].sort()

    def read_finish(self, runner):
        rng, seen = self.rng, runner.finish + self.clock_error
        if runner.role in ("hand", "hand-child", "drop"):
            return
        if runner.role == "tester":
            early = 8 * HOUR + 50 * MINUTE + rng.randrange(9000)
            self.boxes[rng.choice("AB")].append((early, runner.worn))
        first, second = ("A", "B") if rng.random() < 0.8 and runner.role != "only-b" else ("B", "A")
        self.boxes[first].append((seen, runner.worn))
        if runner.role != "only-b":
            self.boxes[second].append((seen + rng.randrange(1, 6), runner.worn))
        if rng.random() < 0.25:
            self.boxes["B"].append((seen + rng.randrange(40, 900), runner.worn))

    def plain(self):
        """Finishers without a part, for the protests' senders."""
        return [runner for runner in self.runners if not runner.role and runner.club]

    def sound(self):
        """Whether no two finishers but the twins share a time, and names are told apart."""
        finishers = [r for r in self.runners if r.role not in ("back", "away", "drop", "cut", "dsq")]
        times = [r.seconds() for r in finishers]
        names = {r.name for r in self.runners} | {self.buyer.name}
        return len(set(times)) == len(times) - 1 and len(names) == len(self.runners) + 1 and len(self.plain()) >= 6


def make_world(seed):
    rng = random.Random(f"{SLUG}:{seed}")
    while True:
        world = World(rng)
        if world.sound():
            return world


def table(rows, separator=",", end="\n"):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    return out.getvalue()


def box_files(world):
    turn = lambda box: "".join(
        json.dumps(
            {
                "t": (datetime(2026, 10, 4) + timedelta(seconds=(t - HOUR) / 10)).isoformat("T", "milliseconds") + "Z",
                "tag": tag,
            }
        )
        + "\n"
        for t, tag in world.boxes[box]
    )
    plain = lambda box: table([("tag", "clock"), *((tag, half(t)) for t, tag in world.boxes[box])])
    strength = lambda: f"-{world.rng.randrange(48, 77)}"
    return {
        "boxes/start-S.csv": plain("S"),
        "boxes/turn-T1.jsonl": turn("T1"),
        "boxes/turn-T2.jsonl": turn("T2"),
        "boxes/finish-A.csv": plain("A"),
        "boxes/finish-B.txt": table(
            [("clock", "tag", "dBm"), *((half(t), tag, strength()) for t, tag in world.boxes["B"])], ";", "\r\n"
        ),
        "boxes/crew log.txt": crew_log(world),
    }


def crew_log(world):
    direction = "ahead" if world.clock_sign > 0 else "behind"
    return f"""SUNDAY 4 OCT, boxes. Milosz, Tilde

07:40  S (start) on, set by the radio clock. Checked 11:50, still right.
08:02  T1 and T2 on. They set themselves by satellite, UTC as ever (here it is UTC+1).
08:25  A (finish, left) on. No radio under that roof, set it by my wristwatch.
08:41  B (finish, right) on, set by A, to the tenth.
09:55  K0001 is the lead bicycle. Leave it in, it does no harm.
11:20  Somebody leans a pushchair on B. Gone again.
13:06  Carried the radio clock over. A is {abs(world.clock_error) // 10} s {direction}. So much for the wristwatch. Nobody has touched A or B since they were set.
13:30  Provisional list hung up, from A as it is. Rain.
"""


def entry_rows(world, runners):
    head = ("Nr", "Surname", "First name", "Sex", "Born", "Club", "Wave", "Chip")
    return [head, *((r.bib, r.last, r.first, r.sex, f"{r.born:%d.%m.%Y}", r.club, r.wave, r.chip) for r in runners)]


def entries(world):
    rng = world.rng
    first = sorted(rng.sample(world.runners, 41), key=lambda r: r.bib)
    old = [(*row[:-2], "", "") for row in entry_rows(world, first)[1:]]
    clubs = "".join(f"{code}:\n  name: {name}\n  delegate: {world.delegates[code]}\n" for code, name in CLUBS.items())
    return {
        "entries/entries-final.csv": table(entry_rows(world, world.runners), ";", "\r\n").encode("cp1252"),
        "entries/entries-at-11-sept.csv": table([entry_rows(world, [])[0], *old], ";", "\r\n").encode("cp1252"),
        "entries/clubs.yaml": f"# who may speak for whom, season 2026\n{clubs}",
        "entries/desk sunday.txt": desk(world),
    }


def desk(world):
    one, buyer = world.one, world.buyer
    spare, late, up, down = (one(role).bib for role in ("spare", "spare-late", "mixed-up", "mixed-down"))
    first, second = world.spares[:2]
    sex = {"F": "woman", "M": "man"}[buyer.sex]
    return f"""Registration desk, Sunday, Ottoline & Bram

8.02  {spare}: chip does not beep. Gets spare {first}.
8.10  {one("back").bib} brings the number back, knee.
8.17  {one("sold").bib} cannot come, number goes to {buyer.name}, {sex}, born {english(buyer.born)}. Same chip, same wave, paid.
8.26  {late}: chip lost in the car park. Gets spare {second}.
8.33  {one("moved").bib} wants to run with a friend, may start in wave 3.
8.38  {up} and {down} share a house and opened each other's envelope: each has the other's chip on the shoe. They run like that.
8.44  Safety pins are out. Sent Jory.
8.51  Wrong way round: {spare} went off with {second}, and {late} with {first}. Checked both shoes.
"""


def officials(world):
    one, guns = world.one, world.guns
    card = "\n".join(f"Wave {n}   {half(guns[n])[:-2].replace(':', '.').lstrip('0')}" for n in (1, 2, 3))
    slates = slate_lists(world)
    return {
        "officials/starter card.txt": f"STARTER  (by the display of box S)\n\n{card}\n\nWave 3 held for a pony.\n",
        "officials/finish judges.tsv": judges(world),
        "officials/slate turn 1.txt": f"Turn 1, chalked up when the mat light was off\n\n{slates[0]}\n\nE. Pask\n",
        "officials/slate turn 2.txt": f"TURN 2 mat light off now and then, these came round the cone:\n{slates[1]}\nthen it worked again. Cold. - Hob\n",
        "officials/referee.txt": f"""Referee's report, Sunday 4 October 2026

{one("penalty").bib}: bottles thrown into the reserve, twice. Two minutes.
{one("dsq").bib}: paced by a bicycle from the church to the lock. Disqualified.
{one("let-off").bib}: earphones, did not take them out when told. Disqualified.
{one("warned").bib}: rude to a marshal. Warning, nothing more.

Torvald Escott
""",
        "officials/jury minutes.txt": f"""Jury, Sunday 4 October, 16.10, in the tea tent

Heard: the referee; the disqualified; two marshals.
Decided: The disqualification of number {one("dsq").bib} is lifted; one minute is added instead.
The rest of the referee's report stands.
""",
        "officials/jury correction.txt": f"""Monday 5 October

Dear Sunniva, I have just read what I typed in the tea tent. We let off the
one with the earphones, {one("let-off").bib}. For {one("dsq").bib} it is as the referee had it.
Everything else in the minutes is right. Please pin this to them.

Isolde Marchmain, chair of the jury
""",
    }


def slate_lists(world):
    """The numbers that the marshals chalked up at each turn; most of them were read as well."""
    rng, one = world.rng, world.one
    read = [r.bib for r in world.plain()]
    first = sorted([*rng.sample(read, 4), one("seen-1").bib, one("cut").bib])
    second = sorted([*rng.sample(read, 5), one("seen-2").bib])
    return ", ".join(map(str, first)), "\n".join(map(str, second))


def judges(world):
    rng = world.rng
    noted = [world.one("hand"), world.one("hand-child"), *rng.sample(world.plain(), 7)]
    rows = []
    for runner in sorted(noted, key=lambda r: r.finish):
        slip = 0 if runner.role else rng.choice((-20, -10, 10, 20))
        rows.append(
            (runner.bib, half(runner.finish // 10 * 10 + slip)[:-2], rng.choice(("", "", "no beep?", "sprint")))
        )
    return "# watches started by the display of box S\n" + table([("nr", "time of day", "remark"), *rows], "\t")


def rules():
    return {
        "rules/race rules 2026.txt": RULES,
        "rules/old/race rules 2024.txt": OLD_RULES,
        "rules/bulletin 1.txt": BULLETIN_1,
        "rules/bulletin 2.txt": BULLETIN_2,
        "rules/bulletin 3.txt": BULLETIN_3,
    }


RULES = """MERROW HALF - RACE RULES, edition of January 2026 (replaces that of 2024)

The committee may change these rules by bulletins. A bulletin holds for a
race if it is dated before the day of that race; a later one holds from the
next race on.

1  Clock. Everything goes by the radio clock. A box that was off is put
   right by what the crew's log says about it.

2  Numbers. Who wears a number, in which wave and with which chip, is what
   the final list of entries says, as changed at the registration desk.

3  Start. A runner's start is the last read by the start box from the gun of
   the runner's wave until 5 minutes after it. Reads outside of that do not
   count. If there is none in it, the gun is the start.

4  Finish. A runner's finish is the first read by either finish box that is
   at least an hour after the start. If there is none, the time of day on the
   finish judges' sheet is the finish. If the number is not on that sheet
   either, the runner did not finish.

5  Turns. A runner who finishes must have been read at both turns. Who was
   not read at a turn but is on the marshals' slate of that same turn was
   there. Any other finisher whose read is missing is disqualified.

6  Time. The final time is the finish less the start, plus any minutes that
   the referee or the jury has added. Tenths are cut off, down to the full
   second.

7  Places. By final time. Equal final times share a place, and the places
   after it are left free (1, 2, 2, 4). Places in a category are given in
   the same way among those of the category.

8  Categories. F or M, followed by U20, 20, 35, 45 or 55: under twenty, then
   the age at which the category begins (F35 is women of 35 to 44). The age
   is that on 31 December of the year of the race.

9  Referee and jury. The referee's report holds, unless the jury has changed
   it.

10 Protests. By mail, sent by 20:00 on the day of the race (the Date line
   counts), by a runner, or for a runner by the delegate of the runner's
   club. Protests from others, or sent later, are unheard. One that the
   sender takes back in writing is withdrawn. Of all others those are upheld
   whose wish these final results fulfil, and the rest are rejected.
   Whether there is a protest or not, the office makes the results by these
   rules. But a date of birth in the list of entries is corrected only on a
   protest that is heard and that gives the licence number.
"""

OLD_RULES = """MERROW HALF - RACE RULES, edition of 2024

1  Clock. The finish clock.
2  Start. Everybody's time runs from the gun of wave 1.
3  Turns. A missing read at a turn costs three minutes.
4  Time. Rounded to the nearest second.
5  Categories. F or M, by age on 1 January: 20, 40, 60.
6  Protests. On paper, within half an hour of the list, with five pounds.
"""

BULLETIN_1 = """MERROW HALF - BULLETIN 1                              12 August 2026

The baggage tent moves to the cricket field. Waves will start at 9.30,
9.35 and 9.40. Please do not feed the pony.
"""

BULLETIN_2 = """MERROW HALF - BULLETIN 2                           28 September 2026

Because the county wants it so:
- rule 3: 10 minutes instead of 5;
- rule 6: tenths are no longer cut off; a time with tenths goes up to the
  next full second (one without stays);
- rule 8: the age is that on the day of the race, with a birthday on that
  day counted in.
All else as printed.
"""

BULLETIN_3 = """MERROW HALF - BULLETIN 3                              5 October 2026

After the complaints about the queue at the office:
- rule 10: protests may be sent until noon of the Monday after the race;
- rule 4: a number that is on the judges' sheet goes by the judges' watch.
"""


def band(born):
    age = RACE.year - born.year - ((born.month, born.day) > (RACE.month, RACE.day))
    return max((str(bound) for bound in BOUNDS if age >= bound), default="U20")


@dataclass
class Mail:
    """One message of the office's mailbox."""

    sender: str
    sent: str
    subject: str
    text: str
    ticket: str = ""


def protests(world):
    """The mailbox in order of arrival: role of the runner concerned, message, later replies."""
    one, rng = world.one, world.rng
    witness = rng.sample(world.plain(), 2)
    clocks = iter(rng.sample(range(13 * 60 + 40, 19 * 60 + 50), 14))
    sunday = lambda clock, zone="+0100": f"Sun, 04 Oct 2026 {clock}:00 {zone}"
    some_time = lambda: sunday("{}:{:02d}".format(*divmod(next(clocks), 60)))
    ask_mat = lambda role, why: (
        f"{why}. I, number {one(role).bib}, want my time counted from the moment I crossed the start mat, not from the gun."
    )
    rejoin = lambda role: (
        f"On your list I, number {one(role).bib}, am disqualified. Let me explain once more, I did not know. Please put me back into the results."
    )
    return [
        Mail(
            one("spare").name,
            some_time(),
            "not finished??",
            f"You have me as not finished. I have the medal round my neck! Please put me, number {one('spare').bib}, into the results.",
        ),
        Mail(
            "Hyacinth Vole",
            some_time(),
            "glove",
            "One grey glove, left hand, somewhere around number 150's mother. Was it handed in?",
        ),
        Mail(
            witness[0].name,
            some_time(),
            "short cut",
            f"I tied both my laces at the second turn and number {one('cut').bib}, who had been right behind me, never came round the cone. A minute later we had the same shirt in front of us. That has to be a disqualification for number {one('cut').bib}.",
        ),
        Mail(
            world.buyer.name,
            some_time(),
            "second turn",
            f"The screen in the tent shows no time at the second turn for number {one('seen-2').bib}. No read, no run. Please disqualify number {one('seen-2').bib}.",
        ),
        Mail(one("let-off").name, some_time(), "earphones", rejoin("let-off")),
        Mail(one("dsq").name, some_time(), "that bicycle", rejoin("dsq")),
        Mail(
            one("too-slow").name,
            some_time(),
            "my start",
            ask_mat("too-slow", "There was a queue before the tent with the heart on the door"),
        ),
        Mail(
            one("slow-start").name,
            some_time(),
            "time from the mat",
            ask_mat("slow-start", "My lace broke and the start was empty when I came"),
        ),
        Mail(
            "Ragnhild " + one("hand-child").last,
            some_time(),
            "my child",
            f"My child ran all the way with number {one('hand-child').bib} and is not on your list, and is in tears. Please put number {one('hand-child').bib} into the results.",
        ),
        Mail(
            world.delegates["QUA"],
            some_time(),
            "the reserve",
            f"For our member, number {one('penalty').bib}: one bottle, and it was the wind. We ask that the two minutes be taken away again.",
        ),
        Mail(
            world.all("twin")[0].name,
            some_time(),
            "hand in hand",
            "Number {} (me) and number {} started apart, but our watches agree to the second. We ask that number {} be given the same place as number {}.".format(
                *[r.bib for r in world.all("twin")] * 2
            ),
        ),
        Mail(
            witness[1].name,
            some_time(),
            "earphones too",
            f"Number {one('blamed').bib} had earphones as well, and nobody did anything. Please disqualify number {one('blamed').bib}.",
        ),
        Mail(
            "Jory Penhallow",
            some_time(),
            "thank you",
            "Best tea tent in the county. 41 scones, I counted. And number 101 and up all smiled.",
        ),
        Mail(
            one("dob").name,
            sunday("20:37", "+0200"),
            "too young",
            f"Writing from the night train. You have me, number {one('dob').bib}, born in the wrong year: it is {one('dob').born.year - 10}, licence {licence(world, 'dob')}. So my category should be {category(world, 'dob')}.",
        ),
        Mail(
            one("dob-late").name,
            sunday("15:26", "-0400"),
            "year of birth",
            f"Already back home. The list has my year of birth wrong, it should be {one('dob-late').born.year - 10}, licence {licence(world, 'dob-late')}, and the category of number {one('dob-late').bib} should be {category(world, 'dob-late')}.",
        ),
        Mail(
            world.delegates["TID" if one("only-b").club != "TID" else "FEN"],
            some_time(),
            "one of the others",
            f"It is none of ours, but number {one('only-b').bib} passed me at the line and is not on your list. Please put number {one('only-b').bib} into the results.",
        ),
        Mail(
            "Photo Quist",
            "Mon, 05 Oct 2026 09:10:00 +0100",
            "prices",
            "Prints from 4.50, number 102 to 188 all there. Shall we send the link round?",
        ),
    ]


def licence(world, role):
    return f"L-{world.one(role).bib * 37 + 41000}"


def category(world, role):
    runner = world.one(role)
    return runner.sex + band(runner.born.replace(year=runner.born.year - 10))


def replies(world, mails):
    """Answers to some of the messages, under the same ticket."""
    by_subject = {mail.subject: mail for mail in mails}
    blamed, cut, glove = (by_subject[subject] for subject in ("earphones too", "short cut", "glove"))
    return [
        Mail(
            world.one("cut").name,
            "Sun, 04 Oct 2026 19:55:00 +0100",
            f"Re: [{cut.ticket}] short cut",
            "We have talked it over, so please take this one as withdrawn.",
            cut.ticket,
        ),
        Mail(
            blamed.sender,
            "Mon, 05 Oct 2026 08:12:00 +0100",
            f"Re: [{blamed.ticket}] earphones too",
            "I was tired and cross. They were ear plugs. I take my protest back.",
            blamed.ticket,
        ),
        Mail(
            "Hyacinth Vole",
            "Mon, 05 Oct 2026 11:00:00 +0100",
            f"Re: [{glove.ticket}] glove",
            "Found it. In my pocket.",
            glove.ticket,
        ),
    ]


def moment(mail):
    return parsedate_to_datetime(mail.sent)


def mailbox(world):
    mails, number = sorted(protests(world), key=moment), world.rng.randrange(300, 700)
    for mail in mails:
        number += world.rng.randrange(1, 4)
        mail.ticket = f"M-{number}"
    answers = replies(world, mails)
    for mail in mails:
        mail.subject = f"[{mail.ticket}] {mail.subject}"
    return "".join(message(mail) for mail in sorted([*mails, *answers], key=moment))


def message(mail):
    sender = Header(mail.sender, "utf-8").encode() if not mail.sender.isascii() else mail.sender
    address = f"w{sum(map(ord, mail.sender)) % 9000 + 1000}@post.example"
    body = quopri.encodestring(mail.text.encode()).decode()
    return f"""From {address} {mail.sent}
From: {sender} <{address}>
To: office@merrowhalf.example
Date: {mail.sent}
Subject: {mail.subject}
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

{body}

"""


def provisional(world):
    """As hung up: box A as it was, chips as entered, gun times of the printed programme, the referee's disqualifications."""
    programme = {1: 9 * HOUR + 30 * MINUTE, 2: 9 * HOUR + 35 * MINUTE, 3: 9 * HOUR + 40 * MINUTE}
    first, holder = {}, {r.chip: r for r in world.runners}
    for clock, chip in world.boxes["A"]:
        if clock > 10 * HOUR and chip in holder:
            first.setdefault(chip, clock)
    out = {world.one("dsq").bib, world.one("let-off").bib}
    listed = sorted((clock - programme[holder[chip].wave], holder[chip].bib) for chip, clock in first.items())
    lines = [f"{n:3}.  {bib}   {half(time)[1:-2]}" for n, (time, bib) in enumerate(listed, 1) if bib not in out]
    missing = sorted({r.bib for r in world.runners} - {bib for _, bib in listed})
    body = "\n".join(lines)
    return (
        f"MERROW HALF  PROVISIONAL  13:30\nfrom box A, times from the gun\n\n{body}\n\n"
        f"disqualified: {', '.join(map(str, sorted(out)))}\nnot finished or not started: {', '.join(map(str, missing))}\n"
    )


def office(world):
    rng = world.rng
    return {
        "office/mail.mbox": mailbox(world),
        "office/provisional 1330.txt": provisional(world),
        "office/tent/medals.txt": f"Medals left: {rng.randrange(12, 31)}. Two without ribbon.\nTea urn back to the scouts by Thursday.\n",
        "office/tent/volunteers.csv": table(
            [("name", "post"), ("Jory", "pins, scones"), ("E. Pask", "turn 1"), ("Hob", "turn 2")]
        ),
    }


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    world = make_world(seed)
    spokesmen = world.rng.sample(
        ["Averil Stannard", "Clement Dacre", "Philippa Roose", "Gareth Mungo", "Ida Sharrow"], 4
    )
    world.delegates = dict(zip(CLUBS, spokesmen, strict=True))
    files = box_files(world) | entries(world) | officials(world) | rules() | office(world)
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    import sys

    generate(int(sys.argv[1]), sys.argv[2])
