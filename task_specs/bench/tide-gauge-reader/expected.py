"""The second derivation: tapes as whole numbers (tenths of minutes, millimetres), and the tapes on which the tool is tried."""

import hashlib
import random
from datetime import date

DAY = 14400
"""Tenths of a minute."""
CODED = {"{": 0, "}": 0}
CODED |= {sign: number for number, sign in enumerate("ABCDEFGHI", 1)}
CODED |= {sign: -number for number, sign in enumerate("JKLMNOPQR", 1)}
NEGATIVE = "}JKLMNOPQR"
MISSING = {"9999": "N", "////": "O"}


# ---------------------------------------------------------------- reading


def total(text):
    return sum(ord(character) for character in text if character != " ") % 100


def is_sound(line):
    return len(line) > 3 and line[-3] == "*" and line[-2:].isdigit() and int(line[-2:]) == total(line[:-3])


def number(text):
    head, last = text[:-1], text[-1]
    if last.isdigit():
        return int(text)
    size = 10 * int(head) + abs(CODED[last])
    return -size if last in NEGATIVE else size


def lines_of(text):
    """Pairs of line and soundness up to the E line, without notes and without what X lines take back."""
    text = "".join(character for character in text if character != "\x7f").replace("\r", "")
    pairs = [(line.rstrip(), is_sound(line.rstrip())) for line in text.split("\n") if line.strip()]
    pairs = [pair for pair in pairs if pair[0][0] != "N"]
    ends = [place for place, (line, sound) in enumerate(pairs) if line[0] == "E" and sound]
    pairs = pairs[: ends[0] + 1] if ends else pairs
    kept, to_drop = [], 0
    for line, sound in reversed(pairs):
        if line[0] == "X" and sound:
            to_drop += 1
        elif to_drop:
            to_drop -= 1
        else:
            kept.append((line, sound))
    return kept[::-1]


def midnight(digits):
    """Tenths of minutes from the first day of the calendar to the day `yyddd`."""
    year = 1900 + int(digits[:2])
    year += 100 if year < 1970 else 0
    return (date(year, 1, 1).toordinal() + int(digits[2:]) - 1) * DAY


def decode(text):
    """(readings as (tenths, millimetres or None, flag), whole), or None for what is no tape."""
    lines = lines_of(text)
    if not lines or lines[0][0][0] != "G" or not lines[0][1]:
        return None
    issue = lines[0][0][:-3].split()[-1]
    out, state = [], {"zero": 0, "now": 0, "step": 0, "day": 0, "ahead": 0}
    for line, sound in lines[1:]:
        kind, body = line[0], line[1:-3].replace(" ", "")
        if kind == "R":
            groups = [body[place : place + 4] for place in range(0, len(body), 4)] if sound else [None] * 8
            for group in groups:
                out.append((state["now"], *one(group, issue, state["zero"])))
                state["now"] += state["step"]
        elif not sound:
            return out, False
        elif kind == "E":
            return out, int(body) == len(out)
        else:
            turn(state, kind, body, issue)
    return out, False


def one(group, issue, zero):
    if group is None:
        return None, "D"
    if group in MISSING:
        return None, MISSING[group]
    return number(group) * (10 if issue == "1" else 1) + zero, "G"


def turn(state, kind, body, issue):
    """A line that holds no readings."""
    if kind == "H":
        state["ahead"] = 600 * int(body)
    if kind == "D":
        state["day"] = midnight(body)
    if kind == "Z":
        state["zero"] = number(body)
    if kind == "T":
        state["now"] = state["day"] + 600 * int(body[:2]) + 10 * int(body[2:4]) - state["ahead"]
        state["step"] = int(body[4:]) * (1 if issue == "3" else 10)


def stamp(tenths):
    days, rest = divmod(tenths, DAY)
    return f"{date.fromordinal(days)}T{rest // 600:02}:{rest // 10 % 60:02}:{rest % 10 * 6:02}Z"


def metres(level):
    return "" if level is None else f"{'-' * (level < 0)}{abs(level) // 1000}.{abs(level) % 1000:03}"


def listing(readings):
    rows = [f"{stamp(when)},{metres(level)},{flag}" for when, level, flag in readings]
    return "\n".join(["time,level,flag", *rows]) + "\n"


# ---------------------------------------------------------------- tapes to try the tool on


def signed(value, width=4, plain=False):
    digits = f"{abs(value):0{width}}"
    last = int(digits[-1])
    if value < 0:
        return digits[:-1] + NEGATIVE[last]
    return digits if plain else digits[:-1] + "{ABCDEFGHI"[last]


class Tape:
    """Lines as a gauge and its operator punch them."""

    def __init__(self, rng, issue, hours):
        self.rng, self.issue, self.lines = rng, issue, []
        self.line(f"G {rng.randrange(300, 700):04} {issue}")
        self.line(f"H {hours}")

    def line(self, body):
        self.lines.append(f"{body}*{total(body):02}")

    def start(self, day, clock, interval):
        self.line(f"D {day}")
        self.line(f"T {clock} {interval}")

    def readings(self, count, plain=False, odd=0.0):
        """Returns the lines' places."""
        drawn = [self.group(plain, odd) for _ in range(count)]
        blank = self.rng.choice(["", " "])
        places = []
        for place in range(0, count, 8):
            places.append(len(self.lines))
            self.line("R " + blank.join(drawn[place : place + 8]))
        return places

    def group(self, plain, odd):
        if self.rng.random() < odd:
            return self.rng.choice(["9999", "////", "000}", "000{"])
        high = 320 if self.issue == 1 else 3200
        return signed(self.rng.randrange(-high, high), plain=plain)

    def damage(self, place):
        """One figure read as another; the check stays."""
        line = self.lines[place]
        spots = [spot for spot, character in enumerate(line[:-3]) if character.isdigit()]
        spot = self.rng.choice(spots)
        self.lines[place] = line[:spot] + str((int(line[spot]) + 3) % 10) + line[spot + 1 :]

    def text(self, newline="\n"):
        return newline.join(self.lines) + newline

    def rubbed(self, newline="\n"):
        """With rubouts before, between and after other characters."""
        text = self.text(newline)
        for _ in range(len(self.lines)):
            spot = self.rng.randrange(len(text))
            text = f"{text[:spot]}\x7f{text[spot:]}"
        return text


def case(name, text):
    found = decode(text)
    out, code = ("", 3) if found is None else (listing(found[0]), 0 if found[1] else 1)
    return {"name": name, "args": ["read", "trial.hv4"], "files": {"trial.hv4": text}, "stdout": out, "exit": code}


def issue_cases(rng):
    """A sound tape of each issue: units, signs, zeros, clocks, midnight, leap days and turns of the year."""
    cases = []
    for issue in (1, 2, 3):
        tape = Tape(rng, issue, {1: "+00", 2: "-03", 3: "+01"}[issue])
        minutes = {1: "30", 2: "20", 3: rng.choice(["025", "075", "125"])}[issue]
        tape.start({1: "72366", 2: "00060", 3: "95001"}[issue], {1: "2030", 2: "2240", 3: "0010"}[issue], minutes)
        count = tape_part(tape, 22, plain=issue == 1)
        tape.line("N ZERO MOVED, SEE BOOK")
        tape.line(f"Z {signed(rng.randrange(1001, 1400), 5, plain=issue == 1)}")
        count += tape_part(tape, 16)
        if issue == 3:
            tape.line("W 071B")
        tape.line(f"Z {signed(-rng.randrange(101, 900), 5)}")
        tape.start({1: "73059", 2: "00366", 3: "96060"}[issue], "2330", {1: "15", 2: "07", 3: "100"}[issue])
        count += tape_part(tape, 19)
        tape.line(f"E {count:04}")
        cases.append(case(f"issue {issue}", tape.text("\r\n" if issue == 2 else "\n")))
    return cases


def tape_part(tape, count, plain=False):
    tape.readings(count, plain, odd=0.15)
    return count


def marred_cases(rng):
    return [cancelled(rng), damaged(rng), damaged_x(rng)]


def cancelled(rng):
    """Lines taken back, one, two and with notes between; rubouts; a trailer after the end."""
    tape = Tape(rng, 2, "+01")
    tape.line(f"Z {signed(rng.randrange(1001, 1400), 5)}")
    tape.start("84060", "2200", "15")
    tape.readings(16)
    tape.line(f"Z {signed(rng.randrange(2001, 2400), 5)}")
    tape.readings(5)
    tape.line("X")
    tape.lines += ["", "N TWICE"]
    tape.line("X")
    tape.readings(8)
    tape.start("84061", "0900", "20")
    tape.line("X")
    tape.line(f"T 0915 {rng.choice(['05', '10'])}")
    places = tape.readings(12)
    tape.damage(places[-1])
    tape.line("X")
    tape.readings(3)
    tape.damage(len(tape.lines) - 1)
    tape.line("X")
    tape.readings(11)
    tape.line("E 0043")
    tape.readings(8)
    tape.line("X")
    tape.lines.append("THE QUICK BROWN FOX")
    return case("lines taken back, rubouts and a trailer", tape.rubbed("\r\n"))


def damaged(rng):
    """Damaged R lines keep their time, and one that is nearly gone stands for eight like any other."""
    tape = Tape(rng, 3, "+01")
    tape.line(f"Z {signed(rng.randrange(801, 990), 5)}")
    tape.start("04060", "2000", "075")
    places = tape.readings(40, odd=0.1)
    tape.damage(places[1])
    tape.lines[places[3]] = tape.lines[places[3]][: rng.choice([5, 9, 13])]
    tape.start("04061", "1200", "100")
    tape.readings(5)
    tape.damage(len(tape.lines) - 1)
    tape.line("W 0712")
    tape.readings(9)
    tape.line("E 0057")
    return case("damaged lines with readings", tape.text())


def damaged_x(rng):
    """An X line that is damaged takes nothing back and ends the reading."""
    tape = Tape(rng, 1, "+00")
    tape.start("78200", "0600", "60")
    tape.readings(16, plain=True)
    tape.lines.append(f"X*{rng.choice([11, 38, 87])}")
    tape.readings(8, plain=True)
    tape.line("E 0024")
    return case("a damaged X line", tape.text())


def status_cases(rng):
    """A first line whose check is wrong, and a tape that says another number than it has."""
    tape = Tape(rng, 2, "+01")
    tape.damage(0)
    tape.start("88100", "0000", "15")
    tape.readings(8)
    tape.line("E 0008")
    no_tape = case("a first line that is damaged", tape.text())
    tape = Tape(rng, 2, "+02")
    tape.start("88100", "0000", "15")
    tape.readings(20, odd=0.1)
    tape.line("E 0019")
    return [no_tape, case("another number at the end", tape.text())]


# ---------------------------------------------------------------- our own tapes


def row(text):
    readings, whole = decode(text)
    levels = [level for _, level, _ in readings if level is not None]
    top = max(levels)
    at = next(when for when, level, _ in readings if level == top)
    return {
        "gauge": text.split()[1][:4],
        "whole": "yes" if whole else "no",
        "readings": len(readings),
        "missing": len(readings) - len(levels),
        "first": stamp(readings[0][0]),
        "last": stamp(readings[-1][0]),
        "highest": top / 1000,
        "highest_at": stamp(at),
    }


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    texts = {path.name: path.read_bytes().decode("ascii") for path in sorted((workspace / "tapes").iterdir())}
    rng = random.Random(hashlib.sha256("".join(texts.values()).encode()).hexdigest())
    return {
        "issues": issue_cases(rng),
        "marred": marred_cases(rng),
        "status": status_cases(rng),
        "extremes": {name: row(text) for name, text in texts.items() if decode(text)},
    }
