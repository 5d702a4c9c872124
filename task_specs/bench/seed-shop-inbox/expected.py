"""The second derivation, from the pristine workspace: pence as whole numbers, days counted in whole weeks."""

import mailbox
from datetime import date, datetime
from email.header import decode_header, make_header
from email.utils import parseaddr, parsedate_to_datetime

TODAY = date(2027, 3, 22)
MONTHS = "January February March April May June July August September October November December".split()
COMPLAINTS = (  # words that must stand together, and what is complained of
    ("waiting", "late"),
    ("arrived", "late"),
    ("no sign", "late"),
    ("not come. ", "late"),
    ("turned up", "late"),
    ("not in", "short"),
    ("missing", "short"),
    ("looked twice", "short"),
    ("instead", "short"),
    ("come up", "dead"),
    ("came up", "dead"),
    ("cancel", "cancel"),
    ("call off", "cancel"),
)


def lines_of(workspace, name, separator=",", codec="utf-8-sig"):
    head, *rest = (workspace / name).read_bytes().decode(codec).replace("\r", "").strip().split("\n")
    return [dict(zip(head.split(separator), line.split(separator))) for line in rest]


def cents(text):
    whole, part = text.split(".")
    return int(whole) * 100 + int(part)


def book_of_orders(workspace):
    variety = {row["sku"]: (row["variety"], row["kind"]) for row in lines_of(workspace, "stock/catalogue.csv")}
    orders = {row["order"]: row | {"lines": []} for row in lines_of(workspace, "orders/orders-2027.csv", ";", "cp1252")}
    for row in lines_of(workspace, "orders/lines-2027.csv", ";", "cp1252"):
        order = orders[row["order"]]
        row["variety"], row["kind"] = variety[row["sku"]]
        row["paid"] = (int(row["packets"]) * cents(row["price each"]) * (100 - int(order["discount %"])) + 50) // 100
        row["packets"] = int(row["packets"])
        order["lines"].append(row)
    return orders


def post(workspace):
    """Moment, name of the sender, text without quoted lines."""
    for message in mailbox.mbox(workspace / "inbox/march.mbox", create=False):
        text = message.get_payload(decode=True).decode()
        own = " ".join(line for line in text.split("\n") if line[:1] != ">")
        name = str(make_header(decode_header(parseaddr(message["From"])[0])))
        yield parsedate_to_datetime(message["Date"]).replace(tzinfo=None), name, own


def number_in(text):
    """The number of an order as it is written in a mail, or None."""
    words = text.replace("SB-", "SB ").split()
    digits = [after.strip(".,:;()?") for before, after in zip(words, words[1:]) if before.strip("(,.") in ("SB", "no")]
    return next((f"SB-{four}" for four in digits if len(four) == 4 and four.isdigit()), None)


def claimed(workspace, orders):
    """By number: the first moment, the complaint, the text that holds it."""
    found, settled = {}, set()
    for at, name, text in sorted(post(workspace)):
        number = number_in(text)
        if number is None:
            own = [no for no, order in orders.items() if order["name"] == name and order["town"] in text]
            number = next((no for no in own if any(line["variety"] in text for line in orders[no]["lines"])), None)
        complaint = next((kind for words, kind in COMPLAINTS if words in text), None)
        if number and "please forget" in text:
            settled.add(number)
        elif number and complaint:
            found.setdefault(number, (at, complaint, text))
    return {number: what for number, what in found.items() if number not in settled}


def day_in(text):
    day, month, year = text.split()[:3]
    return date(int(year), next(n for n, name in enumerate(MONTHS, 1) if name.startswith(month[:3])), int(day))


def rules(workspace, ordered):
    """Days until a parcel is lost, days to report, and whether a voucher is filled first, for an order of that day."""
    editions = []
    for path in (workspace / "terms").iterdir():
        text = path.read_text("utf-8")
        since = day_in(text.split("orders from ")[1])
        lost, report = text.split("courier lies ")[1].split()[0], text.split("Tell us within ")[1].split()[0]
        editions.append((since, int(lost), int(report), "goes onto a voucher" in text))
    return max(edition for edition in editions if edition[0] <= ordered)[1:]


def weekdays_after(day):
    """Mondays to Fridays after `day` up to today: whole weeks, then what remains."""
    weeks, rest = divmod((TODAY - day).days, 7)
    return 5 * weeks + sum((day.weekday() + n) % 7 < 5 for n in range(1, rest + 1))


def tracks(workspace):
    """By parcel its scans in order of time."""
    found = {}
    for row in lines_of(workspace, "courier/export-2027-03-22.csv"):
        if row["code"] != "90":
            found.setdefault(row["parcel"], []).append((datetime.fromisoformat(row["time"]), row["code"]))
    return {parcel: sorted(scans) for parcel, scans in found.items()}


def good_lots(workspace):
    """By lot what came up in its latest test."""
    rows = lines_of(workspace, "seed-room/tests.tsv", "\t")
    ordered = sorted(rows, key=lambda row: day_in(row["tested"]))
    return {row["lot"]: int(row["came up"].split()[0]) for row in ordered}


def least(workspace, kind):
    words = (workspace / "seed-room/minimum.txt").read_text("utf-8").split()
    return int(words[words.index(kind) + 1])


def word_for(workspace, order, claim, scans):
    """The outcome that needs no look at the stock, or `serve` or `pay`."""
    at, complaint, text = claim
    day, month, year = map(int, order["date"].split("/"))
    lost, report, _ = rules(workspace, date(year, month, day))
    if complaint == "cancel":
        return "pay" if not scans or scans[0][0] >= at else "return"
    if complaint == "late":
        if scans[-1][1] in ("34", "36"):
            return "collect"
        return "serve" if weekdays_after(scans[-1][0].date()) >= lost else "wait"
    if complaint == "short":
        there = [when.date() for when, code in scans if code == "31"][0]
        return "serve" if (at.date() - there).days <= report else "nothing"
    (line,) = (line for line in order["lines"] if line["variety"] in text)
    return "pay" if good_lots(workspace)[line["lot"]] < least(workspace, line["kind"]) else "nothing"


def shares(workspace, order, paid):
    """Pounds to the card and onto a voucher."""
    postage = cents(order["postage"])
    whole = sum(line["paid"] for line in order["lines"]) + postage
    total = sum(line["paid"] for line in paid) + (postage if len(paid) == len(order["lines"]) else 0)
    day, month, year = map(int, order["date"].split("/"))
    by_voucher = cents(order["paid by voucher"])
    first = rules(workspace, date(year, month, day))[2]
    voucher = min(total, by_voucher) if first else max(0, total - (whole - by_voucher))
    return {"card": (total - voucher) / 100, "voucher": voucher / 100}


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    orders, journeys = book_of_orders(workspace), tracks(workspace)
    stock = {row["sku"]: int(row["packets"]) for row in lines_of(workspace, "stock/count-2027-03-20.csv")}
    for order in orders.values():
        for line in order["lines"]:
            stock[line["sku"]] -= line["packets"] if order["status"] == "open" else 0
    claims = claimed(workspace, orders)
    cases, again, refunds = {}, {}, {}
    for number in sorted(claims, key=lambda no: claims[no][0]):
        order, (at, complaint, text) = orders[number], claims[number]
        whole = complaint in ("late", "cancel")
        about = [line for line in order["lines"] if whole or line["variety"] in text]
        word = word_for(workspace, order, claims[number], journeys.get(order["parcel"], []))
        short = list(about) if word == "pay" else []
        for line in about if word == "serve" else []:
            if stock[line["sku"]] < line["packets"]:
                short.append(line)
            else:
                stock[line["sku"]] -= line["packets"]
                again[f"{number}|{line['sku']}"] = {"packets": line["packets"]}
        if word in ("serve", "pay"):
            word = "money" if len(short) == len(about) else "both" if short else "again"
        if short:
            refunds[number] = shares(workspace, order, short)
        cases[number] = {"first": at.date().isoformat(), "decision": word}
    values = {
        "cases": cases,
        "again": again,
        "refunds": refunds,
        "totals": {
            "packets_total": sum(row["packets"] for row in again.values()),
            "card_total": round(sum(row["card"] for row in refunds.values()), 2),
            "voucher_total": round(sum(row["voucher"] for row in refunds.values()), 2),
        },
    }
    back = {number: round(row["card"] + row["voucher"], 2) for number, row in refunds.items()}
    chosen = {
        "longest": list(cases)[0],
        "largest": max(back, key=back.get),
        "no": next(number for number, row in cases.items() if row["decision"] == "nothing"),
    }
    for name, number in chosen.items():
        values[f"{name}_order"] = number
        values[f"not_{name}_order"] = sorted(orders.keys() - {number})
        values[f"{name}_money"] = back.get(number, 0)
        values[f"{name}_packets"] = sum(row["packets"] for key, row in again.items() if key.split("|")[0] == number)
    return values
