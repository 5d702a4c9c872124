"""The oracle: follows the label guide from plan to reports, and writes labels and texts."""

import csv
import datetime as dt
import email
import email.policy
import re
import sys
from pathlib import Path

MONTHS = "January February March April May June July August September October November December".split()
PANEL = (
    "Press the switch, and it is light. For most of the past nobody could do that. Light had to be made, fed and watched, "
    "and there was never much of it. Look for the places where hands, heat and smoke have left their mark. "
    "Somebody sat close by, and needed what little there was."
)


def read_day(text):
    day, month, *year = text.split()
    return dt.date(int(year[0]) if year else 2027, MONTHS.index(month) + 1, int(day))


def mails(ws):
    """Sender and text of each mail, oldest first."""
    found = []
    for path in (ws / "mail").glob("*.eml"):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        text = " ".join(message.get_content().split())
        found.append((message["Date"].datetime, str(message["From"]), text))
    return [(sender, text) for _, sender, text in sorted(found)]


def read_register(ws):
    """By number: the row of the latest export."""
    latest = max((ws / "register").glob("*.csv"))
    rows = csv.DictReader(latest.read_bytes().decode("cp1252").splitlines(), delimiter=";")
    return {row["number"]: row for row in rows}


def slips(ws):
    """Number and words of each slip, oldest first."""
    for path in sorted((ws / "curator").glob("slips-*.txt")):
        yield from re.findall(r"^(L?\d+/\d+) +(.*?)\r?$", path.read_text("utf-8-sig"), re.MULTILINE)


def corrected_register(ws):
    """The register as the slips leave it."""
    register = read_register(ws)
    typed = {number: dict(row) for number, row in register.items()}
    for number, text in slips(ws):
        row = register[number]
        if "It is called: " in text:
            row["name"] = text.split("It is called: ")[1]
        elif text.startswith("date: "):
            row["date"] = text.removeprefix("date: ")
        elif text.startswith("made: "):
            row["made"] = text.removeprefix("made: ")
        elif "forget my slip" in text:
            row["date"] = typed[number]["date"]
    return register


def read_reports(ws):
    """By number: what the reports state, the later on top of the earlier."""
    reports = []
    for path in (ws / "conservation").glob("*.txt"):
        fields = dict(re.findall(r"^([A-Z][\w ]+): (.*?)\r?$", path.read_text("utf-8"), re.MULTILINE))
        reports.append((read_day(fields["Date"]), fields))
    return merged(sorted(reports, key=lambda report: report[0]))


def merged(reports):
    found = {}
    for _, fields in reports:
        found.setdefault(fields["Object"], {}).update(fields)
    return found


def read_plan(ws):
    """Object by place as agreed, the reserve, and the day of opening as planned."""
    text = max((ws / "case").glob("*.txt")).read_text("utf-8")
    places = dict(re.findall(r"^([A-G])  (\S+)$", text, re.MULTILINE))
    reserve = re.search(r"Reserve, in this order: (.*)", text)[1].split(", ")
    return places, reserve, read_day(re.search(r"Opens on (.*)", text)[1])


def later_changes(ws):
    """The places that change, and the day of opening, by the designer's mails."""
    swaps, opening = [], None
    for sender, text in mails(ws):
        if "lowri@" in sender:
            swaps += re.findall(r"so ([A-G]) and ([A-G]) of version", text)
            opening = read_day(re.search(r"we open on (\d+ \w+)", text)[1])
    return swaps, opening


def fit(number, reports):
    return reports[number]["Fit for display"] == "yes"


def stand_in(reserve, reports, register):
    """The first of the reserve that is fit and in the house."""
    return next(n for n in reserve if fit(n, reports) and not register[n]["where"].startswith("lent"))


def case(ws, reports, register):
    """Object by place in the end, and the day of opening."""
    places, reserve, opening = read_plan(ws)
    swaps, moved = later_changes(ws)
    for one, two in swaps:
        places[one], places[two] = places[two], places[one]
    for place, number in places.items():
        if not fit(number, reports):
            places[place] = stand_in(reserve, reports, register)
    return dict(sorted(places.items())), moved or opening


def circa(ws):
    """The word that Ines wants for `c.`, her later mail on top."""
    word = "c."
    for sender, text in mails(ws):
        if "ines@" in sender:
            word = re.findall(r'"(about|around) 1790"', text)[-1]
    return word


def in_words(date, circa_word):
    part = re.fullmatch(r"(\d)\w\w (quarter|half) (\d\d)th century", date)
    if part:
        length = 25 if part[2] == "quarter" else 50
        end = (int(part[3]) - 1) * 100 + int(part[1]) * length
        return f"{end - length} to {end}"
    return date.replace("-", " to ").replace("c.", circa_word)


def plain_words(ws):
    return {row["museum word"]: row["everyday word"] for row in csv.DictReader((ws / "style/plain-words.csv").open())}


def materials(row, report, plain):
    """Everyday words, each once, in the order of the source."""
    stated = report.get("Materials") or row["materials"]
    return list(dict.fromkeys(plain.get(word, word) for word in stated.split(", ")))


def height(row, report):
    millimetres = (
        int(report["Height"].split()[0]) if "Height" in report else int(row["size (mm, h x w x d)"].split()[0])
    )
    return (millimetres + 5) // 10


def nameless(ws):
    """Numbers whose donor does not wish to be named."""
    return {
        re.search(r"that (\S+) is to be shown", text)[1] for sender, text in mails(ws) if "wanted to be named" in text
    }


def credit(ws, row, hidden):
    acquired = row["acquired"]
    if acquired == "loan":
        agreement = (ws / "loans" / f"{row['number'].replace('/', '-')}.txt").read_text("utf-8")
        return re.search(r"word for word: (.*)", agreement)[1]
    if acquired.startswith("bought"):
        return acquired.capitalize()
    if row["number"] in hidden:
        return f"Given anonymously, {acquired[-4:]}"
    way, donor = re.match(r"(gift|bequest) of (?:Mrs|Miss|Dr|Mr|Rev\.) (.*)", acquired).groups()
    return f"{'Given' if way == 'gift' else 'Bequeathed'} by {donor}"


def weeks(ws, number, report):
    found = [int(report["Display"].split()[0])]
    agreement = ws / "loans" / f"{number.replace('/', '-')}.txt"
    if agreement.exists():
        found.append(int(re.search(r"at most: (\d+) weeks", agreement.read_text("utf-8"))[1]))
    return min(found)


def card(ws, numbers, reports, opening):
    bands = [tuple(map(int, re.findall(r"\d+", reports[n]["Humidity"]))) for n in numbers]
    return {
        "lux": min(int(reports[n]["Light"].split()[0]) for n in numbers),
        "humidity_low": max(low for low, _ in bands),
        "humidity_high": min(high for _, high in bands),
        "out_by": (opening + dt.timedelta(weeks=min(weeks(ws, n, reports[n]) for n in numbers))).isoformat(),
    }


def notices(ws):
    """By number: what Hesper would like people to notice."""
    text = (ws / "curator/what-to-notice.md").read_text("utf-8")
    return dict(re.findall(r"^\*\*(\S+)\*\* (.*)$", text, re.MULTILINE))


def derive(ws):
    register = corrected_register(ws)
    reports, plain, hidden, word = read_reports(ws), plain_words(ws), nameless(ws), circa(ws)
    places, opening = case(ws, reports, register)
    labels = []
    for place, number in places.items():
        row, report = register[number], reports[number]
        labels.append(
            {
                "place": place,
                "number": number,
                "title": row["name"],
                "date": in_words(row["date"], word),
                "town": row["made"] or None,
                "materials": materials(row, report, plain),
                "height_cm": height(row, report),
                "credit": credit(ws, row, hidden),
            }
        )
    texts = notices(ws)
    return {
        "labels": labels,
        "card": card(ws, places.values(), reports, opening),
        "texts": {label["place"]: texts[label["number"]] for label in labels},
    }


def quoted(value):
    """A YAML scalar or flow list."""
    if isinstance(value, list):
        return f"[{', '.join(map(quoted, value))}]"
    if isinstance(value, int):
        return str(value)
    return "null" if value is None else '"' + value.replace('"', '\\"') + '"'


def labels_yaml(answer):
    lines = ["labels:"]
    for label in answer["labels"]:
        pairs = [f"{name}: {quoted(value)}" for name, value in label.items()]
        lines += [f"  - {pairs[0]}", *(f"    {pair}" for pair in pairs[1:])]
    lines += [f"{name}: {quoted(value)}" for name, value in answer["card"].items()]
    return "\n".join(lines) + "\n"


def texts_md(answer):
    bullets = [
        f"- {label['place']}: {label['title']}, {label['date']}. {answer['texts'][label['place']]}"
        for label in answer["labels"]
    ]
    return "\n".join([PANEL, "", *bullets]) + "\n"


def write(ws, answer):
    folder = ws / "case-4"
    folder.mkdir(exist_ok=True)
    (folder / "labels.yaml").write_text(labels_yaml(answer), "utf-8")
    (folder / "texts.md").write_text(texts_md(answer), "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
