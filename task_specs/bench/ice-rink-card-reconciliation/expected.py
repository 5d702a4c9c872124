"""The second derivation, from the pristine workspace: clocks turned to UTC, everything joined and summed in SQL."""

import csv
import io
import re
import sqlite3
from bisect import bisect_right
from datetime import datetime, timedelta
from email import policy
from email.parser import BytesParser

DAY = r"(\d+) (October|November)"
SCHEMA = """
create table line(id, terminal, slip, clock, pday, pay, class, sale, pence);
create table receipt(no, at, desk, terminal, slip, pence);
create table rate(class, first, last, bp, each);
create table desk(terminal, name, sales);
create table credit(tail, day, pence);
create view fee as
  select terminal, pday, pay, sum(gross) as gross, (sum(charge) + 5000) / 10000 + sum(each) as fee from (
    select l.terminal, l.pday, l.pay, case when sale then pence else -pence end as gross,
           case when sale then pence * bp else 0 end as charge, case when sale then each else 0 end as each
    from line l join rate r on r.class = l.class and l.pday >= r.first and l.pday < r.last)
  where pday between '2026-10-01' and '2026-10-31' group by terminal, pday;
create view payout as
  select p.*, c.pence as received from (
    select terminal, pay, sum(gross) as gross, sum(fee) as fee, sum(gross) - sum(fee) as due from fee group by terminal, pay) p
  left join credit c on c.tail = substr(p.terminal, 5) and c.day = p.pay;
create view pair as
  select r.*, l.id, case when l.sale then l.pence else -l.pence end as slip_pence,
         row_number() over (partition by r.terminal, r.slip order by r.at) as turn
  from receipt r left join line l on l.terminal = r.terminal and l.slip = r.slip and r.slip <> '';
"""


def rows(raw, codec, delimiter):
    return list(csv.reader(io.StringIO(raw.decode(codec)), delimiter=delimiter))[1:]


def letters(workspace):
    """Sent, sender's address, text in one line, attached bytes or None; oldest first."""
    found = []
    for path in (workspace / "mail").iterdir():
        message = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
        plain = message.get_body(("plain",)).get_payload(decode=True).decode("utf-8")
        extra = [part.get_payload(decode=True) for part in message.walk() if part.get_filename()]
        found.append(
            (message["Date"].datetime, str(message["From"]), " ".join(plain.split()), extra[0] if extra else None)
        )
    return sorted(found, key=lambda letter: letter[0])


def iso(day, month):
    return f"2026-{'10' if month == 'October' else '11'}-{int(day):02d}"


def notices(texts):
    """First day of the new tariff, both letters, days without payment; a later text overrides an earlier one."""
    start, pair, closed = None, None, []
    for text in texts:
        for found in re.finditer(rf"processing day of \w+ {DAY}", text):
            start = iso(*found.groups())
            break
        pair = next((m.groups() for m in re.finditer(r"tariff changes from (.) to (.)", text)), pair)
        closed += [iso(*m.groups()) for m in re.finditer(rf"{DAY}\. That day is not a payment day", text)]
    return start, pair, closed


def pay_days(closed):
    every = (datetime(2026, 9, 1) + timedelta(days=n) for n in range(90))
    return [d.date().isoformat() for d in every if d.isoweekday() < 6 and d.date().isoformat() not in closed]


def utc(clock):
    return clock - timedelta(hours=1) if clock < datetime(2026, 10, 25, 2) else clock


def load_rates(db, workspace, start, pair):
    for letter, first, last in ((pair[0], "0000", start), (pair[1], start, "9999")):
        sheet = rows((workspace / "ostrel/tariff-sheet-2026.csv").read_bytes(), "ascii", ";")
        _, *percents, each = next(r for r in sheet if r[0] == letter)
        for kind, percent in zip("DCX", percents):
            db.execute(
                "insert into rate values (?,?,?,?,?)", (kind, first, last, int(percent.replace(".", "")), int(each))
            )


def load_lines(db, workspace, open_days):
    terms = (workspace / "ostrel/merchant-terms-2026.md").read_text("utf-8").split()
    end = timedelta(hours=int(terms[terms.index("UTC,") - 1][:2]), minutes=int(terms[terms.index("UTC,") - 1][3:]))
    for name, terminal, slip, clock, kind, card, pence, state in rows(
        (workspace / "ostrel/transactions.csv").read_bytes(), "utf-8-sig", ","
    ):
        day = (utc(datetime.strptime(clock, "%Y-%m-%d %H:%M")) + timedelta(days=1) - end).date().isoformat()
        pay = open_days[bisect_right(open_days, day) + 1]
        if state == "SETTLED":
            values = (name, terminal, slip, clock, day, pay, card, kind == "SALE", int(pence))
            db.execute("insert into line values (?,?,?,?,?,?,?,?,?)", values)


def load_desks(db, workspace):
    """Fills `desk`; returns the stays as (desk, from, terminal), latest first."""
    stays = []
    for terminal, till, *_ in rows((workspace / "terminals/register-2026-09.tsv").read_bytes(), "utf-8", "\t"):
        stays.append((till.lower(), "", terminal))
    for path in (workspace / "terminals").glob("visit*"):
        words = path.read_bytes().decode("cp1252").split()
        if "out" in words:
            old, new = words[words.index("out") + 1], words[words.index("in") + 1]
            day, month, year = words[words.index("Date") + 1].split(".")
            name = next(desk for desk, _, terminal in stays if terminal == old)
            stays.append((name, f"{year}-{month}-{day} {words[words.index('from') + 1]}", new))
    account = {"box": "4010", "hire": "4020", "cafe": "4030"}
    db.executemany("insert into desk values (?,?,?)", [(terminal, name, account[name]) for name, _, terminal in stays])
    return sorted(stays, key=lambda stay: stay[1], reverse=True)


def load_receipts(db, workspace, stays, right):
    stale = {tuple(row[1:4:2]) for row in right}
    for row in rows((workspace / "tills/takings-2026-10.csv").read_bytes(), "cp1252", ";"):
        if tuple(row[1:4:2]) not in stale:
            right = [*right, row]
    for number, day, time, till, tender, amount, slip in right:
        if tender in {"Card", "Contactless"}:
            at = f"{day[6:]}-{day[3:5]}-{day[:2]} {time}"
            desk = {"BOX": "box", "HIRE": "hire"}.get(till, "cafe")
            terminal = next(unit for name, since, unit in stays if name == desk and since <= at)
            pence = int(amount.replace("£", "").replace(".", ""))
            db.execute("insert into receipt values (?,?,?,?,?,?)", (number, at, desk, terminal, slip, pence))


def load_credits(db, workspace):
    for block in (workspace / "bank/october-2026.ofx").read_text("ascii").split("<STMTTRN>")[1:]:
        field = dict(line[1:].split(">", 1) for line in block.split() if line.startswith("<") and ">" in line)
        if "PAYOUT " in block:
            day = field["DTPOSTED"]
            day = f"{day[:4]}-{day[4:6]}-{day[6:]}"
            tail = block.split("PAYOUT ")[1][:4]
            db.execute("insert into credit values (?,?,?)", (tail, day, int(field["TRNAMT"].replace(".", ""))))


def accepted(post):
    """{(terminal, payment day)} of the chargebacks that Tove calls our own fault."""
    cases = {}
    for _, sender, text, _ in post:
        for case, terminal, day, month in re.findall(rf"case (\d+): terminal (\d+).*?payout of \w+ {DAY}", text):
            cases[case] = (terminal, iso(day, month))
    said = " ".join(text for _, sender, text, _ in post if "Tove" in sender)
    return {place for case, place in cases.items() if f"Case {case} is our own fault" in said}


def load(workspace):
    db = sqlite3.connect(":memory:")
    db.executescript(SCHEMA)
    post = letters(workspace)
    start, pair, closed = notices([text for _, sender, text, _ in post if "Ostrel" in sender])
    load_rates(db, workspace, start, pair)
    load_lines(db, workspace, pay_days(closed))
    stays = load_desks(db, workspace)
    lists = [extra for _, sender, _, extra in post if extra and "Tove" in sender]
    load_receipts(db, workspace, stays, rows(lists[-1], "utf-8", ";"))
    load_credits(db, workspace)
    return db, accepted(post)


def verdict(due, received, pay):
    if pay > "2026-10-31":
        return "transit"
    if received is None:
        return "unpaid"
    return ("agrees", "over", "short")[(received > due) - (received < due)]


def till_entries(db):
    """(document, account of the other side, pence on 1250)."""
    sales = dict(db.execute("select name, sales from desk"))
    for number, desk, slip, pence, right, turn in db.execute(
        "select no, desk, slip, pence, slip_pence, turn from pair"
    ):
        if slip == "":
            yield number, "1100", -pence
        elif turn > 1:
            yield number, sales[desk], -pence
        elif right != pence:
            yield number, sales[desk], right - pence
    yield from db.execute(
        "select l.id, d.sales, case when l.sale then l.pence else -l.pence end from line l join desk d using (terminal) "
        "where substr(l.clock, 1, 7) = '2026-10' and l.id not in (select id from pair where id is not null)"
    )


def payout_entries(db, ours):
    sales = dict(db.execute("select terminal, sales from desk"))
    for terminal, pay, due, received in db.execute(
        "select terminal, pay, due, received from payout where pay < '2026-11'"
    ):
        off = (received or 0) - due
        if off:
            account = "7390" if abs(off) <= 100 else "1260" if off < 0 else "2350"
            if off < 0 and (terminal, pay) in ours:
                account = sales[terminal]
            yield f"{terminal[4:]}/{pay}", account, off


def journal(db, ours):
    entries = {}
    fees = db.execute("select upper(name), -sum(fee) from fee join desk using (terminal) group by name")
    found = [(f"FEES-{name}", "7310", pence) for name, pence in fees]
    for document, account, pence in [*found, *till_entries(db), *payout_entries(db, ours)]:
        entries[f"{document}|1250"], entries[f"{document}|{account}"] = pence, -pence
    return entries


def by_desk(db):
    one = lambda query, name: db.execute(query, (name,)).fetchone()[0] or 0
    signed = (
        "select sum(case when sale then pence else -pence end) from line join desk using (terminal) where name = ? and "
    )
    values = {}
    for name in ("box", "hire", "cafe"):
        booked = one("select sum(pence) from receipt where desk = ?", name)
        taken = one(signed + "substr(clock, 1, 7) = '2026-10'", name)
        values |= {
            f"{name}.booked": booked,
            f"{name}.taken": taken,
            f"{name}.difference": booked - taken,
            f"{name}.fees": one("select sum(fee) from fee join desk using (terminal) where name = ?", name),
            f"{name}.after_cutoff": one(signed + "clock like '2026-10-%' and pday = '2026-11-01'", name),
        }
    return values


def totals(db, entries, desks):
    due, received = db.execute("select sum(due), sum(received) from payout").fetchone()
    transit = db.execute("select sum(due) from payout where pay > '2026-10-31'").fetchone()[0]
    on = lambda account: sum(pence for key, pence in entries.items() if key.endswith(account))
    late = sum(value for name, value in desks.items() if name.endswith("after_cutoff"))
    found = dict(
        due=due,
        received=received,
        in_transit=transit,
        to_claim=on("|1260"),
        to_repay=-on("|2350"),
        clearing=transit + late,
    )
    return {f"totals.{name}": pence for name, pence in found.items()}


def pounds(values):
    return {name: pence / 100 for name, pence in values.items()}


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    db, ours = load(workspace)
    payouts = {
        f"{terminal}|{pay}": (
            pounds(dict(gross=gross, fee=fee, due=due)),
            (received or 0) / 100,
            verdict(due, received, pay),
        )
        for terminal, pay, gross, fee, due, received in db.execute("select * from payout")
    }
    entries, desks = journal(db, ours), by_desk(db)
    return {
        "payout_keys": sorted(payouts),
        "dues": {key: row[0] for key, row in payouts.items()},
        "verdicts": {key: {"due": row[0]["due"], "received": row[1], "status": row[2]} for key, row in payouts.items()},
        "desks": pounds(desks),
        "totals": pounds(totals(db, entries, desks)),
        "journal": {key: {"amount": pence / 100} for key, pence in entries.items()},
    }
