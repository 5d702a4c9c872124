"""Writes a workspace for this task: the same rink and month, other terminals, takings, tariffs, slips and mistakes."""

import datetime as dt
import itertools
import random
import re
from collections import defaultdict
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

SLUG = "ice-rink-card-reconciliation"
FIRST, LAST, END = dt.date(2026, 9, 30), dt.date(2026, 11, 1), dt.date(2026, 10, 31)
CLOCKS_BACK = dt.date(2026, 10, 25)
DESKS = ("box", "hire", "cafe")
SALES = {"box": "4010", "hire": "4020", "cafe": "4030"}
OPEN = {
    1: (12, 21),
    2: (12, 21),
    3: (12, 21),
    4: (10, 22),
    5: (10, 22),
    6: (10, 21),
}  # weekday: hours; closed on Mondays
STEWARDS = ("Ilse", "Marek", "Oonagh", "Dell", "Tarn", "Biba", "Corin", "Wanda", "Ffion", "Joss", "Peg", "Anselm")
FIGURE = re.compile(r"\d+\.\d+|\d+")


def days(first, last):
    return [first + dt.timedelta(days=n) for n in range((last - first).days + 1)]


def pounds(pence):
    return f"{'-' if pence < 0 else ''}{abs(pence) // 100}.{abs(pence) % 100:02d}"


def transposed(pence):
    """The amount with two neighbouring digits changed over, or None where that changes nothing."""
    digits = str(pence)
    for at in range(len(digits) - 1):
        swapped = digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :]
        if swapped != digits and swapped[0] != "0":
            return int(swapped)
    return None


class World:
    """One October: what was sold, what the till recorded, what Ostrel owes and what the bank received."""

    def __init__(self, seed, attempt):
        self.rng = random.Random(f"{SLUG}:{seed}" + (f":{attempt}" if attempt else ""))
        self._terms()
        self._terminals()
        self._transactions()
        self._payouts()
        self._receipts()
        self._bank()

    def _terms(self):
        rng = self.rng
        self.cutoff_utc = rng.choice([19 * 60, 19 * 60 + 30, 20 * 60 - 15])  # minutes after midnight
        self.no_payment_day = rng.choice([dt.date(2026, 10, d) for d in (8, 9, 13, 14, 15, 16, 20, 21)])
        self.tariff_noticed = dt.date(2026, 10, rng.choice([5, 6, 7, 8]))
        self.tariff_starts = dt.date(2026, 10, rng.choice([15, 19, 20, 22]))
        letters = rng.sample("ABCDEFGH", 5)
        self.old_letter, self.new_letter = sorted(letters[:2])
        self.tariffs = {
            letter: (rng.randrange(70, 130), rng.randrange(135, 210), rng.randrange(240, 330), rng.randrange(2, 7))
            for letter in sorted(letters)
        }
        self.fix_day = dt.date(2026, 10, rng.choice([10, 11, 17, 18]))
        self.rename_day = dt.date(2026, 10, rng.choice([14, 15, 20, 21]))

    def _terminals(self):
        rng = self.rng
        tails = rng.sample(range(1000, 9999), 4)
        self.box, self.hire_old, self.hire_new, self.cafe = (f"70{rng.randrange(11, 99)}{tail}" for tail in tails)
        self.swap = dt.datetime(2026, 10, rng.choice([13, 14, 20, 22]), 15, rng.randrange(3, 57))
        start = rng.randrange(310, 560)
        self.next_slip = {
            self.box: rng.randrange(1210, 1900),
            self.hire_old: start,
            self.hire_new: start + rng.randrange(6, 14),
            self.cafe: rng.randrange(2310, 2900),
        }
        self.steward = rng.sample(STEWARDS, 4)

    def desk_of(self, terminal):
        return {self.box: "box", self.cafe: "cafe"}.get(terminal, "hire")

    def terminal_at(self, desk, when):
        if desk == "hire":
            return self.hire_old if when < self.swap else self.hire_new
        return self.box if desk == "box" else self.cafe

    def cutoff(self, day):
        """The cut-off as the rink's clocks show it."""
        minutes = self.cutoff_utc + (60 if day < CLOCKS_BACK else 0)
        return dt.datetime.combine(day, dt.time(minutes // 60, minutes % 60))

    def processing_day(self, when):
        day = when.date()
        return day + dt.timedelta(days=1) if when >= self.cutoff(day) else day

    def pay_date(self, day):
        left = 2
        while left:
            day += dt.timedelta(days=1)
            left -= day.weekday() < 5 and day != self.no_payment_day
        return day

    # --- what went through the terminals

    def _amount(self, desk):
        """Pence; always an amount that can be mistyped."""
        while True:
            pence = self._price(desk)
            if transposed(pence):
                return pence

    def _price(self, desk):
        rng = self.rng
        if desk == "box":
            return rng.randrange(1, 5) * 850 + rng.randrange(4) * 620 + rng.randrange(2) * 210
        if desk == "hire":
            return rng.randrange(1, 7) * 370 + rng.randrange(3) * 130
        return rng.randrange(240, 3150, 5) + rng.choice([0, 0, 4])

    def _times(self, day):
        """Minutes of the day at which a desk takes a card: always two by day, and mostly one or two around the cut-off."""
        rng = self.rng
        opens, closes = (60 * hour for hour in OPEN[day.weekday()])
        cut = self.cutoff(day).hour * 60 + self.cutoff(day).minute
        times = set(rng.sample(range(opens + 10, min(cut - 70, 18 * 60)), 2))
        if day in (FIRST, END):
            times |= {cut + rng.randrange(4, 20), min(cut + rng.randrange(24, 50), closes - 1)}
        elif day == self.fix_day or rng.random() < 0.8:
            times |= {rng.randrange(cut - 60, min(cut + 62, closes))}
        if day in (dt.date(2026, 10, 7), dt.date(2026, 10, 29)):
            times.add(cut)  # on the stroke
        return sorted(times)

    def _transactions(self):
        rng = self.rng
        lines = []
        for day in days(FIRST, LAST):
            for desk in DESKS if day.weekday() else ():
                for minute in self._times(day):
                    when = dt.datetime.combine(day, dt.time(minute // 60, minute % 60))
                    card = rng.choices("DCX", (6, 3, 1))[0]
                    lines.append(self._line(desk, when, "SALE", card, self._amount(desk), "SETTLED"))
        sales = [line for line in lines if dt.date(2026, 10, 2) <= line["when"].date() <= dt.date(2026, 10, 29)]
        for desk in DESKS:
            mine = [s for s in sales if s["desk"] == desk and s["when"].hour < 18 and s["when"].date() != self.fix_day]
            for sale in rng.sample(mine, 2):
                later = sale["when"] + dt.timedelta(minutes=rng.randrange(21, 55))
                lines.append(self._line(desk, later, "REFUND", sale["class"], sale["pence"], "SETTLED"))
        for state in ("DECLINED",) * 6 + ("VOID",) * 3:
            sale = rng.choice(sales)
            before = sale["when"] - dt.timedelta(minutes=1)
            lines.append(self._line(sale["desk"], before, "SALE", sale["class"], sale["pence"], state))
        twin = rng.choice([s for s in sales if s["desk"] == "box" and s["when"].hour < 17])
        lines.append(self._line("box", twin["when"] + dt.timedelta(minutes=2), "SALE", "D", twin["pence"], "SETTLED"))
        self._number(lines)

    def _line(self, desk, when, kind, card, pence, state):
        terminal = self.terminal_at(desk, when)
        return {
            "desk": desk,
            "terminal": terminal,
            "when": when,
            "type": kind,
            "class": card,
            "pence": pence,
            "state": state,
        }

    def _number(self, lines):
        lines.sort(key=lambda line: (line["when"], line["desk"]))
        number = self.rng.randrange(310_000, 480_000)
        for line in lines:
            number += self.rng.randrange(3, 90)
            line["id"] = f"OT{number}"
            line["slip"] = f"{self.next_slip[line['terminal']]:04d}"
            self.next_slip[line["terminal"]] += 1
            line["signed"] = line["pence"] if line["type"] == "SALE" else -line["pence"]
        self.lines = lines
        self.settled = [line for line in lines if line["state"] == "SETTLED"]

    # --- what Ostrel owes

    def fee(self, day, sales):
        """Pence, and how near the unrounded fee comes to a half penny."""
        rates = self.tariffs[self.new_letter if day >= self.tariff_starts else self.old_letter]
        exact = sum(line["pence"] * rates["DCX".index(line["class"])] for line in sales)
        return (exact + 5000) // 10000 + len(sales) * rates[3], abs(exact % 10000 - 5000)

    def _payouts(self):
        by_day = defaultdict(list)
        for line in self.settled:
            by_day[line["terminal"], self.processing_day(line["when"])].append(line)
        self.payouts = defaultdict(lambda: [0, 0])  # October's part: gross, fee
        self.whole = defaultdict(int)
        self.fees = defaultdict(int)
        self.nearest_half = 10_000
        for (terminal, day), lines in by_day.items():
            fee, distance = self.fee(day, [line for line in lines if line["type"] == "SALE"])
            self.nearest_half = min(self.nearest_half, distance)
            if day.month == 10:
                payout = self.payouts[terminal, self.pay_date(day)]
                payout[0] += sum(line["signed"] for line in lines)
                payout[1] += fee
                self.fees[self.desk_of(terminal)] += fee

    # --- what the till recorded

    def _receipts(self):
        rng = self.rng
        receipts = []
        for line in self.settled:
            if line["when"].date().month == 10:
                tender = rng.choice(["Card", "Contactless", "Contactless"])
                when = line["when"] - dt.timedelta(minutes=1)
                receipts.append(self._receipt(line["desk"], when, tender, line["signed"], line["slip"], line))
        for day in days(dt.date(2026, 10, 1), END):
            for desk in DESKS if day.weekday() else ():
                when = dt.datetime.combine(day, dt.time(rng.randrange(13, 19), rng.randrange(60)))
                tender = rng.choice(["Cash", "Cash", "Cash", "Voucher"])
                receipts.append(self._receipt(desk, when, tender, self._amount(desk), "", None))
        receipts += self._mistakes(receipts)
        training = [
            self._receipt(
                "box", dt.datetime.combine(self.fix_day, dt.time(10, 2 + n)), "Card", pence, f"900{n + 1}", None
            )
            for n, pence in enumerate([1000, 2000, 1000])
        ]
        receipts += training
        receipts.sort(key=lambda r: (r["when"], r["desk"]))
        self.first_no = {desk: rng.randrange(2001, 8000) for desk in DESKS}
        for desk, first in self.first_no.items():
            for n, receipt in enumerate(r for r in receipts if r["desk"] == desk):
                receipt["no"] = f"{desk[0].upper()}-{first + n}"
        self._corrections(receipts, training)

    def _receipt(self, desk, when, tender, pence, slip, line):
        till = desk.upper()
        if desk == "cafe" and when.date() >= self.rename_day:
            till = "RINKSIDE"
        return {"desk": desk, "when": when, "till": till, "tender": tender, "pence": pence, "slip": slip, "line": line}

    def _mistakes(self, receipts):
        """Changes receipts as tired people do; returns those to add."""
        rng = self.rng
        usable = [r for r in receipts if r["line"] and r["when"].date() not in (self.fix_day, END)]
        rng.shuffle(usable)

        def take(desk, wanted):
            found = next(r for r in usable if r["desk"] == desk and wanted(r))
            usable.remove(found)
            return found

        added = []
        for desk in ("box", *rng.sample(["hire", "cafe"], rng.randrange(2))):
            refund = take(desk, lambda r: r["pence"] < 0)
            added.append(refund | {"when": refund["when"] + dt.timedelta(minutes=rng.randrange(4, 9))})
        sale = lambda r: r["pence"] > 0
        after_swap = lambda r: sale(r) and r["line"]["terminal"] == self.hire_new
        for desk, wanted in (("hire", after_swap), *((d, sale) for d in rng.sample(DESKS, 1 + rng.randrange(2)))):
            wrong = take(desk, lambda r, wanted=wanted: wanted(r) and transposed(r["pence"]))
            wrong["pence"] = transposed(wrong["pence"])
        for desk, wanted in (("cafe", lambda r: sale(r) and r["till"] == "RINKSIDE"), (rng.choice(DESKS), sale)):
            receipts.remove(take(desk, wanted))
        for desk in ["box", *rng.sample(DESKS, rng.randrange(1, 3))]:
            when = take(desk, sale)["when"] + dt.timedelta(minutes=1)
            added.append(self._receipt(desk, when, "Card", self._amount(desk), "", None))
        return added

    def _corrections(self, receipts, training):
        """The right list of one till and day, Tove's first attempt at it, and the export as it was."""
        self.right_lines = [r for r in receipts if r not in training]
        of_day = [r for r in self.right_lines if r["desk"] == "box" and r["when"].date() == self.fix_day]
        self.attached = of_day
        sales = [r for r in of_day if r["line"]]
        self.first_fix = [r for r in of_day if r is not sales[-1]]
        self.export = [r | {"pence": transposed(r["pence"])} if r is sales[0] else r for r in receipts]

    # --- what the bank received

    def _bank(self):
        rng = self.rng
        due = {key: gross - fee for key, (gross, fee) in self.payouts.items()}
        paid = sorted(key for key in due if key[1] <= END)
        late_enough = lambda key: dt.date(2026, 10, 9) <= key[1] <= dt.date(2026, 10, 27) and due[key] > 2900
        picks = rng.sample([key for key in paid if late_enough(key)], 8)
        self.unpaid, claim, penny, accepted, contested, over, over_penny, claim2 = picks
        refund = lambda key: rng.choice(
            [s["pence"] for s in self.settled if s["terminal"] == key[0] and 700 < s["pence"] < 2400]
        )
        self.chargebacks = {accepted: refund(accepted), contested: refund(contested)}
        self.accepted, self.contested = accepted, contested
        self.off = {
            self.unpaid: -due[self.unpaid],
            claim: -rng.randrange(730, 2200),
            claim2: -rng.randrange(103, 165),
            penny: -rng.choice([100, rng.randrange(21, 99)]),
            accepted: -self.chargebacks[accepted],
            contested: -self.chargebacks[contested],
            over: rng.randrange(310, 1900),
            over_penny: rng.randrange(11, 98),
        }
        self.claim, self.due = claim, due
        self.credits = {key: due[key] + self.off.get(key, 0) for key in paid if key != self.unpaid}
        for day in (dt.date(2026, 10, 1), dt.date(2026, 10, 2)):
            for terminal in (self.box, self.hire_old, self.cafe):
                self.credits[terminal, day] = rng.randrange(3100, 9900)

    # --- the figures of differences.json, which must not stand in any file

    def answers(self):
        booked, taken, after = defaultdict(int), defaultdict(int), defaultdict(int)
        for receipt in self.right_lines:
            if receipt["tender"].startswith("C") and receipt["tender"] != "Cash":
                booked[receipt["desk"]] += receipt["pence"]
        for line in self.settled:
            if line["when"].month == 10:
                taken[line["desk"]] += line["signed"]
                if self.processing_day(line["when"]).month == 11:
                    after[line["desk"]] += line["signed"]
        received = sum(amount for key, amount in self.credits.items() if key in self.due)
        transit = sum(amount for key, amount in self.due.items() if key[1] > END)
        claims = -sum(off for key, off in self.off.items() if off < -100 and key != self.accepted)
        desks = [(booked[d], taken[d], booked[d] - taken[d], self.fees[d], after[d]) for d in DESKS]
        repay = sum(off for off in self.off.values() if off > 100)
        totals = [sum(self.due.values()), received, transit, claims, repay, transit + sum(after.values())]
        return [*itertools.chain(*desks), *totals]

    def fair(self, files):
        """Nothing at the moment of the swap, no half pennies, no empty payout, no difference near nil, and no answer that can be read off a file."""
        wanted = [pounds(abs(value)) for value in self.answers()]
        told = set()
        for name, content in files.items():
            told |= {f"{float(figure):.2f}" for figure in FIGURE.findall(content.decode("latin-1"))}
            if name == "ostrel/transactions.csv":
                told |= {pounds(line["pence"]) for line in self.lines}
        near_swap = [line for line in self.lines if abs(line["when"] - self.swap) < dt.timedelta(minutes=70)]
        return (
            not any(line["desk"] == "hire" for line in near_swap)
            and len(set(self.chargebacks.values())) == 2
            and self.nearest_half > 30
            and min(self.due.values()) > 300
            and all(abs(value) > 300 for value in self.answers())
            and len(set(wanted)) == len(wanted)
            and not told & set(wanted)
        )


# --- the files


def table(rows, separator=",", newline="\n"):
    return "".join(separator.join(str(cell) for cell in row) + newline for row in rows)


def mail(sender, to, date, subject, body, attachment=None):
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Date"], message["Subject"] = sender, to, date, subject
    message.set_content(body, charset="utf-8", cte="quoted-printable")
    if attachment:
        name, content = attachment
        message.add_attachment(content, maintype="text", subtype="csv", filename=name, params={"charset": "utf-8"})
        message.set_boundary("=_pellbrook_tills_0001")
    return message.as_bytes()


def till_table(receipts):
    rows = [("Receipt", "Date", "Time", "Till", "Tender", "Amount", "Slip")]
    for r in receipts:
        amount = f"{'-' if r['pence'] < 0 else ''}£{pounds(abs(r['pence']))}"
        rows.append((r["no"], f"{r['when']:%d/%m/%Y}", f"{r['when']:%H:%M}", r["till"], r["tender"], amount, r["slip"]))
    return table(rows, ";", "\r\n")


def till_files(world):
    return {
        "tills/takings-2026-10.csv": till_table(world.export).encode("cp1252"),
        f"tills/box-{world.fix_day:%d-%m}-fixed.csv": till_table(world.first_fix).encode("cp1252"),
    }


def ostrel_files(world):
    lines = [("transaction", "terminal", "slip", "clock", "type", "class", "pence", "state")]
    for n in world.lines:
        when = f"{n['when']:%Y-%m-%d %H:%M}"
        lines.append((n["id"], n["terminal"], n["slip"], when, n["type"], n["class"], n["pence"], n["state"]))
    sheet = [("tariff", "D %", "C %", "X %", "pence per sale")]
    sheet += [(letter, *(f"{rate / 100:.2f}" for rate in r[:3]), r[3]) for letter, r in world.tariffs.items()]
    return {
        "ostrel/transactions.csv": b"\xef\xbb\xbf" + table(lines).encode(),
        "ostrel/tariff-sheet-2026.csv": table(sheet, ";").encode(),
        "ostrel/merchant-terms-2024.md": TERMS_2024.encode(),
        "ostrel/merchant-terms-2026.md": TERMS_2026.format(
            cutoff=f"{world.cutoff_utc // 60:02d}:{world.cutoff_utc % 60:02d}", letter=world.old_letter
        ).encode(),
    }


def ledger_files(world):
    september = JOURNAL_SEPTEMBER.replace(" ", "\t")
    for mark, name in (
        ("@TAIL@", world.box[-4:]),
        ("@HIRE@", f"H-{world.first_no['hire'] - 43}"),
        ("@CAFE@", f"C-{world.first_no['cafe'] - 17}"),
    ):
        september = september.replace(mark, name)
    return {
        "ledger/posting-rules.md": POSTING_RULES.replace("@TAIL@", world.box[-4:]).encode(),
        "ledger/accounts.csv": ACCOUNTS.encode("cp1252"),
        "ledger/journal-2026-09.tsv": september.encode(),
    }


def bank_lines(world):
    """(day, pounds as text, name, memo), in the order of the statement."""
    rng = world.rng
    lines = [
        (day, pounds(amount), "OSTREL PAYMENTS", f"PAYOUT {terminal[-4:]}")
        for (terminal, day), amount in world.credits.items()
    ]
    lines += [
        (dt.date(2026, 10, 1), "-1450.00", "LANTERN ESTATES", "GROUND RENT Q4"),
        (dt.date(2026, 10, 6), pounds(-rng.randrange(310_000, 420_000)), "BRACKENFIELD POWER", "ICE PLANT SEPT"),
        (dt.date(2026, 10, 12), "-36.00", "OSTREL PAYMENTS", "TERMINAL RENT OCT"),
        (dt.date(2026, 10, 14), "25.00", "OSTREL PAYMENTS", "REFERRAL REWARD"),
        (dt.date(2026, 10, 23), pounds(-rng.randrange(41_000, 99_000)), "DUNMORE BLADES LTD", "SHARPENING STONES"),
        (dt.date(2026, 10, 28), pounds(-rng.randrange(710_000, 890_000)), "PAYROLL", "OCTOBER"),
    ]
    lines += [
        (d, pounds(rng.randrange(9_000, 30_000)), "COUNTER CREDIT", "CASH BAG")
        for d in days(FIRST, END)
        if d.weekday() == 1
    ]
    return sorted(lines, key=lambda line: (line[0], line[2], line[3]))


def bank_files(world):
    lines = bank_lines(world)
    ofx = ["OFXHEADER:100", "DATA:OFXSGML", "VERSION:102", "ENCODING:USASCII", "CHARSET:1252", ""]
    ofx += ["<OFX>", "<BANKMSGSRSV1><STMTTRNRS><STMTRS>", "<CURDEF>GBP", "<BANKTRANLIST>"]
    ofx += ["<DTSTART>20261001", "<DTEND>20261031"]
    for n, (day, amount, name, memo) in enumerate(lines, 1):
        kind = "DEBIT" if amount.startswith("-") else "CREDIT"
        ofx += ["<STMTTRN>", f"<TRNTYPE>{kind}", f"<DTPOSTED>{day:%Y%m%d}", f"<TRNAMT>{amount}"]
        ofx += [f"<FITID>2610{n:05d}", f"<NAME>{name}", f"<MEMO>{memo}", "</STMTTRN>"]
    ofx += ["</BANKTRANLIST>", "</STMTRS></STMTTRNRS></BANKMSGSRSV1>", "</OFX>", ""]
    app = [("date", "text", "amount", "state")]
    for day, amount, name, memo in lines:
        if day <= dt.date(2026, 10, 28):
            if (world.claim[0][-4:], world.claim[1]) == (memo[-4:], day):
                amount = pounds(world.due[world.claim])
            app.append((f"{day:%d %b}", f"{name} {memo}", amount, "booked"))
    terminal, day = world.unpaid
    app.append((f"{day:%d %b}", f"OSTREL PAYMENTS PAYOUT {terminal[-4:]}", pounds(world.due[world.unpaid]), "pending"))
    return {
        "bank/october-2026.ofx": "\r\n".join(ofx).encode(),
        "bank/app-list-29-oct.csv": table(app).encode(),
    }


def terminal_files(world):
    register = [
        ("terminal", "till", "desk", "delivered"),
        (world.box, "BOX", "box office", "2025-02-11"),
        (world.hire_old, "HIRE", "skate hire", "2023-09-05"),
        (world.cafe, "CAFE", "café", "2025-02-11"),
    ]
    slip = VISIT.format(day=f"{world.swap:%d.%m.%Y}", out=world.hire_old, new=world.hire_new, at=f"{world.swap:%H:%M}")
    sim = VISIT_SIM.format(cafe=world.cafe)
    return {
        "terminals/register-2026-09.tsv": table(register, "\t").encode(),
        f"terminals/visit-{world.swap:%Y-%m-%d}.txt": slip.replace("\n", "\r\n").encode("cp1252"),
        "terminals/visit-2026-09-03.txt": sim.replace("\n", "\r\n").encode("cp1252"),
    }


def mail_files(world):
    rink, ostrel = "Pellbrook Ice Rink <books@pellbrook.example>", "Ostrel Merchant Desk <merchants@ostrel.example>"
    tove = "Tove Brandreth <tove@pellbrook.example>"
    long_day = lambda day: f"{day:%A} {day.day} {day:%B}"
    cases = {key: 4000 + world.rng.randrange(100, 900) for key in sorted([world.accepted, world.contested])}
    listed = "".join(
        f"  case {case}: terminal {key[0]}, £{pounds(world.chargebacks[key])}, taken off the payout of {long_day(key[1])}\n"
        for key, case in cases.items()
    )
    case = {"yes": cases[world.accepted], "no": cases[world.contested]}
    fixed = f"tills/box-{world.fix_day:%d-%m}-fixed.csv"
    notice = dict(
        letter=world.new_letter,
        start=long_day(world.tariff_noticed),
        free=long_day(world.no_payment_day),
        old=world.old_letter,
    )
    attachment = (f"BOX-{world.fix_day:%d-%m}.csv", till_table(world.attached).encode())
    swap = world.steward[1]
    return {
        "mail/2026-09-21-ostrel-notice.eml": mail(
            ostrel, rink, "Mon, 21 Sep 2026 09:30:00 +0100", "Notice of changes in October", NOTICE.format(**notice)
        ),
        "mail/2026-10-02-ostrel-notice.eml": mail(
            ostrel,
            rink,
            "Fri, 02 Oct 2026 16:05:00 +0100",
            "Our notice of 21 September",
            NOTICE_CORRECTED.format(start=long_day(world.tariff_starts), wrong=long_day(world.tariff_noticed)),
        ),
        f"mail/{world.rename_day:%Y-%m-%d}-cafe.eml": mail(
            f"{world.steward[0]} <cafe@pellbrook.example>",
            rink,
            f"{world.rename_day:%a, %d %b} 2026 08:20:00 +0100",
            "new sign over the café",
            f"Hello,\n\nthe sign painter was here, so from this morning the café's till signs on as RINKSIDE. Same desk, same "
            f"card terminal, same dreadful coffee machine.\n\n{world.steward[0]}\n",
        ),
        "mail/2026-10-21-tove.eml": mail(
            tove,
            rink,
            "Wed, 21 Oct 2026 11:42:00 +0100",
            f"BOX on {long_day(world.fix_day)}",
            f"Hi,\n\nsomebody left the box office till in the month's export while {swap} was being trained on {long_day(world.fix_day)}. I have "
            f"put a cleaned list of BOX for that day into {fixed}.\n\nTove\n",
        ),
        "mail/2026-10-28-ostrel-disputes.eml": mail(
            ostrel,
            rink,
            "Wed, 28 Oct 2026 10:00:00 +0000",
            "Chargebacks in October",
            f"Dear merchant,\n\ntwo customers have disputed a payment:\n\n{listed}\nYou can accept or contest each case within ten days.\n\n"
            "Ostrel Merchant Desk\n",
        ),
        "mail/2026-10-30-tove-disputes.eml": mail(
            tove,
            rink,
            "Fri, 30 Oct 2026 17:15:00 +0000",
            "Re: Chargebacks in October",
            f"I looked both up. Case {case['yes']} is our own fault, the customer is right and I have accepted it. Case {case['no']} is not: "
            "the gentleman skated for two hours, I have his signature, and I have contested it.\n\nTove\n",
        ),
        "mail/2026-11-03-tove.eml": mail(
            tove,
            rink,
            "Tue, 03 Nov 2026 18:31:00 +0000",
            f"BOX on {long_day(world.fix_day)}, again",
            f"Hi,\n\nforget my list of 21 October, I cut off a line with the training ones. The right list of BOX for {long_day(world.fix_day)} is "
            "attached. The month's export is fine otherwise, as far as I can see.\n\nTove\n",
            attachment,
        ),
        "mail/2026-11-05-dace.eml": mail(
            "E. Dace <dace@dacerook.example>",
            rink,
            "Thu, 05 Nov 2026 14:00:00 +0000",
            "October",
            "I shall ring on Tuesday at eleven. Last month one document of the journal was out by 1p and the import threw back the "
            "lot. Please see that it doesn't again.\n\nE. Dace\n",
        ),
    }


def note_files(world):
    a, b, c, d = world.steward
    rota = f"Week 43  late shift\nBOX {a}, HIRE {b}, CAFE {c}\nSun {d} opens. Hockey juniors from 17:30, no public skate.\n"
    plant = "Resurfacer: blade changed 9 Oct, next at 60 h. Brine at -9.5, shore end still soft after rain.\n"
    return {"notes/rota-week-43.txt": rota.encode(), "notes/ice-plant.txt": plant.encode()}


def generate(seed, out_dir):
    """Writes the workspace of `seed` under `out_dir`; the same seed gives the same bytes everywhere."""
    for attempt in itertools.count():
        world = World(seed, attempt)
        files = {
            **ledger_files(world),
            **till_files(world),
            **ostrel_files(world),
            **bank_files(world),
            **terminal_files(world),
            **mail_files(world),
            **note_files(world),
        }
        if world.fair(files):
            break
    for name, content in files.items():
        path = Path(out_dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


POSTING_RULES = """# Posting rules: card takings

Agreed with Mr Dace, last read through in March 2026.

## Where figures come from

- **Tills.** The month's export in `tills/`. `Card` and `Contactless` are card receipts, everything else is not. A corrected list from Tove replaces all lines of the till and the day it is for; of several, the one she sent last.
- **Terminals.** Slip numbers are given out by the terminal, each terminal counts for itself. A receipt belongs to the Ostrel transaction of the same terminal and slip number. Which terminal stands where is in `terminals/`: the register, and the engineers' visit slips for whatever has changed since.
- **Ostrel.** `ostrel/transactions.csv`, read by the terms in force and Ostrel's notices. Where two notices differ, the later one.
- **Bank.** Only the statement. The list from the bank's app is there for curiosity; it shows what the bank expects, not what it got.

## Posted already

The till system has posted every card receipt, with Tove's corrections: debit 1250, credit the sales account of the desk (`accounts.csv`); card refunds the other way round. The bank feed has posted every payout that came: debit 1200, credit 1250. 1250 was right on 30 September. The journal adds what is missing and corrects what is wrong, nothing else.

## The journal at the end of a month

| what | debit | credit | document |
| --- | --- | --- | --- |
| 1. Ostrel's fees for the month's processing days | 7310 | 1250 | `FEES-BOX`, `FEES-HIRE`, `FEES-CAFE`, by desk |
| 2. A refund on the till twice (two receipts, one slip): the later receipt is undone | 1250 | sales of the desk | number of the later receipt |
| 3. A receipt for less than its slip; the slip is right, the difference is posted (more than its slip: the other way round) | 1250 | sales of the desk | receipt number |
| 4. A settled sale dated in the month that has no receipt | 1250 | sales of the desk | Ostrel's transaction number |
| 5. A card receipt without a slip number: the line was down, the customer paid cash | 1100 | 1250 | receipt number |
| 6. A payout that came short or not at all | 1260 | 1250 | last four digits of the terminal, slash, payment day, as in `@TAIL@/2026-09-15` |
| 7. A payout that came to too much | 1250 | 2350 | as in 6 |

Two exceptions to 6 and 7. A difference of £1.00 or less goes to 7390 instead of 1260 or 2350; we do not write letters about pennies. A shortfall that is a chargeback which Tove has accepted goes to the sales account of the desk instead of 1260; one that she has contested is a claim like any other.

What is then left on 1250 is money on its way and nothing else: payouts of the month's processing days whose payment day has not come, and what was taken after the month's last processing day had ended.
"""

ACCOUNTS = """account,name
1100,Cash in tills
1200,Merrow & Vale current account
1250,Card clearing (Ostrel)
1255,Card clearing (old processor; closed 2023)
1260,Claims on Ostrel
2350,Owed to Ostrel
4010,Sales: box office
4020,Sales: skate hire
4030,Sales: café
4090,Sales: parties (invoiced)
7310,Card charges
7320,Bank charges
7390,Small differences
"""

JOURNAL_SEPTEMBER = """document account amount
FEES-BOX 7310 61.18
FEES-BOX 1250 -61.18
FEES-HIRE 7310 32.77
FEES-HIRE 1250 -32.77
FEES-CAFE 7310 35.96
FEES-CAFE 1250 -35.96
@HIRE@ 1250 3.60
@HIRE@ 4020 -3.60
@CAFE@ 1250 -1.80
@CAFE@ 4030 1.80
@TAIL@/2026-09-15 7390 0.35
@TAIL@/2026-09-15 1250 -0.35
"""

TERMS_2026 = """# Ostrel Payments: merchant terms 2026

In force from 1 February 2026. They replace the terms of 2024.

**1. Processing day.** A processing day ends at {cutoff} UTC, in summer and in winter. A transaction at that minute or later belongs to the processing day that follows. Every day of the year is a processing day and bears the date on which it ends.

**2. Reports.** Reports show the terminal's own clock, which keeps UK time. A line in state SETTLED is paid; a line in state DECLINED or VOID is not. Amounts are in pence, refunds without a sign.

**3. Payout.** A processing day is paid out on the second payment day after it. What falls due on one payment day is paid in one sum per terminal, whether it stems from one processing day or from several. Payment days are Monday to Friday, other than days that we announce. The reference is the word PAYOUT and the last four digits of the terminal.

**4. Amount.** A payout is the sales less the refunds less the fee of its processing days. Chargebacks are taken off the sum that is sent and change neither gross nor fee.

**5. Fee.** For each terminal and processing day: each settled sale at the rate of its class (D debit, C credit, X issued abroad), added up and rounded once to the nearest penny, half a penny upwards; then the pence per sale are added. Refunds cost nothing, and the fee on the sale is not given back.

**6. Tariff.** Your tariff is {letter}. The tariffs are set out in our tariff sheet. A change of tariff is announced by notice and applies to whole processing days, including the first one named.
"""

TERMS_2024 = """# Ostrel Payments: merchant terms 2024

In force from 1 January 2024.

**1. Processing day.** A processing day ends at 18:00 local time.

**2. Reports.** A line in state SETTLED is paid.

**3. Payout.** A processing day is paid out on the third payment day after it, each day by itself. Payment days are Monday to Friday.

**4. Fee.** 1.60 % of all sales, whatever the card, each rounded up to a whole penny. Refunds cost 20p.
"""

NOTICE = """Dear merchant,

two changes in October:

Your tariff changes from {old} to {letter} with the processing day of {start}. The sheet you have is still the current one.

We move to another data centre on {free}. That day is not a payment day.

Ostrel Merchant Desk
"""

NOTICE_CORRECTED = """Dear merchant,

our notice of 21 September gave you the wrong day. The new tariff starts with the processing day of {start}, and not with that of {wrong}. The rest of the notice stands.

Ostrel Merchant Desk
"""

VISIT = """OSTREL FIELD SERVICE - visit slip
Site     Pellbrook Ice Rink, skate hire
Date     {day}
Unit out {out}  (keypad dead)
Unit in  {new}  in use from {at}
Remarks  refurbished unit, slip counter not reset. Left the old
         unit's lead behind the counter.
"""

VISIT_SIM = """OSTREL FIELD SERVICE - visit slip
Site     Pellbrook Ice Rink, café
Date     03.09.2026
Unit     {cafe}  SIM card replaced, unit stays
Remarks  -
"""
