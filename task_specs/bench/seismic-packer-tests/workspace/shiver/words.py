"""Whole numbers in bytes, two's complement."""

import warnings


def pack(values, size, *, order="little", clip=False):
    """Whole numbers, each in `size` bytes; one that is too large is an OverflowError, or brought into range by `clip`."""
    top = 1 << (8 * size - 1)
    out = bytearray()
    for value in values:
        if not isinstance(value, int):
            raise TypeError(f"{value!r} is no whole number")
        if clip:
            value = max(-top, min(top - 1, value))
        out += value.to_bytes(size, order, signed=True)
    return bytes(out)


def unpack(data, size, *, order="little", rest="refuse"):
    """The numbers in `data`; bytes left over at the end are a ValueError, or passed over by `rest="drop"`."""
    left = len(data) % size
    if left and rest != "drop":
        raise ValueError(f"{left} bytes left over")
    return [int.from_bytes(data[n : n + size], order, signed=True) for n in range(0, len(data) - left, size)]


def encode(values, bits=16):
    """Deprecated: goes with 3.0, see docs/words-3.md."""
    warnings.warn("words.encode goes with 3.0", DeprecationWarning, stacklevel=2)
    top = 2 ** (bits - 1)
    out = b""
    for value in values:
        if value is None:
            number = -top
        else:
            number = int(value + 0.5) if value >= 0 else -int(0.5 - value)
            number = min(max(number, 1 - top), top - 1)
        out += number.to_bytes(bits // 8, "big", signed=True)
    return out


def decode(data, bits=16):
    """Deprecated: goes with 3.0, see docs/words-3.md."""
    warnings.warn("words.decode goes with 3.0", DeprecationWarning, stacklevel=2)
    size, top = bits // 8, 2 ** (bits - 1)
    found = []
    while len(data) >= size:
        number = int.from_bytes(data[:size], "big", signed=True)
        found.append(None if number == -top else number)
        data = data[size:]
    return found
