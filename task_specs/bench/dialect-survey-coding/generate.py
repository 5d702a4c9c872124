"""Writes a survey's coding folder: three coders' sheets, a codebook that was revised on the way, a panel, a paper."""

import csv
import io
import json
import random
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

SLUG = "dialect-survey-coding"
CODERS = ("oskar", "ruta", "wenna")
QUESTIONS = ("Q07", "Q12", "Q31")
OTHER = 9
TEXTS = {
    "Q07": "What do you call a narrow way between two houses?",
    "Q12": "What do you call the end of a loaf?",
    "Q31": "What do you call somebody who writes with the left hand?",
}
LEXICON = {
    "Q07": ("jennick", "slyke", "tewel", "gannow", "purloch", "brindle-way", "snecket", "wynk"),
    "Q12": ("nubbock", "heeler", "crowse", "tommock", "skelp-end", "dunch", "cobble-end"),
    "Q31": ("cuddy-hand", "skeller", "wickerty", "pallock", "gaw-fisted", "tarry-hand"),
}
NEW_WORDS = ("thrumgate", "lanket", "dravel", "quirrow")
TWINS = (("karrypaw", "corrypaw"), ("squivver", "skwiver"), ("marlock", "mawlock"))
VILLAGES = ("Nether Orrin", "Skaithe", "Hallowmoss", "Penny Brigg", "Tarn Ends", "Upper Cawdle")
WORK = ("farmer", "school cook", "quarryman", "bus driver", "nurse", "shopkeeper", "joiner", "weaver", "postwoman")
REVISION_4 = date(2026, 3, 30)
PANEL_DAY = date(2026, 4, 22)


def next_workday(day, step=1):
    day += timedelta(days=step)
    while day.weekday() > 4:
        day += timedelta(days=step)
    return day


def english(day):
    return f"{day.day} {day:%B %Y}"


class Unlucky(Exception):
    """No response is left for a role; the next draw has one."""


@dataclass
class Response:
    """One answer on tape, and what the three coders finally meant by their numbers of today's codebook."""

    id: str
    speaker: str
    question: str
    codes: dict = field(default_factory=dict)
    role: str = ""


class World:
    """Everything that the files of one seed show."""

    def __init__(self, rng):
        self.rng = rng
        self.change = date(2026, 3, rng.choice((9, 10, 11)))
        self.born_before = rng.choice((6, 7, 8))
        self.lists()
        self.people()
        self.answers()
        self.schedules()
        self.natural_codes()
        self.quarrels()
        self.write_entries()

    def lists(self):
        """Words by number of today's codebook, and the numbers that changed."""
        rng = self.rng
        self.inserted = rng.choice((2, 3))
        self.words = {q: dict(enumerate(rng.sample(LEXICON[q], 5 if q != "Q31" else 4), 1)) for q in QUESTIONS}
        words = list(self.words["Q07"].values())
        words.insert(self.inserted - 1, rng.choice(NEW_WORDS))
        self.words["Q07"] = dict(enumerate(words, 1))
        self.kept_twin = rng.choice((1, 2))
        twin, other = rng.choice(TWINS)
        self.words["Q31"][self.kept_twin] = twin
        self.lost_twin = (5, other)
        self.numbers = {q: [*self.words[q], OTHER] for q in QUESTIONS}

    def people(self):
        rng = self.rng
        self.speakers = [f"S-{n:02d}" for n in range(1, 25)]
        chosen = rng.sample(self.speakers, 9)
        self.incomers, self.early = chosen[:2], chosen[2:4]
        self.withdrawn = chosen[4 : 4 + rng.choice((1, 2))]
        self.back_again, self.aunt, self.gossip = chosen[6:9]
        ages = dict(zip(self.incomers, (self.born_before, self.born_before + rng.randrange(3, 20)), strict=True))
        ages |= dict(zip(self.early, (self.born_before - 1, rng.randrange(1, 4)), strict=True))
        self.age_at_arrival = {s: ages.get(s, 0) for s in self.speakers}
        self.out = {*self.incomers, *self.withdrawn}

    def answers(self):
        rng = self.rng
        asked = [(s, q) for s in self.speakers for q in QUESTIONS]
        silent = rng.sample([pair for pair in asked if pair[0] not in self.out], 4)
        asked = [pair for pair in asked if pair not in silent]
        rng.shuffle(asked)
        self.responses = [Response(f"R-{101 + n}", *pair) for n, pair in enumerate(asked)]
        self.position = {r.id: n for n, r in enumerate(self.responses)}

    def schedules(self):
        """By coder the day of each response in turn; the first of them fall before the change of numbers."""
        rng, total = self.rng, len(self.responses)
        self.days, self.old_until = {}, {}
        for coder, share in zip(CODERS, (0.68, 0.44, 0.2), strict=True):
            before = round(total * share) + rng.randrange(-2, 3)
            early, day = [], self.change
            while len(early) < before:
                day = next_workday(day, -1)
                early += [day] * rng.randrange(6, 9)
            late, day = [], self.change
            while len(late) < total - before:
                late += [day] * rng.randrange(6, 9)
                day = next_workday(day)
            self.days[coder] = [*sorted(early[:before]), *late[: total - before]]
            self.old_until[coder] = before
        self.slip_days = sorted({d for d in self.days["wenna"] if d >= self.change})[:2]
        self.old_until["wenna"] = sum(d <= self.slip_days[1] for d in self.days["wenna"])

    def old(self, coder, response):
        """Whether the coder first numbered this response by the list before the change."""
        return response.question == "Q07" and self.position[response.id] < self.old_until[coder]

    def natural_codes(self):
        """Most responses: all three agree, or one departs, or one could not hear it."""
        rng = self.rng
        for response in self.responses:
            numbers = self.numbers[response.question]
            weights = [8, 6, 5, 3, 2, 2, 2][: len(numbers) - 1] + [2]
            true = rng.choices(numbers, weights)[0]
            response.codes = dict.fromkeys(CODERS, true)
            kind, odd = rng.random(), rng.choice(CODERS)
            if kind > 0.94:
                response.codes[odd] = None
            elif kind > 0.7:
                response.codes[odd] = rng.choice([n for n in numbers if n != true])

    def quarrels(self):
        """Responses about which the coders or the panel had something to say."""
        self.raw = {}
        for _ in range(2):
            self.seeming_split_by_numbers()
        self.seeming_split_by_twins()
        for role in ("direct", "direct", "as-ruta", "by-mail", "never", "unlisted", "unlisted", "half", "outsider"):
            self.split(role)

    def pick(self, role, fits=lambda response: True):
        free = [r for r in self.responses if not r.role and (r.speaker in self.out) == (role == "outsider") and fits(r)]
        if not free:
            raise Unlucky(role)
        response = self.rng.choice(free)
        response.role = role
        return response

    def split(self, role):
        rng = self.rng
        response = self.pick(role, lambda r: role != "as-ruta" or self.old("ruta", r))
        numbers = self.numbers[response.question]
        response.codes = dict(zip(CODERS, rng.sample(numbers, 3), strict=True))
        if role == "as-ruta":
            ruta = rng.choice([n for n in numbers if self.inserted < n < OTHER])
            others = rng.sample([n for n in numbers if n != ruta], 2)
            response.codes = dict(zip(CODERS, (others[0], ruta, others[1]), strict=True))
        if role == "half":
            response.codes[rng.choice(CODERS)] = None

    def seeming_split_by_numbers(self):
        """Oskar by the old list and Wenna by the new one meant the same word; the panel went by the figures."""
        rng = self.rng
        response = self.pick("seeming", lambda r: self.old("oskar", r) and not self.old("wenna", r))
        numbers = self.numbers["Q07"]
        same = rng.choice([n for n in numbers if self.inserted < n < OTHER])
        third = rng.choice([n for n in numbers if abs(n - same) > 1 and n not in (self.inserted, OTHER)])
        response.codes = {"oskar": same, "wenna": same, "ruta": third}

    def seeming_split_by_twins(self):
        rng = self.rng
        response = self.pick("seeming", lambda r: r.question == "Q31")
        third = rng.choice([n for n in self.numbers["Q31"] if n not in (self.kept_twin, OTHER)])
        first, second, odd = rng.sample(CODERS, 3)
        response.codes = {first: self.kept_twin, second: self.kept_twin, odd: third}
        self.raw = {(first, response.id): self.kept_twin, (second, response.id): self.lost_twin[0]}

    def written(self, coder, response, code, old):
        """The number that the coder wrote down."""
        if code is None:
            return None
        if response.question == "Q07" and old:
            return OTHER if code == self.inserted else code - (self.inserted < code < OTHER)
        if response.question == "Q31" and code == self.kept_twin:
            return self.raw.get((coder, response.id)) or self.rng.choice((code, self.lost_twin[0]))
        return code

    def write_entries(self):
        """By coder the lines of the sheet: response, number, day; last those that were entered again."""
        self.entries = {}
        for coder in CODERS:
            regretted = self.rng.sample([r for r in self.responses if not r.role and r.codes[coder] is not None], 4)
            lines, again = [], []
            for response, day in zip(self.responses, self.days[coder], strict=True):
                old, code = self.old(coder, response), response.codes[coder]
                if code == self.inserted and old:
                    again.append(response)
                elif response in regretted:
                    again.append(response)
                    code = self.rng.choice([n for n in self.numbers[response.question][:-1] if n != code])
                    code = OTHER if code == self.inserted and response.question == "Q07" else code
                lines.append((response.id, self.written(coder, response, code, old), day))
            day = next_workday(self.days[coder][-1])
            self.entries[coder] = lines + [(r.id, self.written(coder, r, r.codes[coder], False), day) for r in again]

    def kept(self):
        return [r for r in self.responses if r.speaker not in self.out]

    def sound(self):
        """Whether each trap bites and no kappa lies on the edge of a rounding."""
        kept = self.kept()
        slips = [r for r in kept if self.old("wenna", r) and r.codes["wenna"] and self.slipped(r)]
        shares = [sum(len({*r.codes.values()}) == 1 for r in kept if r.question == q) for q in QUESTIONS]
        return len(slips) >= 3 and len(set(shares)) == 3 and all(self.steady(q) for q in QUESTIONS)

    def slipped(self, response):
        day = self.days["wenna"][self.position[response.id]]
        return day in self.slip_days and self.inserted < response.codes["wenna"] < OTHER

    def steady(self, question):
        kappas = [self.kappa(question, *pair) for pair in (CODERS[:2], CODERS[::2], CODERS[1:])]
        return all(abs(1000 * k % 1 - 0.5) > 0.03 and 0.2 < k < 0.98 for k in (*kappas, sum(kappas) / 3))

    def kappa(self, question, one, other):
        both = [(r.codes[one], r.codes[other]) for r in self.kept() if r.question == question]
        both = [pair for pair in both if None not in pair]
        alike = sum(a == b for a, b in both) / len(both)
        chance = sum(sum(a == b for b in [q for _, q in both]) for a, _ in both) / len(both) ** 2
        return (alike - chance) / (1 - chance)


def make_world(seed):
    rng = random.Random(f"{SLUG}:{seed}")
    while True:
        try:
            world = World(rng)
        except Unlucky:
            continue
        if world.sound():
            return world


def table(rows, separator=",", end="\n"):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    return out.getvalue()


def sheets(world):
    rng = world.rng
    remarks = {
        "oskar": ("", "", "", "", "leise", "Hund bellt", "zögert", "später im Gespräch noch einmal", "fragt zurück"),
        "wenna": ("", "", "", "", "clear", "laughs first", "husband prompts", "tractor"),
    }
    oskar = [("Antwort", "Code", "Datum", "Bemerkung")]
    oskar += [
        (r, "-" if code is None else code, f"{day:%d.%m.%Y}", rng.choice(remarks["oskar"]))
        for r, code, day in world.entries["oskar"]
    ]
    wenna = [("response", "code", "coded_on", "remark")]
    wenna += [
        (r, "" if code is None else code, day.isoformat(), rng.choice(remarks["wenna"]))
        for r, code, day in world.entries["wenna"]
    ]
    return {
        "sheets/oskar.csv": table(oskar, ";", "\r\n").encode("cp1252"),
        "sheets/old/oskar backup.csv": table(oskar[:27], ";", "\r\n").encode("cp1252"),
        "sheets/ruta.json": ruta_export(world),
        "sheets/wenna.csv": table(wenna),
    }


def ruta_export(world):
    """The coding app keeps what was entered for an item, newest first."""
    items = {}
    for response, code, day in world.entries["ruta"]:
        items.setdefault(response, []).insert(0, {"value": code, "on": day.isoformat()})
    body = {"app": "tapwise 2.3", "user": "ruta", "items": [{"id": r, "entries": e} for r, e in items.items()]}
    return json.dumps(body, indent=1) + "\n"


def code_list(words):
    return "".join(f"{number:>3}  {word}\n" for number, word in words.items()) + "  9  other\n"


def old_words(world):
    words = [word for number, word in world.words["Q07"].items() if number != world.inserted]
    twins = world.words["Q31"] | dict([world.lost_twin])
    return {"Q07": dict(enumerate(words, 1)), "Q12": world.words["Q12"], "Q31": twins}


def lists_text(by_question):
    return "\n".join(f"## {q}  {TEXTS[q]}\n\n{code_list(by_question[q])}" for q in QUESTIONS)


def codebooks(world):
    new = world.inserted
    moves = ", ".join(
        f"{'what was ' if n == new else ''}{n} is {'now ' if n == new else ''}{n + 1}" for n in range(new, 6)
    )
    stay = " and ".join((*(str(n) for n in range(1, new)), "9")) if new == 2 else "1, 2 and 9"
    lost, twin = world.lost_twin
    log = f"""## Log of revisions

Revision 1, 12 January 2026. First list.

Revision 2, 2 February 2026. Q12 put more plainly (it was "the last of a loaf", and people talked about Sundays). No number changed.

Revision 3, {english(world.change)}. Q07: "{world.words["Q07"][new]}" had turned up so often among the others that it has a number of its own, {new}. Hence {moves}; {stay} stay what they were. Entries dated before {english(world.change)} are by the numbers of revision 2, entries from that day on by the new ones, unless the coder has written to me that it was otherwise on a certain day. Each of you has been through your old 9s in Q07 and entered again what is "{world.words["Q07"][new]}", so a 9 that still stands means other.

Revision 4, {english(REVISION_4)}. Q31: {world.kept_twin} "{world.words["Q31"][world.kept_twin]}" and {lost} "{twin}" are one word, spelt by two people. {lost} is given up. Wherever it stands, and whenever it was entered, it reads {world.kept_twin}.
"""
    how = """## How to enter

Listen twice, then enter the number. If you cannot make it out, enter the response without a number. If you change your mind later, never overwrite: enter the response again with the day on which you do so.

"""
    head = "# Codebook, words of the Orrin valley\n\n"
    return {
        "codebook/codebook.md": f"{head}As of revision 4.\n\n{lists_text(world.words)}\n{how}{log}",
        "codebook/printout-revision-2.md": f"{head}As of revision 2.\n\n{lists_text(old_words(world))}\n{how}".rstrip()
        + "\n",
    }


def verdicts(world):
    """What the panel said, by response."""
    rng, said = world.rng, {}
    for r in world.responses:
        numbers = world.numbers[r.question]
        if r.role in ("direct", "half", "outsider"):
            pool = [c for c in r.codes.values() if c is not None] + [rng.choice(numbers)]
            said[r.id] = f"{rng.choice(pool)}. " + rng.choice(("Heard twice.", "No doubt once you know.", "Plain."))
        elif r.role == "as-ruta":
            said[r.id] = "as Ruta had it."
        elif r.role == "by-mail":
            said[r.id] = (
                "too much wind on the tape. Put off until Ebbe has cleaned it; I shall send round what we say then."
            )
        elif r.role == "never":
            said[r.id] = "put off, the same."
        elif r.role == "seeming":
            odd = next(c for c in r.codes.values() if [*r.codes.values()].count(c) == 1)
            said[r.id] = f"{odd}, now that we hear it together."
    return said


def panel(world):
    lines = "".join(f"{r}: {text}\n" for r, text in verdicts(world).items())
    return {
        "panel/minutes-2026-04-22.txt": f"""Panel, {english(PANEL_DAY)}, my kitchen
Present: Ruta, Oskar, Wenna, me

Oskar had picked out by hand, from the raw print-outs, what looked like a
three-way quarrel. Some of it may turn out to be none. Numbers below are
those of revision 4.

{lines}
Cake: Wenna. Next one only if reviewer 2 insists.

H. S.
"""
    }


def mail(sender, address, to, moment, subject, text):
    return f"""From: {sender} <{address}@orrinwords.example>
To: {to}
Date: {moment}
Subject: {subject}
Content-Type: text/plain; charset=utf-8

{text.strip()}
"""


def mails(world):
    by_mail = next(r for r in world.responses if r.role == "by-mail")
    never = next(r for r in world.responses if r.role == "never")
    answer = world.rng.choice(world.numbers[by_mail.question][:4])
    first, second = (f"{day:%A} {day.day} {day:%B}" for day in world.slip_days)
    me = "Henrike Sollas <henrike@orrinwords.example>"
    sent = world.slip_days[1] + timedelta(days=1)
    everyone = "oskar, ruta, wenna @orrinwords.example"
    return {
        f"mail/{sent}-wenna-printout.eml": mail(
            "Wenna Carlyon",
            "wenna",
            me,
            f"{sent:%a, %d %b %Y} 08:51:00 +0000",
            "wrong wall",
            f"Henrike, mea culpa. I still had revision 2 pinned to the wall, so what I entered on {first} and on "
            f"{second} goes by that list. Tore it down last night, and from today it is the new one. I am not going "
            "to touch the sheet, you said never overwrite. W.",
        ),
        "mail/2026-04-17-nephew.eml": mail(
            "R. Tolliver",
            "office",
            me,
            "Fri, 17 Apr 2026 19:20:00 +0100",
            "my aunt",
            f"Dear Dr Sollas, a visitor tells me that you hold a recording of my aunt, your number {world.aunt}. "
            "I want her taken out of your study. She is not as young as she was. R. Tolliver (forwarded by the office)",
        ),
        "mail/2026-04-20-ruta-gossip.eml": mail(
            "Ruta Vaitkus",
            "ruta",
            me,
            "Mon, 20 Apr 2026 12:04:00 +0100",
            "between us",
            f"The woman in the shop says that {world.gossip} only talks broad when there is a microphone about. I "
            "would rather not have that one in, but you decide. Also: can I have Friday off?",
        ),
        "mail/2026-05-08-henrike-tapes.eml": mail(
            "Henrike Sollas",
            "henrike",
            everyone,
            "Fri, 08 May 2026 17:45:00 +0100",
            "what Ebbe could save",
            f"Dear three, Ebbe's clean copy of {by_mail.id} is as clear as a bell, thank you for answering so "
            f"fast: we have settled on {answer}. {never.id} is beyond him, there is only weather on it, so that "
            "one stays as it is. Bring rain trousers on the 16th. H.",
        ),
        "mail/2026-05-21-typesetter.eml": mail(
            "Marguerite Oake",
            "office",
            me,
            "Thu, 21 May 2026 10:00:00 +0100",
            "Table 2",
            "Dear author, we have set Table 1. For Table 2 we need figures with a point, not a comma, and no "
            "asterisks. I can hold the page until the night of 28 May. M. Oake (forwarded by the office)",
        ),
    }


def fieldwork(world):
    rng = world.rng
    responses = [("response", "speaker", "question", "tape", "at")]
    responses += [
        (
            r.id,
            r.speaker,
            r.question,
            f"T{int(r.speaker[2:]) // 2 + 1:02d}",
            f"{rng.randrange(2, 44)}m{rng.randrange(60):02d}",
        )
        for r in world.responses
    ]
    people = [("speaker", "born", "village", "age_on_coming_to_the_valley", "work")]
    people += [
        (s, rng.randrange(1934, 1962), rng.choice(VILLAGES), world.age_at_arrival[s], rng.choice(WORK))
        for s in world.speakers
    ]
    return {
        "fieldwork/responses.csv": table(responses),
        "fieldwork/speakers.csv": table(people),
        "fieldwork/consent-log.txt": consent_log(world),
        "fieldwork/kit.txt": f"Two recorders, {rng.randrange(5, 9)} batteries, one windshield (chewed).\nTapes 9 and 10 are in the biscuit tin.\n",
    }


def consent_log(world):
    events = [(date(2025, 11, 24), "all", "S-01 to S-24: forms signed and filed (N. and me).")]
    gone = [date(2026, 3, 5), date(2026, 5, 12)]
    for speaker, day in zip(world.withdrawn, gone, strict=False):
        events.append((day, speaker, f"{speaker}: withdraws. Rang me, no reason given, none needed."))
    events += [
        (date(2026, 2, 26), world.back_again, f"{world.back_again}: withdraws, by letter."),
        (
            date(2026, 3, 19),
            world.back_again,
            f"{world.back_again}: had mixed us up with the gas people. Agrees again, new form filed.",
        ),
        (
            date(2026, 4, 18),
            world.aunt,
            f"{world.aunt}: nephew wrote to have her out. Rang her; she laughs and stays in.",
        ),
    ]
    return "CONSENT, kept by Henrike\r\n\r\n" + "".join(
        f"{day:%d/%m/%Y}  {text}\r\n" for day, _, text in sorted(events)
    )


def paper(world):
    rng = world.rng
    figure = lambda: f".{rng.randrange(31, 60)}"
    drafts = "".join(f"| {q} | {rng.randrange(24, 30)} | {figure()} |\n" for q in QUESTIONS)
    return {
        "paper/section-3-accepted.md": ACCEPTED.format(age=("six", "seven", "eight")[world.born_before - 6]),
        "paper/section-3-submitted.md": SUBMITTED,
        "paper/table-2-march.md": f"Table 2, first go, 20 March (H.: only to see how wide it gets, do not print)\n\n| question | n | kappa |\n|---|---|---|\n{drafts}",
        "paper/reviewer-2.txt": REVIEWER,
    }


ACCEPTED = """# 3 Coding

*As accepted, 4 May 2026*

**3.1 Speakers.** Two groups of speakers are left out with all their responses: those who were aged {age} or older when they came to the valley, and those whose consent is withdrawn by the last entry about them in our consent log. All other speakers, and all their responses, count.

**3.2 Coders.** Three coders worked from the tapes, without seeing each other's sheets. Of several entries of one coder for the same response, the latest holds. A response for which a coder entered no number is not coded by that coder. The codebook was revised while coding went on; before anything was counted, every number was brought to the last revision as its log of revisions lays down.

**3.3 Final codes.** A code that at least two coders gave is final. A panel looked at responses on which no two coders agreed, and its decision is then the final code; decisions are those of its minutes, and for what it put off, those sent round afterwards. What the panel said on responses with two coders in agreement was set aside. A response on which no two coders agreed and for which there is no decision of the panel stays open.

**3.4 Agreement.** For each question and each two coders we give Cohen's kappa, (p - e) / (1 - e), over the counting responses that both coded: p is the share of them in which both gave the same code, and e the sum, over all codes, of the product of the shares that the two coders gave that code in these same responses. "Other" is a code like any other. Codes are those of 3.2, before the panel. The kappa of a question is the plain mean of its three kappas, taken before they are rounded. Everything is rounded once, at the end, to three decimals.
"""

SUBMITTED = """# 3 Coding

*As submitted, 9 January 2026*

**3.1 Speakers.** Speakers who came to the valley aged twelve or older are left out.

**3.2 Coders.** Three coders work from the tapes. Of several entries of one coder for the same response, the first holds.

**3.3 Final codes.** A code that at least two coders give is final unless a panel of all coders and the first author overrules it. Where all three differ, the most experienced coder (O.) decides.

**3.4 Agreement.** We give Fleiss' kappa over all three coders for each question, "other" left aside.
"""

REVIEWER = """Reviewer 2

The paper is sound. Three wishes.

1. Fleiss' kappa hides who departs from whom. Please give the figure for
   each two coders, and say what you do with a response one of them could
   not hear.
2. Twelve is far too late an age. Children of ten keep their first accent.
3. I should drop "other" from the table, but I do not insist.

(Margin, in pencil: 1 and 2 done, see accepted text. 3 no. H.)
"""


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    world = make_world(seed)
    files = sheets(world) | codebooks(world) | panel(world) | mails(world) | fieldwork(world) | paper(world)
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    import sys

    generate(int(sys.argv[1]), sys.argv[2])
