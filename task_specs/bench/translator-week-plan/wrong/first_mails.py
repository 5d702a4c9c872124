"""Reads the first mail about each job, not what the clients wrote afterwards."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)
read_all = solve.mails


def mails(ws, box):
    """The mails without those that come second about a job."""
    seen, kept = set(), []
    for mail in read_all(ws, box):
        about = mail["subject"].split("]")[0]
        if box == "sent" or "[" not in about or about not in seen:
            kept.append(mail)
        seen.add(about)
    return kept


solve.mails = mails
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
