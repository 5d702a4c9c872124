"""The oracle: reads the folder it is given, pairs slips, works out the payouts and writes the three files."""

import csv
import datetime as dt
import email
import email.policy
import io
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

DESKS = ("box", "hire", "cafe")
SALES = {"box": "4010", "hire": "4020", "cafe": "4030"}
MONTH = "2026-10"
MONTH_END = dt.date(2026, 10, 31)
CLOCKS_BACK = dt.date(2026, 10, 25)
SMALL = 100


def table(content, separator=","):
    return list(csv.DictReader(io.StringIO(content), delimiter=separator))


def mails(ws):
    """Date, sender, text and attachments of each mail, oldest first."""
    found = []
    for path in (ws / "mail").glob("*.eml"):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        body = " ".join(message.get_body().get_content().split())
        attached = [part.get_content() for part in message.iter_attachments()]
        found.append((message["Date"].datetime, message["From"].addresses[0].username, body, attached))
    return sorted(found, key=lambda mail: mail[0])


def day_of(words):
    """`Monday 5 October` as a date."""
    return dt.datetime.strptime(words.split(" ", 1)[1] + " 2026", "%d %B %Y").date()


# --- Ostrel's rules


def read_terms(ws):
    text = (ws / "ostrel/merchant-terms-2026.md").read_text("utf-8")
    hour, minute = re.search(r"ends at (\d\d):(\d\d) UTC", text).groups()
    sheet = table((ws / "ostrel/tariff-sheet-2026.csv").read_text("utf-8"), ";")
    rates = {
        row["tariff"]: (
            {letter: round(float(row[f"{letter} %"]) * 100) for letter in "DCX"},
            int(row["pence per sale"]),
        )
        for row in sheet
    }
    texts = [body for _, sender, body, _ in mails(ws) if sender == "merchants"]
    change = next(re.search(r"from (\w) to (\w) with", body) for body in texts if "changes from" in body)
    return {
        "cutoff": int(hour) * 60 + int(minute),
        "before": rates[change[1]],
        "after": rates[change[2]],
        "starts": tariff_start(texts),
        "closed": closed_days(texts),
    }


def tariff_start(texts):
    """The last word on it."""
    named = [re.search(r"(?:with|starts with) the processing day of (\w+ \d+ \w+)", body) for body in texts]
    return day_of([match[1] for match in named if match][-1])


def closed_days(texts):
    return {day_of(d) for body in texts for d in re.findall(r"centre on (\w+ \d+ \w+)\. That day is not", body)}


def cutoff_minutes(terms, day):
    """The cut-off on UK clocks, in minutes after midnight: UTC, an hour later in summer time."""
    return terms["cutoff"] + (60 if day < CLOCKS_BACK else 0)


def processing_day(terms, when):
    day = when.date()
    return day + dt.timedelta(days=when.hour * 60 + when.minute >= cutoff_minutes(terms, day))


def pay_date(terms, day):
    for _ in range(2):
        day += dt.timedelta(days=1)
        while day.weekday() > 4 or day in terms["closed"]:
            day += dt.timedelta(days=1)
    return day


def fee(terms, day, sales):
    rates, each = terms["after" if day >= terms["starts"] else "before"]
    return (sum(line["pence"] * rates[line["class"]] for line in sales) + 5000) // 10000 + each * len(sales)


def settled_lines(ws):
    lines = []
    for row in table((ws / "ostrel/transactions.csv").read_text("utf-8-sig")):
        if row["state"] == "SETTLED":
            pence = int(row["pence"])
            row |= {"when": dt.datetime.fromisoformat(row["clock"]), "pence": pence}
            row["signed"] = pence if row["type"] == "SALE" else -pence
            lines.append(row)
    return lines


def processing_days(terms, lines):
    """(terminal, day) -> (gross, fee), for October's processing days."""
    groups = defaultdict(list)
    for line in lines:
        groups[line["terminal"], processing_day(terms, line["when"])].append(line)
    return {
        (terminal, day): (
            sum(line["signed"] for line in group),
            fee(terms, day, [line for line in group if line["type"] == "SALE"]),
        )
        for (terminal, day), group in groups.items()
        if day.month == 10
    }


# --- terminals and tills


def swaps(ws):
    """Old terminal, new terminal, moment of the exchange."""
    found = []
    for path in sorted((ws / "terminals").glob("visit-*.txt")):
        text = path.read_bytes().decode("cp1252")
        if "Unit out" in text:
            old, new = re.search(r"Unit out (\d+)", text)[1], re.search(r"Unit in\s+(\d+)", text)[1]
            moment = re.search(r"Date\s+(\S+)", text)[1] + re.search(r"in use from (\d\d:\d\d)", text)[1]
            found.append((old, new, dt.datetime.strptime(moment, "%d.%m.%Y%H:%M")))
    return found


def desk_by_terminal(ws):
    rows = table((ws / "terminals/register-2026-09.tsv").read_text("utf-8"), "\t")
    desks = {row["terminal"]: row["till"].lower() for row in rows}
    for old, new, _ in swaps(ws):
        desks[new] = desks[old]
    return desks


def till_desk(till):
    return "cafe" if till == "RINKSIDE" else till.lower()


def terminal_at(ws, desk, when):
    rows = table((ws / "terminals/register-2026-09.tsv").read_text("utf-8"), "\t")
    terminal = next(row["terminal"] for row in rows if row["till"].lower() == desk)
    for old, new, moment in swaps(ws):
        if terminal == old and when >= moment:
            terminal = new
    return terminal


def corrected_list(ws):
    """Tove's last list."""
    return next(table(m[3][0], ";") for m in reversed(mails(ws)) if m[1] == "tove" and m[3])


def card_receipts(ws):
    export = table((ws / "tills/takings-2026-10.csv").read_bytes().decode("cp1252"), ";")
    right = corrected_list(ws)
    replaced = {(row["Till"], row["Date"]) for row in right}
    rows = [row for row in export if (row["Till"], row["Date"]) not in replaced] + right
    receipts = []
    for row in rows:
        if row["Tender"] in ("Card", "Contactless"):
            when = dt.datetime.strptime(f"{row['Date']} {row['Time']}", "%d/%m/%Y %H:%M")
            pence = round(float(row["Amount"].replace("£", "")) * 100)
            desk = till_desk(row["Till"])
            receipts.append({"no": row["Receipt"], "when": when, "desk": desk, "pence": pence, "slip": row["Slip"]})
    return sorted(receipts, key=lambda r: r["when"])


# --- bank and journal


def bank_credits(ws):
    """(last four digits, day) -> pence of each payout."""
    text = (ws / "bank/october-2026.ofx").read_text("ascii")
    found = re.findall(r"<DTPOSTED>(\d{8})\s+<TRNAMT>(\S+)\s+<FITID>\S+\s+<NAME>[^\n]*\n<MEMO>PAYOUT (\d{4})", text)
    return {(tail, dt.datetime.strptime(day, "%Y%m%d").date()): round(float(sum_) * 100) for day, sum_, tail in found}


def accepted_chargebacks(ws):
    """(terminal, payment day) of each chargeback that Tove has accepted."""
    bodies = [(sender, body) for _, sender, body, _ in mails(ws)]
    yes = {case for who, body in bodies if who == "tove" for case in re.findall(r"Case (\d+) is our own fault", body)}
    cases = re.findall(
        r"case (\d+): terminal (\d+), \S+, taken off the payout of (\w+ \d+ \w+)",
        " ".join(body for who, body in bodies if who == "merchants"),
    )
    return {(terminal, day_of(day)) for case, terminal, day in cases if case in yes}


def status(due, received, payday):
    if payday > MONTH_END:
        return "transit"
    if received is None:
        return "unpaid"
    return "agrees" if received == due else "short" if received < due else "over"


def till_entries(ws, lines, receipts):
    """document -> {account: pence}: what the tills got wrong."""
    by_slip = {(line["terminal"], line["slip"]): line for line in lines}
    desks, seen, journal = desk_by_terminal(ws), set(), {}
    for receipt in receipts:
        sales = SALES[receipt["desk"]]
        if not receipt["slip"]:
            journal[receipt["no"]] = {"1100": receipt["pence"], "1250": -receipt["pence"]}
            continue
        slip = (terminal_at(ws, receipt["desk"], receipt["when"]), receipt["slip"])
        missing = -receipt["pence"] if slip in seen else by_slip[slip]["signed"] - receipt["pence"]
        seen.add(slip)
        if missing:
            journal[receipt["no"]] = {"1250": missing, sales: -missing}
    for slip, line in by_slip.items():
        if slip not in seen and line["clock"].startswith(MONTH):
            journal[line["transaction"]] = {"1250": line["signed"], SALES[desks[line["terminal"]]]: -line["signed"]}
    return journal


def other_side(ws, key, off):
    """The account that takes what a payout is off by."""
    if off < 0 and key in accepted_chargebacks(ws):
        return SALES[desk_by_terminal(ws)[key[0]]]
    return "7390" if abs(off) <= SMALL else "1260" if off < 0 else "2350"


def derive(ws):
    terms, lines, receipts, desks = read_terms(ws), settled_lines(ws), card_receipts(ws), desk_by_terminal(ws)
    credit, by_payout, fees = bank_credits(ws), defaultdict(lambda: [0, 0]), defaultdict(int)
    for (terminal, day), (gross, charged) in processing_days(terms, lines).items():
        payout = by_payout[terminal, pay_date(terms, day)]
        payout[0] += gross
        payout[1] += charged
        fees[desks[terminal]] += charged
    journal = {f"FEES-{desk.upper()}": {"7310": fees[desk], "1250": -fees[desk]} for desk in DESKS}
    journal |= till_entries(ws, lines, receipts)
    payouts = []
    for (terminal, payday), (gross, charged) in sorted(by_payout.items()):
        due, received = gross - charged, credit.get((terminal[-4:], payday))
        verdict = status(due, received, payday)
        payouts.append((terminal, payday.isoformat(), gross, charged, due, received or 0, verdict))
        off = (received or 0) - due
        if off and verdict != "transit":
            journal[f"{terminal[-4:]}/{payday}"] = {other_side(ws, (terminal, payday), off): -off, "1250": off}
    return {
        "payouts": payouts,
        "journal": journal,
        "differences": differences(terms, lines, receipts, desks, fees, payouts, journal),
    }


def differences(terms, lines, receipts, desks, fees, payouts, journal):
    answer = {}
    for desk in DESKS:
        mine = [line for line in lines if desks[line["terminal"]] == desk and line["clock"].startswith(MONTH)]
        booked = sum(receipt["pence"] for receipt in receipts if receipt["desk"] == desk)
        taken = sum(line["signed"] for line in mine)
        after = sum(line["signed"] for line in mine if processing_day(terms, line["when"]) > MONTH_END)
        answer[desk] = dict(booked=booked, taken=taken, difference=booked - taken, fees=fees[desk], after_cutoff=after)
    transit = sum(row[4] for row in payouts if row[6] == "transit")
    on = lambda account: sum(entry.get(account, 0) for entry in journal.values())
    answer["totals"] = {
        "due": sum(row[4] for row in payouts),
        "received": sum(row[5] for row in payouts),
        "in_transit": transit,
        "to_claim": on("1260"),
        "to_repay": -on("2350"),
        "clearing": transit + sum(answer[desk]["after_cutoff"] for desk in DESKS),
    }
    return answer


def pounds(pence):
    return f"{'-' if pence < 0 else ''}{abs(pence) // 100}.{abs(pence) % 100:02d}"


def write(ws, answer):
    folder = ws / "reconciliation"
    folder.mkdir(exist_ok=True)
    lines = ["terminal,pay_date,gross,fee,due,received,status"]
    lines += [",".join([*row[:2], *map(pounds, row[2:6]), row[6]]) for row in answer["payouts"]]
    (folder / "payouts.csv").write_bytes(("\n".join(lines) + "\n").encode())
    tree = {
        name: {member: pence / 100 for member, pence in group.items()} for name, group in answer["differences"].items()
    }
    (folder / "differences.json").write_bytes((json.dumps(tree, indent=2) + "\n").encode())
    lines = ["document\taccount\tamount"]
    for document, entry in answer["journal"].items():
        lines += [f"{document}\t{account}\t{pounds(pence)}" for account, pence in entry.items()]
    (folder / "journal.tsv").write_bytes(("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, derive(workspace))
