import unittest
from fractions import Fraction

from kilnshare.book import firing, pots, read_book


class Book(unittest.TestCase):
    def test_shelves(self):
        self.assertEqual(pots("MB 2 + tk 1/2 + JO"), (("MB", 2), ("TK", Fraction(1, 2)), ("JO", 1)))
        self.assertEqual(pots("MB ½ + TK 0,25"), (("MB", Fraction(1, 2)), ("TK", Fraction(1, 4))))

    def test_twice_on_a_line(self):
        self.assertEqual(pots("MB 2 + TK 1 + MB ½"), (("MB", Fraction(5, 2)), ("TK", 1)))

    def test_over_midnight(self):
        found = firing("2025-11-29 21:40 - 06:10 | bisque | 7208.4 - 7 261,0 | MB | door seal")
        self.assertEqual(f"{found.end:%Y-%m-%d %H:%M}", "2025-11-30 06:10")
        self.assertEqual((found.before, found.after), (72084, 72610))

    def test_unreadable(self):
        firings, unreadable = read_book("# title\n\n2025-11-29 21:40 | bisque\n")
        self.assertEqual((firings, unreadable), ([], [(3, "2025-11-29 21:40 | bisque")]))
