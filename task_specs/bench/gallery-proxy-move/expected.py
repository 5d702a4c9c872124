"""The second derivation: heron's files read as heron reads them, wishes and new addresses put in, and asked what it would answer."""

import csv
import datetime as dt
import email
import email.policy
import re
from urllib.parse import urlsplit

OURS = dt.timezone(dt.timedelta(hours=1))
LAST_MOMENT = dt.datetime(2026, 10, 30, 12, tzinfo=OURS)
SWITCH = dt.date(2026, 11, 10)
MUSEUMS = ("loom", "quay", "fern", "clock", "slate")


def text_of(workspace, name, codec="utf-8"):
    return (workspace / name).read_bytes().decode(codec)


# ---------------------------------------------------------------- heron


def read_sites(text):
    """Dicts with name, names (as written), backends and rules in their order."""
    sites = []
    for line in text.splitlines():
        word, *rest = line.split("#")[0].split() or [""]
        if word == "site":
            sites.append({"name": rest[0], "names": [], "backends": {}, "rules": []})
        elif word == "host":
            sites[-1]["names"] += rest
        elif word == "backend":
            sites[-1]["backends"][rest[0]] = rest[1]
        elif word in ("route", "redirect"):
            sites[-1]["rules"].append([word, *rest])
    written = {name for site in sites for name in site["names"]}
    for site in sites:
        more = ["www." + name for name in site["names"] if not name.startswith("www.")]
        site["hosts"] = site["names"] + [name for name in more if name not in written]
    return sites


def heron(site, url):
    """What heron does with a URL that has reached this site."""
    path, behind = url.path or "/", f"?{url.query}" if url.query else ""
    for word, where, goal, *rest in site["rules"]:
        if word == "route" and (path + "/" * (where[-1] == "/")).lower().startswith(where.lower()):
            handed = path if "keep" in rest else "/" + path[len(where) :].lstrip("/")
            return f"pass {site['backends'][goal]} {handed}{behind}"
        base = where.rstrip("/")
        if word == "redirect" and (path + "/").lower().startswith(base.lower() + "/"):
            host = f"{url.scheme}://{url.netloc}" if goal.startswith("/") else ""
            return f"redirect {(rest or ['302'])[0]} {host}{goal}{path[len(base) :]}{behind}"
    return "nothing 404"


# ---------------------------------------------------------------- what changes


def mails(workspace):
    """Sender's address, moment and text, in order of time."""
    found = []
    for path in (workspace / "mail").iterdir():
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        sender = message["From"].addresses[0].addr_spec
        found.append((message["Date"].datetime, sender, " ".join(message.get_content().split())))
    return sorted(found, key=lambda entry: entry[0])


def frozen(workspace):
    """The museums that may not be touched on the day of the switch."""
    found = set()
    for event in text_of(workspace, "calendar/freezes.ics").split("BEGIN:VEVENT")[1:]:
        first, after = (dt.datetime.strptime(day, "%Y%m%d").date() for day in re.findall(r"VALUE=DATE:(\d+)", event))
        if first <= SWITCH < after:
            found.add(re.search(r"Freeze (\w+)", event)[1])
    return found


def wishes(workspace):
    """Museum -> the texts of its wishes that are fulfilled."""
    rows = csv.DictReader(text_of(workspace, "plan/contacts.csv", "cp1252").splitlines(), delimiter=";")
    museum_of = {row["mail"]: row["museum"] for row in rows}
    found = {museum: [] for museum in MUSEUMS}
    for moment, sender, words in mails(workspace):
        museum = museum_of.get(sender)
        if museum not in found or museum in frozen(workspace):
            continue
        if words.startswith("Forget the redirect of"):
            found[museum] = [wish for wish in found[museum] if words.split()[4].rstrip(",") not in wish]
        elif moment <= LAST_MOMENT:
            found[museum].append(words)
    return found


def fulfil(sites, texts):
    """Put the wishes into the sites, as heron would have them."""
    by_name = {site["name"]: site for site in sites}
    for words in texts:
        if "the press box" in words:
            rules = by_name["loom-web"]["rules"]
            rules.sort(key=lambda rule: rule[2] != "press")
        elif "quay-tickets" in words:
            goal = re.search(r"to (https://\S+),", words)[1]
            by_name["quay-tickets"]["all"] = goal
        elif "name of its own" in words:
            by_name["slate-web"]["hosts"].append(re.search(r"now: (\S+)\. ", words)[1])
        elif "below it, to go to" in words:
            old, new = re.search(r"like (/\w+) on .* to go to (/\S+) on", words).groups()
            rules = by_name["clock-web"]["rules"]
            rules[:] = [[*rule[:2], new, "301"] if rule[1] == old else rule for rule in rules]
        else:
            raise LookupError(words)


def new_addresses(workspace):
    """Old address -> new one, without ports."""
    rows = [line.split("\t") for line in text_of(workspace, "plan/addresses.tsv").splitlines()[1:]]
    move = {box: [old, new] for box, old, new in rows}
    for _, sender, words in mails(workspace):
        if sender == "ylva@coast-web.example":
            found = re.search(r"(?:It|press box) becomes ([\d.]+\d)", words)
            move["press"][1] = found[1]
            if "stays where it is" in words:
                move["images"][1] = move["images"][0]
    return dict(move.values())


def certificate(workspace, hosts):
    """The one that is used up first of those that are good for all hosts."""
    good = []
    for row in csv.DictReader(text_of(workspace, "certs/list.tsv").splitlines(), delimiter="\t"):
        end = dt.datetime.strptime(row["not_after"], "%b %d %H:%M:%S %Y GMT").replace(tzinfo=dt.UTC).astimezone(OURS)
        covers = row["covers"].split(",")
        all_covered = all(host in covers or "*." + host.split(".", 1)[1] in covers for host in hosts)
        if all_covered and row["key_on_dipper"] == "yes" and not row["remark"] and end.date() > dt.date(2027, 1, 31):
            good.append((end, row["name"]))
    return min(good)[1]


def moved_objects(workspace, page):
    """Rows of the map, by path."""
    last = {}
    for row in csv.DictReader(text_of(workspace, "catalogue/export.csv", "cp1252").splitlines(), delimiter=";"):
        last[row["number"]] = row
    found = {}
    for number in last:
        row = last[number]
        while row["state"] == "merged":
            row = last[row["merged_into"]]
        if row["state"] == "published":
            found[f"/item/{number}"] = {"to": f"{page}item/{row['slug']}", "code": 301}
        elif row["state"] == "withdrawn":
            found[f"/item/{number}"] = {"to": "-", "code": 410}
    return found


def plain_objects(workspace):
    """Paths of two objects about which the export has one row, and nothing but that it is published."""
    lines = text_of(workspace, "catalogue/export.csv", "cp1252").splitlines()[1:]
    numbers = [line[:4] for line in lines]
    return [f"/item/{line[:4]}" for line in lines if ";published;" in line and numbers.count(line[:4]) == 1][:2]


# ---------------------------------------------------------------- what is asked


def paths_of(site):
    """Paths as people mean them, and as they mistype them."""
    plain, odd = ["/", "/nowhere/at.all"], ["/NoWhere?x=1", "/?utm=a&b=2"]
    for word, where, *_ in site["rules"]:
        base = where.rstrip("/")
        if not base:
            continue
        plain += [f"{base}/", f"{base}/a/B.html"] if word == "route" else [base, f"{base}/c/D.jpg"]
        odd += [
            base,
            base.upper(),
            f"{base}/",
            f"{base.title()}/Q?x=Y&z=1",
            f"{base}x",
            f"{base}?q=2",
            f"{base.lower()}/e?f=g",
        ]
        odd += [base.swapcase() + "/Deep/er"]
    return list(dict.fromkeys(plain)), [path for path in dict.fromkeys(odd) if path not in plain]


def case(name, lines, words=()):
    urls, answers = [url for url, _ in lines], [f"{url} {answer}\n" for url, answer in lines]
    return {
        "name": name,
        "args": list(words),
        "stdin": "".join(f"{url}\n" for url in urls),
        "stdout": "".join(answers),
        "exit": 0,
    }


def door_lines(workspace, sites):
    """Every name, also in capitals, with its certificate; and names that nobody answers to."""
    lines = []
    for site in sites:
        name = f"{site['name']} {certificate(workspace, site['hosts'])}"
        for number, host in enumerate(site["hosts"]):
            lines.append((f"https://{host.upper() if number % 2 else host}/", name))
    answered = {host for site in sites for host in site["hosts"]}
    strange = [f"www.{sites[0]['hosts'][-1]}", f"shop.{sites[-1]['names'][0]}", *asked_names(workspace)]
    return lines + [(f"https://{host}/", "- nothing 421") for host in strange if host not in answered]


def asked_names(workspace):
    """Names that a museum would like its site to have, whether or not it gets them."""
    return [name for _, _, words in mails(workspace) for name in re.findall(r"name of its own now: (\S+)\. ", words)]


def path_lines(site, which, answer):
    hosts, lines = site["hosts"], []
    for number, path in enumerate(paths_of(site)[which]):
        url = f"http{'s' if number % 5 else ''}://{hosts[number % len(hosts)]}{path}"
        lines.append((url, f"{site['name']} {answer(site, urlsplit(url))}"))
    return lines


def museum_cases(workspace, museum, objects, page):
    sites = read_sites(text_of(workspace, f"sites/{museum}.conf"))
    fulfil(sites, wishes(workspace)[museum])
    move = new_addresses(workspace)
    for site in sites:
        for name, address in site["backends"].items():
            host, _, port = address.partition(":")
            site["backends"][name] = f"{move.get(host, host)}:{port}"

    def answer(site, url):
        if "all" in site:
            return f"redirect 301 {site['all']}{'?' + url.query if url.query else ''}"
        if site["name"] == "loom-old":
            row = objects.get(url.path)
            return (
                f"redirect 301 {page}"
                if row is None
                else f"redirect 301 {row['to']}"
                if row["code"] == 301
                else "gone 410"
            )
        return heron(site, url)

    plain, odd = ([line for site in sites for line in path_lines(site, which, answer)] for which in (0, 1))
    if museum == "loom":
        old = next(site for site in sites if site["name"] == "loom-old")
        urls = [f"https://{old['hosts'][0]}{path}" for path in [*plain_objects(workspace), "/item/9999", "/ITEM/0001"]]
        odd += [(url, f"loom-old {answer(old, urlsplit(url))}") for url in urls]
    doors = case("names and certificates", door_lines(workspace, sites), ["certs"])
    if museum in ("loom", "quay"):
        return [doors, case("plain paths", plain), case("slips and queries", odd)]
    return [doors, case("paths, slips and queries", plain + odd)]


def expected(workspace):
    """Every value the checks compare with, by the name they use."""
    page = re.search(r"sent to `(https://\S+)` with 301", " ".join(text_of(workspace, "plan/move-plan.md").split()))[1]
    objects = moved_objects(workspace, page)
    return {"objects": objects} | {museum: museum_cases(workspace, museum, objects, page) for museum in MUSEUMS}
