import unittest

from shiver import slow


class Slow(unittest.TestCase):
    def test_tenths(self):
        self.assertEqual(slow.to_bytes([1.0]), b"\x00\x0a")
        self.assertEqual(slow.from_bytes(b"\x00\x0a"), [1.0])


if __name__ == "__main__":
    unittest.main()
