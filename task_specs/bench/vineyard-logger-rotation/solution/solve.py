"""The oracle: puts the script in place and writes down what it would do with our box today."""

import subprocess
import sys
from pathlib import Path

SCRIPT, PLAN, TODAY = "rotate", "plan.tsv", "2026-10-20"


def script(changes=()):
    """The text of the script, with some passages replaced."""
    text = (Path(__file__).parent / SCRIPT).read_text("utf-8")
    for old, new in changes:
        if text.count(old) != 1:
            raise LookupError(f"{text.count(old)} places for {old!r}")
        text = text.replace(old, new)
    return text


def deliver(ws, text):
    (ws / SCRIPT).write_bytes(text.encode())
    (ws / SCRIPT).chmod(0o755)
    command = [sys.executable, "-B", ws / SCRIPT, "-n", ws / "box", TODAY]
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    (ws / PLAN).write_bytes(b"action\tfile\ttarget\n" + printed)


if __name__ == "__main__":
    deliver(Path(sys.argv[1] if len(sys.argv) > 1 else "."), script())
