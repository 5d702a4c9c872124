"""Writes a workspace for this task: the same station and its jobs, other people, volumes, lengths, slots and traps."""

import json
import random
from pathlib import Path

SLUG = "storage-box-switch-off"
FIRST = (
    "Oona Bex Ignatius Marit Dilwyn Jürgen Petra Halina Cosmo Renée Tadeusz Yolanda Ffion Gethin Solveig Amadou Brónagh "
    "Casimir Delphine Ewan Farida Günther Isolde Kazimir"
).split()
LAST = (
    "Ollerenshaw Thwaite Pålsson Quibell Rutherglen Szymborn Tollemar Underhay Vautrin Winstanleigh Abergold Brandreth "
    "Crowhurst Dabrowa Entwhistle Fairweathers Gillyatt Hartnoll"
).split()

CLASSES = {
    "speech": "studio-a studio-b newsroom podcasts oral-history outside-broadcast".split(),
    "music": "playout jingles music-library".split(),
    "office": "members accounts schedule rights mail wiki website".split(),
    "logs": "logger complaints webcam".split(),
}
CLASS_OF = {job: name for name, jobs in CLASSES.items() for job in jobs}
BASE_FILES = {
    "00-station.ini": "members accounts schedule rights".split(),
    "30-studios.ini": "studio-a studio-b newsroom playout jingles podcasts".split(),
    "60-logger.ini": "logger complaints webcam".split(),
}
SHARES = "oral-history music-library outside-broadcast website mail wiki".split()
INI_JOBS = [job for jobs in BASE_FILES.values() for job in jobs]
INI_ROLES = (
    "resident resident_override on_grebe override_tern override_keep override_keep2 off off_on on_off pinned_keep "
    "pin_expired keep_ok plain"
).split()
SHARE_ROLES = "to_grebe taken_back pinned_keep plain off resident".split()
STAYS = {"resident", "resident_override", "on_grebe", "off", "on_off"}
LEAVES_KEEP = STAYS | {"pinned_keep", "keep_ok"}
LIVE_PINS = ("2026-11-12", "2026-12-24", "2027-01-31", "2026-11-30")
PAST_PINS = ("2026-11-11", "2026-10-31", "2026-03-01", "2025-12-31")
DAYS_IN = {"h": 1 / 24, "d": 1, "w": 7}
VOLUMES = ("vol1", "vol2", "vol3", "raid/a", "raid/b")
NOISE = ("nice = 10", "exclude = *.tmp", "compress = zstd", "verify = sunday", "exclude = .cache")


def length_text(amount, unit):
    return f"{amount} {unit}"


class World:
    """One situation: which job stands where, what policy and tickets ask for, and what osprey's week looks like."""

    def __init__(self, seed):
        attempt = 0
        while True:
            self.rng = random.Random(f"{SLUG}:{seed}:{attempt}")
            self._people()
            self._roles()
            self._lengths()
            self._tickets()
            self._targets()
            self._keeps()
            self._windows()
            self._slots()
            if self._every_trap_bites():
                return
            attempt += 1

    def _people(self):
        firsts, lasts = self.rng.sample(FIRST, 8), self.rng.sample(LAST, 8)
        names = [f"{first} {last}" for first, last in zip(firsts, lasts)]
        self.author, self.approver, self.other_approver, self.asker, self.suggester, *self.crew = names

    def _roles(self):
        ini, shares = self.rng.sample(INI_ROLES, len(INI_ROLES)), self.rng.sample(SHARE_ROLES, len(SHARE_ROLES))
        self.role = dict(zip(INI_JOBS, ini)) | dict(zip(SHARES, shares))
        self.movers = [job for job, role in self.role.items() if role not in STAYS]
        self.rekept = [job for job in self.movers if self.role[job] not in LEAVES_KEEP]
        plain = [job for job in self.rekept if CLASS_OF[job] != "office"]
        self.no_class = self.rng.choice(plain) if plain else ""

    def _lengths(self):
        rng = self.rng
        weeks = rng.sample([5, 6, 7, 9, 10, 11, 13, 15, 17], 6)
        months, days = rng.sample([2, 4, 5, 7, 8], 3), rng.sample([40, 45, 50, 55, 75], 3)
        self.printed, self.other, self.third = (
            {
                "speech": (weeks[n], "weeks"),
                "music": (weeks[n + 3], "weeks"),
                "office": (months[n], "months"),
                "logs": (days[n], "days"),
            }
            for n in range(3)
        )

    def _tickets(self):
        """Which class each retention ticket is about, and what the thread of the move changes."""
        self.approved, self.withdrawn, self.later, _ = self.rng.sample(list(CLASSES), 4)
        self.length = self.printed | {self.approved: self.other[self.approved]}
        self.pools = dict(
            zip(CLASSES, self.rng.sample(["/spin/talk", "/spin/disc", "/deep/paper", "/flash/trace", "/deep/reel"], 4))
        )
        self.repooled, self.suggested = self.rng.sample(list(CLASSES), 2)
        self.new_pool, self.wish_pool = self.rng.sample(["/flash/front", "/spin/rear", "/deep/cellar"], 2)
        self.attic = self.rng.choice(["/attic/keep", "/loft/public", "/attic/left"])
        self.to_grebe = next(job for job in SHARES if self.role[job] == "to_grebe")
        self.taken_back = next(job for job in SHARES if self.role[job] == "taken_back")
        self.begged = self.rng.choice([job for job in self.rekept if job in INI_JOBS])

    def job_class(self, job):
        return "office" if job == self.no_class else CLASS_OF[job]

    def wanted_days(self, job):
        amount, unit = self.length[self.job_class(job)]
        return amount * {"weeks": 7, "months": 30, "days": 1}[unit]

    def _targets(self):
        rng = self.rng
        tern = lambda job: f"tern:/{rng.choice(VOLUMES)}/{rng.choice([job, job, job + '-2019', 'new-' + job])}"
        self.target, self.dead_target = {}, {}
        for job, role in self.role.items():
            self.target[job] = tern(job)
            if role == "resident":
                self.target[job] = f"osprey:/old-pool/{job}"
            elif role in ("resident_override", "on_grebe", "override_tern"):
                self.dead_target[job] = tern(job) if role != "override_tern" else f"grebe:/barn/{job}"
        for job, role in self.role.items():
            if role == "resident_override":
                self.target[job] = f"osprey:/trial/{job}"
            elif role == "on_grebe":
                self.target[job] = f"grebe:/barn/{job}"

    def _keeps(self):
        rng = self.rng
        units = {"d": [14, 20, 28, 30, 56, 84, 90], "w": [2, 3, 4, 8, 12], "h": [336, 504, 672, 1344, 2016]}
        self.keep, self.dead_keep = {}, {}
        for job, role in self.role.items():
            unit = "h" if job in SHARES else rng.choice("dw")
            wanted = self.wanted_days(job)
            choices = [n for n in units[unit] if n * DAYS_IN[unit] != wanted]
            self.keep[job] = f"{rng.choice(choices)}{unit}"
            if role == "keep_ok":
                self.keep[job] = f"{wanted}d"  # the policy says it in weeks
            if role.startswith("override_keep"):
                self.dead_keep[job] = f"{rng.choice(choices)}{unit}"
        live = rng.sample([LIVE_PINS[0], rng.choice(LIVE_PINS[1:])], 2)  # one of them ends today
        self.pin = dict(zip((job for job, role in self.role.items() if role == "pinned_keep"), live))
        self.pin |= {job: rng.choice(PAST_PINS) for job, role in self.role.items() if role == "pin_expired"}

    def _windows(self):
        """Osprey's calendar as (start, minutes); times are minutes after midnight."""
        rng = self.rng
        self.daily = (rng.choice([50, 60, 65]), rng.choice([42, 47, 51]))
        self.sunday = (rng.choice([145, 150, 155]), rng.choice([97, 104, 108]))
        self.weekday = (rng.choice([200, 203, 205]), rng.choice([27, 32, 34]))
        self.ended = (rng.choice([270, 280]), rng.choice([45, 60]))
        self.cancelled = (rng.choice([337, 341]), rng.choice([25, 30]))

    def _slots(self):
        """A start time and days for every job, so that each rule about start times is met."""
        rng = self.rng
        on_osprey = [job for job in self.movers if job != self.to_grebe]
        rng.shuffle(on_osprey)
        residents = [job for job, role in self.role.items() if role in ("resident", "resident_override")]
        idle = [job for job, role in self.role.items() if role in ("off", "on_off")]
        grebe = [self.to_grebe, *(job for job, role in self.role.items() if role == "on_grebe")]
        rng.shuffle(residents)
        daily_end, sunday = sum(self.daily), self.sunday[0]
        after_daily = -(-daily_end // 15) * 15
        clash, pair, quiet = rng.randrange(6, 24), rng.choice([352, 354, 358]), sunday + rng.randrange(6, 40)
        times = [
            (self.daily[0] + rng.randrange(4, 30), "*"),  # inside the daily window
            (sunday + rng.randrange(2, 5), "*"),  # daily, but the window is on Sundays only
            (quiet, "1-5"),  # inside Sunday's window, yet never on a Sunday
            (self.daily[0] + rng.randrange(31, 40), "*"),  # pinned
            (self.weekday[0] + rng.randrange(3, 20), "*"),  # pin has passed
            (clash, rng.choice(["0", "*", "6"])),  # same minute as a resident
            (pair, "*"),
            (pair, rng.choice(["6", "1-5", "3"])),
            (daily_end, "*"),  # starts as the window ends
            (self.weekday[0], rng.choice(["1-5", "2"])),  # starts as the window begins
            (self.ended[0] + rng.randrange(3, 30), "*"),  # the window has ended
        ]
        self.slot = dict(zip(on_osprey, times))
        self.slot |= dict(zip(residents, [(clash, "*"), (quiet, "0"), (after_daily, "*")]))
        self.slot |= dict(zip(idle, [(-(-pair // 15) * 15, "*"), (after_daily + 15, "*"), (self.sunday[0] + 9, "*")]))
        self.slot |= dict(zip(grebe, [(self.daily[0] + 2, "*"), (after_daily + 15, "*")]))
        self.cron_pin = {on_osprey[3]: rng.choice(LIVE_PINS), on_osprey[4]: rng.choice(PAST_PINS)}
        self.cron_order = rng.sample(sorted(self.slot), len(self.slot))

    def _every_trap_bites(self):
        rekept = [self.job_class(job) for job in self.rekept]
        based = {job for job in self.movers if self.role[job] != "override_tern"}
        return (
            bool(self.no_class)
            and all(rekept.count(name) > 1 for name in (self.approved, self.withdrawn, self.later))
            and all(based & set(jobs) for jobs in BASE_FILES.values())
            and self.repooled in {self.job_class(job) for job in self.movers if job != self.to_grebe}
            and self.suggested in {self.job_class(job) for job in self.movers if job != self.to_grebe}
            and self.no_class != self.to_grebe
            and all(self.length[self.job_class(job)][1] == "weeks" for job in self.role if self.role[job] == "keep_ok")
        )


def ini_option(style, name, value, comment=""):
    line = {"plain": f"{name} = {value}", "tight": f"{name}={value}", "wide": f"{name:<10}= {value}"}[style]
    return line + (f"   ; {comment}" if comment else "")


def base_fragment(world, name, jobs, style, head):
    rng, lines = world.rng, [*head]
    for job in jobs:
        role = world.role[job]
        lines += ["", f"[{job}]", ini_option(style, "source", f"{host_of(job)}:/srv/{job}")]
        if role == "plain":
            lines.append(f"; please don't touch, took me a whole Sunday ({world.crew[0]})")
        remark = rng.choice(["", "", "since the flood", "second disk from the left"])
        lines.append(ini_option(style, "target", world.dead_target.get(job, world.target[job]), remark))
        if job in world.pin:
            lines.append(
                f"; pin {world.pin[job]} ({rng.choice(world.crew)}): {rng.choice(['complaint 3/26', 'festival', 'lottery grant'])}"
            )
        lines.append(
            ini_option(style, "keep", world.dead_keep.get(job, world.keep[job]), rng.choice(["", "", "was 10d"]))
        )
        if role in ("off", "off_on"):
            lines.append(ini_option(style, "enabled", "no"))
        if rng.randrange(2):
            lines.append(ini_option(style, *rng.choice(NOISE).split(" = ")))
    return "\n".join(lines) + "\n"


def local_fragment(world):
    lines = ["; last word: whatever is set here beats the other fragments", ""]
    for job in world.rng.sample(INI_JOBS, len(INI_JOBS)):
        role = world.role[job]
        option = {
            "resident_override": ("target", world.target[job], "moved by hand in spring, works"),
            "on_grebe": ("target", world.target[job], "asked for by the insurer"),
            "override_tern": ("target", world.target[job], "grebe was full that week"),
            "off_on": ("enabled", "yes", "back from repair"),
            "on_off": ("enabled", "no", "machine is in the shed"),
        }.get(role)
        if role.startswith("override_keep"):
            option = ("keep", world.keep[job], "")
        if option:
            name, value, why = option
            lines += [f"[{job}]", *([f"# {why}"] if why else []), ini_option("plain", name, value), ""]
    return "\n".join(lines)


def unread_fragment(world):
    jobs = world.rng.sample([job for job in world.movers if job in INI_JOBS], 3)
    lines = ["; the broadcast van, summer 2025", ""]
    for job, option in zip(jobs, ("target = grebe:/van/box", "keep = 1w", "enabled = no")):
        lines += [f"[{job}]", option, ""]
    return "\n".join(lines)


def host_of(job):
    return {"speech": "mike", "music": "deck", "office": "desk", "logs": "ear"}[CLASS_OF[job]] + str(1 + len(job) % 4)


def mirror(world):
    lines = [
        "# pulled by mirrord, one block a share; start times are in cron, not here",
        "version: 3",
        "defaults:",
        "  bandwidth: 40M      # more, and the stream stutters",
        "  retries: 3",
        "shares:",
    ]
    for job in world.rng.sample(SHARES, len(SHARES)):
        role = world.role[job]
        lines += [f"  {job}:", f"    from: {host_of(job)}:/export/{job}"]
        lines.append(f"    to: {world.target[job]}" + world.rng.choice(["", "   # 2.1 TB", "  # slow on Mondays"]))
        if job in world.pin:
            lines.append(
                f"    # pin {world.pin[job]} ({world.rng.choice(world.crew)}): the county archive wants to see it"
            )
        lines.append(f"    keep: {world.keep[job]}")
        lines.append(f"    enabled: {'false' if role == 'off' else 'true'}")
        lines += world.rng.choice([[], ["    tags: [quiet, night]"], ["    bandwidth: 10M"]])
    lines += ["notify:", "  - studio-manager", "  # - everybody   (no!)", ""]
    return "\n".join(lines)


def old_mirror(world):
    shares = "".join(f"  {job}: {{to: 'tern:/vol0/{job}', keep: 168h}}\n" for job in SHARES[:4])
    return f"# how it looked before {world.author} split it; kept for the museum\nversion: 2\nshares:\n{shares}"


def crontab(world):
    lines = [
        "# m h dom mon dow user command - station clock, which is what the calendar uses too",
        "# plain numbers, no leading zeros: the box once read 08 as octal",
        "SHELL=/bin/sh",
        "MAILTO=machines@gullwharf.example",
        "",
        "*/15 * * * *\troot\t/usr/local/bin/levels-check",
    ]
    for number, job in enumerate(world.cron_order):
        minute, days = world.slot[job]
        if number in (5, 12):
            lines += ["", world.rng.choice(["# --- keep these apart, they share a switch", "# --- nights only"])]
        if job in world.cron_pin:
            lines.append(
                f"# pin {world.cron_pin[job]} ({world.rng.choice(world.crew)}): the link to the hill is only up then"
            )
        gap = world.rng.choice(["\t", "  "]) if job not in world.cron_pin else "\t"
        lines.append(
            f"{minute % 60} {minute // 60} * * {days}{gap}backup{gap}/usr/local/bin/run-job {job}"
            + world.rng.choice(["", "", " >/dev/null"])
        )
        if number == 8:
            lines.append(f"#30 4 * * *\tbackup\t/usr/local/bin/run-job {world.rng.choice(SHARES)} --full")
    return "\n".join([*lines, "", "12 6 * * 1\troot\t/usr/local/bin/tidy-logs --older 90", ""])


def clock(minutes):
    return f"{minutes // 60:02d}{minutes % 60:02d}00"


def calendar(world):
    zone = ";TZID=Europe/London"
    one_off = world.rng.choice([300, 330])
    rules = [  # where, summary, first day, (start, minutes), rule, status
        ("osprey", "thinning of snapshots", "20260504", world.daily, "FREQ=DAILY", "CONFIRMED"),
        ("osprey", "scrub", "20260503", world.sunday, "FREQ=WEEKLY;BYDAY=SU", "CONFIRMED"),
        (
            "osprey",
            "copy to the vault",
            "20260601",
            world.weekday,
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270331T000000",
            "CONFIRMED",
        ),
        ("osprey", "burn-in", "20260801", world.ended, "FREQ=DAILY;UNTIL=20261031T235900", "CONFIRMED"),
        ("osprey", "second scrub", "20260905", world.cancelled, "FREQ=DAILY", "CANCELLED"),
        ("osprey", "new firmware, by hand", "20261121", (one_off, 120), "", "CONFIRMED"),
        ("tern", "scrub", "20250105", (0, 45), "FREQ=DAILY", "CONFIRMED"),
        ("grebe", "thinning of snapshots", "20250105", (world.daily[0] - 20, 55), "FREQ=DAILY", "CONFIRMED"),
        ("studio B", "Women of the Estuary, live", "20260910", (1170, 90), "FREQ=WEEKLY;BYDAY=TH", "CONFIRMED"),
    ]
    world.rng.shuffle(rules)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Gullwharf//Machines//EN"]
    for number, (where, summary, day, (start, minutes), rule, status) in enumerate(rules):
        length = [f"DTEND{zone}:{day}T{clock(start + minutes)}"] if number % 2 else [f"DURATION:PT{minutes}M"]
        lines += ["BEGIN:VEVENT", f"UID:{number}@gullwharf.example", f"DTSTART{zone}:{day}T{clock(start)}", *length]
        lines += [f"RRULE:{rule}"] if rule else []
        lines += [
            f"SUMMARY:{summary}",
            "DESCRIPTION:If it overruns, ring the person on the rota before you ring",
            "  anybody else.",
        ]
        lines += [f"LOCATION:{where}", f"STATUS:{status}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def ticket(number, title, approver, status, in_force, comments):
    entries = [{"no": n, "at": at, "by": by, "text": text} for n, (at, by, text) in enumerate(comments, 1)]
    body = {"ticket": f"CHG-{number:03d}", "title": title, "approver": approver, "status": status, "in_force": in_force}
    return json.dumps(body | {"comments": entries[::-1]}, ensure_ascii=False, indent=2) + "\n"


def tickets(world):
    boss, second, text = world.approver, world.other_approver, lambda table, name: length_text(*table[name])
    wish = next(job for job in INI_JOBS if world.role[job] == "keep_ok")
    move = [
        (
            "2026-11-02T19:10",
            world.author,
            "tern is switched off on Thursday 12 November. All its jobs to osprey, and retention by the policy while we are at it.",
        ),
        ("2026-11-02T20:03", boss, "Agreed."),
        (
            "2026-11-03T08:41",
            boss,
            f"One exception: {world.taken_back} goes to grebe, folder {world.attic}. What the public can reach shouldn't sit on osprey.",
        ),
        (
            "2026-11-04T12:02",
            world.asker,
            f"{world.begged} goes to grebe as well, please? We know our way around there.",
        ),
        ("2026-11-05T21:30", boss, f"Another exception: {world.to_grebe} goes to grebe, folder {world.attic}."),
        (
            "2026-11-06T10:15",
            world.suggester,
            f"The pool for {world.suggested} on osprey will be {world.wish_pool} then, I suppose? There is more room on it.",
        ),
        (
            "2026-11-08T17:55",
            boss,
            f"I take back no. 3, grebe can't spare the room for it. {world.taken_back} goes with the rest.",
        ),
        (
            "2026-11-09T09:20",
            boss,
            f"The pool for {world.repooled} on osprey is {world.new_pool}; the pool list was typed before the disks were swapped.",
        ),
        (
            "2026-11-10T22:48",
            world.asker,
            f"And {wish} should be left on tern until we have listened to it. A week or two?",
        ),
    ]
    return {
        "tickets/CHG-117.json": ticket(117, "tern goes, osprey takes over", boss, "approved", "2026-11-12", move),
        "tickets/CHG-098.json": ticket(
            98,
            f"How long we keep {world.approved}",
            second,
            "approved",
            "2026-10-01",
            [
                (
                    "2026-09-07T11:00",
                    world.asker,
                    f"Could we keep {world.approved} for {text(world.third, world.approved)}?",
                ),
                (
                    "2026-09-12T18:25",
                    second,
                    f"Approved in principle, but {world.approved} is kept for {text(world.other, world.approved)} and no more.",
                ),
                ("2026-09-12T18:40", world.asker, "I had hoped for what I asked for. Fine."),
            ],
        ),
        "tickets/CHG-109.json": ticket(
            109,
            f"How long we keep {world.withdrawn}",
            second,
            "withdrawn",
            "2026-11-01",
            [
                (
                    "2026-10-04T20:05",
                    second,
                    f"From November {world.withdrawn} is kept for {text(world.other, world.withdrawn)}.",
                ),
                ("2026-10-19T09:12", second, "The committee didn't like it. Withdrawn."),
            ],
        ),
        "tickets/CHG-121.json": ticket(
            121,
            f"How long we keep {world.later}",
            second,
            "approved",
            "2026-12-01",
            [
                (
                    "2026-11-09T13:30",
                    second,
                    f"Approved by the committee: {world.later} is kept for {text(world.other, world.later)}.",
                )
            ],
        ),
        "tickets/CHG-104.json": ticket(
            104,
            "Clock in studio A",
            world.suggester,
            "approved",
            "2026-10-10",
            [
                (
                    "2026-10-02T10:00",
                    world.crew[1],
                    "It runs four minutes fast and so do the presenters. New one is in the cupboard.",
                )
            ],
        ),
    }


def inventory(world):
    remark = {
        job: world.rng.choice(["", "", "next to the café", "fan is loud", "spare disk in the drawer"])
        for job in CLASS_OF
    }

    def rows(classes):
        lines = [
            f"{job};{host_of(job)};{classes[job]};{world.crew[len(job) % 3]};{remark[job]}" for job in sorted(classes)
        ]
        extra = [";printer2;;everybody;", f";mixer1;;{world.crew[0]};studio B"]
        return "\r\n".join(["job;host;class;kept by;remark", *lines, *extra, ""]).encode("cp1252", "replace")

    now = {job: "" if job == world.no_class else name for job, name in CLASS_OF.items()}
    june = dict(CLASS_OF)
    for job in world.rng.sample([job for job in world.rekept if job != world.no_class], 2):
        june[job] = world.rng.choice([name for name in CLASSES if name != CLASS_OF[job]])
    pools = {
        "box": "osprey",
        "typed": "2026-10-21",
        "pools": [{"class": name, "folder": path} for name, path in world.pools.items()],
    }
    return {
        "inventory/export-2026-11-10.csv": rows(now),
        "inventory/export-2026-06-02.csv": rows(june),
        "inventory/osprey-pools.json": json.dumps(pools, indent=1) + "\n",
    }


def retention(edition, since, table, replaced):
    lines = "\n".join(f"| {name} | {length_text(*table[name])} |" for name in table)
    return f"""# Retention policy, edition {edition}

In force from {since}. {replaced}

| class | kept for |
| --- | --- |
{lines}

1. A week counts as 7 days and a month as 30.
2. A job that has no class in the inventory counts as office.
3. A ticket about how long a class is kept changes the table once it is approved and its `in_force` date has come. One that is withdrawn, or that is not yet in force on the day of the work, changes nothing.
4. Restores are tried out twice a year, on somebody else's machine.
"""


def notes(world):
    return {
        "notes/rota-november.txt": "\r\n".join(
            ["On call in November"]
            + [f"  week {week}: {name}" for week, name in zip(range(45, 49), world.crew + [world.author])]
            + [""]
        ),
        "notes/transmitter.txt": f"Hill site: gate code is with {world.crew[1]}.\nReflected power {world.rng.randrange(3, 9)} W on 1 November, watch it.\nSheep got in again.\n",
        "mail/2026-11-10-electrician.txt": "From: Cable & Daughter <office@cabledaughter.example>\nDate: Tue, 10 Nov 2026 14:02\nSubject: Thursday\n\n"
        "We come at half past nine and cut the old circuit at ten sharp. The new rack isn't on it.\n",
        "mail/2026-11-11-presenter.txt": f"From: {world.crew[2]}\nDate: Wed, 11 Nov 2026 23:47\nSubject: my shows\n\n"
        "Whatever you do tomorrow, keep my shows for a year, and not at three in the night, that's when I upload. "
        f"{world.crew[0]} says it's all right.\n",
    }


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    world = World(seed)
    heads = {
        "00-station.ini": ["; office machines", "[defaults]", "nice = 5", "notify = machines@gullwharf.example"],
        "30-studios.ini": [f"# studios, as {world.crew[1]} left them"],
        "60-logger.ini": ["; everything that listens", "; (edited on the Windows laptop, don't ask)"],
    }
    styles = {"00-station.ini": "plain", "30-studios.ini": "tight", "60-logger.ini": "wide"}
    fragments = {name: base_fragment(world, name, jobs, styles[name], heads[name]) for name, jobs in BASE_FILES.items()}
    fragments["60-logger.ini"] = fragments["60-logger.ini"].replace("\n", "\r\n")
    old = {"speech": (4, "weeks"), "music": (4, "weeks"), "office": (12, "months"), "logs": (30, "days")}
    files = {
        "docs/how-backups-work.md": HANDBOOK.format(author=world.author.split()[0]),
        **{f"etc/backup.d/{name}": text for name, text in fragments.items()},
        "etc/backup.d/85-local.ini": local_fragment(world),
        "etc/backup.d/95-van.ini.off": unread_fragment(world),
        "etc/mirror.yaml": mirror(world),
        "etc/old/mirror-2025.yaml": old_mirror(world),
        "etc/cron/backup.tab": crontab(world),
        "calendar/machines.ics": calendar(world),
        **tickets(world),
        **inventory(world),
        "policy/retention-ed3.md": retention(3, "1 March 2026", world.printed, "Replaces edition 2."),
        "policy/retention-ed2.md": retention(2, "1 May 2024", old, "Replaces the sheet on the fridge."),
        **notes(world),
    }
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))


HANDBOOK = """# How our backups work

## Reading

`etc/backup.d/` holds INI fragments. They are read in the order of their names, and only those whose name ends in `.ini`. A section is a job (`[defaults]` is none), and setting by setting the fragment that is read last wins. If a setting has to change, change it on the line that wins; lines that are overruled stay as they are, they are our history. `etc/mirror.yaml` holds more jobs, one for each share. `etc/cron/backup.tab` starts both kinds.

A job is on the box that its target (`to` in mirror.yaml) names before the colon. It is switched on unless it says `enabled = no` or `enabled: false`. A job that is switched off is left alone: nothing of it changes, its start time neither, and it takes up no time on any box.

## Pins

A comment with the word pin and a date protects the one line right below it, up to and including that day, whatever anybody else says. Once the day has passed it is only a comment. Other words of warning protect nothing.

## Who decides

Every ticket names its approver, and in that ticket only the approver's words decide; everybody else asks or suggests. The approver can take back an earlier comment: then it is as if it had never been written. The numbers give the order, the export does not.

## Moving jobs

When a box goes, every job that is on it and switched on moves to the box that the ticket says. The new target is box, colon, folder, slash, name of the job. On osprey the folder is the pool of the job's class in `inventory/osprey-pools.json`, as corrected by the ticket; on other boxes the ticket names it. The class is in the latest inventory export.

A job that moves is kept as long from then on as the retention policy in force (`policy/`) asks for its class. Where the old value comes to the same length already, the line stays as it is. Otherwise write the new one as a whole number in the unit of the old one; if that does not come out whole, in the next smaller unit in which it does (w, d, h: weeks, days, hours). Jobs that do not move stay as they are, whatever the policy says.

## Start times on osprey

Osprey starts one job at a time, so no two of its jobs may start in the same minute of the same day, and none while it is under maintenance. Maintenance is in `calendar/machines.ics`: every confirmed entry for osprey that repeats and will still do so after today, from its start (included) to its end (not included). What happens only once is looked after by hand.

1. Jobs that were on osprey before keep their start times. So do newcomers whose line in the crontab is pinned. Both take up their minutes first.
2. Then come the other newcomers, in the order of the crontab from top to bottom. If the start time is free on each of the days on which the job runs, it stays. If not, the job starts at the first full quarter of an hour (:00, :15, :30, :45) after its old start time that is free on each of those days. Free means: not under maintenance, and not taken by one of the jobs in 1 or by a newcomer further up, at the time it has got by then. The days do not change.

The other boxes take any job at any time.

{author}
"""

if __name__ == "__main__":
    import sys

    generate(int(sys.argv[1]), sys.argv[2])
