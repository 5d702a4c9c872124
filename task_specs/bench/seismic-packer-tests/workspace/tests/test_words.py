import unittest

from shiver.words import pack, unpack


class Words(unittest.TestCase):
    def test_little_end_first(self):
        self.assertEqual(pack([1, -2], 2), b"\x01\x00\xfe\xff")

    def test_too_large(self):
        with self.assertRaises(OverflowError):
            pack([32768], 2)

    def test_clip(self):
        self.assertEqual(pack([40000, -40000], 2, order="big", clip=True), b"\x7f\xff\x80\x00")

    def test_rest(self):
        with self.assertRaises(ValueError):
            unpack(b"\x00\x01\x02", 2)
        self.assertEqual(unpack(b"\x01\x00\x02", 2, rest="drop"), [1])


if __name__ == "__main__":
    unittest.main()
