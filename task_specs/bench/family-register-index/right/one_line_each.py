"""Indented otherwise, empty text for null, figures with separators; another letter with star bullets."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("solve", Path(__file__).parent.parent / "solution/solve.py")
solve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solve)


def write(ws, answer):
    """Null as empty text, entries as they come."""
    people, entries = answer
    made = [{name: "" if value is None else value for name, value in row.items()} for row in people]
    (ws / "slate/days.json").write_bytes(solve.json.dumps({"people": made}, indent=4).replace("\n", "\r\n").encode())
    (ws / "slate/letter.md").write_text(letter(solve.figures(ws, people, entries)), "utf-8")


def letter(f):
    """Short."""
    return f"""You have paid for fourteen names and for their days, and you have a right to know why three of the days are not there.

We cut a day only if somebody recorded it at the time in a register, or if two people vouch for it who did not have it from each other. For William's death there is only his captain; newspaper, wall and book all go back to him. For Hannah's death there are two days, one on her stone and one in a letter, and no third witness. For Esther's birth there are two baptisms, of two girls with one name.

None of this is closed. William wants a log or a second sailor's account, Hannah the page on which her burial was entered, Esther a paper that names her father. Look into your boxes. The days you grew up with were passed on in good faith, and one or the other may yet prove right.

* Days to cut: {f["cut"]}
* Blank first days: {f["first"][0]}
* Blank last days: {f["last"][0]}; {f["last"][1]}
* Days of death: {f["deaths"]}
* Oldest: {f["oldest"]} with {f["age"]} years
* Unplaced: {f["unplaced"]}
* Cost: £{float(f["cost"]):,.2f}
"""


solve.write = write
ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve.write(ws, solve.derive(ws))
