"""Which frames of a receiver's log should be asked for again: `python3 tools/resend.py MISSING < log`.

A line of the log is a time, a blank and a frame in hexadecimal digits. Printed are the time and the number of readings
that are missing, for frames in which more than MISSING are.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from shiver.frames import MARK, START  # noqa: E402
from shiver.words import decode as read_words  # noqa: E402


def missing(frame):
    """How many readings of a frame are not there."""
    (wanted,) = read_words(frame[START - 2 : START])
    there = [reading for reading in read_words(frame[START:-1], 24) if reading is not None]
    return wanted - len(there)


def main():
    """Go through the log."""
    allowed = int(sys.argv[1])
    for line in sys.stdin:
        time, _, digits = line.strip().partition(" ")
        frame = bytes.fromhex(digits)
        if frame[:2] == MARK and missing(frame) > allowed:
            print(time, missing(frame))


if __name__ == "__main__":
    main()
