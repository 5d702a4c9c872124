"""The second derivation, from the pristine workspace: facts word by word, places by sets of flights that are still open."""

from collections import Counter

EATABLE = ("food", "fresh", "frozen")


def read(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec)


def tokens(text):
    """Words without the punctuation around them."""
    return [word.strip(".,;:()") for word in text.split()]


def following(words, *phrase, last=False):
    """The word after a phrase, its first occurrence or its last."""
    places = [n for n in range(len(words)) if tuple(words[n : n + len(phrase)]) == phrase]
    return words[places[-1 if last else 0] + len(phrase)]


def minute(clock):
    return int(clock[:2]) * 60 + int(clock[3:])


def tenths(text):
    whole, _, part = text.replace(".", ",").partition(",")
    return int(whole) * 10 + int(part or 0)


def post(workspace):
    """Sender and words of each mail, in the order of days and hours."""
    found = []
    for path in (workspace / "mail").iterdir():
        lines = path.read_bytes().decode().split("\n")
        sent = lines[2].split()
        found.append(((int(sent[2]), sent[5]), lines[0].removeprefix("From: "), tokens(" ".join(lines[4:]))))
    return [(sender, words) for _, sender, words in sorted(found)]


def mail_from(workspace, who):
    return [words for sender, words in post(workspace) if who in sender]


def listed(workspace):
    lines = read(workspace, "supplies/list-2027-05-31.csv", "cp1252").split("\r\n")
    head = lines[0].split(";")
    return {int(line.split(";")[0]): dict(zip(head, line.split(";"))) for line in lines[1:] if line}


def mentioned(words, start, stop):
    """The numbers between two places of a mail."""
    return [int(words[n + 1]) for n in range(start, stop) if words[n] == "No"]


def letters(workspace, items):
    """By number; an empty text for freight that nobody has agreed to."""
    found = {no: row["Letter"] for no, row in items.items()}
    first, second = mail_from(workspace, "(chair)")
    cut = first.index("letter") + 2
    found |= dict.fromkeys(mentioned(first, 0, cut), "A") | dict.fromkeys(mentioned(first, cut, len(first)), "B")
    back = mentioned(second, 0, len(second))[0]
    found[back] = items[back]["Letter"]
    agreed = tokens(read(workspace, "section/minutes-2027-02-20.txt"))
    guest = following(agreed, "agreed", "letter")
    return found | {
        no: guest if "Sonnleiten" in row["What"] else "" for no, row in items.items() if row["By"] == "guest"
    }


def counts(workspace, items):
    """How many pieces come."""
    found = {no: int(row["Pieces"]) for no, row in items.items()}
    less, again = mail_from(workspace, "(cook)")
    found[int(following(less, "fewer", "of", "No"))] -= int(less[less.index("fewer") - 2])
    found[int(following(again, "So", "No"))] = int(following(again, "cancelled", "but"))
    for words in mail_from(workspace, "Elektro"):
        found[mentioned(words, 0, len(words))[0]] = int(following(words, "You", "get"))
    for words in mail_from(workspace, "Kettenbräu"):
        found[mentioned(words, 0, len(words))[0]] = int(following(words, "now", "get"))
    return found


def rounded_up(over, under):
    return -(-over // under)


def from_scale(workspace):
    """Whole kilos of a piece by number, for what has been weighed."""
    note, found = tokens(read(workspace, "car-park/kaspar.txt")), {}
    pallet, shown_empty = int(following(note, "alone", "is")), int(following(note, "scale", "shows"))
    for line in read(workspace, "car-park/scale.txt").split("\n")[2:]:
        if line:
            words = line.split()
            number, pieces, shown = words[words.index("No.") + 1], words[-3], words[-1]
            net = int(shown) - pallet - shown_empty * (words[0] == "Sat")
            found[int(number)] = rounded_up(net, int(pieces))
    return found


def from_litres(workspace, what, litres):
    """Hundredths of a kilo of a full container."""
    order = tokens(read(workspace, "section/loading-order-ed3.txt"))
    at = order.index(what, order.index("litre"))
    each = next(word for word in order[at:] if word[0].isdigit())
    at = next(n for n in range(len(order)) if order[n : n + 3] == ["of", litres, "l"])
    empty = next(word for word in order[at + 3 :] if word[0].isdigit())
    return int(float(each) * 100 + 0.5) * int(litres) + tenths(empty) * 10


def kilos(workspace, items):
    """Whole kilos of one piece by number."""
    scale, found = from_scale(workspace), {}
    for no, row in items.items():
        amount, unit = row["Each"].split()
        hundredths = tenths(amount) * 10 if unit == "kg" else from_litres(workspace, row["What"].split(",")[0], amount)
        found[no] = scale.get(no) or rounded_up(hundredths, 100)
    for sender in ("Elektro", "Holz"):
        for words in mail_from(workspace, sender):
            weight = next(
                words[n + 2] for n, word in enumerate(words[:-2]) if word.lower() == "one" and words[n + 1] == "weighs"
            )
            found[mentioned(words, 0, len(words))[0]] = rounded_up(tenths(weight), 10)
    for words in mail_from(workspace, "Kettenbräu"):
        found[mentioned(words, 0, len(words))[0]] = rounded_up(
            from_litres(workspace, "beer", following(words, "pieces", "of")), 100
        )
    return found


def dependents(workspace, items):
    """By number, the number or the name after which it flies."""
    found = {}
    for no, row in items.items():
        words = tokens(row["Remark"])
        if "after" in words:
            found[no] = words[words.index("after") + 1]
    words = mail_from(workspace, "(cook)")[1]
    end = next(n for n in range(len(words)) if words[n : n + 4] == ["have", "to", "fly", "after"])
    start = max(n for n in range(end) if words[n] == "So")
    return found | dict.fromkeys(mentioned(words, start, end), words[end + 5])


def flights(workspace):
    """Take-off, limit and passenger of each rotation."""
    booked = tokens(read(workspace, "flight/confirmation-2027-05-12.txt"))
    terms = read(workspace, "flight/conditions-2026.txt")
    latest = mail_from(workspace, "Dohlenflug")[-1]
    machine = following(latest, "so", "the")
    step, pause = int(following(booked, "Interval")), int(following(booked, "next", "it", "is"))
    at, last = minute(following(latest, "first", "take-off")), minute(following(latest, "no", "take-off", "after"))
    row = next(line.split() for line in terms.split("\n") if line.strip().startswith(machine))[1:]
    words = tokens(terms)
    burn = int(words[words.index("lifts") + 1])
    steel = tokens(read(workspace, "flight/bulletin-14.txt"))
    net, seat = int(following(steel, "line", "weigh")), int(following(words, "counts", "as"))
    sky = [
        line.split()[-5:]
        for line in read(workspace, "weather/issued-06-08.txt").split("\n")
        if "00" in line or " m " in line
    ]
    degrees = dict(zip((int(hour[:2]) for hour in sky[-3]), map(int, sky[-1])))
    found = []
    while at <= last:
        warm = degrees[at // 60]
        band = 0 if warm <= 5 else 1 if warm <= 8 else 2 if warm <= 11 else 3
        found.append({"at": at, "limit": int(row[band]) + burn * (len(found) % 3) - net, "who": None})
        at += pause if len(found) % 3 == 0 else step
    for sender, said in post(workspace):
        if said[:4] == ["I", "fly", "up", "with"]:
            ready = minute(following(said, "the", "car", "park", "at")) + 15
            flight = min((f for f in found if f["at"] >= ready and f["who"] is None), key=lambda f: f["at"])
            flight["who"], flight["limit"] = sender, flight["limit"] - seat
    return found


def queue(items, letter, weight, after):
    """Numbers in the order of their turns."""
    free = [no for no in items if not after.get(no, "").isdigit()]
    rank = {no: (letter[no], -weight[no], no) for no in items}
    key = {no: (rank[no], 0, rank[no]) for no in free}
    for no in items:
        if no not in key:
            before = rank[int(after[no])]
            key[no] = (before, 1, rank[no]) if rank[no] < before else (rank[no], 0, rank[no])
    return sorted(items, key=key.get)


FORBIDDEN = {
    "gas": {"fuel", "battery"},
    "fuel": {"gas", "battery", *EATABLE},
    "battery": {"gas", "fuel"},
    "cleaner": set(EATABLE),
} | dict.fromkeys(EATABLE, {"fuel", "cleaner"})


class Day:
    """The nets of the day as they fill."""

    def __init__(self, sky, crate):
        self.sky, self.crate = sky, crate
        self.load = [0] * len(sky)
        self.kinds = [Counter() for _ in sky]
        self.bulky = [set() for _ in sky]

    def weight(self, at, kind, kg):
        return kg + (self.crate if kind == "gas" and not self.kinds[at]["gas"] else 0)

    def roomy(self, kind, kg):
        return {at for at, f in enumerate(self.sky) if self.load[at] + self.weight(at, kind, kg) <= f["limit"]}

    def fitting(self, no, kind, bulky):
        bad = FORBIDDEN.get(kind, set())
        found = {at for at in range(len(self.sky)) if not any(self.kinds[at][other] for other in bad)}
        if kind in ("gas", "fuel", "battery"):
            found -= {at for at, f in enumerate(self.sky) if f["who"]}
        if kind == "gas":
            found -= {at for at in found if self.kinds[at]["gas"] >= 6}
        return found - {at for at in found if bulky and self.bulky[at] - {no}}

    def put(self, at, no, row, pieces, kg):
        self.load[at] += self.weight(at, row["Kind"], kg)
        self.kinds[at][row["Kind"]] += pieces
        if "bulky" in row["Remark"]:
            self.bulky[at].add(no)


def on_time(no, row, sky, after, placed, van):
    """The flights that are not too early for it."""
    found = {at for at, f in enumerate(sky) if row["Kind"] != "fresh" or f["at"] >= van + 25}
    if no not in after:
        return found
    if after[no].isdigit():
        before = max(at for at, number in placed if number == int(after[no]))
    else:
        before = next(at for at, f in enumerate(sky) if f["who"] and f["who"].split()[-1] == after[no])
    return {at for at in found if at > before}


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    items, sky = listed(workspace), flights(workspace)
    letter, number, kg, after = (f(workspace, items) for f in (letters, counts, kilos, dependents))
    van = minute(following(mail_from(workspace, "Sennerei")[-1], "car", "park", "at"))
    crate = int(following(tokens(read(workspace, "flight/conditions-2026.txt")), "crate", "It", "weighs"))
    day, placed, left = Day(sky, crate), Counter(), {}
    highest = max(flight["limit"] for flight in sky)
    for no in queue(items, letter, {no: kg[no] * number[no] for no in items}, after):
        row = items[no]
        unit = 1 if row["Kind"] in (*EATABLE, "gas", "fuel") else number[no]
        why = "foreign" if not letter[no] else "heavy" if kg[no] * unit > highest else ""
        if not why and after.get(no, "").isdigit() and int(after[no]) in left:
            why = "waits"
        in_time = set() if why else on_time(no, row, sky, after, placed, van)
        remaining = number[no]
        while remaining and not why:
            roomy = day.roomy(row["Kind"], kg[no] * unit)
            open_ = roomy & in_time & day.fitting(no, row["Kind"], "bulky" in row["Remark"])
            if open_:
                day.put(min(open_), no, row, unit, kg[no] * unit)
                placed[min(open_), no] += unit
                remaining -= unit
            else:
                why = "barred" if roomy else "full"
        if remaining:
            left[no] = {"pieces": remaining, "reason": why}
    clock = [f"{f['at'] // 60:02d}:{f['at'] % 60:02d}" for f in sky]
    return {
        "loads": {f"{at + 1}|{no}": {"pieces": n, "kg": n * kg[no]} for (at, no), n in placed.items()},
        "flights": {
            str(at + 1): {"takeoff": clock[at], "passenger": f["who"], "limit": f["limit"]} for at, f in enumerate(sky)
        },
        "net_loads": {str(at + 1): {"load": load} for at, load in enumerate(day.load)},
        "left": {str(no): row for no, row in left.items()},
        "totals": {
            "flown_kg": sum(n * kg[no] for (_, no), n in placed.items()),
            "left_kg": sum(row["pieces"] * kg[no] for no, row in left.items()),
        },
    }
