"""The oracle: brings three coders' sheets to one codebook, adjudicates, measures agreement, writes the two files."""

import csv
import datetime as dt
import json
import re
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

CODERS = ("oskar", "ruta", "wenna")
RENUMBERED, MERGED = "Q07", "Q31"
AGES = {"six": 6, "seven": 7, "eight": 8}


def rows(path, encoding="utf-8", separator=","):
    return list(csv.DictReader(path.read_text(encoding).splitlines(), delimiter=separator))


def number(text):
    return int(text) if text not in (None, "", "-") else None


def read_entries(ws):
    """By coder every entry of the sheet: response, number or None, day."""
    oskar = [
        (row["Antwort"], number(row["Code"]), dt.datetime.strptime(row["Datum"], "%d.%m.%Y").date())
        for row in rows(ws / "sheets/oskar.csv", "cp1252", ";")
    ]
    wenna = [
        (row["response"], number(row["code"]), dt.date.fromisoformat(row["coded_on"]))
        for row in rows(ws / "sheets/wenna.csv")
    ]
    ruta = [
        (item["id"], entry["value"], dt.date.fromisoformat(entry["on"]))
        for item in json.loads((ws / "sheets/ruta.json").read_text("utf-8"))["items"]
        for entry in item["entries"]
    ]
    return {"oskar": oskar, "ruta": ruta, "wenna": wenna}


def holding(entries):
    """By response the entry that counts: number and day."""
    return {response: (code, day) for response, code, day in sorted(entries, key=lambda entry: entry[2])}


def read_log(ws):
    """Day of revision 3, the numbers it moved, the numbers that revision 4 gave up."""
    text = (ws / "codebook/codebook.md").read_text("utf-8")
    third, fourth = text.split("Revision 3, ")[1].split("Revision 4, ")
    day = dt.datetime.strptime(third.split(". ")[0], "%d %B %Y").date()
    first, second = re.search(r"what was (\d) is now (\d)", third).groups()
    moved = {int(first): int(second)} | {int(a): int(b) for a, b in re.findall(r"(\d) is (\d)", third)}
    lost, kept = re.search(r"(\d) is given up.* it reads (\d)", fourth).groups()
    return day, moved, {int(lost): int(kept)}


def slip_days(ws):
    """The days after the change on which Wenna still went by the old list."""
    (path,) = (ws / "mail").glob("*wenna-printout.eml")
    days = re.findall(r"(\d+) March", path.read_text("utf-8"))
    return {dt.date(2026, 3, int(day)) for day in days}


def translate(question, code, day, log, also_old):
    change, moved, given_up = log
    if question == RENUMBERED and (day < change or day in also_old):
        return moved.get(code, code)
    return given_up.get(code, code) if question == MERGED else code


def final_numbers(ws, question):
    """By coder the numbers of the last revision, by response; None where there is no number."""
    log, late = read_log(ws), slip_days(ws)
    return {
        coder: {
            response: translate(question[response], code, day, log, late if coder == "wenna" else ())
            for response, (code, day) in holding(entries).items()
        }
        for coder, entries in read_entries(ws).items()
    }


def too_late(ws):
    section = (ws / "paper/section-3-accepted.md").read_text("utf-8")
    age = AGES[re.search(r"were aged (\w+) or older", section)[1]]
    people = rows(ws / "fieldwork/speakers.csv")
    return {row["speaker"] for row in people if int(row["age_on_coming_to_the_valley"]) >= age}


def withdrawn(ws):
    last = {}
    for line in (ws / "fieldwork/consent-log.txt").read_text("utf-8").splitlines():
        found = re.match(r"\d\d/\d\d/\d{4}  (S-\d\d): (.*)", line)
        if found:
            last[found[1]] = found[2]
    return {speaker for speaker, text in last.items() if text.startswith("withdraws")}


def panel_says(ws, numbers):
    """The panel's decision by response, also where it was not asked for one."""
    minutes = (ws / "panel/minutes-2026-04-22.txt").read_text("utf-8")
    said = {response: int(code) for response, code in re.findall(r"^(R-\d+): (\d)", minutes, re.M)}
    said |= {r: numbers["ruta"][r] for r in re.findall(r"^(R-\d+): as Ruta had it", minutes, re.M)}
    return said | sent_round(ws)


def sent_round(ws):
    text = (ws / "mail/2026-05-08-henrike-tapes.eml").read_text("utf-8")
    return {re.search(r"copy of (R-\d+)", text)[1]: int(re.search(r"settled on (\d)", text)[1])}


def adjudicate(codes, decision):
    """Final code and its basis."""
    given = Counter(code for code in codes if code is not None)
    code, times = given.most_common(1)[0]
    if times > 1:
        return code, "all" if times == 3 else "two"
    return (0, "open") if decision is None else (decision, "panel")


def cohen(pairs):
    """Cohen's kappa of the pairs of codes, and how many agree."""
    total, agreed = len(pairs), sum(a == b for a, b in pairs)
    one, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(one[code] * other[code] for code in one) / total**2
    return (agreed / total - chance) / (1 - chance), agreed


def agreement(kept, question, numbers):
    """One row for each question and two coders, kappa unrounded."""
    found = []
    for name in sorted(set(question.values())):
        for one, other in combinations(CODERS, 2):
            both = [(numbers[one][r], numbers[other][r]) for r in kept if question[r] == name]
            both = [pair for pair in both if None not in pair]
            kappa, agreed = cohen(both)
            found.append(
                {"question": name, "pair": f"{one}-{other}", "shared": len(both), "agreed": agreed, "kappa": kappa}
            )
    return found


def summary(name, final, question, pairs):
    bases = Counter(basis for response, (_, basis) in final.items() if question[response] == name)
    kappas = [row["kappa"] for row in pairs if row["question"] == name]
    counts = {basis: bases[basis] for basis in ("all", "two", "panel", "open")}
    return {"question": name, "responses": sum(bases.values()), **counts, "kappa": round(sum(kappas) / 3, 3)}


def derive(ws):
    listed = rows(ws / "fieldwork/responses.csv")
    question = {row["response"]: row["question"] for row in listed}
    out = too_late(ws) | withdrawn(ws)
    kept = [row["response"] for row in listed if row["speaker"] not in out]
    numbers = final_numbers(ws, question)
    said = panel_says(ws, numbers)
    final = {r: adjudicate([numbers[coder][r] for coder in CODERS], said.get(r)) for r in kept}
    pairs = agreement(kept, question, numbers)
    return {
        "final": final,
        "agreement": {
            "speakers": len({row["speaker"] for row in rows(ws / "fieldwork/speakers.csv")} - out),
            "left_out": len(listed) - len(kept),
            "questions": [summary(name, final, question, pairs) for name in sorted(set(question.values()))],
            "pairs": [row | {"kappa": round(row["kappa"], 3)} for row in pairs],
        },
    }


def write(ws, answer):
    folder = ws / "table-2"
    folder.mkdir(exist_ok=True)
    lines = [f"{response},{code},{basis}\n" for response, (code, basis) in sorted(answer["final"].items())]
    (folder / "adjudicated.csv").write_bytes("".join(["response,code,basis\n", *lines]).encode())
    (folder / "agreement.json").write_text(json.dumps(answer["agreement"], indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
