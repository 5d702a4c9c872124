"""The oracle: takes the mails to their orders, settles each case by the terms of its day, writes the five files."""

import csv
import datetime as dt
import email
import email.policy
import json
import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

TODAY = dt.date(2027, 3, 22)
CLAIMS = {
    "late": r"still waiting|nothing has arrived|no sign of|has not come|have not come|never turned up",
    "short": r"was not in|is missing from|looked twice for|instead of",
    "dead": r"come up|came up",
    "cancel": r"cancel|call off",
}
LEFT = {"34", "36"}


def rows(path, encoding="utf-8-sig", separator=","):
    return list(csv.DictReader(path.read_bytes().decode(encoding).splitlines(), delimiter=separator))


def pence(text):
    return int(Decimal(text) * 100)


# ---------------------------------------------------------------- what there is to know


def read_orders(ws):
    titles = {row["sku"]: row["variety"] for row in rows(ws / "stock/catalogue.csv")}
    kinds = {row["sku"]: row["kind"] for row in rows(ws / "stock/catalogue.csv")}
    orders = {}
    for row in rows(ws / "orders/orders-2027.csv", "cp1252", ";"):
        orders[row["order"]] = {
            "no": row["order"],
            "day": dt.datetime.strptime(row["date"], "%d/%m/%Y").date(),
            "name": row["name"],
            "town": row["town"],
            "discount": int(row["discount %"]),
            "postage": pence(row["postage"]),
            "voucher": pence(row["paid by voucher"]),
            "status": row["status"],
            "parcel": row["parcel"],
            "lines": [],
        }
    for row in rows(ws / "orders/lines-2027.csv", "cp1252", ";"):
        line = {"sku": row["sku"], "lot": row["lot"], "packets": int(row["packets"]), "each": pence(row["price each"])}
        orders[row["order"]]["lines"].append(line | {"variety": titles[row["sku"]], "kind": kinds[row["sku"]]})
    return orders


def read_mails(ws):
    """Mails in the order in which they came, without what they quote."""
    found = []
    for part in re.split(rb"(?m)^From (?=\S+@)", (ws / "inbox/march.mbox").read_bytes())[1:]:
        message = email.message_from_bytes(part.split(b"\n", 1)[1], policy=email.policy.default)
        lines = message.get_content().splitlines()
        own = " ".join(line for line in lines if not line.startswith(">"))
        sender = str(message["From"].addresses[0].display_name)
        found.append({"at": message["Date"].datetime, "from": sender, "text": own, "subject": str(message["Subject"])})
    return sorted(found, key=lambda mail: mail["at"])


def read_terms(ws):
    """The figures of each edition, by the day from which it holds."""
    found = []
    for path in (ws / "terms").glob("*.md"):
        text = path.read_text("utf-8")
        since = re.search(r"for orders from (\d+ \w+ \d{4})", text)[1]
        found.append(
            {
                "since": dt.datetime.strptime(since, "%d %B %Y").date(),
                "lost": int(re.search(r"lies (\d+) working days", text)[1]),
                "report": int(re.search(r"within (\d+) days", text)[1]),
                "voucher_first": "goes onto a voucher up to" in text,
            }
        )
    return sorted(found, key=lambda terms: terms["since"])


def terms_of(order, terms):
    return [edition for edition in terms if edition["since"] <= order["day"]][-1]


def read_scans(ws):
    """By parcel the moments and codes of its scans; label data is no scan."""
    found = {}
    for row in sorted(rows(ws / "courier/export-2027-03-22.csv"), key=lambda row: row["time"]):
        if row["code"] != "90":
            moment = dt.datetime.strptime(row["time"] + "+0000", "%Y-%m-%d %H:%M%z")
            found.setdefault(row["parcel"], []).append((moment, row["code"]))
    return found


def read_tests(ws):
    """Per cent of the latest test by lot."""
    found = {}
    for row in rows(ws / "seed-room/tests.tsv", separator="\t"):
        day = dt.datetime.strptime(row["tested"], "%d %b %Y").date()
        found[row["lot"]] = max(found.get(row["lot"], (day, 0)), (day, int(row["came up"].rstrip(" %"))))
    return {lot: result for lot, (_, result) in found.items()}


def read_minimum(ws):
    text = (ws / "seed-room/minimum.txt").read_text("utf-8")
    return {kind: int(least) for kind, least in re.findall(r"(?m)^(\w+) +(\d+) %", text)}


def free_stock(ws, orders):
    """The last count less what open orders still need."""
    free = {row["sku"]: int(row["packets"]) for row in rows(ws / "stock/count-2027-03-20.csv")}
    for line in open_lines(orders):
        free[line["sku"]] -= line["packets"]
    return free


def open_lines(orders):
    return [line for order in orders.values() if order["status"] == "open" for line in order["lines"]]


# ---------------------------------------------------------------- cases


def order_of(mail, orders):
    """The order that a mail is about, by its number, else by name, town and variety; None where there is none."""
    number = re.search(r"(?:SB[- ]|no\. )(\d{4})", f"{mail['subject']} {mail['text']}")
    if number:
        return orders.get(f"SB-{number[1]}")
    for order in orders.values():
        known = order["name"] == mail["from"] and order["town"] in mail["text"]
        if known and any(line["variety"] in mail["text"] for line in order["lines"]):
            return order
    return None


def read_cases(ws, orders):
    """By number of the order: when the first mail came, what is claimed, which lines it is about."""
    cases = {}
    for mail in read_mails(ws):
        order = order_of(mail, orders)
        if order is None:
            continue
        if "forget my mail" in mail["text"]:
            cases.pop(order["no"])
            continue
        claim = next((claim for claim, words in CLAIMS.items() if re.search(words, mail["text"], re.IGNORECASE)), None)
        if claim and order["no"] not in cases:
            lines = order["lines"]
            if claim in ("short", "dead"):
                lines = [line for line in lines if line["variety"] in mail["text"]]
            cases[order["no"]] = {"order": order, "first": mail["at"], "claim": claim, "lines": lines}
    return cases


def working_days_since(day):
    days = (day + dt.timedelta(days=n) for n in range(1, (TODAY - day).days + 1))
    return sum(day.weekday() < 5 for day in days)


def verdict_on(case, edition, scans, latest, minimum):
    """`give` (again, or money where the stock is short), `pay`, or the word for what else comes of it."""
    seen = scans.get(case["order"]["parcel"], [])
    if case["claim"] == "late":
        moment, code = seen[-1]
        if code in LEFT:
            return "collect"
        return "give" if working_days_since(moment.date()) >= edition["lost"] else "wait"
    if case["claim"] == "short":
        delivered = next(moment for moment, code in seen if code == "31").date()
        return "give" if (case["first"].date() - delivered).days <= edition["report"] else "nothing"
    if case["claim"] == "dead":
        line = case["lines"][0]
        return "pay" if latest[line["lot"]] < minimum[line["kind"]] else "nothing"
    return "return" if any(moment < case["first"] for moment, _ in seen) else "pay"


def paid_for(line, order):
    exact = Decimal(line["packets"] * line["each"] * (100 - order["discount"])) / 100
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP))


def money_back(order, lines, edition):
    """Pence to the card and onto a voucher."""
    bill = sum(paid_for(line, order) for line in order["lines"]) + order["postage"]
    total = bill if len(lines) == len(order["lines"]) else sum(paid_for(line, order) for line in lines)
    if edition["voucher_first"]:
        voucher = min(total, order["voucher"])
        return total - voucher, voucher
    card = min(total, bill - order["voucher"])
    return card, total - card


def turns(cases):
    return sorted(cases.values(), key=lambda case: case["first"])


def derive(ws):
    orders, terms, scans = read_orders(ws), read_terms(ws), read_scans(ws)
    latest, minimum, free = read_tests(ws), read_minimum(ws), free_stock(ws, orders)
    answer = {"cases": {}, "again": [], "refunds": {}, "people": {}}
    for case in turns(read_cases(ws, orders)):
        order, edition = case["order"], terms_of(case["order"], terms)
        verdict = verdict_on(case, edition, scans, latest, minimum)
        pay = case["lines"] if verdict == "pay" else []
        sent = []
        for line in case["lines"] if verdict == "give" else []:
            if free[line["sku"]] >= line["packets"]:
                free[line["sku"]] -= line["packets"]
                sent.append(line)
            else:
                pay.append(line)
        if verdict in ("give", "pay"):
            verdict = "both" if sent and pay else "again" if sent else "money"
        answer["cases"][order["no"]] = (case["first"].date().isoformat(), verdict)
        answer["again"] += [(order["no"], line["sku"], line["packets"]) for line in sent]
        if pay:
            answer["refunds"][order["no"]] = money_back(order, pay, edition)
        answer["people"][order["no"]] = case | {"sent": sent, "paid": pay}
    return answer | {"drafts": receivers(answer)}


def receivers(answer):
    """Numbers of the orders that the three letters are about."""
    refused = [no for no, (_, verdict) in answer["cases"].items() if verdict == "nothing"]
    return {  # the cases stand in the order of their first mails
        "longest": next(iter(answer["cases"])),
        "largest": max(answer["refunds"], key=lambda no: sum(answer["refunds"][no])),
        "no": refused[0],
    }


# ---------------------------------------------------------------- what is written


def pounds(amount):
    return amount / 100


def books(answer):
    refunds = [
        {"order": no, "card": pounds(card), "voucher": pounds(voucher)}
        for no, (card, voucher) in answer["refunds"].items()
    ]
    return {
        "again": [dict(zip(("order", "sku", "packets"), row)) for row in answer["again"]],
        "refunds": refunds,
        "packets_total": sum(packets for _, _, packets in answer["again"]),
        "card_total": pounds(sum(card for card, _ in answer["refunds"].values())),
        "voucher_total": pounds(sum(voucher for _, voucher in answer["refunds"].values())),
    }


def varieties(lines):
    names = [f"the {line['variety']}" for line in lines]
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def facts(answer, no):
    """Money back in pounds and packets, for the bullets."""
    money = sum(answer["refunds"].get(no, (0, 0)))
    packets = sum(packets for order, _, packets in answer["again"] if order == no)
    return f"{money / 100:.2f}" if money else "0", packets


def long_wait(person):
    text = (
        "your parcel is lost. The courier has not had it in his hands for so long that I no longer believe in it, "
        "and you have waited long enough, for it and for a word from me. I am sorry for that.\n\n"
    )
    if person["paid"]:
        return text + (
            f"I am packing {varieties(person['sent'])} for you afresh. Of {varieties(person['paid'])} there is not enough left "
            "on the shelf, so you get that money back instead."
        )
    return (
        text + f"I am packing everything for you once more: {varieties(person['sent'])}. Nothing is left for you to do."
    )


def most_money(person):
    if person["claim"] == "cancel":
        return (
            "that is no trouble at all. The courier had not touched your parcel yet, so it stays here, and you get "
            "back all that you paid, the postage included."
        )
    if person["claim"] == "dead":
        return (
            f"it was not you. When we tested that lot of {varieties(person['lines'])[4:]} again, too little came up here as well, and we "
            "should not be selling it. I am sorry for the time it took from you. You get the money back for all packets of it."
        )
    return (
        "your parcel is lost, and I am sorry. I would have sent it all again, but none of it is left in sufficient "
        "quantity, so you get back all that you paid, the postage too."
    )


def refusal(person):
    if person["claim"] == "dead":
        return (
            f"I have looked up the lot that your packet of {varieties(person['lines'])[4:]} came from. In our last test it came up well above what we ask of it, "
            "so I can't give you money for it, much as I feel with you.\n\nSeeds have moods: cold "
            "compost or a wet week can do it. If you have a few left, try them somewhere warmer."
        )
    return (
        f"we would gladly have put {varieties(person['lines'])} right for you, but your parcel came weeks before you wrote. After so "
        "long we can no longer find out what happened at the packing table, and so we neither send it again nor pay it "
        "back.\n\nThat is a pity, I know. If something is missing another time, drop me a line in the first days."
    )


WRITE = {"longest": long_wait, "largest": most_money, "no": refusal}


def letter(answer, name):
    no = answer["drafts"][name]
    person = answer["people"][no]
    money, packets = facts(answer, no)
    return f"""Dear {person["order"]["name"]},

{WRITE[name](person)}

Ottilie

- Order: {no}
- Money back: £{money}
- Packets: {packets}
"""


def write(ws, answer):
    folder = ws / "answers"
    folder.mkdir(exist_ok=True)
    table = [("order", "first", "decision"), *((no, *row) for no, row in answer["cases"].items())]
    (folder / "cases.csv").write_text("".join(",".join(row) + "\n" for row in table), "utf-8")
    (folder / "goods-and-money.json").write_text(json.dumps(books(answer), indent=2) + "\n", "utf-8")
    for name in WRITE:
        (folder / f"{name}.md").write_text(letter(answer, name), "utf-8")


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
