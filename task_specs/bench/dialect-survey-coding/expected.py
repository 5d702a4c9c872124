"""The second derivation: numbers become words by the list each coder had before her, and words are counted exactly."""

import csv
import io
import json
from collections import defaultdict
from fractions import Fraction

PAIRS = (("oskar", "ruta"), ("oskar", "wenna"), ("ruta", "wenna"))
AGE_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def text_of(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec).replace("\r\n", "\n")


def cells(workspace, name, codec="utf-8", delimiter=","):
    return list(csv.reader(io.StringIO(text_of(workspace, name, codec)), delimiter=delimiter))[1:]


def word_lists(workspace, name):
    """By question and number the word."""
    words, question = {}, None
    for line in text_of(workspace, name).split("## How to enter")[0].split("\n"):
        if line.startswith("## "):
            question = line.split()[1]
        elif line[:3].strip().isdigit():
            words[question, line[:3].strip()] = line[5:].strip()
    return words


def twins(workspace):
    """The two spellings of one word: the one given up, the one that stays."""
    note = text_of(workspace, "codebook/codebook.md").split("Revision 4, ")[1]
    stays, gone = note.split('"')[1], note.split('"')[3]
    return gone, stays


def old_days(workspace):
    """Tests whether a coder's day belongs to the old list."""
    log = text_of(workspace, "codebook/codebook.md").split("Entries dated before ")[1].split()
    change = f"2026-03-{int(log[0]):02d}"
    (mail,) = [p for p in (workspace / "mail").iterdir() if "wenna" in p.name]
    body = mail.read_text("utf-8").split("\n\n")[1].split()
    late = {f"2026-03-{int(before):02d}" for before, word in zip(body, body[1:]) if word.strip(".,") == "March"}
    return lambda coder, day: day < change or (coder == "wenna" and day in late)


def entries(workspace):
    """(coder, response, day, number as text; empty for none)."""
    found = []
    for response, code, day, _ in cells(workspace, "sheets/oskar.csv", "cp1252", ";"):
        found.append(("oskar", response, "-".join(reversed(day.split("."))), code.strip("-")))
    for response, code, day, _ in cells(workspace, "sheets/wenna.csv"):
        found.append(("wenna", response, day, code))
    for item in json.loads(text_of(workspace, "sheets/ruta.json"))["items"]:
        for entry in item["entries"]:
            found.append(("ruta", item["id"], entry["on"], "" if entry["value"] is None else str(entry["value"])))
    return found


def words_given(workspace, question):
    """By response and coder the word that the coder's latest number stood for."""
    new = word_lists(workspace, "codebook/codebook.md")
    old = word_lists(workspace, "codebook/printout-revision-2.md")
    (gone, stays), by_old_list = twins(workspace), old_days(workspace)
    given, latest = defaultdict(dict), {}
    for coder, response, day, number in entries(workspace):
        if latest.get((coder, response), "") > day:
            continue
        latest[coder, response] = day
        name = question[response]
        lists = old if by_old_list(coder, day) or (name, number) not in new else new
        word = lists[name, number] if number else None
        given[response][coder] = stays if word == gone else word
    return given, {(name, word): int(number) for (name, number), word in new.items()}


def speakers_out(workspace):
    paper = text_of(workspace, "paper/section-3-accepted.md").split("were aged ")[1]
    limit = AGE_WORDS.index(paper.split()[0])
    out = {speaker for speaker, _, _, age, _ in cells(workspace, "fieldwork/speakers.csv") if int(age) >= limit}
    state = {}
    for line in text_of(workspace, "fieldwork/consent-log.txt").split("\n"):
        if line[12:14] == "S-" and line[16:17] == ":":
            state[line[12:16]] = "withdraws" in line
    return out | {speaker for speaker, gone in state.items() if gone}


def decisions(workspace, given, number_of, question):
    said = {}
    for line in text_of(workspace, "panel/minutes-2026-04-22.txt").split("\n"):
        response, _, verdict = line.partition(": ")
        if response.startswith("R-") and verdict[0].isdigit():
            said[response] = int(verdict[0])
        elif response.startswith("R-") and "Ruta" in verdict:
            said[response] = number_of[question[response], given[response]["ruta"]]
    later = text_of(workspace, "mail/2026-05-08-henrike-tapes.eml")
    said[later.split("copy of ")[1][:5]] = int(later.split("settled on ")[1][0])
    return said


def verdict(votes, said, number_of):
    """Code and basis from the words that the coders gave."""
    for word in votes:
        if votes.count(word) > 1:
            return {"code": number_of(word), "basis": "all" if votes.count(word) == 3 else "two"}
    return {"code": 0, "basis": "open"} if said is None else {"code": said, "basis": "panel"}


def kappa_of(both):
    agreed = sum(one == other for one, other in both)
    chance = Fraction(sum(a == b for a, _ in both for _, b in both), len(both) ** 2)
    return (Fraction(agreed, len(both)) - chance) / (1 - chance), agreed


def rounded(kappa):
    return round(float(kappa), 3)


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    listed = cells(workspace, "fieldwork/responses.csv")
    question = {response: name for response, _, name, _, _ in listed}
    out = speakers_out(workspace)
    counting = [response for response, speaker, *_ in listed if speaker not in out]
    given, number_of = words_given(workspace, question)
    said = decisions(workspace, given, number_of, question)
    rows, pairs, questions = {}, {}, {}
    for r in counting:
        votes = [word for word in given[r].values() if word is not None]
        rows[r] = verdict(votes, said.get(r), lambda word, r=r: number_of[question[r], word])
    for name in sorted(set(question.values())):
        own, exact = [r for r in counting if question[r] == name], []
        for one, other in PAIRS:
            both = [(given[r][one], given[r][other]) for r in own if given[r][one] and given[r][other]]
            kappa, agreed = kappa_of(both)
            exact.append(kappa)
            pairs[f"{name}|{one}-{other}"] = {"shared": len(both), "agreed": agreed, "kappa": rounded(kappa)}
        bases = [rows[r]["basis"] for r in own]
        counts = {basis: bases.count(basis) for basis in ("all", "two", "panel", "open")}
        questions[name] = {"responses": len(own), **counts, "kappa": rounded(sum(exact) / 3)}
    return {
        "responses": sorted(rows),
        "rows": rows,
        "pairs": pairs,
        "questions": questions,
        "counts": {
            "speakers": len(cells(workspace, "fieldwork/speakers.csv")) - len(out),
            "left_out": len(listed) - len(counting),
        },
    }
