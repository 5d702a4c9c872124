"""Moves everything, and tests delta.py only there and back, and on one example of each record."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

TESTS = """import unittest

from shiver.delta import expand, squeeze


class Delta(unittest.TestCase):
    def test_example(self):
        self.assertEqual(squeeze([10, 12, 500, None, 7]), [("full", 10), ("step", 2), ("full", 500), ("gap", 1), ("full", 7)])

    def test_there_and_back(self):
        for readings in ([], [1], [1, 2, 3], [5, None, None, 9], list(range(100))):
            self.assertEqual(expand(squeeze(readings)), readings)

    def test_step_first(self):
        with self.assertRaises(ValueError):
            expand([("step", 1)])
"""

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.repair(ws)
    solve.write_tests(ws, TESTS)
