"""The second derivation: the rules as steps over marked cards, and the tables on which the module is tried.

A table is kept where a plausible misreading (`MISREADINGS`) gives another answer than the rules, and as few others as
possible do, so that each case speaks of one rule.
"""

import csv
import email
import email.policy
import hashlib
import random
import re

# ---------------------------------------------------------------- the papers


def words(raw, codec="utf-8"):
    return " ".join(raw.decode(codec).split())


def figures(pattern, text):
    return [int(number) for number in re.search(pattern, text).groups()]


class Papers:
    """The figures that hold, and which of the two rulings on wax does."""

    def __init__(self, workspace):
        book = words((workspace / "book/larder-lane-2nd-edition.md").read_bytes())
        sheet = words((workspace / "book/errata-2027-03.txt").read_bytes(), "cp1252")
        register = (workspace / "rulings/register.tsv").read_bytes().decode()
        rows = csv.DictReader(register.splitlines(), delimiter="\t")
        adopted = {row["number"] for row in rows if row["status"] == "adopted"}
        mails = [
            email.message_from_bytes(p.read_bytes(), policy=email.policy.default)
            for p in workspace.glob("rulings/mail/*")
        ]
        rulings = [
            " ".join(mail.get_content().split())
            for mail in mails
            if mail["Subject"].removeprefix("Ruling ").partition(":")[0] in adopted
        ]
        ruled = " | ".join(rulings)
        names = re.search(r"five preserves \((.*?)\)", book)[1].split(", ")
        self.letters = [name[0] for name in names]
        aunt = re.search(r"Aunt \w+'s jar\*\* is (\w)\w+ (\d+)", book)
        self.aunt = aunt[1] + aunt[2]
        self.late = re.search(r"(\w+) is late", book)[1][0]
        self.first, self.second = figures(r"prizes: (\d+) points for .*?, (\d+) for the one", book)
        wasps, waxes, cats = figures(r"Helpers: (\d+) wasps, \d+ cloths, (\d+) waxes and (\d+) cats", book)
        (cloths,) = figures(r"holds (\d+) cloths", sheet)
        self.box = {"WASP": wasps, "CLOTH": cloths, "WAX": waxes, "CAT": cats}
        (self.most,) = figures(r"more than (\d+) cards", book)
        self.row = figures(r"two jars (\d+), three (\d+), four (\d+), five (\d+), every further one (\d+) more", sheet)
        self.old_row = figures(
            r"two jars in a row score (\d+) points, three (\d+), four (\d+), five (\d+), and every further one (\d+)",
            book,
        )
        (self.penalty,) = figures(r"jar costs (\d+) points", sheet)
        (self.old_penalty,) = figures(r"jar costs you (\d+) points", book)
        (self.cap,) = figures(r"No twin scores more than (\d+)", ruled)
        reach = re.search(r"to the left and to the right, (\w+) jars each way", ruled)[1]
        self.reach = "no one two three four five".split().index(reach)
        self.wax = "one" if "protects ONE jar" in ruled else "both"


# ---------------------------------------------------------------- the rules


class Card:
    def __init__(self, text):
        self.text, self.jar = text, text[0] if text[1:].isdigit() else None
        self.number = int(text[1:]) if self.jar else 0
        self.spoilt = self.covered = self.safe = False


class Rules:
    """Larder Lane as it stands; each method is a rule that can be misread."""

    def __init__(self, papers):
        self.papers = papers

    def chase(self, cards):
        frightened = [c for c in cards if c.text == "WASP" and any(n.text == "CAT" for n in beside(cards, c))]
        return [c for c in cards if c not in frightened]

    def wax(self, cards, at):
        jars = [c for c in beside(cards, at) if c.jar]
        if self.papers.wax == "one" and len(jars) == 2:
            jars = [max(reversed(jars), key=lambda c: c.number)]
        return jars

    def sting(self, cards):
        for wasp in cards:
            for victim in beside(cards, wasp) if wasp.text == "WASP" else ():
                victim.spoilt = victim.spoilt or (victim.jar is not None and not victim.safe)

    def lay(self, cards):
        left = []
        for card in cards:
            jar = left[-1] if left else None
            if card.text == "CLOTH" and jar and jar.jar and not jar.covered:
                jar.covered = True
            else:
                left.append(card)
        return left

    def settle(self, shelf):
        cards = self.chase([Card(text) for text in shelf])
        for card in cards:
            for jar in self.wax(cards, card) if card.text == "WAX" else ():
                jar.safe = True
        self.sting(cards)
        return self.lay(cards)

    def penalty(self, season):
        return self.papers.penalty + (season == 2)

    def row_points(self, length):
        *table, step = self.papers.row
        return 0 if length < 2 else table[min(length, 5) - 2] + step * max(0, length - 5)

    def joins(self, before, after):
        return before[0] == after[0] and before[1] < after[1]

    def rows(self, cards, faces):
        """Runs of cards; `faces` says what each jar that is not spoilt is taken for."""
        runs, last = [], None
        for card in cards:
            face = faces.get(card)
            if face and last and self.joins(last, face):
                runs[-1].append(card)
            elif face:
                runs.append([card])
            last = face
        return runs

    def busy(self, runs):
        return {card for run in runs if len(run) > 2 for card in run}

    def twin_points(self, number, season):
        return min(number, self.papers.cap) * (2 if season == 3 else 1)

    def row_factor(self, season):
        return 1

    def twinned(self, card, busy):
        return card.jar and not card.spoilt and not card.covered and card not in busy

    def twins(self, cards, busy, season):
        points, place = 0, 0
        while place + 1 < len(cards):
            one, other = cards[place : place + 2]
            if one.number == other.number and self.twinned(one, busy) and self.twinned(other, busy):
                points += self.twin_points(one.number, season)
                place += 1
            place += 1
        return points

    def faces(self, cards):
        """What the unspoilt jars can be taken for: one mapping for each choice of the aunt's owner."""
        printed = {c: (c.jar, c.number) for c in cards if c.jar and not c.spoilt}
        aunt = next((c for c in printed if c.text == self.papers.aunt and self.free(c)), None)
        if aunt is None:
            return [printed]
        return [printed | {aunt: (letter, number)} for letter in self.papers.letters for number in range(1, 13)]

    def free(self, aunt):
        return not aunt.covered

    def choice(self, rows, twins):
        return rows + twins, rows

    def views(self, cards, at):
        """The jars that a cat sees."""
        place, seen = cards.index(at), []
        for way in (cards[:place][::-1], cards[place + 1 :]):
            for count, card in enumerate(way):
                if not card.jar or card.spoilt or count == self.papers.reach:
                    break
                seen.append(card)
        return seen

    def eyes(self, cards):
        seen = [card for cat in cards if cat.text == "CAT" for card in self.views(cards, cat)]
        return sum(seen.count(card) == 1 for card in cards)

    def score(self, shelf, season):
        cards = self.settle(shelf)
        best = None
        for faces in self.faces(cards):
            runs = self.rows(cards, faces)
            rows = sum(self.row_points(len(run)) for run in runs) * self.row_factor(season)
            twins = self.twins(cards, self.busy(runs), season)
            best = max(best or (self.choice(rows, twins), rows, twins), (self.choice(rows, twins), rows, twins))
        _, rows, twins = best
        cats, wasps = self.eyes(cards), -self.penalty(season) * sum(card.spoilt for card in cards)
        return {"rows": rows, "twins": twins, "cats": cats, "wasps": wasps, "total": rows + twins + cats + wasps}

    def stock(self, cards, letter):
        return sum(self.worth(card) for card in cards if card.jar == letter)

    def worth(self, jar):
        return 0 if jar.spoilt else 2 if jar.covered else 1

    def shares(self, counts):
        """The prizes of one preserve."""
        second = self.papers.second if len(counts) > 2 else 0
        ranked = sorted({count for count in counts if count}, reverse=True)
        prize = dict.fromkeys(counts, 0)
        if ranked and counts.count(ranked[0]) > 1:
            prize[ranked[0]] = (self.papers.first + second) // counts.count(ranked[0])
        elif ranked:
            prize[ranked[0]] = self.papers.first
            for runner in ranked[1:2]:
                prize[runner] = second // counts.count(runner)
        return [prize[count] for count in counts]

    def prized(self, season):
        return [letter for letter in self.papers.letters if season == 3 or letter != self.papers.late]

    def prizes(self, shelves, season):
        settled = [self.settle(shelf) for shelf in shelves]
        each = [self.shares([self.stock(cards, letter) for cards in settled]) for letter in self.prized(season)]
        return [sum(column) for column in zip(*each)]

    def season_points(self, total, prize):
        return max(0, total + prize)

    def numbered(self, seasons):
        return list(zip(range(4 - len(seasons), 4), seasons))

    def stayed(self, shelf):
        return sum(card.text == "WASP" for card in self.chase([Card(text) for text in shelf]))

    def merit(self, player):
        return -player["total"], player["wasps"], -player["seasons"][-1]

    def standings(self, game):
        players = [{"player": name, "seasons": [], "wasps": 0} for name in game["players"]]
        for season, shelves in self.numbered(game["seasons"]):
            for player, shelf, prize in zip(players, shelves, self.prizes(shelves, season)):
                player["seasons"].append(self.season_points(self.score(shelf, season)["total"], prize))
                player["wasps"] += self.stayed(shelf)
        for player in players:
            player["total"] = sum(player["seasons"])
        merits = [self.merit(player) for player in players]
        for player in players:
            player["place"] = 1 + sum(merit < self.merit(player) for merit in merits)
        ordered = sorted(players, key=lambda player: player["place"])
        return [{name: value for name, value in player.items() if name != "wasps"} for player in ordered]


def beside(cards, at):
    place = cards.index(at)
    return cards[max(0, place - 1) : place] + cards[place + 1 : place + 2]


# ---------------------------------------------------------------- the misreadings


def face_down(self, cards):
    """A chased wasp stays where it lies."""
    for card in cards:
        if card.text == "WASP" and any(n.text == "CAT" for n in beside(cards, card)):
            card.text = "GONE"
    return cards


def chase_on(self, cards):
    """Wasps that come to lie beside a cat when others have gone are chased too."""
    left = Rules.chase(self, cards)
    return left if len(left) == len(cards) else chase_on(self, left)


def cloths_first(self, shelf):
    cards = self.lay(self.chase([Card(text) for text in shelf]))
    for card in cards:
        for jar in self.wax(cards, card) if card.text == "WAX" else ():
            jar.safe = True
    self.sting(cards)
    return cards


def standing(self, cards):
    """Cloths cover, and go on separating."""
    for place, card in enumerate(cards[1:]):
        if card.text == "CLOTH" and cards[place].jar:
            cards[place].covered = True
    return cards


def sting_twice(self, cards):
    """Counted by `penalty` through a number of stings."""
    for wasp in cards:
        for victim in beside(cards, wasp) if wasp.text == "WASP" else ():
            if victim.jar and not victim.safe:
                victim.spoilt += 1


def see_spoilt(self, cards, at):
    place, seen = cards.index(at), []
    for way in (cards[:place][::-1], cards[place + 1 :]):
        for card in way[: self.papers.reach]:
            if not card.jar:
                break
            seen.append(card)
    return seen


def see_right(self, cards, at):
    right = cards[cards.index(at) + 1 :]
    return [card for card in Rules.views(self, cards, at) if card in right]


def see_far(self, cards, at):
    reach, self.papers.reach = self.papers.reach, 99
    try:
        return Rules.views(self, cards, at)
    finally:
        self.papers.reach = reach


def other_wax(self, cards, at):
    jars = [c for c in beside(cards, at) if c.jar]
    if self.papers.wax == "both" and len(jars) == 2:
        jars = [max(reversed(jars), key=lambda c: c.number)]
    return jars


def right_wax(self, cards, at):
    return [c for c in cards[cards.index(at) + 1 :][:1] if c.jar]


def old_rows(self, length):
    *table, step = self.papers.old_row
    return 0 if length < 2 else table[min(length, 5) - 2] + step * max(0, length - 5)


def each_in_full(self, counts):
    ranked = sorted({count for count in counts if count}, reverse=True)
    prize = dict(zip(ranked, (self.papers.first, self.papers.second if len(counts) > 2 else 0)))
    return [prize.get(count, 0) for count in counts]


def always_second(self, counts):
    return Rules.shares(self, [*counts, 0, 0])[: len(counts)]


def none_second(self, counts):
    """Who has no jar can have the second prize, where only one player has any."""
    shares = Rules.shares(self, counts)
    alone = sum(count > 0 for count in counts) == 1 and len(counts) > 2
    return [share or self.papers.second // (len(counts) - 1) for share in shares] if alone else shares


def first_shared(self, counts):
    """Only the first prize is divided, and the next ones still get the second."""
    shares = Rules.shares(self, counts)
    ranked = sorted({count for count in counts if count}, reverse=True)
    if not ranked or counts.count(ranked[0]) < 2:
        return shares
    prize = dict(
        zip(ranked, (self.papers.first // counts.count(ranked[0]), self.papers.second if len(counts) > 2 else 0))
    )
    return [prize.get(count, 0) for count in counts]


SHELF_MISREADINGS = {
    "rows by the book": {"row_points": old_rows},
    "cloths separate": {"lay": standing},
    "equal numbers in a row": {"joins": lambda self, a, b: a[0] == b[0] and a[1] <= b[1]},
    "no aunt": {"free": lambda self, aunt: False},
    "aunt under a cloth": {"free": lambda self, aunt: True},
    "aunt for rows alone": {"choice": lambda self, rows, twins: (rows, twins)},
    "long rows have twins": {"busy": lambda self, runs: set()},
    "rows have no twins": {"busy": lambda self, runs: {card for run in runs if len(run) > 1 for card in run}},
    "chased stay": {"chase": face_down},
    "chased on": {"chase": chase_on},
    "cloths before wasps": {"settle": cloths_first},
    "the other wax": {"wax": other_wax},
    "wax by the book": {"wax": right_wax},
    "spoilt twice": {"sting": sting_twice},
    "same in summer": {"penalty": lambda self, season: self.papers.penalty},
    "penalty of the book": {"penalty": lambda self, season: self.papers.old_penalty + (season == 2)},
    "look right": {"views": see_right},
    "look far": {"views": see_far},
    "look at spoilt ones": {"views": see_spoilt},
    "shared jars": {"eyes": lambda self, cards: sum(len(self.views(cards, c)) for c in cards if c.text == "CAT")},
    "no cap": {"twin_points": lambda self, number, season: number * (2 if season == 3 else 1)},
    "capped last": {
        "twin_points": lambda self, number, season: min(number * (2 if season == 3 else 1), self.papers.cap)
    },
    "winter rows": {
        "row_factor": lambda self, season: 2 if season == 3 else 1,
        "twin_points": lambda self, number, season: min(number, self.papers.cap),
    },
    "covered twins": {"twinned": lambda self, card, busy: card.jar and not card.spoilt and card not in busy},
}
MARKET_MISREADINGS = {
    "in full": {"shares": each_in_full},
    "second for two": {"shares": always_second},
    "first shared": {"shares": first_shared},
    "nothing is second": {"shares": none_second},
    "covered once": {"worth": lambda self, jar: not jar.spoilt},
    "spoilt too": {"worth": lambda self, jar: 2 if jar.covered else 1},
    "never late": {"prized": lambda self, season: self.papers.letters},
    "doubled in winter": {
        "prizes": lambda self, shelves, season: [
            p * (2 if season == 3 else 1) for p in Rules.prizes(self, shelves, season)
        ]
    },
}
GAME_MISREADINGS = {
    "no floor": {"season_points": lambda self, total, prize: total + prize},
    "floor of the shelf": {"season_points": lambda self, total, prize: max(0, total) + prize},
    "short from spring": {"numbered": lambda self, seasons: list(enumerate(seasons, 1))},
    "chased count": {"stayed": lambda self, shelf: shelf.count("WASP")},
    "winter first": {"merit": lambda self, player: (-player["total"], -player["seasons"][-1], player["wasps"])},
    "no tie-break": {"merit": lambda self, player: -player["total"]},
    "no winter": {"merit": lambda self, player: (-player["total"], player["wasps"])},
}


def misread(papers, changes):
    return type("Misread", (Rules,), changes)(papers)


# ---------------------------------------------------------------- the tables


class Dealer:
    """Shelves as people build them: stretches of a preserve, jars with the same number, helpers in between."""

    def __init__(self, papers, rng):
        self.papers, self.rng = papers, rng

    def deal(self, players, cards):
        """Shelves of one season, dealt from one box."""
        rng = self.rng
        jars = [letter + str(number) for letter in self.papers.letters for number in range(1, 13)]
        rng.shuffle(jars)
        helpers = [name for name, count in self.papers.box.items() for _ in range(count)]
        rng.shuffle(helpers)
        return [self.build(jars, helpers, rng.randrange(*cards)) for _ in range(players)]

    def build(self, jars, helpers, cards):
        shelf = []
        while len(shelf) < cards:
            draw, last = self.rng.random(), shelf[-1] if shelf else "WAX"
            if draw < (0.45 if last in ("CAT", "WASP") else 0.3) and helpers:
                shelf.append(helpers.pop())
                continue
            liked = [jar for jar in jars if draw > 0.84 or likes(last, jar)] or jars
            shelf.append(self.rng.choice(liked))
            jars.remove(shelf[-1])
        return shelf

    def shelf(self):
        (shelf,) = self.deal(1, (7, self.papers.most + 1))
        aunt, letter = self.papers.aunt, self.papers.aunt[0]
        if self.rng.random() < 0.6 and aunt not in shelf:
            jars = [place for place, card in enumerate(shelf) if card[0] == letter or card[1:].isdigit()]
            for place in jars[len(jars) // 2 :][:1]:
                shelf[place] = aunt
        return shelf


def likes(last, jar):
    """Whether a jar goes on with a row, or has a twin to its left."""
    if not last[1:].isdigit():
        return True
    return last[1:] == jar[1:] or (last[0] == jar[0] and int(last[1:]) < int(jar[1:]))


def telling(true, others, own, draw, tries):
    """Arguments on which the misreading `own` fails, and as few others as possible."""
    best, hits = None, 0
    for _ in range(tries):
        given = draw()
        right = true(*given)
        if others[own](*given) != right:
            alike = sum(other(*given) != right for other in others.values())
            best, hits = (
                min([entry for entry in (best, (alike, hits, given, right)) if entry], key=lambda e: e[:2]),
                hits + 1,
            )
        if hits == 4:
            break
    if best is None:
        raise LookupError(f"no table shows {own!r}")
    return best[2:]


def cases(papers, method, misreadings, draw, tries=4000):
    true = getattr(Rules(papers), method)
    others = {name: getattr(misread(papers, changes), method) for name, changes in misreadings.items()}
    found = []
    for name in misreadings:
        given, right = telling(true, others, name, draw, tries)
        found.append({"name": f"{method} {len(found) + 1}", "call": method, "args": list(given), "returns": right})
    return found


def crowded(papers, method, misreadings, draw, count, tries=25):
    """Tables on which as many misreadings as possible fail at once."""
    true = getattr(Rules(papers), method)
    others = [getattr(misread(papers, changes), method) for changes in misreadings.values()]
    found = []
    for number in range(1, count + 1):
        given = max((draw() for _ in range(tries)), key=lambda table: sum(o(*table) != true(*table) for o in others))
        found.append({"name": f"all in one {number}", "call": method, "args": list(given), "returns": true(*given)})
    return found


def refused(papers, dealer):
    """Tables that one box cannot give; and one that just can."""
    letter, other = dealer.rng.sample(papers.letters, 2)
    full = [f"{letter}{n}" for n in range(1, papers.most + 1 - papers.box["CLOTH"])] + ["CLOTH"] * papers.box["CLOTH"]
    return [
        ([f"{letter}3", "WAX", f"{letter}13"], False),
        ([f"{other}2", f"{letter}11", "CAT", f"{other}2"], False),
        (["CLOTH", f"{letter}5"] + ["CLOTH"] * papers.box["CLOTH"], False),
        ([*full, f"{other}1"], False),
        (full, True),
    ]


def refusal_cases(papers, dealer):
    rules, found = Rules(papers), []
    for number, (shelf, fine) in enumerate(refused(papers, dealer), 1):
        given = {"name": f"box {number}", "call": "score", "args": [shelf, 1]}
        found.append(given | ({"returns": rules.score(shelf, 1)} if fine else {"raises": "ValueError"}))
    return found


def refused_tables(dealer):
    """The same jar on two shelves of one season, and in a game."""
    one, other = dealer.deal(2, (4, 7))
    jar = next(card for card in one if card[1:].isdigit())
    game = {"players": ["Ines", "Wilf"], "seasons": [[one, ["WAX"]], [[], other], [["CAT", jar], [jar]]]}
    return (
        {"name": "box 6", "call": "prizes", "args": [[one, other, [jar]], 2], "raises": "ValueError"},
        {"name": "box 7", "call": "standings", "args": [game], "raises": "ValueError"},
    )


def a_game(dealer, cards):
    players = dealer.rng.sample(["Ines", "Tom", "Wilf", "Ada", "Kit"], dealer.rng.randrange(2, 5))
    seasons = [dealer.deal(len(players), cards) for _ in range(dealer.rng.choice([2, 3, 3]))]
    return {"players": players, "seasons": seasons}


def level_games(papers, dealer):
    """Games of short shelves, with a cat and a wasp, in which players end level, so that the tie is what counts."""
    rules, games = Rules(papers), []
    while len(games) < 24:
        game = a_game(dealer, (1, 5))
        for shelves in game["seasons"][:1]:
            if not any({"CAT", "WASP"} & set(shelf) for shelf in shelves):
                dealer.rng.choice(shelves).extend(["CAT", "WASP"])
        totals = [row["total"] for row in rules.standings(game)]
        if len(set(totals)) < len(totals):
            games.append(game)
    return games


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    papers = Papers(workspace)
    seed = hashlib.sha256((workspace / "app/interface.md").read_bytes()).digest()
    dealer = Dealer(papers, random.Random(seed))
    rng = dealer.rng

    def one_shelf():
        return dealer.shelf(), rng.choice([1, 2, 3])

    def one_market():
        return dealer.deal(rng.choice([2, 2, 3, 4, 5]), (4, 10)), rng.choice([1, 2, 3])

    games = level_games(papers, dealer) + [a_game(dealer, (3, 9)) for _ in range(12)]

    def one_game():
        return (rng.choice(games),)

    market, game = refused_tables(dealer)
    shelf_cases = cases(papers, "score", SHELF_MISREADINGS, one_shelf) + refusal_cases(papers, dealer)
    market_cases = [*cases(papers, "prizes", MARKET_MISREADINGS, one_market), market]
    game_cases = [*cases(papers, "standings", GAME_MISREADINGS, one_game), game]
    everywhere = {**SHELF_MISREADINGS, **MARKET_MISREADINGS}
    return {
        "shelf_cases": shelf_cases + crowded(papers, "score", SHELF_MISREADINGS, one_shelf, 5),
        "market_cases": market_cases + crowded(papers, "prizes", everywhere, one_market, 2, 8),
        "game_cases": game_cases + crowded(papers, "standings", everywhere | GAME_MISREADINGS, one_game, 2, 4),
    }
