import unittest
from datetime import date, datetime

from kilnshare.bill import of_quarter
from kilnshare.book import Firing
from kilnshare.meter import used
from kilnshare.tariff import in_force


class Money(unittest.TestCase):
    def test_used(self):
        self.assertEqual(used(72084, 72610), 526)

    def test_used_past_the_last_reading(self):
        self.assertEqual(used(999990, 12), 22)

    def test_prices(self):
        prices = {"2025-01-01": "old", "2025-10-01": "new"}
        self.assertEqual(in_force(prices, date(2025, 9, 30)), "old")
        self.assertEqual(in_force(prices, date(2025, 10, 1)), "new")

    def test_quarter_is_that_of_the_beginning(self):
        eve = Firing(datetime(2025, 3, 31, 22, 0), datetime(2025, 4, 1, 6, 0), "glaze", 0, 500, (("MB", 1),))
        self.assertEqual(of_quarter([eve], "2025-Q1"), [eve])
