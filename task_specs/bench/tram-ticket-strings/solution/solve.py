"""The oracle: brings the English strings up to the German by the translation guide, answers the comments, writes the store text."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

STRINGS = Path("app/i18n")
HOLE = re.compile(r"\{\w+\}")
STORE = (
    "Did your tram leave without you? The app now shows which connection you have missed, and names the next one "
    "straight away. If you depend on lifts, you find out before you set off where one is out of order. A day pass "
    "takes a single tap, and the hop ticket has moved up front from the third submenu. Two of these ideas came from "
    "passengers. Keep writing to us!"
)


def table(path, encoding="utf-8", separator=","):
    return list(csv.DictReader(path.read_text(encoding).splitlines(), delimiter=separator))


def tree(path):
    return json.loads(path.read_text("utf-8"))


def flat(node, prefix=""):
    """Text by dotted key, without `_meta`."""
    found = {}
    for name, value in node.items():
        if name == "_meta":
            continue
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return found


def mails(ws):
    """Address of the sender and text of each mail."""
    for path in sorted((ws / "mail").glob("*.eml")):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        yield message["From"].addresses[0].addr_spec, " ".join(message.get_content().split())


def release_day(ws):
    """The day in the plan, moved as Henrik wrote."""
    planned = re.search(r"\| 5\.2 \|.*\| (\d+) June 2027 \|", (ws / "notes/release-plan.md").read_text("utf-8"))[1]
    day = dt.date(2027, 6, int(planned))
    return moved(day) if any("second Monday after it" in text for _, text in mails(ws)) else day


def moved(day):
    """The second Monday after a day."""
    return day + dt.timedelta(days=14 - day.weekday())


def glossary(ws):
    """By German term: German plural, English, its plural, short forms, and what was said before."""
    terms = {row["German"]: row for row in table(ws / "glossary/terms.csv", "cp1252", ";")}
    for german, english, plural in new_names(ws, release_day(ws)):
        row = terms[german]
        row["before"], row["before plural"] = row["English"], row["English plural"]
        row["English"], row["English plural"] = english, plural
    return terms


def new_names(ws, day):
    """What the tariff association has renamed by that day."""
    pattern = r'From (\d+ \w+ \d{4}) the (\w+) is called "([\w ]+)" \(plural "([\w ]+)"\)'
    for sender, text in mails(ws):
        if sender.startswith("tarif@"):
            for start, german, english, plural in re.findall(pattern, text):
                if dt.datetime.strptime(start, "%d %B %Y").date() <= day:
                    yield german, english, plural


def memory(ws):
    """By German with numbered placeholders: the English of the approved segment that was changed last."""
    units = sorted(ET.parse(ws / "memory/quello.tmx").iter("tu"), key=lambda unit: unit.get("changedate"))
    found = {}
    for unit in units:
        if usable(unit):
            german, english = (numbered_segment(segment) for segment in unit.iter("seg"))
            found[german] = english
    return found


def usable(unit):
    return unit.find("prop").text == "approved"


def numbered_segment(segment):
    return (segment.text or "") + "".join(f"<{hole.get('x')}>{hole.tail or ''}" for hole in segment)


def translated(german, segments):
    holes = HOLE.findall(german)
    for number, hole in enumerate(holes, 1):
        german = german.replace(hole, f"<{number}>", 1)
    return re.sub(r"<(\d)>", lambda match: holes[int(match[1]) - 1], segments[german])


def legal_text(ws):
    return next(re.search(r"exactly this: (.*?\.) ", text)[1] for who, text in mails(ws) if who.startswith("legal@"))


def has_term(german, row):
    return re.search(rf"\b({row['German']}|{row['German plural']})\b", german) is not None


def exchanged(text, old, new):
    """`old` for `new` as a whole word, with a large first letter where `old` had one."""
    text = re.sub(rf"\b{old}\b", new, text)
    return re.sub(rf"\b{old[0].upper() + old[1:]}\b", new[0].upper() + new[1:], text)


def with_forms(text, german, terms, old, new):
    for row in terms.values():
        if has_term(german, row) and row[old] and row[new]:
            text = exchanged(text, row[f"{old} plural"], row[f"{new} plural"])
            text = exchanged(text, row[old], row[new])
    return text


def with_short(text, german, terms):
    for row in terms.values():
        if has_term(german, row) and row["short"]:
            text = exchanged(text, row["English plural"], row["short plural"])
            text = exchanged(text, row["English"], row["short"])
    return text


def rooms(ws, keys):
    """Characters by dotted key; a key of the sheet stands for `one` and `other` too."""
    stated = {row["key"]: int(row["characters"]) for row in table(ws / "app/layout/room.csv", separator=";")}
    found = {key: stated.get(key) or stated.get(key.rpartition(".")[0]) for key in keys}
    return {key: room for key, room in found.items() if room}


def longest_values(ws):
    return {f"{{{row['placeholder']}}}": row["longest"] for row in table(ws / "app/layout/longest-values.csv")}


def length(text, longest):
    return len(HOLE.sub(lambda match: longest[match[0]], text))


def open_comments(ws):
    """Proposals to be worked through, in the order of the export, and the ids that the reviewer has agreed to."""
    rows = table(max((ws / "review").glob("comments-en-*.csv")), "utf-8-sig")
    back = any("signing out" in text for who, text in mails(ws) if who.startswith("morwenna@"))
    rows = [row for row in rows if row["state"] == "open" and not (back and row["proposal"] == "Sign out")]
    agreed = {row["answers"] for row in rows if reviewer(row) and row["remark"].startswith("Agreed")}
    return [row for row in rows if not row["answers"]], agreed


def reviewer(row):
    return row["author"] == "Morwenna Pike"


class Work:
    """Everything the guide refers to, and the strings as they become."""

    def __init__(self, ws):
        self.ws = ws
        self.german = flat(tree(ws / STRINGS / "de.json"))
        self.english = flat(tree(ws / STRINGS / "en.json"))
        version = tree(ws / STRINGS / "en.json")["_meta"]["from_german"]
        self.before = flat(tree(ws / STRINGS / f"archive/de-{version}.json"))
        self.terms, self.longest = glossary(ws), longest_values(ws)
        self.rooms = rooms(ws, self.german)
        self.anew = {key for key, text in self.german.items() if self.before.get(key) != text}

    def strings(self):
        segments = memory(self.ws)
        made = {key: self.fresh(key, segments) if key in self.anew else self.english[key] for key in self.german}
        made = {key: self.in_terms(key, text) for key, text in made.items()}
        made |= {row["key"]: row["proposal"] for row, outcome in self.answers() if outcome == "taken"}
        return {key: self.fitted(key, text) for key, text in made.items()}

    def fresh(self, key, segments):
        return legal_text(self.ws) if key.startswith("legal.") else translated(self.german[key], segments)

    def in_terms(self, key, text):
        if key.startswith("legal."):
            return text
        return with_forms(text, self.german[key], self.terms, "before", "English")

    def too_long(self, key, text):
        return key in self.rooms and length(text, self.longest) > self.rooms[key]

    def fitted(self, key, text):
        return with_short(text, self.german[key], self.terms) if self.too_long(key, text) else text

    def answers(self):
        """Comment and outcome, the later comments first, as they can overtake the earlier."""
        rows, agreed = open_comments(self.ws)
        done, taken = [], set()
        for row in reversed(rows):
            outcome = self.outcome(row, agreed, taken)
            if outcome == "taken":
                taken.add(row["key"])
            done.insert(0, (row, outcome))
        return done

    def outcome(self, row, agreed, taken):
        key = row["key"]
        if key not in self.german or key in self.anew or key in taken:
            return "overtaken"
        return "taken" if self.acceptable(row, agreed) else "declined"

    def acceptable(self, row, agreed):
        key, proposal = row["key"], row["proposal"]
        german = self.german[key]
        return (
            (reviewer(row) or row["id"] in agreed)
            and not key.startswith("legal.")
            and set(HOLE.findall(german)) <= set(HOLE.findall(proposal))
            and with_forms(proposal, german, self.terms, "before", "English") == proposal
            and not self.too_long(key, proposal)
        )


def nested(strings, german):
    """The strings in the shape of the German file."""
    found = {}
    for key in flat(german):
        *path, last = key.split(".")
        here = found
        for step in path:
            here = here.setdefault(step, {})
        here[last] = strings[key]
    return found


def derive(ws):
    work = Work(ws)
    german, english = tree(ws / STRINGS / "de.json"), tree(ws / STRINGS / "en.json")
    meta = english["_meta"] | {"from_german": german["_meta"]["version"]}
    return {
        "strings": {"_meta": meta} | nested(work.strings(), german),
        "answers": [(row["id"], outcome) for row, outcome in work.answers()],
        "day": release_day(ws),
    }


def write(ws, answer, store=STORE):
    text = json.dumps(answer["strings"], ensure_ascii=False, indent=2) + "\n"
    (ws / STRINGS / "en.json").write_text(text, "utf-8")
    lines = ["comment,outcome", *(f"{comment},{outcome}" for comment, outcome in answer["answers"])]
    (ws / "review/answers-en-5.2.csv").write_text("\n".join(lines) + "\n", "utf-8")
    day = answer["day"]
    (ws / "store/new-in-5.2-en.md").write_text(f"{store}\n\n- From: {day.day} {day:%B} {day.year}\n", "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
