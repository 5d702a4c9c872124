"""Another hand: a new module with a class for each width, files written anew; tests against a reference of their own."""

import runpy
import sys
from pathlib import Path

SAMPLES = '''"""Samples in the form that the radio has known since 2016."""

from math import ceil, floor

from . import words


class Width:
    def __init__(self, size):
        self.size = size
        self.nothing = -(2 ** (8 * size - 1))

    def one(self, sample):
        if sample is None:
            return self.nothing
        whole = floor(sample + 0.5) if sample >= 0 else ceil(sample - 0.5)
        return sorted((self.nothing + 1, whole, -self.nothing - 1))[1]

    def write(self, samples):
        return words.pack(map(self.one, samples), self.size, order="big")

    def read(self, raw):
        usable = raw[: len(raw) - len(raw) % self.size]
        return [None if n == self.nothing else n for n in words.unpack(usable, self.size, order="big")]


TWO, THREE, FOUR = map(Width, (2, 3, 4))
'''
CODECS = '''"""Codecs by the names that station files use."""

from shiver.samples import FOUR, THREE, TWO

CODECS = {name: (width.write, width.read) for name, width in (("s16", TWO), ("s24", THREE), ("s32", FOUR))}


def dump(values, name="s24"):
    """Values as a line of hexadecimal digits."""
    return CODECS[name][0](values).hex()


def load(line, name="s24"):
    """Values of a line of hexadecimal digits."""
    return CODECS[name][1](bytes.fromhex(line))
'''
SLOW = '''"""The slow channels: temperature and voltage, once an hour, in tenths."""

from shiver.samples import TWO


def to_bytes(values):
    """Degrees or volts, None where there is no value."""
    tenths = []
    for value in values:
        tenths.append(None if value is None else 10 * value)
    return TWO.write(tenths)


def from_bytes(data):
    """The same back, to the tenth."""
    return [value if value is None else value / 10 for value in TWO.read(data)]
'''
EDITS = {
    "shiver/frames.py": [
        (
            "from shiver.words import decode as dec\nfrom shiver.words import encode as enc\n",
            "from shiver.samples import FOUR, THREE, TWO\n",
        ),
        ("enc([station, channel]) + enc([second], 32)", "TWO.write((station, channel)) + FOUR.write((second,))"),
        ("enc([len(readings)], 16) + enc(readings, bits=24)", "TWO.write([len(readings)]) + THREE.write(readings)"),
        ("station, channel = dec(frame[2:6])", "station, channel = TWO.read(frame[2:6])"),
        ("dec(frame[6:10], 32)", "FOUR.read(frame[6:10])"),
        (
            "count = dec(frame[10:START], 16)[0]",
            "(count,) = TWO.read(frame[10:START])\n    readings = THREE.read(frame[START:-1])",
        ),
        ("len(dec(frame[START:-1], 24))", "len(readings)"),
        ("dec(frame[START:-1], 24)[:count]", "readings[:count]"),
    ],
    "shiver/__main__.py": [
        ("from shiver import words\n", "from shiver.samples import Width\n"),
        (
            "    result = getattr(words, job)(given, bits)\n",
            '    width = Width(bits // 8)\n    result = width.write(given) if job == "encode" else width.read(given)\n',
        ),
    ],
    "tools/resend.py": [
        (
            "from shiver.words import decode as read_words  # noqa: E402\n",
            "from shiver.samples import THREE, TWO  # noqa: E402\n",
        ),
        ("read_words(frame[START - 2 : START])", "TWO.read(frame[START - 2 : START])"),
        ("read_words(frame[START:-1], 24)", "THREE.read(frame[START:-1])"),
    ],
}
TESTS = '''import random
from unittest import TestCase

from shiver import delta


def reference(readings):
    """docs/delta.md, word by word."""
    records, number = [], 0
    for place, reading in enumerate(readings):
        before = readings[place - 1] if place else None
        if reading is None and place and before is None:
            records[-1] = ("gap", records[-1][1] + 1)
        elif reading is None:
            records.append(("gap", 1))
        else:
            far = before is None or abs(reading - before) > {step}
            records.append(("full", reading) if far or number % {every} == 0 else ("step", reading - before))
            number += 1
    return records


class DeltaTest(TestCase):
    def setUp(self):
        rng = random.Random(17)
        self.lists = [[]]
        for _ in range(200):
            readings, value = [], 0
            for _ in range(rng.randrange(160)):
                value += rng.choice([0, 1, -1, {step}, -{step}, {step} + 1, -{step} - 1, 4000, -4000])
                readings.append(None if rng.random() < 0.1 else value)
            self.lists.append(readings)

    def test_records(self):
        for readings in self.lists:
            given = list(readings)
            self.assertListEqual(list(delta.squeeze(given)), reference(readings))
            self.assertListEqual(given, readings)

    def test_expand(self):
        for readings in self.lists:
            records = reference(readings)
            self.assertEqual(delta.expand(list(records)), readings)

    def test_errors(self):
        self.assertRaises(ValueError, delta.expand, [("step", 3)])
        self.assertRaises(ValueError, delta.expand, [("full", 2), ("step", 1), ("gap", 2), ("step", 3)])
        self.assertRaises(ValueError, delta.expand, [("gap", 0)])
        self.assertRaises(ValueError, delta.expand, [("what", 1)])
'''

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
oracle = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
for name, changes in EDITS.items():
    oracle["edit"](ws, name, changes)
for name, text in (("samples", SAMPLES), ("codecs", CODECS), ("slow", SLOW)):
    (ws / f"shiver/{name}.py").write_bytes(text.encode())
oracle["write_tests"](ws, TESTS.format(**oracle["present"](ws)))
