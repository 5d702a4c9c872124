"""Command line, for the field.

python3 -m shiver encode 24 < numbers      one number or `-` a line, out comes hexadecimal
python3 -m shiver decode 24 < hexadecimal  the other way round
"""

import sys

from shiver import words


def numbers(text):
    """What stands in the lines; `-` is no reading."""
    return [None if line == "-" else float(line) for line in text.split()]


def shown(values):
    """The lines for some values."""
    return "".join("-\n" if value is None else f"{value}\n" for value in values)


def main():
    """Do what the first word says."""
    job, bits = sys.argv[1], int(sys.argv[2])
    given = numbers(sys.stdin.read()) if job == "encode" else bytes.fromhex(sys.stdin.read())
    result = getattr(words, job)(given, bits)
    print(result.hex() if job == "encode" else shown(result), end="\n" if job == "encode" else "")


if __name__ == "__main__":
    main()
