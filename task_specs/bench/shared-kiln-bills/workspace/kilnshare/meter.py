"""The sub-meter in the kiln room. It has five digits and a tenth; everything here is in tenths of a kWh."""

import re


def reading(text):
    """A reading in tenths: 7208.4, 07208.4, 7 208,4 and 7,208.4 are all 72084."""
    digits = re.sub(r"[ .,]", "", text)
    if not digits.isdecimal():
        raise ValueError(f"meter {text!r}")
    return int(digits)


def used(before, after):
    """What was used between two readings, in tenths."""
    return max(0, after - before)
