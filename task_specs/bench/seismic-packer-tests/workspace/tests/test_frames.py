import unittest

from shiver import frames


class Frames(unittest.TestCase):
    def test_there_and_back(self):
        frame = frames.build(17, 2, 1_780_000_000, [5, -5, 70_000])
        self.assertEqual(frames.parse(frame)["readings"], [5, -5, 70_000])

    def test_check_byte(self):
        self.assertEqual(sum(frames.build(17, 2, 0, [1])) % 256, 0)

    def test_no_frame(self):
        with self.assertRaises(ValueError):
            frames.parse(b"XX0123456789")


if __name__ == "__main__":
    unittest.main()
