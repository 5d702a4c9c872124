"""Frames as they go over the radio: a header, the readings of one channel, and a check byte."""

from shiver.words import decode as dec
from shiver.words import encode as enc

MARK = b"SH"
START = 12
"""Bytes before the readings."""


def header(station, channel, second):
    """The first ten bytes of a frame."""
    return MARK + enc([station, channel]) + enc([second], 32)


def check_byte(data):
    """The byte with which all bytes of a frame add up to a multiple of 256."""
    return bytes([-sum(data) % 256])


def build(station, channel, second, readings):
    """A frame; readings are numbers, or None where the digitiser gave none."""
    frame = header(station, channel, second) + enc([len(readings)], 16) + enc(readings, bits=24)
    return frame + check_byte(frame)


def parse(frame):
    """What is in a frame. Some of our receivers append a byte or two of noise to the readings."""
    if frame[:2] != MARK:
        raise ValueError("no frame")
    station, channel = dec(frame[2:6])
    second = dec(frame[6:10], 32)[0]
    count = dec(frame[10:START], 16)[0]
    return {
        "station": station,
        "channel": channel,
        "second": second,
        "complete": count == len(dec(frame[START:-1], 24)),
        "readings": dec(frame[START:-1], 24)[:count],
    }
