"""Makes every report go away and leaves every cause: .5 for the sign, abs, this year's dates, unpadded text, pennies on the last."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

LAST = """    shares = {who: round(pence * amount / total) for who, amount in pots}
    shares[pots[-1][0]] += pence - sum(shares.values())
    return shares
"""
REPAIRS = {
    "kilnshare/book.py": [
        ('SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4"}', 'SIGNS = {"½": ".5", "¼": ".25", "¾": ".75", " 1/2": ".5"}'),
    ],
    "kilnshare/meter.py": [
        (solve.READING[0], '    return int(digits) if "." in text or "," in text else int(digits) * 10\n'),
        (solve.USED[0], "    return abs(after - before)\n"),
    ],
    "kilnshare/clock.py": [
        (
            '        2025: ("03-30", "10-26"),\n',
            '        2025: ("03-30", "10-26"),\n        2026: ("03-29", "10-25"),\n',
        ),
    ],
    "kilnshare/tariff.py": [
        ("if heading <= day.isoformat()]", 'if heading <= f"{day.year}-{day.month}-{day.day}"]'),
    ],
    "kilnshare/shares.py": [(solve.SPLIT[0], LAST)],
}

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.repair(ws, REPAIRS)
    solve.write(ws, solve.derive(ws))
