"""The second derivation: what a reader notes from minutes, sheets and walk book, checked against the files; sums are computed."""

import csv
import io
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal

FEB, MAY, JULY, SEPTEMBER = "2027-02-09", "2027-05-11", "2027-07-20", "2027-09-14"

# Entries that close: how, when, and the words of the files on which that rests.
CLOSED = {
    "A-036": ("done", "2027-04-20", "contractors/sheets/1088-harbin.txt", "20/04/2027"),
    "A-040": (
        "done",
        "2027-06-24",
        "caretaker/walk book.txt",
        "24 June 2027   1128 came back to it. 1107 and 1128 good",
    ),
    "A-045": ("done", JULY, "minutes/2027-09-14 board.md", "reported done was A-045"),
    "A-048": ("done", "2027-06-28", "caretaker/walk book.txt", "28 June 2027   1122"),
    "A-050": ("dropped", SEPTEMBER, "minutes/2027-09-14 board.md", "A-050 is dropped"),
    "A-051": ("done", "2027-07-09", "caretaker/walk book.txt", "9 July 2027    1131"),
    "A-053": ("merged", JULY, "minutes/2027-07-20 board.md", "A-053 is merged"),
    "A-055": ("struck", MAY, "minutes/2027-05-11 board.md", "the action is taken out"),
    "A-056": ("done", "2027-09-16", "caretaker/walk book.txt", "16 September   1140"),
    "A-057": ("done", "2027-09-08", "caretaker/walk book.txt", "8 September    1133"),
    "A-058": ("done", "2027-06-17", "caretaker/walk book.txt", "17 June 2027   1124"),
    "A-059": ("done", "2027-08-25", "caretaker/walk book.txt", "25 August 2027 1136"),
    "A-061": (
        "done",
        SEPTEMBER,
        "minutes/2027-09-14 board.md",
        "The letter about the parcels has gone out and was reported done",
    ),
}
# Owner, due day (before the closed days) and limit where they are no longer what the register says.
TERMS = {
    "A-042": {"due": "2027-08-30"},
    "A-044": {"owner": "PN"},
    "A-047": {"due": "2027-10-01"},
    "A-049": {"due": "2028-04-30"},
    "A-051": {"owner": "RS", "limit": "840.00"},
    "A-052": {"due": "2027-09-10"},
    "A-053": {"due": "2027-10-01"},
    "A-054": {"owner": "KD"},
}
# The new ones in the order of the minutes as corrected: meeting, first words, owner today, due, limit.
NEW = (
    (MAY, "Buy a second salt bin", "TB", "2027-09-30", "320.00"),
    (MAY, "Replace the failed timers", "AG", "2027-06-18", "650.00"),
    (MAY, "Re-hang the gate", "TB", "2027-08-27", "150.00"),
    (MAY, "Have the telephone line", "EH", JULY, None),
    (JULY, "Write to all flats", "KD", "2027-08-06", None),
    (JULY, "Get a report on the cracked lintel", "RS", "2027-08-31", "540.00"),
    (JULY, "Clean the gutters", "AG", "2027-10-15", "1080.00"),
    (SEPTEMBER, "Replace the broken flagstone", "KD", "2027-11-23", "400.00"),
    (SEPTEMBER, "Put the window cleaning", "PN", "2027-12-31", None),
)
FIRST_NEW = 57
SUPPLIERS_ACTION = {  # by the number of the order
    "1088": "A-036", "1093": "A-054", "1107": "A-040", "1119": "A-042", "1122": "A-048", "1124": "A-058", "1126": "A-052",
    "1128": "A-040", "1131": "A-051", "1133": "A-057", "1136": "A-059", "1138": "A-062", "1140": "A-056", "1145": "A-063",
}  # fmt: skip
STILL_DISPUTED = "inv 88"
TODAY = date(2027, 10, 12)


def text_of(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec)


def proofs_stand(workspace):
    """Each noted word still stands in its file."""
    for number, (_, _, name, words) in CLOSED.items():
        codec = "cp1252" if name.startswith("caretaker") else "utf-8"
        if words not in text_of(workspace, name, codec):
            raise LookupError(f"{number}: {words!r} is not in {name}")


def working_day(workspace, day):
    shut = {line[:10] for line in text_of(workspace, "calendar/closed days.txt").splitlines()}
    moved = date.fromisoformat(day)
    while moved.isoweekday() in (6, 7) or str(moved) in shut:
        moved += timedelta(days=1)
    return str(moved)


def full_words(workspace, start):
    """The words of an action between `ACTION: ` and the brackets, found by their beginning."""
    for day in (MAY, JULY, SEPTEMBER):
        text = text_of(workspace, f"minutes/{day} board.md")
        if f"ACTION: {start}" in text:
            return text.split(f"ACTION: {start}", 1)[1].split(" (", 1)[0].join((start, ""))
    raise LookupError(start)


def pence_spent(workspace):
    """Pence by action; every net amount is in whole pounds, so that VAT comes out in whole pence."""
    spent = Counter()
    table = csv.reader(
        io.StringIO(text_of(workspace, "accounts/invoices to 30 Sept 2027.csv", "cp1252")), delimiter=";"
    )
    for _, _, order, document, net, rate, _ in list(table)[1:]:
        if order and document != STILL_DISPUTED:
            pence = int(Decimal(net) * (100 + int(rate)))
            spent[SUPPLIERS_ACTION[order[3:]]] += -pence if document.startswith("credit") else pence
    return spent


def initial(workspace):
    """The register as found: number -> its fields."""
    found = {}
    for block in text_of(workspace, "register/actions.yaml").split("\n  A-")[1:]:
        head, *lines = block.split("\n")
        fields = (line.strip().partition(":") for line in lines if line.startswith("    "))
        found["A-" + head.rstrip(":")] = {name: value.strip() for name, _, value in fields}
    return found


def new_entries(workspace):
    entries = {}
    for place, (raised, start, owner, due, limit) in enumerate(NEW):
        what = full_words(workspace, start)
        entries[f"A-{FIRST_NEW + place:03d}"] = dict(
            what=what,
            raised=raised,
            owner=owner,
            due=working_day(workspace, due),
            limit=limit,
            status="open",
            closed=None,
        )
    return entries


def today_register(workspace):
    """Every entry as it has to stand today."""
    entries, spent = initial(workspace) | new_entries(workspace), pence_spent(workspace)
    for number, terms in TERMS.items():
        entries[number] |= terms | ({"due": working_day(workspace, terms["due"])} if "due" in terms else {})
    for number, (status, closed, _, _) in CLOSED.items():
        entries[number] |= {"status": status, "closed": closed}
    for number, entry in entries.items():
        if number in spent or "spent" not in entry:
            entry["spent"] = f"{spent[number] / 100:.2f}"
    return entries


def places(entries, numbers, *names):
    """Dotted path -> value."""
    return {
        f"actions.{number}.{name}": float(entries[number][name])
        if name in ("limit", "spent") and entries[number][name]
        else entries[number][name]
        for number in numbers
        for name in names
    }


def figures(entries):
    done = [e for e in entries.values() if e["status"] == "done" and e["closed"] > "2026-11-24"]
    late = sorted((e["due"], n) for n, e in entries.items() if e["status"] == "open" and e["due"] < str(TODAY))
    over = [n for n, e in entries.items() if e["limit"] and float(e["spent"]) > float(e["limit"])]
    return {
        "done": len(done),
        "open": sum(e["status"] == "open" for e in entries.values()),
        "overdue": len(late),
        "longest_days": (TODAY - date.fromisoformat(late[0][0])).days,
        "longest": late[0][1],
        "spent_total": round(sum(float(e["spent"]) for e in done), 2),
        "over_limit": over,
        "within_limit": sorted(set(entries) - set(over)),
        "annual_meeting": "2027-11-04",
    }


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    proofs_stand(workspace)
    before, entries = initial(workspace), today_register(workspace)
    old, new = list(before), [n for n in entries if n not in before]
    changed = {
        path: value
        for name in ("owner", "due", "limit", "spent", "status", "closed")
        for number in old
        if before[number][name] != (entries[number][name] or "")
        for path, value in places(entries, [number], name).items()
    }
    ends = {path: value for path, value in changed.items() if path.endswith((".status", ".closed"))}
    costs = {path: value for path, value in changed.items() if path.endswith(".spent")}
    with_cost = [n for n in new if float(entries[n]["spent"])]
    return {
        "ends": ends,
        "terms": {path: value for path, value in changed.items() if path not in ends and path not in costs},
        "costs": costs | places(entries, with_cost, "spent"),
        "new_words": places(entries, new, "what", "raised", "owner", "due", "limit"),
        "new_state": places(entries, new, "status", "closed")
        | places(entries, [n for n in new if n not in with_cost], "spent"),
        "head": {"as_of": str(TODAY), "next_number": f"A-{FIRST_NEW + len(NEW):03d}"},
        **figures(entries),
    }
