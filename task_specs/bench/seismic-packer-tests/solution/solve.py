"""The oracle: what `encode` and `decode` did goes into `codecs`, everything else uses that; and tests by docs/delta.md."""

import re
import sys
from pathlib import Path

CODECS = '''"""Codecs by the names that station files use: the big end first, and no reading is the lowest number there is."""

from functools import partial

from shiver.words import pack, unpack


def lowest(size):
    """What stands for no reading."""
    return -(1 << (8 * size - 1))


def nearest(value):
    """The nearest whole number; halves go away from zero."""
    return int(value + 0.5) if value >= 0 else -int(0.5 - value)


def to_bytes(values, size):
    """Numbers, rounded and brought into range, or None."""
    least = lowest(size)
    numbers = [least if value is None else min(max(nearest(value), least + 1), -least - 1) for value in values]
    return pack(numbers, size, order="big")


def from_bytes(data, size):
    """The same back; bytes left over at the end are passed over."""
    numbers = unpack(data, size, order="big", rest="drop")
    return [None if number == lowest(size) else number for number in numbers]


CODECS = {f"s{8 * size}": (partial(to_bytes, size=size), partial(from_bytes, size=size)) for size in (2, 3, 4)}


def dump('''

EDITS = {
    "shiver/frames.py": [
        (
            "from shiver.words import decode as dec\nfrom shiver.words import encode as enc\n",
            "from shiver.codecs import from_bytes, to_bytes\n",
        ),
        ("enc([station, channel]) + enc([second], 32)", "to_bytes([station, channel], 2) + to_bytes([second], 4)"),
        (
            "enc([len(readings)], 16) + enc(readings, bits=24)",
            "to_bytes([len(readings)], 2) + to_bytes(readings, 3)",
        ),
        ("dec(frame[2:6])", "from_bytes(frame[2:6], 2)"),
        ("dec(frame[6:10], 32)", "from_bytes(frame[6:10], 4)"),
        ("dec(frame[10:START], 16)", "from_bytes(frame[10:START], 2)"),
        ("len(dec(frame[START:-1], 24))", "len(from_bytes(frame[START:-1], 3))"),
        ("dec(frame[START:-1], 24)[:count]", "from_bytes(frame[START:-1], 3)[:count]"),
    ],
    "shiver/slow.py": [
        ("from shiver import words\n", "from shiver import codecs\n"),
        (
            "words.encode(None if value is None else value * 10 for value in values)",
            "codecs.to_bytes([None if value is None else value * 10 for value in values], 2)",
        ),
        ("words.decode(data)]", "codecs.from_bytes(data, 2)]"),
    ],
    "shiver/__main__.py": [
        ("from shiver import words\n", "from shiver import codecs\n"),
        (
            "    result = getattr(words, job)(given, bits)\n",
            '    work = {"encode": codecs.to_bytes, "decode": codecs.from_bytes}[job]\n    result = work(given, bits // 8)\n',
        ),
    ],
    "tools/resend.py": [
        (
            "from shiver.frames import MARK, START  # noqa: E402\nfrom shiver.words import decode as read_words  # noqa: E402\n",
            "from shiver.codecs import from_bytes  # noqa: E402\nfrom shiver.frames import MARK, START  # noqa: E402\n",
        ),
        ("read_words(frame[START - 2 : START])", "from_bytes(frame[START - 2 : START], 2)"),
        ("read_words(frame[START:-1], 24)", "from_bytes(frame[START:-1], 3)"),
    ],
}

TESTS = '''"""By docs/delta.md, for the present link of docs/radio.md."""

import unittest

from shiver.delta import expand, squeeze

STEP = {step}
EVERY = {every}


class Squeeze(unittest.TestCase):
    def test_largest_step_up(self):
        self.assertEqual(squeeze([7, 7 + STEP, 8 + 2 * STEP]), [("full", 7), ("step", STEP), ("full", 8 + 2 * STEP)])

    def test_largest_step_down(self):
        self.assertEqual(squeeze([7, 7 - STEP, 6 - 2 * STEP]), [("full", 7), ("step", -STEP), ("full", 6 - 2 * STEP)])

    def test_full_after_a_gap(self):
        self.assertEqual(squeeze([5, None, 6, 6]), [("full", 5), ("gap", 1), ("full", 6), ("step", 0)])

    def test_gaps_are_one_record(self):
        self.assertEqual(squeeze([None, None, 1, None, None, None]), [("gap", 2), ("full", 1), ("gap", 3)])

    def test_nothing(self):
        self.assertEqual(squeeze([]), [])
        self.assertEqual(squeeze([None]), [("gap", 1)])

    def test_full_every_so_often(self):
        words = [word for word, _ in squeeze(range(2 * EVERY + 3))]
        self.assertEqual([n for n, word in enumerate(words) if word == "full"], [0, EVERY, 2 * EVERY])

    def test_gaps_are_not_counted(self):
        readings = [1, 2, None, None, *range(3, 2 * EVERY)]
        words = [word for word, _ in squeeze(readings) if word != "gap"]
        self.assertEqual([n for n, word in enumerate(words) if word == "full"], [0, 2, EVERY])

    def test_calls_know_nothing_of_each_other(self):
        first = squeeze(list(range(EVERY - 1)))
        self.assertEqual(squeeze(list(range(EVERY - 1))), first)

    def test_argument_is_left_alone(self):
        readings = [1, None, 3]
        squeeze(readings)
        self.assertEqual(readings, [1, None, 3])


class Expand(unittest.TestCase):
    def test_back(self):
        readings = [None, 4, 5, 500, None, None, 7, *range(100), None]
        self.assertEqual(expand(squeeze(readings)), readings)

    def test_other_records(self):
        records = [("full", 1), ("step", 1000), ("gap", 1), ("gap", 2), ("full", -3), ("step", -2000)]
        self.assertEqual(expand(records), [1, 1001, None, None, None, -3, -2003])
        self.assertEqual(len(records), 6)

    def test_refused(self):
        for records in (
            [("step", 1)],
            [("full", 1), ("gap", 1), ("step", 1)],
            [("full", 1), ("gap", 0)],
            [("gap", -1)],
            [("fall", 1)],
        ):
            with self.subTest(records), self.assertRaises(ValueError):
                expand(records)


if __name__ == "__main__":
    unittest.main()
'''


def edit(ws, name, changes):
    text = (ws / name).read_bytes().decode()
    for old, new in changes:
        if text.count(old) != 1:
            raise LookupError(f"{name} has {text.count(old)} places for {old!r}")
        text = text.replace(old, new)
    (ws / name).write_bytes(text.encode())


def repair(ws):
    for name, changes in EDITS.items():
        edit(ws, name, changes)
    path = ws / "shiver/codecs.py"
    _, _, rest = path.read_bytes().decode().partition("\ndef dump(")
    path.write_bytes((CODECS + rest).encode())


def present(ws):
    """Largest step and N of the present link, the last column."""
    rows = [re.split(r"\s*\|\s*", line) for line in (ws / "docs/radio.md").read_text("utf-8").splitlines()]
    last = {row[1]: re.search(r"\d+", row[3]) for row in rows if len(row) > 3}
    return {"step": last["largest step"][0], "every": last["full reading every"][0]}


def write_tests(ws, text):
    (ws / "tests/test_delta.py").write_bytes(text.encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    repair(workspace)
    write_tests(workspace, TESTS.format(**present(workspace)))
