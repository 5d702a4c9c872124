"""The second derivation: the decisions on plain Python rows, and the databases on which the script is tried."""

import hashlib
import random
import sqlite3
from calendar import monthrange

LETTERS = {
    "O": "open",
    "W": "waiting",
    "K": "waiting",
    "F": "done",
    "C": "collected",
    "X": "cancelled",
    "Z": "cancelled",
}
NO_FRAME = ("", "NONE", "N/A", "UNKNOWN", "?")
COLUMNS = {
    "customer": "id name phone email since flag",
    "bike": "id cust descr frame",
    "job": "no bike taken promised done state price parts note ver",
    "part": "code name price",
}


# ---------------------------------------------------------------- the decisions


def text(value):
    """D-02."""
    return (value or "").strip(" ") or None


def name_of(value):
    """D-03."""
    value = text(value) or "No name"
    if value.count(",") != 1:
        return value
    return " ".join(part.strip(" ") for part in value.split(",")[::-1])


def phone_of(value):
    """(number, reviewed) by D-04."""
    value = text(value)
    if value is None:
        return None, False
    digits = "".join(c for c in value if c in "0123456789")
    for prefix in ("0044", "44"):
        if digits.startswith(prefix):
            rest = digits[len(prefix) :]
            digits = rest if rest[:1] == "0" else "0" + rest
            break
    good = len(digits) == 11 and digits[0] == "0"
    return (digits if good else None), not good


def date_of(value):
    """(ISO date, reviewed) by D-06."""
    value = text(value)
    if value in (None, "0000-00-00"):
        return None, False
    parts = value.split("-") if "-" in value else value.split("/")[::-1]
    widths = [len(part) for part in parts]
    slashed = "/" in value and widths[:1] == [2] and all(width in (1, 2) for width in widths)
    dashed = "-" in value and widths == [4, 2, 2]
    if len(parts) != 3 or not (slashed or dashed) or not all(part.isdigit() for part in parts):
        return None, True
    year, month, day = (int(part) for part in parts)
    year += 2000 if slashed else 0
    if not (1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        return None, True
    return f"{year:04}-{month:02}-{day:02}", False


def pence_of(price, version):
    """(pence, reviewed) by D-08 and D-16."""
    price, version = text(price), text(version)
    if price is None or price.lower() in ("free", "warranty"):
        return 0, False
    pounds = price[0] == "£" or (version is not None and [int(n) for n in version.split(".")] >= [2, 9])
    whole, _, rest = price.lstrip("£").strip(" ").replace(",", ".").partition(".")
    if (
        not whole.isdigit()
        or (rest or "." in price or "," in price)
        and not (pounds and rest.isdigit() and len(rest) < 3)
    ):
        return 0, True
    return (int(whole) * 100 + int(f"{rest:0<2}") if pounds else int(whole)), False


def parts_of(value, known):
    """(list of (code, quantity), reviewed) by D-10."""
    found, reviewed = {}, False
    for item in (value or "").replace(" ", "").upper().split(";"):
        head, mark, count = item.rpartition("X")
        code, quantity = (head, int(count)) if mark and count.isdigit() else (item, 1)
        if code in known:
            found[code] = found.get(code, 0) + quantity
        elif code:
            reviewed = True
    return list(found.items()), reviewed


class Migration:
    """All that the new database holds, made from the rows of the old one."""

    def __init__(self, old):
        self.customers, self.bikes, self.jobs, self.lines, self.review = {}, {}, {}, [], set()
        self.person_of, self.bike_of = {}, {}
        self.take_people(sorted(old["customer"], key=lambda row: row["id"]))
        self.take_bikes(sorted(old["bike"], key=lambda row: row["id"]))
        known = {text(row["code"]).upper() for row in old["part"] if text(row["code"])}
        for row in old["job"]:
            self.take_job(row, known)

    def take_people(self, rows):
        """D-03, D-04, D-11 and D-14."""
        by_likeness = {}
        for row in rows:
            flag = (text(row["flag"]) or "").upper()
            if flag == "D":
                self.customers[row["id"]] = {"name": "Erased", "phone": None, "email": None, "since": None}
                self.person_of[row["id"]] = row["id"]
                continue
            phone, bad_phone = phone_of(row["phone"])
            since, bad_date = date_of(row["since"])
            self.review |= {("customer", row["id"], "phone")} if bad_phone else set()
            self.review |= {("customer", row["id"], "date")} if bad_date else set()
            person = {"name": name_of(row["name"]), "phone": phone, "email": text(row["email"]), "since": since}
            likeness = (phone, person["name"].lower()) if phone and flag != "T" else row["id"]
            first = by_likeness.setdefault(likeness, row["id"])
            self.person_of[row["id"]] = first
            if first == row["id"]:
                self.customers[first] = person
                continue
            kept = self.customers[first]
            kept["email"] = kept["email"] or person["email"]
            kept["since"] = min(filter(None, (kept["since"], person["since"])), default=None)

    def take_bikes(self, rows):
        """D-12 and D-13."""
        by_frame = {}
        for row in rows:
            owner = self.person_of.get(row["cust"])
            if owner is None:
                self.review.add(("bike", row["id"], "customer"))
                continue
            frame = "".join(c for c in (row["frame"] or "").upper() if c not in " -.")
            frame = None if frame in NO_FRAME else frame
            first = by_frame.setdefault((owner, frame), row["id"]) if frame else row["id"]
            self.bike_of[row["id"]] = first
            if first == row["id"]:
                self.bikes[first] = {"customer": owner, "description": text(row["descr"]), "frame": frame}
            else:
                self.bikes[first]["description"] = self.bikes[first]["description"] or text(row["descr"])

    def take_job(self, row, known):
        """D-06, D-08, D-09, D-10 and D-12."""
        bike, (received, _), (finished, bad) = (
            self.bike_of.get(row["bike"]),
            date_of(row["taken"]),
            date_of(row["done"]),
        )
        reasons = [] if bike is not None else ["bike"]
        reasons += [] if received else ["date"]
        if not reasons:
            pence, bad_price = pence_of(row["price"], row["ver"])
            lines, bad_part = parts_of(row["parts"], known)
            status = LETTERS.get((text(row["state"]) or "").upper(), "collected" if finished else "open")
            self.jobs[row["no"]] = [bike, received, finished, status, pence, text(row["note"])]
            self.lines += [[row["no"], place, *line] for place, line in enumerate(lines, 1)]
            reasons = ["date"] * bad + ["price"] * bad_price + ["part"] * bad_part
        self.review |= {("job", row["no"], reason) for reason in reasons}

    def view(self, name):
        """What `run_view.py` prints of it."""
        if name == "people":
            return {
                "customers": [[n, *person.values()] for n, person in sorted(self.customers.items())],
                "bikes": [[n, *bike.values()] for n, bike in sorted(self.bikes.items())],
            }
        if name == "jobs":
            return {"jobs": [[n, *job] for n, job in sorted(self.jobs.items())], "job_parts": sorted(self.lines)}
        return {"review": [list(row) for row in sorted(self.review)]}


# ---------------------------------------------------------------- databases to try the script on


class Trial:
    """An old database in the making."""

    def __init__(self, rng, schema):
        self.rng, self.schema = rng, schema
        self.rows = {table: [] for table in COLUMNS}
        self.next = {"customer": rng.randrange(11, 40), "bike": rng.randrange(11, 40), "job": rng.randrange(101, 400)}
        for code in ("CHN-9", "chn-10", "BRK-01", "Inn-26", "AX-25", "BOX-4", " TYR-28 "):
            self.add("part", code, "spare", "1.00")

    def add(self, table, *values):
        self.rows[table].append(dict(zip(COLUMNS[table].split(), values, strict=True)))

    def number(self, table):
        self.next[table] += self.rng.randrange(1, 4)
        return self.next[table]

    def customer(self, name, phone=None, email=None, since=None, flag=None):
        number = self.number("customer")
        self.add("customer", number, name, phone, email, since, flag)
        return number

    def bike(self, owner, description="city bike", frame=None):
        number = self.number("bike")
        self.add("bike", number, owner, description, frame)
        return number

    def job(self, bike, taken="2023-05-04", **given):
        row = {
            "promised": "2023-05-06",
            "done": None,
            "state": "O",
            "price": None,
            "parts": None,
            "note": None,
            "ver": "2.12",
        }
        row |= given
        number = self.number("job")
        self.add("job", number, bike, taken, *row.values())
        return number

    def phone(self):
        return f"07700900{self.rng.randrange(100, 999)}"

    def dump(self):
        """SQL that makes it."""
        lines = [self.schema, "BEGIN;"]
        for table, rows in self.rows.items():
            for row in self.rng.sample(rows, len(rows)):
                lines.append(f"INSERT INTO {table} VALUES ({', '.join(quoted(value) for value in row.values())});")
        return "\n".join([*lines, "COMMIT;"]) + "\n"


def quoted(value):
    if value is None or isinstance(value, int):
        return "NULL" if value is None else str(value)
    return "'" + value.replace("'", "''") + "'"


def usual(trial):
    """The most usual things, and one customer who is there twice, beside a relative on the same telephone."""
    rng = trial.rng
    for name, since in (("Nils Ferreira", "4/11/12"), ("O'Dowd, Brigid", "2016-02-29"), ("Tamar Quist", None)):
        owner = trial.customer(
            name, trial.phone(), f"{name[-4:].lower()}@post.example", since, rng.choice([None, "", "N"])
        )
        bike = trial.bike(owner, rng.choice(["red tourer", "tandem"]), f"wbk-{rng.randrange(1000, 9999)} a")
        pence, pounds = rng.randrange(1100, 9800), rng.randrange(11, 98)
        trial.job(bike, "9/1/12", done="31/01/12", state="C", price=str(pence), ver="1.3", parts="BRK-01")
        trial.job(
            bike, "2016-05-12", done="2016-05-13", state="F", price=str(pence + 7), ver=rng.choice(["2.4", "2.8"])
        )
        trial.job(bike, "2019-08-03", state="W", price=f"{pounds}.5", ver="2.10", parts="chn-9; INN-26 x 12 ;")
        trial.job(bike, "2020-02-29", done="2020-03-02", state="x", price=str(pounds), ver="2.9", note=" squeaks ")
    phone, frame = trial.phone(), f"tr{rng.randrange(100, 999)}"
    for name, since in (("Owen Trask", "3/4/18"), ("Trask, Edda", None), ("Trask, Owen", "2017-08-01")):
        trial.job(trial.bike(trial.customer(name, phone, None, since), "shopper", frame), price="9")


def people(trial):
    """Phones, names, duplicates, erased ones, trade, frames and orphans."""
    rng = trial.rng
    landline = f"01632960{rng.randrange(100, 999)}"
    spoken = f"+44 (0)1632 960{landline[-3:]} (work)"
    ann = trial.customer("Pemberton, Ann", spoken, "  ", "2019-01-30")
    trial.customer("No Phone", "ask her brother")
    junior = trial.customer("Ann Pemberton jun.", landline, "jun@post.example", "2/3/15")
    again = trial.customer("ann PEMBERTON", landline.replace("0163", "0044 163"), "ann@post.example", "29/2/16")
    third = trial.customer("Ann Pemberton ", landline[:5] + "-" + landline[5:], "late@post.example", "29/2/15")
    trade = trial.customer("Rapid Couriers", trial.phone(), None, "2018-06-01", "t")
    trade_too = trial.customer("Rapid Couriers", trial.rows["customer"][-1]["phone"], None, None, "T")
    gone = trial.customer("Pemberton, Ann", landline, "old@post.example", "2011-04-04", "d")
    gone_too = trial.customer("Emil Strand", "0", None, None, "D")
    trial.customer("  ", "44 7700 900" + landline[-3:], None, "0000-00-00")
    trial.customer("Smith, John, Dr", "0" + trial.phone())
    frame = f"wtu {rng.randrange(100, 999)}-k.9"
    plain = frame.replace(" ", "").replace("-", "").upper()
    first = trial.bike(ann, "  ", frame)
    trial.bike(junior, "girl's bike", plain)
    same = trial.bike(again, "black roadster", plain)
    last = trial.bike(third, "roadster, black", plain.lower())
    for owner in (trade, trade_too, gone, gone_too):
        trial.bike(owner, None, rng.choice(["n/a", "None", "?", " - ", "unknown"]))
        trial.bike(owner, "spare", "N-O-N-E")
    lost = [trial.bike(owner, "found at the station", plain) for owner in (trial.next["customer"] + 7, None)]
    for bike in (first, same, last, *lost, trial.next["bike"] + 5, None):
        trial.job(bike, price="12", done="31/9/20" if bike in lost else None, parts="NOPE-1" if bike in lost else None)


def jobs(trial):
    """Bad dates, prices, letters and parts, one of them on each job."""
    rng = trial.rng
    bike = trial.bike(trial.customer("Vigdis Hale", trial.phone()))
    for taken in ("31/4/21", "2021-02-29", "spring", "", "0000-00-00", "1/13/20", "2020-6-1", "3/4/2019", " 5/6/20 "):
        trial.job(bike, taken, price="x")
    for done, state in (
        ("30/2/22", "C"),
        ("2022-11-31", "Q"),
        ("0000-00-00", ""),
        ("7/7/22", None),
        ("2022-07-09", " ?"),
        ("", "f"),
    ):
        trial.job(bike, "1/7/22", done=done, state=state)
    trial.job(bike, done="2023-05-09", state="k")
    trial.job(bike, done=" ", state="Z")
    pounds = rng.randrange(21, 89)
    late = (
        f"{pounds},05",
        f"£{pounds}.5",
        f"£ {pounds},40",
        f"{pounds}.",
        f"{pounds}.505",
        f"{pounds}p",
        f".{pounds}",
        "Warranty",
        "fre e",
        f"£{pounds}",
    )
    early = (f"{pounds}50", f"£{pounds}", f"£ {pounds}.5", f"{pounds}.50", f"{pounds}50p", "FREE", f"{pounds},00")
    for price in late:
        trial.job(bike, price=price, ver=rng.choice(["2.9", "2.10", "2.11", "2.12"]))
    for price in early:
        trial.job(bike, price=price, ver=rng.choice([None, "", "1.3", "2.0", "2.2", "2.4", "2.5", "2.8"]))
    lists = (
        "chn-9x2;AX-25;CHN-9 X 3",
        ";; box-4 ;box-40;",
        "TYR-28 x2; tyr-2 8;ax-25x11",
        " ",
        "inn-26;;AX-2",
        "Chn-10x0012",
        "BRK-01,CHN-9",
    )
    for parts in lists:
        trial.job(bike, parts=parts)


def trials(rng, schema):
    made = []
    for fill in (usual, people, jobs):
        trial = Trial(rng, schema)
        if fill is not usual:
            usual(trial)
        fill(trial)
        made.append((fill.__name__, trial))
    return made


def cases(made, view, chosen):
    found = []
    for name, trial in made:
        if name in chosen:
            files = {"trial.sql": trial.dump()}
            found.append(
                {
                    "name": f"{view} of {name}",
                    "args": [view],
                    "files": files,
                    "stdout": Migration(trial.rows).view(view),
                }
            )
    return found


def shape_case(made, schema):
    """The tables of schema-7.sql and nothing else."""
    trial = dict(made)["people"]
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema)
    tables = sorted(row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    columns, references = [], []
    for table in tables:
        for _, name, kind, filled, _, key in connection.execute(f"PRAGMA table_info({table})"):
            columns.append(
                [table, name, kind, 1 if filled or (key and table != "job_parts" and name == "id") else 0, key]
            )
        found = connection.execute(f"PRAGMA foreign_key_list({table})").fetchall()
        references += sorted([table, row[2], row[3], row[4]] for row in found)
    shape = {
        "tables": [[table] for table in tables],
        "columns": columns,
        "references": references,
        "broken references": [],
        "version": [[7]],
    }
    return [{"name": "tables", "args": ["shape"], "files": {"trial.sql": trial.dump()}, "stdout": shape}]


# ---------------------------------------------------------------- our own database


def old_rows(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    return {table: [dict(row) for row in connection.execute(f"SELECT * FROM {table}")] for table in COLUMNS}


def owner_of(found, old, source, number):
    """The number of the customer to whom a reviewed thing belongs now, or None."""
    if source == "customer":
        return found.person_of.get(number)
    if source == "job":
        number = next(row["bike"] for row in old["job"] if row["no"] == number)
    return found.bikes[found.bike_of[number]]["customer"] if number in found.bike_of else None


def review_rows(old):
    found, rows = Migration(old), {}
    for source, number, reason in found.review:
        owner = found.customers.get(owner_of(found, old, source, number), {"name": "", "phone": ""})
        rows[f"{source}|{number}|{reason}"] = {"who": owner["name"], "phone": owner["phone"] or ""}
    return rows


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    schema = (workspace / "db/schema-6.sql").read_text("utf-8")
    database = workspace / "db/harbour-street.db"
    rng = random.Random(hashlib.sha256(database.read_bytes()).hexdigest())
    made = trials(rng, schema)
    rows = review_rows(old_rows(database))
    return {
        "people_cases": cases(made, "people", ("usual", "people")),
        "job_cases": cases(made, "jobs", ("usual", "people", "jobs")),
        "review_cases": cases(made, "review", ("people", "jobs")),
        "shape_cases": shape_case(made, (workspace / "db/schema-7.sql").read_text("utf-8")),
        "review": rows,
    }
