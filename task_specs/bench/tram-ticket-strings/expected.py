"""The second derivation, from the pristine workspace: by text patterns, term pairs and one pass over the keys."""

import json
import quopri
import re
from datetime import date, timedelta

REVIEWER = "Morwenna Pike"


def leaves(node, path=()):
    if not isinstance(node, dict):
        yield ".".join(path), node
        return
    for name, child in node.items():
        yield from leaves(child, (*path, name))


def strings(workspace, name):
    return dict(leaves(json.loads((workspace / "app/i18n" / name).read_bytes())))


def letter(workspace, name):
    _, _, body = (workspace / "mail" / name).read_bytes().partition(b"\n\n")
    return quopri.decodestring(body).decode()


def sheet(workspace, name, codec, mark):
    header, *rows = (line.split(mark) for line in (workspace / name).read_bytes().decode(codec).splitlines())
    return [dict(zip(header, row)) for row in rows]


def goes_out(workspace):
    """As planned, then on to the next Monday but one."""
    plan = (workspace / "notes/release-plan.md").read_text("utf-8")
    row = next(line for line in plan.splitlines() if line.startswith("| 5.2"))
    day = date(2027, 6, int(row.split("|")[4].split()[0]))
    assert "second Monday after it" in letter(workspace, "0507-henrik.eml")
    mondays = [day + timedelta(days=n) for n in range(1, 15) if (day + timedelta(days=n)).weekday() == 0]
    return mondays[1]


def pairs(workspace):
    """(German words, said before, says now, short) for each term and number, renamed tickets included."""
    renamed = {}
    for line in letter(workspace, "0506-tariff-association.eml").splitlines():
        if line.startswith("From "):
            since, _, rest = line[5:].partition(" the ")
            number, _, year = since.split()
            quoted = re.findall('"([^"]+)"', rest)
            month = 6 if "June" in since else 7
            if date(int(year), month, int(number)) <= goes_out(workspace):
                renamed[rest.split()[0]] = quoted
    for row in sheet(workspace, "glossary/terms.csv", "cp1252", ";"):
        words = {row["German"], row["German plural"]}
        for number, suffix in enumerate(("", " plural")):
            before, now = row[f"before{suffix}"], row[f"English{suffix}"]
            if row["German"] in renamed:
                before, now = now, renamed[row["German"]][number]
            yield words, before, now, row[f"short{suffix}"]


def swapped(text, old, new):
    if not old or not new:
        return text
    for change in (str, str.capitalize):
        text = " ".join(re.sub(rf"^{change(old)}(?!\w)", change(new), part) for part in tokens(text, old))
    return text


def tokens(text, phrase):
    """The words of the text, those of an occurrence of the phrase together."""
    words, size, found = text.split(" "), len(phrase.split(" ")), []
    while words:
        together = " ".join(words[:size])
        step = size if together.lower().rstrip(".,") == phrase else 1
        found.append(" ".join(words[:step]))
        words = words[step:]
    return found


def relevant(german, terms):
    said = set(re.findall(r"\w+", german))
    return [(before, now, short) for words, before, now, short in terms if words & said]


def with_terms(text, german, terms):
    for before, now, _ in relevant(german, terms):
        text = swapped(text, before, now)
    return text


def shortened(text, german, terms):
    for _, now, short in relevant(german, terms):
        text = swapped(text, now, short)
    return text


def segments(workspace):
    """(German, English, day) of approved segments, placeholders as {1}, {2}."""
    text = (workspace / "memory/quello.tmx").read_bytes().decode("utf-16")
    for unit in text.split("<tu ")[1:]:
        if '"status">approved<' in unit:
            german, english = (re.sub(r'<ph x="(\d)"/>', r"{\1}", seg) for seg in re.findall(r"<seg>(.*?)</seg>", unit))
            yield german, english, re.search(r'changedate="(\w+)"', unit)[1]


def from_memory(german, found):
    names = re.findall(r"{(\w+)}", german)
    counted = german
    for number, name in enumerate(names):
        counted = counted.replace(f"{{{name}}}", f"{{{number + 1}}}")
    _, english = max((day, english) for source, english, day in found if source == counted)
    for number, name in enumerate(names):
        english = english.replace(f"{{{number + 1}}}", f"{{{name}}}")
    return english


def fits(workspace):
    """A function: does the text fit the room of the key?"""
    room = {row["key"]: int(row["characters"]) for row in sheet(workspace, "app/layout/room.csv", "utf-8", ";")}
    values = [tuple(row.values()) for row in sheet(workspace, "app/layout/longest-values.csv", "utf-8", ",")]

    def fit(key, text):
        for name, longest in values:
            text = text.replace(f"{{{name}}}", longest)
        own = room.get(key, room.get(key.removesuffix(".one").removesuffix(".other"), 10_000))
        return len(text) <= own

    return fit


def comments(workspace):
    """(id, key, author, proposal, agreed) of what is to be worked through, the newest first."""
    text = (workspace / "review/comments-en-2027-05-11.csv").read_bytes().decode("utf-8-sig")
    rows = []
    for line in text.splitlines()[1:]:
        cells = [quoted or bare for quoted, bare in re.findall(r'(?:^|,)(?:"([^"]*)"|([^",]*))', line)]
        rows.append(cells)
    assert "signing out" in letter(workspace, "0511-morwenna.eml")
    agreed = {row[1] for row in rows if row[1] and row[3] == REVIEWER and row[5].lower().startswith("agreed")}
    kept = [row for row in rows if not row[1] and row[7] == "open" and row[2] != "profile.logout"]
    return [(row[0], row[2], row[3], row[6], row[0] in agreed) for row in kept][::-1]


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    german, was, english = (strings(workspace, name) for name in ("de.json", "archive/de-5.1.json", "en.json"))
    terms, fit, found = list(pairs(workspace)), fits(workspace), list(segments(workspace))
    keys = [key for key in german if not key.startswith("_meta")]
    anew = [key for key in keys if german[key] != was.get(key)]
    legal = re.search(r"\n {4}(.+)\n", letter(workspace, "0510-aydan.eml"))[1]
    text, outcome = {}, {}
    for key in keys:
        if key[:5] == "legal":
            text[key] = legal if key in anew else english[key]
        else:
            source = from_memory(german[key], found) if key in anew else english[key]
            text[key] = with_terms(source, german[key], terms)
    chosen = {}
    for number, key, author, proposal, agreed in comments(workspace):
        if key in anew or key not in german or key in chosen:
            outcome[number] = "overtaken"
            continue
        lost = [hole for hole in re.findall(r"{\w+}", german[key]) if hole not in proposal]
        stale = with_terms(proposal, german[key], terms) != proposal
        said_by = author == REVIEWER or agreed
        if not said_by or lost or stale or key[:5] == "legal" or not fit(key, proposal):
            outcome[number] = "declined"
        else:
            outcome[number], chosen[key] = "taken", proposal
    text |= chosen
    refused = {key: english[key] for _, key, *_ in comments(workspace) if key in english and key not in anew}
    tight = {key: shortened(text[key], german[key], terms) for key in keys if not fit(key, text[key])}
    reworded = [key for key in keys if key not in anew and key not in tight and key not in chosen]
    fresh = {key: text[key] for key in anew if key not in tight} | {"_meta.from_german": german["_meta.version"]}
    return {
        "anew": fresh,
        "terms": {key: text[key] for key in reworded if text[key] != english[key]},
        "proposals": {key: said for key, said in refused.items() if text.get(key) == said and key not in tight}
        | chosen,
        "tight": tight,
        "new_strings": [text[key] for key in anew if key not in was and key not in tight],
        "gone": [key.split(".")[-1] for key in was if key not in german and "changes" not in key],
        "answers": {number: {"outcome": said} for number, said in outcome.items()},
        "day": goes_out(workspace).isoformat(),
        "ticket_names": [["day pass", "day passes"], ["hop ticket", "hop tickets"]],
        "other_names": ["day ticket", "day tickets", "short trip", "short trips", "Tageskarte", "Kurzstrecke"],
    }
