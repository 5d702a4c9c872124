import unittest

from kilnshare.shares import split


class Shares(unittest.TestCase):
    def test_even(self):
        self.assertEqual(split(100, (("MB", 1), ("TK", 3))), {"MB": 25, "TK": 75})

    def test_pennies_left_over_fall_on_the_last(self):
        self.assertEqual(split(100, (("MB", 1), ("TK", 1), ("JO", 1))), {"MB": 33, "TK": 33, "JO": 34})
