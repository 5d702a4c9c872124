"""What the package gives today, reckoned from docs/words-3.md; and versions of delta.py that the tests must tell apart."""

import json
import math
import re
from fractions import Fraction

# ---------------------------------------------------------------- bytes as they were


def to_hex(values, size):
    """Each value as so many bytes, the big end first."""
    half = 256**size // 2
    digits = []
    for value in values:
        number = -half
        if value is not None:
            nearest = math.floor(abs(Fraction(value)) + Fraction(1, 2))
            number = min(nearest, half - 1) * (1 if value >= 0 else -1)
        digits.append(f"{number % 256**size:0{2 * size}x}")
    return "".join(digits)


def from_hex(text, size):
    half, found = 256**size // 2, []
    for place in range(0, len(text) - 2 * size + 1, 2 * size):
        number = int(text[place : place + 2 * size], 16)
        number -= 256**size if number >= half else 0
        found.append(None if number == -half else number)
    return found


def frame(station, channel, second, readings):
    text = (
        "5348" + to_hex([station, channel], 2) + to_hex([second], 4) + to_hex([len(readings)], 2) + to_hex(readings, 3)
    )
    return text + f"{-sum(bytes.fromhex(text)) % 256:02x}"


def parsed(text):
    readings, count = from_hex(text[24:-2], 3), from_hex(text[20:24], 2)[0]
    station, channel = from_hex(text[4:12], 2)
    return {
        "station": station,
        "channel": channel,
        "second": from_hex(text[12:20], 4)[0],
        "complete": count == len(readings),
        "readings": readings[:count],
    }


# ---------------------------------------------------------------- what is tried


def call(name, *args):
    return {"call": name, "args": list(args)}


def script(words, stdin):
    return {"script": words.split(), "stdin": stdin}


def build_steps():
    frames = [
        (23, 1, 1_790_000_123, [0, 1, -1, 8_388_607, -8_388_608, 8_388_608, -9_000_000]),
        (40_000, -40_000, 2**31, [None, 2.5, -2.5, 3.49, -0.5, None]),
        (7, 3, 0, []),
        (32_768, 2, -(2**31), [10**9, -(10**9), -8_388_607.5]),
    ]
    return [(call("shiver.frames:build", *f), {"hex": frame(*f)}) for f in frames] + [
        (
            call("shiver.frames:header", -32_768, None, 5.5),
            {"hex": "5348" + to_hex([-32_768, None], 2) + to_hex([5.5], 4)},
        )
    ]


def parse_steps():
    whole = frame(311, 2, 1_790_000_500, [5, None, -70_000, 12, -1])
    noisy = whole[:-2] + "ab" + whole[-2:]
    noisier = whole[:-2] + "abcd" + whole[-2:]
    short = whole[:-8] + whole[-2:]
    texts = [whole, noisy, noisier, short, frame(None, -5, None, [None])]
    steps = [(call("shiver.frames:parse", {"hex": text}), parsed(text)) for text in texts]
    return [*steps, (call("shiver.frames:parse", {"hex": "5358" + whole[4:]}), {"raises": "ValueError"})]


def slow_steps():
    lists = [[12.25, -12.25, 0.05, -0.05], [None, 20, -3.14, 4000.0, -4000.0, -3276.8], [8.75, None, -0.75]]
    lines = ["007bff85800000", "7fff8001", "ff", ""]
    return [
        *(
            (call("shiver.slow:to_bytes", values), {"hex": to_hex([v and v * 10 for v in values], 2)})
            for values in lists
        ),
        *(
            (call("shiver.slow:from_bytes", {"hex": line}), [n if n is None else n / 10 for n in from_hex(line, 2)])
            for line in lines
        ),
    ]


def codec_steps():
    values = [0, 1.5, -1.5, None, 32_767, -32_768, 2**23, -(2**23), 2**31, -(2**31), 0.5]
    line = to_hex([-1, None, 258, -32_767, None], 4)
    steps = []
    for name, size in (("s16", 2), ("s24", 3), ("s32", 4)):
        steps.append((call("shiver.codecs:dump", values, name), to_hex(values, size)))
        steps.append((call("shiver.codecs:load", line, name), from_hex(line, size)))
    return [
        *steps,
        (call("shiver.codecs:dump", [3, -4]), to_hex([3, -4], 3)),
        (call("shiver.codecs:load", "00000aff"), [10]),
    ]


def script_steps():
    values = ["3", "-", "2.5", "-2.5", "40000", "-40000", "0.4"]
    plain = [None if value == "-" else float(value) for value in values]
    text = "".join(f"{value}\n" for value in values)
    coded = to_hex([1, None, -300, 77], 3) + "09"
    told = "".join("-\n" if n is None else f"{n}\n" for n in from_hex(coded, 3))
    log = [
        frame(9, 1, 1_790_000_000, [1, 2, None, None, 3]),
        frame(9, 1, 1_790_000_060, [None] * 4)[:-2] + "ff00",
        frame(9, 1, 1_790_000_120, [6, 7, 8, 9]),
        "00112233",
        frame(9, 1, 1_790_000_180, [4, 5, 6, None])[:-8] + "00",
    ]
    lines = "".join(f"2026-09-08T0{hour}:00:00 {digits}\n" for hour, digits in enumerate(log))
    return [
        (script("-m shiver encode 16", text), to_hex(plain, 2) + "\n"),
        (script("-m shiver encode 24", "-\n-1\n"), to_hex([None, -1], 3) + "\n"),
        (script("-m shiver decode 24", coded), told),
        (script("tools/resend.py 0", lines), "2026-09-08T00:00:00 2\n2026-09-08T01:00:00 4\n2026-09-08T04:00:00 1\n"),
        (script("tools/resend.py 2", lines), "2026-09-08T01:00:00 4\n"),
    ]


def case(name, steps):
    """One run of later.py."""
    return {
        "name": name,
        "stdin": json.dumps([step for step, _ in steps]),
        "stdout": [wanted for _, wanted in steps],
        "exit": 0,
    }


def behaviour():
    return [
        case("building frames", build_steps()),
        case("parsing frames", parse_steps()),
        case("slow channels", slow_steps()),
        case("codecs", codec_steps()),
        case("scripts", script_steps()),
    ]


# ---------------------------------------------------------------- versions of delta.py

LOOP = '''"""Squeezes readings; a version with a class."""


class Squeezer:
    def __init__(self):
        self.out, self.last, self.number, self.silent = [], None, 0, 0

    def take(self, reading):
        if reading is None:
            self.silent += 1
            self.last = None
            return
        self.flush()
        due = self.number % {every} == 0
        if self.last is None or due or not -{step} <= reading - self.last <= {step}:
            self.out.append(("full", reading))
        else:
            self.out.append(("step", reading - self.last))
        self.last, self.number = reading, self.number + 1

    def flush(self):
        if self.silent:
            self.out.append(("gap", self.silent))
        self.silent = 0


def squeeze(readings):
    squeezer = Squeezer()
    for reading in readings:
        squeezer.take(reading)
    squeezer.flush()
    return squeezer.out


def expand(records):
    out, known = [], False
    for word, number in records:
        if word == "gap":
            if number < 1:
                raise ValueError("a gap of nothing")
            out.extend([None] * number)
        elif word == "full":
            out.append(number)
        elif word == "step" and known:
            out.append(out[-1] + number)
        else:
            raise ValueError(word)
        known = word != "gap"
    return out
'''

GROUPS = '''"""Squeezes readings; a version by stretches."""

from itertools import groupby

STRETCH = {every}
REACH = range(-{step}, {step} + 1)


def squeeze(readings):
    return list(_records(list(readings)))


def _records(readings):
    done = 0
    for there, group in groupby(readings, lambda reading: reading is not None):
        stretch = list(group)
        if not there:
            yield "gap", len(stretch)
            continue
        yield "full", stretch[0]
        for place in range(1, len(stretch)):
            change = stretch[place] - stretch[place - 1]
            full = (done + place) % STRETCH == 0 or change not in REACH
            yield ("full", stretch[place]) if full else ("step", change)
        done += len(stretch)


def expand(records):
    readings = []
    for word, number in records:
        match word:
            case "full":
                readings.append(number)
            case "gap" if number >= 1:
                readings.extend(None for _ in range(number))
            case "step" if readings and readings[-1] is not None:
                readings.append(readings[-1] + number)
            case _:
                raise ValueError(f"cannot expand {{word}} {{number}}")
    return readings
'''

MISTAKES = (
    ("not -{step} <= reading - self.last <= {step}", "not -{step} <= reading - self.last < {step}"),
    ("not -{step} <= reading - self.last <= {step}", "not -{step} < reading - self.last <= {step} + 1"),
    ("            self.silent += 1\n", "            self.silent += 1\n            self.number += 1\n"),
    ("            self.last = None\n            return\n", "            return\n"),
    ("        squeezer.take(reading)\n    squeezer.flush()\n", "        squeezer.take(reading)\n"),
    ('        known = word != "gap"\n', "        known = True\n"),
    ("    squeezer = Squeezer()\n", "    squeezer = SQUEEZER\n    squeezer.out, squeezer.last = [], None\n"),
)
"""The largest step up refused; one more allowed up and the largest down refused; gaps counted; a step across a gap; the last
gap lost; the same when expanding; the number of readings kept for the next call."""


def with_mistake(text, old, new):
    if old not in text:
        raise LookupError(old)
    text = text.replace(old, new)
    if "SQUEEZER" in new:
        text = text.replace("def squeeze(", "SQUEEZER = Squeezer()\n\n\ndef squeeze(")
    return text


def versions(step, every):
    def file(text):
        return {"shiver/delta.py": text.format(step=step, every=every)}

    return {"right": [file(LOOP), file(GROUPS)], "wrong": [file(with_mistake(LOOP, *mistake)) for mistake in MISTAKES]}


def present(link, what):
    """A figure of the present link."""
    return int(re.search(rf"\| {what} \| [^|]*\| (\d+)", link)[1])


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    link = (workspace / "docs/radio.md").read_bytes().decode()
    return {
        "behaviour": behaviour(),
        "versions": versions(present(link, "largest step"), present(link, "full reading every")),
    }
