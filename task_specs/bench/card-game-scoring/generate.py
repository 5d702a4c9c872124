"""Writes a workspace for this task: the same game and the same quarrels, with other preserves, figures and rulings."""

import datetime as dt
import hashlib
import json
import random
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

PRESERVES = (
    "Apple Beetroot Cherry Damson Elderberry Fig Gooseberry Haw Juniper Kumquat Lemon Medlar Nectarine Orange Plum "
    "Quince Rowan Sloe"
).split()
AUNTS = "Oda Perpetua Sidwell Ludmila Agathe Eudora".split()
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class World:
    """One printing of the game: what the jars are called, what counts how much, and who ruled what."""

    def __init__(self, seed):
        self.rng = rng = random.Random(hashlib.sha256(f"card-game-scoring:{seed}".encode()).digest())
        self.preserves = sorted(rng.sample(PRESERVES, 5))
        self.letters = [name[0] for name in self.preserves]
        self.late, self.aunts = rng.sample(range(5), 2)
        self.aunt_name, self.aunt_number = rng.choice(AUNTS), rng.randrange(5, 9)
        self.aunt = f"{self.letters[self.aunts]}{self.aunt_number}"
        self.book_row = rng.choice([(2, 4, 7, 11, 5), (1, 4, 8, 12, 5), (2, 5, 8, 12, 6)])
        self.row = rng.choice([(2, 6, 10, 15, 7), (3, 6, 11, 16, 7), (3, 7, 12, 17, 8)])
        self.book_penalty, self.penalty = rng.choice([(2, 3), (3, 4), (4, 3), (2, 4)])
        self.said_penalty = self.penalty + 2
        self.cap = rng.randrange(7, 10)
        self.book_reach, self.reach = 6, rng.choice([2, 3, 4])
        self.old_reach = self.reach + rng.choice([1, 2])
        self.first, self.second = rng.choice([(7, 4), (8, 3), (9, 4), (7, 2)])
        self.wasps, self.waxes, self.cats, self.book_cloths = rng.choice([5, 6]), rng.choice([3, 4]), 3, 4
        self.cloths = self.book_cloths + rng.choice([1, 2])
        self.most = rng.choice([12, 13, 14])
        self.both_last = seed % 2 == 1
        self._rulings()

    def jar(self, place, number):
        """A jar of one of the four preserves that have no aunt, by place."""
        return [letter for n, letter in enumerate(self.letters) if n != self.aunts][place] + str(number)

    def _rulings(self):
        """Mails by number; the status says what has become of each."""
        wax = ["wax-higher", "wax-both"] if self.both_last else ["wax-both", "wax-higher"]
        order = ["once", wax[0], "cloth", "cats-old", "cap", "floor"]
        self.rng.shuffle(order)
        later = ["aunt-covered", "aunt-total", "chased", "winter-prizes", wax[1], "cats", "equal"]
        self.rng.shuffle(later)
        day, self.rulings = dt.date(2027, 3, 11), []
        numbers = sorted(self.rng.sample(range(1, 19), len(order + later)))
        for number, about in zip(numbers, order + later):
            day += dt.timedelta(days=self.rng.randrange(3, 8))
            self.rulings.append((f"R-{number:02d}", day, about))
        self.number = {about: number for number, _, about in self.rulings}
        self.day = {about: day for _, day, about in self.rulings}
        self.status = dict.fromkeys(self.number, "adopted") | {
            "once": "withdrawn",
            "equal": "open",
            wax[0]: f"superseded by {self.number[wax[1]]}",
            "cats-old": f"superseded by {self.number['cats']}",
            "winter-prizes": "adopted from the third printing on",
        }


def book(w):
    late, aunts = w.preserves[w.late], w.preserves[w.aunts]
    row2, row3, row4, row5, step = w.book_row
    row = " ".join(w.jar(*jar) for jar in ((0, 2), (0, 5), (0, 9), (1, 4), (1, 3), (2, 3)))
    return f"""# LARDER LANE

A game of jars, neighbours and wasps for two to five players. Second edition.

*Rules of the game. What the printer or we ourselves got wrong stands on the errata sheet that lies in the box.*

## 1 What is in the box

60 jars: five preserves ({", ".join(w.preserves)}), each numbered 1 to 12, every jar once. Helpers: {w.wasps} wasps,
{w.book_cloths} cloths, {w.waxes} waxes and {w.cats} cats. All wasps are alike, and so are all cloths, all waxes and all cats.

## 2 The shelf

You play your cards on to a shelf of your own, one after the other from the door (left) to the window (right), jars and
helpers as you please. At the end of a season nobody has more than {w.most} cards on the shelf. Two cards are *neighbours* if they
stand directly next to each other. Then shelves are scored and cleared, and all cards are shuffled for the next season.

There are three seasons: spring, summer and winter. The **short game** leaves out spring.

## 3 Scoring a shelf

Go through it in this order: cats and wasps, wax and wasps, cloths, rows, twins, cats' eyes. Add rows, twins and cats' eyes
and take away what the wasps cost. A shelf can well score less than nothing.

## 4 Cats and wasps

A wasp that is a neighbour of a cat is chased: turn it face down where it lies. It does nothing more.

## 5 Wax and wasps

Each wasp left spoils the jars that are its neighbours. A wax protects the jar to the right of it, if there is one: that
jar is never spoilt.

A spoilt jar costs you {w.book_penalty} points, in summer one more. It stays where it stands and counts for nothing: it is in no row
and no twin, no cat looks at it, and it brings nothing at the market.

## 6 Cloths

A cloth covers the jar to the left of it, if its left neighbour is a jar. A jar takes one cloth; a cloth that covers nothing
just lies there. A covered jar counts in rows like any other, but never in twins; at the market it counts as two jars. A jar
may be spoilt and covered, and then it is spoilt.

## 7 Rows

A row is made of neighbouring jars of one preserve whose numbers rise from left to right, by any steps. Everything else
separates: helpers, spoilt jars, other preserves, numbers that do not rise. Rows are always taken as long as they are. A
jar alone scores nothing; two jars in a row score {row2} points, three {row3}, four {row4}, five {row5}, and every further one {step} more.

*Example: {row} is a row of three and no other, {row3} points.*

**Aunt {w.aunt_name}'s jar** is {aunts} {w.aunt_number}. In rows it stands for whatever jar its owner likes: any preserve, any number from 1 to
12, even one that lies on the table already. Everywhere else it is {aunts} {w.aunt_number}.

## 8 Twins

Two neighbouring jars with the same number are twins and score that number. Begin at the door: a jar is in one twin only, and
of three alike the first two are taken. A jar that counts in a row of three or more is in no twin.

## 9 Cats' eyes

A cat sees the jars to the right of it, up to the next helper or spoilt jar, but at most {NUMBERS[w.book_reach]} of them. Each jar seen scores one point.

## 10 Winter

In winter all rows count double.

## 11 The market

When the shelves are scored, each preserve has its prizes: {w.first} points for the player with the most jars of it, {w.second} for the one
with the second most. Players without a jar of it get nothing. In a game of two there are no second prizes. If players have the
same number, each of them gets the prize in full. {late} is late: it has prizes in winter only.

## 12 The end

Your season is your shelf and your prizes together. The winner has the most points over all seasons. If players have the
same, the one with fewer wasps on all their shelves, season by season added up, is in front; if that is the same as well, the one
with more points in winter. Who is still equal shares the place, and the next place is left out: 1, 2, 2, 4.

---
Dormouse & Pike, games and puzzles. Second edition, second printing.
"""


def errata(w):
    row2, row3, row4, row5, step = w.row
    return f"""LARDER LANE, SECOND EDITION: ERRATA SHEET
For the first and the second printing. 5 March 2027

Please read the rules with these corrections.

(1) Page 1. The box holds {w.cloths} cloths.

(2) Section 4. A chased wasp is taken off the shelf before anything else
    is done, and the cards close up. Only those wasps are chased that
    were next to a cat before any of them was taken off.

(3) Section 5. A spoilt jar costs {w.penalty} points, in summer one more. A jar
    between two wasps is spoilt once and costs once.

(4) Section 6. A cloth that covers a jar lies on the jar. From then on it is
    no longer between this jar and the next one: it does not separate
    them, and it stops no cat's eye. A cloth that covers nothing is a helper
    like any other.

(5) Section 7. Points for rows: two jars {row2}, three {row3}, four {row4}, five {row5},
    every further one {step} more.

(6) Section 9. A jar that two cats see (or three) counts for none of them.

(7) Section 10. It is twins that count double in winter, not rows.

(8) Section 11. Prizes are shared. If several players have the most jars,
    the first and the second prize together are divided equally among them,
    rounded down, and there is no second prize for anybody else. (In a game
    of two that is the first prize alone.) If several have the second most,
    they divide the second prize, rounded down.

Questions that came up after this sheet went to print were put to Ximena,
who answers by mail and gives each ruling a number. Those that stand as
adopted in the register of rulings go above this sheet and above the book.
Whatever else has been said or written is no rule of the game.
"""


SUBJECTS = {
    "once": "the poor jar in the middle",
    "wax-both": "which jar does the wax protect?",
    "wax-higher": "wax",
    "cloth": "wasp, cloth, jar",
    "cats-old": "can't cats turn their heads?",
    "cats": "how far cats see",
    "cap": "twelves",
    "floor": "less than nothing",
    "aunt-covered": "the aunt under a cloth",
    "aunt-total": "what the aunt is for",
    "chased": "counting wasps at the end",
    "winter-prizes": "winter market",
    "equal": "the same number in a row",
}


def ruling(w, about):
    """The words of one mail."""
    aunt = f"Aunt {w.aunt_name}"
    return {
        "once": """A jar between two wasps: both have a go at it, so it costs twice. The errata sheet was too kind, I find.""",
        "wax-both": """Of course a wax looks to both sides. It protects the jar on its left and the jar on its right, where there are jars.

That is instead of section 5, where it says "to the right of it".""",
        "wax-higher": """I have watched people with wax now. A wax protects ONE jar, and not the right-hand one as the book has it: of the two
jars next to it the one with the higher number, and if the numbers are the same the one to the right of it. If only
one of its neighbours is a jar, then that one. Neighbours as they are when the chased wasps have gone, of course. Whether
a wasp is anywhere near makes no difference to which jar it is.""",
        "cloth": """Gundula asks what happens with jar, cloth, wasp. Wasps come before cloths in section 3, so at that moment the cloth is still
standing between the two: they are not neighbours and the jar is fine. Only after that does the cloth go on to its
jar. It is the same for wax: what counts is who is next to whom while the cloths are still standing.""",
        "cats-old": f"""Yes, they can. A cat sees the jars on either side, up to the next helper or spoilt jar, {NUMBERS[w.old_reach]} on each side at most.""",
        "cats": f"""The tables at the club were endless with so much to count. From now on: to the left and to the right, {NUMBERS[w.reach]} jars each way at
most, and as before no further than the next helper or spoilt jar. (Whether it's another cat, a wasp, a wax or a
lonely cloth that ends it doesn't matter.)""",
        "cap": f"""Twins of high numbers win games by themselves. No twin scores more than {w.cap}. In winter that is doubled afterwards, so {2 * w.cap} is the
most it can be.""",
        "floor": """A season can't be less than nothing. I mean the season, shelf and prizes together, at the very end of section 11; the
shelf for itself goes as low as it likes, and prizes pull it up first.""",
        "aunt-covered": f"""Under a cloth nobody can see that it is {aunt}'s. If it's covered, the jar is just what is printed on it, in rows too.""",
        "aunt-total": f"""What does her owner have to take {aunt}'s jar for? They choose, once for the whole shelf, what gives the most for rows and
twins together, as they count in that season. If two choices give the same, the one with more points for rows.

And before somebody asks: a longer row may cost you a twin (section 8, last sentence), that's just why.""",
        "chased": """For the tie at the end only wasps count that stayed. If a cat has chased it, it's as if you had never had it.""",
        "winter-prizes": f"""All prizes are doubled in winter, {2 * w.first} and {2 * w.second}. It needs a line on the card with the overview, so it can only come with a new printing.""",
        "equal": """May a row have the same number twice (through the aunt, how else)? I lean towards yes, but let me sleep on it.""",
    }[about]


def mail(sender, to, day, subject, text):
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = sender, to
    message["Date"] = f"{day:%a, %d %b %Y} 20:{day.day + 12:02d}:00 +0200"
    message["Subject"] = subject
    message.set_content(text.strip() + "\n", charset="utf-8", cte="quoted-printable")
    return message.as_bytes()


def register(w):
    """Newest first, as the office keeps it; two numbers were never used for this game."""
    lines = ["number\tmailed\tsection\tstatus\tby"]
    sections = {"once": "5", "cloth": "3, 5, 6", "cap": "8", "floor": "12", "chased": "12", "winter-prizes": "11"}
    for number, day, about in reversed(w.rulings):
        section = sections.get(about) or {"w": "5", "c": "9", "a": "7", "e": "7"}[about[0]]
        who = "gw" if w.status[about] == "open" else w.rng.choice(["gw", "gw", "xt"])
        lines.append(f"{number}\t{day.isoformat()}\t{section}\t{w.status[about]}\t{who}")
    return "\r\n".join(lines) + "\r\n"


def interface(w):
    """What the app hands over and takes back."""
    shelf = [w.jar(0, 4), w.jar(0, 7), "WAX", w.aunt, "WASP"]
    return f"""# What the app hands to `tally`, and what it wants back

The app goes into the box with the second printing and scores by the rules of that printing.

## Cards

A card is a text. A jar is the first letter of its preserve and its number: {", ".join(f"`{letter}1`" for letter in w.letters)} up to `{w.letters[-1]}12`.
Helpers are `WASP`, `CLOTH`, `WAX` and `CAT`. A shelf is a list of cards from the door to the window, such as `{json.dumps(shelf)}`; it
may be empty. A season is `1` (spring), `2` (summer) or `3` (winter).

## Functions

`tally.shelf.score(shelf, season)` gives a dict of five whole numbers:
`rows`, `twins`, `cats` (the cats' eyes), `wasps` (what the wasps cost, so 0 or a negative number) and `total`, the four added up.
Doubling is in there already.

`tally.market.prizes(shelves, season)` gets the shelves of all players in the order in which they sit, and gives a list with
the prize points of each, in the same order.

`tally.game.standings(game)` gets a dict with `players` (their names in the order in which they sit) and `seasons` (for each season that
was played, from first to last, the list of the players' shelves at its end). A full game has three of those, a short one
two. It gives a list with one dict for each player: `player`, `seasons` (a list with the points of each season, shelf and
prizes together), `total` and `place`. The list goes by place; players who share one stand in the order in which they sit.

## What cannot be

A table that the cards of one box cannot give is refused with `ValueError`, by all three functions: a card that does not exist; in
one season the same jar twice, or more helpers of a kind than there are, on all the shelves that the call was given; a shelf
with more cards than a shelf has. Nothing else is checked here: how many players, seasons and names there are, the app sees to that.

Arguments are not to be changed; the app goes on using them.
"""


def first_edition(w):
    return f"""LARDER LANE (first edition, 2019)

Rows: jars of one preserve side by side, numbers rising by ONE. Two jars 1
point, three 3, four 6, five 10.
Twins score double their number.
A wasp spoils the jar to the right of it: {w.book_penalty - 1} points.
Cats chase all wasps on the shelf.
Cloths keep wasps off the jar they lie on.
Market: highest SUM of numbers in each preserve, {w.first + 2} and {w.second - 1} points.
A shelf never scores less than nothing.
""".replace("\n", "\r\n")


def playtests(w):
    """Three sheets: by the book alone, with a slip, and one that Ximena counted herself."""
    row, low = w.row, min(w.cap, 6)
    plain = [w.jar(0, 2), w.jar(0, 5), "CLOTH", w.jar(0, 9), "WAX", w.jar(1, 6), w.jar(2, 6)]
    visited = ["WASP", "CAT", w.jar(3, 4), w.jar(3, 6), "WASP", w.jar(2, 3), w.jar(1, 1)]
    quiet = [w.jar(1, 2), w.jar(1, 3), w.jar(2, 8), "WAX"]

    def sheet(day, who, shelves, note):
        entries = [
            {"shelf": cards} | dict(zip(("rows", "twins", "cats", "wasps", "total"), [*points, sum(points)]))
            for cards, points in shelves
        ]
        return (
            json.dumps({"day": day, "season": 1, "counted_by": who, "note": note, "shelves": entries}, indent=1) + "\n"
        )

    ours = [(plain, (row[1], low, 0, 0)), (visited, (0, 0, 1, -2 * w.penalty)), (quiet, (row[0], 0, 0, 0))]
    by_book = [
        (plain, (w.book_row[0], 6, 0, 0)),
        (visited, (0, 0, 1, -2 * w.book_penalty)),
        (quiet, (w.book_row[0], 0, 0, 0)),
    ]
    slip = [(plain, (row[1], low + 2, 0, 0)), (visited, (0, 0, 1, -2 * w.penalty))]
    return {
        "playtest/2027-01-30.json": sheet("2027-01-30", "Gundula", by_book, "proof copy, by the book"),
        "playtest/2027-05-22.json": sheet("2027-05-22", "club", slip[:2], "counted by the club in the dark"),
        "playtest/2027-06-12.json": sheet(
            "2027-06-12", "Ximena", ours, "counted twice, with a glass of sloe gin in between"
        ),
    }


def forum(w):
    aunt = f"{w.letters[w.aunts]}{w.aunt_number}"
    return f"""larderlane.example > rules > "official answers" (saved 9 June 2027)

[marmalade_max, 14 April]
Do I get it right that the aunt ({aunt}) is a joker for twins too? That's how we play.

[Moderator, 15 April]
Yes. Rows and twins.

[ottoline, 2 May]
Cats look through a spoilt jar, they just don't count it. Otherwise why
would the book say "no cat looks at it"?

[Moderator, 2 May]
Correct.

[marmalade_max, 30 May]
We play that a wasp costs {w.said_penalty} and everybody is much nicer to each other.

[Moderator, 8 June]
I am told that I should say that I only answer what I would like to be true.
"""


def other_mails(w):
    """Letters without a number, which rule nothing."""
    ximena, gundula = "Ximena Toft <ximena@dormousepike.example>", "Gundula Wray <gundula@dormousepike.example>"
    return {
        "rulings/mail/2027-05-30-wasps.eml": mail(
            ximena,
            gundula,
            dt.date(2027, 5, 30),
            "wasps, again",
            f"""Between us: a spoilt jar ought to cost {w.said_penalty}. And cats should be allowed on the table. What do you think?

X.""",
        ),
        "rulings/mail/2027-06-10-register.eml": mail(
            gundula,
            ximena,
            dt.date(2027, 6, 10),
            "register is up to date",
            """I've been through all your mails and entered what became of them. Where you changed your mind I wrote which number
replaces which; where the board said no I wrote withdrawn. The one you are sleeping on is open. Numbers that are missing were
for the Beehive game.

Gundula""",
        ),
    }


def files(seed):
    """Relative path -> bytes."""
    w = World(seed)
    out = {
        "book/larder-lane-2nd-edition.md": book(w).encode(),
        "book/errata-2027-03.txt": errata(w).encode("cp1252").replace(b"\n", b"\r\n"),
        "book/old/first-edition.txt": first_edition(w).encode(),
        "rulings/register.tsv": register(w).encode(),
        "forum/official-answers.txt": forum(w).encode(),
        "app/interface.md": interface(w).encode(),
        "app/store-text.txt": STORE.encode(),
        "app/screens/end-of-game.json": screen(w).encode(),
        "tally/__init__.py": b'"""The sums of Larder Lane. What goes in and out stands in app/interface.md."""\n',
    }
    for number, day, about in w.rulings:
        text = f"{ruling(w, about)}\n\nXimena"
        out[f"rulings/mail/{day.isoformat()}-{number}.eml"] = mail(
            "Ximena Toft <ximena@dormousepike.example>",
            "Gundula Wray <gundula@dormousepike.example>",
            day,
            f"Ruling {number}: {SUBJECTS[about]}",
            text,
        )
    out |= other_mails(w)
    return out | {name: text.encode() for name, text in playtests(w).items()}


def screen(w):
    names = ["Hatty", "Colm", "Brigid"]
    rows = [{"player": name, "points": w.rng.randrange(40, 99), "place": n + 1} for n, name in enumerate(names)]
    return (
        json.dumps({"screen": "end-of-game", "remark": "figures made up for the layout", "rows": rows}, indent=2) + "\n"
    )


STORE = """Larder Lane Companion (draft 3)

Count jars, not grudges! Photograph your shelf and let us do the sums.
- two to five players
- works without a net
- no advertisements, no wasps

TODO: screenshots, privacy text, somebody please check the Dutch
"""


def generate(seed, out_dir):
    for name, content in files(seed).items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
