"""Takes every yes for an agreement: with a condition, or noted by the one who asked."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def every_mail(ws):
    crew = {row["mail"]: code for code, row in solve.read_crew(ws).items()}
    for sender, at, text in solve.read_mails(ws):
        number = solve.re.search(r"\b2\d{3}\b", text)
        if number and "withdraw" in text and sender in crew:
            yield int(number[0]), crew[sender], at, "withdraw"
        elif number and solve.re.search(r"\bagreed?\b|gladly", text):
            number = int(number[0])
            yield number, solve.read_requests(ws)[number].partner, at, "agree"


solve.mail_words = every_mail
solve.watch_counts = lambda watch, request: True
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
