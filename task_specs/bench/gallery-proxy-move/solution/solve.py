"""The oracle: turns each line of heron's files into the lines with which dipper does the same, with the plan's changes in it."""

import csv
import datetime as dt
import email
import email.policy
import email.utils
import re
import sys
from pathlib import Path

OURS = dt.timezone(dt.timedelta(hours=1))
CLOSED = dt.datetime(2026, 10, 30, 12, 0, tzinfo=OURS)
SWITCH = "20261110"
MUSEUMS = ("loom", "quay", "fern", "clock", "slate")


def load(ws, name, codec="utf-8"):
    return (ws / name).read_bytes().decode(codec)


# ---------------------------------------------------------------- the papers


def messages(ws):
    """Moment, sender and words of each mail, first things first."""
    found = []
    for path in (ws / "mail").glob("*.eml"):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        moment = email.utils.parsedate_to_datetime(message["Date"])
        sender = email.utils.parseaddr(message["From"])[1]
        found.append((moment, sender, " ".join(message.get_content().split())))
    return sorted(found)


def is_frozen(ws, museum):
    calendar = load(ws, "calendar/freezes.ics").replace("\r\n", "\n")
    pattern = r"DTSTART;VALUE=DATE:(\d{8})\nDTEND;VALUE=DATE:(\d{8})\nSUMMARY:Freeze (\w+)"
    return any(name == museum and first <= SWITCH < after for first, after, name in re.findall(pattern, calendar))


def in_time(moment):
    return moment <= CLOSED


def granted(ws):
    """The words of all wishes that are fulfilled."""
    contacts = load(ws, "plan/contacts.csv", "cp1252").splitlines()
    museum_of = {row["mail"]: row["museum"] for row in csv.DictReader(contacts, delimiter=";")}
    wishes = []
    for moment, sender, words in messages(ws):
        museum = museum_of.get(sender)
        if museum not in MUSEUMS:
            continue
        taken_back = re.match(r"Forget the redirect of (\S+),", words)
        if taken_back:
            wishes = [wish for wish in wishes if f"redirect {taken_back[1]} " not in wish]
        elif in_time(moment) and not is_frozen(ws, museum):
            wishes.append(words)
    return wishes


def address_changes(ws):
    """Old address -> new address."""
    rows = csv.DictReader(load(ws, "plan/addresses.tsv").splitlines(), delimiter="\t")
    boxes = {row["box"]: (row["old"], row["new"]) for row in rows}
    for words in corrections(ws):
        press = re.findall(r"becomes (10\.[\d.]*\d)", words)
        if press:
            boxes["press"] = (boxes["press"][0], press[-1])
        for box in re.findall(r"the (\w+) box has no slot", words):
            boxes[box] = (boxes[box][0],) * 2
    return dict(boxes.values())


def corrections(ws):
    return [words for _, sender, words in messages(ws) if sender.startswith("ylva@")]


def good_certificates(ws, hosts):
    """Moment of expiry and name of those that a site with these hosts may have."""
    for row in csv.DictReader(load(ws, "certs/list.tsv").splitlines(), delimiter="\t"):
        until = dt.datetime.strptime(row["not_after"] + "+0000", "%b %d %H:%M:%S %Y GMT%z")
        usable = (
            row["key_on_dipper"] == "yes"
            and row["remark"] != "revoked"
            and until >= dt.datetime(2027, 2, 1, tzinfo=OURS)
        )
        if usable and all(covers(row["covers"].split(","), host) for host in hosts):
            yield until, row["name"]


def covers(patterns, host):
    return any(re.fullmatch(re.escape(p).replace(r"\*", r"[^.]+"), host) for p in patterns)


def certificate(ws, hosts):
    return min(good_certificates(ws, hosts))[1]


def home(ws):
    """Where the old catalogue leads."""
    return re.search(r"`loom-old` that has no row is\s+sent\s+to\s+`(\S+)`", load(ws, "plan/move-plan.md"))[1]


def map_rows(ws):
    """Rows of path, target and code."""
    export = csv.DictReader(load(ws, "catalogue/export.csv", "cp1252").splitlines(), delimiter=";")
    objects = {row["number"]: row for row in export}
    rows = []
    for number in sorted(objects):
        final = objects[number]
        while final["state"] == "merged":
            final = objects[final["merged_into"]]
        if final["state"] == "published":
            rows.append((f"/item/{number}", f"{home(ws)}item/{final['slug']}", "301"))
        elif final["state"] == "withdrawn":
            rows.append((f"/item/{number}", "-", "410"))
    return rows


# ---------------------------------------------------------------- sites


class Site:
    """A site of heron's: its name, hosts, backends and rules (lists of words, in their order)."""

    def __init__(self, name):
        self.name, self.hosts, self.backends, self.rules = name, [], {}, []


def read_sites(text):
    sites = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["site"]:
            sites.append(Site(words[1]))
        elif words[:1] == ["host"]:
            sites[-1].hosts += words[1:]
        elif words[:1] == ["backend"]:
            sites[-1].backends[words[1]] = words[2]
        elif words and words[0] != "cert":
            sites[-1].rules.append(words)
    own = {host for site in sites for host in site.hosts}
    for site in sites:
        site.hosts += [f"www.{h}" for h in site.hosts if f"www.{h}" not in own and not h.startswith("www.")]
    return sites


def fulfil(sites, wishes, page):
    """Wishes and the plan's point 4, in heron's words."""
    for words in wishes:
        alias = re.search(r"name of its own now: (\S+)\.", words)
        onward = re.search(r"like (/\S+) on (\S+),.* to go to (/\S+) on the same host", words)
        booking = re.search(r"site (\S+), by .* to (https://\S+), and", words)
        for site in sites:
            if alias and "slate.example" in site.hosts:
                site.hosts.append(alias[1])
            if "go to the press box" in words and "press" in site.backends:
                site.rules.sort(key=lambda rule: "press" not in rule)
            if onward and onward[2] in site.hosts:
                site.rules = [["redirect", onward[1], onward[3], "301"] if r[1] == onward[1] else r for r in site.rules]
            if booking and site.name == booking[1]:
                site.rules, site.backends = [["all", booking[2], "301 query"]], {}
    for site in sites:
        if site.name == "loom-old":
            site.rules, site.backends = [["map", "maps/loom.tsv"], ["all", page, "301"]], {}


def patterns(rule):
    """What a rule fits: pairs of kind and text."""
    word, path = rule[:2]
    if word == "route":
        return [("prefix", path)] + ([("exact", path[:-1])] if path.endswith("/") and path != "/" else [])
    base = path.rstrip("/")
    return ([("exact", base)] if base else []) + [("prefix", f"{base}/")]


def shadowed(pattern, earlier):
    """Whether one of the earlier patterns takes all that this one fits."""
    kind, text = pattern[0], pattern[1].lower()
    return any(
        text.startswith(other.lower()) if k == "prefix" else (kind, text) == (k, other.lower()) for k, other in earlier
    )


def live_rules(rules):
    """Each rule with the patterns that an earlier line does not take away."""
    earlier, found = [], []
    for rule in rules:
        live = [pattern for pattern in patterns(rule) if not shadowed(pattern, earlier)]
        found.append((rule, live))
        earlier += patterns(rule)
    return found


def needs_early(pattern, later):
    """Whether a redirect further down fits some of this, which dipper would then ask first."""
    text = pattern[1].lower()
    return any(
        rule[0] == "redirect" and kind == "prefix" and text.startswith(other.lower())
        for rule, live in later
        for kind, other in live
    )


def new_lines(rules):
    """The lines for dipper."""
    if rules[-1][0] == "all":
        return [" ".join(rule) if rule[0] == "map" else f"redirect /* {rule[1]} {rule[2]}" for rule in rules]
    lines, live = [], live_rules(rules)
    for number, (rule, own) in enumerate(live):
        for pattern in own:
            early = needs_early(pattern, live[number + 1 :])
            lines.append(route_line(rule, pattern, early) if rule[0] == "route" else redirect_line(rule, pattern))
    return lines


def route_line(rule, pattern, early):
    kind, text = pattern
    if text == "/":
        return f"route / {rule[2]}"
    options = ["strip"] * ("keep" not in rule) + ["anycase"] + ["early"] * early
    return f"route {'=' * (kind == 'exact')}{text} {rule[2]} {' '.join(options)}"


def redirect_line(rule, pattern):
    kind, text = pattern
    star = "*" if kind == "prefix" else ""
    code = rule[3] if len(rule) > 3 else "302"
    return f"redirect {text}{star} {rule[2]}{'/' + star if star else ''} {code} query anycase"


def convert(ws, museum):
    """The text of one site file for dipper."""
    text = load(ws, f"sites/{museum}.conf")
    sites, moved = read_sites(text), address_changes(ws)
    fulfil(sites, granted(ws), home(ws))
    out = [line for line in text.split("\nsite ")[0].splitlines() if line.startswith("#")]
    for site in sites:
        out += ["", f"site {site.name}", f"    host {' '.join(site.hosts)}", f"    cert {certificate(ws, site.hosts)}"]
        for name, address in site.backends.items():
            host, _, port = address.partition(":")
            out.append(f"    backend {name} {moved.get(host, host)}:{port}")
        out += [f"    {line}" for line in new_lines(site.rules)]
    return "\n".join(out) + "\n"


def solve(ws):
    texts = {f"sites/{museum}.conf": convert(ws, museum) for museum in MUSEUMS}
    rows = [("from", "to", "code"), *map_rows(ws)]
    return texts | {"maps/loom.tsv": "".join("\t".join(row) + "\n" for row in rows)}


def write(ws, texts):
    for name, text in texts.items():
        (ws / name).parent.mkdir(exist_ok=True)
        (ws / name).write_bytes(text.encode())


if __name__ == "__main__":
    workspace = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(workspace, solve(workspace))
