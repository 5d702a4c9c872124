"""A third hand: each file gets its own few lines, by struct and slices; tests are functions in a table, with CRLF."""

import runpy
import sys
from pathlib import Path

OLD = '''

def _old(values, size):
    """Numbers in the old form, through the new function."""
    edge = 2 ** (8 * size - 1) - 1
    whole = [None if v is None else int(abs(v) + 0.5) * (-1 if v < 0 else 1) for v in values]
    kept = [-edge - 1 if n is None else edge if n > edge else -edge if n < -edge else n for n in whole]
    return words.pack(kept, size, order="big", clip=True)


def _back(data, size):
    found = words.unpack(bytes(data), size, order="big", rest="drop")
    return [number if number >= 1 - 2 ** (8 * size - 1) else None for number in found]
'''
HELP = "from shiver import words\n" + OLD
EDITS = {
    "shiver/frames.py": [
        ("from shiver.words import decode as dec\nfrom shiver.words import encode as enc\n", HELP),
        ("enc([station, channel]) + enc([second], 32)", "_old([station, channel], 2) + _old([second], 4)"),
        ("enc([len(readings)], 16) + enc(readings, bits=24)", "_old([len(readings)], 2) + _old(readings, 3)"),
        ("dec(frame[2:6])", "_back(frame[2:6], 2)"),
        ("dec(frame[6:10], 32)", "_back(frame[6:10], 4)"),
        ("dec(frame[10:START], 16)", "_back(frame[10:START], 2)"),
        ("len(dec(frame[START:-1], 24))", "(len(frame) - START - 1) // 3"),
        ("dec(frame[START:-1], 24)[:count]", "_back(frame[START:-1], 3)[:count]"),
    ],
    "shiver/slow.py": [
        ("from shiver import words\n", "from shiver.frames import _back, _old\n"),
        (
            "words.encode(None if value is None else value * 10 for value in values)",
            "_old((None if value is None else value * 10 for value in values), 2)",
        ),
        ("words.decode(data)]", "_back(data, 2)]"),
    ],
    "shiver/codecs.py": [
        ("from shiver import words\n", "from shiver.frames import _back, _old\n"),
        (
            "partial(words.encode, bits=bits), partial(words.decode, bits=bits)",
            "partial(_old, size=bits // 8), partial(_back, size=bits // 8)",
        ),
    ],
    "shiver/__main__.py": [
        ("from shiver import words\n", "from shiver import frames\n"),
        (
            "    result = getattr(words, job)(given, bits)\n",
            '    result = getattr(frames, "_old" if job == "encode" else "_back")(given, bits // 8)\n',
        ),
    ],
    "tools/resend.py": [
        ("from shiver.words import decode as read_words  # noqa: E402\n", "import struct  # noqa: E402\n"),
        (
            "    (wanted,) = read_words(frame[START - 2 : START])\n",
            '    (wanted,) = struct.unpack(">h", frame[START - 2 : START])\n',
        ),
        (
            "    there = [reading for reading in read_words(frame[START:-1], 24) if reading is not None]\n",
            '    body = frame[START:-1]\n    there = [n for n in range(0, len(body) - 2, 3) if body[n : n + 3] != b"\\x80\\x00\\x00"]\n',
        ),
    ],
}
TESTS = """import unittest
import shiver.delta as d

L, N = {step}, {every}
R = list(range(10, 10 + N + 2))
GOOD = [
    ([], []),
    ([4], [("full", 4)]),
    ([4, 4 + L], [("full", 4), ("step", L)]),
    ([4, 4 - L], [("full", 4), ("step", -L)]),
    ([4, 5 + L], [("full", 4), ("full", 5 + L)]),
    ([4, 3 - L], [("full", 4), ("full", 3 - L)]),
    ([None, 4, None, None, 4, None], [("gap", 1), ("full", 4), ("gap", 2), ("full", 4), ("gap", 1)]),
    (R, [("full", 10)] + [("step", 1)] * (N - 1) + [("full", 10 + N), ("step", 1)]),
    (R[:3] + [None] + R[3:], [("full", 10)] + [("step", 1)] * 2 + [("gap", 1), ("full", 13)] + [("step", 1)] * (N - 4)
        + [("full", 10 + N), ("step", 1)]),
]
BAD = [[("step", 0)], [("gap", 1), ("step", 1)], [("full", 1), ("gap", 1), ("step", 1)], [("gap", 0)], [("", 1)]]


def check(readings, records):
    def test():
        for _ in "twice":
            assert d.squeeze(readings) == records, readings
        assert d.expand(records) == readings, records
    return test


def refused(records):
    def test():
        try:
            d.expand(records)
        except ValueError:
            return
        raise AssertionError(records)
    return test


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for pair in GOOD:
        suite.addTest(unittest.FunctionTestCase(check(*pair)))
    for records in BAD:
        suite.addTest(unittest.FunctionTestCase(refused(records)))
    return suite
"""

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
oracle = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
for name, changes in EDITS.items():
    oracle["edit"](ws, name, changes)
oracle["write_tests"](ws, TESTS.format(**oracle["present"](ws)).replace("\n", "\r\n"))
