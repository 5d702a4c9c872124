"""The slow channels: temperature and voltage, once an hour, in tenths."""

from shiver import words


def to_bytes(values):
    """Degrees or volts, None where there is no value."""
    return words.encode(None if value is None else value * 10 for value in values)


def from_bytes(data):
    """The same back, to the tenth."""
    return [None if tenths is None else tenths / 10 for tenths in words.decode(data)]
