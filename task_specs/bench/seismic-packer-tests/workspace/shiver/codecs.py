"""Codecs by the names that station files use."""

from functools import partial

from shiver import words

CODECS = {f"s{bits}": (partial(words.encode, bits=bits), partial(words.decode, bits=bits)) for bits in (16, 24, 32)}


def dump(values, name="s24"):
    """Values as a line of hexadecimal digits."""
    to_bytes, _ = CODECS[name]
    return to_bytes(values).hex()


def load(line, name="s24"):
    """Values of a line of hexadecimal digits."""
    _, from_bytes = CODECS[name]
    return from_bytes(bytes.fromhex(line))
