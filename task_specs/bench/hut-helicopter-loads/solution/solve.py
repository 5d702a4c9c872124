"""The oracle: reads the list, the mails and the firm's papers, gives each consignment its turn, writes the two files."""

import csv
import datetime as dt
import json
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

FOOD = {"food", "fresh", "frozen"}
BY_PIECE = FOOD | {"gas", "fuel"}
UNDER_NOBODY = {"gas", "fuel", "battery"}
FLYING_DAY = dt.date(2027, 6, 9)


def text_of(path):
    return path.read_bytes().decode("utf-8").replace("\r\n", "\n")


def minute(clock):
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def decimal(text):
    return Fraction(text.replace(",", "."))


def numbers_in(text):
    return [int(no) for no in re.findall(r"No\. (\d+)", text)]


# ---------------------------------------------------------------- list and mails


def read_list(ws):
    text = (ws / "supplies/list-2027-05-31.csv").read_bytes().decode("cp1252")
    items = {}
    for row in csv.DictReader(text.splitlines(), delimiter=";"):
        after = re.search(r"after (\S+)", row["Remark"])
        items[int(row["No"])] = {
            "what": row["What"],
            "pieces": int(row["Pieces"]),
            "each": row["Each"],
            "kind": row["Kind"],
            "letter": row["Letter"],
            "by": row["By"],
            "from": row["From"],
            "bulky": "bulky" in row["Remark"],
            "after": after and after[1],
            "earliest": 0,
            "weighed": None,
        }
    return items


def read_mails(ws):
    """Mails by the moment they were sent."""
    found = []
    for path in (ws / "mail").glob("*.txt"):
        head, body = text_of(path).split("\n\n", 1)
        sent = re.search(r"Sent: \w+ (\d+) June 2027, (\d+):(\d+)", head)
        sender = re.search(r"From: (.*)", head)[1]
        found.append({"sent": tuple(map(int, sent.groups())), "from": sender, "text": " ".join(body.split())})
    return sorted(found, key=lambda mail: mail["sent"])


def apply_scale(ws, items):
    """Puts on each weighed consignment the kilos of one piece, before rounding."""
    note = text_of(ws / "car-park/kaspar.txt")
    pallet, over = int(re.search(r"pallet alone is (\d+)", note)[1]), int(re.search(r"shows (\d+) kg", note)[1])
    slip = r"(Sat|Mon) \d June +\d+:\d+ +No\. (\d+) +(\d+) pieces +(\d+)"
    for day, no, pieces, shown in re.findall(slip, text_of(ws / "car-park/scale.txt")):
        net = int(shown) - pallet - (over if day == "Sat" else 0)
        items[int(no)]["weighed"] = Fraction(net, int(pieces))


def supplier_writes(mail, items):
    """What a supplier says about a number of his own; other people's numbers do not count."""
    text = mail["text"]
    for no in numbers_in(text):
        item = items[no]
        if not mail["from"].startswith(item["from"]):
            continue
        count = re.search(rf"(?:You get|For No\. {no} you now get) (\d+) pieces", text)
        weight = re.search(r"[Oo]ne weighs ([\d,]+) kg", text)
        litres = re.search(r"pieces of (\d+ l)", text)
        if count:
            item["pieces"] = int(count[1])
        if weight or litres:
            item["each"], item["weighed"] = (f"{weight[1]} kg" if weight else litres[1]), None


def van_comes(mail, items):
    """The dairy brings its things on the morning itself."""
    found = re.search(r"van is at the car park at (\d+:\d+)", mail["text"])
    for item in items.values():
        if found and mail["from"].startswith(item["from"]) and item["kind"] == "fresh":
            item["earliest"] = minute(found[1]) + 25


def cook_writes(mail, items, listed):
    text = mail["text"]
    for no in re.findall(r"please cancel No\. (\d+)", text):
        items[int(no)]["pieces"] = 0
    for fewer, no in re.findall(r"(\d+) pieces fewer of No\. (\d+)", text):
        items[int(no)]["pieces"] = listed[int(no)] - int(fewer)
    for no, pieces in re.findall(r"No\. (\d+) is not cancelled, but (\d+) pieces will do", text):
        items[int(no)]["pieces"] = int(pieces)
    for dependents, first in re.findall(r"So ((?:No\. \d+(?:, | and )?)+) have to fly after No\. (\d+)", text):
        for no in numbers_in(dependents):
            items[no]["after"] = first


def chair_writes(mail, items, listed):
    for group, letter in re.findall(r"((?:No\. \d+(?:, | and )?)+) the letter ([ABC])", mail["text"]):
        for no in numbers_in(group):
            items[no]["letter"] = letter
    for no in re.findall(r"too quick with No\. (\d+)", mail["text"]):
        items[int(no)]["letter"] = listed[int(no)]


def apply_mails(ws, items):
    letters = {no: item["letter"] for no, item in items.items()}
    pieces = {no: item["pieces"] for no, item in items.items()}
    for mail in read_mails(ws):
        if "(cook)" in mail["from"]:
            cook_writes(mail, items, pieces)
        elif "(chair)" in mail["from"]:
            chair_writes(mail, items, letters)
        else:
            supplier_writes(mail, items)
            van_comes(mail, items)


def apply_minutes(ws, items):
    """The committee's letter for other huts' freight; none where it has not agreed."""
    text = text_of(ws / "section/minutes-2027-02-20.txt")
    agreed = dict(re.findall(r"The (\w+) Hut: agreed, letter ([ABC])", text))
    for item in items.values():
        if item["by"] == "guest":
            item["letter"] = next((letter for name, letter in agreed.items() if name in item["what"]), None)


def set_kilos(ws, items):
    """The whole kilos of one piece."""
    rules = text_of(ws / "section/loading-order-ed3.txt")
    litre = {kind: Fraction(kg) for kind, kg in re.findall(r"(diesel|petrol|beer) (?:is )?([\d.]+) kg", rules)}
    empty = {
        litres: Fraction(kg) for litres, kg in re.findall(r"(?:canister|keg) of (\d+) l (?:adds )?([\d.]+) kg", rules)
    }
    for item in items.values():
        amount, unit = item["each"].split()
        if item["weighed"] is not None:
            exact = item["weighed"]
        elif unit == "l":
            exact = int(amount) * litre[item["what"].split(",")[0]] + empty[amount]
        else:
            exact = decimal(amount)
        item["kg"] = math.ceil(exact)


def read_items(ws):
    """What is to fly, by number, all later changes taken in."""
    items = read_list(ws)
    apply_scale(ws, items)
    apply_mails(ws, items)
    apply_minutes(ws, items)
    set_kilos(ws, items)
    return {no: item for no, item in items.items() if item["pieces"]}


# ---------------------------------------------------------------- the flights


def booking(ws):
    """Machine, first and last take-off, interval, interval with refuelling: as confirmed, then as dispatch wrote."""
    text = text_of(ws / "flight/confirmation-2027-05-12.txt")
    found = {
        "machine": re.search(r"Machine +(\w+)", text)[1],
        "first": re.search(r"First take-off +([\d:]+)", text)[1],
        "last": re.search(r"No take-off after +([\d:]+)", text)[1],
        "step": int(re.search(r"Interval +(\d+)", text)[1]),
        "pause": int(re.search(r"next it is (\d+)", text)[1]),
    }
    return found | dispatch_writes(ws)


def dispatch_writes(ws):
    found = {}
    for mail in read_mails(ws):
        if "Dohlenflug" in mail["from"]:
            found["first"] = re.search(r"[Ff]irst take-off ([\d:]+)", mail["text"])[1]
            found["last"] = re.search(r"no take-off after ([\d:]+)", mail["text"])[1]
            machine = re.search(r"so the (M\d) comes", mail["text"])
            found |= {"machine": machine[1]} if machine else {}
    return found


def takeoffs(book):
    found, at = [], minute(book["first"])
    while at <= minute(book["last"]):
        found.append(at)
        at += book["step"] if len(found) % 3 else book["pause"]
    return found


def temperatures(ws):
    """Degrees by full hour at the upper landing place."""
    lines = text_of(ws / "weather/issued-06-08.txt").splitlines()
    hours = next(line for line in lines if line.strip().startswith("06:00")).split()
    hut = next(line for line in lines if line.startswith("Hollgrat Hut")).split(" m ")[1].split()
    return {int(hour[:2]): int(degrees) for hour, degrees in zip(hours, hut)}


def net_and_line(ws, machine):
    kilos = int(re.search(r"hook as well: (\d+) kg", text_of(ws / "flight/conditions-2026.txt"))[1])
    for path in sorted((ws / "flight").glob("bulletin-*.txt")):
        text = " ".join(text_of(path).split())
        for machines, weight in re.findall(r"Holds for: (M\d) .*?net and line weigh (\d+) kg", text):
            kilos = int(weight) if machines == machine else kilos
    return kilos


def clashes(ws):
    """Pairs of kinds that do not hang in one net."""
    text = text_of(ws / "flight/conditions-2026.txt")
    pairs = re.findall(r"(\w+) with (\w+)[,.]", re.search(r"in one net: (.*?\.)", text)[1])
    if "batteries do not hang in one net with gas or with fuel" in text_of(ws / "flight/bulletin-14.txt"):
        pairs += [("battery", "gas"), ("battery", "fuel")]
    spread = {(a, b) for a, b in pairs} | {(a, food) for a, b in pairs if b == "food" for food in FOOD}
    return {frozenset(pair) for pair in spread}


def passengers(ws):
    """Name and the minute at which each can be at the car park."""
    for mail in read_mails(ws):
        ready = re.search(r"I fly up with you .*? at the car park at ([\d:]+)", mail["text"])
        if ready:
            yield mail["from"], minute(ready[1])


def seat_weight(ws):
    return int(re.search(r"counts as (\d+) kg", text_of(ws / "flight/conditions-2026.txt"))[1])


def read_flights(ws):
    book, degrees = booking(ws), temperatures(ws)
    text = text_of(ws / "flight/conditions-2026.txt")
    lift = list(map(int, re.search(rf"{book['machine']} +([\d ]+)\n", text)[1].split()))
    burn = int(re.search(rf"{book['machine']} (?:lifts )?(\d+) kg more", text)[1])
    flights = []
    for n, at in enumerate(takeoffs(book)):
        band = sum(degrees[at // 60] > bound for bound in (5, 8, 11))
        limit = lift[band] + n % 3 * burn - net_and_line(ws, book["machine"])
        flights.append({"at": at, "limit": limit, "passenger": None, "load": 0, "in": []})
    for name, ready in passengers(ws):
        flight = next(f for f in flights if f["at"] >= ready + 15 and not f["passenger"])
        flight["passenger"], flight["limit"] = name, flight["limit"] - seat_weight(ws)
    return flights


# ---------------------------------------------------------------- turns and places


def turns(items):
    order = sorted(items, key=lambda no: (items[no]["letter"] or "Z", -items[no]["kg"] * items[no]["pieces"], no))
    for no in list(order):
        first = items[no]["after"]
        if first and first.isdigit() and order.index(no) < order.index(int(first)):
            order.remove(no)
            place = order.index(int(first)) + 1
            while place < len(order) and items[order[place]].get("moved") == first:
                place += 1
            items[no]["moved"] = first
            order.insert(place, no)
    return order


class Planner:
    def __init__(self, items, flights, clash, crate):
        self.items, self.flights, self.clash, self.crate = items, flights, clash, crate
        self.places, self.left = {}, {}  # (flight, number) -> pieces; number -> (pieces, reason)

    def kilos(self, flight, item, pieces):
        """What the net gets heavier by."""
        first_gas = item["kind"] == "gas" and not any(other["kind"] == "gas" for other, _ in flight["in"])
        return item["kg"] * pieces + (self.crate if first_gas else 0)

    def light_enough(self, flight, item, pieces):
        return flight["load"] + self.kilos(flight, item, pieces) <= flight["limit"]

    def permitted(self, flight, item, pieces):
        there = flight["in"]
        if any(frozenset((item["kind"], other["kind"])) in self.clash for other, _ in there):
            return False
        if flight["passenger"] and item["kind"] in UNDER_NOBODY:
            return False
        bottles = sum(n for other, n in there if other["kind"] == "gas")
        if item["kind"] == "gas" and bottles + pieces > 6:
            return False
        return not (item["bulky"] and any(other["bulky"] and other is not item for other, _ in there))

    def start_of(self, item):
        """The first minute at which it may take off."""
        after = item["after"]
        if after is None:
            return item["earliest"]
        if after.isdigit():
            before = [self.flights[at]["at"] for at, no in self.places if no == int(after)]
        else:
            before = [f["at"] for f in self.flights if f["passenger"] and f["passenger"].endswith(after)]
        return max(item["earliest"], max(before) + 1)

    def stays(self, no, unit):
        """A reason that holds before any place is looked for."""
        item = self.items[no]
        if item["letter"] is None:
            return "foreign"
        if item["kg"] * unit > max(flight["limit"] for flight in self.flights):
            return "heavy"
        if item["after"] and item["after"].isdigit() and int(item["after"]) in self.left:
            return "waits"
        return None

    def serve(self, no):
        item = self.items[no]
        unit, remaining = (1 if item["kind"] in BY_PIECE else item["pieces"]), item["pieces"]
        reason = self.stays(no, unit)
        start = 0 if reason else self.start_of(item)
        while remaining and not reason:
            at = self.first_place(item, unit, start)
            if at is None:
                room = any(self.light_enough(flight, item, unit) for flight in self.flights)
                reason = "barred" if room else "full"
            else:
                flight = self.flights[at]
                flight["load"] += self.kilos(flight, item, unit)
                flight["in"].append((item, unit))
                self.places[at, no] = self.places.get((at, no), 0) + unit
                remaining -= unit
        if remaining:
            self.left[no] = (remaining, reason)

    def first_place(self, item, unit, start):
        for at, flight in enumerate(self.flights):
            if flight["at"] >= start and self.light_enough(flight, item, unit) and self.permitted(flight, item, unit):
                return at
        return None


def derive(ws):
    items = read_items(ws)
    crate = int(re.search(r"weighs (\d+) kg empty", text_of(ws / "flight/conditions-2026.txt"))[1])
    planner = Planner(items, read_flights(ws), clashes(ws), crate)
    for no in turns(items):
        planner.serve(no)
    loads = [(at + 1, no, n, n * items[no]["kg"]) for (at, no), n in sorted(planner.places.items())]
    return {
        "loads": loads,
        "rotations": [
            {
                "rotation": n,
                "takeoff": f"{flight['at'] // 60:02d}:{flight['at'] % 60:02d}",
                "passenger": flight["passenger"],
                "limit": flight["limit"],
                "load": flight["load"],
            }
            for n, flight in enumerate(planner.flights, 1)
        ],
        "left": [{"no": no, "pieces": n, "reason": why} for no, (n, why) in sorted(planner.left.items())],
        "flown_kg": sum(row[3] for row in loads),
        "left_kg": sum(n * items[no]["kg"] for no, (n, _) in planner.left.items()),
    }


def write(ws, answer):
    folder = ws / "flying-day"
    folder.mkdir(exist_ok=True)
    rows = [("rotation", "no", "pieces", "kg"), *answer["loads"]]
    (folder / "loads.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows), "utf-8")
    flight = {name: answer[name] for name in ("rotations", "left", "flown_kg", "left_kg")}
    (folder / "flight.json").write_text(json.dumps(flight, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
