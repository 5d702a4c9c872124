"""The command line: python3 -m kilnshare COMMAND [QUARTER] [options]."""

import argparse
import sys
from pathlib import Path

from kilnshare import __version__, bill, tariff
from kilnshare.book import read_book


def arguments(argv):
    parser = argparse.ArgumentParser(prog="kilnshare", description="Who pays what for the shared kiln.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (
        ("firings", "each firing with its units and its cost"),
        ("shares", "each firing's cost and who bears it"),
        ("bill", "what each person pays for the quarter, as CSV"),
        ("check", "the lines of the book that cannot be read"),
    ):
        command = commands.add_parser(name, help=about)
        if name != "check":
            command.add_argument("quarter", help="such as 2026-Q2")
        command.add_argument("--book", default="data/book.txt", help="the kiln book, - for standard input")
        command.add_argument("--tariff", default="data/tariff.ini")
        command.add_argument("--members", default="data/members.csv")
    return parser.parse_args(argv)


def text_of(name):
    raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return raw.decode("utf-8-sig")


def main(argv=None):
    options = arguments(argv)
    firings, unreadable = read_book(text_of(options.book))
    complaints = [f"line {number}: cannot read {line!r}" for number, line in unreadable]
    if options.command == "check":
        print("\n".join(complaints) if complaints else f"{len(firings)} firings, all readable")
        return 1 if complaints else 0
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    chosen = bill.of_quarter(firings, options.quarter)
    prices = tariff.load(options.tariff)
    if options.command == "firings":
        lines = bill.firing_lines(chosen, prices)
    elif options.command == "shares":
        lines = bill.share_lines(chosen, prices)
    else:
        lines = bill.bill_lines(chosen, prices, bill.students(options.members))
    for line in lines:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
