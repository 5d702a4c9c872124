import unittest
from datetime import datetime, timedelta
from fractions import Fraction

from kilnshare.clock import night_share, to_meter

WINDOW = (timedelta(minutes=30), timedelta(minutes=450))


class Clock(unittest.TestCase):
    def test_winter(self):
        self.assertEqual(to_meter(datetime(2025, 1, 5, 3, 0)), datetime(2025, 1, 5, 3, 0))

    def test_summer(self):
        self.assertEqual(to_meter(datetime(2025, 7, 5, 3, 0)), datetime(2025, 7, 5, 2, 0))

    def test_this_summer(self):
        self.assertEqual(to_meter(datetime(2026, 7, 5, 3, 0)), datetime(2026, 7, 5, 2, 0))

    def test_night(self):
        start, end = datetime(2025, 1, 4, 20, 30), datetime(2025, 1, 5, 4, 30)
        self.assertEqual(night_share(start, end, WINDOW), Fraction(1, 2))
